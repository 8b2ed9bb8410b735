# Prints the script of an earlier version, for tests of the update from it. The input is the output of nm -D and the script.
# PostgreSQL creates no function whose symbol the library lacks, so functions that were removed get the symbol of another one.
!in_script && $2 == "T" { has[$3] }
/^\\echo/ { in_script = 1 }
in_script {
    if (match($0, /'MODULE_PATHNAME', '[^']*'/)) {
        symbol = substr($0, RSTART + 20, RLENGTH - 21)
        if (!(symbol in has)) sub("'" symbol "'", "'uuidv4_wrapper'")
    }
    print
}

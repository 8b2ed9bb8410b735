# Prints the statements of sql/uuidrfc.sql that an update runs, too: functions, which it replaces, COMMENTs and SELECTs, and
# each statement after a line `-- since VERSION`.
/^\\/ { next }
/^-- since / { is_new = 1; next }
!in_statement && /^[A-Z]/ {
    in_statement = 1
    is_passed = is_new || !/^(CREATE|ALTER)/ || sub(/^CREATE FUNCTION/, "CREATE OR REPLACE FUNCTION")
    is_new = 0
}
in_statement {
    if (is_passed) print
    if (/^BEGIN ATOMIC$/) in_body = 1
    if (/^END;$/) in_body = 0
    if (/;$/ && !in_body) in_statement = 0
}

# The comparisons cannot be labelled LEAKPROOF, since that takes a superuser. The two with a range are not STRICT, so that they can be inlined.
/^ oprname | count | leakproof/,/rows)$/ {
    s/| t         | t      |/| f         | t      |/
    /@/s/| f         | t      |/| f         | f      |/
}

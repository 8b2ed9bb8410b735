# A million rows take two minutes.
s/^-- A million rows become/-- Ten thousand rows become/
s/generate_series(0, 999999)/generate_series(0, 9999)/
/^  count  |  count  | out_of_order/,/row)$/ {
    s/^  count  |  count  |/ count | count |/
    s/^---------+---------+/-------+-------+/
    s/^ 1000000 | 1000000 |/ 10000 | 10000 |/
}

-- The statements of the README and of docs/start.md, in order, without the output of those that show new UUIDs.
\i tests/pg_regress/common.sql
\! awk 'FNR == 1 {print sep "BEGIN;"; sep = "ROLLBACK;\n"} /^<!-- random -->$/ {hide = 1} /^<!-- not run/ {skip = 1} /^```$/ && on {if (hide) print "\\o"; on = hide = 0} on && !/CREATE EXTENSION/ {print} /^```sql$/ {on = !skip; skip = 0; if (hide) print "\\o /dev/null"} END {print "ROLLBACK;"}' README.md docs/start.md > target/regress/readme.sql
\i target/regress/readme.sql

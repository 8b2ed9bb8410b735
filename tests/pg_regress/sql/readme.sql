-- The README's statements, in order. The output of those that show new UUIDs is left out.
\! awk '/^<!-- random -->$/ {hide = 1} /^```$/ && on {if (hide) print "\\o"; on = hide = 0} on && !/CREATE EXTENSION/ {print} /^```sql$/ {on = 1; if (hide) print "\\o /dev/null"}' README.md > target/regress/readme.sql
BEGIN;
\i target/regress/readme.sql
ROLLBACK;

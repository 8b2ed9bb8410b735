-- psql reads this file when it starts, and :menu shows the menu again. play.py sets the variables of the entries.
\set QUIET on
\set menu '\\i play/menu.sql'
SET jit = off;
SET max_parallel_workers_per_gather = 0;
\pset pager off
\echo
\echo 'Type a number with a colon before it, such as :1'
\echo
\echo '  :1   the rows of the last day, before and after'
\echo '  :2   created_at without a column'
\echo '  :3   how many rows the planner expects'
\echo '  :4   pages of a list, by the key alone'
\echo '  :5   a join by time'
\echo '  :6   partitions by the key alone'
\echo '  :7   a feed that loses rows, and one that does not'
\echo '  :8   one order for all sessions'
\echo '  :9   the effect of the order on an index'
\echo '  :10  the key as others see it'
\echo
\echo '  :menu shows this menu, \\d lists the tables, \\q quits. Pictures: target/play/*.svg'
\echo

\echo '-- Before: PostgreSQL does not know what a function says of the key. (The setting is for such comparisons.)'
SET uuidrfc.enable_time_rewrite = off;
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM visit WHERE uuidv7_time(id) >= now() - interval '1 day';
RESET uuidrfc.enable_time_rewrite;
\echo '-- After: the primary key answers, however the time is asked for.'
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM visit WHERE uuidv7_time(id) >= now() - interval '1 day';
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM visit WHERE id >= now() - interval '1 day';

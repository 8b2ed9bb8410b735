\echo '-- Before: PostgreSQL does not know that the function follows the order of the key. (The setting is for comparisons.)'
SET uuidrfc.enable_time_rewrite = off;
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM visit WHERE uuidv7_time(id) >= now() - interval '1 day';
RESET uuidrfc.enable_time_rewrite;
\echo '-- After: each form of the condition uses the primary key.'
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM visit WHERE uuidv7_time(id) >= now() - interval '1 day';
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM visit WHERE id >= now() - interval '1 day';

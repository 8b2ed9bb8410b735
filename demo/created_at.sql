-- 5. created_at without a column. A million purchases of a year, one every 31.5 seconds, and a view that reads the time from the
-- key.
CREATE TABLE purchase (id uuid PRIMARY KEY DEFAULT uuidv7(), what text);
INSERT INTO purchase SELECT uuidv7_at(now() - n * interval '31.5 seconds'), 'tea' FROM generate_series(1000000, 1, -1) n;
VACUUM ANALYZE purchase;
CREATE VIEW purchase_v AS SELECT *, uuidv7_time(id) AS created_at FROM purchase WHERE uuidv7_time(id) IS NOT NULL;
SET jit = off;
SET max_parallel_workers_per_gather = 0;

-- Before: every row is read, because PostgreSQL does not know that the key is ordered by the time. (The setting exists for
-- comparisons.)
SET uuidrfc.enable_time_rewrite = off;
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM purchase_v WHERE created_at >= now() - interval '1 day';

-- After: the same condition uses the primary key.
SET uuidrfc.enable_time_rewrite = on;
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM purchase_v WHERE created_at >= now() - interval '1 day';

-- The newest rows are also read from the primary key: twenty entries from its end.
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM purchase_v ORDER BY created_at DESC LIMIT 20;

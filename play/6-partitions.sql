\echo '-- A partition for each month, by the primary key alone. A query for one week reads one or two partitions:'
EXPLAIN (COSTS OFF) SELECT * FROM visit_by_month
WHERE id >= date_trunc('month', now()) - interval '1 week' AND id < date_trunc('month', now());
\echo '-- One row by its key, which determines the partition:'
SELECT tableoid::regclass, id FROM visit_by_month ORDER BY id DESC LIMIT 1;

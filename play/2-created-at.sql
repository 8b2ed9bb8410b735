\echo '-- The view visit_v has created_at, although the table has no such column. Yesterday, by quarters of the day:'
SELECT date_trunc('hour', created_at) - extract(hour FROM created_at)::int % 6 * interval '1 hour' AS from_time, count(*)
FROM visit_v WHERE created_at >= current_date - 1 AND created_at < current_date GROUP BY 1 ORDER BY 1;
EXPLAIN (COSTS OFF) SELECT * FROM visit_v WHERE created_at >= current_date - 1 AND created_at < current_date;
\echo '-- The newest twenty rows, from the end of the primary key:'
EXPLAIN (COSTS OFF) SELECT * FROM visit_v ORDER BY created_at DESC LIMIT 20;

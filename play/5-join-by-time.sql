\echo '-- The visits of each night of the last week. Each night is one scan of the primary key.'
SELECT s.name, lower(s.period) AS from_time, count(v.id) AS visits
FROM shift s LEFT JOIN visit v ON v.id <@ s.period GROUP BY s.name, s.period ORDER BY s.period;
EXPLAIN (COSTS OFF) SELECT * FROM shift s JOIN visit v ON v.id <@ s.period;

-- 3. What several connections inserted at once: 8 connections, 250 transactions each, through the default.
SELECT count(*) AS rows, count(DISTINCT id) AS distinct_ids,
       min(uuidv7_time(id)) AS first, max(uuidv7_time(id)) AS last
FROM item;
-- The latest five.
SELECT id, uuidv7_time(id) AS created_at, name FROM item ORDER BY id DESC LIMIT 5;

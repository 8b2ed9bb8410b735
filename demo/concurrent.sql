-- 3. Rows that 8 connections have inserted concurrently, in 250 transactions each, with the default key.
SELECT count(*) AS rows, count(DISTINCT id) AS distinct_ids,
       min(uuidv7_time(id)) AS first, max(uuidv7_time(id)) AS last
FROM item;
-- The latest five rows.
SELECT id, uuidv7_time(id) AS created_at, name FROM item ORDER BY id DESC LIMIT 5;

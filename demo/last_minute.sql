-- 4. Which rows were created in the last minute? 200,000 items of the past year are added first.
INSERT INTO item (id, name)
SELECT uuidv7_at(now() - n * interval '157 seconds' - interval '1 hour'), 'old item' FROM generate_series(1, 200000) n;
ANALYZE item;

SELECT count(*) AS items, count(*) FILTER (WHERE id >= now() - interval '1 minute') AS of_the_last_minute FROM item;

-- The primary key is sufficient. There is no other index, and no column for the time.
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT name FROM item WHERE id >= now() - interval '1 minute';

-- MERGE by the time inside a UUID. PostgreSQL 14 has no MERGE.
SELECT current_setting('server_version_num')::int < 150000 AS none \gset
\if :none
\quit
\endif
\i tests/pg_regress/common.sql
CREATE TABLE event (id uuid PRIMARY KEY, n int);
INSERT INTO event SELECT uuidv7_at(timestamptz '2023-01-01' + n * interval '1 hour'), n FROM generate_series(0, 8759) n;
INSERT INTO event SELECT overlay(id::text PLACING '4' FROM 15 FOR 1)::uuid, -n FROM event WHERE n % 100 = 0;
ANALYZE event;
CREATE TABLE shift (start timestamptz, what text);
INSERT INTO shift VALUES ('2023-03-01', 'renumber'), ('2023-03-02', 'delete'), ('2024-01-01', 'add');
ANALYZE shift;
CREATE TABLE expected AS SELECT id, CASE WHEN uuidv7_time(id) >= '2023-03-01' AND uuidv7_time(id) < '2023-03-02' THEN n + 100000 ELSE n END AS n FROM event
WHERE (uuidv7_time(id) >= '2023-03-02' AND uuidv7_time(id) < '2023-03-03') IS NOT TRUE UNION ALL SELECT uuidv7_floor('2024-01-01'), 0;
PREPARE merged AS
MERGE INTO event e USING shift s ON uuidv7_time(e.id) >= s.start AND uuidv7_time(e.id) < s.start + interval '1 day'
WHEN MATCHED AND s.what = 'delete' THEN DELETE
WHEN MATCHED THEN UPDATE SET n = n + 100000
WHEN NOT MATCHED THEN INSERT VALUES (uuidv7_floor(s.start), 0);
EXPLAIN (COSTS OFF) EXECUTE merged;
EXECUTE merged;
(TABLE event EXCEPT ALL TABLE expected) UNION ALL (TABLE expected EXCEPT ALL TABLE event);
SELECT count(*), count(*) FILTER (WHERE n >= 100000) AS renumbered FROM event;
DROP TABLE event, shift, expected;

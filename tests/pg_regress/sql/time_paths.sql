-- Paths that are sorted by time, in cases that the server test `differential` does not cover.
\i tests/pg_regress/common.sql
SET enable_hashagg = off;
SET enable_bitmapscan = off;

CREATE TABLE event (id uuid PRIMARY KEY CHECK (uuidv7_time(id) IS NOT NULL));
INSERT INTO event SELECT uuidv7_at(timestamptz '2026-01-01' + n * interval '1 s') FROM generate_series(1, 1000) n;
ANALYZE event;
-- A table from which no row can pass is not read, even if reading it would save a sort.
SET enable_sort = off;
SELECT id FROM event WHERE false ORDER BY uuidv7_time(id);
SELECT id FROM event WHERE uuidv7_time(id) = '2026-01-01 00:00:00.0001' ORDER BY uuidv7_time(id);
RESET enable_sort;

-- Partitions are pruned when execution starts, also for min and max, and with grouping sets.
CREATE TABLE ranged (id uuid PRIMARY KEY CHECK (uuidv7_time(id) IS NOT NULL)) PARTITION BY RANGE (id);
CREATE TABLE ranged_1 PARTITION OF ranged FOR VALUES FROM (MINVALUE) TO (uuidv7_floor('2026-01-01'));
CREATE TABLE ranged_2 PARTITION OF ranged FOR VALUES FROM (uuidv7_floor('2026-01-01')) TO (MAXVALUE);
INSERT INTO ranged SELECT uuidv7_at(timestamptz '2025-12-31' + n * interval '1 minute') FROM generate_series(1, 2000) n;
ANALYZE ranged;
CREATE VIEW ranged_v AS SELECT id, uuidv7_time(id) AS created_at FROM ranged;
SELECT pg_temp.plan('SELECT created_at FROM ranged_v ORDER BY 1 LIMIT 5');
SET enable_seqscan = off;
SELECT query, (SELECT count(*) FROM pg_temp.plan(query) line WHERE line ~ 'Subplans Removed') AS pruned,
    pg_temp.result(query, 'on') IS NOT DISTINCT FROM pg_temp.result(query, 'off') AS same
FROM unnest(ARRAY[
    'SELECT min(created_at) FROM ranged_v WHERE created_at >= timestamptz ''2026-01-01 05:00'' + (now() - now())', 'SELECT max(created_at) FROM ranged_v WHERE created_at IN (now(), timestamptz ''2026-01-01 05:00'' + (now() - now()))',
    'SELECT created_at, count(*) FROM ranged_v WHERE created_at > timestamptz ''2026-01-01 05:00'' + (now() - now()) GROUP BY ROLLUP (created_at)', 'SELECT created_at FROM ranged_v WHERE created_at >= timestamptz ''2026-01-01 05:00'' + (now() - now()) ORDER BY 1 LIMIT 1',
    'SELECT (SELECT max(created_at) FROM ranged_v WHERE created_at <= now()) FROM generate_series(1, 2)']) query;
RESET enable_seqscan;

-- A subquery is evaluated once.
CREATE TABLE other AS SELECT uuidv4() AS id FROM generate_series(1, 3);
SELECT count(*) AS evaluations FROM pg_temp.plan('SELECT * FROM event WHERE id <@ (SELECT (array_agg(tstzrange(uuidv7_time(id), NULL)))[1] FROM other)') line WHERE line ~ '^ *InitPlan';
SELECT count(*) AS evaluations FROM pg_temp.plan('SELECT * FROM event WHERE id <@ (SELECT tstzrange(min(uuidv7_time(id)), NULL) FROM other)') line WHERE line ~ '^ *InitPlan';

-- Each arm of the first three excludes rows without a time, so the index returns the rest in order. For the last, bounds on the UUID
-- are used instead, because few rows are within them.
CREATE TABLE keyed (id uuid PRIMARY KEY, n int);
INSERT INTO keyed SELECT uuidv7_at(timestamptz '2026-01-01' + n * interval '100 s'), n FROM generate_series(1, 8000) n;
ANALYZE keyed;
RESET enable_bitmapscan;
SELECT condition, count(*) FILTER (WHERE line ~ 'Sort') AS sorts, count(*) FILTER (WHERE line ~ 'Index Cond') AS bounds
FROM unnest(ARRAY[
    '(uuidv7_time(id), n) < (''2026-01-03'', 5) OR uuidv7_time(id) > ''2026-01-05''', 'uuid_extract_version(id) = 7 AND n > 5 OR uuidv7_time(id) > ''2026-01-05''',
    'uuidv7_time(id) IS NOT NULL AND n > 5 OR uuidv7_time(id) > ''2026-01-05''', 'uuidv7_time(id)::date = ''2026-01-08'' OR uuidv7_time(id)::date = ''2026-01-09''']) WITH ORDINALITY AS conditions (condition, number),
    pg_temp.plan('SELECT id FROM keyed WHERE (' || condition || ') ORDER BY uuidv7_time(id) LIMIT 7') line
GROUP BY condition, number ORDER BY number;
DROP TABLE event, ranged, other, keyed CASCADE;

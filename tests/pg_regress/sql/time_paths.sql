-- Paths that are sorted by time, or that read times from an index, return the rows of the query.
\i tests/pg_regress/common.sql
SET enable_hashagg = off;
SET enable_bitmapscan = off;

-- Within a millisecond, rows are sorted neither by the index columns after the UUID nor across partitions.
CREATE TABLE event (id uuid_v7 NOT NULL, tenant int, n int);
CREATE INDEX ON event (id, n);
CREATE INDEX ON event (tenant, id, n);
INSERT INTO event SELECT overlay(uuidv7_floor(timestamptz '2026-01-01' + n / 9 * interval '1 ms')::text PLACING lpad(n % 9 || '', 4, '0') FROM 33 FOR 4)::uuid, n % 2, n * 7 % 5 FROM generate_series(0, 899) n;
CREATE TABLE parted (id uuid_v7 NOT NULL, n int) PARTITION BY RANGE (id);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (MINVALUE) TO ('019b76da-a800-7000-8000-000000000005');
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM ('019b76da-a800-7000-8000-000000000005') TO (MAXVALUE);
CREATE INDEX ON parted_1 (uuidv7_time(id), n);
CREATE INDEX ON parted_2 (uuidv7_time(id), n);
INSERT INTO parted SELECT id, n FROM event;
CREATE TABLE parted_by_both (id uuid_v7 NOT NULL, n int) PARTITION BY RANGE (id, n);
CREATE TABLE parted_by_both_1 PARTITION OF parted_by_both FOR VALUES FROM (MINVALUE, MINVALUE) TO ('019b76da-a800-7000-8000-000000000005', 3);
CREATE TABLE parted_by_both_2 PARTITION OF parted_by_both FOR VALUES FROM ('019b76da-a800-7000-8000-000000000005', 3) TO (MAXVALUE, MAXVALUE);
CREATE INDEX ON parted_by_both_1 (uuidv7_time(id), n);
CREATE INDEX ON parted_by_both_2 (uuidv7_time(id), n);
INSERT INTO parted_by_both SELECT id, n FROM event;
ANALYZE event, parted, parted_by_both;
SELECT query, pg_temp.result(query, 'on') IS NOT DISTINCT FROM pg_temp.result(query, 'off') AS same FROM unnest(ARRAY[
    'SELECT uuidv7_time(id), n FROM event ORDER BY 1, 2', 'SELECT uuidv7_time(id), n, count(*) FROM event GROUP BY 1, 2 ORDER BY 1, 2', 'SELECT tenant, uuidv7_time(id), n, count(*) FROM event GROUP BY 1, 2, 3 ORDER BY 1, 2, 3',
    'SELECT DISTINCT ON (tenant, uuidv7_time(id)) tenant, uuidv7_time(id), n FROM event ORDER BY tenant, uuidv7_time(id), n', 'SELECT uuidv7_time(id), id, n FROM event ORDER BY 1, 2, 3',
    'SELECT uuidv7_time(id), n FROM parted ORDER BY 1, 2', 'SELECT uuidv7_time(id), id, n FROM parted ORDER BY 1, 2, 3', 'SELECT uuidv7_time(id), n FROM parted ORDER BY 1 DESC, 2 DESC',
    'SELECT uuidv7_time(id), n FROM parted_by_both ORDER BY 1, 2', 'SELECT uuidv7_time(id), id, n FROM parted_by_both ORDER BY 1, 2, 3']) query;

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

-- A sample of a table is read as such, and a list of times does not hide that a row refers to another table.
CREATE TABLE sampled (id uuid PRIMARY KEY CHECK (uuidv7_time(id) IS NOT NULL));
INSERT INTO sampled SELECT uuidv7_at(timestamptz '2026-01-01' + n * interval '1 s') FROM generate_series(1, 1000) n;
CREATE TABLE other AS SELECT uuidv4() AS id FROM generate_series(1, 3);
ANALYZE sampled, other;
SELECT count(*) FROM sampled TABLESAMPLE BERNOULLI (0) WHERE uuidv7_time(id) IN ('2026-01-01 00:10', '2026-01-01 00:05');
SELECT min(uuidv7_time(id)) FROM sampled TABLESAMPLE BERNOULLI (0);
SELECT count(*) FROM (SELECT id FROM sampled TABLESAMPLE BERNOULLI (0) ORDER BY uuidv7_time(id) LIMIT 9) s;
SELECT y = o.id AS is_own, count(*) FROM other o LEFT JOIN LATERAL (SELECT coalesce(o.id, s.id) AS y FROM sampled s WHERE uuidv7_time(s.id) IN ('2026-01-01 00:10', '2026-01-01 00:05')) l ON true GROUP BY 1;

-- A subquery whose result depends on the order of its rows is evaluated once.
SELECT count(*) AS evaluations FROM pg_temp.plan('SELECT * FROM sampled WHERE id <@ (SELECT (array_agg(tstzrange(uuidv7_time(id), NULL)))[1] FROM other)') line WHERE line ~ '^ *InitPlan';
SELECT count(*) AS evaluations FROM pg_temp.plan('SELECT * FROM sampled WHERE id <@ (SELECT tstzrange(min(uuidv7_time(id)), NULL) FROM other)') line WHERE line ~ '^ *InitPlan';
DROP TABLE event, parted, parted_by_both, ranged, sampled, other CASCADE;

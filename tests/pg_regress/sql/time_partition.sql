-- Pruning of partitions by the time in the key. (The server test `forms` has a condition of each form, with constants, parameters,
-- subqueries and joins, through UNION ALL, and with an expression as the key; `differential` has security barriers and policies.)
\i tests/pg_regress/common.sql
CREATE TABLE event (id uuid PRIMARY KEY, n int) PARTITION BY RANGE (id);
CREATE TABLE event_01 PARTITION OF event FOR VALUES FROM (uuidv7_floor('2023-01-01')) TO (uuidv7_floor('2023-02-01'));
CREATE TABLE event_02 PARTITION OF event FOR VALUES FROM (uuidv7_floor('2023-02-01')) TO (uuidv7_floor('2023-03-01'));
CREATE TABLE event_03 PARTITION OF event FOR VALUES FROM (uuidv7_floor('2023-03-01')) TO (uuidv7_floor('2023-04-01'));
CREATE TABLE event_04 PARTITION OF event FOR VALUES FROM (uuidv7_floor('2023-04-01')) TO (uuidv7_floor('2023-05-01'));
SELECT pg_get_expr(relpartbound, oid) FROM pg_class WHERE oid = 'event_02'::regclass;
INSERT INTO event SELECT uuidv7_at(timestamptz '2023-01-01' + n * interval '86.4 s'), n FROM generate_series(0, 119999) n;
SELECT tableoid::regclass, count(*), min(uuid_extract_time(id)) >= date_trunc('month', min(uuid_extract_time(id))) AS in_month,
       count(DISTINCT date_trunc('month', uuid_extract_time(id))) AS months FROM event GROUP BY 1 ORDER BY 1;
VACUUM ANALYZE event;

-- Partitions are pruned during planning.
SELECT pg_temp.plan($$SELECT * FROM event WHERE id <@ tstzrange('2023-02-10', '2023-02-11')$$);
-- A query for exactly one month reads exactly one partition.
SELECT pg_temp.plan($$SELECT * FROM event WHERE id >= timestamptz '2023-02-01' AND id < timestamptz '2023-03-01'$$);
SELECT pg_temp.plan($$SELECT * FROM event WHERE id >= timestamptz '2030-01-01'$$);
SELECT pg_temp.plan($$SELECT * FROM event WHERE id <@ tstzrange('2023-01-10', '2023-01-11') OR tstzrange('2023-04-10', '2023-04-11') @> id$$);
SELECT pg_temp.plan($$UPDATE event SET n = n WHERE id <@ tstzrange('2023-02-10', '2023-02-11')$$);
SELECT pg_temp.plan($$DELETE FROM event WHERE id < timestamptz '2023-01-02'$$);
-- Partitions are pruned when execution starts.
SELECT pg_temp.plan($$SELECT count(*) FROM event WHERE id >= timestamptz '2023-03-31' + interval '12 hours'$$, true);
-- Partitions are pruned by arrays, and by windows that begin or end at a bound.
SELECT pg_temp.plan($$SELECT * FROM event WHERE id >= ALL ('{2023-04-30,2023-04-29}'::timestamptz[])$$);
SELECT pg_temp.plan($$SELECT * FROM event WHERE id > timestamptz '2023-01-31 23:59:59.999' AND id <= timestamptz '2023-02-28 23:59:59.999999'$$);

-- A default partition contains all UUIDs outside the months, and is read if it may contain a match.
CREATE TABLE event_rest PARTITION OF event DEFAULT;
INSERT INTO event VALUES (nil_uuid(), 0), (max_uuid(), 0), ('10000000-0000-4000-8000-000000000000', 0), (uuidv7_at('2030-01-01'), 0);
SELECT pg_temp.plan($$SELECT count(*) FROM event WHERE id >= timestamptz '2029-01-01'$$, true);
SELECT pg_temp.plan($$SELECT * FROM event WHERE id <@ tstzrange('2023-02-10', '2023-02-11')$$);

-- Subpartitions by time, below partitions by another column, are also pruned.
CREATE TABLE tenant_event (tenant int, id uuid) PARTITION BY LIST (tenant);
CREATE TABLE tenant_1 PARTITION OF tenant_event FOR VALUES IN (1) PARTITION BY RANGE (id);
CREATE TABLE tenant_1_01 PARTITION OF tenant_1 FOR VALUES FROM (uuidv7_floor('2023-01-01')) TO (uuidv7_floor('2023-02-01'));
CREATE TABLE tenant_1_02 PARTITION OF tenant_1 FOR VALUES FROM (uuidv7_floor('2023-02-01')) TO (uuidv7_floor('2023-03-01'));
CREATE TABLE tenant_2 PARTITION OF tenant_event FOR VALUES IN (2);
SELECT pg_temp.plan($$SELECT * FROM tenant_event WHERE tenant = 1 AND id <@ tstzrange('2023-02-10', '2023-02-11')$$);
SELECT pg_temp.plan($$SELECT * FROM tenant_event WHERE tenant = 1 AND id >= now() - interval '1 day'$$, true);
-- If no partition can be pruned, the condition is not rewritten, because the original one is estimated better.
CREATE TABLE spread (id uuid PRIMARY KEY, n int) PARTITION BY HASH (id);
CREATE TABLE spread_0 PARTITION OF spread FOR VALUES WITH (MODULUS 1, REMAINDER 0);
SET enable_indexscan = off;
SET enable_bitmapscan = off;
SELECT pg_temp.plan($$SELECT * FROM spread WHERE id >= timestamptz '2023-02-01'$$);
RESET enable_indexscan;
RESET enable_bitmapscan;
-- The arbiter of ON CONFLICT is the index with exactly the same predicate.
CREATE TABLE claimed (id uuid, n int) PARTITION BY RANGE (id);
CREATE TABLE claimed_01 PARTITION OF claimed FOR VALUES FROM (uuidv7_floor('2023-01-01')) TO (uuidv7_floor('2023-02-01'));
CREATE UNIQUE INDEX ON claimed (id) WHERE id >= timestamptz '2023-01-01';
INSERT INTO claimed VALUES (uuidv7_floor('2023-01-05'), 1);
INSERT INTO claimed VALUES (uuidv7_floor('2023-01-05'), 2) ON CONFLICT (id) WHERE id >= timestamptz '2023-01-01' DO UPDATE SET n = excluded.n;
SELECT n FROM claimed;
-- The key can be of a domain over uuid.
CREATE DOMAIN event_id AS uuid;
CREATE TABLE typed (id event_id) PARTITION BY RANGE (id);
CREATE TABLE typed_01 PARTITION OF typed FOR VALUES FROM (uuidv7_floor('2023-01-01')) TO (uuidv7_floor('2023-02-01'));
CREATE TABLE typed_02 PARTITION OF typed FOR VALUES FROM (uuidv7_floor('2023-02-01')) TO (uuidv7_floor('2023-03-01'));
SELECT pg_temp.plan($$SELECT * FROM typed WHERE id <@ tstzrange('2023-02-10', '2023-02-11')$$);
-- Inheritance children are excluded by their constraints.
CREATE TABLE parent (id uuid);
CREATE TABLE child_01 (CHECK (id >= uuidv7_floor('2023-01-01') AND id < uuidv7_floor('2023-02-01'))) INHERITS (parent);
CREATE TABLE child_02 (CHECK (id >= uuidv7_floor('2023-02-01') AND id < uuidv7_floor('2023-03-01'))) INHERITS (parent);
SELECT pg_temp.plan($$SELECT * FROM parent WHERE id <@ tstzrange('2023-02-10', '2023-02-11')$$);
-- Some extensions that partition tables by UUIDs refuse all versions but 7. Therefore, plans contain only version 7 UUIDs, even
-- if the condition comes from outside a subquery.
SELECT count(DISTINCT condition), string_agg(line, E'\n') FILTER (WHERE line ~ E'\'[0-9a-f]{8}-[0-9a-f]{4}-([^7]|7[0-9a-f]{3}-[^89ab])') AS others
FROM (VALUES ($$id >= timestamptz '-infinity'$$), ($$id >= timestamptz '1960-01-01'$$), ($$id < timestamptz 'infinity'$$),
    ($$id <@ tstzrange 'empty'$$), ($$id <@ tstzrange '(,)'$$), ($$id <@ tstzrange '[-infinity,infinity]'$$),
    ($$id <@ tstzmultirange '{}'$$), ($$id <@ tstzmultirange '{[2023-01-02,2023-01-03],[2023-02-10,2023-02-11]}'$$),
    ($$tstzmultirange '{(,2023-01-02),(2023-02-10,)}' @> id$$)) conditions (condition),
    (VALUES ('parent'), ('(SELECT DISTINCT id FROM parent) d')) sources (source),
    pg_temp.plan('SELECT * FROM ' || source || ' WHERE ' || condition) line;
-- Partitions are also pruned in a part of a UNION ALL.
SELECT pg_temp.plan($$SELECT * FROM (SELECT id FROM event UNION ALL SELECT id FROM parent) u WHERE id <@ tstzrange('2023-02-10', '2023-02-11')$$);

SELECT pg_temp.plan($$SELECT date_bin('1 day', uuidv7_time(id), '2023-01-01'), count(*) FROM event WHERE id <@ tstzrange('2023-02-10', '2023-02-12') GROUP BY 1$$);
SELECT date_bin('1 day', uuidv7_time(id), '2023-01-01') AS day, count(*) FROM event WHERE id <@ tstzrange('2023-02-27', '2023-03-02') GROUP BY 1 ORDER BY 1;
SET client_min_messages = warning;
DROP TABLE event, tenant_event, spread, claimed, typed, parent CASCADE;
DROP DOMAIN event_id;

-- Pruning of partitions by the time in the key. (The server test `forms` has a condition of each form, with constants, parameters,
-- subqueries and joins, through UNION ALL, and with an expression as the key; `differential` has default partitions,
-- subpartitions, security barriers and policies.)
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
-- Partitions are pruned when execution starts.
SELECT pg_temp.plan($$SELECT count(*) FROM event WHERE id >= timestamptz '2023-03-31' + interval '12 hours'$$, true);

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
-- When execution starts, TimescaleDB excludes children by conditions on the function in their constraints, so such a condition
-- stays in the plan, even in each part of a UNION ALL.
CREATE TABLE divided (id uuid);
CREATE TABLE chunk (CHECK (uuidv7_time(id) >= '2023-01-01' AND uuidv7_time(id) < '2023-01-02')) INHERITS (divided);
CREATE VIEW stamped AS SELECT id, uuidv7_time(id) AS created_at FROM divided UNION ALL SELECT id, uuidv7_time(id) FROM divided;
SELECT pg_temp.plan($$SELECT * FROM divided WHERE uuidv7_time(id) >= now()$$);
SELECT pg_temp.plan($$SELECT * FROM stamped WHERE created_at >= now()$$);
-- Some extensions that partition tables by UUIDs refuse all versions but 7. Therefore, plans contain only version 7 UUIDs, even
-- if the condition comes from outside a subquery.
SELECT count(DISTINCT condition), string_agg(line, E'\n') FILTER (WHERE line ~ E'\'[0-9a-f]{8}-[0-9a-f]{4}-([^7]|7[0-9a-f]{3}-[^89ab])') AS others
FROM (VALUES ($$id >= timestamptz '-infinity'$$), ($$id >= timestamptz '1960-01-01'$$), ($$id < timestamptz 'infinity'$$),
    ($$id <@ tstzrange 'empty'$$), ($$id <@ tstzrange '(,)'$$), ($$id <@ tstzrange '[-infinity,infinity]'$$),
    ($$id <@ tstzmultirange '{}'$$), ($$id <@ tstzmultirange '{[2023-01-02,2023-01-03],[2023-02-10,2023-02-11]}'$$),
    ($$tstzmultirange '{(,2023-01-02),(2023-02-10,)}' @> id$$)) conditions (condition),
    (VALUES ('parent'), ('(SELECT DISTINCT id FROM parent) d')) sources (source),
    pg_temp.plan('SELECT * FROM ' || source || ' WHERE ' || condition) line;

SET client_min_messages = warning;
DROP TABLE event, spread, claimed, typed, parent, divided CASCADE;
DROP DOMAIN event_id;

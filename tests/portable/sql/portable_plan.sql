-- A comparison of a uuid with a time becomes comparisons of UUIDs: for an index, for partitions, for policies and in generic plans.
SET timezone = 'UTC';
SET datestyle = 'ISO';
SET intervalstyle = 'postgres';
SET enable_seqscan = off;
SET enable_bitmapscan = off;
CREATE TABLE visit (id uuid PRIMARY KEY DEFAULT uuidv7(), n int);
INSERT INTO visit SELECT uuidv7_at(timestamptz '2026-01-01' + n * interval '1 hour'), n FROM generate_series(1, 1000) n;
CREATE TABLE shift (period tstzrange);
INSERT INTO shift VALUES ('[2026-01-02,2026-01-03)');
ANALYZE visit, shift;
EXPLAIN (COSTS OFF) SELECT n FROM visit WHERE id >= timestamptz '2026-01-02' AND id < timestamptz '2026-01-03';
EXPLAIN (COSTS OFF) SELECT n FROM visit WHERE id > timestamptz '2026-01-02' AND timestamptz '2026-01-03' >= id;
EXPLAIN (COSTS OFF) SELECT n FROM visit WHERE id BETWEEN timestamptz '2026-01-02' AND timestamptz '2026-01-03';
EXPLAIN (COSTS OFF) SELECT n FROM visit WHERE id <@ tstzrange('2026-01-02', '2026-01-03');
EXPLAIN (COSTS OFF) SELECT n FROM visit WHERE id >= now() - interval '1 hour';
EXPLAIN (COSTS OFF) SELECT n FROM visit WHERE id <@ '{[2026-01-02,2026-01-03),[2026-01-05,2026-01-06)}'::tstzmultirange;
SET enable_seqscan = on;
EXPLAIN (COSTS OFF) SELECT n FROM shift JOIN visit ON id <@ period;
SET enable_seqscan = off;
SELECT count(*) FROM visit WHERE id >= timestamptz '2026-01-02' AND id < timestamptz '2026-01-03';
SELECT count(*) FROM shift JOIN visit ON id <@ period;
SELECT count(*) FROM visit WHERE id <@ '{[2026-01-02,2026-01-03),[2026-01-05,2026-01-06)}'::tstzmultirange;
SET plan_cache_mode = force_generic_plan;
PREPARE since AS SELECT n FROM visit WHERE id >= $1::timestamptz AND id <@ $2::tstzrange;
EXPLAIN (COSTS OFF) EXECUTE since ('2026-01-02', '[2026-01-02,)');
RESET plan_cache_mode;
-- The time inside is inlined, too, and an index on it is used.
CREATE INDEX ON visit (uuid_extract_time(id));
ANALYZE visit;
CREATE FUNCTION pg_temp.first_line(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    EXECUTE 'EXPLAIN (COSTS OFF) ' || query INTO line;
    RETURN line;
END $$;
SELECT pg_temp.first_line($$SELECT n FROM visit WHERE uuid_extract_time(id) = '2026-01-02'$$);
DROP INDEX visit_uuid_extract_time_idx;
-- Row security.
CREATE VIEW recent WITH (security_barrier) AS SELECT * FROM visit WHERE id >= timestamptz '2026-01-02';
EXPLAIN (COSTS OFF) SELECT n FROM recent WHERE id < timestamptz '2026-01-03';
DROP VIEW recent;
DROP TABLE visit;
-- Partitions: when the statement is planned, and when it starts.
CREATE TABLE visit (id uuid PRIMARY KEY, n int) PARTITION BY RANGE (id);
CREATE TABLE visit_1 PARTITION OF visit FOR VALUES FROM (uuidv7_floor('2026-01-01')) TO (uuidv7_floor('2026-02-01'));
CREATE TABLE visit_2 PARTITION OF visit FOR VALUES FROM (uuidv7_floor('2026-02-01')) TO (uuidv7_floor('2026-03-01'));
CREATE TABLE visit_3 PARTITION OF visit FOR VALUES FROM (uuidv7_floor('2026-03-01')) TO (uuidv7_floor('2026-04-01'));
SET enable_seqscan = on;
EXPLAIN (COSTS OFF) SELECT n FROM visit WHERE id <@ tstzrange('2026-02-01', '2026-03-01');
EXPLAIN (COSTS OFF) SELECT n FROM visit WHERE id < timestamptz '2026-01-10';
SET plan_cache_mode = force_generic_plan;
PREPARE of_range AS SELECT n FROM visit WHERE id <@ $1::tstzrange;
EXPLAIN (COSTS OFF) EXECUTE of_range ('[2026-02-01,2026-03-01)');
DROP TABLE visit, shift;

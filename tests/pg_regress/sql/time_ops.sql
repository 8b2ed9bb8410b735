-- The operator class uuid_time_ops: its order, plans that use it, and window frames.
\i tests/pg_regress/common.sql
\set VERBOSITY terse

\echo -- valid
SELECT amvalidate(oid) FROM pg_opclass WHERE opcname = 'uuid_time_ops';
\echo -- operators without commutator or negator
SELECT count(*) FROM pg_operator
WHERE oprname ~ '^~[<=>|]+~$' AND (oprleft = 'uuid'::regtype OR oprright = 'uuid'::regtype)
  AND (oprcom = 0 OR oprnegate = 0 AND oprname <> '~=|~');

\echo -- one instant in three versions, its neighbors, and UUIDs without a time
CREATE TABLE sample (name text, id uuid);
INSERT INTO sample VALUES
    ('nil',          '00000000-0000-0000-0000-000000000000'),
    ('v4',           '919108f7-52d1-4320-9bac-f847db4148a8'),
    ('ncs',          '1ec9414c-232a-7b00-33c8-9f6bdeced846'),
    ('v8',           '2489e9ad-2ee2-8e00-8ec9-32d5f69181c0'),
    ('max',          'ffffffff-ffff-ffff-ffff-ffffffffffff'),
    ('v1 first',     '00000000-0000-1000-8000-000000000000'),
    ('v1',           'c232ab00-9414-11ec-b3c8-9f6bdeced846'),
    ('v1 + 900 ns',  'c232ab09-9414-11ec-b3c8-9f6bdeced846'),
    ('v1 + 1 us',    'c232ab0a-9414-11ec-b3c8-9f6bdeced846'),
    ('v1 - 100 ns',  'c232aaff-9414-11ec-b3c8-9f6bdeced846'),
    ('v6',           '1ec9414c-232a-6b00-b3c8-9f6bdeced846'),
    ('v6 + 17 ms',   '1ec9414c-2355-6210-b3c8-9f6bdeced846'),
    ('v7',           '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'),
    ('v7 + 1 ms',    '017f22e2-79b1-7cc3-98c4-dc0c0c07398f'),
    ('v7 last',      'ffffffff-ffff-7fff-bfff-ffffffffffff');
SELECT name, uuid_extract_time(id) FROM sample ORDER BY id USING ~<~;
\echo -- each operator and comparison, of two UUIDs and of a UUID and its time (time_ops_bulk.sql compares many)
SELECT a ~<~ b, a ~<=~ b, a ~>=~ b, a ~>~ b, uuid_time_cmp(a, b),
       b ~<~ t, b ~<=|~ t, b ~=|~ t, b ~>=~ t, b ~>|~ t, uuid_time_cmp(b, t),
       t ~<|~ b, t ~<=~ b, t ~=|~ b, t ~>=|~ b, t ~>~ b, uuid_time_cmp(t, b)
FROM (VALUES ('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'::uuid, 'c232ab00-9414-11ec-b3c8-9f6bdeced846'::uuid, '2022-02-22 19:22:22Z'::timestamptz)) v (a, b, t);
SELECT uuid_time_next('2026-01-01'), uuid_time_next('infinity'), uuid_time_next('-infinity'),
       uuid_time_next('294276-12-31 23:59:59.999999');
\echo -- an untyped literal is taken as a uuid
SELECT id ~>=~ '2026-01-01' FROM sample;
\echo -- btree families of =(timestamptz, timestamptz): only datetime_ops, so that the planner treats the operator as before
SELECT opfname FROM pg_amop JOIN pg_opfamily f ON f.oid = amopfamily JOIN pg_am a ON a.oid = amopmethod
WHERE amname = 'btree' AND amopopr = '=(timestamptz, timestamptz)'::regoperator;

\echo -- a condition on the second column alone, for which PostgreSQL 18 uses a skip scan
CREATE TABLE skipped AS SELECT id, n FROM (SELECT id FROM sample UNION ALL VALUES
    ('00000000-0000-0000-0000-000000000001'::uuid), ('ffffffff-ffff-ffff-ffff-fffffffffffe'),
    ('00000000-0000-1000-8000-000000000001'), ('ffffffff-ffff-7fff-bfff-fffffffffffe'),
    ('c232ab00-9414-11ec-bfff-ffffffffffff'), ('c232ab01-9414-11ec-8000-000000000000')) ids, generate_series(1, 400) n;
CREATE INDEX skipped_time ON skipped (id uuid_time_ops, n);
VACUUM ANALYZE skipped;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SELECT count(*), count(DISTINCT id), bool_and(n = 7) FROM skipped WHERE n = 7;
SELECT string_agg(uuid_extract_version(id)::text, ' ') FROM
    (SELECT id FROM skipped WHERE n = 7 AND id ~>=~ timestamptz '2022-02-22 19:22:22Z' ORDER BY id USING ~>~, n DESC) s;
SELECT string_agg(uuid_extract_version(id)::text, ' ') FROM
    (SELECT id FROM skipped WHERE n = 7 AND id ~>~ '00000000-0000-1000-8000-000000000000' ORDER BY id USING ~<~, n) s;
RESET enable_seqscan;
RESET enable_bitmapscan;

\echo -- plans
CREATE TABLE event (id uuid NOT NULL, n int);
INSERT INTO event SELECT uuidv7_at('2026-01-01'::timestamptz + i * interval '1 minute'), i FROM generate_series(1, 20000) i;
INSERT INTO event SELECT overlay(replace(uuidv7_at('2026-01-01'::timestamptz + i * interval '1 minute')::text, '-', '')
                                 placing '4' from 13 for 1)::uuid, i FROM generate_series(1, 200) i;
CREATE UNIQUE INDEX event_time ON event (id uuid_time_ops);
CREATE TABLE mark (id uuid, at timestamptz);
INSERT INTO mark SELECT id, uuid_extract_time(id) FROM event WHERE n % 1000 = 0 AND uuid_extract_time(id) IS NOT NULL;
VACUUM ANALYZE event;
ANALYZE mark;
SET enable_seqscan = off;
SET enable_bitmapscan = off;
\echo -- a constant
EXPLAIN (COSTS OFF) SELECT n FROM event WHERE id ~>=~ timestamptz '2026-01-14 21:20:00Z';
EXPLAIN (COSTS OFF) SELECT n FROM event WHERE timestamptz '2026-01-14 21:20:00Z' ~<=~ id;
\echo -- a window
EXPLAIN (COSTS OFF) SELECT n FROM event WHERE id ~>=~ timestamptz '2026-01-10Z' AND id ~<~ timestamptz '2026-01-11Z';
SELECT count(*), min(n), max(n) FROM event WHERE id ~>=~ timestamptz '2026-01-10Z' AND id ~<~ timestamptz '2026-01-11Z';
SELECT count(*), min(n), max(n) FROM event WHERE id ~>=~ timestamptz '2026-01-10 00:00:00.000001Z' AND id ~<~ timestamptz '2026-01-11 00:00:00.000001Z';
\echo -- NOT, and the UUIDs without a time
EXPLAIN (COSTS OFF) SELECT n FROM event WHERE NOT id ~<~ timestamptz '2026-01-14 21:20:00Z';
SELECT count(*) FROM event WHERE NOT id ~>=~ timestamptz '1582-10-15';
\echo -- a stable expression
EXPLAIN (COSTS OFF) SELECT n FROM event WHERE id ~>=~ now() - interval '1 day';
\echo -- a parameter
PREPARE since(timestamptz) AS SELECT n FROM event WHERE id ~>=~ $1;
SET plan_cache_mode = force_generic_plan;
EXPLAIN (COSTS OFF) EXECUTE since('2026-01-14 21:20:00Z');
RESET plan_cache_mode;
\echo -- a join
RESET enable_seqscan;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
EXPLAIN (COSTS OFF) SELECT m.at, e.n FROM mark m JOIN event e ON e.id ~>=~ m.at AND e.id ~<~ m.at + interval '1 hour';
RESET enable_mergejoin;
SET enable_nestloop = off;
CREATE INDEX mark_time ON mark (id uuid_time_ops);
SET enable_sort = off;
EXPLAIN (COSTS OFF) SELECT m.at, e.n FROM mark m JOIN event e USING (id);
RESET enable_sort;
RESET enable_nestloop;
RESET enable_hashjoin;
\echo -- order, forward and backward
EXPLAIN (COSTS OFF) SELECT id FROM event ORDER BY id USING ~<~ LIMIT 3;
EXPLAIN (COSTS OFF) SELECT id FROM event ORDER BY id USING ~>~ LIMIT 3;
EXPLAIN (COSTS OFF) SELECT id FROM event WHERE id ~<~ timestamptz '2026-01-10Z' ORDER BY id USING ~>~ LIMIT 3;
SELECT n FROM event WHERE id ~<~ timestamptz '2026-01-10Z' ORDER BY id USING ~>~ LIMIT 3;
\echo -- equality, and uniqueness
EXPLAIN (COSTS OFF) SELECT n FROM event WHERE id = '017f22e2-79b0-7cc3-98c4-dc0c0c07398f';
INSERT INTO event SELECT id FROM event ORDER BY id USING ~>~ LIMIT 1 ON CONFLICT (id) DO NOTHING;
\echo -- the unique index can be the target of foreign keys and the replica identity, but not a primary key
CREATE TABLE remark (event uuid REFERENCES event (id));
INSERT INTO remark SELECT id FROM event LIMIT 3;
INSERT INTO remark VALUES (nil_uuid());
\echo :LAST_ERROR_SQLSTATE
ALTER TABLE event REPLICA IDENTITY USING INDEX event_time;
ALTER TABLE event ADD PRIMARY KEY USING INDEX event_time;
\echo :LAST_ERROR_SQLSTATE
\echo -- a partial index supports conditions that imply its predicate
CREATE INDEX event_late ON event (n) WHERE id ~>=~ timestamptz '2026-01-14Z';
EXPLAIN (COSTS OFF) SELECT n FROM event WHERE n = 19900 AND id ~>=~ timestamptz '2026-01-14 12:00Z';
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT n FROM event WHERE id ~>=~ timestamptz '2026-01-13 12:00Z' AND n = 19900;
RESET enable_seqscan;
RESET enable_bitmapscan;
\echo -- partitions by time, pruned by time
CREATE TABLE parted (id uuid) PARTITION BY RANGE (id uuid_time_ops);
CREATE TABLE parted_old PARTITION OF parted FOR VALUES FROM (MINVALUE) TO ('019b76da-a800-7000-8000-000000000000');
CREATE TABLE parted_new PARTITION OF parted FOR VALUES FROM ('019b76da-a800-7000-8000-000000000000') TO (MAXVALUE);
SELECT uuid_extract_time('019b76da-a800-7000-8000-000000000000');
EXPLAIN (COSTS OFF) SELECT * FROM parted WHERE id ~>=~ timestamptz '2026-01-02Z';
EXPLAIN (COSTS OFF) SELECT * FROM parted WHERE id ~<~ timestamptz '2025-12-30Z';
\echo -- behind a security barrier, because the operators are leakproof
CREATE VIEW barred WITH (security_barrier) AS SELECT * FROM event WHERE n % 2 = 0;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT n FROM barred WHERE id ~>=~ timestamptz '2026-01-14 21:20:00Z';
RESET enable_bitmapscan;
\echo -- rows are estimated by the times in the histogram: 1440 of 20200
SELECT pg_temp.expected('SELECT FROM event WHERE id ~>=~ timestamptz ''2026-01-10Z'' AND id ~<~ timestamptz ''2026-01-11Z''')
       BETWEEN 720 AND 2880;

\echo -- window frames: the same as over the time (or -infinity if there is none), by the calendar of the session time zone
SET TimeZone = 'Europe/Berlin';
CREATE TABLE hourly AS SELECT uuidv7_at('2026-03-27Z'::timestamptz + i * interval '1 hour') AS id FROM generate_series(1, 120) i
    UNION ALL SELECT id FROM sample;
SELECT count(*), count(*) FILTER (WHERE a <> b), count(*) FILTER (WHERE c <> d)
FROM (SELECT count(*) OVER (ORDER BY id USING ~<~ RANGE BETWEEN '1 day' PRECEDING AND '3 hours' FOLLOWING) AS a,
             count(*) OVER (ORDER BY t RANGE BETWEEN '1 day' PRECEDING AND '3 hours' FOLLOWING) AS b,
             count(*) OVER (ORDER BY id USING ~>~ RANGE BETWEEN '1 month' PRECEDING AND '5 minutes' PRECEDING) AS c,
             count(*) OVER (ORDER BY t DESC RANGE BETWEEN '1 month' PRECEDING AND '5 minutes' PRECEDING) AS d
      FROM (SELECT id, coalesce(uuid_extract_time(id), '-infinity') AS t FROM hourly) h) frames;
SET TimeZone = 'UTC';
\echo -- the last hour, including earlier rows of the same instant
SELECT name, count(*) OVER (ORDER BY id USING ~<~ RANGE BETWEEN '1 hour' PRECEDING AND CURRENT ROW) FROM sample ORDER BY id USING ~<~;
\echo -- errors: the same as over a timestamptz
SELECT count(*) OVER (ORDER BY id USING ~<~ RANGE BETWEEN '-1 hour' PRECEDING AND CURRENT ROW) FROM sample;
\echo :LAST_ERROR_SQLSTATE
SELECT count(*) OVER (ORDER BY id USING ~<~ RANGE BETWEEN '290000 years' PRECEDING AND CURRENT ROW) FROM sample;
\echo :LAST_ERROR_SQLSTATE

DROP TABLE sample, skipped, remark, event, mark, parted, hourly CASCADE;

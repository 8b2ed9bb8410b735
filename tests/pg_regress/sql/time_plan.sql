-- Comparisons with a time use the indexes of a uuid column, in cases that neither the table of docs/time-predicates.md nor the
-- server test `differential` covers.
\i tests/pg_regress/common.sql
-- A thousand keys for each day of 2023.
CREATE TABLE event (id uuid PRIMARY KEY, n int);
INSERT INTO event SELECT uuidv7_at(timestamptz '2023-01-01' + n * interval '86.4 s'), n FROM generate_series(0, 364999) n;
VACUUM ANALYZE event;
CREATE TABLE shift (n int, start timestamptz, period tstzrange);
INSERT INTO shift SELECT n, start, tstzrange(start, start + interval '8 hours')
FROM (SELECT n, timestamptz '2023-03-01' + n * interval '1 day' AS start FROM generate_series(1, 5) n) x;
ANALYZE shift;

-- Constants in and out of range.
SELECT pg_temp.plan($$SELECT * FROM event WHERE id > timestamptz '2023-12-31'$$);
SELECT pg_temp.plan($$SELECT * FROM event WHERE id >= 'infinity'::timestamptz$$);
SELECT pg_temp.plan($$SELECT * FROM event WHERE id >= NULL::timestamptz$$);
SELECT pg_temp.plan($$SELECT * FROM event WHERE id < timestamptz '1960-01-01'$$);
-- The range can come from a subquery.
SELECT * FROM (SELECT g FROM generate_series(1, CASE WHEN uuidv7_floor('2023-06-01') <@ (SELECT period FROM shift ORDER BY n LIMIT 1) THEN 3 ELSE 1 END) g) s;
SELECT * FROM (SELECT g FROM generate_series(1, CASE WHEN uuidv7_floor('2023-06-01') <@ (SELECT tstzrange(min(start), max(start), '[]') FROM shift) THEN 3 ELSE 1 END) g) s;
SELECT (SELECT count(CASE WHEN e.id <@ (SELECT tstzrange(min(start), max(start), '[]') FROM shift) THEN e.n END)) > 0 AS outer_aggregate FROM event e;
WITH w AS MATERIALIZED (SELECT tstzrange(min(start), max(start), '[]') AS r FROM shift)
SELECT count(*) > 0 AS in_exists FROM event a WHERE EXISTS (SELECT FROM event b WHERE b.n = a.n AND b.id <@ (SELECT r FROM w)) OR a.n < 0;

-- An index without an order is not used.
CREATE TABLE hashed (id uuid);
CREATE INDEX hashed_id ON hashed USING hash (id);
SET enable_seqscan = off;
SELECT count(*) FILTER (WHERE line ~ 'Index') AS index_scans FROM pg_temp.plan($$SELECT * FROM hashed WHERE id >= timestamptz '2023-12-31'$$) line;
RESET enable_seqscan;
DROP TABLE hashed;
-- A partial index whose predicate is the query's condition, and an index on an expression, are used.
CREATE INDEX event_n ON event (n) WHERE id >= timestamptz '2023-12-01';
SELECT pg_temp.plan($$SELECT n FROM event WHERE n = 360000 AND id >= timestamptz '2023-12-01'$$);
-- The plan is the same after a child of the table has been dropped.
CREATE TABLE child () INHERITS (event);
DROP TABLE child;
SELECT pg_temp.plan($$SELECT n FROM event WHERE n = 360000 AND id >= timestamptz '2023-12-01'$$);
DROP INDEX event_n;
CREATE INDEX event_n ON event (n) WHERE id <@ '[2023-12-01 00:00:00+00,)';
SELECT pg_temp.plan($$SELECT n FROM event WHERE n = 360000 AND id <@ '[2023-12-01 00:00:00+00,)'$$);
SELECT pg_temp.plan($$SELECT n FROM event WHERE n = 360000 AND id <@ tstzrange('2023-12-01', NULL)$$);
DROP INDEX event_n;

-- Conditions inside SQL functions use the index.
CREATE FUNCTION event_since(t timestamptz) RETURNS SETOF event LANGUAGE sql STABLE AS 'SELECT * FROM event WHERE id >= t';
SELECT pg_temp.plan($$SELECT * FROM event_since('2023-12-31')$$);
SELECT pg_temp.plan($$SELECT * FROM event_since(now())$$);
DROP FUNCTION event_since;
-- Conditions in a row-level security policy, and in queries to which one applies, use the index.
CREATE ROLE regress_uuidrfc_reader;
GRANT SELECT ON event, shift TO regress_uuidrfc_reader;
ALTER TABLE event ENABLE ROW LEVEL SECURITY;
CREATE POLICY recent ON event USING (id >= timestamptz '2023-12-31');
SET ROLE regress_uuidrfc_reader;
SELECT pg_temp.plan($$SELECT * FROM event$$);
RESET ROLE;
DROP POLICY recent ON event;
CREATE POLICY even ON event USING (n % 2 = 0);
SET ROLE regress_uuidrfc_reader;
SELECT pg_temp.plan($$SELECT * FROM event WHERE id >= now() - interval '1 day'$$);
-- uuid_extract_time is not leakproof, so a condition on it must be evaluated after the policy and uses no index.
SELECT pg_temp.plan($$SELECT * FROM event WHERE uuid_extract_time(id) >= now() - interval '1 day'$$);
RESET ROLE;
DROP POLICY even ON event;
ALTER TABLE event DISABLE ROW LEVEL SECURITY;
REVOKE ALL ON event, shift FROM regress_uuidrfc_reader;
DROP ROLE regress_uuidrfc_reader;

-- If privileges have been revoked, a plan with the extension's index condition is used only for the role that created it.
CREATE OPERATOR CLASS regress_uuid_ops FOR TYPE uuid USING btree AS OPERATOR 1 <, OPERATOR 2 <=, OPERATOR 3 =, OPERATOR 4 >=, OPERATOR 5 >, FUNCTION 1 uuid_cmp(uuid, uuid);
CREATE TABLE other_order (id uuid);
INSERT INTO other_order SELECT uuidv7_at(timestamptz '2023-01-01' + n * interval '1 day') FROM generate_series(1, 1000) n;
CREATE INDEX ON other_order (id regress_uuid_ops);
ANALYZE other_order;
CREATE ROLE regress_uuidrfc_reader;
GRANT SELECT ON other_order TO regress_uuidrfc_reader;
REVOKE EXECUTE ON FUNCTION uuidv7_lower_bound(timestamptz) FROM PUBLIC;
SET enable_seqscan = off;
SET plan_cache_mode = force_generic_plan;
PREPARE by_condition(timestamptz) AS SELECT count(*) FROM other_order WHERE id < $1;
SELECT count(*) AS index_conditions FROM pg_temp.plan($$EXECUTE by_condition('2023-01-10')$$) line WHERE line ~ 'Index Cond';
EXECUTE by_condition('2023-01-10');
SET ROLE regress_uuidrfc_reader;
EXECUTE by_condition('2023-01-10');
RESET ROLE;
DEALLOCATE by_condition;
RESET plan_cache_mode;
RESET enable_seqscan;
GRANT EXECUTE ON FUNCTION uuidv7_lower_bound(timestamptz) TO PUBLIC;
DROP TABLE other_order;
DROP OPERATOR FAMILY regress_uuid_ops USING btree;
DROP ROLE regress_uuidrfc_reader;

-- The extension may be in any schema, including one that is not in search_path. Other functions of the same name are not called.
CREATE SCHEMA elsewhere;
ALTER EXTENSION uuidrfc SET SCHEMA elsewhere;
CREATE FUNCTION uuid_tstzrange_start(tstzrange) RETURNS timestamptz LANGUAGE sql STABLE RETURN now();
SELECT pg_temp.plan($$SELECT * FROM event WHERE id OPERATOR(elsewhere.>=) now() - interval '1 day'$$);
SELECT pg_temp.plan($$SELECT * FROM event WHERE id OPERATOR(elsewhere.<@) tstzrange(now() - interval '1 day', now())$$);
DROP FUNCTION uuid_tstzrange_start;
ALTER EXTENSION uuidrfc SET SCHEMA public;
DROP SCHEMA elsewhere;
SELECT pg_temp.plan($$SELECT * FROM event WHERE id >= now() - interval '1 day'$$);

-- For tables with an access method other than heap, and for inheritance children, conditions become comparisons of UUIDs.
CREATE ACCESS METHOD regress_uuidrfc_heap TYPE TABLE HANDLER heap_tableam_handler;
CREATE TABLE other (id uuid) USING regress_uuidrfc_heap;
SELECT pg_temp.plan($$SELECT * FROM other WHERE id <@ tstzrange('2023-06-01', '2023-06-02', '(]')$$);
SELECT pg_temp.plan($$SELECT * FROM other WHERE id < now()$$);
SELECT pg_temp.plan($$SELECT * FROM other WHERE id <@ tstzrange(now(), NULL)$$);
SELECT pg_temp.plan($$SELECT * FROM other WHERE id >= timestamptz '-infinity' AND id < timestamptz 'infinity'$$);
DROP TABLE other;
DROP ACCESS METHOD regress_uuidrfc_heap;
-- ON CONFLICT finds its arbiter index by comparing expressions, even for an inheritance child.
CREATE TABLE parent (n int, id uuid);
CREATE TABLE child () INHERITS (parent);
CREATE UNIQUE INDEX ON child (n, (id <@ tstzrange '[2026-01-01,2026-02-01)'));
CREATE UNIQUE INDEX ON child (n) WHERE id <@ tstzrange '[1960-01-01,infinity]';
INSERT INTO child VALUES (1, uuidv7_floor('2026-01-05')) ON CONFLICT (n, (id <@ tstzrange '[2026-01-01,2026-02-01)')) DO NOTHING;
INSERT INTO child VALUES (1, uuidv7_floor('2026-01-06')) ON CONFLICT (n) WHERE id <@ tstzrange '[1960-01-01,infinity]' DO NOTHING;
SELECT count(*) FROM child;
DROP TABLE parent, child;
-- After pg_upgrade, core's operator families lack the extension's members. Conditions on all relations then become comparisons of
-- UUIDs, and the session gets one warning.
SELECT amname, opfname, count(*) FROM pg_amop JOIN pg_opfamily f ON f.oid = amopfamily JOIN pg_am ON pg_am.oid = opfmethod
WHERE opfnamespace = 'pg_catalog'::regnamespace AND 'timestamptz'::regtype IN (amoplefttype, amoprighttype) AND opfname LIKE 'uuid%' GROUP BY 1, 2 ORDER BY 1, 2;
BEGIN;
ALTER OPERATOR FAMILY uuid_ops USING btree DROP
    OPERATOR 1 (uuid, timestamptz), OPERATOR 2 (uuid, timestamptz), OPERATOR 3 (uuid, timestamptz), OPERATOR 4 (uuid, timestamptz), OPERATOR 5 (uuid, timestamptz);
SELECT pg_temp.plan($$SELECT * FROM event WHERE id > timestamptz '2023-12-31'$$);
SELECT pg_temp.plan($$SELECT * FROM event WHERE id <@ tstzrange(now() - interval '1 day', now())$$);
ROLLBACK;
SELECT uuid_ops_add_timestamptz();
SELECT pg_temp.plan($$SELECT * FROM event WHERE id > timestamptz '2023-12-31'$$);
-- Only a superuser may add the members. Other roles may call the function if none is missing.
CREATE ROLE regress_uuidrfc_nobody;
SET ROLE regress_uuidrfc_nobody;
SELECT uuid_ops_add_timestamptz();
RESET ROLE;
BEGIN;
ALTER OPERATOR FAMILY uuid_minmax_ops USING brin DROP
    OPERATOR 1 (uuid, timestamptz), OPERATOR 2 (uuid, timestamptz), OPERATOR 3 (uuid, timestamptz), OPERATOR 4 (uuid, timestamptz), OPERATOR 5 (uuid, timestamptz);
SET ROLE regress_uuidrfc_nobody;
SELECT uuid_ops_add_timestamptz();
\echo :LAST_ERROR_SQLSTATE
ROLLBACK;
DROP ROLE regress_uuidrfc_nobody;
SELECT count(*) AS invalid FROM pg_opclass WHERE opcname IN ('uuid_ops', 'uuid_minmax_ops', 'uuid_minmax_multi_ops') AND NOT amvalidate(oid);

-- For an array of ranges, an index scan covers their span or, for a few constant ranges, only these.
CREATE FUNCTION any_plan(condition text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN SELECT * FROM event WHERE ' || condition LOOP
        CONTINUE WHEN line ~ 'Replaces: ';
        -- The estimated number of rows varies by up to two fifths, because ANALYZE takes a sample.
        line := regexp_replace(line, ' \(cost=.* rows=(1[2-9]|2[0-7])[0-9][0-9] width.*', ' (about 2000)');
        RETURN NEXT regexp_replace(line, ' \(cost=.*', '');
    END LOOP;
END $$;
\set of_constants 'id <@ ANY (''{"[2023-06-01,2023-06-02)","[2023-06-03,2023-06-04)",NULL}''::tstzrange[])'
\set of_stable 'id <@ ANY (ARRAY[tstzrange(now() - interval ''2 days'', now() - interval ''1 day''), NULL])'
SELECT any_plan(:'of_constants');
SELECT any_plan(:'of_stable');
SELECT any_plan('id <@ ANY (''{NULL,empty}''::tstzrange[])');
SELECT EXISTS (SELECT FROM any_plan(format('id <@ ANY (%L::tstzrange[])', array_agg(tstzrange(t, t + interval '1 hour') ORDER BY t))) line
    WHERE line ~ 'Index Cond: ..id >= .2023-06-01 00:00:00.00.* AND .id < .2023-06-06 01:00:00.00') AS span FROM generate_series(timestamptz '2023-06-01', '2023-06-06', '1 hour') t;
SELECT array_agg(uuid_time_span(ranges::tstzrange[])) FROM unnest(ARRAY['{}', '{NULL}', '{empty}', '{"[2023-01-01,2023-01-02]","(2023-01-01,2023-01-02)"}', '{"(2023-01-01,2023-01-02)",empty,"(,2022-01-01]"}', '{"[2023-01-01,)",NULL,"[2024-01-01,infinity]"}']) ranges;
-- In the statement that loads the library, PostgreSQL calls it too late for a better plan, but the rows are the same.
\c -
SELECT count(*) FROM event WHERE id <@ ANY (ARRAY(SELECT period FROM shift)) AND n > 0;
SELECT count(*) FROM event WHERE id <@ ANY (ARRAY(SELECT period FROM shift)) AND n > 0;
DROP FUNCTION any_plan;
DROP TABLE event, shift;

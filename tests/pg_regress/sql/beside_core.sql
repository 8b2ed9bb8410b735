-- The extension's functions and core's functions of the same names, in PostgreSQL 18 and later.
SELECT current_setting('server_version_num')::int < 180000 AS alone, current_database() AS home \gset
\if :alone
\quit
\endif
CREATE DATABASE uuidrfc_beside_core TEMPLATE template0;
\c uuidrfc_beside_core
SET TimeZone = 'UTC';
CREATE SCHEMA ours;
CREATE EXTENSION uuidrfc SCHEMA ours;
SET search_path = public;

-- Functions with the same signature have the same labels, and core's comments are unchanged.
SELECT core.oid::regprocedure AS function, core.prorettype = ours.prorettype AS result,
       (core.provolatile, core.proisstrict, core.proparallel, core.prokind, core.proretset)
         = (ours.provolatile, ours.proisstrict, ours.proparallel, ours.prokind, ours.proretset) AS labels,
       obj_description(core.oid, 'pg_proc') AS core_comment
FROM pg_proc core JOIN pg_proc ours ON ours.proname = core.proname AND ours.proargtypes = core.proargtypes
WHERE core.pronamespace = 'pg_catalog'::regnamespace AND ours.pronamespace = 'ours'::regnamespace
ORDER BY core.oid::regprocedure::text COLLATE "C";

-- An unqualified name means core's function, unless the search path names pg_catalog after the extension's schema.
CREATE FUNCTION meant(search_path text) RETURNS regnamespace LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('search_path', search_path, true);
    RETURN (SELECT pronamespace::regnamespace FROM pg_proc WHERE oid = to_regprocedure('uuidv7()'));
END $$;
SELECT path, meant(path) FROM unnest(ARRAY['public', 'ours', 'ours, public', 'pg_catalog, ours', 'ours, pg_catalog']) path;

-- Core's and the extension's functions of the same names read all values alike.
CREATE TABLE value (id uuid);
INSERT INTO value
SELECT f FROM generate_series(1, 300), unnest(ARRAY[ours.uuidv1(), ours.uuidv4(), ours.uuidv6(), ours.uuidv7(),
    ours.uuidv7(interval '-20 years 123 microseconds'), pg_catalog.uuidv4(), pg_catalog.uuidv7(),
    pg_catalog.uuidv7(interval '8000 years 123 microseconds'), ours.nil_uuid(), ours.max_uuid()]) f;
INSERT INTO value
SELECT format('%s-%s-%s%s-%s-ffffffffffff', high, mid, version, low, variant)::uuid
FROM unnest(ARRAY['00000000', '00000001', '7fffffff', 'ffffffff']) high, unnest(ARRAY['0000', '8000', 'ffff']) mid,
     unnest(ARRAY['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'f']) version, unnest(ARRAY['000', 'fff']) low,
     unnest(ARRAY['0000', '7fff', '8000', 'bfff', 'c000', 'dfff', 'e000', 'ffff']) variant;
SELECT count(*),
       count(*) FILTER (WHERE pg_catalog.uuid_extract_version(id) IS DISTINCT FROM ours.uuid_extract_version(id)) AS other_version,
       count(*) FILTER (WHERE pg_catalog.uuid_extract_timestamp(id) IS DISTINCT FROM ours.uuid_extract_timestamp(id)) AS other_timestamp,
       count(*) FILTER (WHERE pg_catalog.uuid_extract_timestamp(id) IS DISTINCT FROM ours.uuid_extract_time(id)
                          AND ours.uuid_extract_version(id) IS DISTINCT FROM 6) AS other_time,
       count(*) FILTER (WHERE pg_catalog.uuid_extract_timestamp(id) IS NOT NULL
                          AND ours.uuid_extract_version(id) = 6) AS time_of_6_in_core,
       count(*) FILTER (WHERE ours.uuid_extract_time(id) IS NULL AND ours.uuid_extract_version(id) = 6) AS no_time_of_6_in_ours
FROM value;

-- New UUIDs of core and of the extension contain the clock's time to the microsecond and ascend in the order of the calls.
CREATE TABLE minted (n int, kind int, before timestamptz, id uuid, after timestamptz);
DO $$
DECLARE
    before timestamptz;
    minted uuid;
BEGIN
    FOR n IN 1..4000 LOOP
        before := clock_timestamp();
        minted := CASE n % 4 WHEN 0 THEN pg_catalog.uuidv7() WHEN 1 THEN ours.uuidv7()
                             WHEN 2 THEN pg_catalog.uuidv7(interval '0') ELSE ours.uuidv7(interval '0') END;
        INSERT INTO minted VALUES (n, n % 4, before, minted, clock_timestamp());
    END LOOP;
END $$;
SELECT kind, count(*),
       bool_and(ours.uuid_extract_time_us(id) BETWEEN before - interval '1 us' AND after + interval '1 us') AS of_the_call
FROM minted GROUP BY kind ORDER BY kind;
SELECT bool_and(id > previous) AS interleave FROM (SELECT id, lag(id) OVER (ORDER BY n) AS previous FROM minted) m;

-- Core and the extension both shift times by the calendar of the session's time zone.
CREATE TABLE shifted (zone text, shift interval, difference interval);
DO $$
DECLARE
    zone text;
BEGIN
    FOREACH zone IN ARRAY ARRAY['UTC', 'Europe/Paris', 'America/St_Johns', 'Pacific/Apia', 'Australia/Lord_Howe'] LOOP
        PERFORM set_config('TimeZone', zone, true);
        INSERT INTO shifted
        SELECT zone, shift, ours.uuid_extract_time_us(ours.uuidv7(shift)) - ours.uuid_extract_time_us(pg_catalog.uuidv7(shift))
        FROM (SELECT d * interval '1 day' AS shift FROM generate_series(-400, 400) d
              UNION ALL SELECT m * interval '1 month -1 day 3 hours 7 microseconds' FROM generate_series(-600, 600) m
              UNION ALL SELECT y * interval '1 year' FROM generate_series(-50, 8800, 50) y) s;
    END LOOP;
END $$;
SELECT zone, count(*), bool_and(difference BETWEEN interval '-5 s' AND interval '5 s') AS same FROM shifted GROUP BY zone ORDER BY zone;

-- Core and the extension raise the same errors, verbatim, even at the ends of the range.
CREATE FUNCTION outcome(call text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    state text; message text; detail text; hint text; answer text;
BEGIN
    EXECUTE 'SELECT ' || call INTO answer;
    RETURN CASE WHEN answer IS NULL THEN 'null' ELSE 'a UUID' END;
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
    RETURN concat_ws(' | ', state, message, nullif(detail, ''), nullif(hint, ''));
END $$;
SELECT shift, outcome(format('pg_catalog.uuidv7(%s)', shift)) AS core,
       outcome(format('pg_catalog.uuidv7(%s)', shift)) = outcome(format('ours.uuidv7(%s)', shift)) AS same
FROM unnest(ARRAY[
    $$interval '-60 years'$$, $$interval '-5000 years'$$, $$interval '9000 years'$$, $$interval '200000 years'$$,
    $$interval '-178000000 years'$$, $$interval '178000000 years'$$, $$interval '-2147483648 days'$$, $$interval '2147483647 days'$$,
    $$interval 'infinity'$$, $$interval '-infinity'$$, $$NULL$$,
    $$timestamptz '1970-01-01 00:01Z' - clock_timestamp()$$, $$timestamptz '1969-12-31 23:59Z' - clock_timestamp()$$,
    $$timestamptz '10889-08-02 05:31:50.656Z' - clock_timestamp()$$, $$timestamptz '10889-08-02 05:30:50.656Z' - clock_timestamp()$$]) shift;

-- The script of docs/servers.md switches defaults to core's functions and back. In between, no default needs the extension. The
-- script prints statements, and none once these have been run. Functions of other schemas remain, whatever their names.
CREATE SCHEMA yours;
CREATE FUNCTION yours.uuidv7() RETURNS uuid LANGUAGE sql AS 'SELECT pg_catalog.uuidv7()';
CREATE DOMAIN key AS uuid DEFAULT ours.uuidv7();
CREATE TABLE item (id uuid DEFAULT ours.uuidv7(), n int GENERATED ALWAYS AS IDENTITY, other key, another uuid DEFAULT yours.uuidv7(),
                   random uuid DEFAULT ours.uuidv4(), late uuid DEFAULT coalesce(ours.uuidv7(interval '-1 hour'), ours.uuidv4()),
                   version smallint GENERATED ALWAYS AS (uuid_extract_version(id)) STORED, plain int DEFAULT 1);
CREATE TABLE "Part" ("the id" uuid DEFAULT ours.uuidv7(), n int) PARTITION BY RANGE (n);
CREATE TABLE part_1 PARTITION OF "Part" FOR VALUES FROM (0) TO (10);
INSERT INTO item (plain) SELECT generate_series(1, 100);
\setenv PGDATABASE uuidrfc_beside_core
\! psql -XqAt -v to=core -f docs/switch_defaults.sql | psql -Xqa; psql -XqAt -v to=core -f docs/switch_defaults.sql
INSERT INTO item (plain) SELECT generate_series(1, 100);
DROP EXTENSION uuidrfc;
INSERT INTO item (plain) SELECT generate_series(1, 100);
CREATE EXTENSION uuidrfc SCHEMA ours;
ALTER TABLE item ALTER COLUMN late SET DEFAULT coalesce(pg_catalog.uuidv7(interval '-1 hour'), ours.nil_uuid());
\! psql -XqAt -v to=uuidrfc -f docs/switch_defaults.sql | psql -Xqa; psql -XqAt -v to=uuidrfc -f docs/switch_defaults.sql
INSERT INTO item (plain) SELECT generate_series(1, 100);
\set VERBOSITY terse
DROP EXTENSION uuidrfc; -- The defaults need the extension.
\set VERBOSITY default
SELECT count(*), bool_and(id > previous) AS in_order, count(DISTINCT version) AS versions, count(DISTINCT id) AS ids
FROM (SELECT *, lag(id) OVER (ORDER BY n) AS previous FROM item) i;

\c :home
DROP DATABASE uuidrfc_beside_core;

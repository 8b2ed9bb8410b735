-- The statements of docs/coming-from.md about uuid-ossp, pgcrypto and pg_uuidv7. The first two extensions are in the same schema as
-- uuidrfc. The test beside_core covers PostgreSQL's functions.
\i tests/pg_regress/common.sql
SET client_min_messages = warning;
CREATE EXTENSION "uuid-ossp";
CREATE EXTENSION pgcrypto;

-- Returns whether a UUID has the version and the current time or, if not timed, no time.
CREATE FUNCTION pg_temp.is_new(id uuid, version int, timed boolean) RETURNS boolean LANGUAGE sql VOLATILE AS $$
    SELECT uuid_extract_version(id) = version AND uuid_extract_variant(id) = 'rfc9562'
        AND CASE WHEN timed THEN abs(extract(epoch FROM clock_timestamp() - uuid_extract_time(id))) < 60
                 ELSE uuid_extract_time(id) IS NULL END
$$;
CREATE FUNCTION pg_temp.is_multicast(id uuid) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT (uuid_inspect(id) ->> 'node_multicast')::boolean
$$;
CREATE TEMP TABLE name AS
    SELECT repeat(chr(n * 17 + 1), n % 150) AS name FROM generate_series(0, 2999) n
    UNION ALL SELECT unnest(ARRAY['www.example.com', U&'caf\00e9', U&'cafe\0301', U&'\+01F600']);
CREATE TEMP TABLE namespace AS SELECT uuid_namespace(short) AS ns FROM unnest('{dns,url,oid,x500}'::text[]) short
    UNION ALL SELECT nil_uuid() UNION ALL SELECT max_uuid();

\echo -- uuid-ossp
CREATE TEMP TABLE mapped AS
    SELECT 'uuid_nil()' AS theirs, uuid_nil() = nil_uuid() AS holds
    UNION ALL SELECT 'uuid_ns_dns()', uuid_ns_dns() = uuid_namespace('dns')
    UNION ALL SELECT 'uuid_ns_url()', uuid_ns_url() = uuid_namespace('url')
    UNION ALL SELECT 'uuid_ns_oid()', uuid_ns_oid() = uuid_namespace('oid')
    UNION ALL SELECT 'uuid_ns_x500()', uuid_ns_x500() = uuid_namespace('x500')
    UNION ALL SELECT 'uuid_generate_v1()', bool_and(pg_temp.is_new(a, 1, true) AND pg_temp.is_new(b, 1, true))
    FROM (SELECT uuid_generate_v1() AS a, uuidv1() AS b FROM generate_series(1, 100)) s
    UNION ALL SELECT 'uuid_generate_v1mc()',
        bool_and(pg_temp.is_new(a, 1, true) AND pg_temp.is_new(b, 1, true) AND pg_temp.is_multicast(a) AND pg_temp.is_multicast(b))
    FROM (SELECT uuid_generate_v1mc() AS a, uuidv1() AS b FROM generate_series(1, 100)) s
    UNION ALL SELECT 'uuid_generate_v3(namespace uuid, name text)',
        bool_and(uuid_generate_v3(ns, name) = uuid_v3(ns, name)) FROM name, namespace
    UNION ALL SELECT 'uuid_generate_v4()',
        bool_and(pg_temp.is_new(a, 4, false) AND pg_temp.is_new(b, 4, false)) AND count(DISTINCT a) + count(DISTINCT b) = 200
    FROM (SELECT uuid_generate_v4() AS a, uuidv4() AS b FROM generate_series(1, 100)) s
    UNION ALL SELECT 'uuid_generate_v5(namespace uuid, name text)',
        bool_and(uuid_generate_v5(ns, name) = uuid_v5(ns, name)) FROM name, namespace;
SELECT count(*), string_agg(theirs, ' ') FILTER (WHERE holds IS NOT TRUE) AS others FROM mapped;
\echo -- functions of uuid-ossp that are missing above
SELECT p.proname FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid
WHERE d.refclassid = 'pg_extension'::regclass AND d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
  AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuid-ossp')
  AND NOT EXISTS (SELECT FROM mapped WHERE theirs = format('%s(%s)', p.proname, pg_get_function_arguments(p.oid)));
\echo -- labels: the same as in uuid-ossp
SELECT bool_and(t.provolatile = o.provolatile AND t.proisstrict = o.proisstrict AND t.proparallel = o.proparallel
                AND t.prorettype = o.prorettype)
FROM (VALUES ('uuid_nil()', 'nil_uuid()'), ('uuid_generate_v1()', 'uuidv1()'), ('uuid_generate_v1mc()', 'uuidv1()'),
             ('uuid_generate_v3(uuid, text)', 'uuid_v3(uuid, text)'), ('uuid_generate_v4()', 'uuidv4()'),
             ('uuid_generate_v5(uuid, text)', 'uuid_v5(uuid, text)')) pair (theirs, ours)
JOIN pg_proc t ON t.oid = ('public.' || theirs)::regprocedure JOIN pg_proc o ON o.oid = ('public.' || ours)::regprocedure;

\echo -- pgcrypto and core: gen_random_uuid()
SELECT bool_and(pg_temp.is_new(a, 4, false) AND pg_temp.is_new(b, 4, false) AND pg_temp.is_new(c, 4, false))
    AND count(DISTINCT a) + count(DISTINCT b) + count(DISTINCT c) = 300
FROM (SELECT public.gen_random_uuid() AS a, pg_catalog.gen_random_uuid() AS b, uuidv4() AS c FROM generate_series(1, 100)) s;

\echo -- pg_uuidv7: the values of its README
SELECT uuid_extract_time('018570bb-4a7d-7c7e-8df4-6d47afd8c8fc') AT TIME ZONE 'UTC' = timestamp '2023-01-02 04:26:40.637',
       left(uuidv7_at('2023-01-02 04:26:40.637+00')::text, 18) = '018570bb-4a7d-7000',
       left(uuidv7_at(timestamp '2023-01-02 04:26:40.637' AT TIME ZONE 'UTC')::text, 18) = '018570bb-4a7d-7000',
       uuidv7_floor(timestamp '2023-01-02 04:26:40.637' AT TIME ZONE 'UTC') = '018570bb-4a7d-7000-8000-000000000000';

\echo -- the same names in another encoding: uuid-ossp hashes what the database stores
SELECT current_database() AS regress \gset
DROP DATABASE IF EXISTS uuidrfc_coming_from;
CREATE DATABASE uuidrfc_coming_from ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C';
\c uuidrfc_coming_from
SET client_min_messages = warning;
CREATE EXTENSION "uuid-ossp";
CREATE EXTENSION uuidrfc;
SELECT bool_and(uuid_generate_v5(nil_uuid(), name) = uuid_v5(nil_uuid(), name)) AS ascii_same
FROM generate_series(1, 127) code, chr(code) name;
SELECT bool_or(uuid_generate_v5(nil_uuid(), name) = uuid_v5(nil_uuid(), name)) AS others_same,
       bool_and(uuid_generate_v5(nil_uuid(), name) = uuid_v5(nil_uuid(), convert_to(name, 'LATIN1'))
                AND uuid_generate_v3(nil_uuid(), name) = uuid_v3(nil_uuid(), convert_to(name, 'LATIN1'))) AS bytes_same
FROM generate_series(161, 255) code, chr(code) name;
\c :regress
DROP DATABASE uuidrfc_coming_from;

DROP EXTENSION "uuid-ossp";

\echo -- the names of pg_uuidv7, for code that uses them
CREATE SCHEMA keep;
SET search_path = keep, public;
CREATE FUNCTION uuid_generate_v7() RETURNS uuid VOLATILE PARALLEL SAFE LANGUAGE sql AS 'SELECT public.uuidv7()';
CREATE FUNCTION uuid_v7_to_timestamptz(uuid) RETURNS timestamptz IMMUTABLE PARALLEL SAFE LANGUAGE sql
    AS 'SELECT public.uuid_extract_time($1)';
CREATE FUNCTION uuid_timestamptz_to_v7(timestamptz, zero bool DEFAULT false) RETURNS uuid VOLATILE PARALLEL SAFE LANGUAGE sql
    AS 'SELECT CASE WHEN zero THEN public.uuidv7_floor($1) ELSE public.uuidv7_at($1) END';
SELECT uuid_extract_version(uuid_generate_v7()) = 7,
       uuid_v7_to_timestamptz('018570bb-4a7d-7c7e-8df4-6d47afd8c8fc') = '2023-01-02 04:26:40.637+00',
       uuid_timestamptz_to_v7('2023-01-02 04:26:40.637+00', true) = '018570bb-4a7d-7000-8000-000000000000',
       uuid_timestamptz_to_v7('2023-01-02 04:26:40.637+00') > '018570bb-4a7d-7000-8000-000000000000';
CREATE TABLE since (id uuid PRIMARY KEY);
SET enable_seqscan = off;
SET enable_bitmapscan = off;
EXPLAIN (COSTS OFF) SELECT * FROM since WHERE id >= uuid_timestamptz_to_v7(now() - interval '1 day', true);
RESET enable_seqscan;
RESET enable_bitmapscan;
RESET search_path;
SET client_min_messages = warning;
DROP SCHEMA keep CASCADE;
DROP EXTENSION pgcrypto;

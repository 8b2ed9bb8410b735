-- Prints the contents and behavior of the database of populated.sql, which are the same with either edition and on every server.
\pset format unaligned
\pset tuples_only on
\set ON_ERROR_STOP on
SET search_path = pg_catalog;
SET TimeZone = 'UTC';
SET enable_seqscan = off;
SET enable_bitmapscan = off;
SET max_parallel_workers_per_gather = 0;
\echo -- rows: relation | number | hash
SELECT format('SELECT %L, count(*), md5(string_agg(t::text, %L ORDER BY t::text COLLATE "C")) FROM %s t', oid::regclass, E'\n', oid::regclass)
FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm') AND relnamespace = 'public'::regnamespace ORDER BY relname \gexec
\echo -- expressions
SELECT adrelid::regclass, adnum, pg_get_expr(adbin, adrelid) FROM pg_attrdef ORDER BY adrelid::regclass::text COLLATE "C", adnum;
SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE relnamespace = 'public'::regnamespace ORDER BY relname;
SELECT coalesce(conrelid::regclass::text, ''), conname, pg_get_constraintdef(oid) FROM pg_constraint WHERE contype <> 'n' AND connamespace IN ('public'::regnamespace, 'ids'::regnamespace) ORDER BY 1, 2;
SELECT viewname, definition FROM pg_views WHERE schemaname = 'public' ORDER BY 1;
SELECT oid::regclass, pg_get_partkeydef(oid), pg_get_expr(relpartbound, oid) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND (relkind = 'p' OR relispartition) ORDER BY relname;
SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal;
SELECT pg_get_expr(polqual, polrelid) FROM pg_policy;
SELECT typname, pg_get_expr(typdefaultbin, 0) FROM pg_type WHERE typtype = 'd' AND typdefaultbin IS NOT NULL ORDER BY 1;
SELECT pg_get_functiondef('public.fresh()'::regprocedure);
\echo -- the indexes that queries use
CREATE FUNCTION pg_temp.plan(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    line text;
BEGIN
    EXECUTE 'EXPLAIN (COSTS OFF) ' || query INTO line;
    RETURN line;
END $$;
SELECT pg_temp.plan($$SELECT n FROM public.event WHERE id OPERATOR(ids.>=) timestamptz '2026-01-15' AND id OPERATOR(ids.<) timestamptz '2026-01-16'$$);
SELECT pg_temp.plan($$SELECT n FROM public.event WHERE id OPERATOR(ids.<@) tstzrange('2026-01-15', '2026-01-16')$$);
SELECT pg_temp.plan($$SELECT n FROM public.event WHERE id OPERATOR(ids.<) '2026-01-15 00:00:00+00'::timestamptz AND n < 10$$);
SELECT pg_temp.plan($$SELECT n FROM public.event WHERE ids.uuid_extract_time(id) = '2026-01-15'$$);
SELECT n FROM public.event WHERE ids.typeid_encode('event', id) = (SELECT ids.typeid_encode('event', id) FROM public.event WHERE n = 500);
\echo -- new rows, and checked indexes
BEGIN;
INSERT INTO public.event (n) VALUES (1000);
SELECT ids.uuid_extract_version(id), abs(extract(epoch FROM made - clock_timestamp())) < 60, cardinality(more), id = (SELECT last FROM public.ends) FROM public.event WHERE n = 1000;
INSERT INTO public.visit (event, n) SELECT id, n FROM public.event WHERE n = 1000;
SELECT ids.uuid_extract_version(id), tableoid::regclass FROM public.visit WHERE n = 1000;
SELECT abs(extract(epoch FROM ids.uuid_extract_time(public.fresh()) - now() + interval '1 hour')) < 1;
SET LOCAL client_min_messages = warning;
CREATE EXTENSION amcheck SCHEMA public;
SELECT c.oid::regclass, public.bt_index_parent_check(c.oid, true) FROM pg_class c WHERE relkind = 'i' AND relnamespace = 'public'::regnamespace ORDER BY relname;
ROLLBACK;

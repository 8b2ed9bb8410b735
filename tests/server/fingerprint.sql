-- Prints the contents and behavior of a database that uses the extension, which depend on its rows, but not on the server.
-- The script needs amcheck, and the extension's schema in the variable `ids`.
-- Names are printed with their schemas, except those of pg_catalog.
SET search_path = pg_catalog;
SET TimeZone = 'UTC';
SET DateStyle = 'ISO';
SET max_parallel_workers_per_gather = 0;
SET enable_seqscan = off;
SET enable_bitmapscan = off;

\echo -- rows: relation | number | hash
SELECT format('SELECT %L, count(*), md5(string_agg(t::text, %L ORDER BY t::text COLLATE "C")) FROM %s t', oid::regclass, E'\n', oid::regclass)
FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm') AND relnamespace = 'public'::regnamespace
ORDER BY relname \gexec

\echo -- orders of keys: column | by bytes | by time
SELECT format($$
    SELECT %1$L, md5(string_agg(id::text, ' ' ORDER BY id)),
           md5(string_agg(id::text, ' ' ORDER BY id USING OPERATOR(%2$I.~<~)))
    FROM (SELECT %3$I AS id FROM %4$s) keys$$,
    attrelid::regclass || '.' || attname, :'ids', attname, attrelid::regclass)
FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
WHERE relkind IN ('r', 'p') AND relnamespace = 'public'::regnamespace AND attnum > 0 AND NOT attisdropped
  AND (SELECT coalesce(nullif(typbasetype, 0), oid) FROM pg_type WHERE oid = atttypid) = 'uuid'::regtype
ORDER BY attrelid::regclass::text COLLATE "C", attnum \gexec
SELECT 'by the index', md5(string_agg(id::text, ' ')) FROM (SELECT id FROM public.old ORDER BY id USING OPERATOR(:"ids".~<~)) keys;
SELECT 'by the view', md5(string_agg(n::text, ' ')) FROM public.in_time;
SET search_path = public;
SELECT 'newest', newest();
SET search_path = pg_catalog;

\echo -- defaults and generated columns: column | expression
SELECT adrelid::regclass, attname, pg_get_expr(adbin, adrelid)
FROM pg_attrdef JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum
ORDER BY adrelid::regclass::text COLLATE "C", adnum;
SELECT t.oid::regtype, pg_get_expr(typdefaultbin, 0) FROM pg_type t WHERE typtype = 'd' AND typnamespace = 'public'::regnamespace
  AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_type'::regclass AND d.objid = t.oid AND d.deptype = 'e') ORDER BY 1;

-- PostgreSQL records no dependencies on its own functions, because they are pinned.
\echo -- dependencies on the extension: object | needed object
SELECT DISTINCT pg_describe_object(d.classid, d.objid, d.objsubid) COLLATE "C" AS object,
       pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid) COLLATE "C" AS needs
FROM pg_depend d JOIN pg_depend member ON (member.classid, member.objid) = (d.refclassid, d.refobjid)
JOIN pg_extension e ON member.refclassid = 'pg_extension'::regclass AND member.refobjid = e.oid
WHERE e.extname = 'uuidrfc' AND member.deptype = 'e' AND d.deptype = 'n'
  AND pg_describe_object(d.refclassid, d.refobjid, d.refobjsubid) NOT LIKE 'type %.uuid_tstzrange'
  -- Only dependencies of users' objects are listed: the domain's own check calls core's uuid_extract_version if the extension was
  -- created on PostgreSQL 18, and the extension's function if it was created on an earlier version.
  AND NOT EXISTS (SELECT FROM pg_depend own WHERE (own.classid, own.objid) = (d.classid, d.objid) AND own.deptype IN ('e', 'i')
                  AND own.refclassid IN ('pg_extension'::regclass, 'pg_opclass'::regclass, 'pg_opfamily'::regclass))
  AND d.objid NOT IN (SELECT oid FROM pg_constraint WHERE conname = 'uuid_v7_check')
ORDER BY 1, 2;

-- Definitions of views are left out, because PostgreSQL 16 and later print them differently.
\echo -- definitions
SELECT pg_get_indexdef(i.indexrelid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
WHERE relnamespace = 'public'::regnamespace ORDER BY relname;
-- Since PostgreSQL 18, NOT NULL is a constraint.
SELECT conrelid::regclass, conname, pg_get_constraintdef(oid) FROM pg_constraint
WHERE connamespace = 'public'::regnamespace AND contype <> 'n' AND conname <> 'uuid_v7_check'
ORDER BY conrelid::regclass::text COLLATE "C", conname;
SELECT oid::regclass, pg_get_partkeydef(oid) FROM pg_class
WHERE relkind = 'p' AND relnamespace = 'public'::regnamespace ORDER BY relname;
SELECT oid::regclass, pg_get_expr(relpartbound, oid) FROM pg_class
WHERE relispartition AND relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY relname;
SELECT pg_get_statisticsobjdef(oid) FROM pg_statistic_ext ORDER BY stxname;
SELECT pg_get_functiondef(p.oid) FROM pg_proc p
WHERE pronamespace = 'public'::regnamespace AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
ORDER BY proname;

-- bt_index_parent_check raises an error for an index that is out of order or lacks a row.
\echo -- checked indexes
SELECT c.oid::regclass, public.bt_index_parent_check(c.oid, true) FROM pg_class c
WHERE relkind = 'i' AND relnamespace = 'public'::regnamespace ORDER BY relname;

\echo -- plans
EXPLAIN (COSTS OFF) SELECT id FROM public.old ORDER BY id USING OPERATOR(:"ids".~<~) LIMIT 10;
EXPLAIN (COSTS OFF) SELECT id FROM public.old WHERE id OPERATOR(:"ids".~>=~) timestamptz '2026-01-01';
EXPLAIN (COSTS OFF) SELECT id FROM public.old WHERE id OPERATOR(:"ids".~<~) '20d3de00-ae64-11e6-8000-000000000000';
EXPLAIN (COSTS OFF) SELECT n FROM public.events WHERE id OPERATOR(:"ids".<) timestamptz '2026-01-01';
EXPLAIN (COSTS OFF) SELECT n FROM public.events WHERE id OPERATOR(:"ids".<@) tstzrange('2026-01-01', '2026-02-01');
EXPLAIN (COSTS OFF) SELECT n FROM public.events WHERE id OPERATOR(:"ids".<) timestamptz '2023-02-01' AND n < 10;
EXPLAIN (COSTS OFF) SELECT n FROM public.visits WHERE id OPERATOR(:"ids".<) timestamptz '2023-01-15';
EXPLAIN (COSTS OFF) SELECT n FROM public.parts_in_time WHERE id OPERATOR(:"ids".~<~) timestamptz '2016-01-01';
SELECT count(*) FROM public.visits WHERE id OPERATOR(:"ids".<) timestamptz '2023-01-15';
SELECT count(*) FROM public.old WHERE id OPERATOR(:"ids".~>=~) timestamptz '2020-01-01';

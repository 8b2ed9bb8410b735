-- Every object of the extension with its properties in the catalogs, the same after an update as after CREATE EXTENSION.
CREATE EXTENSION IF NOT EXISTS uuidrfc;
\pset format unaligned
\pset tuples_only on
\echo -- functions: signature | result | kind volatility strictness parallel leakproof | comment
SELECT format('%s(%s) | %s | %s %s %s %s %s | %s',
              p.proname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid),
              CASE p.prokind WHEN 'f' THEN 'function' WHEN 'a' THEN 'aggregate' ELSE p.prokind::text END,
              CASE p.provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' ELSE 'volatile' END,
              CASE WHEN p.proisstrict THEN 'strict' ELSE 'called-on-null' END,
              CASE p.proparallel WHEN 's' THEN 'safe' WHEN 'r' THEN 'restricted' ELSE 'unsafe' END,
              CASE WHEN p.proleakproof THEN 'leakproof' ELSE 'leaky' END,
              CASE WHEN obj_description(p.oid, 'pg_proc') IS NULL THEN 'NO COMMENT' ELSE 'commented' END)
FROM pg_depend d JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
  AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidrfc')
ORDER BY p.proname COLLATE "C", pg_get_function_arguments(p.oid) COLLATE "C";
\echo -- operators: left operator right | result | function | commutator negator | comment
SELECT format('%s %s %s | %s | %s | %s %s | %s',
              o.oprleft::regtype, o.oprname, o.oprright::regtype, o.oprresult::regtype, p.proname,
              coalesce((SELECT oprname FROM pg_operator WHERE oid = o.oprcom), '-'),
              coalesce((SELECT oprname FROM pg_operator WHERE oid = o.oprnegate), '-'),
              CASE WHEN obj_description(o.oid, 'pg_operator') IS NULL THEN 'NO COMMENT' ELSE 'commented' END)
FROM pg_depend d JOIN pg_operator o ON d.classid = 'pg_operator'::regclass AND d.objid = o.oid
JOIN pg_proc p ON p.oid = o.oprcode
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
  AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidrfc')
ORDER BY o.oprname COLLATE "C", o.oprleft::regtype::text COLLATE "C", o.oprright::regtype::text COLLATE "C";
\echo -- members of operator families
SELECT pg_describe_object(classid, member.oid, 0) FROM (
    SELECT 'pg_amop'::regclass AS classid, oid, amopfamily AS family, amoplefttype AS l, amoprighttype AS r FROM pg_amop
    UNION ALL SELECT 'pg_amproc'::regclass, oid, amprocfamily, amproclefttype, amprocrighttype FROM pg_amproc) member
JOIN pg_opfamily f ON f.oid = family
WHERE opfname = 'uuid_time_ops' OR opfname ~ '^uuid_' AND 'timestamptz'::regtype IN (l, r)
ORDER BY pg_describe_object(classid, member.oid, 0) COLLATE "C";
\echo -- everything else
SELECT pg_describe_object(d.classid, d.objid, d.objsubid)
FROM pg_depend d
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
  AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidrfc')
  AND d.classid NOT IN ('pg_proc'::regclass, 'pg_operator'::regclass)
  -- Only later PostgreSQL versions list array types and row types.
  AND NOT (d.classid = 'pg_type'::regclass AND d.objid IN (SELECT typarray FROM pg_type UNION SELECT reltype FROM pg_class))
ORDER BY pg_describe_object(d.classid, d.objid, d.objsubid) COLLATE "C";

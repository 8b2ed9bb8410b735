-- Prints the objects of either edition in the schema ids with their definitions, and its members of core's operator families
-- for uuid. Owners are omitted.
\pset format unaligned
\pset tuples_only on
SET search_path = pg_catalog;
SELECT extname, extnamespace::regnamespace, extversion, (SELECT count(*) FROM pg_depend WHERE refclassid = 'pg_extension'::regclass AND refobjid = e.oid AND deptype = 'e')
FROM pg_extension e WHERE extname = 'uuidrfc';
SELECT o.identity, obj_description(objid, classid::regclass::name), deptype,
       concat_ws(' / ', CASE WHEN prokind = 'f' THEN pg_get_functiondef(p.oid) END, prosupport, aggtransfn, aggcombinefn, aggsortop::regoperator,
                 oprcode, oprcom::regoperator, oprnegate::regoperator, oprrest, oprjoin,
                 CASE WHEN typtype = 'd' THEN typbasetype::regtype::text || (SELECT coalesce(string_agg(pg_get_constraintdef(c.oid) || obj_description(c.oid, 'pg_constraint'), ''), '') FROM pg_constraint c WHERE contypid = t.oid) END)
FROM (SELECT 'pg_proc'::regclass AS classid, oid AS objid FROM pg_proc WHERE pronamespace = 'ids'::regnamespace
      UNION ALL SELECT 'pg_operator', oid FROM pg_operator WHERE oprnamespace = 'ids'::regnamespace
      UNION ALL SELECT 'pg_opclass', oid FROM pg_opclass WHERE opcnamespace = 'ids'::regnamespace
      UNION ALL SELECT 'pg_opfamily', oid FROM pg_opfamily WHERE opfnamespace = 'ids'::regnamespace
      UNION ALL SELECT 'pg_type', oid FROM pg_type WHERE typnamespace = 'ids'::regnamespace AND typtype = 'd') AS found
CROSS JOIN pg_identify_object(classid, objid, 0) o
LEFT JOIN (SELECT classid, objid, deptype FROM pg_depend WHERE deptype = 'e') AS member USING (classid, objid)
LEFT JOIN pg_proc p ON classid = 'pg_proc'::regclass AND p.oid = objid
LEFT JOIN pg_aggregate a ON a.aggfnoid = p.oid
LEFT JOIN pg_operator r ON classid = 'pg_operator'::regclass AND r.oid = objid
LEFT JOIN pg_type t ON classid = 'pg_type'::regclass AND t.oid = objid
ORDER BY o.identity COLLATE "C", o.type;
SELECT * FROM (SELECT pg_describe_object('pg_amop'::regclass, o.oid, 0) COLLATE "C" AS member FROM pg_amop o JOIN pg_opfamily f ON f.oid = amopfamily WHERE opfname LIKE 'uuid%'
               UNION ALL SELECT pg_describe_object('pg_amproc'::regclass, o.oid, 0) FROM pg_amproc o JOIN pg_opfamily f ON f.oid = amprocfamily WHERE opfname LIKE 'uuid%') AS members
ORDER BY member;
SELECT nspname FROM pg_namespace WHERE nspname LIKE 'uuidrfc%';

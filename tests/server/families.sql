-- Prints the members of the extension's operator families, which the SQL test `surface` does not print.
SELECT 'function', opfname, amprocnum, amproclefttype::regtype, amprocrighttype::regtype, amproc::regprocedure
FROM pg_amproc JOIN pg_opfamily f ON f.oid = amprocfamily
WHERE f.oid IN (SELECT objid FROM pg_depend WHERE classid = 'pg_opfamily'::regclass AND deptype = 'e')
ORDER BY opfname, amprocnum, amproclefttype::regtype::text COLLATE "C", amprocrighttype::regtype::text COLLATE "C";
SELECT 'operator', opfname, amopstrategy, amopopr::regoperator, amoppurpose
FROM pg_amop JOIN pg_opfamily f ON f.oid = amopfamily
WHERE f.oid IN (SELECT objid FROM pg_depend WHERE classid = 'pg_opfamily'::regclass AND deptype = 'e')
ORDER BY opfname, amopstrategy, amopopr::regoperator::text COLLATE "C";

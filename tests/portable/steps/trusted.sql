-- The pure-SQL edition as an extension, as created by pg_tle, with the functions of pg_tle that to_extension.sql calls, and a view
-- of a function that only the extension has. Since PostgreSQL 17, the array type of an extension's type is a member of the
-- extension, and is removed from it together with the type. This script imitates that on all versions. The domain's check is that
-- of a dump from a server before 17, without uuid_extract_version.
CREATE SCHEMA pgtle;
CREATE FUNCTION pgtle.uninstall_extension(text) RETURNS void LANGUAGE sql BEGIN ATOMIC END;
CREATE SCHEMA ids;
CREATE EXTENSION uuidrfc_tle SCHEMA ids;
CREATE VIEW public.inspected AS SELECT ids.uuid_inspect(ids.nil_uuid()) ->> 'variant';
ALTER DOMAIN ids.uuid_v7 DROP CONSTRAINT uuid_v7_check;
ALTER DOMAIN ids.uuid_v7 ADD CONSTRAINT uuid_v7_check CHECK (ids.uuid_extract_version(VALUE) = 7);
INSERT INTO pg_depend (classid, objid, objsubid, refclassid, refobjid, refobjsubid, deptype)
SELECT d.classid, typarray, 0, d.refclassid, d.refobjid, 0, 'e' FROM pg_depend d JOIN pg_type t ON t.oid = d.objid
WHERE d.classid = 'pg_type'::regclass AND d.deptype = 'e' AND typarray <> 0
  AND NOT EXISTS (SELECT FROM pg_depend a WHERE a.classid = d.classid AND a.objid = typarray AND a.deptype = 'e');
CREATE FUNCTION public.arrays_leave() RETURNS event_trigger LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM pg_catalog.pg_depend a USING pg_catalog.pg_type t
    WHERE a.classid = 'pg_catalog.pg_type'::pg_catalog.regclass AND a.objid = t.typarray AND a.deptype = 'e'
      AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = a.classid AND d.objid = t.oid AND d.deptype = 'e');
END $$;
CREATE EVENT TRIGGER arrays_leave ON ddl_command_end WHEN TAG IN ('ALTER EXTENSION') EXECUTE FUNCTION public.arrays_leave();

-- The step down: the portable edition takes over the objects of the extension in C, which is dropped. What uses them stays: defaults,
-- views, indexes, constraints, functions. As superuser, in a database that has the extension, beside uuidrfc.sql:
--
--     psql -1 -v ON_ERROR_STOP=1 -f to_portable.sql
--
-- An object that both editions have keeps its OID and its owner; its body becomes the portable edition's. The objects that only the
-- extension has are dropped; if something uses one, such as an index of uuid_time_ops, nothing is changed.
\set ON_ERROR_STOP on
-- An error, unless this is a transaction.
SAVEPOINT uuidrfc_step;
CREATE SCHEMA uuidrfc_step;
SET LOCAL search_path = uuidrfc_step;
\ir uuidrfc.sql
DO $step$
DECLARE
    ids constant text = (SELECT pg_catalog.quote_ident(nspname) FROM pg_catalog.pg_extension JOIN pg_catalog.pg_namespace n ON n.oid = extnamespace WHERE extname = 'uuidrfc');
    step constant text = 'uuidrfc_step';
    one record;
BEGIN
    IF ids IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE = 'extension "uuidrfc" does not exist';
    END IF;
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);

    -- What the portable edition has, in the order in which it was created, and whether the extension has it, too.
    CREATE TEMPORARY TABLE uuidrfc_object ON COMMIT DROP AS
    WITH present AS MATERIALIZED (
        SELECT d.classid, o.identity FROM pg_extension e, pg_depend d, pg_identify_object(d.classid, d.objid, 0) o
        WHERE extname = 'uuidrfc' AND d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e')
    SELECT found.objid, o.type, o.identity, replace(o.identity, step || '.', ids || '.') AS target, p.oid IS NOT NULL AND prokind = 'f' AS is_function,
           (found.classid, replace(o.identity, step || '.', ids || '.')) IN (SELECT classid, identity FROM present) AS shared,
           CASE WHEN prokind = 'f' THEN pg_get_functiondef(p.oid) END AS definition,
           obj_description(found.objid, found.classid::regclass::name) AS comment, oprrest, oprjoin, oprcode
    FROM (SELECT 'pg_proc'::regclass AS classid, oid AS objid FROM pg_proc WHERE pronamespace = step::regnamespace
          UNION ALL SELECT 'pg_operator', oid FROM pg_operator WHERE oprnamespace = step::regnamespace
          UNION ALL SELECT 'pg_type', oid FROM pg_type WHERE typnamespace = step::regnamespace AND typtype = 'd') AS found
    CROSS JOIN pg_identify_object(found.classid, found.objid, 0) o
    LEFT JOIN pg_proc p ON found.classid = 'pg_proc'::regclass AND p.oid = found.objid
    LEFT JOIN pg_operator r ON found.classid = 'pg_operator'::regclass AND r.oid = found.objid;

    -- Core's operator families lose what the extension added to them.
    FOR one IN SELECT format('ALTER OPERATOR FAMILY pg_catalog.%I USING %I DROP %s %s (%s, %s)', opfname, amname, kind, number, lefttype::regtype, righttype::regtype) AS statement
               FROM (SELECT amopfamily AS family, 'OPERATOR' AS kind, amopstrategy AS number, amoplefttype AS lefttype, amoprighttype AS righttype FROM pg_amop
                     UNION ALL SELECT amprocfamily, 'FUNCTION', amprocnum, amproclefttype, amprocrighttype FROM pg_amproc) AS members
               JOIN pg_opfamily f ON f.oid = family JOIN pg_am a ON a.oid = opfmethod
               WHERE opfnamespace = 'pg_catalog'::regnamespace AND opfname IN ('uuid_ops', 'uuid_minmax_ops', 'uuid_minmax_multi_ops')
                 AND 'timestamptz'::regtype IN (lefttype, righttype)
    LOOP
        EXECUTE one.statement;
    END LOOP;
    FOR one IN SELECT * FROM uuidrfc_object ORDER BY objid LOOP
        IF one.shared THEN
            EXECUTE format('ALTER EXTENSION uuidrfc DROP %s %s', one.type, one.target);
        END IF;
        IF one.is_function THEN
            EXECUTE replace(one.definition, step || '.', ids || '.');
        ELSIF one.oprcode IS NOT NULL THEN
            EXECUTE format('ALTER OPERATOR %s SET (RESTRICT = %s, JOIN = %s)', one.target, one.oprrest, one.oprjoin);
        END IF;
        EXECUTE format('COMMENT ON %s %s IS %L', one.type, one.target, one.comment);
    END LOOP;
    DROP EXTENSION uuidrfc;
    SET LOCAL client_min_messages = warning;
    EXECUTE format('DROP SCHEMA %s CASCADE', step);
END $step$;

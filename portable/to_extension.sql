-- Converts a database from the pure-SQL edition to the extension, as docs/portable.md describes. Run this script as superuser, on a
-- server where the extension is installed:
--
--     psql -1 -v ON_ERROR_STOP=1 -c 'SET search_path = myschema' -f to_extension.sql
DO $step$
DECLARE
    -- The schema of the pure-SQL edition, and a temporary schema for the extension.
    ids constant text = (SELECT pg_catalog.quote_ident(nspname) FROM pg_catalog.pg_namespace n JOIN pg_catalog.pg_proc p ON p.pronamespace = n.oid
                         WHERE p.oid = pg_catalog.to_regprocedure('uuidrfc_raise(text, text, text, text, text)'));
    step constant text = 'uuidrfc_step';
    mine constant text = pg_catalog.quote_ident(CURRENT_USER);
    -- The extension, if pg_tle installed the edition as one.
    tle constant text = (SELECT extname FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_depend d ON d.refobjid = e.oid
                         WHERE d.deptype = 'e' AND d.objid = pg_catalog.to_regprocedure('uuidrfc_raise(text, text, text, text, text)'));
    one record;
BEGIN
    IF ids IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE = 'search_path does not lead to the pure-SQL edition of uuidrfc';
    END IF;
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);

    -- The objects of a trusted language extension remain without it. From PostgreSQL 17 on, array types are members as well, and
    -- are removed from the extension with their element types.
    IF tle IS NOT NULL THEN
        FOR one IN SELECT o.type, o.identity FROM pg_extension e, pg_depend d, pg_identify_object(d.classid, d.objid, 0) o
                   WHERE extname = tle AND d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
                     AND NOT EXISTS (SELECT FROM pg_type WHERE d.classid = 'pg_type'::regclass AND typarray = d.objid)
        LOOP
            EXECUTE format('ALTER EXTENSION %I DROP %s %s', tle, one.type, one.identity);
        END LOOP;
        EXECUTE format('DROP EXTENSION %I', tle);
        EXECUTE format('SELECT pgtle.uninstall_extension(%L)', tle);
    END IF;

    EXECUTE format('CREATE SCHEMA %s', step);
    EXECUTE format('CREATE EXTENSION uuidrfc SCHEMA %s', step);

    -- The objects of the extension, in the order of creation, and whether the pure-SQL edition also has them. Definitions qualify
    -- all names, because search_path contains only pg_catalog.
    CREATE TEMPORARY TABLE uuidrfc_object ON COMMIT DROP AS
    WITH present AS MATERIALIZED (
        SELECT classid, o.identity
        FROM (SELECT 'pg_proc'::regclass AS classid, oid AS objid FROM pg_proc WHERE pronamespace = ids::regnamespace
              UNION ALL SELECT 'pg_operator', oid FROM pg_operator WHERE oprnamespace = ids::regnamespace
              UNION ALL SELECT 'pg_type', oid FROM pg_type WHERE typnamespace = ids::regnamespace AND typtype = 'd') AS found
        CROSS JOIN pg_identify_object(classid, objid, 0) o)
    SELECT d.objid, o.type, o.identity, replace(o.identity, step || '.', ids || '.') AS target, p.oid IS NOT NULL AND prokind = 'f' AS is_function,
           (d.classid, replace(o.identity, step || '.', ids || '.')) IN (SELECT classid, identity FROM present) AS shared,
           CASE WHEN prokind = 'f' THEN pg_get_functiondef(p.oid) END AS definition, lanname AS language, quote_ident(CASE WHEN d.classid = 'pg_type'::regclass THEN typname ELSE proname END) AS name,
           obj_description(d.objid, d.classid::regclass::name) AS comment, oprrest, oprjoin,
           coalesce(oprcode, aggtransfn)::regprocedure::text AS calls, conname, pg_get_constraintdef(c.oid) AS condition, obj_description(c.oid, 'pg_constraint') AS condition_comment
    FROM pg_extension e JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e'
    CROSS JOIN pg_identify_object(d.classid, d.objid, 0) o
    LEFT JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
    LEFT JOIN pg_language l ON l.oid = prolang
    LEFT JOIN pg_aggregate a ON a.aggfnoid = p.oid
    LEFT JOIN pg_operator r ON d.classid = 'pg_operator'::regclass AND r.oid = d.objid
    LEFT JOIN pg_type t ON d.classid = 'pg_type'::regclass AND t.oid = d.objid
    LEFT JOIN pg_constraint c ON d.classid = 'pg_type'::regclass AND contypid = t.oid
    WHERE extname = 'uuidrfc';

    -- Members of core's operator families are added again at the end.
    FOR one IN SELECT format('ALTER OPERATOR FAMILY pg_catalog.%I USING %I DROP %s %s (%s, %s)', opfname, amname, kind, number, lefttype::regtype, righttype::regtype) AS statement
               FROM (SELECT amopfamily AS family, 'OPERATOR' AS kind, amopstrategy AS number, amoplefttype AS lefttype, amoprighttype AS righttype FROM pg_amop
                     UNION ALL SELECT amprocfamily, 'FUNCTION', amprocnum, amproclefttype, amprocrighttype FROM pg_amproc) AS members
               JOIN pg_opfamily f ON f.oid = family JOIN pg_am a ON a.oid = opfmethod
               WHERE opfnamespace = 'pg_catalog'::regnamespace AND opfname IN ('uuid_ops', 'uuid_minmax_ops', 'uuid_minmax_multi_ops')
                 AND 'timestamptz'::regtype IN (lefttype, righttype)
    LOOP
        EXECUTE one.statement;
    END LOOP;
    -- The extension's other SQL functions use the existing functions and types where both editions have them.
    FOR one IN SELECT regexp_replace(definition, '(?<!FUNCTION )\m' || step || '\.(?=' || (SELECT string_agg(DISTINCT name || CASE WHEN NOT is_function THEN '\M' WHEN identity LIKE '%()' THEN '\(\)' ELSE '\((?!\))' END, '|')
                                                                           FROM uuidrfc_object WHERE shared AND name IS NOT NULL) || ')',
                                     replace(ids, '\', '\\') || '.', 'g') AS definition
               FROM uuidrfc_object WHERE is_function AND NOT shared AND language = 'sql'
    LOOP
        EXECUTE one.definition;
    END LOOP;
    -- Then the rest of the extension moves to the schema of the pure-SQL edition.
    FOR one IN SELECT * FROM uuidrfc_object WHERE shared ORDER BY objid DESC LOOP
        EXECUTE format('ALTER EXTENSION uuidrfc DROP %s %s', one.type, one.identity);
        EXECUTE format('DROP %s %s', one.type, one.identity);
    END LOOP;
    EXECUTE format('ALTER EXTENSION uuidrfc SET SCHEMA %s', ids);
    EXECUTE format('DROP SCHEMA %s', step);

    FOR one IN SELECT * FROM uuidrfc_object WHERE shared ORDER BY objid LOOP
        -- An operator or aggregate with this name that calls another function is not part of the pure-SQL edition.
        IF replace(one.calls, step || '.', ids || '.') <> (CASE one.type WHEN 'operator' THEN (SELECT oprcode FROM pg_operator WHERE oid = one.target::regoperator)
               ELSE (SELECT aggtransfn FROM pg_aggregate WHERE aggfnoid = one.target::regprocedure) END)::regprocedure::text THEN
            RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state', MESSAGE = format('%s %s is not that of the pure-SQL edition of uuidrfc', one.type, one.target);
        END IF;
        EXECUTE format('ALTER %s %s OWNER TO %s', one.type, one.target, mine);
        IF one.is_function THEN
            EXECUTE replace(one.definition, step || '.', ids || '.');
        ELSIF one.type = 'operator' THEN
            EXECUTE format('ALTER OPERATOR %s SET (RESTRICT = %s, JOIN = %s)', one.target, replace(one.oprrest::text, step || '.', ids || '.'),
                           replace(one.oprjoin::text, step || '.', ids || '.'));
        -- In a dump of a server before 17, the check calls uuid_extract_version of the schema; from 17 on, it calls PostgreSQL's
        -- own.
        ELSIF replace(one.condition, step || '.', ids || '.') <> (SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE contypid = one.target::regtype AND conname = one.conname) THEN
            EXECUTE format('ALTER DOMAIN %s DROP CONSTRAINT %I', one.target, one.conname);
            EXECUTE format('ALTER DOMAIN %s ADD CONSTRAINT %I %s', one.target, one.conname, replace(one.condition, step || '.', ids || '.'));
            EXECUTE format('COMMENT ON CONSTRAINT %I ON DOMAIN %s IS %L', one.conname, one.target, one.condition_comment);
        END IF;
        EXECUTE format('COMMENT ON %s %s IS %L', one.type, one.target, one.comment);
        EXECUTE format('ALTER EXTENSION uuidrfc ADD %s %s', one.type, one.target);
    END LOOP;
    FOR one IN SELECT oid::regprocedure AS signature FROM pg_proc p
               WHERE pronamespace = ids::regnamespace AND proname ~ '^uuidrfc_' AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e')
               ORDER BY oid DESC
    LOOP
        EXECUTE format('DROP FUNCTION %s', one.signature);
    END LOOP;
    EXECUTE format('SELECT %s.uuid_ops_add_timestamptz()', ids);
END $step$;

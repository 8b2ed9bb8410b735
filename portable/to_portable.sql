-- Converts a database from the extension, which is dropped, to the pure-SQL edition, as docs/portable.md describes. Run this script
-- as superuser, with uuidrfc.sql in the same directory:
--
--     psql -1 -v ON_ERROR_STOP=1 -f to_portable.sql
\set ON_ERROR_STOP on
-- Fails unless a transaction is open.
SAVEPOINT uuidrfc_step;
CREATE SCHEMA uuidrfc_step;
SET LOCAL search_path = uuidrfc_step;
\ir uuidrfc.sql
DO $step$
DECLARE
    ids constant text = (SELECT pg_catalog.quote_ident(nspname) FROM pg_catalog.pg_extension JOIN pg_catalog.pg_namespace n ON n.oid = extnamespace WHERE extname = 'uuidrfc');
    step constant text = 'uuidrfc_step';
    one record;
    users text;
BEGIN
    IF ids IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'undefined_object', MESSAGE = 'extension "uuidrfc" does not exist';
    END IF;
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);

    CREATE TEMPORARY TABLE uuidrfc_member ON COMMIT DROP AS
    SELECT d.classid, d.objid, o.identity FROM pg_extension e, pg_depend d, pg_identify_object(d.classid, d.objid, 0) o
    WHERE extname = 'uuidrfc' AND d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e';
    -- The objects of the pure-SQL edition, in the order of creation, and whether the extension also has them.
    CREATE TEMPORARY TABLE uuidrfc_object ON COMMIT DROP AS
    SELECT found.objid, o.type, o.identity, replace(o.identity, step || '.', ids || '.') AS target, p.oid IS NOT NULL AND prokind = 'f' AS is_function,
           (found.classid, replace(o.identity, step || '.', ids || '.')) IN (SELECT classid, identity FROM uuidrfc_member) AS shared,
           CASE WHEN prokind = 'f' THEN pg_get_functiondef(p.oid) END AS definition,
           obj_description(found.objid, found.classid::regclass::name) AS comment, oprrest, oprjoin, oprcode
    FROM (SELECT 'pg_proc'::regclass AS classid, oid AS objid FROM pg_proc WHERE pronamespace = step::regnamespace
          UNION ALL SELECT 'pg_operator', oid FROM pg_operator WHERE oprnamespace = step::regnamespace
          UNION ALL SELECT 'pg_type', oid FROM pg_type WHERE typnamespace = step::regnamespace AND typtype = 'd') AS found
    CROSS JOIN pg_identify_object(found.classid, found.objid, 0) o
    LEFT JOIN pg_proc p ON found.classid = 'pg_proc'::regclass AND p.oid = found.objid
    LEFT JOIN pg_operator r ON found.classid = 'pg_operator'::regclass AND r.oid = found.objid;

    -- Objects that depend on features that the pure-SQL edition lacks: members of the extension that are not shared, or are shared
    -- only with functions that raise an error; without pgcrypto, uuid_v5; and text forms and systems of IDs. Functions whose body
    -- is a string do not record what they use.
    SELECT string_agg(DISTINCT format('%s uses %s', pg_describe_object(d.classid, d.objid, d.objsubid), pg_describe_object(d.refclassid, d.refobjid, 0)), E'\n') INTO users
    FROM pg_depend d JOIN uuidrfc_member m ON (m.classid, m.objid) = (d.refclassid, d.refobjid)
    LEFT JOIN pg_attrdef a ON d.classid = 'pg_attrdef'::regclass AND a.oid = d.objid,
    LATERAL (SELECT coalesce(pg_get_expr(adbin, adrelid), CASE d.classid WHEN 'pg_class'::regclass THEN pg_get_indexdef(d.objid) WHEN 'pg_rewrite'::regclass THEN pg_get_ruledef(d.objid)
                                 WHEN 'pg_constraint'::regclass THEN pg_get_constraintdef(d.objid) WHEN 'pg_proc'::regclass THEN pg_get_function_sqlbody(d.objid) END) AS text) AS definition
    WHERE (d.classid, d.objid) NOT IN (SELECT classid, objid FROM uuidrfc_member) AND d.classid NOT IN ('pg_amop'::regclass, 'pg_amproc'::regclass)
      AND NOT EXISTS (SELECT FROM pg_type WHERE d.classid = 'pg_type'::regclass AND typarray = d.objid)
      AND (m.identity NOT IN (SELECT target FROM uuidrfc_object WHERE shared AND comment NOT LIKE 'not in the pure-SQL edition%')
           OR strpos(m.identity, ids || '.uuid_v5(') = 1 AND pg_get_function_sqlbody((step || '.uuidrfc_sha1(bytea)')::regprocedure) ~ 'uuidrfc_raise'
           OR m.identity ~ '\.uuid_(en|de)code\(' AND definition.text ~* '''(urn|braces|hex|base32hex|base64url|decimal|oid)'''
           OR m.identity ~ '\.other_id_time\(' AND definition.text !~* '''snowflake''');
    IF users IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'dependent_objects_still_exist', MESSAGE = 'the pure-SQL edition of uuidrfc lacks what some objects use', DETAIL = users,
            HINT = 'Drop or change these objects first. Where uuid_v5 is used, create the extension pgcrypto.';
    END IF;

    -- Removes the members that the extension added to core's operator families.
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

\echo Use "ALTER EXTENSION uuidrfc UPDATE TO '0.2.0'" to load this file. \quit

CREATE FUNCTION uuid_extract_timestamp(uuid uuid) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_timestamp_wrapper';

-- As completion.sql has it of all functions: one that can be called with a uuid alone, too, would make such calls ambiguous.
DO $$
DECLARE
    theirs pg_catalog.text;
BEGIN
    SELECT oid::pg_catalog.regprocedure::pg_catalog.text INTO theirs
    FROM pg_catalog.pg_proc
    WHERE proname OPERATOR(pg_catalog.=) 'uuid_extract_timestamp'
        AND pronamespace OPERATOR(pg_catalog.=) pg_catalog.quote_ident(pg_catalog.current_schema())::pg_catalog.regnamespace::pg_catalog.oid
        AND pronargs OPERATOR(pg_catalog.>) 1 AND pronargs OPERATOR(pg_catalog.-) pronargdefaults OPERATOR(pg_catalog.<=) 1
        AND proargtypes[0] OPERATOR(pg_catalog.=) 'pg_catalog.uuid'::pg_catalog.regtype::pg_catalog.oid
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'function % exists, which would make calls of uuid_extract_timestamp(uuid) ambiguous', theirs
            USING ERRCODE = 'ambiguous_function', HINT = 'Rename it.';
    END IF;
END $$;

-- Lacking where 0.1.0 came to a server with skip scans by pg_upgrade.
DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        ALTER OPERATOR FAMILY uuid_time_ops USING btree ADD FUNCTION 6 (uuid, uuid) uuid_time_skipsupport(internal);
    END IF;
EXCEPTION
    WHEN duplicate_object THEN NULL;
END $$;

-- <@ and @> take another type for tstzrange (see time_predicates.sql). In place: views and indexes may need the operators. Views
-- go on as they are; the planner knows an expression of an index or of statistics by its types, which were other ones.
CREATE DOMAIN uuid_tstzrange AS tstzrange;
COMMENT ON DOMAIN uuid_tstzrange IS 'tstzrange, as the operators <@ and @> of uuid take it';
DO $$
DECLARE
    within CONSTANT pg_catalog.oid := 'uuid_contained_by_tstzrange(uuid, tstzrange)'::pg_catalog.regprocedure;
    contains CONSTANT pg_catalog.oid := 'tstzrange_contains_uuid(tstzrange, uuid)'::pg_catalog.regprocedure;
    id CONSTANT pg_catalog.oid := 'pg_catalog.uuid'::pg_catalog.regtype;
    range CONSTANT pg_catalog.oid := 'uuid_tstzrange'::pg_catalog.regtype;
    dependent pg_catalog.text;
BEGIN
    UPDATE pg_catalog.pg_proc SET proargtypes = pg_catalog.format('%s %s', id, range)::pg_catalog.oidvector
    WHERE oid OPERATOR(pg_catalog.=) within;
    UPDATE pg_catalog.pg_proc SET proargtypes = pg_catalog.format('%s %s', range, id)::pg_catalog.oidvector
    WHERE oid OPERATOR(pg_catalog.=) contains;
    UPDATE pg_catalog.pg_operator SET oprright = range WHERE oprcode OPERATOR(pg_catalog.=) within;
    UPDATE pg_catalog.pg_operator SET oprleft = range WHERE oprcode OPERATOR(pg_catalog.=) contains;
    INSERT INTO pg_catalog.pg_depend (classid, objid, objsubid, refclassid, refobjid, refobjsubid, deptype)
    SELECT object.classid, object.oid, 0, 'pg_catalog.pg_type'::pg_catalog.regclass, range, 0, 'n'
    FROM (SELECT 'pg_catalog.pg_proc'::pg_catalog.regclass, oid FROM pg_catalog.pg_proc
          WHERE oid OPERATOR(pg_catalog.=) within OR oid OPERATOR(pg_catalog.=) contains
          UNION ALL
          SELECT 'pg_catalog.pg_operator'::pg_catalog.regclass, oid FROM pg_catalog.pg_operator
          WHERE oprcode OPERATOR(pg_catalog.=) within OR oprcode OPERATOR(pg_catalog.=) contains) AS object (classid, oid);
    FOR dependent IN
        SELECT DISTINCT pg_catalog.pg_describe_object(using_it.classid, using_it.objid, 0)
        FROM pg_catalog.pg_depend using_it
        JOIN pg_catalog.pg_operator ON using_it.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_operator'::pg_catalog.regclass::pg_catalog.oid
            AND using_it.refobjid OPERATOR(pg_catalog.=) pg_operator.oid
        LEFT JOIN pg_catalog.pg_index ON using_it.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_class'::pg_catalog.regclass::pg_catalog.oid
            AND using_it.objid OPERATOR(pg_catalog.=) indexrelid
        WHERE (oprcode OPERATOR(pg_catalog.=) within OR oprcode OPERATOR(pg_catalog.=) contains)
            AND (indexrelid IS NOT NULL
                 OR using_it.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_statistic_ext'::pg_catalog.regclass::pg_catalog.oid)
    LOOP
        RAISE WARNING '% uses <@ or @> of 0.1.0 and will not be used before it is dropped and created again', dependent;
    END LOOP;
END $$;

-- Of ours, also where core has a function of the name: see completion.sql.
SELECT pg_catalog.set_config('search_path', pg_catalog.quote_ident(pg_catalog.current_schema()) || ', pg_catalog, pg_temp', true);
COMMENT ON FUNCTION uuid_extract_timestamp(pg_catalog.uuid) IS 'time inside UUID version 1 or 7, as in PostgreSQL 18, else null';

\echo Use "ALTER EXTENSION uuidrfc UPDATE TO '0.2.0'" to load this file. \quit

CREATE FUNCTION uuid_extract_timestamp(uuid uuid) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_timestamp_wrapper';

-- Lacking where 0.1.0 came to a server with skip scans by pg_upgrade.
DO $$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        ALTER OPERATOR FAMILY uuid_time_ops USING btree ADD FUNCTION 6 (uuid, uuid) uuid_time_skipsupport(internal);
    END IF;
EXCEPTION
    WHEN duplicate_object THEN NULL;
END $$;

-- Of ours, also where core has a function of the name: see comments.sql.
SELECT pg_catalog.set_config('search_path', pg_catalog.quote_ident(pg_catalog.current_schema()) || ', pg_catalog, pg_temp', true);
COMMENT ON FUNCTION uuid_extract_timestamp(pg_catalog.uuid) IS 'time inside UUID version 1 or 7, as in PostgreSQL 18, else null';

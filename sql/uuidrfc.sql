\echo Use "CREATE EXTENSION uuidrfc" to load this file. \quit

-- The SQL objects of uuidrfc. CREATE EXTENSION runs this file.
--
-- New and changed objects are written only in this file. `make install` appends the functions, COMMENTs and SELECTs to the
-- update script (sql/repeatable.awk), and any other object, such as an operator, if the line `-- since 1.0.0` precedes it.
-- Objects are dropped and renamed in the update script itself.
--
-- The C symbol of a function is its name in Rust, followed by `_wrapper`. Unless a comment says otherwise, C functions are
-- STRICT. Functions declared LEAKPROOF reveal their arguments only through their results, not through errors or messages.
--
-- PostgreSQL runs this file with a search_path of the extension's schema and pg_temp. pg_catalog, which search_path does not
-- name, is searched before both, so no type or function of the schema can hide PostgreSQL's own.

-- ==== Planner support of functions on the time inside a UUID ====

-- The planner calls this function for each call of a function that declares it as its support function. The first call loads the
-- library before a query's clauses are distributed; see src/time_predicate/hook.rs.
CREATE FUNCTION uuid_timestamptz_support(internal) RETURNS internal
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_timestamptz_support_wrapper';
COMMENT ON FUNCTION uuid_timestamptz_support(internal) IS 'planner support for comparisons of uuid, of the time inside it, and of its text and sealed forms';

-- ==== Functions that PostgreSQL 18 also has ====

-- In this section, pg_catalog comes after the extension's schema, because COMMENT would otherwise find core's functions of these
-- names (PostgreSQL 17 has two of them, 18 has all). Types and operators are qualified, because the schema may contain others of
-- the same names, and an operator of the schema would be executed with a superuser's privileges. (If a later PostgreSQL version
-- has more of the extension's functions, the test `surface` reports that they have no comment, and they must be moved here.)
SELECT pg_catalog.set_config(
    'search_path', pg_catalog.quote_ident(pg_catalog.current_schema()) OPERATOR(pg_catalog.||) ', pg_catalog, pg_temp', true);

CREATE FUNCTION uuidv4() RETURNS pg_catalog.uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv4_wrapper';
COMMENT ON FUNCTION uuidv4() IS 'generate UUID version 4: random';
CREATE FUNCTION uuidv7() RETURNS pg_catalog.uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_wrapper';
COMMENT ON FUNCTION uuidv7() IS 'generate UUID version 7: current time since 1970, ordered';
CREATE FUNCTION uuidv7(shift interval) RETURNS pg_catalog.uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_shifted_wrapper';
COMMENT ON FUNCTION uuidv7(interval) IS 'generate UUID version 7 with a timestamp shifted by the specified interval';

CREATE FUNCTION uuid_extract_timestamp(uuid pg_catalog.uuid) RETURNS pg_catalog.timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_extract_timestamp_wrapper';
COMMENT ON FUNCTION uuid_extract_timestamp(pg_catalog.uuid) IS 'time inside UUID version 1 or 7, as in PostgreSQL 18, else null';
CREATE FUNCTION uuid_extract_version(uuid pg_catalog.uuid) RETURNS smallint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_version_wrapper';
COMMENT ON FUNCTION uuid_extract_version(pg_catalog.uuid) IS 'version of a UUID of the RFC 9562 variant, else null';

SELECT pg_catalog.set_config(
    'search_path', pg_catalog.quote_ident(pg_catalog.current_schema()) OPERATOR(pg_catalog.||) ', pg_temp', true);

-- ==== Generators ====

CREATE FUNCTION uuidv1() RETURNS uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv1_wrapper';
COMMENT ON FUNCTION uuidv1() IS 'generate UUID version 1: current time, random multicast node';
CREATE FUNCTION uuidv6() RETURNS uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv6_wrapper';
COMMENT ON FUNCTION uuidv6() IS 'generate UUID version 6: current time since 1582, ordered, random multicast node';

CREATE FUNCTION uuidv7_at("time" timestamptz) RETURNS uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_at_wrapper';
COMMENT ON FUNCTION uuidv7_at(timestamptz) IS 'generate UUID version 7 with the given time, to the microsecond';
CREATE FUNCTION uuidv6_at("time" timestamptz) RETURNS uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv6_at_wrapper';
COMMENT ON FUNCTION uuidv6_at(timestamptz) IS 'generate UUID version 6 with the given time, to the microsecond';

CREATE FUNCTION uuidv7_array(n bigint) RETURNS uuid[]
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_array_wrapper';
COMMENT ON FUNCTION uuidv7_array(bigint) IS 'generate the given number of UUIDs version 7 as an array, strictly ascending';

-- ==== The horizon of feeds ====

CREATE FUNCTION uuidv7_horizon() RETURNS uuid
    LANGUAGE c STABLE STRICT PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'uuidv7_horizon_wrapper';
COMMENT ON FUNCTION uuidv7_horizon() IS 'bound of a feed: each UUID version 7 of scope server below it belongs to a transaction that has ended, whose rows are visible if it committed';
CREATE FUNCTION uuidv7_horizon_transactions(OUT pid integer, OUT transaction xid, OUT first_value uuid) RETURNS SETOF record
    LANGUAGE c VOLATILE STRICT PARALLEL RESTRICTED ROWS 10 AS 'MODULE_PATHNAME', 'uuidv7_horizon_transactions_wrapper';
COMMENT ON FUNCTION uuidv7_horizon_transactions() IS 'implementation of uuidv7_horizon_holders';
CREATE FUNCTION uuidv7_horizon_holders(OUT pid integer, OUT gid text, OUT since timestamptz, OUT first_value uuid) RETURNS SETOF record
    LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED ROWS 10
BEGIN ATOMIC
    SELECT held.pid, prepared.gid, coalesce(activity.xact_start, prepared.prepared), held.first_value
    FROM uuidv7_horizon_transactions() held
        LEFT JOIN pg_catalog.pg_stat_activity activity ON activity.pid = held.pid
        LEFT JOIN pg_catalog.pg_prepared_xacts prepared ON prepared.transaction = held.transaction
    ORDER BY held.first_value NULLS FIRST;
END;
COMMENT ON FUNCTION uuidv7_horizon_holders() IS 'open transactions that hold the horizon back, beginning with the one that determines it; a null first_value means that it is not known, which keeps the horizon below every key';

CREATE FUNCTION uuidv7_touch() RETURNS trigger
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_touch_wrapper';
COMMENT ON FUNCTION uuidv7_touch() IS 'trigger BEFORE INSERT OR UPDATE that sets the column named by its argument to a new UUID version 7';

-- ==== Time and fields inside a UUID ====

CREATE FUNCTION uuidv7_time(uuid uuid) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuidv7_time_wrapper';
COMMENT ON FUNCTION uuidv7_time(uuid) IS 'time inside UUID version 7, to the millisecond, else null; conditions on it use indexes, partitions and statistics of the UUID';
CREATE FUNCTION uuid_extract_time(uuid uuid) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_extract_time_wrapper';
COMMENT ON FUNCTION uuid_extract_time(uuid) IS 'time inside UUID version 1, 6 (to the microsecond) or 7 (to the millisecond), else null';
CREATE FUNCTION uuid_extract_time(uuid uuid, layout text) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_time_as_wrapper';
COMMENT ON FUNCTION uuid_extract_time(uuid, text) IS 'time inside UUID version 1, 6 or 7, the last in layout rfc9562 (to the millisecond) or draft-02 (to the microsecond), else null';
CREATE FUNCTION uuid_extract_time_us(uuid uuid) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_extract_time_us_wrapper';
COMMENT ON FUNCTION uuid_extract_time_us(uuid) IS 'time inside UUID version 1, 6 or 7 to the microsecond, reading the 12 bits after version 7 as a fraction of the millisecond, else null';

CREATE FUNCTION uuid_extract_variant(uuid uuid) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_variant_wrapper';
COMMENT ON FUNCTION uuid_extract_variant(uuid) IS 'variant of a UUID: ncs, rfc9562, microsoft or future';
CREATE FUNCTION uuid_extract_clock_seq(uuid uuid) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_clock_seq_wrapper';
COMMENT ON FUNCTION uuid_extract_clock_seq(uuid) IS 'clock sequence of UUID version 1 or 6, else null';
CREATE FUNCTION uuid_extract_node(uuid uuid) RETURNS macaddr
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_node_wrapper';
COMMENT ON FUNCTION uuid_extract_node(uuid) IS 'node of UUID version 1 or 6, else null';
CREATE FUNCTION uuid_extract_node_id(uuid uuid, bits integer DEFAULT 8) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_node_id_of_bits_wrapper';
COMMENT ON FUNCTION uuid_extract_node_id(uuid, integer) IS 'number of the node that generated a UUID version 7, 6 or 1, read from the given number of bits, else null';
CREATE FUNCTION uuid_inspect(uuid uuid) RETURNS jsonb
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_inspect_wrapper';
COMMENT ON FUNCTION uuid_inspect(uuid) IS 'every field of a UUID by its name in RFC 9562';

-- For tools that maintain partitions by time. They read UUIDs from a column and, as text, from partition bounds.
CREATE FUNCTION uuid_time_decoder(id uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuid_extract_time(id);
COMMENT ON FUNCTION uuid_time_decoder(uuid) IS 'time inside a UUID, as time_decoder of pg_partman for a uuid column';
CREATE FUNCTION uuid_time_decoder(id text) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuid_extract_time(id::uuid);
COMMENT ON FUNCTION uuid_time_decoder(text) IS 'time inside a UUID in text form, as time_decoder of pg_partman for a text column and for partition bounds';

-- ==== Name-based UUIDs ====

CREATE FUNCTION uuid_v3(ns uuid, name text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_v3_of_text_wrapper';
COMMENT ON FUNCTION uuid_v3(uuid, text) IS 'derive UUID version 3 from a namespace and a name in UTF-8, by MD5';
CREATE FUNCTION uuid_v3(ns uuid, name bytea) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_v3_of_bytea_wrapper';
COMMENT ON FUNCTION uuid_v3(uuid, bytea) IS 'derive UUID version 3 from a namespace and a binary name, by MD5';
CREATE FUNCTION uuid_v5(ns uuid, name text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_v5_of_text_wrapper';
COMMENT ON FUNCTION uuid_v5(uuid, text) IS 'derive UUID version 5 from a namespace and a name in UTF-8, by SHA-1';
CREATE FUNCTION uuid_v5(ns uuid, name bytea) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_v5_of_bytea_wrapper';
COMMENT ON FUNCTION uuid_v5(uuid, bytea) IS 'derive UUID version 5 from a namespace and a binary name, by SHA-1';
CREATE FUNCTION uuid_v8(ns uuid, name text, hash text DEFAULT 'sha256') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_v8_of_text_wrapper';
COMMENT ON FUNCTION uuid_v8(uuid, text, text) IS 'derive UUID version 8 from a namespace and a name in UTF-8, by SHA-256 or another hash';
CREATE FUNCTION uuid_v8(ns uuid, name bytea, hash text DEFAULT 'sha256') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_v8_of_bytea_wrapper';
COMMENT ON FUNCTION uuid_v8(uuid, bytea, text) IS 'derive UUID version 8 from a namespace and a binary name, by SHA-256 or another hash';
CREATE FUNCTION uuid_namespace(name text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_namespace_wrapper';
COMMENT ON FUNCTION uuid_namespace(text) IS 'ID of namespace dns, url, oid or x500';

-- ==== Constants, conversion and text forms ====

CREATE FUNCTION nil_uuid() RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'nil_uuid_wrapper';
COMMENT ON FUNCTION nil_uuid() IS 'the Nil UUID: all bits zero';
CREATE FUNCTION max_uuid() RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'max_uuid_wrapper';
COMMENT ON FUNCTION max_uuid() IS 'the Max UUID: all bits one';

CREATE FUNCTION uuid_v1_to_v6(uuid uuid) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_v1_to_v6_wrapper';
COMMENT ON FUNCTION uuid_v1_to_v6(uuid) IS 'convert UUID version 1 to version 6, with the same time, clock sequence and node';
CREATE FUNCTION uuid_v6_to_v1(uuid uuid) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_v6_to_v1_wrapper';
COMMENT ON FUNCTION uuid_v6_to_v1(uuid) IS 'convert UUID version 6 to version 1, with the same time, clock sequence and node';

CREATE FUNCTION uuid_encode(uuid uuid, format text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE SUPPORT uuid_timestamptz_support AS 'MODULE_PATHNAME', 'uuid_encode_wrapper';
COMMENT ON FUNCTION uuid_encode(uuid, text) IS 'encode a UUID as text in the format urn, braces, hex, base32, base32hex, base58, base64url, decimal or oid';
CREATE FUNCTION uuid_decode(text text, format text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_decode_wrapper';
COMMENT ON FUNCTION uuid_decode(text, text) IS 'decode a UUID from text in a format of uuid_encode';

CREATE FUNCTION typeid_encode(prefix text, id uuid) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE SUPPORT uuid_timestamptz_support AS 'MODULE_PATHNAME', 'typeid_encode_wrapper';
COMMENT ON FUNCTION typeid_encode(text, uuid) IS 'encode a prefix and a UUID as a TypeID';
CREATE FUNCTION typeid_decode(typeid text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'typeid_decode_wrapper';
COMMENT ON FUNCTION typeid_decode(text) IS 'decode the UUID from a TypeID';
CREATE FUNCTION typeid_decode(typeid text, prefix text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'typeid_decode_of_wrapper';
COMMENT ON FUNCTION typeid_decode(text, text) IS 'decode the UUID from a TypeID, which must have the given prefix';
CREATE FUNCTION typeid_prefix(typeid text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'typeid_prefix_wrapper';
COMMENT ON FUNCTION typeid_prefix(text) IS 'prefix of a TypeID';
CREATE FUNCTION typeid_decode_or_null(text, text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'typeid_decode_or_null_wrapper';
COMMENT ON FUNCTION typeid_decode_or_null(text, text) IS 'UUID in a TypeID with the given prefix, else null; used in plans for typeid_encode(prefix, id) = text and = ANY (texts)';

-- ==== Sealed keys ====

-- With a key as an argument, the functions are IMMUTABLE. Without one, they are STABLE and PARALLEL RESTRICTED, because the key
-- file can change, and a parallel worker might then read different keys from its leader.
CREATE FUNCTION uuid_seal(id uuid, key bytea) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 20 SUPPORT uuid_timestamptz_support AS 'MODULE_PATHNAME', 'uuid_seal_by_key_wrapper';
COMMENT ON FUNCTION uuid_seal(uuid, bytea) IS 'seal UUID version 7 as UUID version 4, with a key of 32 bytes';
CREATE FUNCTION uuid_unseal(id uuid, key bytea) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 20 AS 'MODULE_PATHNAME', 'uuid_unseal_by_key_wrapper';
COMMENT ON FUNCTION uuid_unseal(uuid, bytea) IS 'unseal UUID version 4 to UUID version 7, with a key of 32 bytes';
CREATE FUNCTION uuid_seal(id uuid) RETURNS uuid
    LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 20 SUPPORT uuid_timestamptz_support AS 'MODULE_PATHNAME', 'uuid_seal_wrapper';
COMMENT ON FUNCTION uuid_seal(uuid) IS 'seal UUID version 7 as UUID version 4, with the first key of uuidrfc.seal_key_file';
CREATE FUNCTION uuid_unseal(id uuid) RETURNS uuid
    LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 20 AS 'MODULE_PATHNAME', 'uuid_unseal_wrapper';
COMMENT ON FUNCTION uuid_unseal(uuid) IS 'unseal UUID version 4 to UUID version 7, with the first key of uuidrfc.seal_key_file';
CREATE FUNCTION uuid_unseal_with(id uuid, key_id integer) RETURNS uuid
    LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 20 AS 'MODULE_PATHNAME', 'uuid_unseal_with_wrapper';
COMMENT ON FUNCTION uuid_unseal_with(uuid, integer) IS 'unseal UUID version 4 to UUID version 7, with the key that has the given ID in uuidrfc.seal_key_file';

-- ==== IDs of other systems, in each of their types and, by default, with the system's own epoch ====

CREATE FUNCTION other_id_time(id text, system text, epoch timestamptz DEFAULT '-infinity') RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_time_of_text_wrapper';
COMMENT ON FUNCTION other_id_time(text, text, timestamptz) IS 'time inside an ID of another system, to the microsecond';
CREATE FUNCTION other_id_time(id anynonarray, system text, epoch timestamptz DEFAULT '-infinity') RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_time_of_any_wrapper';
COMMENT ON FUNCTION other_id_time(anynonarray, text, timestamptz) IS 'time inside an ID of another system of type bigint, bytea or uuid, to the microsecond';

CREATE FUNCTION other_id_fields(id text, system text, epoch timestamptz DEFAULT '-infinity') RETURNS jsonb
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_fields_of_text_wrapper';
COMMENT ON FUNCTION other_id_fields(text, text, timestamptz) IS 'every field of an ID of another system';
CREATE FUNCTION other_id_fields(id anynonarray, system text, epoch timestamptz DEFAULT '-infinity') RETURNS jsonb
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_fields_of_any_wrapper';
COMMENT ON FUNCTION other_id_fields(anynonarray, text, timestamptz) IS 'every field of an ID of another system of type bigint, bytea or uuid';

CREATE FUNCTION other_id_to_uuid(id text, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_to_uuid_of_text_wrapper';
COMMENT ON FUNCTION other_id_to_uuid(text, text, timestamptz) IS 'convert an ID of another system to UUID version 7 or 8, in the same order';
CREATE FUNCTION other_id_to_uuid(id anynonarray, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_to_uuid_of_any_wrapper';
COMMENT ON FUNCTION other_id_to_uuid(anynonarray, text, timestamptz) IS 'convert an ID of another system of type bigint, bytea or uuid to UUID version 7 or 8, in the same order';

-- The following three functions return an ID in the type of their third argument. They are not STRICT, because that argument is
-- usually null; by default, it is a null of type text.
CREATE FUNCTION uuid_to_other_id(uuid uuid, system text, "type" anyelement DEFAULT NULL::text, epoch timestamptz DEFAULT '-infinity') RETURNS anyelement
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_to_other_id_wrapper';
COMMENT ON FUNCTION uuid_to_other_id(uuid, text, anyelement, timestamptz) IS 'convert a UUID back to the ID of another system from which it was converted';
CREATE FUNCTION other_id_floor("time" timestamptz, system text, "type" anyelement DEFAULT NULL::text, epoch timestamptz DEFAULT '-infinity') RETURNS anyelement
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_floor_wrapper';
COMMENT ON FUNCTION other_id_floor(timestamptz, text, anyelement, timestamptz) IS 'smallest ID of another system at the given time, in the unit of the system';
CREATE FUNCTION other_id_ceil("time" timestamptz, system text, "type" anyelement DEFAULT NULL::text, epoch timestamptz DEFAULT '-infinity') RETURNS anyelement
    LANGUAGE c IMMUTABLE PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_ceil_wrapper';
COMMENT ON FUNCTION other_id_ceil(timestamptz, text, anyelement, timestamptz) IS 'largest ID of another system at the given time, in the unit of the system';

-- ==== Aggregates ====

-- By PostgreSQL's convention, these would be uuid_smaller and uuid_larger, but many applications have functions of these names.
CREATE FUNCTION uuid_least(uuid, uuid) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_least_wrapper';
COMMENT ON FUNCTION uuid_least(uuid, uuid) IS 'the smaller of two UUIDs';
CREATE FUNCTION uuid_greatest(uuid, uuid) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_greatest_wrapper';
COMMENT ON FUNCTION uuid_greatest(uuid, uuid) IS 'the larger of two UUIDs';

-- The sort operators let the planner use an index. A PostgreSQL version that has these aggregates itself uses its own, because
-- pg_catalog is searched first.
CREATE AGGREGATE min(uuid) (
    SFUNC = uuid_least, STYPE = uuid, COMBINEFUNC = uuid_least, SORTOP = OPERATOR(pg_catalog.<), PARALLEL = SAFE
);
COMMENT ON AGGREGATE min(uuid) IS 'minimum value of all uuid input values';
CREATE AGGREGATE max(uuid) (
    SFUNC = uuid_greatest, STYPE = uuid, COMBINEFUNC = uuid_greatest, SORTOP = OPERATOR(pg_catalog.>), PARALLEL = SAFE
);
COMMENT ON AGGREGATE max(uuid) IS 'maximum value of all uuid input values';

-- ==== Domain ====

-- `= 7` would not do, because the version of a UUID of another variant is null, and null satisfies a CHECK constraint.
CREATE DOMAIN uuid_v7 AS uuid
    CONSTRAINT uuid_v7_check CHECK (VALUE IS NULL OR uuid_extract_version(VALUE) IS NOT DISTINCT FROM 7);
COMMENT ON DOMAIN uuid_v7 IS 'UUID of version 7, or null';
COMMENT ON CONSTRAINT uuid_v7_check ON DOMAIN uuid_v7 IS 'variant 10 and version 7 as in RFC 9562, section 5.7';

-- ==== Bounds: the first and the last UUID of an instant ====

CREATE FUNCTION uuidv7_floor("time" timestamptz) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_floor_wrapper';
COMMENT ON FUNCTION uuidv7_floor(timestamptz) IS 'smallest UUID version 7 in the millisecond of a time';
CREATE FUNCTION uuidv7_ceil("time" timestamptz) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_ceil_wrapper';
COMMENT ON FUNCTION uuidv7_ceil(timestamptz) IS 'largest UUID version 7 in the millisecond of a time';
CREATE FUNCTION uuidv6_floor("time" timestamptz) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv6_floor_wrapper';
COMMENT ON FUNCTION uuidv6_floor(timestamptz) IS 'smallest UUID version 6 in the microsecond of a time';
CREATE FUNCTION uuidv6_ceil("time" timestamptz) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv6_ceil_wrapper';
COMMENT ON FUNCTION uuidv6_ceil(timestamptz) IS 'largest UUID version 6 in the microsecond of a time';

-- ==== Marks: the horizon on replicas, of many servers, and where the library is not preloaded ====

-- A mark is a horizon stored in a row of a table with the columns node and horizon. A statement that sees the row also sees all
-- transactions that committed before the transaction that stored the mark: on this server, on its standbys, and on subscribers
-- that receive the table of marks together with the other tables.
CREATE FUNCTION uuidv7_no_horizon(detail text) RETURNS uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_no_horizon_wrapper';
COMMENT ON FUNCTION uuidv7_no_horizon(text) IS 'implementation of uuidv7_horizon and uuidv7_mark_by_activity: raise an error, because there is no horizon';
-- PARALLEL RESTRICTED, because the table may be temporary.
CREATE FUNCTION uuidv7_mark(marks regclass, node text) RETURNS uuid
    LANGUAGE c STABLE STRICT PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'uuidv7_stored_mark_wrapper';
COMMENT ON FUNCTION uuidv7_mark(regclass, text) IS 'mark of a server in a table, or null';
CREATE FUNCTION uuidv7_horizon(relation regclass, marks regclass, VARIADIC nodes text[]) RETURNS uuid
    LANGUAGE sql STABLE STRICT PARALLEL RESTRICTED
BEGIN ATOMIC
    WITH subscription AS (
        SELECT bool_or(srrelid OPERATOR(pg_catalog.=) marks) AS has_marks,
               bool_or(srrelid OPERATOR(pg_catalog.=) ANY (SELECT relation::oid UNION SELECT relid::oid FROM pg_partition_tree(relation)
                                      UNION SELECT relid::oid FROM pg_partition_ancestors(relation) AS ancestor (relid))) AS has_rows,
               string_agg(srrelid::regclass::text, ', ') FILTER (WHERE srsubstate <> 'r') AS copied
        FROM pg_subscription_rel GROUP BY srsubid
    )
    SELECT coalesce(uuidv7_no_horizon(coalesce(
               CASE WHEN NOT EXISTS (SELECT FROM pg_class WHERE oid OPERATOR(pg_catalog.=) relation AND relkind IN ('r', 'p'))
                    THEN pg_catalog.format('%s is not a table.', relation) END,
               CASE WHEN count(*) = 0 THEN 'No server is named.' END,
               (SELECT 'Tables are still being copied: ' || string_agg(copied, ', ') FROM subscription WHERE has_marks OR has_rows),
               (SELECT pg_catalog.format('A subscription includes the table, but not %s.', marks) FROM subscription WHERE has_rows AND NOT has_marks LIMIT 1),
               'No mark has arrived from: ' || string_agg(coalesce(node, 'null'), ', ') FILTER (WHERE horizon IS NULL))), min(horizon))
    FROM pg_catalog.unnest(nodes) AS node, uuidv7_mark(marks, node) AS horizon;
END;
COMMENT ON FUNCTION uuidv7_horizon(regclass, regclass, text[]) IS 'bound of a feed of keys from the given servers: the least of their marks';

-- Generating a version 6 UUID advances the server's sequence without holding back the horizon, so the horizon of an idle server
-- follows the clock. With synchronous_commit, a mark and all rows below it are on disk before the mark is visible.
CREATE FUNCTION uuidv7_mark() RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE
BEGIN ATOMIC
    SELECT uuidv6();
    SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';
    SELECT uuidv7_horizon();
END;
COMMENT ON FUNCTION uuidv7_mark() IS 'horizon of this server, to be stored as a mark for feeds read on its replicas';

-- The function reads, in this order, the clock, the open transactions, the prepared transactions, and the clock again.
-- pg_stat_activity shows a transaction from before it generates a key until other sessions can see its end. So a transaction that
-- is not shown either has ended, and readers that see the mark see its rows, or will generate its keys after the first reading of
-- the clock.
CREATE FUNCTION uuidv7_mark_by_activity(last uuid) RETURNS uuid
    LANGUAGE sql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
BEGIN ATOMIC
    SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';
    SELECT coalesce(uuidv7_no_horizon(CASE
               WHEN current_setting('transaction_isolation') NOT LIKE 'read %' THEN 'The isolation level must be READ COMMITTED.'
               WHEN NOT pg_catalog.pg_has_role('pg_read_all_stats', 'USAGE') THEN 'The role lacks the privileges of pg_read_all_stats.'
               WHEN is_hidden THEN 'A session with track_activities = off shows no transaction.'
               WHEN prepared > 0 THEN 'A prepared transaction does not show when it began.'
               WHEN after < greatest(newest, uuidv7_time(last)) THEN 'The clock was set back.' END), uuidv7_floor(least(before, oldest)))
    FROM (SELECT pg_stat_clear_snapshot() IS NULL, clock_timestamp() OFFSET 0) AS clock (cleared, before),
         LATERAL (SELECT min(xact_start) FILTER (WHERE pid <> pg_backend_pid() AND backend_type <> 'autovacuum worker'),
                         max(greatest(backend_start, xact_start, query_start, state_change)),
                         coalesce(bool_or(state = 'disabled'), false) OR current_setting('track_activities') = 'off', count(*)
                  FROM pg_stat_activity WHERE before IS NOT NULL) AS activity (oldest, newest, is_hidden, sessions),
         LATERAL (SELECT count(*), clock_timestamp() FROM pg_prepared_xacts WHERE sessions > 0) AS rest (prepared, after);
END;
COMMENT ON FUNCTION uuidv7_mark_by_activity(uuid) IS 'horizon of this server according to pg_stat_activity, to be stored as a mark; the argument is the last mark, or null';

-- ==== UUIDs whose text begins with a prefix: id ^@ '0198' ====

-- The function is inlined, so an index can be used even in a session that has not loaded the library. If no UUID begins with the
-- prefix, the bounds exclude every UUID.
CREATE FUNCTION uuid_starts_with(uuid, text) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN $1 OPERATOR(pg_catalog.>=) CASE
            WHEN pg_catalog.translate($2, '123456789abcdef', '000000000000000') OPERATOR(pg_catalog.=) pg_catalog.left('00000000-0000-0000-0000-000000000000', pg_catalog.length($2))
            THEN pg_catalog.overlay('00000000-0000-0000-0000-000000000000', $2, 1)::pg_catalog.uuid
            WHEN $2 IS NOT NULL THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff' END
        AND $1 OPERATOR(pg_catalog.<=) CASE
            WHEN pg_catalog.translate($2, '123456789abcdef', '000000000000000') OPERATOR(pg_catalog.=) pg_catalog.left('00000000-0000-0000-0000-000000000000', pg_catalog.length($2))
            THEN pg_catalog.overlay('ffffffff-ffff-ffff-ffff-ffffffffffff', $2, 1)::pg_catalog.uuid
            WHEN $2 IS NOT NULL THEN '00000000-0000-0000-0000-000000000000' END;
COMMENT ON FUNCTION uuid_starts_with(uuid, text) IS 'implementation of ^@ operator';
-- since 1.0.0
CREATE OPERATOR ^@ (LEFTARG = uuid, RIGHTARG = text, FUNCTION = uuid_starts_with, RESTRICT = likesel, JOIN = likejoinsel);
COMMENT ON OPERATOR ^@ (uuid, text) IS 'text of a UUID starts with';

-- ==== Comparisons of a uuid with a time: id >= now(), id <@ tstzrange ====

-- Plans call the following three functions to compare UUIDs with a time. The operators that users write are LEAKPROOF, so these
-- functions must be as well.
CREATE FUNCTION uuidv7_lower_bound(timestamptz) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_lower_bound_wrapper';
COMMENT ON FUNCTION uuidv7_lower_bound(timestamptz) IS 'smallest UUID version 7 not earlier than the time, or the Nil or Max UUID; used in plans for id >= time and id < time';
CREATE FUNCTION uuid_tstzrange_start(tstzrange) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_tstzrange_start_wrapper';
COMMENT ON FUNCTION uuid_tstzrange_start(tstzrange) IS 'start of a range, or infinity if it is empty; used in plans for id <@ range';
CREATE FUNCTION uuid_tstzrange_end(tstzrange) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_tstzrange_end_wrapper';
COMMENT ON FUNCTION uuid_tstzrange_end(tstzrange) IS 'end of a range: the largest UUID within it, or the Nil UUID if there is none; used in plans for id <@ range';

CREATE FUNCTION uuid_time_from(anynonarray) RETURNS timestamptz
    LANGUAGE c STABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_from_wrapper';
COMMENT ON FUNCTION uuid_time_from(anynonarray) IS 'time of a date or a timestamp in the session''s time zone; used in plans for uuidv7_time(id) >= date';
CREATE FUNCTION uuid_time_bound(text, text, anynonarray, anycompatiblenonarray, text) RETURNS timestamptz
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_bound_wrapper';
COMMENT ON FUNCTION uuid_time_bound(text, text, anynonarray, anycompatiblenonarray, text) IS 'bound of the times for which a comparison of a function''s result with a value is true; used in plans for uuidv7_time(id)::date = date';
CREATE FUNCTION uuid_time_span(anyarray) RETURNS tstzrange
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_span_wrapper';
COMMENT ON FUNCTION uuid_time_span(anyarray) IS 'range from the first to the last of some times or ranges of time; used in plans for uuidv7_time(id) <= ANY (times) and id <@ ANY (ranges)';
CREATE FUNCTION uuid_recheck(boolean) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_recheck_wrapper';
COMMENT ON FUNCTION uuid_recheck(boolean) IS 'its argument; used in plans around a condition whose selectivity is already included in that of other conditions';

CREATE FUNCTION uuid_timestamptz_sel(internal, oid, internal, integer) RETURNS float8
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_timestamptz_sel_wrapper';
COMMENT ON FUNCTION uuid_timestamptz_sel(internal, oid, internal, integer) IS 'restriction selectivity of comparisons of uuid with timestamptz and tstzrange';
CREATE FUNCTION uuid_timestamptz_joinsel(internal, oid, internal, smallint, internal) RETURNS float8
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_timestamptz_joinsel_wrapper';
COMMENT ON FUNCTION uuid_timestamptz_joinsel(internal, oid, internal, smallint, internal) IS 'join selectivity of comparisons of uuid with timestamptz and tstzrange';

-- uuid and timestamptz

CREATE FUNCTION uuid_lt_timestamptz(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_lt_timestamptz_wrapper';
COMMENT ON FUNCTION uuid_lt_timestamptz(uuid, timestamptz) IS 'implementation of < operator';
CREATE FUNCTION uuid_le_timestamptz(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_le_timestamptz_wrapper';
COMMENT ON FUNCTION uuid_le_timestamptz(uuid, timestamptz) IS 'implementation of <= operator';
CREATE FUNCTION uuid_ge_timestamptz(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_ge_timestamptz_wrapper';
COMMENT ON FUNCTION uuid_ge_timestamptz(uuid, timestamptz) IS 'implementation of >= operator';
CREATE FUNCTION uuid_gt_timestamptz(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_gt_timestamptz_wrapper';
COMMENT ON FUNCTION uuid_gt_timestamptz(uuid, timestamptz) IS 'implementation of > operator';
CREATE FUNCTION timestamptz_lt_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'timestamptz_lt_uuid_wrapper';
COMMENT ON FUNCTION timestamptz_lt_uuid(timestamptz, uuid) IS 'implementation of < operator';
CREATE FUNCTION timestamptz_le_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'timestamptz_le_uuid_wrapper';
COMMENT ON FUNCTION timestamptz_le_uuid(timestamptz, uuid) IS 'implementation of <= operator';
CREATE FUNCTION timestamptz_ge_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'timestamptz_ge_uuid_wrapper';
COMMENT ON FUNCTION timestamptz_ge_uuid(timestamptz, uuid) IS 'implementation of >= operator';
CREATE FUNCTION timestamptz_gt_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'timestamptz_gt_uuid_wrapper';
COMMENT ON FUNCTION timestamptz_gt_uuid(timestamptz, uuid) IS 'implementation of > operator';

CREATE OPERATOR < (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_lt_timestamptz,
    COMMUTATOR = >, NEGATOR = >=, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
COMMENT ON OPERATOR < (uuid, timestamptz) IS 'time inside UUID version 7 earlier than';
CREATE OPERATOR <= (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_le_timestamptz,
    COMMUTATOR = >=, NEGATOR = >, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
COMMENT ON OPERATOR <= (uuid, timestamptz) IS 'time inside UUID version 7 not later than';
CREATE OPERATOR >= (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_ge_timestamptz,
    COMMUTATOR = <=, NEGATOR = <, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
COMMENT ON OPERATOR >= (uuid, timestamptz) IS 'time inside UUID version 7 not earlier than';
CREATE OPERATOR > (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_gt_timestamptz,
    COMMUTATOR = <, NEGATOR = <=, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
COMMENT ON OPERATOR > (uuid, timestamptz) IS 'time inside UUID version 7 later than';
CREATE OPERATOR < (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_lt_uuid,
    COMMUTATOR = >, NEGATOR = >=, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
COMMENT ON OPERATOR < (timestamptz, uuid) IS 'earlier than time inside UUID version 7';
CREATE OPERATOR <= (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_le_uuid,
    COMMUTATOR = >=, NEGATOR = >, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
COMMENT ON OPERATOR <= (timestamptz, uuid) IS 'not later than time inside UUID version 7';
CREATE OPERATOR >= (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_ge_uuid,
    COMMUTATOR = <=, NEGATOR = <, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
COMMENT ON OPERATOR >= (timestamptz, uuid) IS 'not earlier than time inside UUID version 7';
CREATE OPERATOR > (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_gt_uuid,
    COMMUTATOR = <, NEGATOR = <=, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
COMMENT ON OPERATOR > (timestamptz, uuid) IS 'later than time inside UUID version 7';

-- uuid and tstzrange

-- The operators take a domain, because PostgreSQL prefers operators whose types match exactly. With tstzrange itself, it would
-- take the literal in `tstzrange_column @> '[2026-01-01,2026-02-01)'`, or a parameter in its place, for a uuid.
CREATE DOMAIN uuid_tstzrange AS tstzrange;
COMMENT ON DOMAIN uuid_tstzrange IS 'tstzrange as operand of <@ and @> of uuid';

CREATE FUNCTION uuid_contained_by_tstzrange(uuid, uuid_tstzrange) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_contained_by_tstzrange_wrapper';
COMMENT ON FUNCTION uuid_contained_by_tstzrange(uuid, uuid_tstzrange) IS 'implementation of <@ operator';
CREATE FUNCTION tstzrange_contains_uuid(uuid_tstzrange, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'tstzrange_contains_uuid_wrapper';
COMMENT ON FUNCTION tstzrange_contains_uuid(uuid_tstzrange, uuid) IS 'implementation of @> operator';

CREATE OPERATOR <@ (LEFTARG = uuid, RIGHTARG = uuid_tstzrange, FUNCTION = uuid_contained_by_tstzrange,
    COMMUTATOR = @>, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
COMMENT ON OPERATOR <@ (uuid, uuid_tstzrange) IS 'time inside UUID version 7 is contained by';
CREATE OPERATOR @> (LEFTARG = uuid_tstzrange, RIGHTARG = uuid, FUNCTION = tstzrange_contains_uuid,
    COMMUTATOR = <@, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
COMMENT ON OPERATOR @> (uuid_tstzrange, uuid) IS 'contains time inside UUID version 7';

-- uuid and tstzmultirange

-- For the same reason, these operators take domains on both sides. The literal in `id <@ literal` is therefore still taken for a
-- tstzrange and, as without the extension, a literal next to a tstzmultirange for a tstzmultirange.
CREATE DOMAIN uuid_operand AS uuid;
COMMENT ON DOMAIN uuid_operand IS 'uuid as operand of <@ and @> of tstzmultirange';
CREATE DOMAIN uuid_tstzmultirange AS tstzmultirange;
COMMENT ON DOMAIN uuid_tstzmultirange IS 'tstzmultirange as operand of <@ and @> of uuid';

CREATE FUNCTION uuid_in_tstzmultirange(uuid, tstzmultirange) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_in_tstzmultirange_wrapper';
COMMENT ON FUNCTION uuid_in_tstzmultirange(uuid, tstzmultirange) IS 'whether the time inside UUID version 7 is in one of the ranges; used in plans for id <@ multirange';
-- The following two functions are not STRICT, so that they can be inlined, but they return null for null. They call functions by
-- qualified names or with exact types, because the schema may have functions that match better than core's polymorphic ones.
CREATE FUNCTION uuid_contained_by_tstzmultirange(uuid_operand, uuid_tstzmultirange) RETURNS boolean
    LANGUAGE sql IMMUTABLE LEAKPROOF PARALLEL SAFE
    RETURN uuid_contained_by_tstzrange($1::uuid, pg_catalog.range_merge($2::tstzmultirange)::uuid_tstzrange) AND uuid_in_tstzmultirange($1::uuid, $2::tstzmultirange);
COMMENT ON FUNCTION uuid_contained_by_tstzmultirange(uuid_operand, uuid_tstzmultirange) IS 'implementation of <@ operator';
CREATE FUNCTION tstzmultirange_contains_uuid(uuid_tstzmultirange, uuid_operand) RETURNS boolean
    LANGUAGE sql IMMUTABLE LEAKPROOF PARALLEL SAFE
    RETURN uuid_contained_by_tstzrange($2::uuid, pg_catalog.range_merge($1::tstzmultirange)::uuid_tstzrange) AND uuid_in_tstzmultirange($2::uuid, $1::tstzmultirange);
COMMENT ON FUNCTION tstzmultirange_contains_uuid(uuid_tstzmultirange, uuid_operand) IS 'implementation of @> operator';

CREATE OPERATOR <@ (LEFTARG = uuid_operand, RIGHTARG = uuid_tstzmultirange, FUNCTION = uuid_contained_by_tstzmultirange,
    COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel);
COMMENT ON OPERATOR <@ (uuid_operand, uuid_tstzmultirange) IS 'time inside UUID version 7 is contained by';
CREATE OPERATOR @> (LEFTARG = uuid_tstzmultirange, RIGHTARG = uuid_operand, FUNCTION = tstzmultirange_contains_uuid,
    COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel);
COMMENT ON OPERATOR @> (uuid_tstzmultirange, uuid_operand) IS 'contains time inside UUID version 7';

-- ==== uuid_time_ops: an operator class of UUIDs by the time inside them ====

-- The order is that of (coalesce(uuid_extract_time(id), '-infinity'), id), and equality is core's =.
--
-- A timestamptz needs a position among UUIDs, many of which share an instant. If all UUIDs of an instant were equal to its
-- timestamptz, they would have to equal each other, because a btree operator family is one total order over its types.
-- PostgreSQL relies on this order when it drops the weaker of two conditions, performs merge joins, or prunes partitions. So in
-- this family, a timestamptz t is a separate point, before all UUIDs of its instant and after all earlier UUIDs, and equals none:
--
--     id ~<~ t     the time of id is before t         id ~>=~ t    it is t or later
--
-- A family must have all five comparisons for each pair of types, although no query needs the remaining ones. They have names of
-- their own, such as ~<=|~ ~=|~ ~>|~, because "less or equal" means "less" if nothing equals t, whereas ~<=~ would suggest "t or
-- earlier". The family also needs comparisons of two timestamptz. These have separate names, because if core's = were a member of
-- a second family, the planner could not combine that = with date = timestamptz in an equivalence class, in any query of the
-- database.

-- uuid, uuid

CREATE FUNCTION uuid_time_lt(uuid, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_lt_wrapper';
COMMENT ON FUNCTION uuid_time_lt(uuid, uuid) IS 'implementation of ~<~ operator';
CREATE FUNCTION uuid_time_le(uuid, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_le_wrapper';
COMMENT ON FUNCTION uuid_time_le(uuid, uuid) IS 'implementation of ~<=~ operator';
CREATE FUNCTION uuid_time_ge(uuid, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_ge_wrapper';
COMMENT ON FUNCTION uuid_time_ge(uuid, uuid) IS 'implementation of ~>=~ operator';
CREATE FUNCTION uuid_time_gt(uuid, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_gt_wrapper';
COMMENT ON FUNCTION uuid_time_gt(uuid, uuid) IS 'implementation of ~>~ operator';
CREATE FUNCTION uuid_time_cmp(uuid, uuid) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_cmp_wrapper';
COMMENT ON FUNCTION uuid_time_cmp(uuid, uuid) IS 'less-equal-greater by the time inside, then by bytes';

CREATE OPERATOR ~<~ (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uuid_time_lt,
    COMMUTATOR = ~>~, NEGATOR = ~>=~, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR ~<~ (uuid, uuid) IS 'less than by the time inside, then by bytes';
CREATE OPERATOR ~<=~ (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uuid_time_le,
    COMMUTATOR = ~>=~, NEGATOR = ~>~, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR ~<=~ (uuid, uuid) IS 'less than or equal by the time inside, then by bytes';
CREATE OPERATOR ~>=~ (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uuid_time_ge,
    COMMUTATOR = ~<=~, NEGATOR = ~<~, RESTRICT = scalargesel, JOIN = scalargejoinsel);
COMMENT ON OPERATOR ~>=~ (uuid, uuid) IS 'greater than or equal by the time inside, then by bytes';
CREATE OPERATOR ~>~ (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uuid_time_gt,
    COMMUTATOR = ~<~, NEGATOR = ~<=~, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR ~>~ (uuid, uuid) IS 'greater than by the time inside, then by bytes';

-- uuid, timestamptz and timestamptz, uuid

CREATE FUNCTION uuid_time_lt(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_lt_timestamptz_wrapper';
COMMENT ON FUNCTION uuid_time_lt(uuid, timestamptz) IS 'implementation of ~<~ operator';
CREATE FUNCTION uuid_time_ge(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_ge_timestamptz_wrapper';
COMMENT ON FUNCTION uuid_time_ge(uuid, timestamptz) IS 'implementation of ~>=~ operator';
CREATE FUNCTION uuid_time_cmp(uuid, timestamptz) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_cmp_timestamptz_wrapper';
COMMENT ON FUNCTION uuid_time_cmp(uuid, timestamptz) IS 'less-greater of a UUID and a timestamptz';
CREATE FUNCTION uuid_time_never_equal(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_never_equal_wrapper';
COMMENT ON FUNCTION uuid_time_never_equal(uuid, timestamptz) IS 'implementation of ~=|~ operator';

CREATE FUNCTION uuid_time_gt(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_gt_uuid_time_wrapper';
COMMENT ON FUNCTION uuid_time_gt(timestamptz, uuid) IS 'implementation of ~>~ operator';
CREATE FUNCTION uuid_time_le(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_le_uuid_time_wrapper';
COMMENT ON FUNCTION uuid_time_le(timestamptz, uuid) IS 'implementation of ~<=~ operator';
CREATE FUNCTION uuid_time_cmp(timestamptz, uuid) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_cmp_uuid_time_wrapper';
COMMENT ON FUNCTION uuid_time_cmp(timestamptz, uuid) IS 'less-greater of a timestamptz and a UUID';
CREATE FUNCTION uuid_time_never_equal(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_never_equal_wrapper';
COMMENT ON FUNCTION uuid_time_never_equal(timestamptz, uuid) IS 'implementation of ~=|~ operator';

CREATE OPERATOR ~<~ (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_time_lt,
    COMMUTATOR = ~>~, NEGATOR = ~>=~, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
COMMENT ON OPERATOR ~<~ (uuid, timestamptz) IS 'time inside is before; a UUID without a time is before every time';
CREATE OPERATOR ~>=~ (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_time_ge,
    COMMUTATOR = ~<=~, NEGATOR = ~<~, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
COMMENT ON OPERATOR ~>=~ (uuid, timestamptz) IS 'time inside is the same or after';
CREATE OPERATOR ~>~ (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uuid_time_gt,
    COMMUTATOR = ~<~, NEGATOR = ~<=~, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
COMMENT ON OPERATOR ~>~ (timestamptz, uuid) IS 'time inside is before; a UUID without a time is before every time';
CREATE OPERATOR ~<=~ (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uuid_time_le,
    COMMUTATOR = ~>=~, NEGATOR = ~>~, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
COMMENT ON OPERATOR ~<=~ (timestamptz, uuid) IS 'time inside is the same or after';

CREATE OPERATOR ~<=|~ (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_time_lt,
    COMMUTATOR = ~>=|~, NEGATOR = ~>|~, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
COMMENT ON OPERATOR ~<=|~ (uuid, timestamptz) IS 'same as ~<~, for uuid_time_ops';
CREATE OPERATOR ~=|~ (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_time_never_equal,
    COMMUTATOR = ~=|~, RESTRICT = eqsel, JOIN = eqjoinsel);
COMMENT ON OPERATOR ~=|~ (uuid, timestamptz) IS 'false, for uuid_time_ops';
CREATE OPERATOR ~>|~ (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_time_ge,
    COMMUTATOR = ~<|~, NEGATOR = ~<=|~, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
COMMENT ON OPERATOR ~>|~ (uuid, timestamptz) IS 'same as ~>=~, for uuid_time_ops';
CREATE OPERATOR ~<|~ (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uuid_time_le,
    COMMUTATOR = ~>|~, NEGATOR = ~>=|~, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
COMMENT ON OPERATOR ~<|~ (timestamptz, uuid) IS 'same as ~<=~, for uuid_time_ops';
CREATE OPERATOR ~=|~ (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uuid_time_never_equal,
    COMMUTATOR = ~=|~, RESTRICT = eqsel, JOIN = eqjoinsel);
COMMENT ON OPERATOR ~=|~ (timestamptz, uuid) IS 'false, for uuid_time_ops';
CREATE OPERATOR ~>=|~ (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uuid_time_gt,
    COMMUTATOR = ~<=|~, NEGATOR = ~<|~, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
COMMENT ON OPERATOR ~>=|~ (timestamptz, uuid) IS 'same as ~>~, for uuid_time_ops';

CREATE FUNCTION uuid_time_next(timestamptz) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_next_wrapper';
COMMENT ON FUNCTION uuid_time_next(timestamptz) IS 'the next microsecond; used in plans for id <= time and id > time';

-- timestamptz, timestamptz: core's comparisons

CREATE OPERATOR ~<~ (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_lt,
    COMMUTATOR = ~>~, NEGATOR = ~>=~, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR ~<~ (timestamptz, timestamptz) IS 'same as <, for uuid_time_ops';
CREATE OPERATOR ~<=~ (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_le,
    COMMUTATOR = ~>=~, NEGATOR = ~>~, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR ~<=~ (timestamptz, timestamptz) IS 'same as <=, for uuid_time_ops';
CREATE OPERATOR ~=|~ (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_eq,
    COMMUTATOR = ~=|~, RESTRICT = eqsel, JOIN = eqjoinsel);
COMMENT ON OPERATOR ~=|~ (timestamptz, timestamptz) IS 'same as =, for uuid_time_ops';
CREATE OPERATOR ~>=~ (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_ge,
    COMMUTATOR = ~<=~, NEGATOR = ~<~, RESTRICT = scalargesel, JOIN = scalargejoinsel);
COMMENT ON OPERATOR ~>=~ (timestamptz, timestamptz) IS 'same as >=, for uuid_time_ops';
CREATE OPERATOR ~>~ (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_gt,
    COMMUTATOR = ~<~, NEGATOR = ~<=~, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR ~>~ (timestamptz, timestamptz) IS 'same as >, for uuid_time_ops';

-- The class and its family

CREATE FUNCTION uuid_time_sortsupport(internal) RETURNS void
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_sortsupport_wrapper';
COMMENT ON FUNCTION uuid_time_sortsupport(internal) IS 'sort support of uuid_time_ops';
-- The arguments are value, base, offset, subtract and less. The function is STABLE, because months and days depend on the
-- session's time zone.
CREATE FUNCTION uuid_time_in_range(uuid, uuid, interval, boolean, boolean) RETURNS boolean
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_in_range_wrapper';
COMMENT ON FUNCTION uuid_time_in_range(uuid, uuid, interval, boolean, boolean) IS 'window frames with RANGE and an interval for uuid_time_ops';

CREATE OPERATOR FAMILY uuid_time_ops USING btree;
COMMENT ON OPERATOR FAMILY uuid_time_ops USING btree IS 'UUIDs by the time inside them, with comparisons to timestamptz';
CREATE OPERATOR CLASS uuid_time_ops FOR TYPE uuid USING btree FAMILY uuid_time_ops AS
    OPERATOR 1 ~<~, OPERATOR 2 ~<=~, OPERATOR 3 =, OPERATOR 4 ~>=~, OPERATOR 5 ~>~,
    FUNCTION 1 uuid_time_cmp(uuid, uuid),
    FUNCTION 2 uuid_time_sortsupport(internal),
    FUNCTION 3 (uuid, interval) uuid_time_in_range(uuid, uuid, interval, boolean, boolean),
    FUNCTION 4 btequalimage(oid);
COMMENT ON OPERATOR CLASS uuid_time_ops USING btree IS 'UUIDs by the time inside them, then by bytes; those without a time first';
ALTER OPERATOR FAMILY uuid_time_ops USING btree ADD
    OPERATOR 1 ~<~ (uuid, timestamptz),
    OPERATOR 2 ~<=|~ (uuid, timestamptz),
    OPERATOR 3 ~=|~ (uuid, timestamptz),
    OPERATOR 4 ~>=~ (uuid, timestamptz),
    OPERATOR 5 ~>|~ (uuid, timestamptz),
    FUNCTION 1 uuid_time_cmp(uuid, timestamptz),
    OPERATOR 1 ~<|~ (timestamptz, uuid),
    OPERATOR 2 ~<=~ (timestamptz, uuid),
    OPERATOR 3 ~=|~ (timestamptz, uuid),
    OPERATOR 4 ~>=|~ (timestamptz, uuid),
    OPERATOR 5 ~>~ (timestamptz, uuid),
    FUNCTION 1 uuid_time_cmp(timestamptz, uuid),
    OPERATOR 1 ~<~ (timestamptz, timestamptz),
    OPERATOR 2 ~<=~ (timestamptz, timestamptz),
    OPERATOR 3 ~=|~ (timestamptz, timestamptz),
    OPERATOR 4 ~>=~ (timestamptz, timestamptz),
    OPERATOR 5 ~>~ (timestamptz, timestamptz),
    FUNCTION 1 timestamptz_cmp(timestamptz, timestamptz);

-- ==== Comparisons of uuid with timestamptz as members of PostgreSQL's own operator families of uuid ====

-- The families are total orders, as explained for uuid_time_ops. In these families, a timestamptz t represents one UUID, the first
-- that is not earlier than t: uuidv7_lower_bound(t). (If t were a point that equals none, the planner could not conclude that a
-- partition that ends at uuidv7_lower_bound(t) lies before t.)
--
--     id < t     the UUID is before the one that t represents         id >= t     the UUID is that one, or after it
--
-- These two operators have the same meaning in queries, so they are members. The operators <= and > are not, because in queries
-- id <= t means id < uuid_time_next(t), and id > t means id >= uuid_time_next(t). The other comparisons that a family must have
-- are separate operators that treat a timestamptz as the UUID that it represents; no query needs them.

CREATE FUNCTION uuid_cmp_timestamptz(uuid, timestamptz) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_cmp_timestamptz_wrapper';
COMMENT ON FUNCTION uuid_cmp_timestamptz(uuid, timestamptz) IS 'less-equal-greater, with timestamptz treated as a UUID';
CREATE FUNCTION timestamptz_cmp_uuid(timestamptz, uuid) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_cmp_uuid_wrapper';
COMMENT ON FUNCTION timestamptz_cmp_uuid(timestamptz, uuid) IS 'less-equal-greater, with timestamptz treated as a UUID';
CREATE FUNCTION timestamptz_cmp_as_uuid(timestamptz, timestamptz) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_cmp_as_uuid_wrapper';
COMMENT ON FUNCTION timestamptz_cmp_as_uuid(timestamptz, timestamptz) IS 'less-equal-greater of timestamptz that are treated as UUIDs';

CREATE FUNCTION uuid_le_timestamptz_as_uuid(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_le_timestamptz_as_uuid_wrapper';
COMMENT ON FUNCTION uuid_le_timestamptz_as_uuid(uuid, timestamptz) IS 'implementation of <=| operator';
CREATE FUNCTION uuid_eq_timestamptz_as_uuid(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_eq_timestamptz_as_uuid_wrapper';
COMMENT ON FUNCTION uuid_eq_timestamptz_as_uuid(uuid, timestamptz) IS 'implementation of =| operator';
CREATE FUNCTION uuid_gt_timestamptz_as_uuid(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_gt_timestamptz_as_uuid_wrapper';
COMMENT ON FUNCTION uuid_gt_timestamptz_as_uuid(uuid, timestamptz) IS 'implementation of >| operator';
CREATE FUNCTION timestamptz_as_uuid_lt_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_as_uuid_lt_uuid_wrapper';
COMMENT ON FUNCTION timestamptz_as_uuid_lt_uuid(timestamptz, uuid) IS 'implementation of <| operator';
CREATE FUNCTION timestamptz_as_uuid_eq_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_as_uuid_eq_uuid_wrapper';
COMMENT ON FUNCTION timestamptz_as_uuid_eq_uuid(timestamptz, uuid) IS 'implementation of =| operator';
CREATE FUNCTION timestamptz_as_uuid_ge_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_as_uuid_ge_uuid_wrapper';
COMMENT ON FUNCTION timestamptz_as_uuid_ge_uuid(timestamptz, uuid) IS 'implementation of >=| operator';
CREATE FUNCTION timestamptz_lt_as_uuid(timestamptz, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_lt_as_uuid_wrapper';
COMMENT ON FUNCTION timestamptz_lt_as_uuid(timestamptz, timestamptz) IS 'implementation of <| operator';
CREATE FUNCTION timestamptz_le_as_uuid(timestamptz, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_le_as_uuid_wrapper';
COMMENT ON FUNCTION timestamptz_le_as_uuid(timestamptz, timestamptz) IS 'implementation of <=| operator';
CREATE FUNCTION timestamptz_eq_as_uuid(timestamptz, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_eq_as_uuid_wrapper';
COMMENT ON FUNCTION timestamptz_eq_as_uuid(timestamptz, timestamptz) IS 'implementation of =| operator';
CREATE FUNCTION timestamptz_ge_as_uuid(timestamptz, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_ge_as_uuid_wrapper';
COMMENT ON FUNCTION timestamptz_ge_as_uuid(timestamptz, timestamptz) IS 'implementation of >=| operator';
CREATE FUNCTION timestamptz_gt_as_uuid(timestamptz, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_gt_as_uuid_wrapper';
COMMENT ON FUNCTION timestamptz_gt_as_uuid(timestamptz, timestamptz) IS 'implementation of >| operator';

CREATE OPERATOR <=| (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_le_timestamptz_as_uuid,
    COMMUTATOR = >=|, NEGATOR = >|, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR <=| (uuid, timestamptz) IS 'less than or equal, with timestamptz treated as a UUID; used only in operator families';
CREATE OPERATOR =| (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_eq_timestamptz_as_uuid,
    COMMUTATOR = =|, RESTRICT = eqsel, JOIN = eqjoinsel);
COMMENT ON OPERATOR =| (uuid, timestamptz) IS 'equal, with timestamptz treated as a UUID; used only in operator families';
CREATE OPERATOR >| (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_gt_timestamptz_as_uuid,
    COMMUTATOR = <|, NEGATOR = <=|, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR >| (uuid, timestamptz) IS 'greater than, with timestamptz treated as a UUID; used only in operator families';
CREATE OPERATOR <| (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_as_uuid_lt_uuid,
    COMMUTATOR = >|, NEGATOR = >=|, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR <| (timestamptz, uuid) IS 'less than, with timestamptz treated as a UUID; used only in operator families';
CREATE OPERATOR =| (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_as_uuid_eq_uuid,
    COMMUTATOR = =|, RESTRICT = eqsel, JOIN = eqjoinsel);
COMMENT ON OPERATOR =| (timestamptz, uuid) IS 'equal, with timestamptz treated as a UUID; used only in operator families';
CREATE OPERATOR >=| (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_as_uuid_ge_uuid,
    COMMUTATOR = <=|, NEGATOR = <|, RESTRICT = scalargesel, JOIN = scalargejoinsel);
COMMENT ON OPERATOR >=| (timestamptz, uuid) IS 'greater than or equal, with timestamptz treated as a UUID; used only in operator families';
CREATE OPERATOR <| (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_lt_as_uuid,
    COMMUTATOR = >|, NEGATOR = >=|, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR <| (timestamptz, timestamptz) IS 'less than, with timestamptz treated as a UUID; used only in operator families';
CREATE OPERATOR <=| (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_le_as_uuid,
    COMMUTATOR = >=|, NEGATOR = >|, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR <=| (timestamptz, timestamptz) IS 'less than or equal, with timestamptz treated as a UUID; used only in operator families';
CREATE OPERATOR =| (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_eq_as_uuid,
    COMMUTATOR = =|, RESTRICT = eqsel, JOIN = eqjoinsel);
COMMENT ON OPERATOR =| (timestamptz, timestamptz) IS 'equal, with timestamptz treated as a UUID; used only in operator families';
CREATE OPERATOR >=| (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_ge_as_uuid,
    COMMUTATOR = <=|, NEGATOR = <|, RESTRICT = scalargesel, JOIN = scalargejoinsel);
COMMENT ON OPERATOR >=| (timestamptz, timestamptz) IS 'greater than or equal, with timestamptz treated as a UUID; used only in operator families';
CREATE OPERATOR >| (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_gt_as_uuid,
    COMMUTATOR = <|, NEGATOR = <=|, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR >| (timestamptz, timestamptz) IS 'greater than, with timestamptz treated as a UUID; used only in operator families';

CREATE FUNCTION uuid_ops_add_timestamptz() RETURNS void
    LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'uuid_ops_add_timestamptz_wrapper';
COMMENT ON FUNCTION uuid_ops_add_timestamptz() IS 'add the comparisons of uuid with timestamptz to PostgreSQL''s operator families for uuid if they are missing, as after pg_upgrade';
-- This must be the last statement, because in this script the function also checks that no other function of the schema makes
-- calls ambiguous (src/post_install.rs).
SELECT uuid_ops_add_timestamptz();

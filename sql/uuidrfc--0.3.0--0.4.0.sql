\echo Use "ALTER EXTENSION uuidrfc UPDATE TO '0.4.0'" to load this file. \quit

COMMENT ON FUNCTION uuid_time_next(timestamptz) IS 'the next microsecond; stands in plans for id <= time and id > time';

-- TypeIDs

-- The planner calls it for each function that has an inverse, which has the library loaded before it hands out the conditions of a
-- query: see src/time_predicate/inverse.rs.
CREATE FUNCTION uuid_inverse_support(internal) RETURNS internal
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_inverse_support_wrapper';
COMMENT ON FUNCTION uuid_inverse_support(internal) IS 'planner support for uuid_seal and typeid_encode';

CREATE FUNCTION typeid_encode(prefix text, id uuid) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE SUPPORT uuid_inverse_support AS 'MODULE_PATHNAME', 'typeid_encode_wrapper';
COMMENT ON FUNCTION typeid_encode(text, uuid) IS 'TypeID of a prefix and a UUID';
CREATE FUNCTION typeid_decode(typeid text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'typeid_decode_wrapper';
COMMENT ON FUNCTION typeid_decode(text) IS 'UUID of a TypeID';
CREATE FUNCTION typeid_decode(typeid text, prefix text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'typeid_decode_of_wrapper';
COMMENT ON FUNCTION typeid_decode(text, text) IS 'UUID of a TypeID that must have this prefix';
CREATE FUNCTION typeid_prefix(typeid text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'typeid_prefix_wrapper';
COMMENT ON FUNCTION typeid_prefix(text) IS 'prefix of a TypeID';
CREATE FUNCTION typeid_decode_or_null(text, text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'typeid_decode_or_null_wrapper';
COMMENT ON FUNCTION typeid_decode_or_null(text, text) IS 'UUID of a TypeID of this prefix, else null; stands in plans for typeid_encode(prefix, id) = text';
CREATE FUNCTION typeid_decode_or_null(text[], text) RETURNS uuid[]
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'typeid_decode_many_wrapper';
COMMENT ON FUNCTION typeid_decode_or_null(text[], text) IS 'UUIDs of the TypeIDs of this prefix; stands in plans for typeid_encode(prefix, id) = ANY (texts)';

-- Sealed keys

-- With a key that the statement has, the result depends on nothing else. The keys of the file can change, and a parallel worker would
-- find others than its leader, which has read them before.
CREATE FUNCTION uuid_seal(id uuid, key bytea) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 20 SUPPORT uuid_inverse_support AS 'MODULE_PATHNAME', 'uuid_seal_by_key_wrapper';
COMMENT ON FUNCTION uuid_seal(uuid, bytea) IS 'UUID version 4 that stands for UUID version 7 under a key of 32 octets';
CREATE FUNCTION uuid_unseal(id uuid, key bytea) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 20 AS 'MODULE_PATHNAME', 'uuid_unseal_by_key_wrapper';
COMMENT ON FUNCTION uuid_unseal(uuid, bytea) IS 'UUID version 7 that UUID version 4 stands for under a key of 32 octets';
CREATE FUNCTION uuid_seal(id uuid) RETURNS uuid
    LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 20 SUPPORT uuid_inverse_support AS 'MODULE_PATHNAME', 'uuid_seal_wrapper';
COMMENT ON FUNCTION uuid_seal(uuid) IS 'UUID version 4 that stands for UUID version 7 under the first key of uuidrfc.seal_key_file';
CREATE FUNCTION uuid_unseal(id uuid) RETURNS uuid
    LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 20 AS 'MODULE_PATHNAME', 'uuid_unseal_wrapper';
COMMENT ON FUNCTION uuid_unseal(uuid) IS 'UUID version 7 that UUID version 4 stands for under the first key of uuidrfc.seal_key_file';
CREATE FUNCTION uuid_unseal_with(id uuid, key_id integer) RETURNS uuid
    LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 20 AS 'MODULE_PATHNAME', 'uuid_unseal_with_wrapper';
COMMENT ON FUNCTION uuid_unseal_with(uuid, integer) IS 'UUID version 7 that UUID version 4 stands for under the key of this ID in uuidrfc.seal_key_file';
CREATE FUNCTION uuid_unseal_or_null(uuid) RETURNS uuid
    LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 20 AS 'MODULE_PATHNAME', 'uuid_unseal_or_null_wrapper';
COMMENT ON FUNCTION uuid_unseal_or_null(uuid) IS 'UUID version 7 that UUID version 4 stands for, else null; stands in plans for uuid_seal(id) = uuid';
CREATE FUNCTION uuid_unseal_or_null(uuid[]) RETURNS uuid[]
    LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 100 AS 'MODULE_PATHNAME', 'uuid_unseal_many_wrapper';
COMMENT ON FUNCTION uuid_unseal_or_null(uuid[]) IS 'UUIDs version 7 that those of version 4 stand for; stands in plans for uuid_seal(id) = ANY (uuids)';
CREATE FUNCTION uuid_unseal_or_null(uuid, bytea) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 20 AS 'MODULE_PATHNAME', 'uuid_unseal_or_null_by_key_wrapper';
COMMENT ON FUNCTION uuid_unseal_or_null(uuid, bytea) IS 'UUID version 7 that UUID version 4 stands for under a key, else null; stands in plans for uuid_seal(id, key) = uuid';
CREATE FUNCTION uuid_unseal_or_null(uuid[], bytea) RETURNS uuid[]
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 100 AS 'MODULE_PATHNAME', 'uuid_unseal_many_by_key_wrapper';
COMMENT ON FUNCTION uuid_unseal_or_null(uuid[], bytea) IS 'UUIDs version 7 that those of version 4 stand for under a key; stands in plans for uuid_seal(id, key) = ANY (uuids)';

-- Ids of other systems

CREATE FUNCTION other_id_time(id text, system text, epoch timestamptz DEFAULT '-infinity') RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_time_of_text_wrapper';
COMMENT ON FUNCTION other_id_time(text, text, timestamptz) IS 'time inside an id of another system, to the microsecond; the system is ulid, lexicaluuid, snowflake, discord, mastodon, linkedin, pgedge, flake, shardingid, ksuid, elasticflake, flakeid, sonyflake, sonyflake-v2, ordereduuid, combguid-sql, combguid-sql-datetime, combguid-postgresql, combguid-postgresql-datetime, combguid-binary, combguid-nhibernate, combguid-rtcomb1, sid, pushid, xid, objectid or cuid';
CREATE FUNCTION other_id_time(id bigint, system text, epoch timestamptz DEFAULT '-infinity') RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_time_of_bigint_wrapper';
COMMENT ON FUNCTION other_id_time(bigint, text, timestamptz) IS 'time inside an id of another system, to the microsecond';
CREATE FUNCTION other_id_time(id bytea, system text, epoch timestamptz DEFAULT '-infinity') RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_time_of_bytea_wrapper';
COMMENT ON FUNCTION other_id_time(bytea, text, timestamptz) IS 'time inside an id of another system, to the microsecond';
CREATE FUNCTION other_id_time(id uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_time_of_uuid_wrapper';
COMMENT ON FUNCTION other_id_time(uuid, text, timestamptz) IS 'time inside an id of another system, to the microsecond';

CREATE FUNCTION other_id_fields(id text, system text, epoch timestamptz DEFAULT '-infinity') RETURNS jsonb
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_fields_of_text_wrapper';
COMMENT ON FUNCTION other_id_fields(text, text, timestamptz) IS 'every field of an id of another system';
CREATE FUNCTION other_id_fields(id bigint, system text, epoch timestamptz DEFAULT '-infinity') RETURNS jsonb
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_fields_of_bigint_wrapper';
COMMENT ON FUNCTION other_id_fields(bigint, text, timestamptz) IS 'every field of an id of another system';
CREATE FUNCTION other_id_fields(id bytea, system text, epoch timestamptz DEFAULT '-infinity') RETURNS jsonb
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_fields_of_bytea_wrapper';
COMMENT ON FUNCTION other_id_fields(bytea, text, timestamptz) IS 'every field of an id of another system';
CREATE FUNCTION other_id_fields(id uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS jsonb
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_fields_of_uuid_wrapper';
COMMENT ON FUNCTION other_id_fields(uuid, text, timestamptz) IS 'every field of an id of another system';

CREATE FUNCTION other_id_to_uuid(id text, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_to_uuid_of_text_wrapper';
COMMENT ON FUNCTION other_id_to_uuid(text, text, timestamptz) IS 'UUID version 7 or 8 that an id of another system is carried over to, in the order of the ids';
CREATE FUNCTION other_id_to_uuid(id bigint, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_to_uuid_of_bigint_wrapper';
COMMENT ON FUNCTION other_id_to_uuid(bigint, text, timestamptz) IS 'UUID version 7 or 8 that an id of another system is carried over to, in the order of the ids';
CREATE FUNCTION other_id_to_uuid(id bytea, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_to_uuid_of_bytea_wrapper';
COMMENT ON FUNCTION other_id_to_uuid(bytea, text, timestamptz) IS 'UUID version 7 or 8 that an id of another system is carried over to, in the order of the ids';
CREATE FUNCTION other_id_to_uuid(id uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_to_uuid_of_uuid_wrapper';
COMMENT ON FUNCTION other_id_to_uuid(uuid, text, timestamptz) IS 'UUID version 7 or 8 that an id of another system is carried over to, in the order of the ids';

CREATE FUNCTION uuid_to_other_id(uuid uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_to_other_id_wrapper';
COMMENT ON FUNCTION uuid_to_other_id(uuid, text, timestamptz) IS 'id of another system, as text, that was carried over to the UUID';
CREATE FUNCTION uuid_to_other_id_bigint(uuid uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS bigint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_to_other_id_bigint_wrapper';
COMMENT ON FUNCTION uuid_to_other_id_bigint(uuid, text, timestamptz) IS 'id of another system, as bigint, that was carried over to the UUID';
CREATE FUNCTION uuid_to_other_id_bytea(uuid uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS bytea
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_to_other_id_bytea_wrapper';
COMMENT ON FUNCTION uuid_to_other_id_bytea(uuid, text, timestamptz) IS 'id of another system, as bytea, that was carried over to the UUID';
CREATE FUNCTION uuid_to_other_id_uuid(uuid uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_to_other_id_uuid_wrapper';
COMMENT ON FUNCTION uuid_to_other_id_uuid(uuid, text, timestamptz) IS 'id of another system, as uuid, that was carried over to the UUID';

CREATE FUNCTION other_id_floor("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_floor_wrapper';
COMMENT ON FUNCTION other_id_floor(timestamptz, text, timestamptz) IS 'smallest id of another system, as text, in its unit of time at the given instant';
CREATE FUNCTION other_id_floor_bigint("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS bigint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_floor_bigint_wrapper';
COMMENT ON FUNCTION other_id_floor_bigint(timestamptz, text, timestamptz) IS 'smallest id of another system, as bigint, in its unit of time at the given instant';
CREATE FUNCTION other_id_floor_bytea("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS bytea
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_floor_bytea_wrapper';
COMMENT ON FUNCTION other_id_floor_bytea(timestamptz, text, timestamptz) IS 'smallest id of another system, as bytea, in its unit of time at the given instant';
CREATE FUNCTION other_id_floor_uuid("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_floor_uuid_wrapper';
COMMENT ON FUNCTION other_id_floor_uuid(timestamptz, text, timestamptz) IS 'smallest id of another system, as uuid, in its unit of time at the given instant';

CREATE FUNCTION other_id_ceil("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_ceil_wrapper';
COMMENT ON FUNCTION other_id_ceil(timestamptz, text, timestamptz) IS 'largest id of another system, as text, in its unit of time at the given instant';
CREATE FUNCTION other_id_ceil_bigint("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS bigint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_ceil_bigint_wrapper';
COMMENT ON FUNCTION other_id_ceil_bigint(timestamptz, text, timestamptz) IS 'largest id of another system, as bigint, in its unit of time at the given instant';
CREATE FUNCTION other_id_ceil_bytea("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS bytea
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_ceil_bytea_wrapper';
COMMENT ON FUNCTION other_id_ceil_bytea(timestamptz, text, timestamptz) IS 'largest id of another system, as bytea, in its unit of time at the given instant';
CREATE FUNCTION other_id_ceil_uuid("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_ceil_uuid_wrapper';
COMMENT ON FUNCTION other_id_ceil_uuid(timestamptz, text, timestamptz) IS 'largest id of another system, as uuid, in its unit of time at the given instant';

-- The horizon.

CREATE FUNCTION uuidv7_horizon() RETURNS uuid
    LANGUAGE c STABLE STRICT PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'uuidv7_horizon_wrapper';
COMMENT ON FUNCTION uuidv7_horizon() IS 'bound of a feed: each UUID version 7 of scope server below it is of a transaction that has ended, and is seen if it committed';
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
COMMENT ON FUNCTION uuidv7_horizon_holders() IS 'the open transactions that hold the horizon, first the one that it waits for; where first_value is null it is not known, and the horizon waits for all';

-- Conditions on the time inside a UUID.

COMMENT ON FUNCTION uuid_timestamptz_support(internal) IS 'planner support for comparisons of uuid, and of the time inside, with timestamptz and tstzrange';
ALTER FUNCTION uuid_extract_time(uuid) SUPPORT uuid_timestamptz_support;
ALTER FUNCTION uuid_extract_time_us(uuid) SUPPORT uuid_timestamptz_support;
-- 17 and later have a function of this name in pg_catalog, which must not be found.
SELECT pg_catalog.set_config('search_path', pg_catalog.quote_ident(pg_catalog.current_schema()) || ', pg_catalog, pg_temp', true);
ALTER FUNCTION uuid_extract_timestamp(pg_catalog.uuid) SUPPORT uuid_timestamptz_support;
SELECT pg_catalog.set_config('search_path', pg_catalog.quote_ident(pg_catalog.current_schema()) || ', pg_temp', true);
CREATE FUNCTION uuidv7_time(uuid uuid) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuidv7_time_wrapper';
COMMENT ON FUNCTION uuidv7_time(uuid) IS 'time inside UUID version 7, to the millisecond, else null; conditions on it use indexes, partitions and statistics of the UUID';
CREATE FUNCTION uuid_time_from(date) RETURNS timestamptz
    LANGUAGE c STABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_from_date_wrapper';
COMMENT ON FUNCTION uuid_time_from(date) IS 'start of a day in the session''s time zone; stands in plans for uuidv7_time(id) >= date';
CREATE FUNCTION uuid_time_from(timestamp) RETURNS timestamptz
    LANGUAGE c STABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_from_timestamp_wrapper';
COMMENT ON FUNCTION uuid_time_from(timestamp) IS 'time in the session''s time zone; stands in plans for uuidv7_time(id) >= timestamp';
CREATE FUNCTION uuid_time_least(timestamptz[]) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_least_wrapper';
COMMENT ON FUNCTION uuid_time_least(timestamptz[]) IS 'first of some times; stands in plans for uuidv7_time(id) >= ANY (times)';
CREATE FUNCTION uuid_time_greatest(timestamptz[]) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_greatest_wrapper';
COMMENT ON FUNCTION uuid_time_greatest(timestamptz[]) IS 'last of some times; stands in plans for uuidv7_time(id) <= ANY (times)';
CREATE FUNCTION uuid_tstzrange_span(tstzrange[]) RETURNS tstzrange
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_tstzrange_span_wrapper';
COMMENT ON FUNCTION uuid_tstzrange_span(tstzrange[]) IS 'from the first start to the last end of some ranges; stands in plans for id <@ ANY (ranges)';
CREATE FUNCTION uuid_time_milli(timestamptz) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_milli_wrapper';
COMMENT ON FUNCTION uuid_time_milli(timestamptz) IS 'millisecond that a time is in; stands in plans for uuid_extract_time_us(id) >= time';
CREATE FUNCTION uuid_tstzrange_milli(tstzrange) RETURNS tstzrange
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_tstzrange_milli_wrapper';
COMMENT ON FUNCTION uuid_tstzrange_milli(tstzrange) IS 'range of time with the whole milliseconds at its ends; stands in plans for uuid_extract_time_us(id) <@ range';
CREATE FUNCTION uuid_recheck(boolean) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_recheck_wrapper';
COMMENT ON FUNCTION uuid_recheck(boolean) IS 'its argument; stands in plans around a condition whose rows other conditions find and count';

-- Nodes.

CREATE FUNCTION uuid_extract_node_id(uuid uuid) RETURNS integer
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_node_id_wrapper';
COMMENT ON FUNCTION uuid_extract_node_id(uuid) IS 'node that made a UUID version 7, 6 or 1, of uuidrfc.node_bits bits, else null';
CREATE FUNCTION uuid_extract_node_id(uuid uuid, bits integer) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_node_id_of_wrapper';
COMMENT ON FUNCTION uuid_extract_node_id(uuid, integer) IS 'node that made a UUID version 7, 6 or 1, of so many bits, else null';

-- Plainer words.

COMMENT ON FUNCTION uuidv1() IS 'generate UUID version 1: current time, random multicast node';
COMMENT ON OPERATOR ~<~ (uuid, timestamptz) IS 'time inside is before; a UUID without a time is before every time';
COMMENT ON OPERATOR ~>~ (timestamptz, uuid) IS 'time inside is before; a UUID without a time is before every time';
COMMENT ON OPERATOR ~<=~ (uuid, timestamptz) IS 'time inside is the same or before; a UUID without a time is before every time';
COMMENT ON OPERATOR ~>=~ (timestamptz, uuid) IS 'time inside is the same or before; a UUID without a time is before every time';

-- Completion, as of a new extension.

CREATE FUNCTION uuidrfc_complete() RETURNS void
    LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'uuidrfc_complete_wrapper';
SELECT uuidrfc_complete();
DROP FUNCTION uuidrfc_complete();

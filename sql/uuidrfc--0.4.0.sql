\echo Use "CREATE EXTENSION uuidrfc" to load this file. \quit

-- The comments of the file and of the objects are left out: an update adds the latter (sql/repeatable.awk).

CREATE FUNCTION uuid_timestamptz_support(internal) RETURNS internal
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_timestamptz_support_wrapper';

SELECT pg_catalog.set_config('search_path', pg_catalog.quote_ident(pg_catalog.current_schema()) || ', pg_catalog, pg_temp', true);

CREATE FUNCTION uuidv4() RETURNS pg_catalog.uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv4_wrapper';
CREATE FUNCTION uuidv7() RETURNS pg_catalog.uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_wrapper';
CREATE FUNCTION uuidv7(shift interval) RETURNS pg_catalog.uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_shifted_wrapper';

CREATE FUNCTION uuid_extract_timestamp(uuid pg_catalog.uuid) RETURNS pg_catalog.timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_extract_timestamp_wrapper';
CREATE FUNCTION uuid_extract_version(uuid pg_catalog.uuid) RETURNS smallint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_version_wrapper';

SELECT pg_catalog.set_config('search_path', pg_catalog.quote_ident(pg_catalog.current_schema()) || ', pg_temp', true);

CREATE FUNCTION uuidv1() RETURNS uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv1_wrapper';
CREATE FUNCTION uuidv6() RETURNS uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv6_wrapper';

CREATE FUNCTION uuidv7_at("time" timestamptz) RETURNS uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_at_wrapper';
CREATE FUNCTION uuidv7_at("time" timestamptz, layout text) RETURNS uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_at_as_wrapper';
CREATE FUNCTION uuidv6_at("time" timestamptz) RETURNS uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv6_at_wrapper';

CREATE FUNCTION uuidv7_batch(n bigint) RETURNS SETOF uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_batch_wrapper';
CREATE FUNCTION uuidv7_array(n bigint) RETURNS uuid[]
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_array_wrapper';

CREATE FUNCTION uuidv7_horizon() RETURNS uuid
    LANGUAGE c STABLE STRICT PARALLEL RESTRICTED AS 'MODULE_PATHNAME', 'uuidv7_horizon_wrapper';
CREATE FUNCTION uuidv7_horizon_transactions(OUT pid integer, OUT transaction xid, OUT first_value uuid) RETURNS SETOF record
    LANGUAGE c VOLATILE STRICT PARALLEL RESTRICTED ROWS 10 AS 'MODULE_PATHNAME', 'uuidv7_horizon_transactions_wrapper';
CREATE FUNCTION uuidv7_horizon_holders(OUT pid integer, OUT gid text, OUT since timestamptz, OUT first_value uuid) RETURNS SETOF record
    LANGUAGE sql VOLATILE STRICT PARALLEL RESTRICTED ROWS 10
BEGIN ATOMIC
    SELECT held.pid, prepared.gid, coalesce(activity.xact_start, prepared.prepared), held.first_value
    FROM uuidv7_horizon_transactions() held
        LEFT JOIN pg_catalog.pg_stat_activity activity ON activity.pid = held.pid
        LEFT JOIN pg_catalog.pg_prepared_xacts prepared ON prepared.transaction = held.transaction
    ORDER BY held.first_value NULLS FIRST;
END;

CREATE FUNCTION uuidv7_time(uuid uuid) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuidv7_time_wrapper';
CREATE FUNCTION uuid_extract_time(uuid uuid) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_extract_time_wrapper';
CREATE FUNCTION uuid_extract_time(uuid uuid, layout text) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_time_as_wrapper';
CREATE FUNCTION uuid_extract_time_us(uuid uuid) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_extract_time_us_wrapper';

CREATE FUNCTION uuid_extract_variant(uuid uuid) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_variant_wrapper';
CREATE FUNCTION uuid_extract_clock_seq(uuid uuid) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_clock_seq_wrapper';
CREATE FUNCTION uuid_extract_node(uuid uuid) RETURNS macaddr
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_node_wrapper';
CREATE FUNCTION uuid_extract_node_id(uuid uuid) RETURNS integer
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_node_id_wrapper';
CREATE FUNCTION uuid_extract_node_id(uuid uuid, bits integer) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_node_id_of_wrapper';
CREATE FUNCTION uuid_inspect(uuid uuid) RETURNS jsonb
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_inspect_wrapper';

CREATE FUNCTION uuid_date_bin(stride interval, id uuid, origin timestamptz) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN date_bin(stride, uuid_extract_time(id), origin);

CREATE FUNCTION uuid_time_decoder(id uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuid_extract_time(id);
CREATE FUNCTION uuid_time_decoder(id text) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuid_extract_time(id::uuid);

CREATE FUNCTION uuid_v3(ns uuid, name text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_v3_of_text_wrapper';
CREATE FUNCTION uuid_v3(ns uuid, name bytea) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_v3_of_bytea_wrapper';
CREATE FUNCTION uuid_v5(ns uuid, name text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_v5_of_text_wrapper';
CREATE FUNCTION uuid_v5(ns uuid, name bytea) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_v5_of_bytea_wrapper';
CREATE FUNCTION uuid_v8(ns uuid, name text, hash text DEFAULT 'sha256') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_v8_of_text_wrapper';
CREATE FUNCTION uuid_v8(ns uuid, name bytea, hash text DEFAULT 'sha256') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_v8_of_bytea_wrapper';
CREATE FUNCTION uuid_v8_hashspace(hashspace uuid, ns uuid, name text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_v8_hashspace_of_text_wrapper';
CREATE FUNCTION uuid_v8_hashspace(hashspace uuid, ns uuid, name bytea) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_v8_hashspace_of_bytea_wrapper';
CREATE FUNCTION uuid_namespace(name text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_namespace_wrapper';
CREATE FUNCTION uuid_hashspace(hash text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_hashspace_wrapper';

CREATE FUNCTION uuid_v8_pack(custom_a bigint, custom_b integer, custom_c bigint) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_v8_of_fields_wrapper';

CREATE FUNCTION nil_uuid() RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'nil_uuid_wrapper';
CREATE FUNCTION max_uuid() RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'max_uuid_wrapper';

CREATE FUNCTION uuid_v1_to_v6(uuid uuid) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_v1_to_v6_wrapper';
CREATE FUNCTION uuid_v6_to_v1(uuid uuid) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_v6_to_v1_wrapper';

CREATE FUNCTION uuid_encode(uuid uuid, format text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_encode_wrapper';
CREATE FUNCTION uuid_decode(text text, format text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_decode_wrapper';

CREATE FUNCTION uuid_inverse_support(internal) RETURNS internal
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_inverse_support_wrapper';

CREATE FUNCTION typeid_encode(prefix text, id uuid) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE SUPPORT uuid_inverse_support AS 'MODULE_PATHNAME', 'typeid_encode_wrapper';
CREATE FUNCTION typeid_decode(typeid text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'typeid_decode_wrapper';
CREATE FUNCTION typeid_decode(typeid text, prefix text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'typeid_decode_of_wrapper';
CREATE FUNCTION typeid_prefix(typeid text) RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'typeid_prefix_wrapper';
CREATE FUNCTION typeid_decode_or_null(text, text) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'typeid_decode_or_null_wrapper';
CREATE FUNCTION typeid_decode_or_null(text[], text) RETURNS uuid[]
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'typeid_decode_many_wrapper';

CREATE FUNCTION uuid_seal(id uuid, key bytea) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 20 SUPPORT uuid_inverse_support AS 'MODULE_PATHNAME', 'uuid_seal_by_key_wrapper';
CREATE FUNCTION uuid_unseal(id uuid, key bytea) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 20 AS 'MODULE_PATHNAME', 'uuid_unseal_by_key_wrapper';
CREATE FUNCTION uuid_seal(id uuid) RETURNS uuid
    LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 20 SUPPORT uuid_inverse_support AS 'MODULE_PATHNAME', 'uuid_seal_wrapper';
CREATE FUNCTION uuid_unseal(id uuid) RETURNS uuid
    LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 20 AS 'MODULE_PATHNAME', 'uuid_unseal_wrapper';
CREATE FUNCTION uuid_unseal_with(id uuid, key_id integer) RETURNS uuid
    LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 20 AS 'MODULE_PATHNAME', 'uuid_unseal_with_wrapper';
CREATE FUNCTION uuid_unseal_or_null(uuid) RETURNS uuid
    LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 20 AS 'MODULE_PATHNAME', 'uuid_unseal_or_null_wrapper';
CREATE FUNCTION uuid_unseal_or_null(uuid[]) RETURNS uuid[]
    LANGUAGE c STABLE STRICT PARALLEL RESTRICTED COST 100 AS 'MODULE_PATHNAME', 'uuid_unseal_many_wrapper';
CREATE FUNCTION uuid_unseal_or_null(uuid, bytea) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 20 AS 'MODULE_PATHNAME', 'uuid_unseal_or_null_by_key_wrapper';
CREATE FUNCTION uuid_unseal_or_null(uuid[], bytea) RETURNS uuid[]
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE COST 100 AS 'MODULE_PATHNAME', 'uuid_unseal_many_by_key_wrapper';

CREATE FUNCTION other_id_time(id text, system text, epoch timestamptz DEFAULT '-infinity') RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_time_of_text_wrapper';
CREATE FUNCTION other_id_time(id bigint, system text, epoch timestamptz DEFAULT '-infinity') RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_time_of_bigint_wrapper';
CREATE FUNCTION other_id_time(id bytea, system text, epoch timestamptz DEFAULT '-infinity') RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_time_of_bytea_wrapper';
CREATE FUNCTION other_id_time(id uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_time_of_uuid_wrapper';

CREATE FUNCTION other_id_fields(id text, system text, epoch timestamptz DEFAULT '-infinity') RETURNS jsonb
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_fields_of_text_wrapper';
CREATE FUNCTION other_id_fields(id bigint, system text, epoch timestamptz DEFAULT '-infinity') RETURNS jsonb
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_fields_of_bigint_wrapper';
CREATE FUNCTION other_id_fields(id bytea, system text, epoch timestamptz DEFAULT '-infinity') RETURNS jsonb
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_fields_of_bytea_wrapper';
CREATE FUNCTION other_id_fields(id uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS jsonb
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_fields_of_uuid_wrapper';

CREATE FUNCTION other_id_to_uuid(id text, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_to_uuid_of_text_wrapper';
CREATE FUNCTION other_id_to_uuid(id bigint, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_to_uuid_of_bigint_wrapper';
CREATE FUNCTION other_id_to_uuid(id bytea, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_to_uuid_of_bytea_wrapper';
CREATE FUNCTION other_id_to_uuid(id uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_to_uuid_of_uuid_wrapper';

CREATE FUNCTION uuid_to_other_id(uuid uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_to_other_id_wrapper';
CREATE FUNCTION uuid_to_other_id_bigint(uuid uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS bigint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_to_other_id_bigint_wrapper';
CREATE FUNCTION uuid_to_other_id_bytea(uuid uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS bytea
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_to_other_id_bytea_wrapper';
CREATE FUNCTION uuid_to_other_id_uuid(uuid uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_to_other_id_uuid_wrapper';

CREATE FUNCTION other_id_floor("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_floor_wrapper';
CREATE FUNCTION other_id_floor_bigint("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS bigint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_floor_bigint_wrapper';
CREATE FUNCTION other_id_floor_bytea("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS bytea
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_floor_bytea_wrapper';
CREATE FUNCTION other_id_floor_uuid("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_floor_uuid_wrapper';

CREATE FUNCTION other_id_ceil("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS text
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_ceil_wrapper';
CREATE FUNCTION other_id_ceil_bigint("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS bigint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_ceil_bigint_wrapper';
CREATE FUNCTION other_id_ceil_bytea("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS bytea
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_ceil_bytea_wrapper';
CREATE FUNCTION other_id_ceil_uuid("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'other_id_ceil_uuid_wrapper';

CREATE FUNCTION uuid_least(uuid, uuid) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_least_wrapper';
CREATE FUNCTION uuid_greatest(uuid, uuid) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_greatest_wrapper';

CREATE AGGREGATE min(uuid) (
    SFUNC = uuid_least, STYPE = uuid, COMBINEFUNC = uuid_least, SORTOP = OPERATOR(pg_catalog.<), PARALLEL = SAFE
);
CREATE AGGREGATE max(uuid) (
    SFUNC = uuid_greatest, STYPE = uuid, COMBINEFUNC = uuid_greatest, SORTOP = OPERATOR(pg_catalog.>), PARALLEL = SAFE
);

CREATE DOMAIN uuid_v7 AS uuid
    CONSTRAINT uuid_v7_check CHECK (VALUE IS NULL OR uuid_extract_version(VALUE) IS NOT DISTINCT FROM 7);

CREATE FUNCTION uuidv7_floor("time" timestamptz) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_floor_wrapper';
CREATE FUNCTION uuidv7_ceil("time" timestamptz) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_ceil_wrapper';
CREATE FUNCTION uuidv6_floor("time" timestamptz) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv6_floor_wrapper';
CREATE FUNCTION uuidv6_ceil("time" timestamptz) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv6_ceil_wrapper';

CREATE FUNCTION uuidv7_lower_bound(timestamptz) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_lower_bound_wrapper';
CREATE FUNCTION uuidv7_upper_bound(timestamptz) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_upper_bound_wrapper';
CREATE FUNCTION uuidv7_lower_bound(tstzrange) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_range_lower_bound_wrapper';
CREATE FUNCTION uuidv7_upper_bound(tstzrange) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_range_upper_bound_wrapper';
CREATE FUNCTION uuid_tstzrange_start(tstzrange) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_tstzrange_start_wrapper';

CREATE FUNCTION uuid_time_from(date) RETURNS timestamptz
    LANGUAGE c STABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_from_date_wrapper';
CREATE FUNCTION uuid_time_from(timestamp) RETURNS timestamptz
    LANGUAGE c STABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_from_timestamp_wrapper';
CREATE FUNCTION uuid_time_least(timestamptz[]) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_least_wrapper';
CREATE FUNCTION uuid_time_greatest(timestamptz[]) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_greatest_wrapper';
CREATE FUNCTION uuid_tstzrange_span(tstzrange[]) RETURNS tstzrange
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_tstzrange_span_wrapper';
CREATE FUNCTION uuid_time_milli(timestamptz) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_milli_wrapper';
CREATE FUNCTION uuid_tstzrange_milli(tstzrange) RETURNS tstzrange
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_tstzrange_milli_wrapper';
CREATE FUNCTION uuid_recheck(boolean) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_recheck_wrapper';

CREATE FUNCTION uuid_timestamptz_sel(internal, oid, internal, integer) RETURNS float8
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_timestamptz_sel_wrapper';
CREATE FUNCTION uuid_timestamptz_joinsel(internal, oid, internal, smallint, internal) RETURNS float8
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_timestamptz_joinsel_wrapper';

CREATE FUNCTION uuid_lt_timestamptz(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_lt_timestamptz_wrapper';
CREATE FUNCTION uuid_le_timestamptz(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_le_timestamptz_wrapper';
CREATE FUNCTION uuid_ge_timestamptz(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_ge_timestamptz_wrapper';
CREATE FUNCTION uuid_gt_timestamptz(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_gt_timestamptz_wrapper';
CREATE FUNCTION timestamptz_lt_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'timestamptz_lt_uuid_wrapper';
CREATE FUNCTION timestamptz_le_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'timestamptz_le_uuid_wrapper';
CREATE FUNCTION timestamptz_ge_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'timestamptz_ge_uuid_wrapper';
CREATE FUNCTION timestamptz_gt_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'timestamptz_gt_uuid_wrapper';

CREATE OPERATOR < (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_lt_timestamptz,
    COMMUTATOR = >, NEGATOR = >=, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR <= (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_le_timestamptz,
    COMMUTATOR = >=, NEGATOR = >, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR >= (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_ge_timestamptz,
    COMMUTATOR = <=, NEGATOR = <, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR > (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_gt_timestamptz,
    COMMUTATOR = <, NEGATOR = <=, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR < (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_lt_uuid,
    COMMUTATOR = >, NEGATOR = >=, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR <= (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_le_uuid,
    COMMUTATOR = >=, NEGATOR = >, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR >= (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_ge_uuid,
    COMMUTATOR = <=, NEGATOR = <, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR > (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_gt_uuid,
    COMMUTATOR = <, NEGATOR = <=, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);

CREATE DOMAIN uuid_tstzrange AS tstzrange;

CREATE FUNCTION uuid_contained_by_tstzrange(uuid, uuid_tstzrange) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_contained_by_tstzrange_wrapper';
CREATE FUNCTION tstzrange_contains_uuid(uuid_tstzrange, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'tstzrange_contains_uuid_wrapper';

CREATE OPERATOR <@ (LEFTARG = uuid, RIGHTARG = uuid_tstzrange, FUNCTION = uuid_contained_by_tstzrange,
    COMMUTATOR = @>, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR @> (LEFTARG = uuid_tstzrange, RIGHTARG = uuid, FUNCTION = tstzrange_contains_uuid,
    COMMUTATOR = <@, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);

CREATE DOMAIN uuid_operand AS uuid;
CREATE DOMAIN uuid_tstzmultirange AS tstzmultirange;

CREATE FUNCTION uuid_in_tstzmultirange(uuid, tstzmultirange) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_in_tstzmultirange_wrapper';
CREATE FUNCTION uuid_contained_by_tstzmultirange(uuid_operand, uuid_tstzmultirange) RETURNS boolean
    LANGUAGE sql IMMUTABLE LEAKPROOF PARALLEL SAFE
    RETURN uuid_contained_by_tstzrange($1::uuid, pg_catalog.range_merge($2::tstzmultirange)::uuid_tstzrange) AND uuid_in_tstzmultirange($1::uuid, $2::tstzmultirange);
CREATE FUNCTION tstzmultirange_contains_uuid(uuid_tstzmultirange, uuid_operand) RETURNS boolean
    LANGUAGE sql IMMUTABLE LEAKPROOF PARALLEL SAFE
    RETURN uuid_contained_by_tstzrange($2::uuid, pg_catalog.range_merge($1::tstzmultirange)::uuid_tstzrange) AND uuid_in_tstzmultirange($2::uuid, $1::tstzmultirange);

CREATE OPERATOR <@ (LEFTARG = uuid_operand, RIGHTARG = uuid_tstzmultirange, FUNCTION = uuid_contained_by_tstzmultirange,
    COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel);
CREATE OPERATOR @> (LEFTARG = uuid_tstzmultirange, RIGHTARG = uuid_operand, FUNCTION = tstzmultirange_contains_uuid,
    COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel);

CREATE FUNCTION uuid_time_lt(uuid, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_lt_wrapper';
CREATE FUNCTION uuid_time_le(uuid, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_le_wrapper';
CREATE FUNCTION uuid_time_ge(uuid, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_ge_wrapper';
CREATE FUNCTION uuid_time_gt(uuid, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_gt_wrapper';
CREATE FUNCTION uuid_time_cmp(uuid, uuid) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_cmp_wrapper';

CREATE OPERATOR ~<~ (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uuid_time_lt,
    COMMUTATOR = ~>~, NEGATOR = ~>=~, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
CREATE OPERATOR ~<=~ (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uuid_time_le,
    COMMUTATOR = ~>=~, NEGATOR = ~>~, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
CREATE OPERATOR ~>=~ (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uuid_time_ge,
    COMMUTATOR = ~<=~, NEGATOR = ~<~, RESTRICT = scalargesel, JOIN = scalargejoinsel);
CREATE OPERATOR ~>~ (LEFTARG = uuid, RIGHTARG = uuid, FUNCTION = uuid_time_gt,
    COMMUTATOR = ~<~, NEGATOR = ~<=~, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);

CREATE FUNCTION uuid_time_lt(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_lt_timestamptz_wrapper';
CREATE FUNCTION uuid_time_ge(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_ge_timestamptz_wrapper';
CREATE FUNCTION uuid_time_cmp(uuid, timestamptz) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_cmp_timestamptz_wrapper';
CREATE FUNCTION uuid_time_never_equal(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_never_equal_wrapper';

CREATE FUNCTION uuid_time_gt(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_gt_uuid_time_wrapper';
CREATE FUNCTION uuid_time_le(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_le_uuid_time_wrapper';
CREATE FUNCTION uuid_time_cmp(timestamptz, uuid) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_cmp_uuid_time_wrapper';
CREATE FUNCTION uuid_time_never_equal(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_never_equal_wrapper';

CREATE OPERATOR ~<~ (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_time_lt,
    COMMUTATOR = ~>~, NEGATOR = ~>=~, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR ~>=~ (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_time_ge,
    COMMUTATOR = ~<=~, NEGATOR = ~<~, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR ~>~ (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uuid_time_gt,
    COMMUTATOR = ~<~, NEGATOR = ~<=~, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR ~<=~ (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uuid_time_le,
    COMMUTATOR = ~>=~, NEGATOR = ~>~, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);

CREATE OPERATOR ~<=|~ (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_time_lt,
    COMMUTATOR = ~>=|~, NEGATOR = ~>|~, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR ~=|~ (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_time_never_equal,
    COMMUTATOR = ~=|~, RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE OPERATOR ~>|~ (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_time_ge,
    COMMUTATOR = ~<|~, NEGATOR = ~<=|~, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR ~<|~ (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uuid_time_le,
    COMMUTATOR = ~>|~, NEGATOR = ~>=|~, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR ~=|~ (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uuid_time_never_equal,
    COMMUTATOR = ~=|~, RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE OPERATOR ~>=|~ (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uuid_time_gt,
    COMMUTATOR = ~<=|~, NEGATOR = ~<|~, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);

CREATE FUNCTION uuid_time_next(timestamptz) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_next_wrapper';

CREATE FUNCTION uuid_time_le(uuid, timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    RETURN $1 ~<~ uuid_time_next($2);
CREATE FUNCTION uuid_time_gt(uuid, timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    RETURN $1 ~>=~ uuid_time_next($2);
CREATE FUNCTION uuid_time_ge(timestamptz, uuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    RETURN $2 ~<~ uuid_time_next($1);
CREATE FUNCTION uuid_time_lt(timestamptz, uuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE
    RETURN $2 ~>=~ uuid_time_next($1);

CREATE OPERATOR ~<=~ (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_time_le,
    COMMUTATOR = ~>=~, NEGATOR = ~>~, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
CREATE OPERATOR ~>~ (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_time_gt,
    COMMUTATOR = ~<~, NEGATOR = ~<=~, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
CREATE OPERATOR ~>=~ (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uuid_time_ge,
    COMMUTATOR = ~<=~, NEGATOR = ~<~, RESTRICT = scalargesel, JOIN = scalargejoinsel);
CREATE OPERATOR ~<~ (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uuid_time_lt,
    COMMUTATOR = ~>~, NEGATOR = ~>=~, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);

CREATE OPERATOR ~<~ (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_lt,
    COMMUTATOR = ~>~, NEGATOR = ~>=~, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
CREATE OPERATOR ~<=~ (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_le,
    COMMUTATOR = ~>=~, NEGATOR = ~>~, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
CREATE OPERATOR ~=|~ (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_eq,
    COMMUTATOR = ~=|~, RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE OPERATOR ~>=~ (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_ge,
    COMMUTATOR = ~<=~, NEGATOR = ~<~, RESTRICT = scalargesel, JOIN = scalargejoinsel);
CREATE OPERATOR ~>~ (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_gt,
    COMMUTATOR = ~<~, NEGATOR = ~<=~, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);

CREATE FUNCTION uuid_time_sortsupport(internal) RETURNS void
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_sortsupport_wrapper';
CREATE FUNCTION uuid_time_skipsupport(internal) RETURNS void
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_skipsupport_wrapper';
CREATE FUNCTION uuid_time_in_range(uuid, uuid, interval, boolean, boolean) RETURNS boolean
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_in_range_wrapper';

CREATE OPERATOR FAMILY uuid_time_ops USING btree;
CREATE OPERATOR CLASS uuid_time_ops FOR TYPE uuid USING btree FAMILY uuid_time_ops AS
    OPERATOR 1 ~<~, OPERATOR 2 ~<=~, OPERATOR 3 =, OPERATOR 4 ~>=~, OPERATOR 5 ~>~,
    FUNCTION 1 uuid_time_cmp(uuid, uuid),
    FUNCTION 2 uuid_time_sortsupport(internal),
    FUNCTION 3 (uuid, interval) uuid_time_in_range(uuid, uuid, interval, boolean, boolean),
    FUNCTION 4 btequalimage(oid);
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

CREATE FUNCTION uuid_cmp_timestamptz(uuid, timestamptz) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_cmp_timestamptz_wrapper';
CREATE FUNCTION timestamptz_cmp_uuid(timestamptz, uuid) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_cmp_uuid_wrapper';
CREATE FUNCTION timestamptz_cmp_as_uuid(timestamptz, timestamptz) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_cmp_as_uuid_wrapper';

CREATE FUNCTION uuid_le_timestamptz_as_uuid(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_le_timestamptz_as_uuid_wrapper';
CREATE FUNCTION uuid_eq_timestamptz_as_uuid(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_eq_timestamptz_as_uuid_wrapper';
CREATE FUNCTION uuid_gt_timestamptz_as_uuid(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_gt_timestamptz_as_uuid_wrapper';
CREATE FUNCTION timestamptz_as_uuid_lt_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_as_uuid_lt_uuid_wrapper';
CREATE FUNCTION timestamptz_as_uuid_eq_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_as_uuid_eq_uuid_wrapper';
CREATE FUNCTION timestamptz_as_uuid_ge_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_as_uuid_ge_uuid_wrapper';
CREATE FUNCTION timestamptz_lt_as_uuid(timestamptz, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_lt_as_uuid_wrapper';
CREATE FUNCTION timestamptz_le_as_uuid(timestamptz, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_le_as_uuid_wrapper';
CREATE FUNCTION timestamptz_eq_as_uuid(timestamptz, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_eq_as_uuid_wrapper';
CREATE FUNCTION timestamptz_ge_as_uuid(timestamptz, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_ge_as_uuid_wrapper';
CREATE FUNCTION timestamptz_gt_as_uuid(timestamptz, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_gt_as_uuid_wrapper';

CREATE OPERATOR <=| (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_le_timestamptz_as_uuid,
    COMMUTATOR = >=|, NEGATOR = >|, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
CREATE OPERATOR =| (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_eq_timestamptz_as_uuid,
    COMMUTATOR = =|, RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE OPERATOR >| (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_gt_timestamptz_as_uuid,
    COMMUTATOR = <|, NEGATOR = <=|, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
CREATE OPERATOR <| (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_as_uuid_lt_uuid,
    COMMUTATOR = >|, NEGATOR = >=|, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
CREATE OPERATOR =| (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_as_uuid_eq_uuid,
    COMMUTATOR = =|, RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE OPERATOR >=| (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_as_uuid_ge_uuid,
    COMMUTATOR = <=|, NEGATOR = <|, RESTRICT = scalargesel, JOIN = scalargejoinsel);
CREATE OPERATOR <| (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_lt_as_uuid,
    COMMUTATOR = >|, NEGATOR = >=|, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
CREATE OPERATOR <=| (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_le_as_uuid,
    COMMUTATOR = >=|, NEGATOR = >|, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
CREATE OPERATOR =| (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_eq_as_uuid,
    COMMUTATOR = =|, RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE OPERATOR >=| (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_ge_as_uuid,
    COMMUTATOR = <=|, NEGATOR = <|, RESTRICT = scalargesel, JOIN = scalargejoinsel);
CREATE OPERATOR >| (LEFTARG = timestamptz, RIGHTARG = timestamptz, FUNCTION = timestamptz_gt_as_uuid,
    COMMUTATOR = <|, NEGATOR = <=|, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);

CREATE FUNCTION uuid_ops_add_timestamptz() RETURNS void
    LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'uuid_ops_add_timestamptz_wrapper';
SELECT uuid_ops_add_timestamptz();

CREATE FUNCTION uuidrfc_complete() RETURNS void
    LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'uuidrfc_complete_wrapper';
SELECT uuidrfc_complete();
DROP FUNCTION uuidrfc_complete();

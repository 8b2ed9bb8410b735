\echo Use "ALTER EXTENSION uuidrfc UPDATE TO '1.0.0'" to load this file. \quit

-- This script drops and renames objects. `make install` appends those that sql/uuidrfc.sql creates or replaces.

ALTER FUNCTION uuidv7_upper_bound(tstzrange) RENAME TO uuid_tstzrange_end;
-- Plans call uuid_unseal itself, so that a role that may not execute it cannot unseal by another function.
DROP FUNCTION uuid_unseal_or_null(uuid), uuid_unseal_or_null(uuid[]),
    uuid_unseal_or_null(uuid, bytea), uuid_unseal_or_null(uuid[], bytea), typeid_decode_or_null(text[], text);

-- One support function serves all.
ALTER FUNCTION typeid_encode(text, uuid) SUPPORT uuid_timestamptz_support;
ALTER FUNCTION uuid_seal(uuid, bytea) SUPPORT uuid_timestamptz_support;
ALTER FUNCTION uuid_seal(uuid) SUPPORT uuid_timestamptz_support;
DROP FUNCTION uuid_inverse_support(internal);

-- Skip scans do without skip support. On PostgreSQL 18, the function is dropped from the family, too.
DROP FUNCTION uuid_time_skipsupport(internal);

-- Removed functions used in plans.
DROP FUNCTION uuidv7_upper_bound(timestamptz), uuidv7_lower_bound(tstzrange), uuid_time_from(date), uuid_time_from(timestamp),
    uuid_time_least(timestamptz[]), uuid_time_greatest(timestamptz[]), uuid_time_milli(timestamptz),
    uuid_tstzrange_milli(tstzrange), uuid_tstzrange_span(tstzrange[]);
-- One line of SQL replaces each of these: see CHANGELOG.md.
DROP FUNCTION uuidv7_batch(bigint), uuid_date_bin(interval, uuid, timestamptz), uuid_v8_hashspace(uuid, uuid, text),
    uuid_v8_hashspace(uuid, uuid, bytea), uuid_hashspace(text), uuid_v8_pack(bigint, integer, bigint);
DROP OPERATOR ~<=~ (uuid, timestamptz), ~>~ (uuid, timestamptz), ~>=~ (timestamptz, uuid), ~<~ (timestamptz, uuid);
DROP FUNCTION uuid_time_le(uuid, timestamptz), uuid_time_gt(uuid, timestamptz),
    uuid_time_ge(timestamptz, uuid), uuid_time_lt(timestamptz, uuid);
-- The layout of the draft can only be read.
DROP FUNCTION uuidv7_at(timestamptz, text);
-- The function with two arguments has a default for the second.
DROP FUNCTION uuid_extract_node_id(uuid);

-- Polymorphic functions replace these. (PostgreSQL refuses to drop a function that an index or a view uses.)
DROP FUNCTION other_id_time(bigint, text, timestamptz), other_id_time(bytea, text, timestamptz),
    other_id_time(uuid, text, timestamptz), other_id_fields(bigint, text, timestamptz), other_id_fields(bytea, text, timestamptz),
    other_id_fields(uuid, text, timestamptz), other_id_to_uuid(bigint, text, timestamptz),
    other_id_to_uuid(bytea, text, timestamptz), other_id_to_uuid(uuid, text, timestamptz),
    uuid_to_other_id(uuid, text, timestamptz), uuid_to_other_id_bigint(uuid, text, timestamptz),
    uuid_to_other_id_bytea(uuid, text, timestamptz), uuid_to_other_id_uuid(uuid, text, timestamptz),
    other_id_floor(timestamptz, text, timestamptz), other_id_floor_bigint(timestamptz, text, timestamptz),
    other_id_floor_bytea(timestamptz, text, timestamptz), other_id_floor_uuid(timestamptz, text, timestamptz),
    other_id_ceil(timestamptz, text, timestamptz), other_id_ceil_bigint(timestamptz, text, timestamptz),
    other_id_ceil_bytea(timestamptz, text, timestamptz), other_id_ceil_uuid(timestamptz, text, timestamptz);

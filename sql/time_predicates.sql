-- Functions and operators that compare a uuid with a time. They are declared here and not by pgrx, which cannot say
-- LEAKPROOF: none of these functions can raise an error that depends on its arguments, or tell of them otherwise.

CREATE FUNCTION uuidv7_lower_bound(timestamptz) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'MODULE_PATHNAME', 'uuidv7_lower_bound_wrapper';
CREATE FUNCTION uuidv7_upper_bound(timestamptz) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'MODULE_PATHNAME', 'uuidv7_upper_bound_wrapper';
CREATE FUNCTION uuidv7_lower_bound(tstzrange) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'MODULE_PATHNAME', 'uuidv7_range_lower_bound_wrapper';
CREATE FUNCTION uuid_tstzrange_start(tstzrange) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'MODULE_PATHNAME', 'uuid_tstzrange_start_wrapper';
COMMENT ON FUNCTION uuid_tstzrange_start(tstzrange) IS 'first instant of a range of time, infinity if it is empty; stands in plans for id <@ range';
CREATE FUNCTION uuidv7_upper_bound(tstzrange) RETURNS uuid
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'MODULE_PATHNAME', 'uuidv7_range_upper_bound_wrapper';

-- The operators' name for tstzrange. Were it tstzrange itself, PostgreSQL, which looks for exact types first, would take the
-- literal in `tstzrange_column @> '[2026-01-01,2026-02-01)'`, and a parameter there, for a uuid.
CREATE DOMAIN uuid_tstzrange AS tstzrange;

CREATE FUNCTION uuid_timestamptz_support(internal) RETURNS internal
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_timestamptz_support_wrapper';
CREATE FUNCTION uuid_timestamptz_sel(internal, oid, internal, integer) RETURNS float8
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_timestamptz_sel_wrapper';
CREATE FUNCTION uuid_timestamptz_joinsel(internal, oid, internal, smallint, internal) RETURNS float8
    LANGUAGE c STABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_timestamptz_joinsel_wrapper';

CREATE FUNCTION uuid_lt_timestamptz(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_lt_timestamptz_wrapper';
CREATE FUNCTION uuid_le_timestamptz(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_le_timestamptz_wrapper';
CREATE FUNCTION uuid_ge_timestamptz(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_ge_timestamptz_wrapper';
CREATE FUNCTION uuid_gt_timestamptz(uuid, timestamptz) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_gt_timestamptz_wrapper';
CREATE FUNCTION timestamptz_lt_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'timestamptz_lt_uuid_wrapper';
CREATE FUNCTION timestamptz_le_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'timestamptz_le_uuid_wrapper';
CREATE FUNCTION timestamptz_ge_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'timestamptz_ge_uuid_wrapper';
CREATE FUNCTION timestamptz_gt_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'timestamptz_gt_uuid_wrapper';
CREATE FUNCTION uuid_contained_by_tstzrange(uuid, uuid_tstzrange) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'uuid_contained_by_tstzrange_wrapper';
CREATE FUNCTION tstzrange_contains_uuid(uuid_tstzrange, uuid) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF SUPPORT uuid_timestamptz_support
    AS 'MODULE_PATHNAME', 'tstzrange_contains_uuid_wrapper';

CREATE OPERATOR < (FUNCTION = uuid_lt_timestamptz, LEFTARG = uuid, RIGHTARG = timestamptz,
    COMMUTATOR = >, NEGATOR = >=, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR <= (FUNCTION = uuid_le_timestamptz, LEFTARG = uuid, RIGHTARG = timestamptz,
    COMMUTATOR = >=, NEGATOR = >, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR >= (FUNCTION = uuid_ge_timestamptz, LEFTARG = uuid, RIGHTARG = timestamptz,
    COMMUTATOR = <=, NEGATOR = <, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR > (FUNCTION = uuid_gt_timestamptz, LEFTARG = uuid, RIGHTARG = timestamptz,
    COMMUTATOR = <, NEGATOR = <=, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR < (FUNCTION = timestamptz_lt_uuid, LEFTARG = timestamptz, RIGHTARG = uuid,
    COMMUTATOR = >, NEGATOR = >=, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR <= (FUNCTION = timestamptz_le_uuid, LEFTARG = timestamptz, RIGHTARG = uuid,
    COMMUTATOR = >=, NEGATOR = >, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR >= (FUNCTION = timestamptz_ge_uuid, LEFTARG = timestamptz, RIGHTARG = uuid,
    COMMUTATOR = <=, NEGATOR = <, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR > (FUNCTION = timestamptz_gt_uuid, LEFTARG = timestamptz, RIGHTARG = uuid,
    COMMUTATOR = <, NEGATOR = <=, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR <@ (FUNCTION = uuid_contained_by_tstzrange, LEFTARG = uuid, RIGHTARG = uuid_tstzrange,
    COMMUTATOR = @>, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR @> (FUNCTION = tstzrange_contains_uuid, LEFTARG = uuid_tstzrange, RIGHTARG = uuid,
    COMMUTATOR = <@, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);

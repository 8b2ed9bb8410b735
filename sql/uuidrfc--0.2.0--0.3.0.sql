\echo Use "ALTER EXTENSION uuidrfc UPDATE TO '0.3.0'" to load this file. \quit

-- Functions of their own names and arguments.

-- Comparisons with a time.

CREATE FUNCTION uuid_tstzrange_start(tstzrange) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE LEAKPROOF AS 'MODULE_PATHNAME', 'uuid_tstzrange_start_wrapper';
COMMENT ON FUNCTION uuid_tstzrange_start(tstzrange) IS 'first instant of a range of time, infinity if it is empty; stands in plans for id <@ range';

CREATE FUNCTION uuid_ops_add_timestamptz() RETURNS void
    LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'uuid_ops_add_timestamptz_wrapper';

CREATE FUNCTION uuid_cmp_timestamptz(uuid, timestamptz) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_cmp_timestamptz_wrapper';
CREATE FUNCTION timestamptz_cmp_uuid(timestamptz, uuid) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_cmp_uuid_wrapper';
COMMENT ON FUNCTION uuid_cmp_timestamptz(uuid, timestamptz) IS 'less-equal-greater, a timestamptz being a point between two UUIDs';
COMMENT ON FUNCTION timestamptz_cmp_uuid(timestamptz, uuid) IS 'less-equal-greater, a timestamptz being a point between two UUIDs';

CREATE OPERATOR <=| (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_lt_timestamptz,
    COMMUTATOR = >=|, NEGATOR = >|, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR >| (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_ge_timestamptz,
    COMMUTATOR = <|, NEGATOR = <=|, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR <| (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_le_uuid,
    COMMUTATOR = >|, NEGATOR = >=|, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
CREATE OPERATOR >=| (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_gt_uuid,
    COMMUTATOR = <=|, NEGATOR = <|, RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
COMMENT ON OPERATOR <=| (uuid, timestamptz) IS 'as <, for operator families';
COMMENT ON OPERATOR >| (uuid, timestamptz) IS 'as >=, for operator families';
COMMENT ON OPERATOR <| (timestamptz, uuid) IS 'as <=, for operator families';
COMMENT ON OPERATOR >=| (timestamptz, uuid) IS 'as >, for operator families';
COMMENT ON FUNCTION uuid_ops_add_timestamptz() IS 'adds the comparisons of uuid with timestamptz to PostgreSQL''s operator families of uuid, if they are missing, as after pg_upgrade';

SELECT uuid_ops_add_timestamptz();

-- The operators of uuid_time_ops that compare with a time are estimated like these.
ALTER OPERATOR ~<~ (uuid, timestamptz) SET (RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
ALTER OPERATOR ~>=~ (uuid, timestamptz) SET (RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
ALTER OPERATOR ~<=|~ (uuid, timestamptz) SET (RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
ALTER OPERATOR ~>|~ (uuid, timestamptz) SET (RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
ALTER OPERATOR ~>~ (timestamptz, uuid) SET (RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
ALTER OPERATOR ~<=~ (timestamptz, uuid) SET (RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
ALTER OPERATOR ~>=|~ (timestamptz, uuid) SET (RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);
ALTER OPERATOR ~<|~ (timestamptz, uuid) SET (RESTRICT = uuid_timestamptz_sel, JOIN = uuid_timestamptz_joinsel);

-- Comments.

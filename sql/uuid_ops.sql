-- Comparisons of uuid with timestamptz as members of PostgreSQL's own operator families of uuid.
--
-- An instant is a point between two UUIDs and equals none. (Were it equal to the UUIDs of its millisecond, these would have to be equal
-- to each other: a btree operator family is one total order over its types, and the planner's proofs rely on that.)
-- So in the families "less or equal" is "less", and the user's id <= t, which is id < uuid_time_next(t), is no member. A family must have
-- all five comparisons for each pair of types, so it gets the missing ones of its own point of view, which nobody needs to write.

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

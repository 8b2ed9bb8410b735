\echo Use "ALTER EXTENSION uuidrfc UPDATE TO '0.3.0'" to load this file. \quit

-- Functions of their own names and arguments.

ALTER FUNCTION uuid_v8(bigint, int, bigint) RENAME TO uuid_v8_pack;

-- A bigint instead of an int. In place: views and defaults may need the functions, and stay as they are. What they pass is still
-- an int, which the functions know from the call. The declarations that are dropped again stop the update with PostgreSQL's
-- own words where the schema has such functions.
CREATE FUNCTION uuidv7_batch(n bigint) RETURNS SETOF uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_batch_wrapper';
DROP FUNCTION uuidv7_batch(bigint);
CREATE FUNCTION uuidv7_array(n bigint) RETURNS uuid[]
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_array_wrapper';
DROP FUNCTION uuidv7_array(bigint);
UPDATE pg_catalog.pg_proc
SET proargtypes = 'bigint'::pg_catalog.regtype::pg_catalog.oid::pg_catalog.text::pg_catalog.oidvector
WHERE oid OPERATOR(pg_catalog.=) 'uuidv7_batch(int)'::pg_catalog.regprocedure::pg_catalog.oid
    OR oid OPERATOR(pg_catalog.=) 'uuidv7_array(int)'::pg_catalog.regprocedure::pg_catalog.oid;

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
CREATE FUNCTION timestamptz_cmp_as_uuid(timestamptz, timestamptz) RETURNS integer
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'timestamptz_cmp_as_uuid_wrapper';
COMMENT ON FUNCTION uuid_cmp_timestamptz(uuid, timestamptz) IS 'less-equal-greater, a timestamptz standing for a UUID';
COMMENT ON FUNCTION timestamptz_cmp_uuid(timestamptz, uuid) IS 'less-equal-greater, a timestamptz standing for a UUID';
COMMENT ON FUNCTION timestamptz_cmp_as_uuid(timestamptz, timestamptz) IS 'less-equal-greater, each timestamptz standing for a UUID';

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
COMMENT ON FUNCTION uuid_le_timestamptz_as_uuid(uuid, timestamptz) IS 'implementation of <=| operator';
COMMENT ON FUNCTION uuid_eq_timestamptz_as_uuid(uuid, timestamptz) IS 'implementation of =| operator';
COMMENT ON FUNCTION uuid_gt_timestamptz_as_uuid(uuid, timestamptz) IS 'implementation of >| operator';
COMMENT ON FUNCTION timestamptz_as_uuid_lt_uuid(timestamptz, uuid) IS 'implementation of <| operator';
COMMENT ON FUNCTION timestamptz_as_uuid_eq_uuid(timestamptz, uuid) IS 'implementation of =| operator';
COMMENT ON FUNCTION timestamptz_as_uuid_ge_uuid(timestamptz, uuid) IS 'implementation of >=| operator';
COMMENT ON FUNCTION timestamptz_lt_as_uuid(timestamptz, timestamptz) IS 'implementation of <| operator';
COMMENT ON FUNCTION timestamptz_le_as_uuid(timestamptz, timestamptz) IS 'implementation of <=| operator';
COMMENT ON FUNCTION timestamptz_eq_as_uuid(timestamptz, timestamptz) IS 'implementation of =| operator';
COMMENT ON FUNCTION timestamptz_ge_as_uuid(timestamptz, timestamptz) IS 'implementation of >=| operator';
COMMENT ON FUNCTION timestamptz_gt_as_uuid(timestamptz, timestamptz) IS 'implementation of >| operator';
COMMENT ON OPERATOR <=| (uuid, timestamptz) IS 'less than or equal, a timestamptz standing for a UUID, in operator families';
COMMENT ON OPERATOR =| (uuid, timestamptz) IS 'equal, a timestamptz standing for a UUID, in operator families';
COMMENT ON OPERATOR >| (uuid, timestamptz) IS 'greater than, a timestamptz standing for a UUID, in operator families';
COMMENT ON OPERATOR <| (timestamptz, uuid) IS 'less than, a timestamptz standing for a UUID, in operator families';
COMMENT ON OPERATOR =| (timestamptz, uuid) IS 'equal, a timestamptz standing for a UUID, in operator families';
COMMENT ON OPERATOR >=| (timestamptz, uuid) IS 'greater than or equal, a timestamptz standing for a UUID, in operator families';
COMMENT ON OPERATOR <| (timestamptz, timestamptz) IS 'less than, a timestamptz standing for a UUID, in operator families';
COMMENT ON OPERATOR <=| (timestamptz, timestamptz) IS 'less than or equal, a timestamptz standing for a UUID, in operator families';
COMMENT ON OPERATOR =| (timestamptz, timestamptz) IS 'equal, a timestamptz standing for a UUID, in operator families';
COMMENT ON OPERATOR >=| (timestamptz, timestamptz) IS 'greater than or equal, a timestamptz standing for a UUID, in operator families';
COMMENT ON OPERATOR >| (timestamptz, timestamptz) IS 'greater than, a timestamptz standing for a UUID, in operator families';

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

-- uuid <@ tstzmultirange. A literal beside <@ and a uuid is a tstzrange, and one beside a tstzmultirange a tstzmultirange, as without the
-- extension: PostgreSQL looks for exact types first, so this operator has none.
CREATE DOMAIN uuid_operand AS uuid;
COMMENT ON DOMAIN uuid_operand IS 'uuid, as the operators <@ and @> of tstzmultirange take it';
CREATE DOMAIN uuid_tstzmultirange AS tstzmultirange;
COMMENT ON DOMAIN uuid_tstzmultirange IS 'tstzmultirange, as the operators <@ and @> of uuid take it';
CREATE FUNCTION uuid_in_tstzmultirange(uuid, tstzmultirange) RETURNS boolean
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_in_tstzmultirange_wrapper';
COMMENT ON FUNCTION uuid_in_tstzmultirange(uuid, tstzmultirange) IS 'whether the time inside UUID version 7 is in one of the ranges; stands in plans for id <@ multirange';
-- Not STRICT, or they would not be inlined; null where an argument is null all the same. By functions of exact types and qualified
-- ones, since the schema may hold others that fit better than core's polymorphic ones.
CREATE FUNCTION uuid_contained_by_tstzmultirange(uuid_operand, uuid_tstzmultirange) RETURNS boolean
    LANGUAGE sql IMMUTABLE LEAKPROOF PARALLEL SAFE
    RETURN uuid_contained_by_tstzrange($1::uuid, pg_catalog.range_merge($2::tstzmultirange)::uuid_tstzrange) AND uuid_in_tstzmultirange($1::uuid, $2::tstzmultirange);
CREATE FUNCTION tstzmultirange_contains_uuid(uuid_tstzmultirange, uuid_operand) RETURNS boolean
    LANGUAGE sql IMMUTABLE LEAKPROOF PARALLEL SAFE
    RETURN uuid_contained_by_tstzrange($2::uuid, pg_catalog.range_merge($1::tstzmultirange)::uuid_tstzrange) AND uuid_in_tstzmultirange($2::uuid, $1::tstzmultirange);
COMMENT ON FUNCTION uuid_contained_by_tstzmultirange(uuid_operand, uuid_tstzmultirange) IS 'implementation of <@ operator';
COMMENT ON FUNCTION tstzmultirange_contains_uuid(uuid_tstzmultirange, uuid_operand) IS 'implementation of @> operator';
CREATE OPERATOR <@ (FUNCTION = uuid_contained_by_tstzmultirange, LEFTARG = uuid_operand, RIGHTARG = uuid_tstzmultirange,
    COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel);
CREATE OPERATOR @> (FUNCTION = tstzmultirange_contains_uuid, LEFTARG = uuid_tstzmultirange, RIGHTARG = uuid_operand,
    COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel);
COMMENT ON OPERATOR <@ (uuid_operand, uuid_tstzmultirange) IS 'time inside UUID version 7 is contained by';
COMMENT ON OPERATOR @> (uuid_tstzmultirange, uuid_operand) IS 'contains time inside UUID version 7';
-- Completion, as of a new extension.

CREATE FUNCTION uuidrfc_complete() RETURNS void
    LANGUAGE c VOLATILE STRICT PARALLEL UNSAFE AS 'MODULE_PATHNAME', 'uuidrfc_complete_wrapper';
SELECT uuidrfc_complete();
DROP FUNCTION uuidrfc_complete();

-- Comments.
COMMENT ON FUNCTION uuidv7_upper_bound(pg_catalog.timestamptz) IS 'largest UUID version 7 not later than the time, or the Nil or Max UUID; stood in plans before 0.3.0';

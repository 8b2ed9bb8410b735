-- The operator class uuid_time_ops: UUIDs by the time inside them.
--
-- The order is that of (coalesce(uuid_extract_time(id), '-infinity'), id), and equal is core's =.
--
-- Where does a timestamptz stand among UUIDs? Many UUIDs share an instant. Were they all equal to its timestamptz, they
-- would have to equal each other: a btree operator family is one total order over its types, and the server relies on
-- that when it drops the weaker of two conditions, merges joins or prunes partitions. So in this family a timestamptz t
-- is a point of its own, before all UUIDs of its instant and after all earlier ones, and equals none:
--
--     id ~<~ t     the time of id is before t         id ~>=~ t    it is t or later
--
-- The other two comparisons a user expects, "t or earlier" and "after t", hold t to be behind all UUIDs of its instant.
-- That is another point of the order: the one of the next microsecond. So ~<=~ and ~>~ are SQL functions that the
-- planner inlines, id ~<=~ t into id ~<~ uuid_time_next(t), and the index sees only the first two.
--
-- A family must have all five comparisons for each pair of types, so it gets the missing ones of its own point of view,
-- in which "less or equal" is "less": ~<=|~ ~=|~ ~>|~, which nobody needs to write.
-- For the same reason it has those of two timestamptz. They have names of their own, since core's = as a member of a
-- second family would make the planner treat it apart from date = timestamptz, in every query of the database.

-- uuid, uuid

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

-- uuid, timestamptz and timestamptz, uuid: what the index compares

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
    COMMUTATOR = ~>~, NEGATOR = ~>=~, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
CREATE OPERATOR ~>=~ (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_time_ge,
    COMMUTATOR = ~<=~, NEGATOR = ~<~, RESTRICT = scalargesel, JOIN = scalargejoinsel);
CREATE OPERATOR ~>~ (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uuid_time_gt,
    COMMUTATOR = ~<~, NEGATOR = ~<=~, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
CREATE OPERATOR ~<=~ (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uuid_time_le,
    COMMUTATOR = ~>=~, NEGATOR = ~>~, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);

CREATE OPERATOR ~<=|~ (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_time_lt,
    COMMUTATOR = ~>=|~, NEGATOR = ~>|~, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
CREATE OPERATOR ~=|~ (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_time_never_equal,
    COMMUTATOR = ~=|~, RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE OPERATOR ~>|~ (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_time_ge,
    COMMUTATOR = ~<|~, NEGATOR = ~<=|~, RESTRICT = scalargesel, JOIN = scalargejoinsel);
CREATE OPERATOR ~<|~ (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uuid_time_le,
    COMMUTATOR = ~>|~, NEGATOR = ~>=|~, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
CREATE OPERATOR ~=|~ (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uuid_time_never_equal,
    COMMUTATOR = ~=|~, RESTRICT = eqsel, JOIN = eqjoinsel);
CREATE OPERATOR ~>=|~ (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uuid_time_gt,
    COMMUTATOR = ~<=|~, NEGATOR = ~<|~, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);

-- uuid, timestamptz and timestamptz, uuid: what the planner turns into the former

CREATE FUNCTION uuid_time_next(timestamptz) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_next_wrapper';

CREATE FUNCTION uuid_time_le(uuid, timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE RETURN $1 ~<~ uuid_time_next($2);
CREATE FUNCTION uuid_time_gt(uuid, timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE RETURN $1 ~>=~ uuid_time_next($2);
CREATE FUNCTION uuid_time_ge(timestamptz, uuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE RETURN $2 ~<~ uuid_time_next($1);
CREATE FUNCTION uuid_time_lt(timestamptz, uuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT LEAKPROOF PARALLEL SAFE RETURN $2 ~>=~ uuid_time_next($1);

CREATE OPERATOR ~<=~ (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_time_le,
    COMMUTATOR = ~>=~, NEGATOR = ~>~, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
CREATE OPERATOR ~>~ (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_time_gt,
    COMMUTATOR = ~<~, NEGATOR = ~<=~, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
CREATE OPERATOR ~>=~ (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uuid_time_ge,
    COMMUTATOR = ~<=~, NEGATOR = ~<~, RESTRICT = scalargesel, JOIN = scalargejoinsel);
CREATE OPERATOR ~<~ (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = uuid_time_lt,
    COMMUTATOR = ~>~, NEGATOR = ~>=~, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);

-- timestamptz, timestamptz: core's comparisons

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

-- The class and its family

CREATE FUNCTION uuid_time_sortsupport(internal) RETURNS void
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_sortsupport_wrapper';
-- A member of the family where the server has skip scans: completion.rs.
CREATE FUNCTION uuid_time_skipsupport(internal) RETURNS void
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_time_skipsupport_wrapper';
-- in_range(value, base, offset, subtract, less). STABLE: months and days are those of the session's time zone.
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

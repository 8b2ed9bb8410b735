-- The last of the install script, which takes that all objects are there.

-- Two functions that can be called with the same arguments, one or both by defaults, make such calls errors from then on, in
-- statements and dumps that worked: say a function uuidv7(timestamptz DEFAULT clock_timestamp()) in this schema.
DO $$
DECLARE
    ours pg_catalog.text;
    theirs pg_catalog.text;
BEGIN
    SELECT our.oid::pg_catalog.regprocedure::pg_catalog.text, their.oid::pg_catalog.regprocedure::pg_catalog.text INTO ours, theirs
    FROM pg_catalog.pg_extension extension
    JOIN pg_catalog.pg_depend member ON member.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_extension'::pg_catalog.regclass::pg_catalog.oid
        AND member.refobjid OPERATOR(pg_catalog.=) extension.oid
        AND member.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass::pg_catalog.oid
        AND member.deptype OPERATOR(pg_catalog.=) 'e'
    JOIN pg_catalog.pg_proc our ON our.oid OPERATOR(pg_catalog.=) member.objid
    JOIN pg_catalog.pg_proc their ON their.proname OPERATOR(pg_catalog.=) our.proname
        AND their.pronamespace OPERATOR(pg_catalog.=) our.pronamespace
    -- With so many arguments both can be called.
    CROSS JOIN LATERAL (SELECT GREATEST(our.pronargs OPERATOR(pg_catalog.-) our.pronargdefaults,
                                        their.pronargs OPERATOR(pg_catalog.-) their.pronargdefaults) AS arguments) fewest
    WHERE extension.extname OPERATOR(pg_catalog.=) 'uuidrfc'
        AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend of_theirs
                        WHERE of_theirs.classid OPERATOR(pg_catalog.=) member.classid
                            AND of_theirs.objid OPERATOR(pg_catalog.=) their.oid
                            AND of_theirs.refclassid OPERATOR(pg_catalog.=) member.refclassid
                            AND of_theirs.refobjid OPERATOR(pg_catalog.=) extension.oid)
        AND fewest.arguments OPERATOR(pg_catalog.<=) our.pronargs AND fewest.arguments OPERATOR(pg_catalog.<=) their.pronargs
        AND (our.proargtypes::pg_catalog.oid[])[0:fewest.arguments OPERATOR(pg_catalog.-) 1]
            OPERATOR(pg_catalog.=) (their.proargtypes::pg_catalog.oid[])[0:fewest.arguments OPERATOR(pg_catalog.-) 1]
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'function % exists, which would make calls of % ambiguous', theirs, ours
            USING ERRCODE = 'ambiguous_function', HINT = 'Rename it, or create the extension in another schema.';
    END IF;
END $$;

-- PostgreSQL 18 and later have functions of some of these names, and pg_catalog is looked through first unless it is named:
-- so it is, after the extension's schema, or core's functions would get the comments. Types are qualified,
-- since the schema may hold others of their names. The setting ends with the script.
SELECT pg_catalog.set_config('search_path', pg_catalog.quote_ident(pg_catalog.current_schema()) || ', pg_catalog, pg_temp', true);
COMMENT ON FUNCTION uuidv1() IS 'generate UUID version 1: current time in the field order of 1988, random multicast node';
COMMENT ON FUNCTION uuidv4() IS 'generate UUID version 4: random';
COMMENT ON FUNCTION uuidv6() IS 'generate UUID version 6: current time since 1582, ordered, random multicast node';
COMMENT ON FUNCTION uuidv7() IS 'generate UUID version 7: current time since 1970, ordered';
COMMENT ON FUNCTION uuidv7(interval) IS 'generate UUID version 7 with a timestamp shifted by the specified interval';
COMMENT ON FUNCTION uuidv7_at(pg_catalog.timestamptz) IS 'generate UUID version 7 of the given time, to the microsecond';
COMMENT ON FUNCTION uuidv6_at(pg_catalog.timestamptz) IS 'generate UUID version 6 of the given time, to the microsecond';
COMMENT ON FUNCTION nil_uuid() IS 'the Nil UUID: all bits zero';
COMMENT ON FUNCTION max_uuid() IS 'the Max UUID: all bits one';
COMMENT ON FUNCTION uuid_extract_time(pg_catalog.uuid) IS 'time inside UUID version 1, 6 (to the microsecond) or 7 (to the millisecond), else null';
COMMENT ON FUNCTION uuid_extract_time_us(pg_catalog.uuid) IS 'time inside UUID version 1, 6 or 7 to the microsecond, reading the 12 bits after version 7 as fraction of the millisecond, else null';
COMMENT ON FUNCTION uuid_extract_timestamp(pg_catalog.uuid) IS 'time inside UUID version 1 or 7, as in PostgreSQL 18, else null';
COMMENT ON FUNCTION uuid_extract_version(pg_catalog.uuid) IS 'version of a UUID of the RFC 9562 variant, else null';
COMMENT ON FUNCTION uuid_extract_variant(pg_catalog.uuid) IS 'variant of a UUID: ncs, rfc9562, microsoft or future';
COMMENT ON FUNCTION uuid_time_lt(pg_catalog.uuid, pg_catalog.uuid) IS 'implementation of ~<~ operator';
COMMENT ON FUNCTION uuid_time_le(pg_catalog.uuid, pg_catalog.uuid) IS 'implementation of ~<=~ operator';
COMMENT ON FUNCTION uuid_time_ge(pg_catalog.uuid, pg_catalog.uuid) IS 'implementation of ~>=~ operator';
COMMENT ON FUNCTION uuid_time_gt(pg_catalog.uuid, pg_catalog.uuid) IS 'implementation of ~>~ operator';
COMMENT ON FUNCTION uuid_time_cmp(pg_catalog.uuid, pg_catalog.uuid) IS 'less-equal-greater by the time inside, then by bytes';
COMMENT ON FUNCTION uuid_time_lt(pg_catalog.uuid, pg_catalog.timestamptz) IS 'implementation of ~<~ operator';
COMMENT ON FUNCTION uuid_time_le(pg_catalog.uuid, pg_catalog.timestamptz) IS 'implementation of ~<=~ operator';
COMMENT ON FUNCTION uuid_time_ge(pg_catalog.uuid, pg_catalog.timestamptz) IS 'implementation of ~>=~ operator';
COMMENT ON FUNCTION uuid_time_gt(pg_catalog.uuid, pg_catalog.timestamptz) IS 'implementation of ~>~ operator';
COMMENT ON FUNCTION uuid_time_cmp(pg_catalog.uuid, pg_catalog.timestamptz) IS 'less-greater of a UUID and the beginning of an instant';
COMMENT ON FUNCTION uuid_time_never_equal(pg_catalog.uuid, pg_catalog.timestamptz) IS 'implementation of ~=|~ operator';
COMMENT ON FUNCTION uuid_time_lt(pg_catalog.timestamptz, pg_catalog.uuid) IS 'implementation of ~<~ operator';
COMMENT ON FUNCTION uuid_time_le(pg_catalog.timestamptz, pg_catalog.uuid) IS 'implementation of ~<=~ operator';
COMMENT ON FUNCTION uuid_time_ge(pg_catalog.timestamptz, pg_catalog.uuid) IS 'implementation of ~>=~ operator';
COMMENT ON FUNCTION uuid_time_gt(pg_catalog.timestamptz, pg_catalog.uuid) IS 'implementation of ~>~ operator';
COMMENT ON FUNCTION uuid_time_cmp(pg_catalog.timestamptz, pg_catalog.uuid) IS 'less-greater of the beginning of an instant and a UUID';
COMMENT ON FUNCTION uuid_time_never_equal(pg_catalog.timestamptz, pg_catalog.uuid) IS 'implementation of ~=|~ operator';
COMMENT ON FUNCTION uuid_time_next(pg_catalog.timestamptz) IS 'the next microsecond';
COMMENT ON FUNCTION uuid_time_sortsupport(pg_catalog.internal) IS 'sort support of uuid_time_ops';
COMMENT ON FUNCTION uuid_time_skipsupport(pg_catalog.internal) IS 'skip support of uuid_time_ops';
COMMENT ON FUNCTION uuid_time_in_range(pg_catalog.uuid, pg_catalog.uuid, interval, boolean, boolean) IS 'window frames by RANGE with an interval, of uuid_time_ops';
COMMENT ON OPERATOR ~<~ (pg_catalog.uuid, pg_catalog.uuid) IS 'less than by the time inside, then by bytes';
COMMENT ON OPERATOR ~<=~ (pg_catalog.uuid, pg_catalog.uuid) IS 'less than or equal by the time inside, then by bytes';
COMMENT ON OPERATOR ~>=~ (pg_catalog.uuid, pg_catalog.uuid) IS 'greater than or equal by the time inside, then by bytes';
COMMENT ON OPERATOR ~>~ (pg_catalog.uuid, pg_catalog.uuid) IS 'greater than by the time inside, then by bytes';
COMMENT ON OPERATOR ~<~ (pg_catalog.uuid, pg_catalog.timestamptz) IS 'time inside is before; no time is before every time';
COMMENT ON OPERATOR ~<=~ (pg_catalog.uuid, pg_catalog.timestamptz) IS 'time inside is the same or before; no time is before every time';
COMMENT ON OPERATOR ~>=~ (pg_catalog.uuid, pg_catalog.timestamptz) IS 'time inside is the same or after';
COMMENT ON OPERATOR ~>~ (pg_catalog.uuid, pg_catalog.timestamptz) IS 'time inside is after';
COMMENT ON OPERATOR ~<~ (pg_catalog.timestamptz, pg_catalog.uuid) IS 'time inside is after';
COMMENT ON OPERATOR ~<=~ (pg_catalog.timestamptz, pg_catalog.uuid) IS 'time inside is the same or after';
COMMENT ON OPERATOR ~>=~ (pg_catalog.timestamptz, pg_catalog.uuid) IS 'time inside is the same or before; no time is before every time';
COMMENT ON OPERATOR ~>~ (pg_catalog.timestamptz, pg_catalog.uuid) IS 'time inside is before; no time is before every time';
COMMENT ON OPERATOR ~<=|~ (pg_catalog.uuid, pg_catalog.timestamptz) IS 'same as ~<~, for uuid_time_ops';
COMMENT ON OPERATOR ~=|~ (pg_catalog.uuid, pg_catalog.timestamptz) IS 'false, for uuid_time_ops';
COMMENT ON OPERATOR ~>|~ (pg_catalog.uuid, pg_catalog.timestamptz) IS 'same as ~>=~, for uuid_time_ops';
COMMENT ON OPERATOR ~<|~ (pg_catalog.timestamptz, pg_catalog.uuid) IS 'same as ~<=~, for uuid_time_ops';
COMMENT ON OPERATOR ~=|~ (pg_catalog.timestamptz, pg_catalog.uuid) IS 'false, for uuid_time_ops';
COMMENT ON OPERATOR ~>=|~ (pg_catalog.timestamptz, pg_catalog.uuid) IS 'same as ~>~, for uuid_time_ops';
COMMENT ON OPERATOR ~<~ (pg_catalog.timestamptz, pg_catalog.timestamptz) IS 'same as <, for uuid_time_ops';
COMMENT ON OPERATOR ~<=~ (pg_catalog.timestamptz, pg_catalog.timestamptz) IS 'same as <=, for uuid_time_ops';
COMMENT ON OPERATOR ~=|~ (pg_catalog.timestamptz, pg_catalog.timestamptz) IS 'same as =, for uuid_time_ops';
COMMENT ON OPERATOR ~>=~ (pg_catalog.timestamptz, pg_catalog.timestamptz) IS 'same as >=, for uuid_time_ops';
COMMENT ON OPERATOR ~>~ (pg_catalog.timestamptz, pg_catalog.timestamptz) IS 'same as >, for uuid_time_ops';
COMMENT ON OPERATOR FAMILY uuid_time_ops USING btree IS 'UUIDs by the time inside them, and timestamptz among them';
COMMENT ON OPERATOR CLASS uuid_time_ops USING btree IS 'UUIDs by the time inside them, then by bytes; those that carry no time first';
COMMENT ON FUNCTION uuidv7_batch(bigint) IS 'generate the given number of UUIDs version 7, strictly ascending';
COMMENT ON FUNCTION uuidv7_array(bigint) IS 'generate an array of the given number of UUIDs version 7, strictly ascending';
COMMENT ON FUNCTION uuid_encode(pg_catalog.uuid, pg_catalog.text) IS 'text of a UUID in the format urn, braces, hex, base32, base32hex, base58, base64url, decimal or oid';
COMMENT ON FUNCTION uuid_decode(pg_catalog.text, pg_catalog.text) IS 'UUID of a text in the format urn, braces, hex, base32, base32hex, base58, base64url, decimal or oid';
COMMENT ON FUNCTION uuid_least(pg_catalog.uuid, pg_catalog.uuid) IS 'the smaller of two UUIDs';
COMMENT ON FUNCTION uuid_greatest(pg_catalog.uuid, pg_catalog.uuid) IS 'the larger of two UUIDs';
COMMENT ON AGGREGATE min(pg_catalog.uuid) IS 'minimum value of all uuid input values';
COMMENT ON AGGREGATE max(pg_catalog.uuid) IS 'maximum value of all uuid input values';
COMMENT ON DOMAIN uuid_tstzrange IS 'tstzrange, as the operators <@ and @> of uuid take it';
COMMENT ON DOMAIN uuid_v7 IS 'UUID of version 7, or null';
COMMENT ON CONSTRAINT uuid_v7_check ON DOMAIN uuid_v7 IS 'variant 10 and version 7 as in RFC 9562, section 5.7';
COMMENT ON FUNCTION uuidv7_at(pg_catalog.timestamptz, pg_catalog.text) IS 'generate UUID version 7 of the given time, to the microsecond, in layout rfc9562 or draft-02';
COMMENT ON FUNCTION uuid_v3(pg_catalog.uuid, pg_catalog.text) IS 'UUID version 3 of a namespace and a name: MD5 of the name in UTF-8';
COMMENT ON FUNCTION uuid_v3(pg_catalog.uuid, pg_catalog.bytea) IS 'UUID version 3 of a namespace and a name of octets: MD5';
COMMENT ON FUNCTION uuid_v5(pg_catalog.uuid, pg_catalog.text) IS 'UUID version 5 of a namespace and a name: SHA-1 of the name in UTF-8';
COMMENT ON FUNCTION uuid_v5(pg_catalog.uuid, pg_catalog.bytea) IS 'UUID version 5 of a namespace and a name of octets: SHA-1';
COMMENT ON FUNCTION uuid_v8(pg_catalog.uuid, pg_catalog.text, pg_catalog.text) IS 'UUID version 8 of a namespace and a name: a hash, by default SHA-256, of the name in UTF-8';
COMMENT ON FUNCTION uuid_v8(pg_catalog.uuid, pg_catalog.bytea, pg_catalog.text) IS 'UUID version 8 of a namespace and a name of octets: a hash, by default SHA-256';
COMMENT ON FUNCTION uuid_v8_pack(bigint, int, bigint) IS 'UUID version 8 of three fields: 48, 12 and 62 bits';
COMMENT ON FUNCTION uuid_v8_hashspace(pg_catalog.uuid, pg_catalog.uuid, pg_catalog.text) IS 'UUID version 8 of a hashspace, a namespace and a name: the hashspace''s hash of all three, the name in UTF-8';
COMMENT ON FUNCTION uuid_v8_hashspace(pg_catalog.uuid, pg_catalog.uuid, pg_catalog.bytea) IS 'UUID version 8 of a hashspace, a namespace and a name of octets: the hashspace''s hash of all three';
COMMENT ON FUNCTION uuid_namespace(pg_catalog.text) IS 'ID of namespace dns, url, oid or x500';
COMMENT ON FUNCTION uuid_hashspace(pg_catalog.text) IS 'hashspace ID of a hash algorithm: sha224, sha256, sha384, sha512, sha512_224, sha512_256, sha3_224, sha3_256, sha3_384, sha3_512, shake128 or shake256';
COMMENT ON FUNCTION uuid_extract_time(pg_catalog.uuid, pg_catalog.text) IS 'time inside UUID version 1, 6 or 7, the last in layout rfc9562 (to the millisecond) or draft-02 (to the microsecond), else null';
COMMENT ON FUNCTION uuid_extract_clock_seq(pg_catalog.uuid) IS 'clock sequence of UUID version 1 or 6, else null';
COMMENT ON FUNCTION uuid_extract_node(pg_catalog.uuid) IS 'node of UUID version 1 or 6, else null';
COMMENT ON FUNCTION uuid_inspect(pg_catalog.uuid) IS 'every field of a UUID under its name in RFC 9562';
COMMENT ON FUNCTION uuid_v1_to_v6(pg_catalog.uuid) IS 'UUID version 6 of the same time, clock sequence and node as UUID version 1';
COMMENT ON FUNCTION uuid_v6_to_v1(pg_catalog.uuid) IS 'UUID version 1 of the same time, clock sequence and node as UUID version 6';
COMMENT ON FUNCTION uuidv7_floor(pg_catalog.timestamptz) IS 'smallest UUID version 7 of the millisecond';
COMMENT ON FUNCTION uuidv7_ceil(pg_catalog.timestamptz) IS 'largest UUID version 7 of the millisecond';
COMMENT ON FUNCTION uuidv6_floor(pg_catalog.timestamptz) IS 'smallest UUID version 6 of the microsecond';
COMMENT ON FUNCTION uuidv6_ceil(pg_catalog.timestamptz) IS 'largest UUID version 6 of the microsecond';
COMMENT ON FUNCTION uuidv7_lower_bound(pg_catalog.timestamptz) IS 'smallest UUID version 7 not earlier than the time, or the Nil or Max UUID; stands in plans for id >= time and id < time';
COMMENT ON FUNCTION uuidv7_upper_bound(pg_catalog.timestamptz) IS 'largest UUID version 7 not later than the time, or the Nil or Max UUID; stands in plans for id <= time and id > time';
COMMENT ON FUNCTION uuidv7_lower_bound(pg_catalog.tstzrange) IS 'smallest UUID within the range of time, or the Max UUID if there is none; stands in plans for id <@ range';
COMMENT ON FUNCTION uuidv7_upper_bound(pg_catalog.tstzrange) IS 'largest UUID within the range of time, or the Nil UUID if there is none; stands in plans for id <@ range';
COMMENT ON FUNCTION uuid_date_bin(interval, pg_catalog.uuid, pg_catalog.timestamptz) IS 'time inside a UUID, rounded down to a multiple of stride from origin';
COMMENT ON FUNCTION uuid_time_decoder(pg_catalog.uuid) IS 'time inside a UUID, as time_decoder of pg_partman for a uuid column';
COMMENT ON FUNCTION uuid_time_decoder(pg_catalog.text) IS 'time inside a UUID in text form, as time_decoder of pg_partman for a text column and for bounds of partitions';
COMMENT ON FUNCTION uuid_timestamptz_support(pg_catalog.internal) IS 'planner support for comparisons of uuid with timestamptz and tstzrange';
COMMENT ON FUNCTION uuid_timestamptz_sel(pg_catalog.internal, pg_catalog.oid, pg_catalog.internal, integer) IS 'restriction selectivity of comparisons of uuid with timestamptz and tstzrange';
COMMENT ON FUNCTION uuid_timestamptz_joinsel(pg_catalog.internal, pg_catalog.oid, pg_catalog.internal, smallint, pg_catalog.internal) IS 'join selectivity of comparisons of uuid with timestamptz and tstzrange';
COMMENT ON FUNCTION uuid_lt_timestamptz(pg_catalog.uuid, pg_catalog.timestamptz) IS 'implementation of < operator';
COMMENT ON FUNCTION uuid_le_timestamptz(pg_catalog.uuid, pg_catalog.timestamptz) IS 'implementation of <= operator';
COMMENT ON FUNCTION uuid_ge_timestamptz(pg_catalog.uuid, pg_catalog.timestamptz) IS 'implementation of >= operator';
COMMENT ON FUNCTION uuid_gt_timestamptz(pg_catalog.uuid, pg_catalog.timestamptz) IS 'implementation of > operator';
COMMENT ON FUNCTION timestamptz_lt_uuid(pg_catalog.timestamptz, pg_catalog.uuid) IS 'implementation of < operator';
COMMENT ON FUNCTION timestamptz_le_uuid(pg_catalog.timestamptz, pg_catalog.uuid) IS 'implementation of <= operator';
COMMENT ON FUNCTION timestamptz_ge_uuid(pg_catalog.timestamptz, pg_catalog.uuid) IS 'implementation of >= operator';
COMMENT ON FUNCTION timestamptz_gt_uuid(pg_catalog.timestamptz, pg_catalog.uuid) IS 'implementation of > operator';
COMMENT ON FUNCTION uuid_contained_by_tstzrange(pg_catalog.uuid, uuid_tstzrange) IS 'implementation of <@ operator';
COMMENT ON FUNCTION tstzrange_contains_uuid(uuid_tstzrange, pg_catalog.uuid) IS 'implementation of @> operator';
COMMENT ON OPERATOR < (pg_catalog.uuid, pg_catalog.timestamptz) IS 'time inside UUID version 7 earlier than';
COMMENT ON OPERATOR <= (pg_catalog.uuid, pg_catalog.timestamptz) IS 'time inside UUID version 7 not later than';
COMMENT ON OPERATOR >= (pg_catalog.uuid, pg_catalog.timestamptz) IS 'time inside UUID version 7 not earlier than';
COMMENT ON OPERATOR > (pg_catalog.uuid, pg_catalog.timestamptz) IS 'time inside UUID version 7 later than';
COMMENT ON OPERATOR < (pg_catalog.timestamptz, pg_catalog.uuid) IS 'earlier than time inside UUID version 7';
COMMENT ON OPERATOR <= (pg_catalog.timestamptz, pg_catalog.uuid) IS 'not later than time inside UUID version 7';
COMMENT ON OPERATOR >= (pg_catalog.timestamptz, pg_catalog.uuid) IS 'not earlier than time inside UUID version 7';
COMMENT ON OPERATOR > (pg_catalog.timestamptz, pg_catalog.uuid) IS 'later than time inside UUID version 7';
COMMENT ON OPERATOR <@ (pg_catalog.uuid, uuid_tstzrange) IS 'time inside UUID version 7 is contained by';
COMMENT ON OPERATOR @> (uuid_tstzrange, pg_catalog.uuid) IS 'contains time inside UUID version 7';

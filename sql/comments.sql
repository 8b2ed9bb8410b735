-- PostgreSQL 18 and later have functions of some of these names, and pg_catalog is looked through first unless it is named:
-- so it is, after the extension's schema, or core's functions would get the comments. Nothing else is said here, and
-- the setting ends with the script.
SELECT pg_catalog.set_config('search_path', pg_catalog.quote_ident(pg_catalog.current_schema()) || ', pg_catalog, pg_temp', true);
COMMENT ON FUNCTION uuidv1() IS 'generate UUID version 1: current time in the field order of 1988, random multicast node';
COMMENT ON FUNCTION uuidv4() IS 'generate UUID version 4: random';
COMMENT ON FUNCTION uuidv6() IS 'generate UUID version 6: current time since 1582, ordered, random multicast node';
COMMENT ON FUNCTION uuidv7() IS 'generate UUID version 7: current time since 1970, ordered';
COMMENT ON FUNCTION uuidv7(interval) IS 'generate UUID version 7 with a timestamp shifted by the specified interval';
COMMENT ON FUNCTION uuidv7_at(timestamptz) IS 'generate UUID version 7 of the given time, to the microsecond';
COMMENT ON FUNCTION uuidv6_at(timestamptz) IS 'generate UUID version 6 of the given time, to the microsecond';
COMMENT ON FUNCTION nil_uuid() IS 'the Nil UUID: all bits zero';
COMMENT ON FUNCTION max_uuid() IS 'the Max UUID: all bits one';
COMMENT ON FUNCTION uuid_extract_time(uuid) IS 'time inside UUID version 1, 6 (to the microsecond) or 7 (to the millisecond), else null';
COMMENT ON FUNCTION uuid_extract_time_us(uuid) IS 'time inside UUID version 1, 6 or 7 to the microsecond, reading the 12 bits after version 7 as fraction of the millisecond, else null';
COMMENT ON FUNCTION uuid_extract_version(uuid) IS 'version of a UUID of the RFC 9562 variant, else null';
COMMENT ON FUNCTION uuid_extract_variant(uuid) IS 'variant of a UUID: ncs, rfc9562, microsoft or future';
COMMENT ON FUNCTION uuidv7_batch(int) IS 'generate the given number of UUIDs version 7, strictly ascending';
COMMENT ON FUNCTION uuidv7_array(int) IS 'generate an array of the given number of UUIDs version 7, strictly ascending';

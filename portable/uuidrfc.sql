-- The pure-SQL edition of uuidrfc, for servers that accept no compiled library. docs/portable.md describes how to install the
-- edition and what it lacks. This file needs PostgreSQL 14 or later, a role that may create functions and types in a schema, and
-- one transaction:
--
--     psql -1 -v ON_ERROR_STOP=1 -c 'SET search_path = myschema' -f uuidrfc.sql
--
-- The objects are created in the first schema of search_path. They have the names, arguments and results of the extension's
-- objects, so that either edition can replace the other. Functions whose names begin with uuidrfc_ are internal.
--
-- The names in the bodies of SQL functions (RETURN) are resolved when the functions are created, so calls do not depend on
-- search_path. A body with CASE, coalesce or the like is inlined only if the function is not STRICT; such functions still return
-- null for null. An SQL function that is not inlined is planned again each time the SQL function that calls it is executed, which
-- is why some functions are written in PL/pgSQL.

SELECT pg_catalog.set_config('uuidrfc_portable.search_path', pg_catalog.current_setting('search_path'), true) IS NULL;
DO $do$ BEGIN
    IF pg_catalog.current_schema() IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'invalid_schema_name', MESSAGE = 'no schema has been selected to create in';
    ELSIF COALESCE(pg_catalog.current_setting('uuidrfc_portable.search_path', true), '') OPERATOR(pg_catalog.=) '' THEN
        RAISE EXCEPTION USING ERRCODE = 'no_active_sql_transaction', MESSAGE = 'uuidrfc.sql must be run in a transaction',
            HINT = 'Put BEGIN before it and COMMIT after it, or run it with psql -1 -v ON_ERROR_STOP=1.';
    END IF;
    -- The schema comes first, so that COMMENT does not find the functions of the same names that PostgreSQL has from 17 on.
    PERFORM pg_catalog.set_config('search_path', pg_catalog.format('%I, pg_catalog, pg_temp', pg_catalog.current_schema()), true);
END $do$;

-- This function raises errors. It is IMMUTABLE, so that immutable functions can call it. The value, which replaces %s in the
-- message, must depend on the caller's arguments: if all arguments were constants, the planner would call this function while it
-- simplifies a CASE.
CREATE FUNCTION uuidrfc_raise(value text, sqlstate text, message text, detail text, hint text DEFAULT '') RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    message = format(message, left(value, 64));
    IF hint <> '' THEN RAISE EXCEPTION USING ERRCODE = $2, MESSAGE = message, DETAIL = detail, HINT = hint; END IF;
    RAISE EXCEPTION USING ERRCODE = $2, MESSAGE = message, DETAIL = detail;
END $$;

-- Time and fields inside a UUID -------------------------------------------------------------------------------------------

CREATE FUNCTION uuid_extract_version(uuid uuid) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN get_byte(uuid_send($1), 8) >> 6 = 2 THEN (get_byte(uuid_send($1), 6) >> 4)::smallint END;
COMMENT ON FUNCTION uuid_extract_version(uuid) IS 'version of a UUID of the RFC 9562 variant, else null';
CREATE FUNCTION uuid_extract_variant(uuid uuid) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN get_byte(uuid_send($1), 8) < 128 THEN 'ncs' WHEN get_byte(uuid_send($1), 8) < 192 THEN 'rfc9562'
                WHEN get_byte(uuid_send($1), 8) < 224 THEN 'microsoft' WHEN get_byte(uuid_send($1), 8) < 256 THEN 'future' END;
COMMENT ON FUNCTION uuid_extract_variant(uuid) IS 'variant of a UUID: ncs, rfc9562, microsoft or future';
CREATE FUNCTION uuid_extract_clock_seq(uuid uuid) RETURNS integer LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN uuid_extract_version($1) IN (1, 6) THEN ('x' || substr($1::text, 20, 4))::bit(16)::integer & 16383 END;
COMMENT ON FUNCTION uuid_extract_clock_seq(uuid) IS 'clock sequence of UUID version 1 or 6, else null';
CREATE FUNCTION uuid_extract_node(uuid uuid) RETURNS macaddr LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN uuid_extract_version($1) IN (1, 6) THEN right($1::text, 12)::macaddr END;
COMMENT ON FUNCTION uuid_extract_node(uuid) IS 'node of UUID version 1 or 6, else null';

-- PostgreSQL multiplies intervals in floating point with 53 bits. Hence, a time is computed as the sum of two exact products.
-- (The product of the larger unit is exact, because this unit, in microseconds, is a multiple of a large power of two.) Adding an
-- interval to a timestamp without time zone, and timezone() with an interval, depend on no setting and are therefore immutable.

CREATE FUNCTION uuidv7_time(uuid uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN uuid_extract_version($1) = 7
                THEN timezone(interval '0', timestamp '1970-01-01'
                                            + interval '65.536 s' * ('x' || left($1::text, 8))::bit(32)::bigint
                                            + interval '1 ms' * ('x' || substr($1::text, 10, 4))::bit(16)::integer) END;
COMMENT ON FUNCTION uuidv7_time(uuid) IS 'time inside UUID version 7, to the millisecond, else null';

-- Ticks of 100 ns since 1582-10-15. Version 6 has their 60 bits in order; version 1 has the 32 least significant ones first.
CREATE FUNCTION uuidrfc_gregorian_tick(uuid) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE uuid_extract_version($1)
           WHEN 6 THEN ('x0' || left($1::text, 8) || substr($1::text, 10, 4) || substr($1::text, 16, 3))::bit(64)::bigint
           WHEN 1 THEN ('x0' || substr($1::text, 16, 3) || substr($1::text, 10, 4) || left($1::text, 8))::bit(64)::bigint END;
CREATE FUNCTION uuidrfc_gregorian_time(uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN timezone(interval '0', timestamp '1582-10-15' + interval '16.777216 s' * (uuidrfc_gregorian_tick($1) / 10 >> 24)
                                  + interval '1 us' * (uuidrfc_gregorian_tick($1) / 10 & 16777215));

CREATE FUNCTION uuid_extract_time(uuid uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN coalesce(uuidv7_time($1), uuidrfc_gregorian_time($1));
COMMENT ON FUNCTION uuid_extract_time(uuid) IS 'time inside UUID version 1, 6 (to the microsecond) or 7 (to the millisecond), else null';
CREATE FUNCTION uuid_extract_timestamp(uuid uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(uuidv7_time($1), CASE WHEN uuid_extract_version($1) = 1 THEN uuidrfc_gregorian_time($1) END);
COMMENT ON FUNCTION uuid_extract_timestamp(uuid) IS 'time inside UUID version 1 or 7, as in PostgreSQL 18, else null';
-- Returns the microsecond in which the 1/4096 ms of the fraction ends. This is exact whether the encoder rounded up or down.
CREATE FUNCTION uuid_extract_time_us(uuid uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(timezone(interval '0', timezone(interval '0', uuidv7_time($1))
                       + interval '1 us' * least((('x' || substr($1::text, 16, 3))::bit(12)::integer + 1) * 1000 >> 12, 999)),
                    uuidrfc_gregorian_time($1));
COMMENT ON FUNCTION uuid_extract_time_us(uuid) IS 'time inside UUID version 1, 6 or 7 to the microsecond, reading the 12 bits after version 7 as a fraction of the millisecond, else null';
CREATE FUNCTION uuid_time_decoder(id text) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN uuid_extract_time($1::uuid);
COMMENT ON FUNCTION uuid_time_decoder(text) IS 'time inside a UUID in text form, as time_decoder of pg_partman for a text column and for partition bounds';

-- A Snowflake ID consists of a sign bit of zero, 41 bits of milliseconds since an epoch, and 22 other bits.
CREATE FUNCTION other_id_time(id anynonarray, system text, epoch timestamptz DEFAULT '-infinity') RETURNS timestamptz
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    IF lower(system COLLATE "C") <> 'snowflake' THEN
        RAISE 'ID system "%" is not in the pure-SQL edition', left(system, 64) USING ERRCODE = '0A000',
            DETAIL = 'This edition has only "snowflake", of any epoch.', HINT = 'Use the extension uuidrfc for other systems.';
    ELSIF pg_typeof(id) NOT IN ('bigint'::regtype, 'integer'::regtype) THEN
        RAISE 'IDs of system "snowflake" are not of type %', pg_typeof(id) USING ERRCODE = '22023';
    ELSIF epoch > '-infinity' AND epoch < '1970-01-01 00:00:00+00' OR epoch >= '10889-08-02 05:31:50.656+00'
        OR epoch > '-infinity' AND extract(epoch FROM timezone(interval '0', epoch)) * 1000 % 1 <> 0 THEN
        RAISE 'epoch must be a whole millisecond from 1970-01-01 to approximately year 10889' USING ERRCODE = '22023';
    ELSIF id < 0 THEN
        RAISE 'value "%" is out of range for ID of system "snowflake"', id USING ERRCODE = '22003';
    END IF;
    RETURN timezone(interval '0', timezone(interval '0', coalesce(nullif(epoch, '-infinity'), '2010-11-04 01:42:54.657+00'))
                                  + interval '65.536 s' * (id::bigint >> 38) + interval '1 ms' * (id::bigint >> 22 & 65535));
END $$;
COMMENT ON FUNCTION other_id_time(anynonarray, text, timestamptz) IS 'time inside an ID of another system of type bigint, to the microsecond';

-- Generators, and the first and the last UUID of an instant ---------------------------------------------------------------

-- A tick is 1/4096 ms. The 60 bits of its number are the 48 bits of milliseconds and the 12 bits after the version. EXTRACT of
-- the epoch is numeric, and hence exact. The result is the first tick that begins within the microsecond, so that
-- uuid_extract_time_us returns that microsecond.
CREATE FUNCTION uuidrfc_v7_tick(timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN $1 < timestamptz '1970-01-01 00:00:00+00' OR $1 >= timestamptz '10889-08-02 05:31:50.656+00'
                THEN uuidrfc_raise(isfinite($1)::text, '22008', 'timestamp out of range for UUID version 7',
                                   'UUID version 7 supports timestamps from 1970-01-01 to approximately year 10889.')::bigint
                ELSE ceil(extract(epoch FROM timezone(interval '0', $1)) * 4096000)::bigint END;

-- Before PostgreSQL 18, a custom setting keeps the session's last tick as 15 hexadecimal digits, as docs/portable.md explains.
-- SQL generates UUIDs more slowly than the clock ticks, so the ticks do not run ahead of the clock. The function is PARALLEL
-- UNSAFE, because settings cannot be changed in a parallel query, and a single expression, so that it can be inlined.
DO $do$ BEGIN
    IF pg_catalog.current_setting('server_version_num')::pg_catalog.int4 OPERATOR(pg_catalog.>=) 180000 THEN
        CREATE FUNCTION uuidv7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE RETURN pg_catalog.uuidv7();
        RETURN;
    END IF;
    CREATE FUNCTION uuidv7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL UNSAFE
        RETURN (overlay(set_config('uuidrfc_portable.v7', lpad(to_hex(greatest(
                    floor(extract(epoch FROM clock_timestamp()) * 4096000)::bigint,
                    ('x0' || current_setting('uuidrfc_portable.v7', true))::bit(64)::bigint + 1)), 15, '0'), false)
                        PLACING '7' FROM 13 FOR 0) || right(gen_random_uuid()::text, 17))::uuid;
END $do$;
COMMENT ON FUNCTION uuidv7() IS 'generate UUID version 7: current time since 1970, ordered';

-- A 30-bit counter, which starts from a random number below 2^29 and wraps around, puts UUIDs of the same given time in the
-- order of the calls. Together with the variant, the counter has 8 hexadecimal digits; 32 random bits follow.
CREATE FUNCTION uuidv7_at("time" timestamptz) RETURNS uuid LANGUAGE sql VOLATILE PARALLEL UNSAFE
    RETURN (overlay(lpad(to_hex(uuidrfc_v7_tick($1)), 15, '0') PLACING '7' FROM 13 FOR 0)
            || set_config('uuidrfc_portable.counter', to_hex(2147483648 | coalesce(
                   ('x' || nullif(current_setting('uuidrfc_portable.counter', true), ''))::bit(32)::bigint + 1 & 1073741823,
                   ('x' || left(gen_random_uuid()::text, 8))::bit(32)::bigint & 536870911)), false)
            || right(gen_random_uuid()::text, 8))::uuid;
COMMENT ON FUNCTION uuidv7_at(timestamptz) IS 'generate UUID version 7 with the given time, to the microsecond';

CREATE FUNCTION uuidv7_floor("time" timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (lpad(to_hex(uuidrfc_v7_tick($1) >> 12), 12, '0') || '70008000000000000000')::uuid;
COMMENT ON FUNCTION uuidv7_floor(timestamptz) IS 'smallest UUID version 7 in the millisecond of a time';
CREATE FUNCTION uuidv7_ceil("time" timestamptz) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN (lpad(to_hex(uuidrfc_v7_tick($1) >> 12), 12, '0') || '7fffbfffffffffffffff')::uuid;
COMMENT ON FUNCTION uuidv7_ceil(timestamptz) IS 'largest UUID version 7 in the millisecond of a time';

CREATE FUNCTION nil_uuid() RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN uuid '00000000-0000-0000-0000-000000000000';
COMMENT ON FUNCTION nil_uuid() IS 'the Nil UUID: all bits zero';
CREATE FUNCTION max_uuid() RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN uuid 'ffffffff-ffff-ffff-ffff-ffffffffffff';
COMMENT ON FUNCTION max_uuid() IS 'the Max UUID: all bits one';

-- Comparisons of a uuid with a time: id >= now(), id <@ tstzrange ---------------------------------------------------------

-- The planner inlines each comparison as a comparison of two UUIDs, for which it can use indexes and prune partitions.
CREATE FUNCTION uuidrfc_bound("time" timestamptz, is_later boolean) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
DECLARE
    ms numeric = EXTRACT(epoch FROM pg_catalog.timezone(interval '0', $1)) OPERATOR(pg_catalog.*) 1000;
BEGIN
    ms = CASE WHEN is_later THEN pg_catalog.floor(ms) OPERATOR(pg_catalog.+) 1 ELSE pg_catalog.ceil(ms) END;
    RETURN CASE WHEN ms OPERATOR(pg_catalog.<) 0 THEN '00000000-0000-0000-0000-000000000000'
                WHEN ms OPERATOR(pg_catalog.>) 281474976710655 THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'
                ELSE pg_catalog.lpad(pg_catalog.to_hex(ms::bigint), 12, '0') OPERATOR(pg_catalog.||) '70008000000000000000' END;
END $$;
COMMENT ON FUNCTION uuidrfc_bound(timestamptz, boolean) IS 'smallest UUID version 7 that is not earlier than the time, or that is later, the Nil UUID for times before 1970, or the Max UUID for times after the last millisecond; used in plans';

DO $do$ DECLARE one record; BEGIN
    FOR one IN SELECT * FROM (VALUES
        ('uuid', '<', 'timestamptz', 'lt', '>', '>=', '$1 < uuidrfc_bound($2, false)', 'time inside UUID version 7 earlier than'),
        ('uuid', '<=', 'timestamptz', 'le', '>=', '>', '$1 < uuidrfc_bound($2, true)', 'time inside UUID version 7 not later than'),
        ('uuid', '>=', 'timestamptz', 'ge', '<=', '<', '$1 >= uuidrfc_bound($2, false)', 'time inside UUID version 7 not earlier than'),
        ('uuid', '>', 'timestamptz', 'gt', '<', '<=', '$1 >= uuidrfc_bound($2, true)', 'time inside UUID version 7 later than'),
        ('timestamptz', '<', 'uuid', 'lt', '>', '>=', '$2 >= uuidrfc_bound($1, true)', 'earlier than time inside UUID version 7'),
        ('timestamptz', '<=', 'uuid', 'le', '>=', '>', '$2 >= uuidrfc_bound($1, false)', 'not later than time inside UUID version 7'),
        ('timestamptz', '>=', 'uuid', 'ge', '<=', '<', '$2 < uuidrfc_bound($1, true)', 'not earlier than time inside UUID version 7'),
        ('timestamptz', '>', 'uuid', 'gt', '<', '<=', '$2 < uuidrfc_bound($1, false)', 'later than time inside UUID version 7')
    ) AS operators (l, op, r, name, commutator, negator, body, comment) LOOP
        EXECUTE pg_catalog.format('
            CREATE FUNCTION %1$s_%2$s_%3$s(%1$s, %3$s) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN %4$s;
            COMMENT ON FUNCTION %1$s_%2$s_%3$s(%1$s, %3$s) IS ''implementation of %5$s operator'';
            CREATE OPERATOR %5$s (LEFTARG = %1$s, RIGHTARG = %3$s, FUNCTION = %1$s_%2$s_%3$s, COMMUTATOR = %6$s, NEGATOR = %7$s,
                RESTRICT = scalar%2$ssel, JOIN = scalar%2$sjoinsel);
            COMMENT ON OPERATOR %5$s (%1$s, %3$s) IS %8$L',
            one.l, one.name, one.r, one.body, one.op, one.commutator, one.negator, one.comment);
    END LOOP;
END $do$;

CREATE FUNCTION uuidrfc_bound_behind(tstzrange) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN isempty($1) THEN nil_uuid() ELSE uuidrfc_bound(upper($1), upper_inc($1)) END;
COMMENT ON FUNCTION uuidrfc_bound_behind(tstzrange) IS 'smallest UUID version 7 after a range; the Nil UUID if the range is empty or before 1970, null if it has no upper bound';
CREATE FUNCTION uuidrfc_lower(tstzrange) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN uuidrfc_bound_behind($1) = nil_uuid() THEN max_uuid() WHEN lower_inf($1) THEN nil_uuid()
                ELSE uuidrfc_bound(lower($1), NOT lower_inc($1)) END;
COMMENT ON FUNCTION uuidrfc_lower(tstzrange) IS 'smallest UUID within a range of time, which is greater than uuidrfc_upper if the range has none; used in plans for id <@ range';
CREATE FUNCTION uuidrfc_upper(tstzrange) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE uuidrfc_bound_behind($1)
           WHEN nil_uuid() THEN nil_uuid() WHEN max_uuid() THEN 'ffffffff-ffff-ffff-ffff-fffffffffffe'
           ELSE coalesce(overlay(uuidrfc_bound_behind($1)::text PLACING '7fff-ffffffffffff' FROM 20)::uuid, max_uuid()) END;
COMMENT ON FUNCTION uuidrfc_upper(tstzrange) IS 'largest UUID within a range of time; used in plans for id <@ range';

-- The comment in sql/uuidrfc.sql explains why the operators take a domain.
CREATE DOMAIN uuid_tstzrange AS tstzrange;
COMMENT ON DOMAIN uuid_tstzrange IS 'tstzrange as operand of <@ and @> of uuid';

CREATE FUNCTION uuid_contained_by_tstzrange(uuid, uuid_tstzrange) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN $1 >= uuidrfc_lower($2::tstzrange) AND $1 <= uuidrfc_upper($2::tstzrange);
COMMENT ON FUNCTION uuid_contained_by_tstzrange(uuid, uuid_tstzrange) IS 'implementation of <@ operator';
CREATE FUNCTION tstzrange_contains_uuid(uuid_tstzrange, uuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN $2 >= uuidrfc_lower($1::tstzrange) AND $2 <= uuidrfc_upper($1::tstzrange);
COMMENT ON FUNCTION tstzrange_contains_uuid(uuid_tstzrange, uuid) IS 'implementation of @> operator';

CREATE OPERATOR <@ (LEFTARG = uuid, RIGHTARG = uuid_tstzrange, FUNCTION = uuid_contained_by_tstzrange,
    COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel);
COMMENT ON OPERATOR <@ (uuid, uuid_tstzrange) IS 'time inside UUID version 7 is contained by';
CREATE OPERATOR @> (LEFTARG = uuid_tstzrange, RIGHTARG = uuid, FUNCTION = tstzrange_contains_uuid,
    COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel);
COMMENT ON OPERATOR @> (uuid_tstzrange, uuid) IS 'contains time inside UUID version 7';

CREATE FUNCTION uuidrfc_padded(prefix text, digits uuid, otherwise uuid) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN translate($1, '123456789abcdef', '000000000000000') = left(nil_uuid()::text, length($1))
                THEN overlay($2::text PLACING $1 FROM 1)::uuid ELSE $3 END;
COMMENT ON FUNCTION uuidrfc_padded(text, uuid, uuid) IS 'UUID whose text begins with a prefix and ends with the digits of another UUID, or a third UUID if there is none; used in plans for id ^@ text';
CREATE FUNCTION uuid_starts_with(uuid, text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN $1 >= uuidrfc_padded($2, nil_uuid(), max_uuid()) AND $1 <= uuidrfc_padded($2, max_uuid(), nil_uuid());
COMMENT ON FUNCTION uuid_starts_with(uuid, text) IS 'implementation of ^@ operator';
CREATE OPERATOR ^@ (LEFTARG = uuid, RIGHTARG = text, FUNCTION = uuid_starts_with, RESTRICT = likesel, JOIN = likejoinsel);
COMMENT ON OPERATOR ^@ (uuid, text) IS 'text of a UUID starts with';

-- UUIDs of names ----------------------------------------------------------------------------------------------------------

-- PostgreSQL has an SQL function for MD5 but none for SHA-1, so uuidrfc_sha1 calls pgcrypto if the database has it when this file
-- is run. Otherwise, uuidrfc_sha1 raises an error until it is replaced as docs/portable.md shows.
DO $do$ BEGIN
    EXECUTE pg_catalog.format('
        CREATE FUNCTION uuidrfc_sha1(bytea) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN %s', COALESCE(
        (SELECT pg_catalog.format('%s.digest($1, ''sha1'')', extnamespace::pg_catalog.regnamespace)
         FROM pg_catalog.pg_extension WHERE extname OPERATOR(pg_catalog.=) 'pgcrypto'),
        $$uuidrfc_raise(length($1)::text, '0A000', 'UUID version 5 needs SHA-1', 'The extension pgcrypto provides SHA-1.',
                        'Create pgcrypto, and replace the function uuidrfc_sha1 as docs/portable.md shows.')::bytea$$));
END $do$;

-- Returns the first 128 bits of a hash, given in hexadecimal, with version and variant set.
CREATE FUNCTION uuidrfc_of_hash(version text, hash text) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN overlay(overlay(left($2, 32) PLACING $1 FROM 13)
                   PLACING translate(substr($2, 17, 1), '0123456789abcdef', '89ab89ab89ab89ab') FROM 17)::uuid;

CREATE FUNCTION uuid_v3(ns uuid, name bytea) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN uuidrfc_of_hash('3', md5(uuid_send($1) || $2));
COMMENT ON FUNCTION uuid_v3(uuid, bytea) IS 'derive UUID version 3 from a namespace and a binary name, by MD5';
CREATE FUNCTION uuid_v3(ns uuid, name text) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN uuid_v3($1, convert_to($2, 'UTF8'));
COMMENT ON FUNCTION uuid_v3(uuid, text) IS 'derive UUID version 3 from a namespace and a name in UTF-8, by MD5';
CREATE FUNCTION uuid_v5(ns uuid, name bytea) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN uuidrfc_of_hash('5', encode(uuidrfc_sha1(uuid_send($1) || $2), 'hex'));
COMMENT ON FUNCTION uuid_v5(uuid, bytea) IS 'derive UUID version 5 from a namespace and a binary name, by SHA-1';
CREATE FUNCTION uuid_v5(ns uuid, name text) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN uuid_v5($1, convert_to($2, 'UTF8'));
COMMENT ON FUNCTION uuid_v5(uuid, text) IS 'derive UUID version 5 from a namespace and a name in UTF-8, by SHA-1';

CREATE FUNCTION uuid_namespace(name text) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE lower($1 COLLATE "C")
           WHEN 'dns' THEN '6ba7b810-9dad-11d1-80b4-00c04fd430c8'::uuid WHEN 'url' THEN '6ba7b811-9dad-11d1-80b4-00c04fd430c8'
           WHEN 'oid' THEN '6ba7b812-9dad-11d1-80b4-00c04fd430c8' WHEN 'x500' THEN '6ba7b814-9dad-11d1-80b4-00c04fd430c8'
           ELSE uuidrfc_raise($1, '22023', 'unrecognized namespace: "%s"',
                              'Valid namespaces are "dns", "url", "oid", and "x500".')::uuid END;
COMMENT ON FUNCTION uuid_namespace(text) IS 'ID of namespace dns, url, oid or x500';

-- Text forms --------------------------------------------------------------------------------------------------------------

-- These functions convert a UUID to a number in the digits of an alphabet, and back (to null if it has more than 128 bits).
CREATE FUNCTION uuidrfc_to_digits(uuid uuid, alphabet text, width integer) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    radix constant numeric = length(alphabet);
    number numeric = 0;
    digits text = '';
BEGIN
    FOR place IN 0 .. 3 LOOP
        number = number * 4294967296 + ('x' || substr(translate($1::text, '-', ''), place * 8 + 1, 8))::bit(32)::bigint;
    END LOOP;
    FOR place IN 1 .. width LOOP
        digits = substr(alphabet, (number % radix)::integer + 1, 1) || digits;
        number = div(number, radix);
    END LOOP;
    RETURN digits;
END $$;
CREATE FUNCTION uuidrfc_from_digits(digits text, alphabet text) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    number numeric = 0;
    hex text = '';
BEGIN
    FOR place IN 1 .. length(digits) LOOP
        number = number * length(alphabet) + strpos(alphabet, substr(digits, place, 1)) - 1;
    END LOOP;
    FOR place IN 0 .. 3 LOOP
        hex = lpad(to_hex((number % 4294967296)::bigint), 8, '0') || hex;
        number = div(number, 4294967296);
    END LOOP;
    RETURN CASE WHEN number = 0 THEN hex END;
END $$;

CREATE FUNCTION uuid_encode(uuid uuid, format text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE lower($2 COLLATE "C")
           WHEN 'base32' THEN uuidrfc_to_digits($1, '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 26)
           WHEN 'base58' THEN uuidrfc_to_digits($1, '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 22)
           ELSE uuidrfc_raise($2, '0A000', 'UUID format "%s" is not in the pure-SQL edition',
                              'This edition has only "base32" and "base58".', 'Use the extension uuidrfc for other formats.') END;
COMMENT ON FUNCTION uuid_encode(uuid, text) IS 'encode a UUID as text in the format base32 (as a ULID) or base58';
CREATE FUNCTION uuid_decode(text text, format text) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(CASE WHEN lower($2 COLLATE "C") NOT IN ('base32', 'base58') THEN uuid_encode(nil_uuid(), $2)::uuid
                         WHEN lower($2 COLLATE "C") = 'base32' AND $1 COLLATE "C" ~ '^[0-9A-TV-Za-tv-z]{26}$'
                         THEN uuidrfc_from_digits(translate(upper($1 COLLATE "C"), 'ILO', '110'), '0123456789ABCDEFGHJKMNPQRSTVWXYZ')
                         WHEN lower($2 COLLATE "C") = 'base58' AND $1 COLLATE "C" ~ '^[1-9A-HJ-NP-Za-km-z]{22}$'
                         THEN uuidrfc_from_digits($1, '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz') END,
                    uuidrfc_raise($1, '22P02', 'invalid input syntax for UUID in format "' || lower($2 COLLATE "C") || '": "%s"',
                                  'The text must consist of the digits of a number of 128 bits: 26 in base32, 22 in base58.')::uuid);
COMMENT ON FUNCTION uuid_decode(text, text) IS 'decode a UUID from text in the format base32 (as a ULID) or base58';

-- TypeIDs. The separator is the last underscore. uuidrfc_typeid_prefix returns the prefix, or raises an error if it is not valid.
CREATE FUNCTION uuidrfc_typeid_prefix(prefix text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN $1 COLLATE "C" !~ '^([a-z]([a-z_]{0,61}[a-z])?)?$'
                THEN uuidrfc_raise($1, '22P02', 'invalid TypeID prefix: "%s"',
                                   'A prefix has at most 63 characters, a to z, and underscores between them.') ELSE $1 END;
CREATE FUNCTION typeid_prefix(typeid text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN $1 COLLATE "C" !~ '^([a-z]([a-z_]{0,61}[a-z])?_)?[0-7][0-9a-hjkmnp-tv-z]{25}$'
                THEN uuidrfc_raise($1, '22P02', 'invalid input syntax for TypeID: "%s"',
                                   'A TypeID has 26 digits, 0 to 9 and a to z except i, l, o and u, and may have a prefix before them.')
                ELSE left($1, greatest(length($1) - 27, 0)) END;
COMMENT ON FUNCTION typeid_prefix(text) IS 'prefix of a TypeID';
CREATE FUNCTION typeid_encode(prefix text, id uuid) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE uuidrfc_typeid_prefix($1) WHEN '' THEN '' ELSE $1 || '_' END
           || uuidrfc_to_digits($2, '0123456789abcdefghjkmnpqrstvwxyz', 26);
COMMENT ON FUNCTION typeid_encode(text, uuid) IS 'encode a prefix and a UUID as a TypeID';
CREATE FUNCTION typeid_decode(typeid text, prefix text) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN uuidrfc_typeid_prefix($2) <> typeid_prefix($1)
                THEN uuidrfc_raise($1, '22P02', 'invalid input syntax for TypeID: "%s"',
                                   'The prefix must be "' || $2 || '".')::uuid
                ELSE uuidrfc_from_digits(right($1, 26), '0123456789abcdefghjkmnpqrstvwxyz') END;
COMMENT ON FUNCTION typeid_decode(text, text) IS 'decode the UUID from a TypeID, which must have the given prefix';
CREATE FUNCTION typeid_decode(typeid text) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN typeid_prefix($1) IS NOT NULL THEN uuidrfc_from_digits(right($1, 26), '0123456789abcdefghjkmnpqrstvwxyz') END;
COMMENT ON FUNCTION typeid_decode(text) IS 'decode the UUID from a TypeID';

-- Aggregates --------------------------------------------------------------------------------------------------------------

CREATE FUNCTION uuid_least(uuid, uuid) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN least($1, $2);
COMMENT ON FUNCTION uuid_least(uuid, uuid) IS 'the smaller of two UUIDs';
CREATE FUNCTION uuid_greatest(uuid, uuid) RETURNS uuid LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN greatest($1, $2);
COMMENT ON FUNCTION uuid_greatest(uuid, uuid) IS 'the larger of two UUIDs';
CREATE AGGREGATE min(uuid) (
    SFUNC = uuid_least, STYPE = uuid, COMBINEFUNC = uuid_least, SORTOP = OPERATOR(pg_catalog.<), PARALLEL = SAFE);
COMMENT ON AGGREGATE min(uuid) IS 'minimum value of all uuid input values';
CREATE AGGREGATE max(uuid) (
    SFUNC = uuid_greatest, STYPE = uuid, COMBINEFUNC = uuid_greatest, SORTOP = OPERATOR(pg_catalog.>), PARALLEL = SAFE);
COMMENT ON AGGREGATE max(uuid) IS 'maximum value of all uuid input values';

-- Feeds -------------------------------------------------------------------------------------------------------------------

DO $do$ BEGIN
    EXECUTE pg_catalog.format($sql$CREATE FUNCTION uuidv7_touch() RETURNS trigger
        LANGUAGE plpgsql VOLATILE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp AS $$
    DECLARE
        named CONSTANT pg_attribute = (SELECT a FROM pg_attribute AS a WHERE attrelid = TG_RELID AND attname = TG_ARGV[0] AND attnum > 0);
    BEGIN
        IF TG_WHEN <> 'BEFORE' OR TG_OP NOT IN ('INSERT', 'UPDATE') OR TG_LEVEL <> 'ROW' OR TG_NARGS <> 1 THEN
            RAISE 'uuidv7_touch must be fired BEFORE INSERT OR UPDATE, FOR EACH ROW, with the name of a column' USING ERRCODE = '39P01';
        ELSIF named.attname IS NULL THEN
            RAISE 'column "%%" does not exist', TG_ARGV[0] USING ERRCODE = '42703';
        ELSIF named.atttypid <> 'uuid'::regtype THEN
            RAISE 'column "%%" is not of type uuid', TG_ARGV[0] USING ERRCODE = '42804';
        ELSIF named.attgenerated <> '' THEN
            RAISE 'column "%%" is a generated column', TG_ARGV[0] USING ERRCODE = '428C9';
        END IF;
        RETURN jsonb_populate_record(NEW, jsonb_build_object(TG_ARGV[0], %I.uuidv7()));
    END $$ $sql$, pg_catalog.current_schema());
END $do$;
COMMENT ON FUNCTION uuidv7_touch() IS 'trigger BEFORE INSERT OR UPDATE that sets the column named by its argument to a new UUID version 7';

CREATE FUNCTION uuidv7_no_horizon(detail text) RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE RETURN uuidrfc_raise($1, '55000', 'cannot compute the horizon', $1)::uuid;
COMMENT ON FUNCTION uuidv7_no_horizon(text) IS 'implementation of uuidv7_horizon and uuidv7_mark_by_activity: raise an error, because there is no horizon';
CREATE FUNCTION uuidv7_mark(marks regclass, node text) RETURNS uuid LANGUAGE plpgsql STABLE STRICT PARALLEL RESTRICTED AS $$
DECLARE
    horizon pg_catalog.uuid;
BEGIN
    EXECUTE pg_catalog.format('SELECT horizon FROM %s WHERE node OPERATOR(pg_catalog.=) $1 ORDER BY 1', $1) INTO horizon USING $2;
    RETURN horizon;
END $$;
COMMENT ON FUNCTION uuidv7_mark(regclass, text) IS 'mark of a server in a table, or null';
CREATE FUNCTION uuidv7_horizon(relation regclass, marks regclass, VARIADIC nodes text[]) RETURNS uuid
    LANGUAGE sql STABLE STRICT PARALLEL RESTRICTED
BEGIN ATOMIC
    WITH subscription AS (
        SELECT bool_or(srrelid OPERATOR(pg_catalog.=) marks) AS has_marks,
               bool_or(srrelid OPERATOR(pg_catalog.=) ANY (SELECT relation::oid UNION SELECT relid::oid FROM pg_partition_tree(relation)
                                      UNION SELECT relid::oid FROM pg_partition_ancestors(relation) AS ancestor (relid))) AS has_rows,
               string_agg(srrelid::regclass::text, ', ') FILTER (WHERE srsubstate <> 'r') AS copied
        FROM pg_subscription_rel GROUP BY srsubid
    )
    SELECT coalesce(uuidv7_no_horizon(coalesce(
               CASE WHEN NOT EXISTS (SELECT FROM pg_class WHERE oid OPERATOR(pg_catalog.=) relation AND relkind IN ('r', 'p'))
                    THEN pg_catalog.format('%s is not a table.', relation) END,
               CASE WHEN count(*) = 0 THEN 'No server is named.' END,
               (SELECT 'Tables are still being copied: ' || string_agg(copied, ', ') FROM subscription WHERE has_marks OR has_rows),
               (SELECT pg_catalog.format('A subscription includes the table, but not %s.', marks) FROM subscription WHERE has_rows AND NOT has_marks LIMIT 1),
               'No mark has arrived from: ' || string_agg(coalesce(node, 'null'), ', ') FILTER (WHERE horizon IS NULL))), min(horizon))
    FROM pg_catalog.unnest(nodes) AS node, uuidv7_mark(marks, node) AS horizon;
END;
COMMENT ON FUNCTION uuidv7_horizon(regclass, regclass, text[]) IS 'bound of a feed of keys from the given servers: the least of their marks';
-- The comment in sql/uuidrfc.sql explains the order in which the clock and the transactions are read.
CREATE FUNCTION uuidv7_mark_by_activity(last uuid) RETURNS uuid LANGUAGE sql VOLATILE CALLED ON NULL INPUT PARALLEL UNSAFE
BEGIN ATOMIC
    SELECT set_config('synchronous_commit', 'on', true) WHERE current_setting('synchronous_commit') = 'off';
    SELECT coalesce(uuidv7_no_horizon(CASE
               WHEN current_setting('transaction_isolation') NOT LIKE 'read %' THEN 'The isolation level must be READ COMMITTED.'
               WHEN NOT pg_catalog.pg_has_role('pg_read_all_stats', 'USAGE') THEN 'The role lacks the privileges of pg_read_all_stats.'
               WHEN is_hidden THEN 'A session with track_activities = off shows no transaction.'
               WHEN prepared > 0 THEN 'A prepared transaction does not show when it began.'
               WHEN after < greatest(newest, uuidv7_time(last)) THEN 'The clock was set back.' END), uuidv7_floor(least(before, oldest)))
    FROM (SELECT pg_stat_clear_snapshot() IS NULL, clock_timestamp() OFFSET 0) AS clock (cleared, before),
         LATERAL (SELECT min(xact_start) FILTER (WHERE pid <> pg_backend_pid() AND backend_type <> 'autovacuum worker'),
                         max(greatest(backend_start, xact_start, query_start, state_change)),
                         coalesce(bool_or(state = 'disabled'), false) OR current_setting('track_activities') = 'off', count(*)
                  FROM pg_stat_activity WHERE before IS NOT NULL) AS activity (oldest, newest, is_hidden, sessions),
         LATERAL (SELECT count(*), clock_timestamp() FROM pg_prepared_xacts WHERE sessions > 0) AS rest (prepared, after);
END;
COMMENT ON FUNCTION uuidv7_mark_by_activity(uuid) IS 'horizon of this server according to pg_stat_activity, to be stored as a mark; the argument is the last mark, or null';

-- Domain, and functions that only the extension has -----------------------------------------------------------------------

-- From here on, pg_catalog is searched first: as in the extension, the constraint uses PostgreSQL's own function from 17 on.
SELECT pg_catalog.set_config('search_path', pg_catalog.format('%I, pg_temp', pg_catalog.current_schema()), true) IS NULL;
CREATE DOMAIN uuid_v7 AS uuid
    CONSTRAINT uuid_v7_check CHECK (VALUE IS NULL OR uuid_extract_version(VALUE) IS NOT DISTINCT FROM 7);
COMMENT ON DOMAIN uuid_v7 IS 'UUID of version 7, or null';
COMMENT ON CONSTRAINT uuid_v7_check ON DOMAIN uuid_v7 IS 'variant 10 and version 7 as in RFC 9562, section 5.7';

-- These functions raise an error. Their arguments and results are those of the extension, so that its functions can replace them.
-- They are VOLATILE, so that only a call that is executed fails. Functions of PostgreSQL and of the schema take precedence.
DO $do$ DECLARE one record; BEGIN
    FOR one IN SELECT * FROM (VALUES
        ('uuid', '{uuidv1,uuidv4,uuidv6,uuidv7_horizon,uuidv7_mark}', ''), ('uuid', '{uuidv7}', 'shift interval'),
        ('uuid', '{uuidv6_at,uuidv6_floor,uuidv6_ceil}', '"time" timestamptz'), ('uuid[]', '{uuidv7_array}', 'n bigint'),
        ('uuid', '{uuid_v1_to_v6,uuid_v6_to_v1}', 'uuid uuid'), ('jsonb', '{uuid_inspect}', 'uuid uuid'),
        ('uuid', '{uuid_v8}',
         'ns uuid, name text, hash text DEFAULT ''sha256''; ns uuid, name bytea, hash text DEFAULT ''sha256'''),
        ('uuid', '{uuid_seal,uuid_unseal}', 'id uuid; id uuid, key bytea'), ('void', '{uuid_ops_add_timestamptz}', ''),
        ('uuid', '{uuid_unseal_with}', 'id uuid, key_id integer'), ('timestamptz', '{uuid_time_decoder}', 'id uuid'),
        ('timestamptz', '{uuid_extract_time}', 'uuid uuid, layout text'),
        ('integer', '{uuid_extract_node_id}', 'uuid uuid, bits integer DEFAULT 8'),
        ('timestamptz', '{other_id_time}', 'id text, system text, epoch'),
        ('jsonb', '{other_id_fields}', 'id text, system text, epoch; id anynonarray, system text, epoch'),
        ('uuid', '{other_id_to_uuid}', 'id text, system text, epoch; id anynonarray, system text, epoch'),
        ('anyelement', '{uuid_to_other_id}', 'uuid uuid, system text, type anyelement DEFAULT NULL::text, epoch'),
        ('anyelement', '{other_id_floor,other_id_ceil}',
         '"time" timestamptz, system text, type anyelement DEFAULT NULL::text, epoch'),
        ('TABLE (pid integer, gid text, since timestamptz, first_value uuid)', '{uuidv7_horizon_holders}', '')
    ) AS lacking (result, names, lists), pg_catalog.unnest(names::text[]) AS name, pg_catalog.regexp_split_to_table(
        pg_catalog.replace(lists, ' epoch', ' epoch timestamptz DEFAULT ''-infinity'''), '; ') AS arguments,
        pg_catalog.concat(name, '(', pg_catalog.regexp_replace(arguments, '(^|, )\S+ | DEFAULT [^,]+', '\1', 'g'), ')') AS signature
    WHERE pg_catalog.to_regprocedure(signature) IS NULL LOOP
        EXECUTE pg_catalog.format('
            CREATE FUNCTION %1$s(%2$s) RETURNS %3$s LANGUAGE plpgsql AS $$ BEGIN
                RAISE ''%4$s is not in the pure-SQL edition'' USING ERRCODE = ''0A000'', HINT = ''Use the extension uuidrfc.'';
            END $$;
            COMMENT ON FUNCTION %4$s IS ''not in the pure-SQL edition: raises an error''',
            one.name, one.arguments, one.result, one.signature);
    END LOOP;
END $do$;

-- Ownership of the objects used -------------------------------------------------------------------------------------------

-- Another role may have created a function, operator or type in the schema with a name that PostgreSQL or this file also uses.
-- The objects above might then use that object. So it is an error if they use an object that does not belong to the current role,
-- to a superuser or to an extension.
SET LOCAL search_path = pg_catalog, pg_temp;
DO $do$ DECLARE planted text; BEGIN
    SELECT pg_describe_object(refclassid, refobjid, 0) INTO planted
    FROM (SELECT 'pg_proc'::regclass AS refclassid, oid AS refobjid, proowner AS owner FROM pg_proc
          UNION ALL SELECT 'pg_operator', oid, oprowner FROM pg_operator
          UNION ALL SELECT 'pg_type', oid, typowner FROM pg_type) AS used JOIN pg_depend AS use USING (refclassid, refobjid)
    WHERE age(use.xmin) <= 0 AND classid IN ('pg_proc'::regclass, 'pg_operator'::regclass, 'pg_type'::regclass)
      AND owner <> quote_ident(current_user)::regrole AND NOT (SELECT rolsuper FROM pg_roles WHERE pg_roles.oid = owner)
      AND (refclassid, refobjid) NOT IN (SELECT classid, objid FROM pg_depend WHERE deptype = 'e')
    LIMIT 1;
    IF planted IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = '55000', MESSAGE = format('uuidrfc would use %s of another role', planted),
            HINT = 'Drop that object, or create a schema for uuidrfc.';
    END IF;
END $do$;

SELECT pg_catalog.set_config('search_path', pg_catalog.current_setting('uuidrfc_portable.search_path'), true) IS NULL;

-- uuidrfc in pure SQL, for servers that take no C from their users. docs/portable.md says how to install it, and what it
-- lacks. PostgreSQL 14 or later; a role that may create functions in a schema; one transaction:
--
--     psql -1 -v ON_ERROR_STOP=1 -c 'SET search_path = myschema' -f uuidrfc.sql
--
-- The objects go into the first schema of search_path. They have the names, arguments, results, errors and comments of the
-- extension. Functions whose names begin with uuidrfc_ are for the others.
--
-- No search_path comes into a function when it is called. The bodies of SQL functions (RETURN, BEGIN ATOMIC) are bound when they are
-- created. PL/pgSQL functions that are called for many rows name the schema of each operator and type; the others have a SET clause,
-- which would double the cost of the former. A comparison of a uuid with a time must be inlined, so it is in SQL and uses no
-- argument that it could not use twice.

-- These settings end with the transaction. Before search_path is the one that the rest of the file has, names have their schema.
SELECT pg_catalog.set_config('uuidrfc_portable.search_path', pg_catalog.current_setting('search_path'), true) IS NULL AS "uuidrfc";
DO $do$
DECLARE
    target CONSTANT pg_catalog.name = pg_catalog.current_schema();
    path pg_catalog.text;
    planted pg_catalog.text;
BEGIN
    IF target IS NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'invalid_schema_name', MESSAGE = 'no schema has been selected to create in';
    ELSIF COALESCE(pg_catalog.current_setting('uuidrfc_portable.search_path', true), '') OPERATOR(pg_catalog.=) '' THEN
        RAISE EXCEPTION USING ERRCODE = 'no_active_sql_transaction', MESSAGE = 'uuidrfc.sql must be run in a transaction',
            HINT = 'Put BEGIN before it and COMMIT behind it, or run it by psql -1 -v ON_ERROR_STOP=1.';
    END IF;
    path = pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    -- What follows would be bound to a function, operator or type of this schema that has the name of one of PostgreSQL's own. So there may be
    -- none, but of this role, of a superuser or of an extension.
    SELECT format('%s %s', type, identity) INTO planted
    FROM (SELECT 'pg_proc'::regclass, oid, proname, pronamespace, proowner FROM pg_proc
          UNION ALL SELECT 'pg_operator', oid, oprname, oprnamespace, oprowner FROM pg_operator
          UNION ALL SELECT 'pg_type', oid, typname, typnamespace, typowner FROM pg_type WHERE typtype <> 'c') AS one (class, oid, name, namespace, owner),
         pg_identify_object(class, one.oid, 0) AS identified
    WHERE namespace = (SELECT oid FROM pg_namespace WHERE nspname = target) AND owner <> quote_ident(current_user)::regrole
      AND NOT (SELECT rolsuper FROM pg_roles WHERE pg_roles.oid = owner)
      AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = class AND objid = one.oid AND deptype = 'e')
      AND one.name IN (SELECT proname FROM pg_proc WHERE class = 'pg_proc'::regclass AND pronamespace = 'pg_catalog'::regnamespace
                       UNION ALL SELECT oprname FROM pg_operator WHERE class = 'pg_operator'::regclass AND oprnamespace = 'pg_catalog'::regnamespace
                       UNION ALL SELECT typname FROM pg_type WHERE class = 'pg_type'::regclass AND typnamespace = 'pg_catalog'::regnamespace)
    LIMIT 1;
    IF planted IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state', MESSAGE = format('%s has the name of one of PostgreSQL''s own', planted),
            HINT = 'Drop it, or make a schema for uuidrfc.';
    END IF;
    path = set_config('search_path', format('%I, pg_catalog, pg_temp', target), true);
END $do$;

-- ------------------------------------------------------------------------------------------------------------------------
-- Fields
-- ------------------------------------------------------------------------------------------------------------------------

-- Not STRICT, here and below, so that the planner can inline them. The result for a null is null all the same.

CREATE FUNCTION uuid_extract_version(uuid pg_catalog.uuid) RETURNS smallint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN get_byte(uuid_send($1), 8) >> 6 = 2 THEN (get_byte(uuid_send($1), 6) >> 4)::smallint END;
COMMENT ON FUNCTION uuid_extract_version(pg_catalog.uuid) IS 'version of a UUID of the RFC 9562 variant, else null';

CREATE FUNCTION uuid_extract_variant(uuid uuid) RETURNS text
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN get_byte(uuid_send($1), 8) < 128 THEN 'ncs' WHEN get_byte(uuid_send($1), 8) < 192 THEN 'rfc9562'
                WHEN get_byte(uuid_send($1), 8) < 224 THEN 'microsoft' WHEN get_byte(uuid_send($1), 8) < 256 THEN 'future' END;
COMMENT ON FUNCTION uuid_extract_variant(uuid) IS 'variant of a UUID: ncs, rfc9562, microsoft or future';

CREATE FUNCTION uuid_extract_clock_seq(uuid uuid) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN uuid_extract_version($1) IN (1, 6) THEN ((get_byte(uuid_send($1), 8) & 63) << 8) + get_byte(uuid_send($1), 9) END;
COMMENT ON FUNCTION uuid_extract_clock_seq(uuid) IS 'clock sequence of UUID version 1 or 6, else null';
CREATE FUNCTION uuid_extract_node(uuid uuid) RETURNS macaddr
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN uuid_extract_version($1) IN (1, 6) THEN right($1::text, 12)::macaddr END;
COMMENT ON FUNCTION uuid_extract_node(uuid) IS 'node of UUID version 1 or 6, else null';

-- The first 16 of the bits that can be a node's: of version 7 after 96 bits, of versions 1 and 6 at the end, if the node's multicast bit is set.
CREATE FUNCTION uuidrfc_node_bits(uuid) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN uuid_extract_version($1) = 7 THEN (get_byte(uuid_send($1), 12) << 8) + get_byte(uuid_send($1), 13)
                WHEN uuid_extract_version($1) IN (1, 6) AND get_byte(uuid_send($1), 10) & 1 = 1 THEN (get_byte(uuid_send($1), 14) << 8) + get_byte(uuid_send($1), 15) END;
COMMENT ON FUNCTION uuidrfc_node_bits(uuid) IS '16 bits, of which the first are those of the node';
CREATE FUNCTION uuidrfc_checked_bits(bits integer) RETURNS integer
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF bits NOT BETWEEN 1 AND 16 THEN
        RAISE EXCEPTION USING ERRCODE = '22023', MESSAGE = 'number of bits of a node must be between 1 and 16';
    END IF;
    RETURN bits;
END $$;
COMMENT ON FUNCTION uuidrfc_checked_bits(integer) IS 'a number of bits that a node can have';
-- A CASE, so that a null does not save the other argument from being checked.
CREATE FUNCTION uuid_extract_node_id(uuid uuid, bits integer) RETURNS integer
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN uuidrfc_checked_bits($2) > 0 THEN uuidrfc_node_bits($1) >> 16 - $2 END;
COMMENT ON FUNCTION uuid_extract_node_id(uuid, integer) IS 'node that made a UUID version 7, 6 or 1, of so many bits, else null';
CREATE FUNCTION uuid_extract_node_id(uuid uuid) RETURNS integer
    LANGUAGE sql STABLE STRICT PARALLEL SAFE
    RETURN uuid_extract_node_id($1, coalesce(nullif(current_setting('uuidrfc.node_bits', true), ''), '8')::integer);
COMMENT ON FUNCTION uuid_extract_node_id(uuid) IS 'node that made a UUID version 7, 6 or 1, of uuidrfc.node_bits bits, else null';

-- ------------------------------------------------------------------------------------------------------------------------
-- Time inside a UUID
-- ------------------------------------------------------------------------------------------------------------------------

-- The product of an interval and a number is computed in floating point, of 53 bits. So a time is the sum of two products, one
-- of a multiple of 2^24 milliseconds and one below that; both are exact. Adding to a timestamp without time zone, and the shift to
-- UTC by an interval, depend on no setting.

CREATE FUNCTION uuidrfc_first_24_bits(uuid) RETURNS float8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((get_byte(uuid_send($1), 0) << 16) + (get_byte(uuid_send($1), 1) << 8) + get_byte(uuid_send($1), 2))::float8;
COMMENT ON FUNCTION uuidrfc_first_24_bits(uuid) IS 'bits 0 to 23';
CREATE FUNCTION uuidrfc_next_24_bits(uuid) RETURNS float8
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((get_byte(uuid_send($1), 3) << 16) + (get_byte(uuid_send($1), 4) << 8) + get_byte(uuid_send($1), 5))::float8;
COMMENT ON FUNCTION uuidrfc_next_24_bits(uuid) IS 'bits 24 to 47';
CREATE FUNCTION uuidrfc_12_bits_after_version(uuid) RETURNS integer
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN ((get_byte(uuid_send($1), 6) & 15) << 8) + get_byte(uuid_send($1), 7);
COMMENT ON FUNCTION uuidrfc_12_bits_after_version(uuid) IS 'bits 52 to 63';
CREATE FUNCTION uuidrfc_32_bits(uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (get_byte(uuid_send($1), 0)::bigint << 24) + (get_byte(uuid_send($1), 1) << 16) + (get_byte(uuid_send($1), 2) << 8) + get_byte(uuid_send($1), 3);
COMMENT ON FUNCTION uuidrfc_32_bits(uuid) IS 'bits 0 to 31';
CREATE FUNCTION uuidrfc_next_16_bits(uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (get_byte(uuid_send($1), 4)::bigint << 8) + get_byte(uuid_send($1), 5);
COMMENT ON FUNCTION uuidrfc_next_16_bits(uuid) IS 'bits 32 to 47';

-- Version 6 has the order of time, version 1 that of 1988.
CREATE FUNCTION uuidrfc_v6_tick(uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (uuidrfc_32_bits($1) << 28) + (uuidrfc_next_16_bits($1) << 12) + uuidrfc_12_bits_after_version($1);
COMMENT ON FUNCTION uuidrfc_v6_tick(uuid) IS 'intervals of 100 ns since 1582-10-15 in UUID version 6';
CREATE FUNCTION uuidrfc_v1_tick(uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN (uuidrfc_12_bits_after_version($1)::bigint << 48) + (uuidrfc_next_16_bits($1) << 32) + uuidrfc_32_bits($1);
COMMENT ON FUNCTION uuidrfc_v1_tick(uuid) IS 'intervals of 100 ns since 1582-10-15 in UUID version 1';

CREATE FUNCTION uuidrfc_v7_time(uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN timezone(interval '0', timestamp '1970-01-01' + interval '16777.216 s' * uuidrfc_first_24_bits($1) + interval '0.001 s' * uuidrfc_next_24_bits($1));
COMMENT ON FUNCTION uuidrfc_v7_time(uuid) IS 'time inside UUID version 7, to the millisecond';
CREATE FUNCTION uuidrfc_v6_time(uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN timezone(interval '0', timestamp '1582-10-15' + interval '16777.216 s' * (uuidrfc_v6_tick($1) / 167772160000)::float8
                                  + interval '0.000001 s' * (uuidrfc_v6_tick($1) % 167772160000 / 10)::float8);
COMMENT ON FUNCTION uuidrfc_v6_time(uuid) IS 'time inside UUID version 6, to the microsecond';
CREATE FUNCTION uuidrfc_v1_time(uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN timezone(interval '0', timestamp '1582-10-15' + interval '16777.216 s' * (uuidrfc_v1_tick($1) / 167772160000)::float8
                                  + interval '0.000001 s' * (uuidrfc_v1_tick($1) % 167772160000 / 10)::float8);
COMMENT ON FUNCTION uuidrfc_v1_time(uuid) IS 'time inside UUID version 1, to the microsecond';

CREATE FUNCTION uuidv7_time(uuid uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN uuid_extract_version($1) = 7 THEN uuidrfc_v7_time($1) END;
COMMENT ON FUNCTION uuidv7_time(uuid) IS 'time inside UUID version 7, to the millisecond, else null';

-- STRICT, so that it is not inlined: plans stay short.
CREATE FUNCTION uuidrfc_gregorian_time(uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN uuid_extract_version($1) = 6 THEN uuidrfc_v6_time($1) WHEN uuid_extract_version($1) = 1 THEN uuidrfc_v1_time($1) END;
COMMENT ON FUNCTION uuidrfc_gregorian_time(uuid) IS 'time inside UUID version 1 or 6, to the microsecond, else null';

CREATE FUNCTION uuid_extract_time(uuid uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN uuid_extract_version($1) = 7 THEN uuidrfc_v7_time($1) ELSE uuidrfc_gregorian_time($1) END;
COMMENT ON FUNCTION uuid_extract_time(uuid) IS 'time inside UUID version 1, 6 (to the microsecond) or 7 (to the millisecond), else null';
CREATE FUNCTION uuid_extract_timestamp(uuid pg_catalog.uuid) RETURNS pg_catalog.timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN uuid_extract_version($1) = 7 THEN uuidrfc_v7_time($1) WHEN uuid_extract_version($1) = 1 THEN uuidrfc_gregorian_time($1) END;
COMMENT ON FUNCTION uuid_extract_timestamp(pg_catalog.uuid) IS 'time inside UUID version 1 or 7, as in PostgreSQL 18, else null';
-- The microsecond in which the fraction's 4096th of a millisecond ends: exact for encoders that round up and those that round down.
CREATE FUNCTION uuid_extract_time_us(uuid uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN uuid_extract_version($1) = 7
                THEN timezone(interval '0', timezone(interval '0', uuidrfc_v7_time($1))
                                            + interval '0.000001 s' * least((uuidrfc_12_bits_after_version($1) + 1) * 1000 >> 12, 999)::float8)
                ELSE uuidrfc_gregorian_time($1) END;
COMMENT ON FUNCTION uuid_extract_time_us(uuid) IS 'time inside UUID version 1, 6 or 7 to the microsecond, reading the 12 bits after version 7 as fraction of the millisecond, else null';

CREATE FUNCTION uuid_date_bin(stride interval, id uuid, origin timestamptz) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN date_bin($1, uuid_extract_time($2), $3);
COMMENT ON FUNCTION uuid_date_bin(interval, uuid, timestamptz) IS 'time inside a UUID, rounded down to a multiple of stride from origin';
CREATE FUNCTION uuid_time_decoder(id uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN uuid_extract_time($1);
COMMENT ON FUNCTION uuid_time_decoder(uuid) IS 'time inside a UUID, as time_decoder of pg_partman for a uuid column';
CREATE FUNCTION uuid_time_decoder(id text) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN uuid_extract_time($1::uuid);
COMMENT ON FUNCTION uuid_time_decoder(text) IS 'time inside a UUID in text form, as time_decoder of pg_partman for a text column and for bounds of partitions';

-- ------------------------------------------------------------------------------------------------------------------------
-- Errors
-- ------------------------------------------------------------------------------------------------------------------------

-- IMMUTABLE, so that immutable functions can use it. Every call passes an argument of its caller, or the planner would call it
-- while it simplifies a CASE.
CREATE FUNCTION uuidrfc_raise(sqlstate text, message text, detail text, hint text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF detail <> '' THEN
        RAISE EXCEPTION USING ERRCODE = $1, MESSAGE = message, DETAIL = detail;
    ELSIF hint <> '' THEN
        RAISE EXCEPTION USING ERRCODE = $1, MESSAGE = message, HINT = hint;
    ELSE
        RAISE EXCEPTION USING ERRCODE = $1, MESSAGE = message;
    END IF;
END $$;
COMMENT ON FUNCTION uuidrfc_raise(text, text, text, text) IS 'raises an error';

-- A text as error messages show it: its first 64 octets, without half a character.
CREATE FUNCTION uuidrfc_label(text text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    label text = left($1, 64);
BEGIN
    WHILE octet_length(label) > 64 LOOP
        label = left(label, -1);
    END LOOP;
    RETURN label;
END $$;
COMMENT ON FUNCTION uuidrfc_label(text) IS 'beginning of a text, for error messages';
CREATE FUNCTION uuidrfc_shown(text text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_label($1) || CASE WHEN octet_length($1) > 64 THEN '...' ELSE '' END;
COMMENT ON FUNCTION uuidrfc_shown(text) IS 'beginning of a text, with dots if it is not the whole';

-- ------------------------------------------------------------------------------------------------------------------------
-- Boundaries: the first and the last UUID of an instant
-- ------------------------------------------------------------------------------------------------------------------------

-- EXTRACT of the epoch is numeric, and so exact for every time.

CREATE FUNCTION uuidv7_lower_bound(timestamptz) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
    ms numeric = pg_catalog.ceil(EXTRACT(epoch FROM pg_catalog.timezone(interval '0', $1)) OPERATOR(pg_catalog.*) 1000);
BEGIN
    RETURN CASE WHEN ms OPERATOR(pg_catalog.<) 0 THEN '00000000-0000-0000-0000-000000000000'::pg_catalog.uuid
                WHEN ms OPERATOR(pg_catalog.>) 281474976710655 THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'::pg_catalog.uuid
                ELSE (pg_catalog.lpad(pg_catalog.to_hex(ms::bigint), 12, '0') OPERATOR(pg_catalog.||) '70008000000000000000')::pg_catalog.uuid END;
END $$;
COMMENT ON FUNCTION uuidv7_lower_bound(timestamptz) IS 'smallest UUID version 7 not earlier than the time, or the Nil or Max UUID; stands in plans for id >= time and id < time';
CREATE FUNCTION uuidv7_upper_bound(timestamptz) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
    ms numeric = pg_catalog.floor(EXTRACT(epoch FROM pg_catalog.timezone(interval '0', $1)) OPERATOR(pg_catalog.*) 1000);
BEGIN
    RETURN CASE WHEN ms OPERATOR(pg_catalog.<) 0 THEN '00000000-0000-0000-0000-000000000000'::pg_catalog.uuid
                WHEN ms OPERATOR(pg_catalog.>) 281474976710655 THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'::pg_catalog.uuid
                ELSE (pg_catalog.lpad(pg_catalog.to_hex(ms::bigint), 12, '0') OPERATOR(pg_catalog.||) '7fffbfffffffffffffff')::pg_catalog.uuid END;
END $$;
COMMENT ON FUNCTION uuidv7_upper_bound(timestamptz) IS 'largest UUID version 7 not later than the time, or the Nil or Max UUID; stood in plans before 0.3.0';

-- A range of UUIDs is that of Window in crates/rfc9562/src/window.rs: from the first UUID to the last one, or from the Max to the Nil UUID
-- if it is empty. The milliseconds here are those of the first UUID and of the one after the last.
CREATE FUNCTION uuidrfc_bound(period tstzrange, is_upper boolean) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
    first numeric = '-infinity';
    after numeric;
BEGIN
    IF pg_catalog.isempty(period) THEN
        RETURN CASE WHEN is_upper THEN '00000000-0000-0000-0000-000000000000'::pg_catalog.uuid ELSE 'ffffffff-ffff-ffff-ffff-ffffffffffff'::pg_catalog.uuid END;
    END IF;
    IF NOT pg_catalog.lower_inf(period) THEN
        first = EXTRACT(epoch FROM pg_catalog.timezone(interval '0', pg_catalog.lower(period))) OPERATOR(pg_catalog.*) 1000;
        -- The next microsecond, rounded up, is in the next millisecond.
        first = CASE WHEN pg_catalog.lower_inc(period) THEN pg_catalog.ceil(first) ELSE pg_catalog.floor(first) OPERATOR(pg_catalog.+) 1 END;
    END IF;
    IF NOT pg_catalog.upper_inf(period) THEN
        after = EXTRACT(epoch FROM pg_catalog.timezone(interval '0', pg_catalog.upper(period))) OPERATOR(pg_catalog.*) 1000;
        after = CASE WHEN pg_catalog.upper_inc(period) THEN pg_catalog.floor(after) OPERATOR(pg_catalog.+) 1 ELSE pg_catalog.ceil(after) END;
        IF after OPERATOR(pg_catalog.<) 0 OR after OPERATOR(pg_catalog.<=) first
            OR (first OPERATOR(pg_catalog.>) 281474976710655 AND after OPERATOR(pg_catalog.>) 281474976710655) THEN
            RETURN CASE WHEN is_upper THEN '00000000-0000-0000-0000-000000000000'::pg_catalog.uuid ELSE 'ffffffff-ffff-ffff-ffff-ffffffffffff'::pg_catalog.uuid END;
        END IF;
    END IF;
    IF is_upper THEN
        RETURN CASE WHEN after IS NULL THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'::pg_catalog.uuid
                    WHEN after OPERATOR(pg_catalog.>) 281474976710655 THEN 'ffffffff-ffff-ffff-ffff-fffffffffffe'::pg_catalog.uuid
                    ELSE (pg_catalog.lpad(pg_catalog.to_hex(after::bigint), 12, '0') OPERATOR(pg_catalog.||) '70007fffffffffffffff')::pg_catalog.uuid END;
    END IF;
    RETURN CASE WHEN first OPERATOR(pg_catalog.<) 0 THEN '00000000-0000-0000-0000-000000000000'::pg_catalog.uuid
                WHEN first OPERATOR(pg_catalog.>) 281474976710655 THEN 'ffffffff-ffff-ffff-ffff-ffffffffffff'::pg_catalog.uuid
                ELSE (pg_catalog.lpad(pg_catalog.to_hex(first::bigint), 12, '0') OPERATOR(pg_catalog.||) '70008000000000000000')::pg_catalog.uuid END;
END $$;
COMMENT ON FUNCTION uuidrfc_bound(tstzrange, boolean) IS 'first or last UUID within a range of time';
CREATE FUNCTION uuidv7_lower_bound(tstzrange) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_bound($1, false);
COMMENT ON FUNCTION uuidv7_lower_bound(tstzrange) IS 'smallest UUID within the range of time, or the Max UUID if there is none; stands in plans for id <@ range';
CREATE FUNCTION uuidv7_upper_bound(tstzrange) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_bound($1, true);
COMMENT ON FUNCTION uuidv7_upper_bound(tstzrange) IS 'largest UUID within the range of time, or the Nil UUID if there is none; stands in plans for id <@ range';

-- The ends of a millisecond (version 7) or of a microsecond (version 6).
CREATE FUNCTION uuidrfc_v7_millisecond("time" timestamptz, rest text) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
BEGIN
    IF $1 OPERATOR(pg_catalog.<) pg_catalog.timestamptz '1970-01-01 00:00:00+00' OR $1 OPERATOR(pg_catalog.>=) pg_catalog.timestamptz '10889-08-02 05:31:50.656+00' THEN
        RAISE EXCEPTION USING ERRCODE = '22008', MESSAGE = 'timestamp out of range for UUID version 7',
            DETAIL = 'UUID version 7 supports timestamps from 1970-01-01 to approximately year 10889.';
    END IF;
    RETURN (pg_catalog.lpad(pg_catalog.to_hex(pg_catalog.floor(EXTRACT(epoch FROM pg_catalog.timezone(interval '0', $1)) OPERATOR(pg_catalog.*) 1000)::bigint), 12, '0')
            OPERATOR(pg_catalog.||) rest)::pg_catalog.uuid;
END $$;
COMMENT ON FUNCTION uuidrfc_v7_millisecond(timestamptz, text) IS 'UUID of the millisecond and of the digits of its other 80 bits';
CREATE FUNCTION uuidv7_floor("time" timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_v7_millisecond($1, '70008000000000000000');
COMMENT ON FUNCTION uuidv7_floor(timestamptz) IS 'smallest UUID version 7 of the millisecond';
CREATE FUNCTION uuidv7_ceil("time" timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_v7_millisecond($1, '7fffbfffffffffffffff');
COMMENT ON FUNCTION uuidv7_ceil(timestamptz) IS 'largest UUID version 7 of the millisecond';

-- 60 bits, the version and the 62 bits after the variant.
CREATE FUNCTION uuidrfc_stamped(version integer, tick bigint, tail bigint) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
BEGIN
    RETURN (pg_catalog.lpad(pg_catalog.to_hex(tick OPERATOR(pg_catalog.>>) 12), 12, '0') OPERATOR(pg_catalog.||) pg_catalog.to_hex(version)
            OPERATOR(pg_catalog.||) pg_catalog.lpad(pg_catalog.to_hex(tick OPERATOR(pg_catalog.&) 4095), 3, '0')
            OPERATOR(pg_catalog.||) pg_catalog.to_hex(tail OPERATOR(pg_catalog.|) -9223372036854775808))::pg_catalog.uuid;
END $$;
COMMENT ON FUNCTION uuidrfc_stamped(integer, bigint, bigint) IS 'UUID of a version, 60 bits of time and 62 bits';

CREATE FUNCTION uuidrfc_v6_tick_of_time("time" timestamptz) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
BEGIN
    IF $1 OPERATOR(pg_catalog.<) pg_catalog.timestamptz '1582-10-15 00:00:00+00' OR $1 OPERATOR(pg_catalog.>) pg_catalog.timestamptz '5236-03-31 21:21:00.684697+00' THEN
        RAISE EXCEPTION USING ERRCODE = '22008', MESSAGE = 'timestamp out of range for UUID version 6',
            DETAIL = 'UUID version 6 supports timestamps from 1582-10-15 to approximately year 5236.';
    END IF;
    RETURN (EXTRACT(epoch FROM pg_catalog.timezone(interval '0', $1)) OPERATOR(pg_catalog.*) 10000000)::bigint OPERATOR(pg_catalog.+) 122192928000000000;
END $$;
COMMENT ON FUNCTION uuidrfc_v6_tick_of_time(timestamptz) IS 'intervals of 100 ns from 1582-10-15 to a time';
CREATE FUNCTION uuidv6_floor("time" timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_stamped(6, uuidrfc_v6_tick_of_time($1), 0);
COMMENT ON FUNCTION uuidv6_floor(timestamptz) IS 'smallest UUID version 6 of the microsecond';
CREATE FUNCTION uuidv6_ceil("time" timestamptz) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_stamped(6, int8smaller(uuidrfc_v6_tick_of_time($1) + 9, 1152921504606846975), 4611686018427387903);
COMMENT ON FUNCTION uuidv6_ceil(timestamptz) IS 'largest UUID version 6 of the microsecond';

-- ------------------------------------------------------------------------------------------------------------------------
-- Comparisons of a uuid with a time: id >= now(), id <@ tstzrange
-- ------------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION uuid_time_next(timestamptz) RETURNS timestamptz
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
BEGIN
    RETURN CASE WHEN $1 OPERATOR(pg_catalog.=) pg_catalog.timestamptz '-infinity' THEN pg_catalog.timestamptz '4714-11-24 00:00:00+00 BC'
                WHEN $1 OPERATOR(pg_catalog.>=) pg_catalog.timestamptz '294276-12-31 23:59:59.999999+00' THEN pg_catalog.timestamptz 'infinity'
                ELSE pg_catalog.timezone(interval '0', pg_catalog.timezone(interval '0', $1) OPERATOR(pg_catalog.+) interval '0.000001 s') END;
END $$;
COMMENT ON FUNCTION uuid_time_next(timestamptz) IS 'the next microsecond; stands in plans for id <= time and id > time';

-- uuid and timestamptz

CREATE FUNCTION uuid_lt_timestamptz(uuid, timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1 OPERATOR(pg_catalog.<) uuidv7_lower_bound($2);
COMMENT ON FUNCTION uuid_lt_timestamptz(uuid, timestamptz) IS 'implementation of < operator';
CREATE FUNCTION uuid_le_timestamptz(uuid, timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1 OPERATOR(pg_catalog.<) uuidv7_lower_bound(uuid_time_next($2));
COMMENT ON FUNCTION uuid_le_timestamptz(uuid, timestamptz) IS 'implementation of <= operator';
CREATE FUNCTION uuid_ge_timestamptz(uuid, timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1 OPERATOR(pg_catalog.>=) uuidv7_lower_bound($2);
COMMENT ON FUNCTION uuid_ge_timestamptz(uuid, timestamptz) IS 'implementation of >= operator';
CREATE FUNCTION uuid_gt_timestamptz(uuid, timestamptz) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $1 OPERATOR(pg_catalog.>=) uuidv7_lower_bound(uuid_time_next($2));
COMMENT ON FUNCTION uuid_gt_timestamptz(uuid, timestamptz) IS 'implementation of > operator';
CREATE FUNCTION timestamptz_lt_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $2 OPERATOR(pg_catalog.>=) uuidv7_lower_bound(uuid_time_next($1));
COMMENT ON FUNCTION timestamptz_lt_uuid(timestamptz, uuid) IS 'implementation of < operator';
CREATE FUNCTION timestamptz_le_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $2 OPERATOR(pg_catalog.>=) uuidv7_lower_bound($1);
COMMENT ON FUNCTION timestamptz_le_uuid(timestamptz, uuid) IS 'implementation of <= operator';
CREATE FUNCTION timestamptz_ge_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $2 OPERATOR(pg_catalog.<) uuidv7_lower_bound(uuid_time_next($1));
COMMENT ON FUNCTION timestamptz_ge_uuid(timestamptz, uuid) IS 'implementation of >= operator';
CREATE FUNCTION timestamptz_gt_uuid(timestamptz, uuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN $2 OPERATOR(pg_catalog.<) uuidv7_lower_bound($1);
COMMENT ON FUNCTION timestamptz_gt_uuid(timestamptz, uuid) IS 'implementation of > operator';

CREATE OPERATOR < (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_lt_timestamptz,
    COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR < (uuid, timestamptz) IS 'time inside UUID version 7 earlier than';
CREATE OPERATOR <= (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_le_timestamptz,
    COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR <= (uuid, timestamptz) IS 'time inside UUID version 7 not later than';
CREATE OPERATOR >= (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_ge_timestamptz,
    COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel);
COMMENT ON OPERATOR >= (uuid, timestamptz) IS 'time inside UUID version 7 not earlier than';
CREATE OPERATOR > (LEFTARG = uuid, RIGHTARG = timestamptz, FUNCTION = uuid_gt_timestamptz,
    COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR > (uuid, timestamptz) IS 'time inside UUID version 7 later than';
CREATE OPERATOR < (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_lt_uuid,
    COMMUTATOR = >, NEGATOR = >=, RESTRICT = scalarltsel, JOIN = scalarltjoinsel);
COMMENT ON OPERATOR < (timestamptz, uuid) IS 'earlier than time inside UUID version 7';
CREATE OPERATOR <= (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_le_uuid,
    COMMUTATOR = >=, NEGATOR = >, RESTRICT = scalarlesel, JOIN = scalarlejoinsel);
COMMENT ON OPERATOR <= (timestamptz, uuid) IS 'not later than time inside UUID version 7';
CREATE OPERATOR >= (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_ge_uuid,
    COMMUTATOR = <=, NEGATOR = <, RESTRICT = scalargesel, JOIN = scalargejoinsel);
COMMENT ON OPERATOR >= (timestamptz, uuid) IS 'not earlier than time inside UUID version 7';
CREATE OPERATOR > (LEFTARG = timestamptz, RIGHTARG = uuid, FUNCTION = timestamptz_gt_uuid,
    COMMUTATOR = <, NEGATOR = <=, RESTRICT = scalargtsel, JOIN = scalargtjoinsel);
COMMENT ON OPERATOR > (timestamptz, uuid) IS 'later than time inside UUID version 7';

-- uuid and tstzrange

-- For the domains see the extension: without them a literal beside a tstzrange would become a uuid.
CREATE DOMAIN uuid_tstzrange AS tstzrange;
COMMENT ON DOMAIN uuid_tstzrange IS 'tstzrange, as the operators <@ and @> of uuid take it';

CREATE FUNCTION uuid_contained_by_tstzrange(uuid, uuid_tstzrange) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN $1 OPERATOR(pg_catalog.>=) uuidv7_lower_bound($2::tstzrange) AND $1 OPERATOR(pg_catalog.<=) uuidv7_upper_bound($2::tstzrange);
COMMENT ON FUNCTION uuid_contained_by_tstzrange(uuid, uuid_tstzrange) IS 'implementation of <@ operator';
CREATE FUNCTION tstzrange_contains_uuid(uuid_tstzrange, uuid) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN $2 OPERATOR(pg_catalog.>=) uuidv7_lower_bound($1::tstzrange) AND $2 OPERATOR(pg_catalog.<=) uuidv7_upper_bound($1::tstzrange);
COMMENT ON FUNCTION tstzrange_contains_uuid(uuid_tstzrange, uuid) IS 'implementation of @> operator';

CREATE OPERATOR <@ (LEFTARG = uuid, RIGHTARG = uuid_tstzrange, FUNCTION = uuid_contained_by_tstzrange,
    COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel);
COMMENT ON OPERATOR <@ (uuid, uuid_tstzrange) IS 'time inside UUID version 7 is contained by';
CREATE OPERATOR @> (LEFTARG = uuid_tstzrange, RIGHTARG = uuid, FUNCTION = tstzrange_contains_uuid,
    COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel);
COMMENT ON OPERATOR @> (uuid_tstzrange, uuid) IS 'contains time inside UUID version 7';

-- uuid and tstzmultirange

CREATE DOMAIN uuid_operand AS uuid;
COMMENT ON DOMAIN uuid_operand IS 'uuid, as the operators <@ and @> of tstzmultirange take it';
CREATE DOMAIN uuid_tstzmultirange AS tstzmultirange;
COMMENT ON DOMAIN uuid_tstzmultirange IS 'tstzmultirange, as the operators <@ and @> of uuid take it';

CREATE FUNCTION uuid_in_tstzmultirange(uuid, tstzmultirange) RETURNS boolean
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN EXISTS (SELECT FROM pg_catalog.unnest($2) AS period WHERE $1 OPERATOR(pg_catalog.>=) uuidv7_lower_bound(period) AND $1 OPERATOR(pg_catalog.<=) uuidv7_upper_bound(period));
COMMENT ON FUNCTION uuid_in_tstzmultirange(uuid, tstzmultirange) IS 'whether the time inside UUID version 7 is in one of the ranges; stands in plans for id <@ multirange';
CREATE FUNCTION uuid_contained_by_tstzmultirange(uuid_operand, uuid_tstzmultirange) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN uuid_contained_by_tstzrange($1::uuid, pg_catalog.range_merge($2::tstzmultirange)::uuid_tstzrange) AND uuid_in_tstzmultirange($1::uuid, $2::tstzmultirange);
COMMENT ON FUNCTION uuid_contained_by_tstzmultirange(uuid_operand, uuid_tstzmultirange) IS 'implementation of <@ operator';
CREATE FUNCTION tstzmultirange_contains_uuid(uuid_tstzmultirange, uuid_operand) RETURNS boolean
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN uuid_contained_by_tstzrange($2::uuid, pg_catalog.range_merge($1::tstzmultirange)::uuid_tstzrange) AND uuid_in_tstzmultirange($2::uuid, $1::tstzmultirange);
COMMENT ON FUNCTION tstzmultirange_contains_uuid(uuid_tstzmultirange, uuid_operand) IS 'implementation of @> operator';

CREATE OPERATOR <@ (LEFTARG = uuid_operand, RIGHTARG = uuid_tstzmultirange, FUNCTION = uuid_contained_by_tstzmultirange,
    COMMUTATOR = @>, RESTRICT = contsel, JOIN = contjoinsel);
COMMENT ON OPERATOR <@ (uuid_operand, uuid_tstzmultirange) IS 'time inside UUID version 7 is contained by';
CREATE OPERATOR @> (LEFTARG = uuid_tstzmultirange, RIGHTARG = uuid_operand, FUNCTION = tstzmultirange_contains_uuid,
    COMMUTATOR = <@, RESTRICT = contsel, JOIN = contjoinsel);
COMMENT ON OPERATOR @> (uuid_tstzmultirange, uuid_operand) IS 'contains time inside UUID version 7';

-- ------------------------------------------------------------------------------------------------------------------------
-- Generators
-- ------------------------------------------------------------------------------------------------------------------------

-- Randomness is gen_random_uuid()'s, which is cryptographic. The last tick of a session is in a custom setting. Each UUID has a later
-- tick than the one before: the clock's, or the next one if the clock is not past it. A session of SQL makes fewer UUIDs than
-- its clock has ticks, so these do not run ahead of the clock.
--
-- A setting is transactional: a rollback, RESET ALL and DISCARD ALL forget it. Then the order is that of the clock until it is set
-- again. Settings cannot be changed while a query runs in parallel, so these functions are PARALLEL UNSAFE.

CREATE FUNCTION uuidv4() RETURNS pg_catalog.uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE RETURN pg_catalog.gen_random_uuid();
COMMENT ON FUNCTION uuidv4() IS 'generate UUID version 4: random';

-- Claims this many ticks after the last one, and returns the first. The setting may be empty. A tick is 1/4096 ms.
CREATE FUNCTION uuidrfc_v7_claim(ticks bigint) RETURNS bigint
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
AS $$
DECLARE
    clock bigint = (EXTRACT(epoch FROM pg_catalog.clock_timestamp()) OPERATOR(pg_catalog.*) 1000000)::bigint;
    tick bigint = GREATEST(((clock OPERATOR(pg_catalog./) 1000) OPERATOR(pg_catalog.<<) 12)
                           OPERATOR(pg_catalog.|) (((clock OPERATOR(pg_catalog.%) 1000) OPERATOR(pg_catalog.*) 4096) OPERATOR(pg_catalog./) 1000),
                           ('0' OPERATOR(pg_catalog.||) pg_catalog.current_setting('uuidrfc_portable.v7', true))::bigint OPERATOR(pg_catalog.+) 1);
BEGIN
    RETURN pg_catalog.set_config('uuidrfc_portable.v7', ((tick OPERATOR(pg_catalog.+) ticks) OPERATOR(pg_catalog.-) 1)::pg_catalog.text, false)::bigint
           OPERATOR(pg_catalog.-) (ticks OPERATOR(pg_catalog.-) 1);
END $$;
COMMENT ON FUNCTION uuidrfc_v7_claim(bigint) IS 'first of some ticks of version 7 after the last one of the session';

-- 62 random bits.
CREATE FUNCTION uuidrfc_random() RETURNS bigint
    LANGUAGE sql VOLATILE STRICT PARALLEL SAFE
    RETURN ('x' || translate(right(gen_random_uuid()::text, 17), '-', ''))::bit(64)::bigint & 4611686018427387903;
COMMENT ON FUNCTION uuidrfc_random() IS '62 random bits';

CREATE FUNCTION uuidrfc_count(n bigint, maximum bigint, counted text) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF n < 0 THEN
        RAISE EXCEPTION USING ERRCODE = '22023', MESSAGE = 'number of UUIDs must not be negative';
    ELSIF n > maximum THEN
        RAISE EXCEPTION USING ERRCODE = '54000', MESSAGE = format('%s exceeds the maximum allowed (%s)', counted, maximum);
    END IF;
    RETURN n;
END $$;
COMMENT ON FUNCTION uuidrfc_count(bigint, bigint, text) IS 'a number of UUIDs that is within the limit';

-- PostgreSQL 18 has uuidv7() and uuidv7(interval) of its own, ordered within a session: there they stand underneath.
DO $do$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::integer >= 180000 THEN
        CREATE FUNCTION uuidv7() RETURNS pg_catalog.uuid
            LANGUAGE sql VOLATILE STRICT PARALLEL SAFE RETURN pg_catalog.uuidv7();
        CREATE FUNCTION uuidv7(shift interval) RETURNS pg_catalog.uuid
            LANGUAGE sql VOLATILE STRICT PARALLEL SAFE RETURN pg_catalog.uuidv7($1);
        CREATE FUNCTION uuidv7_batch(n bigint) RETURNS SETOF uuid
            LANGUAGE sql VOLATILE STRICT PARALLEL SAFE
            BEGIN ATOMIC
                SELECT pg_catalog.uuidv7() FROM (SELECT generate_series(1, uuidrfc_count($1, 2147483647, 'number of UUIDs'))) AS numbers;
            END;
        CREATE FUNCTION uuidv7_array(n bigint) RETURNS uuid[]
            LANGUAGE sql VOLATILE STRICT PARALLEL SAFE
            RETURN ARRAY(SELECT pg_catalog.uuidv7() FROM generate_series(1, uuidrfc_count($1, 67108862, 'array size')));
        RETURN;
    END IF;
    CREATE FUNCTION uuidv7() RETURNS pg_catalog.uuid
        LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
    AS $$
    DECLARE
        clock bigint = (EXTRACT(epoch FROM pg_catalog.clock_timestamp()) OPERATOR(pg_catalog.*) 1000000)::bigint;
        tick bigint = GREATEST(((clock OPERATOR(pg_catalog./) 1000) OPERATOR(pg_catalog.<<) 12)
                               OPERATOR(pg_catalog.|) (((clock OPERATOR(pg_catalog.%) 1000) OPERATOR(pg_catalog.*) 4096) OPERATOR(pg_catalog./) 1000),
                               ('0' OPERATOR(pg_catalog.||) pg_catalog.current_setting('uuidrfc_portable.v7', true))::bigint OPERATOR(pg_catalog.+) 1);
    BEGIN
        -- As uuidrfc_v7_claim(1); a call of it would cost more than the rest.
        tick = pg_catalog.set_config('uuidrfc_portable.v7', tick::pg_catalog.text, false);
        RETURN (pg_catalog.lpad(pg_catalog.to_hex(tick OPERATOR(pg_catalog.>>) 12), 12, '0') OPERATOR(pg_catalog.||) '7'
                OPERATOR(pg_catalog.||) pg_catalog.lpad(pg_catalog.to_hex(tick OPERATOR(pg_catalog.&) 4095), 3, '0')
                OPERATOR(pg_catalog.||) pg_catalog.right(pg_catalog.gen_random_uuid()::pg_catalog.text, 17))::pg_catalog.uuid;
    END $$;
    -- The times are those of the sequence, so values of one interval are in the order of their calls.
    CREATE FUNCTION uuidrfc_v7_shifted(shift interval, tick bigint, tail bigint) RETURNS uuid
        LANGUAGE plpgsql STABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
    AS $$
    DECLARE
        -- The microsecond in which the tick ends: never before the clock's.
        micros bigint = (tick >> 12) * 1000 + (((tick & 4095) + 1) * 1000 - 1) / 4096;
        now timestamptz = timezone(interval '0', timestamp '1970-01-01' + make_interval(secs => micros / 1000000 * 1.0::float8) + make_interval(secs => micros % 1000000 / 1e6::float8));
        shifted timestamptz;
        shifted_micros bigint;
    BEGIN
        IF NOT isfinite(shift) THEN
            RAISE EXCEPTION USING ERRCODE = '22008', MESSAGE = 'interval out of range for UUID version 7',
                DETAIL = 'UUID version 7 does not support infinite intervals.';
        END IF;
        shifted = now + shift;
        IF shifted < timestamptz '1970-01-01 00:00:00+00' OR shifted >= timestamptz '10889-08-02 05:31:50.656+00' THEN
            RAISE EXCEPTION USING ERRCODE = '22008', MESSAGE = 'timestamp out of range for UUID version 7',
                DETAIL = 'UUID version 7 supports timestamps from 1970-01-01 to approximately year 10889.';
        END IF;
        shifted_micros = extract(epoch FROM shifted) * 1000000;
        -- The ticks between that in which the microsecond begins and this one stay.
        RETURN lpad(to_hex(shifted_micros / 1000), 12, '0') || '7'
               || lpad(to_hex(least(shifted_micros % 1000 * 4096 / 1000 + tick - ((micros / 1000 << 12) + micros % 1000 * 4096 / 1000), 4095)), 3, '0')
               || to_hex(tail | -9223372036854775808);
    END $$;
    COMMENT ON FUNCTION uuidrfc_v7_shifted(interval, bigint, bigint) IS 'UUID version 7 of a tick, shifted by an interval';
END $do$;
COMMENT ON FUNCTION uuidv7() IS 'generate UUID version 7: current time since 1970, ordered';

-- UUIDs that are stamped with a given instant are in the order of their calls by a number, as in the extension: 30 bits that count on
-- from a random number below 2^29, and 32 random bits. After the last number it begins anew.
CREATE FUNCTION uuidrfc_ordinal() RETURNS bigint
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
AS $$
DECLARE
    random bigint = ('x' OPERATOR(pg_catalog.||) pg_catalog.right(pg_catalog.gen_random_uuid()::pg_catalog.text, 12))::bit(48)::bigint;
    ordinal bigint = ('0' OPERATOR(pg_catalog.||) pg_catalog.current_setting('uuidrfc_portable.ordinal', true))::bigint OPERATOR(pg_catalog.+) 1;
BEGIN
    IF ordinal IS NULL OR ordinal OPERATOR(pg_catalog.=) 1 OR ordinal OPERATOR(pg_catalog.>) 1073741823 THEN
        ordinal = ('x' OPERATOR(pg_catalog.||) pg_catalog.right(pg_catalog.gen_random_uuid()::pg_catalog.text, 8))::bit(32)::bigint OPERATOR(pg_catalog.&) 536870911;
    END IF;
    ordinal = pg_catalog.set_config('uuidrfc_portable.ordinal', ordinal::pg_catalog.text, false);
    RETURN (ordinal OPERATOR(pg_catalog.<<) 32) OPERATOR(pg_catalog.|) (random OPERATOR(pg_catalog.&) 4294967295);
END $$;
COMMENT ON FUNCTION uuidrfc_ordinal() IS '62 bits of a UUID that is stamped with a given instant: in the order of the calls';

DO $do$
BEGIN
    IF pg_catalog.current_setting('server_version_num')::integer < 180000 THEN
        CREATE FUNCTION uuidv7(shift interval) RETURNS pg_catalog.uuid
            LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE
            RETURN uuidrfc_v7_shifted($1, uuidrfc_v7_claim(1), uuidrfc_ordinal());
        -- 8192 UUIDs a tick; no server makes them faster. The numbers come one by one, so that LIMIT ends a batch.
        CREATE FUNCTION uuidv7_batch(n bigint) RETURNS SETOF uuid
            LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE
            BEGIN ATOMIC
                SELECT uuidrfc_stamped(7, first + (number >> 13), ((number & 8191) << 48) + (uuidrfc_random() & 281474976710655))
                FROM (SELECT uuidrfc_v7_claim((uuidrfc_count($1, 2147483647, 'number of UUIDs') >> 13) + 1) AS first OFFSET 0) AS claim,
                     LATERAL (SELECT generate_series(0, $1 - 1) AS number) AS numbers;
            END;
        CREATE FUNCTION uuidv7_array(n bigint) RETURNS uuid[]
            LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE
            RETURN ARRAY(SELECT uuidv7_batch(uuidrfc_count($1, 67108862, 'array size')));
    END IF;
END $do$;
COMMENT ON FUNCTION uuidv7(interval) IS 'generate UUID version 7 with a timestamp shifted by the specified interval';
COMMENT ON FUNCTION uuidv7_batch(bigint) IS 'generate the given number of UUIDs version 7, strictly ascending';
COMMENT ON FUNCTION uuidv7_array(bigint) IS 'generate an array of the given number of UUIDs version 7, strictly ascending';

-- The clock's tick of 100 ns, or the one after the last.
CREATE FUNCTION uuidrfc_v6_claim() RETURNS bigint
    LANGUAGE plpgsql VOLATILE STRICT PARALLEL UNSAFE
AS $$
BEGIN
    RETURN pg_catalog.set_config('uuidrfc_portable.v6', GREATEST(
        (EXTRACT(epoch FROM pg_catalog.clock_timestamp()) OPERATOR(pg_catalog.*) 10000000)::bigint OPERATOR(pg_catalog.+) 122192928000000000,
        ('0' OPERATOR(pg_catalog.||) pg_catalog.current_setting('uuidrfc_portable.v6', true))::bigint OPERATOR(pg_catalog.+) 1)::pg_catalog.text, false);
END $$;
COMMENT ON FUNCTION uuidrfc_v6_claim() IS 'tick of versions 1 and 6 after the last one of the session';

-- Inserts the multicast bit, so that no node is a network card's.
CREATE FUNCTION uuidrfc_random_node(tail bigint) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
    below bigint = tail OPERATOR(pg_catalog.&) 2199023255551;
BEGIN
    RETURN (tail OPERATOR(pg_catalog.-) below) OPERATOR(pg_catalog.+) (1099511627776 OPERATOR(pg_catalog.+) (below OPERATOR(pg_catalog.>>) 1));
END $$;
COMMENT ON FUNCTION uuidrfc_random_node(bigint) IS '62 bits with the multicast bit of the node set, in the same order';

CREATE FUNCTION uuidv6() RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE
    RETURN uuidrfc_stamped(6, uuidrfc_v6_claim(), uuidrfc_random_node(uuidrfc_random()));
COMMENT ON FUNCTION uuidv6() IS 'generate UUID version 6: current time since 1582, ordered, random multicast node';

-- ------------------------------------------------------------------------------------------------------------------------
-- Conversion, and constants
-- ------------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION nil_uuid() RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN '00000000-0000-0000-0000-000000000000'::uuid;
COMMENT ON FUNCTION nil_uuid() IS 'the Nil UUID: all bits zero';
CREATE FUNCTION max_uuid() RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid;
COMMENT ON FUNCTION max_uuid() IS 'the Max UUID: all bits one';

CREATE FUNCTION uuidrfc_not_of_version(uuid uuid, version integer) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_raise('22023', format('UUID "%s" is not version %s', $1, $2),
                         CASE WHEN uuid_extract_version($1) IS NULL THEN format('This UUID has variant "%s".', uuid_extract_variant($1))
                              ELSE format('This UUID is version %s.', uuid_extract_version($1)) END, NULL)::uuid;
COMMENT ON FUNCTION uuidrfc_not_of_version(uuid, integer) IS 'raises the error that a UUID is not of this version';
-- time_low-time_mid-1time_high and time_high(8)-time_mid-6time_low(3), by their digits.
CREATE FUNCTION uuid_v1_to_v6(uuid uuid) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN uuid_extract_version($1) = 1
                THEN (substr($1::text, 16, 3) || substr($1::text, 10, 4) || substr($1::text, 1, 5) || '6' || substr($1::text, 6, 3) || substr($1::text, 19))::uuid
                ELSE uuidrfc_not_of_version($1, 1) END;
COMMENT ON FUNCTION uuid_v1_to_v6(uuid) IS 'UUID version 6 of the same time, clock sequence and node as UUID version 1';
CREATE FUNCTION uuid_v6_to_v1(uuid uuid) RETURNS uuid
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN uuid_extract_version($1) = 6
                THEN (substr($1::text, 8, 1) || substr($1::text, 10, 4) || substr($1::text, 16, 3) || substr($1::text, 4, 4) || '1' || substr($1::text, 1, 3)
                      || substr($1::text, 19))::uuid
                ELSE uuidrfc_not_of_version($1, 6) END;
COMMENT ON FUNCTION uuid_v6_to_v1(uuid) IS 'UUID version 1 of the same time, clock sequence and node as UUID version 6';

CREATE FUNCTION uuidv1() RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE
    RETURN (SELECT (substr(v6, 8, 1) || substr(v6, 10, 4) || substr(v6, 16, 3) || substr(v6, 4, 4) || '1' || substr(v6, 1, 3) || substr(v6, 19))::uuid
            FROM (SELECT uuidv6()::text AS v6 OFFSET 0) AS made);
COMMENT ON FUNCTION uuidv1() IS 'generate UUID version 1: current time, random multicast node';

-- ------------------------------------------------------------------------------------------------------------------------
-- UUIDs of a given instant
-- ------------------------------------------------------------------------------------------------------------------------

-- The first tick within the microsecond, so that uuid_extract_time_us gives it back.
CREATE FUNCTION uuidrfc_v7_tick_of_time("time" timestamptz) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
    micros bigint;
BEGIN
    IF $1 OPERATOR(pg_catalog.<) pg_catalog.timestamptz '1970-01-01 00:00:00+00' OR $1 OPERATOR(pg_catalog.>=) pg_catalog.timestamptz '10889-08-02 05:31:50.656+00' THEN
        RAISE EXCEPTION USING ERRCODE = '22008', MESSAGE = 'timestamp out of range for UUID version 7',
            DETAIL = 'UUID version 7 supports timestamps from 1970-01-01 to approximately year 10889.';
    END IF;
    micros = EXTRACT(epoch FROM pg_catalog.timezone(interval '0', $1)) OPERATOR(pg_catalog.*) 1000000;
    RETURN ((micros OPERATOR(pg_catalog./) 1000) OPERATOR(pg_catalog.<<) 12)
           OPERATOR(pg_catalog.|) ((((micros OPERATOR(pg_catalog.%) 1000) OPERATOR(pg_catalog.*) 4096) OPERATOR(pg_catalog.+) 999) OPERATOR(pg_catalog./) 1000);
END $$;
COMMENT ON FUNCTION uuidrfc_v7_tick_of_time(timestamptz) IS 'first 1/4096 ms since 1970 that begins within the microsecond';
CREATE FUNCTION uuidv7_at("time" timestamptz) RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE
    RETURN uuidrfc_stamped(7, uuidrfc_v7_tick_of_time($1), uuidrfc_ordinal());
COMMENT ON FUNCTION uuidv7_at(timestamptz) IS 'generate UUID version 7 of the given time, to the microsecond';
CREATE FUNCTION uuidv6_at("time" timestamptz) RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE
    RETURN uuidrfc_stamped(6, uuidrfc_v6_tick_of_time($1), uuidrfc_random_node(uuidrfc_ordinal()));
COMMENT ON FUNCTION uuidv6_at(timestamptz) IS 'generate UUID version 6 of the given time, to the microsecond';

-- draft-peabody-dispatch-new-uuid-format-02: 36 bits of seconds and 24 of a binary fraction.
CREATE FUNCTION uuidrfc_draft_02_tick_of_time("time" timestamptz) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    micros bigint;
BEGIN
    IF $1 < timestamptz '1970-01-01 00:00:00+00' OR $1 >= timestamptz '4147-08-20 07:32:16+00' THEN
        RAISE EXCEPTION USING ERRCODE = '22008', MESSAGE = 'timestamp out of range for UUID version 7 of layout "draft-02"',
            DETAIL = 'Layout "draft-02" supports timestamps from 1970-01-01 to approximately year 4147.';
    END IF;
    micros = extract(epoch FROM timezone(interval '0', $1)) * 1000000;
    RETURN (micros / 1000000 << 24) + (micros % 1000000 * 16777216 + 999999) / 1000000;
END $$;
COMMENT ON FUNCTION uuidrfc_draft_02_tick_of_time(timestamptz) IS 'first 1/16777216 s since 1970 that begins within the microsecond';
CREATE FUNCTION uuidrfc_unknown_layout(layout text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_raise('22023', format('unrecognized layout: "%s"', uuidrfc_label($1)), NULL, 'Valid layouts are "rfc9562" and "draft-02".');
COMMENT ON FUNCTION uuidrfc_unknown_layout(text) IS 'raises the error that a layout is unknown';
CREATE FUNCTION uuidv7_at("time" timestamptz, layout text) RETURNS uuid
    LANGUAGE sql VOLATILE STRICT PARALLEL UNSAFE
    RETURN CASE lower($2 COLLATE "C") WHEN 'rfc9562' THEN uuidv7_at($1)
                WHEN 'draft-02' THEN uuidrfc_stamped(7, uuidrfc_draft_02_tick_of_time($1), uuidrfc_ordinal())
                ELSE uuidrfc_unknown_layout($2)::uuid END;
COMMENT ON FUNCTION uuidv7_at(timestamptz, text) IS 'generate UUID version 7 of the given time, to the microsecond, in layout rfc9562 or draft-02';
CREATE FUNCTION uuidrfc_draft_02_time(uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN timezone(interval '0', timestamp '1970-01-01' + interval '16777.216 s' * ((uuidrfc_v6_tick($1) >> 24) * 1000 / 16777216)::float8
                                  + interval '0.001 s' * ((uuidrfc_v6_tick($1) >> 24) * 1000 % 16777216)::float8
                                  + interval '0.000001 s' * (((uuidrfc_v6_tick($1) & 16777215) + 1) * 1000000 - 1 >> 24)::float8);
COMMENT ON FUNCTION uuidrfc_draft_02_time(uuid) IS 'time inside UUID version 7 of layout draft-02, to the microsecond';
CREATE FUNCTION uuid_extract_time(uuid uuid, layout text) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE lower($2 COLLATE "C") WHEN 'rfc9562' THEN uuid_extract_time($1)
                WHEN 'draft-02' THEN CASE WHEN uuid_extract_version($1) = 7 THEN uuidrfc_draft_02_time($1) ELSE uuid_extract_time($1) END
                ELSE uuidrfc_unknown_layout($2)::timestamptz END;
COMMENT ON FUNCTION uuid_extract_time(uuid, text) IS 'time inside UUID version 1, 6 or 7, the last in layout rfc9562 (to the millisecond) or draft-02 (to the microsecond), else null';

-- ------------------------------------------------------------------------------------------------------------------------
-- Aggregates and domain
-- ------------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION uuid_least(uuid, uuid) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$ BEGIN RETURN LEAST($1, $2); END $$;
COMMENT ON FUNCTION uuid_least(uuid, uuid) IS 'the smaller of two UUIDs';
CREATE FUNCTION uuid_greatest(uuid, uuid) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$ BEGIN RETURN GREATEST($1, $2); END $$;
COMMENT ON FUNCTION uuid_greatest(uuid, uuid) IS 'the larger of two UUIDs';
CREATE AGGREGATE min(uuid) (
    SFUNC = uuid_least, STYPE = uuid, COMBINEFUNC = uuid_least, SORTOP = OPERATOR(pg_catalog.<), PARALLEL = SAFE
);
COMMENT ON AGGREGATE min(uuid) IS 'minimum value of all uuid input values';
CREATE AGGREGATE max(uuid) (
    SFUNC = uuid_greatest, STYPE = uuid, COMBINEFUNC = uuid_greatest, SORTOP = OPERATOR(pg_catalog.>), PARALLEL = SAFE
);
COMMENT ON AGGREGATE max(uuid) IS 'maximum value of all uuid input values';

CREATE DOMAIN uuid_v7 AS uuid
    CONSTRAINT uuid_v7_check CHECK (VALUE IS NULL OR uuid_extract_version(VALUE) IS NOT DISTINCT FROM 7);
COMMENT ON DOMAIN uuid_v7 IS 'UUID of version 7, or null';
COMMENT ON CONSTRAINT uuid_v7_check ON DOMAIN uuid_v7 IS 'variant 10 and version 7 as in RFC 9562, section 5.7';

-- ------------------------------------------------------------------------------------------------------------------------
-- UUIDs of names, and of fields that you fill
-- ------------------------------------------------------------------------------------------------------------------------

-- Version and variant over the first 16 octets of a hash.
CREATE FUNCTION uuidrfc_of_hash(version integer, hash bytea) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    RETURN encode(set_byte(set_byte(substr(hash, 1, 16), 6, (get_byte(hash, 6) & 15) + (version << 4)), 8, (get_byte(hash, 8) & 63) + 128), 'hex');
END $$;
COMMENT ON FUNCTION uuidrfc_of_hash(integer, bytea) IS 'UUID of a version and a hash';

-- The hash algorithms of the extension, in its order. Core has the first four.
CREATE FUNCTION uuidrfc_hash_names() RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN '"sha224", "sha256", "sha384", "sha512", "sha512_224", "sha512_256", "sha3_224", "sha3_256", "sha3_384", "sha3_512", "shake128", and "shake256"';
COMMENT ON FUNCTION uuidrfc_hash_names() IS 'names of the hash algorithms, for error messages';
CREATE FUNCTION uuidrfc_unknown_hash(hash text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_raise('22023', format('unrecognized hash algorithm: "%s"', uuidrfc_label($1)), NULL, format('Valid hash algorithms are %s.', uuidrfc_hash_names()));
COMMENT ON FUNCTION uuidrfc_unknown_hash(text) IS 'raises the error that a hash algorithm is unknown';

-- What core cannot hash, pgcrypto hashes, if the database has it when this file is run, but for SHAKE: without a length of its own, newer
-- OpenSSLs do not give it to pgcrypto. Otherwise SHA-1 (FIPS 180-4) is here, where a word is the low half of a bigint.
DO $do$
DECLARE
    digest constant text = (SELECT format('%I.digest', nspname) FROM pg_extension e
                            JOIN pg_depend d ON d.refclassid = 'pg_extension'::regclass AND d.refobjid = e.oid AND d.deptype = 'e' AND d.classid = 'pg_proc'::regclass
                            JOIN pg_proc p ON p.oid = d.objid JOIN pg_namespace n ON n.oid = pronamespace
                            WHERE extname = 'pgcrypto' AND proname = 'digest' AND proargtypes[0] = 'bytea'::regtype);
BEGIN
    IF digest IS NOT NULL THEN
        EXECUTE format('CREATE FUNCTION uuidrfc_sha1(message bytea) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN %s($1, ''sha1'')', digest);
        EXECUTE format('CREATE FUNCTION uuidrfc_hash_by_pgcrypto(hash text, message bytea) RETURNS bytea LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
            RETURN CASE WHEN lower($1 COLLATE "C") = ANY (''{sha512_224,sha512_256,sha3_224,sha3_256,sha3_384,sha3_512}'')
                        THEN %s($2, translate(lower($1 COLLATE "C"), ''_'', ''-'')) END', digest);
        RETURN;
    END IF;
    CREATE FUNCTION uuidrfc_sha1(message bytea) RETURNS bytea
        LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
    AS $sha1$
    DECLARE
        padded constant bytea = message || '\x80' || decode(repeat('00', 63 - (octet_length(message) + 8) % 64), 'hex') || int8send(octet_length(message) * 8::bigint);
        h0 bigint = x'67452301'::bigint; h1 bigint = x'efcdab89'::bigint; h2 bigint = x'98badcfe'::bigint; h3 bigint = x'10325476'::bigint; h4 bigint = x'c3d2e1f0'::bigint;
        a bigint; b bigint; c bigint; d bigint; e bigint; x bigint;
        w bigint[];
    BEGIN
        FOR block IN 0 .. octet_length(padded) / 64 - 1 LOOP
            w = NULL;
            FOR t IN 0 .. 79 LOOP
                IF t < 16 THEN
                    w[t] = ('x' || encode(substr(padded, block * 64 + t * 4 + 1, 4), 'hex'))::bit(32)::bigint;
                ELSE
                    x = w[t - 3] # w[t - 8] # w[t - 14] # w[t - 16];
                    w[t] = ((x << 1) + (x >> 31)) & 4294967295;
                END IF;
            END LOOP;
            a = h0; b = h1; c = h2; d = h3; e = h4;
            FOR t IN 0 .. 79 LOOP
                x = (((a << 5) + (a >> 27)) & 4294967295) + e + w[t]
                    + CASE WHEN t < 20 THEN ((b & c) # (~b & d)) + 1518500249 WHEN t < 40 THEN (b # c # d) + 1859775393
                           WHEN t < 60 THEN ((b & c) # (b & d) # (c & d)) + 2400959708 ELSE (b # c # d) + 3395469782 END;
                e = d; d = c; c = ((b << 30) + (b >> 2)) & 4294967295; b = a; a = x & 4294967295;
            END LOOP;
            h0 = h0 + a & 4294967295; h1 = h1 + b & 4294967295; h2 = h2 + c & 4294967295; h3 = h3 + d & 4294967295; h4 = h4 + e & 4294967295;
        END LOOP;
        RETURN substr(int8send(h0), 5) || substr(int8send(h1), 5) || substr(int8send(h2), 5) || substr(int8send(h3), 5) || substr(int8send(h4), 5);
    END $sha1$;
    CREATE FUNCTION uuidrfc_hash_by_pgcrypto(hash text, message bytea) RETURNS bytea
        LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN NULL::bytea;
END $do$;
COMMENT ON FUNCTION uuidrfc_sha1(bytea) IS 'SHA-1';
COMMENT ON FUNCTION uuidrfc_hash_by_pgcrypto(text, bytea) IS 'hash by an algorithm of pgcrypto, else null';
CREATE FUNCTION uuidrfc_hash_beyond_core(hash text, message bytea) RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(uuidrfc_hash_by_pgcrypto($1, $2),
                    CASE WHEN lower($1 COLLATE "C") = ANY ('{sha512_224,sha512_256,sha3_224,sha3_256,sha3_384,sha3_512,shake128,shake256}')
                         THEN uuidrfc_raise('0A000', format('hash algorithm "%s" is not supported in pure SQL', lower($1 COLLATE "C")), NULL,
                                            'PostgreSQL has "sha224", "sha256", "sha384", and "sha512"; pgcrypto has the others but "shake128" and "shake256".')
                         ELSE uuidrfc_unknown_hash($1) END::bytea);
COMMENT ON FUNCTION uuidrfc_hash_beyond_core(text, bytea) IS 'hash by an algorithm that core does not have; or the error that it is unknown, or not supported';

CREATE FUNCTION uuid_v3(ns uuid, name bytea) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_of_hash(3, decode(md5(uuid_send($1) || $2), 'hex'));
COMMENT ON FUNCTION uuid_v3(uuid, bytea) IS 'UUID version 3 of a namespace and a name of octets: MD5';
CREATE FUNCTION uuid_v3(ns uuid, name text) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuid_v3($1, convert_to($2, 'UTF8'));
COMMENT ON FUNCTION uuid_v3(uuid, text) IS 'UUID version 3 of a namespace and a name: MD5 of the name in UTF-8';
CREATE FUNCTION uuid_v5(ns uuid, name bytea) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_of_hash(5, uuidrfc_sha1(uuid_send($1) || $2));
COMMENT ON FUNCTION uuid_v5(uuid, bytea) IS 'UUID version 5 of a namespace and a name of octets: SHA-1';
CREATE FUNCTION uuid_v5(ns uuid, name text) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuid_v5($1, convert_to($2, 'UTF8'));
COMMENT ON FUNCTION uuid_v5(uuid, text) IS 'UUID version 5 of a namespace and a name: SHA-1 of the name in UTF-8';

CREATE FUNCTION uuid_v8(ns uuid, name bytea, hash text DEFAULT 'sha256') RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_of_hash(8, CASE lower($3 COLLATE "C") WHEN 'sha224' THEN sha224(uuid_send($1) || $2) WHEN 'sha256' THEN sha256(uuid_send($1) || $2)
                                   WHEN 'sha384' THEN sha384(uuid_send($1) || $2) WHEN 'sha512' THEN sha512(uuid_send($1) || $2)
                                   ELSE uuidrfc_hash_beyond_core($3, uuid_send($1) || $2) END);
COMMENT ON FUNCTION uuid_v8(uuid, bytea, text) IS 'UUID version 8 of a namespace and a name of octets: a hash, by default SHA-256';
CREATE FUNCTION uuid_v8(ns uuid, name text, hash text DEFAULT 'sha256') RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuid_v8($1, convert_to($2, 'UTF8'), $3);
COMMENT ON FUNCTION uuid_v8(uuid, text, text) IS 'UUID version 8 of a namespace and a name: a hash, by default SHA-256, of the name in UTF-8';

CREATE FUNCTION uuidrfc_hash_of_hashspace(hashspace uuid) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE $1 WHEN '59031ca3-fbdb-47fb-9f6c-0f30e2e83145' THEN 'sha224' WHEN '3fb32780-953c-4464-9cfd-e85dbbe9843d' THEN 'sha256'
                   WHEN 'e6800581-f333-484b-8778-601ff2b58da8' THEN 'sha384' WHEN '0fde22f2-e7ba-4fd1-9753-9c2ea88fa3f9' THEN 'sha512'
                   WHEN '003c2038-c4fe-4b95-a672-0c26c1b79542' THEN 'sha512_224' WHEN '9475ad00-3769-4c07-9642-5e7383732306' THEN 'sha512_256'
                   WHEN '9768761f-ac5a-419e-a180-7ca239e8025a' THEN 'sha3_224' WHEN '2034d66b-4047-4553-8f80-70e593176877' THEN 'sha3_256'
                   WHEN '872fb339-2636-4bdd-bda6-b6dc2a82b1b3' THEN 'sha3_384' WHEN 'a4920a5d-a8a6-426c-8d14-a6cafbe64c7b' THEN 'sha3_512'
                   WHEN '7ea218f6-629a-425f-9f88-7439d63296bb' THEN 'shake128' WHEN '2e7fc6a4-2919-4edc-b0ba-7d7062ce4f0a' THEN 'shake256' END;
COMMENT ON FUNCTION uuidrfc_hash_of_hashspace(uuid) IS 'hash algorithm of a hashspace ID, else null';
CREATE FUNCTION uuid_hashspace(hash text) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE lower($1 COLLATE "C")
           WHEN 'sha224' THEN '59031ca3-fbdb-47fb-9f6c-0f30e2e83145'::uuid WHEN 'sha256' THEN '3fb32780-953c-4464-9cfd-e85dbbe9843d'
           WHEN 'sha384' THEN 'e6800581-f333-484b-8778-601ff2b58da8' WHEN 'sha512' THEN '0fde22f2-e7ba-4fd1-9753-9c2ea88fa3f9'
           WHEN 'sha512_224' THEN '003c2038-c4fe-4b95-a672-0c26c1b79542' WHEN 'sha512_256' THEN '9475ad00-3769-4c07-9642-5e7383732306'
           WHEN 'sha3_224' THEN '9768761f-ac5a-419e-a180-7ca239e8025a' WHEN 'sha3_256' THEN '2034d66b-4047-4553-8f80-70e593176877'
           WHEN 'sha3_384' THEN '872fb339-2636-4bdd-bda6-b6dc2a82b1b3' WHEN 'sha3_512' THEN 'a4920a5d-a8a6-426c-8d14-a6cafbe64c7b'
           WHEN 'shake128' THEN '7ea218f6-629a-425f-9f88-7439d63296bb' WHEN 'shake256' THEN '2e7fc6a4-2919-4edc-b0ba-7d7062ce4f0a'
           ELSE uuidrfc_unknown_hash($1)::uuid END;
COMMENT ON FUNCTION uuid_hashspace(text) IS 'hashspace ID of a hash algorithm: sha224, sha256, sha384, sha512, sha512_224, sha512_256, sha3_224, sha3_256, sha3_384, sha3_512, shake128 or shake256';
CREATE FUNCTION uuid_v8_hashspace(hashspace uuid, ns uuid, name bytea) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN uuidrfc_hash_of_hashspace($1) IS NULL
                THEN uuidrfc_raise('22023', format('unrecognized hashspace: "%s"', $1), NULL,
                                   format('Valid hashspaces are what uuid_hashspace returns for %s.', uuidrfc_hash_names()))::uuid
                ELSE uuid_v8($1, uuid_send($2) || $3, uuidrfc_hash_of_hashspace($1)) END;
COMMENT ON FUNCTION uuid_v8_hashspace(uuid, uuid, bytea) IS 'UUID version 8 of a hashspace, a namespace and a name of octets: the hashspace''s hash of all three';
CREATE FUNCTION uuid_v8_hashspace(hashspace uuid, ns uuid, name text) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuid_v8_hashspace($1, $2, convert_to($3, 'UTF8'));
COMMENT ON FUNCTION uuid_v8_hashspace(uuid, uuid, text) IS 'UUID version 8 of a hashspace, a namespace and a name: the hashspace''s hash of all three, the name in UTF-8';
CREATE FUNCTION uuid_namespace(name text) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE lower($1 COLLATE "C")
           WHEN 'dns' THEN '6ba7b810-9dad-11d1-80b4-00c04fd430c8'::uuid WHEN 'url' THEN '6ba7b811-9dad-11d1-80b4-00c04fd430c8'
           WHEN 'oid' THEN '6ba7b812-9dad-11d1-80b4-00c04fd430c8' WHEN 'x500' THEN '6ba7b814-9dad-11d1-80b4-00c04fd430c8'
           ELSE uuidrfc_raise('22023', format('unrecognized namespace: "%s"', uuidrfc_label($1)), NULL,
                              'Valid namespaces are "dns", "url", "oid", and "x500".')::uuid END;
COMMENT ON FUNCTION uuid_namespace(text) IS 'ID of namespace dns, url, oid or x500';

CREATE FUNCTION uuid_v8_pack(custom_a bigint, custom_b integer, custom_c bigint) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    field text = CASE WHEN custom_a NOT BETWEEN 0 AND 281474976710655 THEN 'custom_a' WHEN custom_b NOT BETWEEN 0 AND 4095 THEN 'custom_b'
                      WHEN custom_c NOT BETWEEN 0 AND 4611686018427387903 THEN 'custom_c' END;
BEGIN
    IF field IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = '22003', MESSAGE = format('%s out of range for UUID version 8', field),
            DETAIL = CASE field WHEN 'custom_a' THEN 'custom_a has 48 bits: from 0 to 281474976710655.' WHEN 'custom_b' THEN 'custom_b has 12 bits: from 0 to 4095.'
                                ELSE 'custom_c has 62 bits: from 0 to 4611686018427387903.' END;
    END IF;
    RETURN lpad(to_hex(custom_a), 12, '0') || '8' || lpad(to_hex(custom_b), 3, '0') || to_hex(custom_c | -9223372036854775808);
END $$;
COMMENT ON FUNCTION uuid_v8_pack(bigint, integer, bigint) IS 'UUID version 8 of three fields: 48, 12 and 62 bits';

-- ------------------------------------------------------------------------------------------------------------------------
-- Text forms
-- ------------------------------------------------------------------------------------------------------------------------

-- A UUID as a number, times a factor, in the digits of an alphabet, the highest first. The factor is that of the bits of zero after the
-- last bit.
CREATE FUNCTION uuidrfc_digits(uuid uuid, alphabet text, width integer, factor integer) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    number numeric = 0;
    radix constant numeric = length(alphabet);
    digits text = '';
BEGIN
    FOR octet IN 0 .. 15 LOOP
        number = number * 256 + get_byte(uuid_send($1), octet);
    END LOOP;
    IF radix = 10 THEN
        RETURN number::text;
    END IF;
    number = number * factor;
    FOR place IN 1 .. width LOOP
        digits = substr(alphabet, (number % radix)::integer + 1, 1) || digits;
        number = div(number, radix);
    END LOOP;
    RETURN digits;
END $$;
COMMENT ON FUNCTION uuidrfc_digits(uuid, text, integer, integer) IS 'UUID as a number in the digits of an alphabet';
-- The same back. Null if it does not fit. All digits are in the alphabet.
CREATE FUNCTION uuidrfc_of_digits(digits text, alphabet text, factor integer) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    number numeric = 0;
    radix constant numeric = length(alphabet);
    words text = '';
BEGIN
    IF length(digits) > 39 THEN
        RETURN NULL;
    END IF;
    FOR place IN 1 .. length(digits) LOOP
        number = number * radix + (strpos(alphabet, substr(digits, place, 1)) - 1);
    END LOOP;
    number = div(number, factor);
    IF number >= 340282366920938463463374607431768211456 THEN
        RETURN NULL;
    END IF;
    FOR word IN 1 .. 4 LOOP
        words = lpad(to_hex((number % 4294967296)::bigint), 8, '0') || words;
        number = div(number, 4294967296);
    END LOOP;
    RETURN words;
END $$;
COMMENT ON FUNCTION uuidrfc_of_digits(text, text, integer) IS 'UUID of a number in the digits of an alphabet';

CREATE FUNCTION uuidrfc_unknown_format(format text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_raise('22023', pg_catalog.format('unrecognized UUID format: "%s"', uuidrfc_label($1)), NULL,
                         'Valid UUID formats are "urn", "braces", "hex", "base32", "base32hex", "base58", "base64url", "decimal", and "oid".');
COMMENT ON FUNCTION uuidrfc_unknown_format(text) IS 'raises the error that a format is unknown';
CREATE FUNCTION uuid_encode(uuid uuid, format text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE lower($2 COLLATE "C") WHEN 'urn' THEN 'urn:uuid:' || $1::text WHEN 'braces' THEN '{' || $1::text || '}' WHEN 'hex' THEN translate($1::text, '-', '')
           WHEN 'base32' THEN uuidrfc_digits($1, '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 26, 1)
           WHEN 'base32hex' THEN uuidrfc_digits($1, '0123456789ABCDEFGHIJKLMNOPQRSTUV', 26, 4) || '======'
           WHEN 'base58' THEN uuidrfc_digits($1, '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 22, 1)
           WHEN 'base64url' THEN rtrim(translate(encode(uuid_send($1), 'base64'), '+/', '-_'), '=')
           WHEN 'decimal' THEN uuidrfc_digits($1, '0123456789', 39, 1) WHEN 'oid' THEN '2.25.' || uuidrfc_digits($1, '0123456789', 39, 1)
           ELSE uuidrfc_unknown_format($2) END;
COMMENT ON FUNCTION uuid_encode(uuid, text) IS 'text of a UUID in the format urn, braces, hex, base32, base32hex, base58, base64url, decimal or oid';

CREATE FUNCTION uuidrfc_undecodable(text text, format text, overflow boolean) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_raise('22P02', pg_catalog.format('invalid input syntax for UUID in format "%s": "%s"', $2, uuidrfc_shown($1)),
                         CASE WHEN $3 THEN 'The number does not fit into 128 bits.' END, NULL);
COMMENT ON FUNCTION uuidrfc_undecodable(text, text, boolean) IS 'raises the error that a text is not of this format';
CREATE FUNCTION uuidrfc_decoded(text text, format text, pattern text, digits text, alphabet text, factor integer) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(CASE WHEN $1 ~ ($3 COLLATE "C") THEN uuidrfc_of_digits($4, $5, $6) END, uuidrfc_undecodable($1, $2, $1 ~ ($3 COLLATE "C"))::uuid);
COMMENT ON FUNCTION uuidrfc_decoded(text, text, text, text, text, integer) IS 'UUID of a text that has this pattern, and of its digits';
CREATE FUNCTION uuid_decode(text text, format text) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE lower($2 COLLATE "C")
           WHEN 'urn' THEN uuidrfc_decoded($1, 'urn', '(?i)^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
                                           translate(substr(lower($1 COLLATE "C"), 10), '-', ''), '0123456789abcdef', 1)
           WHEN 'braces' THEN uuidrfc_decoded($1, 'braces', '(?i)^\{[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}$',
                                              translate(lower($1 COLLATE "C"), '{-}', ''), '0123456789abcdef', 1)
           WHEN 'hex' THEN uuidrfc_decoded($1, 'hex', '^[0-9a-fA-F]{32}$', lower($1 COLLATE "C"), '0123456789abcdef', 1)
           WHEN 'base32' THEN uuidrfc_decoded($1, 'base32', '^[0-9A-TV-Za-tv-z]{26}$', translate(upper($1 COLLATE "C"), 'ILO', '110'),
                                              '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1)
           WHEN 'base32hex' THEN uuidrfc_decoded($1, 'base32hex', '^[0-9A-Va-v]{25}[048CGKOScgkos](={6})?$', rtrim(upper($1 COLLATE "C"), '='),
                                                 '0123456789ABCDEFGHIJKLMNOPQRSTUV', 4)
           WHEN 'base58' THEN uuidrfc_decoded($1, 'base58', '^[1-9A-HJ-NP-Za-km-z]{22}$', $1, '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 1)
           WHEN 'base64url' THEN uuidrfc_decoded($1, 'base64url', '^[0-9A-Za-z_-]{21}[AQgw]$', $1,
                                                 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', 16)
           WHEN 'decimal' THEN uuidrfc_decoded($1, 'decimal', '^(0|[1-9][0-9]*)$', $1, '0123456789', 1)
           WHEN 'oid' THEN uuidrfc_decoded($1, 'oid', '^2\.25\.(0|[1-9][0-9]*)$', substr($1, 6), '0123456789', 1)
           ELSE uuidrfc_unknown_format($2)::uuid END;
COMMENT ON FUNCTION uuid_decode(text, text) IS 'UUID of a text in the format urn, braces, hex, base32, base32hex, base58, base64url, decimal or oid';

-- TypeIDs. The separator is the last underscore.
CREATE FUNCTION uuidrfc_typeid_prefix(typeid text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(substring($1 COLLATE "C" FROM '^(.*)_[^_]*$'), '');
COMMENT ON FUNCTION uuidrfc_typeid_prefix(text) IS 'what is before the last underscore';
CREATE FUNCTION uuidrfc_typeid_suffix(typeid text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN substring($1 COLLATE "C" FROM '[^_]*$');
COMMENT ON FUNCTION uuidrfc_typeid_suffix(text) IS 'what is after the last underscore';
CREATE FUNCTION uuidrfc_typeid_prefix_rule(prefix text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN octet_length($1) > 63 THEN 'A prefix has at most 63 characters.'
                WHEN $1 COLLATE "C" !~ '^[a-z_]*$' THEN 'A prefix has no other characters than a to z and underscores.'
                WHEN $1 COLLATE "C" ~ '(^_|_$)' THEN 'A prefix neither begins nor ends with an underscore.' END;
COMMENT ON FUNCTION uuidrfc_typeid_prefix_rule(text) IS 'rule that a prefix of a TypeID breaks, else null';
CREATE FUNCTION uuidrfc_typeid_rule(typeid text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN $1 COLLATE "C" ~ '^_[^_]*$' THEN 'Without a prefix there is no underscore.'
                WHEN uuidrfc_typeid_prefix_rule(uuidrfc_typeid_prefix($1)) IS NOT NULL THEN uuidrfc_typeid_prefix_rule(uuidrfc_typeid_prefix($1))
                WHEN octet_length(uuidrfc_typeid_suffix($1)) <> 26 THEN 'A suffix has 26 characters.'
                WHEN uuidrfc_typeid_suffix($1) COLLATE "C" !~ '^[0-9a-hjkmnp-tv-z]*$' THEN 'A suffix has no other characters than 0 to 9 and a to z without i, l, o and u.'
                WHEN uuidrfc_typeid_suffix($1) COLLATE "C" !~ '^[0-7]' THEN 'A suffix begins with a digit from 0 to 7.' END;
COMMENT ON FUNCTION uuidrfc_typeid_rule(text) IS 'rule that a TypeID breaks, else null';
CREATE FUNCTION uuidrfc_bad_typeid(typeid text, rule text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_raise('22P02', format('invalid input syntax for TypeID: "%s"', uuidrfc_shown($1)), $2, NULL);
COMMENT ON FUNCTION uuidrfc_bad_typeid(text, text) IS 'raises the error that a text is no TypeID';
CREATE FUNCTION uuidrfc_bad_typeid_prefix(prefix text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_raise('22P02', format('invalid prefix of a TypeID: "%s"', uuidrfc_shown($1)), uuidrfc_typeid_prefix_rule($1), NULL);
COMMENT ON FUNCTION uuidrfc_bad_typeid_prefix(text) IS 'raises the error that a text is no prefix of a TypeID';
CREATE FUNCTION typeid_encode(prefix text, id uuid) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN uuidrfc_typeid_prefix_rule($1) IS NULL
                THEN CASE WHEN $1 = '' THEN '' ELSE $1 || '_' END || lower(uuidrfc_digits($2, '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 26, 1) COLLATE "C")
                ELSE uuidrfc_bad_typeid_prefix($1) END;
COMMENT ON FUNCTION typeid_encode(text, uuid) IS 'TypeID of a prefix and a UUID';
CREATE FUNCTION typeid_decode(typeid text) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN uuidrfc_typeid_rule($1) IS NULL THEN uuidrfc_of_digits(uuidrfc_typeid_suffix($1), '0123456789abcdefghjkmnpqrstvwxyz', 1)
                ELSE uuidrfc_bad_typeid($1, uuidrfc_typeid_rule($1))::uuid END;
COMMENT ON FUNCTION typeid_decode(text) IS 'UUID of a TypeID';
CREATE FUNCTION typeid_decode(typeid text, prefix text) RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN uuidrfc_typeid_prefix_rule($2) IS NOT NULL THEN uuidrfc_bad_typeid_prefix($2)::uuid
                WHEN uuidrfc_typeid_rule($1) IS NOT NULL THEN uuidrfc_bad_typeid($1, uuidrfc_typeid_rule($1))::uuid
                WHEN uuidrfc_typeid_prefix($1) <> $2 THEN uuidrfc_bad_typeid($1, format('Its prefix must be "%s".', uuidrfc_shown($2)))::uuid
                ELSE typeid_decode($1) END;
COMMENT ON FUNCTION typeid_decode(text, text) IS 'UUID of a TypeID that must have this prefix';
CREATE FUNCTION typeid_prefix(typeid text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN CASE WHEN uuidrfc_typeid_rule($1) IS NULL THEN uuidrfc_typeid_prefix($1) ELSE uuidrfc_bad_typeid($1, uuidrfc_typeid_rule($1)) END;
COMMENT ON FUNCTION typeid_prefix(text) IS 'prefix of a TypeID';

-- ------------------------------------------------------------------------------------------------------------------------
-- Every field
-- ------------------------------------------------------------------------------------------------------------------------

CREATE FUNCTION uuidrfc_fields(digits text, clock_seq integer, "time" timestamp, seventh_digit integer) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    high text = substr(digits, 1, 12);
    mid text = substr(digits, 14, 3);
    low text = to_hex(('x' || substr(digits, 17, 16))::bit(64)::bigint & 4611686018427387903);
BEGIN
    low = lpad(low, 16, '0');
    RETURN CASE substr(digits, 13, 1)
        WHEN '1' THEN jsonb_build_object('time_low', left(high, 8), 'time_mid', right(high, 4), 'time_high', mid)
        WHEN '3' THEN jsonb_build_object('md5_high', high, 'md5_mid', mid, 'md5_low', low)
        WHEN '4' THEN jsonb_build_object('random_a', high, 'random_b', mid, 'random_c', low)
        WHEN '5' THEN jsonb_build_object('sha1_high', high, 'sha1_mid', mid, 'sha1_low', low)
        WHEN '6' THEN jsonb_build_object('time_high', left(high, 8), 'time_mid', right(high, 4), 'time_low', mid)
        WHEN '7' THEN jsonb_build_object('unix_ts_ms', ('x' || high)::bit(48)::bigint, 'rand_a', mid, 'rand_b', low,
                                         'time', to_char("time", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
        WHEN '8' THEN jsonb_build_object('custom_a', ('x' || high)::bit(48)::bigint, 'custom_b', ('x' || mid)::bit(12)::integer, 'custom_c', low)
        ELSE '{}' END
        || CASE WHEN substr(digits, 13, 1) IN ('1', '6')
                THEN jsonb_build_object('clock_seq', clock_seq, 'node', substr(digits, 21), 'node_multicast', get_bit(decode(substr(digits, 21, 2), 'hex'), 0) = 1,
                                        'time', to_char("time", 'YYYY-MM-DD"T"HH24:MI:SS.US') || seventh_digit || 'Z')
                ELSE '{}' END;
END $$;
COMMENT ON FUNCTION uuidrfc_fields(text, integer, timestamp, integer) IS 'fields of a UUID of the RFC 9562 variant';
CREATE FUNCTION uuid_inspect(uuid uuid) RETURNS jsonb
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN jsonb_strip_nulls(jsonb_build_object('variant', uuid_extract_variant($1), 'version', uuid_extract_version($1),
                                                'name', CASE $1 WHEN '00000000-0000-0000-0000-000000000000' THEN 'nil' WHEN 'ffffffff-ffff-ffff-ffff-ffffffffffff' THEN 'max' END,
                                                'namespace', CASE $1 WHEN '6ba7b810-9dad-11d1-80b4-00c04fd430c8' THEN 'dns' WHEN '6ba7b811-9dad-11d1-80b4-00c04fd430c8' THEN 'url'
                                                                     WHEN '6ba7b812-9dad-11d1-80b4-00c04fd430c8' THEN 'oid' WHEN '6ba7b814-9dad-11d1-80b4-00c04fd430c8' THEN 'x500' END,
                                                'hashspace', uuidrfc_hash_of_hashspace($1)))
           || CASE WHEN uuid_extract_version($1) IS NULL THEN '{}'::jsonb
                   ELSE uuidrfc_fields(translate($1::text, '-', ''), uuid_extract_clock_seq($1), timezone(interval '0', uuid_extract_time($1)),
                                       (CASE uuid_extract_version($1) WHEN 1 THEN uuidrfc_v1_tick($1) ELSE uuidrfc_v6_tick($1) END % 10)::integer) END;
COMMENT ON FUNCTION uuid_inspect(uuid) IS 'every field of a UUID under its name in RFC 9562';

-- ------------------------------------------------------------------------------------------------------------------------
-- Ids of other systems
-- ------------------------------------------------------------------------------------------------------------------------

-- As crates/rfc9562/src/other has them; there, each system's file says where its layout is from. The ids of a system are its layout, as a
-- document. An id is that and two numbers: its tick, which is its time as its system counts it, and the rest.

CREATE FUNCTION uuidrfc_unknown_id_system(system text) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_raise('22023', format('unrecognized id system: "%s"', uuidrfc_label($1)), NULL,
                         'Valid id systems are "ulid", "lexicaluuid", "snowflake", "discord", "mastodon", "linkedin", "pgedge", "flake", "shardingid", "ksuid", "elasticflake", "flakeid", "sonyflake", "sonyflake-v2", "ordereduuid", "combguid-sql", "combguid-sql-datetime", "combguid-postgresql", "combguid-postgresql-datetime", "combguid-binary", "combguid-nhibernate", "combguid-rtcomb1", "sid", "pushid", "xid", "objectid", and "cuid".');
COMMENT ON FUNCTION uuidrfc_unknown_id_system(text) IS 'raises the error that a system of ids is unknown';

DO $do$
DECLARE
    hex constant text = '0123456789abcdef';
    base36 constant text = '0123456789abcdefghijklmnopqrstuvwxyz';
    base62 constant text = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
    hyphenated constant text = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$';
    layouts jsonb;
BEGIN
    -- What ids are read from and written as: how many octets, or 0 if they are text or UUIDs only; the pattern of a text, how many digits it has at
    -- the least, and which. The tick comes first, and then the rest; in uuid_last the tick comes last. The first octets of uuid_swapped are in the
    -- order that .NET has; so are those of uuid_4, where a digit 4 is among those of the tick, too.
    WITH written (form, octets, width, alphabet, pattern) AS (VALUES
        ('number', 8, 1, left(hex, 10), '^[0-9]+$'),
        ('flakeid', 8, 1, left(hex, 10), '^([0-9]+|0x[0-9a-fA-F]{16})$'),
        ('ulid', 16, 26, '0123456789abcdefghjkmnpqrstvwxyz', '^[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{26}$'),
        ('lexicaluuid', 16, 32, hex, '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{16}$'),
        ('flake', 16, 1, base62, '^[0-9A-Za-z]+$'),
        ('ksuid', 20, 27, base62, '^[0-9A-Za-z]{27}$'),
        ('elasticflake', 15, 20, 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_', '^[0-9A-Za-z_-]{20}$'),
        ('pushid', 0, 20, '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz', '^[0-9A-Za-z_-]{20}$'),
        ('xid', 12, 20, left(base36, 32), '^[0-9a-v]{19}[0g]$'),
        ('objectid', 12, 24, hex, '^[0-9a-fA-F]{24}$'),
        ('cuid', 0, 17, base36, '^c[1-9a-z][0-9a-z]{23,24}$'),
        ('sid', 0, 0, '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~',
            '^([1-9][0-9]{18}-[0-9]{19}|[0-9a-f]{16}-[0-9a-f]{16}|[0-9a-v]{13}-[0-9a-v]{13}|[0-9A-Z_a-z~]{11}-[0-9A-Z_a-z~]{11})$'),
        ('uuid', 0, 0, hex, hyphenated), ('uuid_last', 0, 0, hex, hyphenated), ('uuid_swapped', 0, 0, hex, hyphenated), ('uuid_4', 0, 0, hex, hyphenated)
    ),
    -- The types; whether those beside text sort by time, and how many characters a text has that does (0: none does); milliseconds from 1970 to the
    -- epoch, and whether users choose it; nanoseconds of a tick, by what they are divided, and whether ticks begin anew each day, whose number
    -- then stands before their 32 bits; the version of the UUID; the fields of the tick and of the rest, in bits or digits of base 36.
    system (name, form, types, sorts, sorted_text, epoch, takes_epoch, unit, per, daily, carried, tick, rest) AS (VALUES
        ('ulid', 'ulid', '{text,bytea,uuid}'::text[], true, 26, 0, false, 1000000, 1, false, '7 in place', 'timestamp number 48', 'random hex 80'),
        ('lexicaluuid', 'lexicaluuid', '{text,bytea,uuid}', true, 35, 0, false, 1000, 1, false, '7', 'timestamp number 64', 'worker hex 64'),
        ('snowflake', 'number', '{text,bigint}', true, 0, 1288834974657, true, 1000000, 1, false, '7', 'timestamp number 41', 'datacenter number 5, worker number 5, sequence number 12'),
        ('discord', 'number', '{text,bigint}', true, 0, 1420070400000, false, 1000000, 1, false, '7', 'timestamp number 42', 'worker number 5, process number 5, increment number 12'),
        ('mastodon', 'number', '{text,bigint}', true, 0, 0, false, 1000000, 1, false, '7', 'timestamp number 48', 'sequence number 16'),
        ('linkedin', 'number', '{text,bigint}', true, 0, 0, false, 1000000, 1, false, '7', 'timestamp number 42', 'rest hex 22'),
        ('pgedge', 'number', '{text,bigint}', true, 0, 1672531200000, false, 1000000, 1, false, '7', 'timestamp number 41', 'node number 10, counter number 12'),
        ('flake', 'flake', '{text,bytea,uuid}', true, 18, 0, false, 1000000, 1, false, '7', 'timestamp number 64', 'worker hex 48, sequence number 16'),
        ('shardingid', 'number', '{text,bigint}', true, 0, 1314220021721, true, 1000000, 1, false, '7', 'timestamp number 41', 'shard number 13, sequence number 10'),
        ('ksuid', 'ksuid', '{text,bytea}', true, 27, 1400000000000, false, 1000000000, 1, false, '8 hashed', 'timestamp number 32', 'payload hex 128'),
        ('elasticflake', 'elasticflake', '{text,bytea}', true, 0, 0, false, 1000000, 1, false, '7', 'timestamp number 48', 'munged_mac hex 48, sequence number 24'),
        ('flakeid', 'flakeid', '{text,bigint,bytea}', true, 0, 0, true, 1000000, 1, false, '7', 'timestamp number 42', 'datacenter number 5, worker number 5, counter number 12'),
        ('sonyflake', 'number', '{text,bigint}', true, 0, 1409529600000, true, 10000000, 1, false, '7', 'timestamp number 39', 'sequence number 8, machine number 16'),
        ('sonyflake-v2', 'number', '{text,bigint}', true, 0, 1735689600000, true, 10000000, 1, false, '7', 'timestamp number 39', 'sequence number 8, machine number 16'),
        ('ordereduuid', 'uuid', '{text,uuid}', true, 36, 0, false, 10000, 1, false, '8', 'timestamp number 48', 'random_a hex 12, random_b hex 62'),
        ('combguid-sql', 'uuid_last', '{text,uuid}', false, 0, 0, false, 1000000, 1, false, '7', 'timestamp number 48', 'random hex 74'),
        ('combguid-sql-datetime', 'uuid_last', '{text,uuid}', false, 0, -2208988800000, false, 10000000, 3, true, '7', 'days number 16, ticks number 32', 'random hex 74'),
        ('combguid-postgresql', 'uuid', '{text,uuid}', true, 36, 0, false, 1000000, 1, false, '7', 'timestamp number 48', 'random hex 74'),
        ('combguid-postgresql-datetime', 'uuid', '{text,uuid}', true, 36, -2208988800000, false, 10000000, 3, true, '7', 'days number 16, ticks number 32', 'random hex 74'),
        ('combguid-binary', 'uuid_swapped', '{text,uuid}', false, 0, 0, false, 1000000, 1, false, '7', 'timestamp number 48', 'random hex 74'),
        ('combguid-nhibernate', 'uuid_last', '{text,uuid}', false, 0, -2208988800000, false, 3333333, 1, true, '7', 'days number 16, ticks number 32', 'random hex 74'),
        ('combguid-rtcomb1', 'uuid_4', '{text,uuid}', false, 0, -2208988800000, false, 10000000, 3, true, '7', 'days number 16, ticks number 32', 'random hex 74'),
        ('sid', 'sid', '{text}', false, 39, 0, false, 1, 1, false, '8 hashed', 'timestamp number 63', 'random number 63'),
        ('pushid', 'pushid', '{text}', false, 20, 0, false, 1000000, 1, false, '7', 'timestamp number 48', 'random hex 72'),
        ('xid', 'xid', '{text,bytea}', true, 20, 0, false, 1000000000, 1, false, '7', 'timestamp number 32', 'machine hex 24, pid number 16, counter number 24'),
        ('objectid', 'objectid', '{text,bytea}', true, 24, 0, false, 1000000000, 1, false, '7', 'timestamp number 32', 'process hex 40, counter number 24'),
        ('cuid', 'cuid', '{text}', false, 25, 0, false, 1000000, 1, false, '8 hashed', 'timestamp base36_number 9', 'counter base36_number 4, fingerprint base36 4, random base36 8')
    ),
    -- Each field with the count of its values, and the count of all.
    part (name, part, fields, count) AS (
        SELECT name, part, jsonb_agg(jsonb_build_array(word[1], word[2], word[3]::integer, trunc(base ^ word[3]::integer)) ORDER BY place), trunc(max(base) ^ sum(word[3]::integer))
        FROM system, LATERAL (VALUES ('tick', tick), ('rest', rest)) AS parts (part, fields), unnest(string_to_array(fields, ', ')) WITH ORDINALITY AS one (field, place),
             string_to_array(field, ' ') AS word, LATERAL (SELECT CASE WHEN field ~ 'base36' THEN 36 ELSE 2::numeric END AS base) AS bases
        GROUP BY name, part
    )
    SELECT jsonb_object_agg(system.name, to_jsonb(system) - '{tick,rest}'::text[] || to_jsonb(written) || jsonb_build_object(
               'tick_fields', t.fields, 'rest_fields', r.fields, 'ticks', t.count, 'rests', r.count,
               'sorting', CASE WHEN sorted_text > 0 THEN '{text}'::text[] ELSE '{}' END || CASE WHEN sorts THEN array_remove(types, 'text') ELSE '{}' END,
               'rest_bits', rest_bits, 'finer_bits', (SELECT min(bits) FROM generate_series(0, 20) AS bits WHERE (unit / per)::numeric * 2 ^ bits >= 1000000),
               'decimals', CASE WHEN daily THEN 6 WHEN unit >= 1000000000 THEN 0 WHEN unit >= 1000000 THEN 3 WHEN unit >= 1000 THEN 6 ELSE 9 END,
               -- Nanoseconds from the epoch to the last tick.
               'span', CASE WHEN daily THEN (div(t.count, 4294967296) - 1) * 86400000000000 + div(ceil(86400000000000 * per / unit::numeric - 1) * unit, per) ELSE (t.count - 1) * unit END))
    INTO layouts
    FROM system JOIN written USING (form) JOIN part AS t ON t.name = system.name AND t.part = 'tick' JOIN part AS r ON r.name = system.name AND r.part = 'rest',
         LATERAL (SELECT min(bits) AS rest_bits FROM generate_series(1, 128) AS bits WHERE trunc(2::numeric ^ bits) >= r.count) AS rest_bits;
    EXECUTE format($format$
        CREATE FUNCTION uuidrfc_ids_or_null(system text, epoch timestamptz) RETURNS jsonb
            LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
        AS $function$
        DECLARE
            ids constant jsonb = jsonb %L -> lower(system COLLATE "C");
            ms numeric;
        BEGIN
            IF epoch = '-infinity' OR ids IS NULL THEN
                RETURN ids;
            ELSIF epoch <= timestamptz '294247-01-10 04:00:54.775807+00' THEN
                IF NOT (ids -> 'takes_epoch')::boolean THEN
                    RAISE EXCEPTION USING ERRCODE = '22023', MESSAGE = format('ids of system "%%s" have a fixed epoch', ids ->> 'name'),
                        HINT = 'Systems that take an epoch are "snowflake", "shardingid", "flakeid", "sonyflake", and "sonyflake-v2".';
                END IF;
                ms = extract(epoch FROM timezone(interval '0', epoch)) * 1000;
            END IF;
            IF ms BETWEEN 0 AND 281474976710655 AND ms = trunc(ms) THEN
                RETURN ids || jsonb_build_object('epoch', trunc(ms - ms %% greatest((ids -> 'unit')::bigint / 1000000, 1)));
            END IF;
            RAISE EXCEPTION USING ERRCODE = '22023', MESSAGE = 'epoch must be a whole millisecond from 1970-01-01 to approximately year 10889';
        END $function$ $format$, layouts);
END $do$;
COMMENT ON FUNCTION uuidrfc_ids_or_null(text, timestamptz) IS 'ids of a system, their time counted from an epoch, or from its own at -infinity; null if the system is unknown';
CREATE FUNCTION uuidrfc_ids(system text, epoch timestamptz) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(uuidrfc_ids_or_null($1, $2), uuidrfc_unknown_id_system($1)::jsonb);
COMMENT ON FUNCTION uuidrfc_ids(text, timestamptz) IS 'ids of a system, their time counted from an epoch, or from its own at -infinity';
CREATE FUNCTION uuidrfc_ids_of_type(ids jsonb, type text) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF NOT ids -> 'types' ? type THEN
        RAISE EXCEPTION USING ERRCODE = '22023', MESSAGE = format('ids of system "%s" are not of type %s', ids ->> 'name', type),
            HINT = format('They are of type %s.', (SELECT regexp_replace(string_agg(name, ', ' ORDER BY place), ', ([a-z]+)$', ' or \1')
                                                   FROM jsonb_array_elements_text(ids -> 'types') WITH ORDINALITY AS types (name, place)));
    END IF;
    RETURN ids;
END $$;
COMMENT ON FUNCTION uuidrfc_ids_of_type(jsonb, text) IS 'ids of a system that has the type';

-- The id that a value is: of a bytea its digits. Null if the value is a UUID and not of version 4, as it must be.
CREATE FUNCTION uuidrfc_id_or_null(ids jsonb, type text, value text, shown text) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    form constant text = ids ->> 'form';
    alphabet text = '0123456789abcdef';
    digits text = value;
    is_id boolean = type <> 'text' OR value ~ (ids ->> 'pattern');
    number numeric = 0;
    rests numeric = (ids -> 'rests')::numeric;
    tick numeric;
    rest numeric;
    nanoseconds numeric;
BEGIN
    IF type = 'bytea' AND length(value) <> 2 * (ids -> 'octets')::integer THEN
        RAISE EXCEPTION USING ERRCODE = '22P03', MESSAGE = format('invalid input length for id of system "%s": "%s"', ids ->> 'name', shown),
            DETAIL = format('Such an id has %s bytes.', ids ->> 'octets');
    ELSIF is_id AND form ~ '^uuid' THEN
        digits = lower(translate(value, '-', ''));
        IF digits !~ '^.{12}4...[89ab]' THEN
            RETURN NULL;
        ELSIF form IN ('uuid_swapped', 'uuid_4') THEN
            digits = substr(digits, 7, 2) || substr(digits, 5, 2) || substr(digits, 3, 2) || substr(digits, 1, 2) || substr(digits, 11, 2) || substr(digits, 9, 2) || substr(digits, 13);
        END IF;
        IF form = 'uuid_last' THEN
            tick = ('x' || right(digits, 12))::bit(48)::bigint;
            rest = ('x' || left(digits, 12) || substr(digits, 14, 3))::bit(60)::bigint * 16384::numeric + (('x' || substr(digits, 17, 4))::bit(16)::integer & 16383);
        ELSE
            -- Without a 4 in its place, no tick.
            tick = CASE WHEN form <> 'uuid_4' THEN ('x' || left(digits, 12))::bit(48)::bigint
                        WHEN substr(digits, 9, 1) = '4' THEN ('x' || left(digits, 4) || '0' || substr(digits, 5, 4) || substr(digits, 10, 3))::bit(48)::bigint
                        ELSE 'infinity'::numeric END;
            rest = ('x' || substr(digits, 14, 3))::bit(12)::integer * 4611686018427387904::numeric + (('x' || right(digits, 16))::bit(64)::bigint & 4611686018427387903);
        END IF;
    ELSIF is_id THEN
        IF type = 'bigint' THEN
            number = value::numeric + CASE WHEN value ~ '^-' THEN 18446744073709551616 ELSE 0 END;
        ELSE
            IF type <> 'text' THEN
                digits = translate(value, '-', '');
            ELSIF value ~ '^0x' AND form = 'flakeid' THEN
                digits = substr(value, 3);
            ELSIF form = 'sid' THEN
                alphabet = CASE length(value) WHEN 39 THEN '0123456789' WHEN 33 THEN alphabet WHEN 27 THEN '0123456789abcdefghijklmnopqrstuv' ELSE ids ->> 'alphabet' END;
                digits = translate(value, '-', '');
                rests = trunc(length(alphabet)::numeric ^ (length(digits) / 2));
            ELSE
                alphabet = ids ->> 'alphabet';
                digits = CASE form WHEN 'lexicaluuid' THEN translate(value, '-', '') WHEN 'cuid' THEN substr(value, 2) ELSE value END;
            END IF;
            IF alphabet = lower(alphabet) THEN
                digits = lower(digits);
            END IF;
            -- Of 40 digits or more, the number has more than 128 bits; ids of a fixed length have fewer.
            IF length(ltrim(digits, '0')) > 40 THEN
                number = 'infinity';
            ELSIF length(alphabet) = 10 THEN
                number = digits::numeric;
            ELSE
                FOR place IN 1 .. length(digits) LOOP
                    number = number * length(alphabet) + (strpos(alphabet, substr(digits, place, 1)) - 1);
                END LOOP;
            END IF;
            -- Where texts have no fixed length, none has zeros in front. A number of more than 128 bits is out of range all the same.
            IF type = 'text' AND (ids -> 'width')::integer = 1 AND digits = value AND value ~ '^0.' THEN
                is_id = number >= 340282366920938463463374607431768211456;
            ELSIF type = 'text' AND form = 'xid' THEN
                number = div(number, 16);
            END IF;
        END IF;
        tick = div(number, rests);
        rest = number % rests;
    END IF;
    IF NOT is_id THEN
        RAISE EXCEPTION USING ERRCODE = '22P02', MESSAGE = format('invalid input syntax for id of system "%s": "%s"', ids ->> 'name', shown);
    ELSIF tick >= (ids -> 'ticks')::numeric OR rest >= (ids -> 'rests')::numeric THEN
        RAISE EXCEPTION USING ERRCODE = '22003', MESSAGE = format('value "%s" is out of range for id of system "%s"', shown, ids ->> 'name');
    END IF;
    nanoseconds = div(CASE WHEN (ids -> 'daily')::boolean THEN tick % 4294967296 ELSE tick END * (ids -> 'unit')::numeric, (ids -> 'per')::numeric);
    IF (ids -> 'daily')::boolean THEN
        nanoseconds = CASE WHEN nanoseconds < 86400000000000 THEN nanoseconds + div(tick, 4294967296) * 86400000000000 END;
    END IF;
    nanoseconds = nanoseconds + (ids -> 'epoch')::numeric * 1000000;
    RETURN ids || jsonb_build_object('tick', tick, 'rest', rest, 'nanoseconds', CASE WHEN nanoseconds < 9223372036854775808000 THEN nanoseconds END);
END $$;
COMMENT ON FUNCTION uuidrfc_id_or_null(jsonb, text, text, text) IS 'id of a system, or null if the value is not UUID version 4';
CREATE FUNCTION uuidrfc_id_of_text(ids jsonb, id text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_or_null($1, 'text', $2 COLLATE "C", CASE WHEN octet_length($2) > 64 THEN uuidrfc_shown($2) ELSE $2 END),
                    uuidrfc_not_of_version($2::uuid, 4)::text::jsonb);
COMMENT ON FUNCTION uuidrfc_id_of_text(jsonb, text) IS 'id of a system';
CREATE FUNCTION uuidrfc_id_of_bigint(ids jsonb, id bigint) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN uuidrfc_id_or_null(uuidrfc_ids_of_type($1, 'bigint'), 'bigint', $2::text, $2::text);
COMMENT ON FUNCTION uuidrfc_id_of_bigint(jsonb, bigint) IS 'id of a system';
CREATE FUNCTION uuidrfc_id_of_bytea(ids jsonb, id bytea) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN uuidrfc_id_or_null(uuidrfc_ids_of_type($1, 'bytea'), 'bytea', encode($2, 'hex'),
                              '\x' || encode(substr($2, 1, 24), 'hex') || CASE WHEN octet_length($2) > 24 THEN '...' ELSE '' END);
COMMENT ON FUNCTION uuidrfc_id_of_bytea(jsonb, bytea) IS 'id of a system';
CREATE FUNCTION uuidrfc_id_of_uuid(ids jsonb, id uuid) RETURNS jsonb
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_or_null(uuidrfc_ids_of_type($1, 'uuid'), 'uuid', $2::text, $2::text), uuidrfc_not_of_version($2, 4)::text::jsonb);
COMMENT ON FUNCTION uuidrfc_id_of_uuid(jsonb, uuid) IS 'id of a system';

-- The time is not before 1900, that is 131666 times 2^24 milliseconds before 1970.
CREATE FUNCTION uuidrfc_id_time(id jsonb) RETURNS timestamptz
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    microseconds constant numeric = div((id ->> 'nanoseconds')::numeric + 2208988921856000000, 1000);
BEGIN
    RETURN timezone(interval '0', timestamp '1970-01-01' + interval '16777.216 s' * (div(microseconds, 16777216000) - 131666)::float8
                                  + interval '0.000001 s' * (microseconds % 16777216000)::float8);
END $$;
COMMENT ON FUNCTION uuidrfc_id_time(jsonb) IS 'time of an id, to the microsecond; null if there is none';
CREATE FUNCTION uuidrfc_id_fields(id jsonb) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    nanoseconds constant numeric = (id ->> 'nanoseconds')::numeric + 2208988921856000000;
    decimals constant integer = id -> 'decimals';
    fields jsonb = '{}';
    part text;
    field jsonb;
    number numeric;
    value numeric;
    radix integer;
    digits text;
BEGIN
    IF nanoseconds IS NULL THEN
        RETURN NULL;
    END IF;
    FOREACH part IN ARRAY '{tick,rest}'::text[] LOOP
        number = id ->> part;
        -- A field is its name, how it is shown, how many bits or digits it has, and how many values.
        FOR place IN REVERSE jsonb_array_length(id -> (part || '_fields')) - 1 .. 0 LOOP
            field = id -> (part || '_fields') -> place;
            value = number % (field -> 3)::numeric;
            number = div(number, (field -> 3)::numeric);
            IF field ->> 1 ~ 'number' THEN
                -- JSON's readers keep numbers up to 2^53.
                fields = fields || jsonb_build_object(field ->> 0, CASE WHEN (field -> 3)::numeric <= 9007199254740992 THEN to_jsonb(value) ELSE to_jsonb(value::text) END);
            ELSE
                digits = '';
                radix = CASE field ->> 1 WHEN 'hex' THEN 16 ELSE 36 END;
                FOR digit IN 1 .. CASE radix WHEN 16 THEN ((field -> 2)::integer + 3) / 4 ELSE (field -> 2)::integer END LOOP
                    digits = substr('0123456789abcdefghijklmnopqrstuvwxyz', (value % radix)::integer + 1, 1) || digits;
                    value = div(value, radix);
                END LOOP;
                fields = fields || jsonb_build_object(field ->> 0, digits);
            END IF;
        END LOOP;
    END LOOP;
    -- As in uuidrfc_id_time.
    RETURN fields || jsonb_build_object('time', to_char(timestamp '1970-01-01' + interval '16777.216 s' * (div(nanoseconds, 16777216000000) - 131666)::float8
                                                        + interval '0.000001 s' * div(nanoseconds % 16777216000000, 1000)::float8, 'YYYY-MM-DD"T"HH24:MI:SS')
                                                || CASE WHEN decimals > 0 THEN '.' || left(lpad(((nanoseconds + 144000000) % 1000000000)::text, 9, '0'), decimals) ELSE '' END || 'Z');
END $$;
COMMENT ON FUNCTION uuidrfc_id_fields(jsonb) IS 'every field of an id; null if it has no time';
CREATE FUNCTION uuidrfc_id_out_of_time(ids jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_raise('22008', format('timestamp out of range for id of system "%s"', $1 ->> 'name'),
                         format('Ids of this system hold timestamps from %s to %s, UUIDs of version 7 from 1970-01-01 to approximately year 10889.',
                                uuidrfc_id_fields($1 || jsonb_build_object('tick', 0, 'rest', 0, 'nanoseconds', ($1 -> 'epoch')::numeric * 1000000)) ->> 'time',
                                uuidrfc_id_fields($1 || jsonb_build_object('tick', 0, 'rest', 0, 'nanoseconds', least(($1 -> 'epoch')::numeric * 1000000 + ($1 -> 'span')::numeric,
                                                                                                                      9223372036854775807999))) ->> 'time'), NULL);
COMMENT ON FUNCTION uuidrfc_id_out_of_time(jsonb) IS 'raises the error that an id has no time, or a time no id';

-- 48 bits, the version and 74 bits: see crates/rfc9562/src/other/carried.rs. Null if version 7 cannot hold the time.
CREATE FUNCTION uuidrfc_id_carried(id jsonb) RETURNS uuid
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    carried constant text = id ->> 'carried';
    nanoseconds constant numeric = id ->> 'nanoseconds';
    tick constant numeric = id -> 'tick';
    rest constant numeric = id -> 'rest';
    high numeric = div(nanoseconds, 1000000);
    free numeric = rest;
    word numeric;
    hashed text = repeat('0', 32);
BEGIN
    IF carried = '8' THEN
        high = tick;
    ELSIF nanoseconds IS NULL OR nanoseconds < 0 OR high > 281474976710655 THEN
        RETURN NULL;
    ELSIF carried = '7 in place' THEN
        free = div(rest, 18446744073709551616) % 4096 * 4611686018427387904 + rest % 4611686018427387904;
    ELSE
        -- Which tick of the millisecond, and the rest.
        free = div(nanoseconds % 1000000 * (id -> 'per')::numeric, (id -> 'unit')::numeric) * trunc(2::numeric ^ (id -> 'rest_bits')::integer) + rest;
        IF carried = '8 hashed' THEN
            FOREACH word IN ARRAY ARRAY[div(tick, 4294967296), tick, div(rest, 79228162514264337593543950336), div(rest, 18446744073709551616), div(rest, 4294967296), rest] LOOP
                hashed = hashed || lpad(to_hex((word % 4294967296)::bigint), 8, '0');
            END LOOP;
            free = div(free, trunc(2::numeric ^ ((id -> 'rest_bits')::integer + (id -> 'finer_bits')::integer - 24))) * 1125899906842624
                   + (('x' || encode(substr(sha256(decode(hashed, 'hex')), 9, 8), 'hex'))::bit(64)::bigint & 1125899906842623);
        END IF;
    END IF;
    RETURN lpad(to_hex(high::bigint), 12, '0') || left(carried, 1) || lpad(to_hex(div(free, 4611686018427387904)::bigint), 3, '0')
           || to_hex((free % 4611686018427387904)::bigint | -9223372036854775808);
END $$;
COMMENT ON FUNCTION uuidrfc_id_carried(jsonb) IS 'UUID that an id is carried over to, or null';
CREATE FUNCTION uuidrfc_id_of_carried(ids jsonb, uuid uuid) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    digits constant text = translate(uuid::text, '-', '');
    version constant text = left(ids ->> 'carried', 1);
    daily constant boolean = ids -> 'daily';
    unit constant numeric = ids -> 'unit';
    per constant numeric = ids -> 'per';
    rests constant numeric = ids -> 'rests';
    milliseconds constant bigint = ('x' || left(digits, 12))::bit(48)::bigint;
    free constant numeric = ('x' || substr(digits, 14, 3))::bit(12)::integer * 4611686018427387904::numeric + (('x' || right(digits, 16))::bit(64)::bigint & 4611686018427387903);
    -- From the epoch, then from midnight.
    nanoseconds numeric = (milliseconds - (ids -> 'epoch')::numeric) * 1000000;
    day numeric = 0;
    tick numeric;
BEGIN
    IF ids ->> 'carried' NOT IN ('7', '8') THEN
        RAISE EXCEPTION USING ERRCODE = '22023', MESSAGE = format('UUIDs of ids of system "%s" cannot be turned back', ids ->> 'name'), DETAIL = 'Such an id does not fit into a UUID.';
    ELSIF digits !~ ('^.{12}' || version || '...[89ab]') THEN
        tick = NULL;
    ELSIF version = '8' THEN
        tick = milliseconds;
    ELSIF nanoseconds >= 0 THEN
        IF daily THEN
            day = div(nanoseconds, 86400000000000);
            nanoseconds = nanoseconds % 86400000000000;
        END IF;
        -- The first tick of the millisecond, and which one after it.
        tick = div(nanoseconds * per + unit - 1, unit) + div(free, rests);
        tick = CASE WHEN div(div(tick * unit, per), 1000000) = div(nanoseconds, 1000000) AND NOT (daily AND div(tick * unit, per) >= 86400000000000) THEN day * 4294967296 + tick END;
    END IF;
    IF tick < (ids -> 'ticks')::numeric THEN
        RETURN ids || jsonb_build_object('tick', tick, 'rest', free % rests);
    END IF;
    RAISE EXCEPTION USING ERRCODE = '22023', MESSAGE = format('UUID "%s" is not of an id of system "%s"', uuid, ids ->> 'name'),
        DETAIL = 'No id of this system and this epoch gives this UUID.';
END $$;
COMMENT ON FUNCTION uuidrfc_id_of_carried(jsonb, uuid) IS 'id that a UUID was made of';

-- The first or the last id of an instant; of ticks longer than a microsecond the last that begins before the microsecond ends. Null if there is none.
CREATE FUNCTION uuidrfc_id_at(ids jsonb, "time" timestamptz, is_last boolean) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    unit constant numeric = ids -> 'unit';
    per constant numeric = ids -> 'per';
    nanoseconds numeric;
    day numeric = 0;
    tick numeric;
BEGIN
    IF "time" < timestamptz '1900-01-01 00:00:00+00' OR "time" > timestamptz '294247-01-10 04:00:54.775807+00' THEN
        RETURN NULL;
    END IF;
    -- EXTRACT is not exact of this last microsecond. A day before, it is.
    nanoseconds = trunc((extract(epoch FROM timezone(interval '0', "time") - interval '1 day') + 86400) * 1000000000) - (ids -> 'epoch')::numeric * 1000000;
    IF nanoseconds < 0 THEN
        RETURN NULL;
    ELSIF (ids -> 'daily')::boolean THEN
        day = div(nanoseconds, 86400000000000);
        nanoseconds = nanoseconds % 86400000000000;
    END IF;
    tick = div((nanoseconds + 1000) * per + unit - 1, unit) - 1;
    IF NOT is_last THEN
        tick = least(div(nanoseconds * per + unit - 1, unit), tick);
    END IF;
    tick = day * 4294967296 + tick;
    IF tick < (ids -> 'ticks')::numeric THEN
        RETURN ids || jsonb_build_object('tick', tick, 'rest', CASE WHEN is_last THEN (ids -> 'rests')::numeric - 1 ELSE 0 END);
    END IF;
    RETURN NULL;
END $$;
COMMENT ON FUNCTION uuidrfc_id_at(jsonb, timestamptz, boolean) IS 'smallest or largest id of an instant, or null if there is none';

-- An id as a value of a type: of bytea its digits. As a bound only if the ids around it sort by time as this type.
CREATE FUNCTION uuidrfc_id_as(id jsonb, type text, is_bound boolean) RETURNS text
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
    form constant text = id ->> 'form';
    tick constant numeric = id -> 'tick';
    rest constant numeric = id -> 'rest';
    number numeric = tick * (id -> 'rests')::numeric + rest;
    alphabet constant text = CASE type WHEN 'text' THEN id ->> 'alphabet' ELSE '0123456789abcdef' END;
    width constant integer = CASE type WHEN 'text' THEN (id -> 'width')::integer WHEN 'uuid' THEN 32 ELSE 2 * (id -> 'octets')::integer END;
    value text = '';
BEGIN
    IF is_bound AND id -> 'sorting' = '[]' THEN
        RAISE EXCEPTION USING ERRCODE = '22023', MESSAGE = format('ids of system "%s" do not sort by time as type %s', id ->> 'name', type);
    ELSIF is_bound AND NOT id -> 'sorting' ? type THEN
        RAISE EXCEPTION USING ERRCODE = '22023', MESSAGE = format('ids of system "%s" do not sort by time as type %s', id ->> 'name', type),
            HINT = format('They do as type %s.', (SELECT regexp_replace(string_agg(name, ', ' ORDER BY place), ', ([a-z]+)$', ' or \1')
                                                  FROM jsonb_array_elements_text(id -> 'sorting') WITH ORDINALITY AS types (name, place)));
    END IF;
    IF form ~ '^uuid' THEN
        value = lpad(to_hex(tick::bigint), 12, '0');
        IF form = 'uuid_last' THEN
            value = lpad(to_hex(div(rest, 67108864)::bigint), 12, '0') || '4' || lpad(to_hex((div(rest, 16384) % 4096)::integer), 3, '0')
                    || to_hex((rest % 16384)::integer | 32768) || value;
        ELSE
            IF form = 'uuid_4' THEN
                value = left(value, 4) || substr(value, 6, 4) || '4' || right(value, 3);
            END IF;
            IF form IN ('uuid_swapped', 'uuid_4') THEN
                value = substr(value, 7, 2) || substr(value, 5, 2) || substr(value, 3, 2) || substr(value, 1, 2) || substr(value, 11, 2) || substr(value, 9, 2);
            END IF;
            value = value || '4' || lpad(to_hex(div(rest, 4611686018427387904)::integer), 3, '0') || to_hex((rest % 4611686018427387904)::bigint | -9223372036854775808);
        END IF;
        value = value::uuid;
    ELSIF type = 'bigint' THEN
        value = CASE WHEN number < 9223372036854775808 THEN number ELSE number - 18446744073709551616 END;
    ELSIF form = 'sid' THEN
        value = tick || '-' || lpad(rest::text, 19, '0');
    ELSIF length(alphabet) = 10 THEN
        value = number;
    ELSE
        IF form = 'xid' AND type = 'text' THEN
            number = number * 16;
        END IF;
        WHILE number > 0 OR length(value) < width LOOP
            value = substr(alphabet, (number % length(alphabet))::integer + 1, 1) || value;
            number = div(number, length(alphabet));
        END LOOP;
        IF type = 'text' THEN
            value = CASE form WHEN 'ulid' THEN upper(value) WHEN 'cuid' THEN 'c' || value
                              WHEN 'lexicaluuid' THEN concat_ws('-', left(value, 8), substr(value, 9, 4), substr(value, 13, 4), substr(value, 17)) ELSE value END;
        END IF;
    END IF;
    IF is_bound AND (type = 'bigint' AND value ~ '^-' OR type = 'text' AND length(value) <> (id -> 'sorted_text')::integer) THEN
        RAISE EXCEPTION USING ERRCODE = '22008', MESSAGE = format('ids of system "%s" of this time do not sort as type %s', id ->> 'name', type),
            DETAIL = CASE type WHEN 'bigint' THEN 'They are negative numbers.' ELSE 'Their texts have another length than those of today.' END;
    END IF;
    RETURN value;
END $$;
COMMENT ON FUNCTION uuidrfc_id_as(jsonb, text, boolean) IS 'id as a value of a type';

-- Where there is no time, the error is raised by the other argument of coalesce. With it, these functions are not inlined, so that plans stay short.

CREATE FUNCTION other_id_time(id text, system text, epoch timestamptz DEFAULT '-infinity') RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_time(uuidrfc_id_of_text(uuidrfc_ids($2, $3), $1)), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3))::timestamptz);
COMMENT ON FUNCTION other_id_time(text, text, timestamptz) IS 'time inside an id of another system, to the microsecond; the system is ulid, lexicaluuid, snowflake, discord, mastodon, linkedin, pgedge, flake, shardingid, ksuid, elasticflake, flakeid, sonyflake, sonyflake-v2, ordereduuid, combguid-sql, combguid-sql-datetime, combguid-postgresql, combguid-postgresql-datetime, combguid-binary, combguid-nhibernate, combguid-rtcomb1, sid, pushid, xid, objectid or cuid';
CREATE FUNCTION other_id_time(id bigint, system text, epoch timestamptz DEFAULT '-infinity') RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_time(uuidrfc_id_of_bigint(uuidrfc_ids($2, $3), $1)), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3))::timestamptz);
COMMENT ON FUNCTION other_id_time(bigint, text, timestamptz) IS 'time inside an id of another system, to the microsecond';
CREATE FUNCTION other_id_time(id bytea, system text, epoch timestamptz DEFAULT '-infinity') RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_time(uuidrfc_id_of_bytea(uuidrfc_ids($2, $3), $1)), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3))::timestamptz);
COMMENT ON FUNCTION other_id_time(bytea, text, timestamptz) IS 'time inside an id of another system, to the microsecond';
CREATE FUNCTION other_id_time(id uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_time(uuidrfc_id_of_uuid(uuidrfc_ids($2, $3), $1)), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3))::timestamptz);
COMMENT ON FUNCTION other_id_time(uuid, text, timestamptz) IS 'time inside an id of another system, to the microsecond';

CREATE FUNCTION other_id_fields(id text, system text, epoch timestamptz DEFAULT '-infinity') RETURNS jsonb
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_fields(uuidrfc_id_of_text(uuidrfc_ids($2, $3), $1)), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3))::jsonb);
COMMENT ON FUNCTION other_id_fields(text, text, timestamptz) IS 'every field of an id of another system';
CREATE FUNCTION other_id_fields(id bigint, system text, epoch timestamptz DEFAULT '-infinity') RETURNS jsonb
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_fields(uuidrfc_id_of_bigint(uuidrfc_ids($2, $3), $1)), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3))::jsonb);
COMMENT ON FUNCTION other_id_fields(bigint, text, timestamptz) IS 'every field of an id of another system';
CREATE FUNCTION other_id_fields(id bytea, system text, epoch timestamptz DEFAULT '-infinity') RETURNS jsonb
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_fields(uuidrfc_id_of_bytea(uuidrfc_ids($2, $3), $1)), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3))::jsonb);
COMMENT ON FUNCTION other_id_fields(bytea, text, timestamptz) IS 'every field of an id of another system';
CREATE FUNCTION other_id_fields(id uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS jsonb
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_fields(uuidrfc_id_of_uuid(uuidrfc_ids($2, $3), $1)), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3))::jsonb);
COMMENT ON FUNCTION other_id_fields(uuid, text, timestamptz) IS 'every field of an id of another system';

CREATE FUNCTION other_id_to_uuid(id text, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_carried(uuidrfc_id_of_text(uuidrfc_ids($2, $3), $1)), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3))::uuid);
COMMENT ON FUNCTION other_id_to_uuid(text, text, timestamptz) IS 'UUID version 7 or 8 that an id of another system is carried over to, in the order of the ids';
CREATE FUNCTION other_id_to_uuid(id bigint, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_carried(uuidrfc_id_of_bigint(uuidrfc_ids($2, $3), $1)), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3))::uuid);
COMMENT ON FUNCTION other_id_to_uuid(bigint, text, timestamptz) IS 'UUID version 7 or 8 that an id of another system is carried over to, in the order of the ids';
CREATE FUNCTION other_id_to_uuid(id bytea, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_carried(uuidrfc_id_of_bytea(uuidrfc_ids($2, $3), $1)), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3))::uuid);
COMMENT ON FUNCTION other_id_to_uuid(bytea, text, timestamptz) IS 'UUID version 7 or 8 that an id of another system is carried over to, in the order of the ids';
CREATE FUNCTION other_id_to_uuid(id uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_carried(uuidrfc_id_of_uuid(uuidrfc_ids($2, $3), $1)), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3))::uuid);
COMMENT ON FUNCTION other_id_to_uuid(uuid, text, timestamptz) IS 'UUID version 7 or 8 that an id of another system is carried over to, in the order of the ids';

CREATE FUNCTION uuid_to_other_id(uuid uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_id_as(uuidrfc_ids_of_type(uuidrfc_id_of_carried(uuidrfc_ids($2, $3), $1), 'text'), 'text', false);
COMMENT ON FUNCTION uuid_to_other_id(uuid, text, timestamptz) IS 'id of another system, as text, that was carried over to the UUID';
CREATE FUNCTION uuid_to_other_id_bigint(uuid uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_id_as(uuidrfc_ids_of_type(uuidrfc_id_of_carried(uuidrfc_ids($2, $3), $1), 'bigint'), 'bigint', false)::bigint;
COMMENT ON FUNCTION uuid_to_other_id_bigint(uuid, text, timestamptz) IS 'id of another system, as bigint, that was carried over to the UUID';
CREATE FUNCTION uuid_to_other_id_bytea(uuid uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN decode(uuidrfc_id_as(uuidrfc_ids_of_type(uuidrfc_id_of_carried(uuidrfc_ids($2, $3), $1), 'bytea'), 'bytea', false), 'hex');
COMMENT ON FUNCTION uuid_to_other_id_bytea(uuid, text, timestamptz) IS 'id of another system, as bytea, that was carried over to the UUID';
CREATE FUNCTION uuid_to_other_id_uuid(uuid uuid, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuidrfc_id_as(uuidrfc_ids_of_type(uuidrfc_id_of_carried(uuidrfc_ids($2, $3), $1), 'uuid'), 'uuid', false)::uuid;
COMMENT ON FUNCTION uuid_to_other_id_uuid(uuid, text, timestamptz) IS 'id of another system, as uuid, that was carried over to the UUID';

CREATE FUNCTION other_id_floor("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_as(uuidrfc_ids_of_type(uuidrfc_id_at(uuidrfc_ids($2, $3), $1, false), 'text'), 'text', true), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3)));
COMMENT ON FUNCTION other_id_floor(timestamptz, text, timestamptz) IS 'smallest id of another system, as text, in its unit of time at the given instant';
CREATE FUNCTION other_id_floor_bigint("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_as(uuidrfc_ids_of_type(uuidrfc_id_at(uuidrfc_ids($2, $3), $1, false), 'bigint'), 'bigint', true), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3)))::bigint;
COMMENT ON FUNCTION other_id_floor_bigint(timestamptz, text, timestamptz) IS 'smallest id of another system, as bigint, in its unit of time at the given instant';
CREATE FUNCTION other_id_floor_bytea("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN decode(coalesce(uuidrfc_id_as(uuidrfc_ids_of_type(uuidrfc_id_at(uuidrfc_ids($2, $3), $1, false), 'bytea'), 'bytea', true), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3))), 'hex');
COMMENT ON FUNCTION other_id_floor_bytea(timestamptz, text, timestamptz) IS 'smallest id of another system, as bytea, in its unit of time at the given instant';
CREATE FUNCTION other_id_floor_uuid("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_as(uuidrfc_ids_of_type(uuidrfc_id_at(uuidrfc_ids($2, $3), $1, false), 'uuid'), 'uuid', true), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3)))::uuid;
COMMENT ON FUNCTION other_id_floor_uuid(timestamptz, text, timestamptz) IS 'smallest id of another system, as uuid, in its unit of time at the given instant';

CREATE FUNCTION other_id_ceil("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS text
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_as(uuidrfc_ids_of_type(uuidrfc_id_at(uuidrfc_ids($2, $3), $1, true), 'text'), 'text', true), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3)));
COMMENT ON FUNCTION other_id_ceil(timestamptz, text, timestamptz) IS 'largest id of another system, as text, in its unit of time at the given instant';
CREATE FUNCTION other_id_ceil_bigint("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS bigint
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_as(uuidrfc_ids_of_type(uuidrfc_id_at(uuidrfc_ids($2, $3), $1, true), 'bigint'), 'bigint', true), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3)))::bigint;
COMMENT ON FUNCTION other_id_ceil_bigint(timestamptz, text, timestamptz) IS 'largest id of another system, as bigint, in its unit of time at the given instant';
CREATE FUNCTION other_id_ceil_bytea("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS bytea
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN decode(coalesce(uuidrfc_id_as(uuidrfc_ids_of_type(uuidrfc_id_at(uuidrfc_ids($2, $3), $1, true), 'bytea'), 'bytea', true), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3))), 'hex');
COMMENT ON FUNCTION other_id_ceil_bytea(timestamptz, text, timestamptz) IS 'largest id of another system, as bytea, in its unit of time at the given instant';
CREATE FUNCTION other_id_ceil_uuid("time" timestamptz, system text, epoch timestamptz DEFAULT '-infinity') RETURNS uuid
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN coalesce(uuidrfc_id_as(uuidrfc_ids_of_type(uuidrfc_id_at(uuidrfc_ids($2, $3), $1, true), 'uuid'), 'uuid', true), uuidrfc_id_out_of_time(uuidrfc_ids($2, $3)))::uuid;
COMMENT ON FUNCTION other_id_ceil_uuid(timestamptz, text, timestamptz) IS 'largest id of another system, as uuid, in its unit of time at the given instant';

-- ------------------------------------------------------------------------------------------------------------------------
-- The end
-- ------------------------------------------------------------------------------------------------------------------------

-- A function of another role may have the name of one of this file's, and fit a call better: uuidrfc_count(bigint, integer, text), say.
-- Then the call was bound to it. So what was made in this transaction may use functions of nobody else, but of a superuser or an extension.
DO $do$
DECLARE
    planted pg_catalog.text;
BEGIN
    PERFORM pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', true);
    SELECT format('function %s', their.oid::regprocedure) INTO planted
    FROM pg_depend JOIN pg_proc AS their ON refclassid = 'pg_proc'::regclass AND refobjid = their.oid
         JOIN pg_proc AS own ON classid = 'pg_proc'::regclass AND objid = own.oid
    WHERE age(own.xmin) <= 0 AND their.proowner <> quote_ident(current_user)::regrole
      AND NOT (SELECT rolsuper FROM pg_roles WHERE pg_roles.oid = their.proowner)
      AND NOT EXISTS (SELECT FROM pg_depend AS member WHERE member.classid = 'pg_proc'::regclass AND member.objid = their.oid AND member.deptype = 'e')
    LIMIT 1;
    IF planted IS NOT NULL THEN
        RAISE EXCEPTION USING ERRCODE = 'object_not_in_prerequisite_state', MESSAGE = format('%s would be called in place of one of uuidrfc', planted),
            HINT = 'Drop it, or make a schema for uuidrfc.';
    END IF;
END $do$;
SELECT pg_catalog.set_config('search_path', pg_catalog.current_setting('uuidrfc_portable.search_path'), true) IS NULL AS "uuidrfc";

-- Every immutable function that both editions have, the extension in schema c and the portable edition in schema portable, called with the
-- same random arguments: the same result, or the same SQLSTATE, message, detail and hint. Or else the portable edition says that it has not got
-- what is asked for (0A000): the hashes that core lacks. With many rows, errors are compared in the first 100000. The variable function is a
-- pattern of names: only these.
--
-- For the first rows, the portable edition is called with a search_path that begins with a schema in which every function and operator of core
-- raises an error, and no value is a text, a uuid, a bytea, a timestamptz, a jsonb or a tstzrange. None may come into its results.
\set ON_ERROR_STOP on
\if :{?rows}
\else
\set rows 1000
\endif
\if :{?seed}
\else
SELECT (random() * 1000000000)::integer AS seed \gset
\endif
\if :{?function}
\else
\set function .
\endif
\echo rows :rows, seed :seed
SET client_min_messages = warning;
SET search_path = pg_catalog;
SET TimeZone = 'Asia/Kathmandu';
SELECT setseed(:seed / 1000000000.0) IS NULL AS seeded \gset

-- A random number of this many bits at most; small and large ones are frequent.
CREATE FUNCTION pg_temp.bits(width integer) RETURNS bigint LANGUAGE sql VOLATILE
    RETURN CASE floor(random() * 8)::integer WHEN 0 THEN 0 WHEN 1 THEN (1::bigint << width) - 1 WHEN 2 THEN floor(random() * 5)::bigint
           WHEN 3 THEN (1::bigint << width) + floor(random() * 5 - 3)::bigint ELSE (random() * 2 ^ (random() * width))::bigint END;
CREATE FUNCTION pg_temp.text_of(n bigint, width integer) RETURNS text LANGUAGE sql IMMUTABLE
    RETURN lpad(right(to_hex(n), width), width, '0');
CREATE FUNCTION pg_temp.any_uuid() RETURNS uuid LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    known uuid[] = '{00000000-0000-0000-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff,6ba7b810-9dad-11d1-80b4-00c04fd430c8,6ba7b811-9dad-11d1-80b4-00c04fd430c8,
        6ba7b812-9dad-11d1-80b4-00c04fd430c8,6ba7b814-9dad-11d1-80b4-00c04fd430c8,00000000-0000-1000-8000-000000000000,ffffffff-ffff-1fff-bfff-ffffffffffff,
        00000000-0000-6000-8000-000000000000,ffffffff-ffff-6fff-bfff-ffffffffffff,00000000-0000-7000-8000-000000000000,ffffffff-ffff-7fff-bfff-ffffffffffff}';
    kind integer = floor(random() * 12);
BEGIN
    known = known || ARRAY(SELECT c.uuid_hashspace(hash) FROM unnest('{sha224,sha256,sha384,sha512,sha512_256,sha3_512,shake128}'::text[]) AS hash);
    RETURN CASE WHEN kind = 0 THEN known[1 + floor(random() * cardinality(known))]
                -- Any version, with the variants of the RFC and others; the time is often that of these years.
                WHEN kind < 6 THEN (pg_temp.text_of(pg_temp.bits(48), 12) || substr('13456782', 1 + floor(random() * 8)::integer, 1) || pg_temp.text_of(pg_temp.bits(12), 3)
                                    || substr('89ab', 1 + floor(random() * 4)::integer, 1) || pg_temp.text_of(pg_temp.bits(60), 15))::uuid
                WHEN kind < 8 THEN (pg_temp.text_of(1700000000000 + pg_temp.bits(36), 12) || '7' || pg_temp.text_of(pg_temp.bits(12), 3) || '8' || pg_temp.text_of(pg_temp.bits(60), 15))::uuid
                WHEN kind < 10 THEN c.uuidv6_at(timestamptz '1900-01-01' + random() * interval '300 years')
                WHEN kind = 10 THEN c.uuidv1()
                ELSE md5(random()::text)::uuid END;
END $$;
-- Near the time of a UUID, near the ends of versions, anywhere, and infinite.
CREATE FUNCTION pg_temp.any_time(id uuid) RETURNS timestamptz LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    known timestamptz[] = '{-infinity,infinity,4714-11-24 00:00:00+00 BC,294276-12-31 23:59:59.999999+00,1970-01-01 00:00:00+00,10889-08-02 05:31:50.655+00,10889-08-02 05:31:50.656+00,
        1582-10-15 00:00:00+00,5236-03-31 21:21:00.684697+00,4147-08-20 07:32:16+00,294247-01-10 04:00:54.775807+00}';
    kind integer = floor(random() * 8);
    near timestamptz = CASE WHEN kind < 2 THEN known[1 + floor(random() * cardinality(known))]
                            WHEN kind < 5 THEN coalesce(c.uuid_extract_time(id), '2026-01-01')
                            ELSE timestamptz '1500-01-01' + random() * interval '9500 years' END;
BEGIN
    IF NOT isfinite(near) OR near <= '4714-11-25 BC' OR near >= '294276-12-31' THEN
        RETURN near;
    END IF;
    RETURN near + CASE floor(random() * 4)::integer WHEN 0 THEN interval '0' WHEN 1 THEN floor(random() * 5 - 2) * interval '1 microsecond'
                  WHEN 2 THEN floor(random() * 5 - 2) * interval '1 millisecond' ELSE (random() - 0.5) * interval '1 second' END;
END $$;
CREATE FUNCTION pg_temp.any_range(one timestamptz, other timestamptz) RETURNS tstzrange LANGUAGE sql VOLATILE
    RETURN CASE floor(random() * 12)::integer WHEN 0 THEN 'empty' WHEN 1 THEN tstzrange(one, NULL, '[)') WHEN 2 THEN tstzrange(NULL, one, '(]') WHEN 3 THEN '(,)'
           ELSE tstzrange(least(one, other), greatest(one, other), (ARRAY['[]', '[)', '(]', '()'])[1 + floor(random() * 4)::integer]) END;
CREATE FUNCTION pg_temp.any_of(VARIADIC texts text[]) RETURNS text LANGUAGE sql VOLATILE
    RETURN texts[1 + floor(random() * cardinality(texts))::integer];
-- A text with one character changed, added or taken away.
CREATE FUNCTION pg_temp.mutated(text text) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    place integer = 1 + floor(random() * length(text));
BEGIN
    RETURN CASE floor(random() * 6)::integer WHEN 0 THEN overlay(text PLACING pg_temp.any_of('0', 'z', 'U', '_', '=', E'\n', 'é', '{', '-', '7', 'I', 'l') FROM place FOR 1)
           WHEN 1 THEN overlay(text PLACING '' FROM place FOR 1) WHEN 2 THEN overlay(text PLACING pg_temp.any_of('0', 'a', ' ', '😀') FROM place FOR 0)
           WHEN 3 THEN upper(text) WHEN 4 THEN lower(text) ELSE text END;
END $$;
-- Ids of other systems: of any digits, or, for a system whose ids can be turned back, of a time.
CREATE FUNCTION pg_temp.digits(alphabet text, width integer) RETURNS text LANGUAGE sql VOLATILE
    RETURN (SELECT string_agg(substr(alphabet, 1 + floor(random() * length(alphabet))::integer, 1), '') FROM generate_series(1, width));
CREATE FUNCTION pg_temp.any_other_id(system text, epoch timestamptz, near timestamptz) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    hex constant text = '0123456789abcdef';
    base36 constant text = '0123456789abcdefghijklmnopqrstuvwxyz';
    base62 constant text = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
BEGIN
    IF random() < 0.6 AND system NOT IN ('ulid', 'ksuid', 'sid', 'cuid') THEN
        RETURN c.uuid_to_other_id(CASE WHEN system = 'ordereduuid' THEN c.uuid_v8_pack(pg_temp.bits(48) & 281474976710655, pg_temp.bits(12)::integer & 4095, pg_temp.bits(61))
                                       ELSE (left(c.uuidv7_floor(near)::text, 15) || pg_temp.any_of('000-8000-000000', '000-8000-000000', '000-87ff-123456', '123-9abc-000000') || pg_temp.digits(hex, 6))::uuid END,
                                  system, epoch);
    END IF;
    RETURN CASE system
        WHEN 'ulid' THEN pg_temp.any_of('0', '0', '7', '8') || pg_temp.digits('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 25)
        WHEN 'lexicaluuid' THEN pg_temp.any_of('000', '000', '', 'fff') || concat_ws('-', pg_temp.digits(hex, 5), pg_temp.digits(hex, 4), pg_temp.digits(hex, 4), pg_temp.digits(hex, 16))
        WHEN 'flake' THEN pg_temp.digits(base62, 1 + floor(random() * 24)::integer)
        WHEN 'ksuid' THEN pg_temp.any_of('0', '1', 'a') || pg_temp.digits(base62, 26)
        WHEN 'elasticflake' THEN pg_temp.digits(base62 || '-_', 20)
        WHEN 'pushid' THEN pg_temp.digits(base62 || '-_', 20)
        WHEN 'xid' THEN pg_temp.digits(left(base36, 32), 19) || pg_temp.any_of('0', 'g', 'g', '1')
        WHEN 'objectid' THEN pg_temp.digits(hex, 24)
        WHEN 'cuid' THEN 'c' || pg_temp.digits(base36, 24 + floor(random() * 1.2)::integer)
        WHEN 'sid' THEN CASE floor(random() * 4)::integer WHEN 0 THEN pg_temp.digits('123456789', 19) || '-' || pg_temp.any_of('0', '1', '9') || pg_temp.digits('0123456789', 18)
                             WHEN 1 THEN '0' || pg_temp.digits(hex, 15) || '-' || pg_temp.digits(hex, 16) WHEN 2 THEN '0' || pg_temp.digits(base36, 12) || '-0' || pg_temp.digits(left(base36, 32), 12)
                             ELSE '0' || pg_temp.digits(base62, 10) || '-0' || pg_temp.digits(base62 || '_~', 10) END
        WHEN 'flakeid' THEN CASE WHEN random() < 0.3 THEN '0x' || pg_temp.digits(hex, 16) ELSE pg_temp.bits(62)::text END
        ELSE CASE WHEN system ~ 'uuid|guid' THEN overlay(md5(random()::text)::uuid::text PLACING pg_temp.any_of('4', '4', '4', '7') FROM 15 FOR 1)
                  ELSE pg_temp.any_of('', '', '', '0', repeat('9', 30)) || pg_temp.bits(62)::text END END;
EXCEPTION WHEN OTHERS THEN
    RETURN pg_temp.bits(62);
END $$;
-- What it is carried over to; or another.
DO $$
DECLARE
    type text;
BEGIN
    FOREACH type IN ARRAY '{text,bigint,bytea,uuid}'::text[] LOOP
        EXECUTE format($f$
            CREATE FUNCTION pg_temp.any_carried(id %s, system text, epoch timestamptz) RETURNS uuid LANGUAGE plpgsql VOLATILE AS $b$
            BEGIN
                RETURN c.other_id_to_uuid(id, system, epoch);
            EXCEPTION WHEN OTHERS THEN
                RETURN pg_temp.any_uuid();
            END $b$ $f$, type);
    END LOOP;
END $$;
CREATE FUNCTION pg_temp.any_system(sure text[]) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
DECLARE
    systems text[] = '{ulid,lexicaluuid,snowflake,discord,mastodon,linkedin,pgedge,flake,shardingid,ksuid,elasticflake,flakeid,sonyflake,sonyflake-v2,ordereduuid,combguid-sql,combguid-sql-datetime,combguid-postgresql,combguid-postgresql-datetime,combguid-binary,combguid-nhibernate,combguid-rtcomb1,sid,pushid,xid,objectid,cuid}';
BEGIN
    RETURN CASE WHEN random() < 0.9 THEN pg_temp.any_of(VARIADIC sure) WHEN random() < 0.8 THEN pg_temp.any_of(VARIADIC systems) ELSE pg_temp.mutated(pg_temp.any_of(VARIADIC systems)) END;
END $$;

\set formats '{urn,braces,hex,base32,base32hex,base58,base64url,decimal,oid}'
CREATE TEMP TABLE sample AS
SELECT n, id, pg_temp.any_uuid() AS id2, pg_temp.any_time(id) AS t, pg_temp.any_time(id) AS t2,
       CASE WHEN random() < 0.9 THEN format ELSE pg_temp.mutated(format) END AS format,
       pg_temp.any_of('rfc9562', 'draft-02', 'draft-02', 'DRAFT-02', 'draft-03', '') AS layout,
       pg_temp.any_of('sha224', 'sha256', 'sha384', 'sha512', 'SHA256', 'md5', '', repeat('é', 40)) AS hash,
       CASE WHEN random() < 0.5 THEN 'user' WHEN random() < 0.5 THEN repeat('a_b', floor(random() * 23)::integer) ELSE pg_temp.mutated('a_user') END AS prefix,
       CASE WHEN random() < 0.2 THEN '' ELSE repeat(pg_temp.any_of('x', 'name.', 'é', '😀'), floor(random() * 60)::integer) END AS name,
       pg_temp.any_of('dns', 'URL', 'oid', 'x500', 'com', repeat('é', 50)) AS namespace,
       pg_temp.bits(48) AS custom_a, pg_temp.bits(12) AS custom_b, pg_temp.bits(62) AS custom_c,
       pg_temp.any_of('1 hour', '1 day', '7 minutes', '0', '-1 second', '1 month', '1 microsecond')::interval AS stride,
       floor(random() * 18) AS bits,
       pg_temp.any_system('{ulid,lexicaluuid,flake,ksuid,elasticflake,pushid,xid,objectid,cuid,sid,flakeid,snowflake,sonyflake,ordereduuid,combguid-sql}') AS system_text,
       pg_temp.any_system('{snowflake,discord,mastodon,linkedin,pgedge,shardingid,flakeid,sonyflake,sonyflake-v2}') AS system_bigint,
       pg_temp.any_system('{ulid,lexicaluuid,flake,ksuid,elasticflake,flakeid,xid,objectid}') AS system_bytea,
       pg_temp.any_system('{ulid,lexicaluuid,flake,ordereduuid,combguid-sql,combguid-sql-datetime,combguid-postgresql,combguid-postgresql-datetime,combguid-binary,combguid-nhibernate,combguid-rtcomb1}') AS system_uuid,
       CASE WHEN random() < 0.9 THEN '-infinity' WHEN random() < 0.8 THEN timestamptz 'epoch' + floor(random() * 2000000000000) * interval '1 ms' ELSE pg_temp.any_time(id) END AS epoch,
       CASE WHEN random() < 0.9 THEN timestamptz '1975-01-01' + random() * interval '100 years' ELSE pg_temp.any_time(id) END AS other_time
FROM (SELECT n, pg_temp.any_uuid() AS id, pg_temp.any_of(VARIADIC :'formats'::text[] || '{Hex}') AS format
      FROM generate_series(1, :rows) AS n OFFSET 0) AS drawn;
-- What is made of these.
ALTER TABLE sample ADD r tstzrange, ADD m tstzmultirange, ADD encoded text, ADD typeid text, ADD octets bytea, ADD other_text text, ADD other_bigint bigint, ADD other_bytea bytea,
                   ADD other_uuid uuid, ADD carried_text uuid, ADD carried_bigint uuid, ADD carried_bytea uuid, ADD carried_uuid uuid;
-- These take long.
SELECT count(*) > 0 AS with_other_ids FROM pg_proc WHERE pronamespace = 'c'::regnamespace AND proname ~ 'other_id' AND proname ~ :'function' \gset
\if :with_other_ids
UPDATE sample SET other_text = pg_temp.any_other_id(system_text, epoch, other_time),
                  other_bigint = CASE WHEN random() < 0.5 THEN pg_temp.bits(62) WHEN random() < 0.9 THEN floor(random() * 4e18)::bigint ELSE -pg_temp.bits(62) END,
                  other_bytea = substr(CASE WHEN random() < 0.5 THEN '\x0000'::bytea ELSE '' END || uuid_send(id) || uuid_send(id2), 1,
                                       CASE WHEN random() < 0.05 THEN 13 WHEN system_bytea ~ 'flakeid' THEN 8 WHEN system_bytea ~ 'elastic' THEN 15
                                            WHEN system_bytea ~ 'xid|object' THEN 12 WHEN system_bytea = 'ksuid' THEN 20 ELSE 16 END),
                  other_uuid = CASE WHEN system_uuid ~ '^(ulid|lexicaluuid|flake)$' THEN (pg_temp.any_of('0000', '0000', '0195', '9f12') || right(id::text, 32))::uuid
                                    ELSE coalesce(substring(pg_temp.any_other_id(system_uuid, epoch, other_time) FROM '^[0-9a-f]{8}-[0-9a-f-]{27}$')::uuid, id) END;
UPDATE sample SET carried_text = pg_temp.any_carried(other_text, system_text, epoch), carried_bigint = pg_temp.any_carried(other_bigint, system_bigint, epoch),
                  carried_bytea = pg_temp.any_carried(other_bytea, system_bytea, epoch), carried_uuid = pg_temp.any_carried(other_uuid, system_uuid, epoch);
-- Some with an error in it.
UPDATE sample SET other_text = pg_temp.mutated(other_text) WHERE random() < 0.1;
\endif
UPDATE sample SET octets = name::bytea, r = pg_temp.any_range(t, t2),
                  m = CASE WHEN random() < 0.9 THEN tstzmultirange(pg_temp.any_range(t, t2), pg_temp.any_range(pg_temp.any_time(id), pg_temp.any_time(id2))) ELSE '{}' END,
                  typeid = CASE WHEN random() < 0.7 THEN c.typeid_encode('user', id) ELSE pg_temp.mutated(pg_temp.any_of('', '_', 'user_', 'a_b_', repeat('c', 64) || '_') || right(c.typeid_encode('', id), 26)) END,
                  encoded = CASE WHEN random() < 0.6 THEN c.uuid_encode(id, CASE WHEN format = ANY (:'formats') THEN format ELSE 'urn' END)
                            ELSE pg_temp.mutated(c.uuid_encode(id, pg_temp.any_of(VARIADIC :'formats'))) END;
-- Nulls, too.
UPDATE sample SET id = NULL WHERE n % 101 = 1;
UPDATE sample SET t = NULL, r = NULL, m = NULL, name = NULL, octets = NULL, layout = NULL, format = NULL, encoded = NULL, typeid = NULL,
                  other_text = NULL, other_bigint = NULL, other_bytea = NULL, other_uuid = NULL, other_time = NULL WHERE n % 103 = 1;

CREATE TEMP TABLE asked AS SELECT :'function' AS pattern;
-- The pairs of functions, and their arguments out of the samples, by type and name.
CREATE TEMP TABLE pair AS
SELECT p.oid AS c, q.oid AS portable, p.proname AS name, p.oid::regprocedure::text AS signature,
       (SELECT string_agg(CASE replace(type::regtype::text, 'c.', '')
                          WHEN 'uuid' THEN CASE WHEN argument = 'id' AND of_type IS NOT NULL THEN 's.other_uuid' WHEN of_type IS NOT NULL THEN 's.carried_' || of_type WHEN place = 1 THEN 's.id' ELSE 's.id2' END
                          WHEN 'uuid_operand' THEN 's.id::%1$s.uuid_operand'
                          WHEN 'timestamp with time zone' THEN CASE WHEN argument = 'epoch' THEN 's.epoch' WHEN of_type IS NOT NULL THEN 's.other_time' WHEN place < 3 THEN 's.t' ELSE 's.t2' END
                          WHEN 'tstzrange' THEN 's.r' WHEN 'uuid_tstzrange' THEN 's.r::%1$s.uuid_tstzrange'
                          WHEN 'tstzmultirange' THEN 's.m' WHEN 'uuid_tstzmultirange' THEN 's.m::%1$s.uuid_tstzmultirange'
                          WHEN 'interval' THEN 's.stride' WHEN 'bytea' THEN CASE WHEN of_type IS NOT NULL THEN 's.other_bytea' ELSE 's.octets' END
                          WHEN 'bigint' THEN CASE WHEN of_type IS NOT NULL THEN 's.other_bigint' ELSE 's.' || argument END WHEN 'integer' THEN 's.' || argument || '::integer'
                          WHEN 'text' THEN CASE WHEN argument = 'system' THEN 's.system_' || of_type WHEN argument = 'id' AND of_type IS NOT NULL THEN 's.other_text' WHEN p.proname = 'uuid_namespace' THEN 's.namespace'
                                                WHEN p.proname = 'uuid_time_decoder' THEN 's.id::pg_catalog.text'
                                                WHEN argument = 'text' THEN 's.encoded' ELSE 's.' || argument END
                          ELSE 'no_sample_of_' || type::regtype END, ', ' ORDER BY place)
        FROM unnest(p.proargtypes, p.proargnames[:p.pronargs]) WITH ORDINALITY AS a (type, argument, place)) AS arguments
FROM pg_proc p JOIN pg_proc q ON q.proname = p.proname AND q.pronamespace = 'portable'::regnamespace
                             AND replace(pg_get_function_identity_arguments(q.oid), 'portable.', '') = replace(pg_get_function_identity_arguments(p.oid), 'c.', ''),
     -- The type of an id of another system.
     LATERAL (SELECT CASE WHEN p.proname !~ 'other_id' THEN NULL WHEN p.proargnames[1] = 'id' THEN p.proargtypes[0]::regtype::text
                          ELSE coalesce(substring(p.proname FROM '(bigint|bytea|uuid)$'), 'text') END AS of_type) AS ids
WHERE p.pronamespace = 'c'::regnamespace AND p.prokind = 'f' AND p.provolatile = 'i' AND p.proname ~ (SELECT pattern FROM pg_temp.asked)
ORDER BY p.oid::regprocedure::text COLLATE "C";

-- The hostile schema.
CREATE SCHEMA hostile;
CREATE DOMAIN hostile.text AS text CHECK (false);
CREATE DOMAIN hostile.uuid AS uuid CHECK (false);
CREATE DOMAIN hostile.bytea AS bytea CHECK (false);
CREATE DOMAIN hostile.timestamptz AS timestamptz CHECK (false);
CREATE DOMAIN hostile.jsonb AS jsonb CHECK (false);
CREATE DOMAIN hostile.tstzrange AS tstzrange CHECK (false);
DO $$
DECLARE
    types oidvector = (SELECT string_agg(oid::text, ' ')::oidvector FROM pg_type WHERE typnamespace = 'pg_catalog'::regnamespace
                       AND typname IN ('text', 'name', 'int4', 'int8', 'numeric', 'float8', 'uuid', 'timestamptz', 'timestamp', 'interval', 'bool', 'bytea', 'bit', 'varbit', 'jsonb'));
    one record;
BEGIN
    FOR one IN SELECT DISTINCT proname, pg_get_function_identity_arguments(p.oid) AS arguments, format_type(prorettype, NULL) AS result FROM pg_proc p
               WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind = 'f' AND NOT proretset AND provariadic = 0 AND prorettype = ANY (types)
                 AND proallargtypes IS NULL AND (SELECT bool_and(type = ANY (types)) FROM unnest(proargtypes) AS type) IS NOT FALSE
    LOOP
        EXECUTE format('CREATE FUNCTION hostile.%I(%s) RETURNS %s LANGUAGE plpgsql AS $b$ BEGIN RAISE EXCEPTION ''trapped by %s''; END $b$', one.proname, one.arguments, one.result, one.proname);
    END LOOP;
    FOR one IN SELECT row_number() OVER () AS n, oprname, format_type(oprleft, NULL) AS l, format_type(oprright, NULL) AS r, format_type(oprresult, NULL) AS result FROM pg_operator
               WHERE oprnamespace = 'pg_catalog'::regnamespace AND oprkind = 'b' AND oprleft = ANY (types) AND oprright = ANY (types) AND oprresult = ANY (types)
    LOOP
        EXECUTE format('CREATE FUNCTION hostile.trap_%s(%s, %s) RETURNS %s LANGUAGE plpgsql AS $b$ BEGIN RAISE EXCEPTION ''trapped by operator''; END $b$', one.n, one.l, one.r, one.result);
        EXECUTE format('CREATE OPERATOR hostile.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = hostile.trap_%s)', one.oprname, one.l, one.r, one.n);
    END LOOP;
    ASSERT (SELECT count(*) FROM pg_operator WHERE oprnamespace = 'hostile'::regnamespace) > 100;
END $$;

CREATE TEMP TABLE outcome (signature text, rows bigint, errors bigint, nulls bigint, lacking bigint, differ bigint, example text);
CREATE FUNCTION pg_temp.compare(pair pg_temp.pair, with_progress boolean) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    hostile_rows constant integer = 1000;
    errors_within constant integer = 100000;
    portable_result constant text = format('(portable.%I(%s))::text', pair.name, format(coalesce(pair.arguments, ''), 'portable'));
    begun constant timestamptz = clock_timestamp();
    edition text;
    -- Of a condition on the rows, the expressions for the results of both editions, and what gives the rows.
    counted constant text = $f$
        INSERT INTO pg_temp.outcome
        SELECT %1$L, count(*), count(*) FILTER (WHERE one LIKE 'ERROR %%'), count(*) FILTER (WHERE one IS NULL),
               count(*) FILTER (WHERE other LIKE 'ERROR 0A000 / hash%%'), count(*) FILTER (WHERE one IS DISTINCT FROM other AND coalesce(other, '') !~~ 'ERROR 0A000 / hash%%'),
               min(n || ': ' || coalesce(one, 'null') || ' <> ' || coalesce(other, 'null')) FILTER (WHERE one IS DISTINCT FROM other AND coalesce(other, '') !~~ 'ERROR 0A000 / hash%%')
        FROM (SELECT n, %3$s AS one, %4$s AS other FROM %5$s WHERE %2$s OFFSET 0) x $f$;
BEGIN
    FOREACH edition IN ARRAY '{c,portable}'::text[] LOOP
        EXECUTE format($f$
            CREATE OR REPLACE FUNCTION pg_temp.outcome_%1$s(s pg_temp.sample) RETURNS pg_catalog.text LANGUAGE plpgsql SET search_path = %4$s AS $body$
            DECLARE
                message pg_catalog.text; detail pg_catalog.text; hint pg_catalog.text;
            BEGIN
                RETURN (%1$s.%2$I(%3$s))::pg_catalog.text;
            EXCEPTION WHEN OTHERS THEN
                GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, detail = PG_EXCEPTION_DETAIL, hint = PG_EXCEPTION_HINT;
                RETURN pg_catalog.concat('ERROR ', pg_catalog.concat_ws(' / ', SQLSTATE, message, detail, hint));
            END $body$ $f$, edition, pair.name, format(coalesce(pair.arguments, ''), edition),
            CASE edition WHEN 'portable' THEN 'hostile, pg_catalog' ELSE 'pg_catalog' END);
    END LOOP;
    EXECUTE format(counted, pair.signature, format('n <= %s', hostile_rows), 'pg_temp.outcome_c(s)', 'pg_temp.outcome_portable(s)', 'pg_temp.sample s');
    -- The other rows in one statement, which is faster; but one by one those for which the extension raises an error.
    BEGIN
        IF (SELECT errors > 0 FROM pg_temp.outcome WHERE signature = pair.signature) THEN
            RAISE EXCEPTION 'there are errors';
        END IF;
        EXECUTE format(counted, pair.signature, format('n > %s', hostile_rows), format('(c.%I(%s))::text', pair.name, format(coalesce(pair.arguments, ''), 'c')),
                       portable_result, 'pg_temp.sample s');
    EXCEPTION WHEN OTHERS THEN
        EXECUTE format('CREATE TEMP TABLE answered AS SELECT n, pg_temp.outcome_c(s) AS one FROM pg_temp.sample s WHERE n > %s', hostile_rows);
        EXECUTE format(counted, pair.signature, format($c$a.one LIKE 'ERROR %%' AND a.n <= %s$c$, errors_within), 'a.one', 'pg_temp.outcome_portable(s)',
                       'pg_temp.answered a JOIN pg_temp.sample s USING (n)');
        BEGIN
            EXECUTE format(counted, pair.signature, $c$a.one LIKE 'ERROR %' IS NOT TRUE$c$, 'a.one', portable_result, 'pg_temp.answered a JOIN pg_temp.sample s USING (n)');
        EXCEPTION WHEN OTHERS THEN
            EXECUTE format(counted, pair.signature, $c$a.one LIKE 'ERROR %' IS NOT TRUE$c$, 'a.one', 'pg_temp.outcome_portable(s)',
                           'pg_temp.answered a JOIN pg_temp.sample s USING (n)');
        END;
        DROP TABLE pg_temp.answered;
    END;
    IF with_progress THEN
        RAISE INFO '%', (SELECT format('%s: %s rows, %s values, %s errors, %s differ, %s s', pair.signature, sum(rows), sum(rows - errors - nulls), sum(errors), sum(differ),
                                       round(extract(epoch FROM clock_timestamp() - begun)))
                         FROM pg_temp.outcome WHERE signature = pair.signature);
    END IF;
END $$;
-- With more rows, a line for each function when it is done.
\o /dev/null
SELECT format('SELECT pg_temp.compare(pair, %L) FROM pg_temp.pair WHERE signature = %L', :rows > 1000, signature) FROM pair \gexec
\o
CREATE TEMP VIEW result AS
SELECT signature, sum(rows) AS rows, sum(errors) AS errors, sum(nulls) AS nulls, sum(lacking) AS lacking, sum(differ) AS differ, min(example) AS example FROM outcome GROUP BY signature;
SELECT count(*) AS functions, sum(rows) AS calls, sum(errors) AS errors, sum(nulls) AS nulls, sum(lacking) AS lacking, sum(differ) AS differ FROM result;
SELECT * FROM result WHERE differ > 0 OR errors = rows;
DO $$
BEGIN
    ASSERT (SELECT count(*) FROM pg_temp.result) > (SELECT CASE pattern WHEN '.' THEN 80 ELSE 0 END FROM pg_temp.asked), 'functions are missing';
    ASSERT (SELECT count(*) FROM pg_temp.result WHERE differ > 0 OR errors = rows) = 0, 'the editions differ';
END $$;
-- So do the generators.
SET search_path = hostile, pg_catalog;
SELECT portable.uuidv1(), portable.uuidv4(), portable.uuidv6(), portable.uuidv7(), portable.uuidv7(interval '1 hour'), portable.uuidv7_at('2026-01-01'), portable.uuidv6_at('2026-01-01'),
       portable.uuidv7_at('2026-01-01', 'draft-02'), portable.uuidv7_array(3), portable.uuidv7_batch(3) \g /dev/null
SELECT portable.min(u), portable.max(u), pg_catalog.count(u::portable.uuid_v7) FROM portable.uuidv7_batch(10) AS u \g /dev/null
RESET search_path;
DROP SCHEMA hostile CASCADE;

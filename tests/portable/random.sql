-- The editions in the schemas extension and pure_sql must return the same results for :rows random arguments from :seed on, or
-- fail with the same SQLSTATE. The script also tests what the pure-SQL edition lacks, and the order and the plans that it guarantees.
SET TimeZone = 'UTC';
SELECT setseed(:seed / 1000000.0) \g /dev/null
CREATE FUNCTION pg_temp.any_of(VARIADIC texts text[]) RETURNS text LANGUAGE sql VOLATILE
    RETURN texts[1 + floor(random() * cardinality(texts))::int];
CREATE FUNCTION pg_temp.digits() RETURNS text LANGUAGE sql VOLATILE RETURN md5(random()::text || random());
-- Returns a random UUID of any version and variant, or sometimes one of the smallest and largest.
CREATE FUNCTION pg_temp.any_uuid() RETURNS uuid LANGUAGE sql VOLATILE
    RETURN CASE WHEN random() < 0.02
                THEN pg_temp.any_of('00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff',
                                    '00000000-0000-7000-8000-000000000000', 'ffffffff-ffff-7fff-bfff-ffffffffffff',
                                    '00000000-0000-6000-8000-000000000000', 'ffffffff-ffff-1fff-bfff-ffffffffffff')
                ELSE pg_temp.any_of('019', '019', '000', left(pg_temp.digits(), 3)) || left(pg_temp.digits(), 9)
                     || pg_temp.any_of('7', '7', '7', '1', '6', '4', left(pg_temp.digits(), 1)) || left(pg_temp.digits(), 3)
                     || pg_temp.any_of('8', 'b', left(pg_temp.digits(), 1)) || left(pg_temp.digits(), 15) END::uuid;
-- Returns a time in or out of range, to the microsecond: near the time of the UUID, random, or at an end of a range.
CREATE FUNCTION pg_temp.any_time(id uuid) RETURNS timestamptz LANGUAGE sql VOLATILE
    RETURN CASE WHEN random() < 0.5 THEN coalesce(extension.uuid_extract_time(id), '2026-01-01')
                                         + floor(random() * 7 - 3) * pg_temp.any_of('1 us', '999 us', '1 ms', '1 day')::interval
                WHEN random() < 0.7 THEN timestamptz '1960-01-01' + random() * interval '100 years'
                ELSE pg_temp.any_of('-infinity', 'infinity', '1970-01-01', '1969-12-31 23:59:59.999', '1969-12-31 23:59:59.999999',
                                    '1969-12-31 23:59:59.9985', '4714-11-24 BC', '10889-08-02 05:31:50.655999',
                                    '10889-08-02 05:31:50.656', '294276-12-31 23:59:59.999999', '5000-01-01')::timestamptz END;
CREATE FUNCTION pg_temp.any_range(a timestamptz, b timestamptz) RETURNS tstzrange LANGUAGE sql VOLATILE
    RETURN CASE WHEN random() < 0.03 THEN 'empty'
                ELSE tstzrange(CASE WHEN random() < 0.9 THEN least(a, b) END, CASE WHEN random() < 0.9 THEN greatest(a, b) END,
                               pg_temp.any_of('[)', '[]', '()', '(]')) END;
-- Returns the text with one character changed, added or removed.
CREATE FUNCTION pg_temp.mutated(text text) RETURNS text LANGUAGE sql VOLATILE
    RETURN (SELECT overlay(text PLACING pg_temp.any_of('', '0', '7', '8', 'a', 'A', 'i', 'L', 'o', 'u', 'z', '_', '-', ' ', 'é', E'\n', 'zz')
                           FROM place FOR pg_temp.any_of('0', '1')::int)
            FROM (SELECT 1 + floor(random() * (length(text) + 1))::int AS place OFFSET 0) AS p);

CREATE TEMP TABLE sample AS
SELECT n, id, id2, t, pg_temp.any_range(t, t2) AS r,
       pg_temp.any_of('', 'www.example.com', 'é 例 😀', repeat('a', 55), repeat('b', 200), pg_temp.digits()) AS name,
       pg_temp.any_of('dns', 'URL', 'oid', 'x500', 'com') AS namespace,
       pg_temp.any_of('', 'user', 'a_b', 'a__b', '_a', 'a_', 'A', 'é', '1', repeat('c', 63), repeat('c', 64)) AS prefix,
       (floor(random() * 9007199254740992) * 1024 * pg_temp.any_of('1', '1', '1', '-1')::int)::bigint AS snowflake,
       CASE WHEN random() < 0.5 THEN timestamptz '-infinity'
            WHEN random() < 0.7 THEN date_trunc('ms', timestamptz '2000-01-01' + random() * interval '30 years') ELSE t END AS epoch
FROM (SELECT n, id, id2, pg_temp.any_time(id) AS t, pg_temp.any_time(id2) AS t2
      FROM (SELECT n, pg_temp.any_uuid() AS id, pg_temp.any_uuid() AS id2 FROM generate_series(1, :rows) AS n OFFSET 0) AS ids
      OFFSET 0) AS times;
ALTER TABLE sample ADD base32 text, ADD base58 text, ADD typeid text;
UPDATE sample SET base32 = extension.uuid_encode(id, 'base32'), base58 = extension.uuid_encode(id, 'base58'),
                  typeid = extension.typeid_encode(CASE WHEN prefix ~ '^([a-z]([a-z_]{0,61}[a-z])?)?$' THEN prefix ELSE '' END, id);
UPDATE sample SET base32 = pg_temp.mutated(base32), base58 = pg_temp.mutated(base58), typeid = pg_temp.mutated(typeid)
WHERE random() < 0.4;
-- Some texts are of numbers with more than 128 bits.
UPDATE sample SET base32 = pg_temp.any_of('8', 'Z') || right(base32, -1), base58 = 'z' || right(base58, -1),
                  typeid = left(typeid, -26) || '8' || right(typeid, 25)
WHERE random() < 0.05;
UPDATE sample SET id = NULL, t = NULL, r = NULL, name = NULL, prefix = NULL, typeid = NULL, base32 = NULL, base58 = NULL, snowflake = NULL
WHERE n % 101 = 1;

-- %1$I is the schema of an edition, which is implied for functions.
CREATE TEMP TABLE expression AS
SELECT CASE WHEN expression ~ '^(id|t|r)\M' THEN expression ELSE '%1$I.' || expression END AS expression
FROM unnest(ARRAY[
    'uuid_extract_version(id)', 'uuid_extract_variant(id)', 'uuid_extract_clock_seq(id)', 'uuid_extract_node(id)',
    'uuid_extract_time(id)', 'uuid_extract_timestamp(id)', 'uuid_extract_time_us(id)', 'uuidv7_time(id)', 'uuid_time_decoder(id::text)',
    'uuidv7_floor(t)', 'uuidv7_ceil(t)', 'uuid_extract_time_us(%1$I.uuidv7_at(t))', 'uuidv7_at(t)::text::varchar(18)',
    'id OPERATOR(%1$I.<) t', 'id OPERATOR(%1$I.<=) t', 'id OPERATOR(%1$I.>=) t', 'id OPERATOR(%1$I.>) t',
    't OPERATOR(%1$I.<) id', 't OPERATOR(%1$I.<=) id', 't OPERATOR(%1$I.>=) id', 't OPERATOR(%1$I.>) id',
    'id OPERATOR(%1$I.<@) r', 'r OPERATOR(%1$I.@>) id',
    'id OPERATOR(%1$I.^@) left(id2::text, n %% 5)', 'id OPERATOR(%1$I.^@) left(overlay(id::text PLACING substr(''A-z0f'', n %% 5 + 1, 1) FROM n %% 36 + 1), n %% 38)',
    'id::%1$I.uuid_v7', 'uuid_least(id, id2)', 'uuid_greatest(id, id2)',
    'uuid_v3(id2, name)', 'uuid_v3(id2, name::bytea)', 'uuid_v5(id2, name)', 'uuid_v5(id2, name::bytea)', 'uuid_namespace(namespace)',
    'uuid_encode(id, ''base32'')', 'uuid_encode(id, ''Base58'')', 'uuid_decode(base32, ''BASE32'')', 'uuid_decode(base58, ''base58'')',
    'typeid_encode(prefix, id)', 'typeid_decode(typeid)', 'typeid_decode(typeid, prefix)', 'typeid_prefix(typeid)',
    'other_id_time(snowflake, ''Snowflake'', epoch)', 'nil_uuid()', 'max_uuid()']) AS expression;
CREATE TEMP TABLE outcome (expression text, n int, extension text, pure_sql text);
DO $$
DECLARE
    one text;
    edition text;
BEGIN
    FOR one IN SELECT expression FROM expression LOOP
        FOREACH edition IN ARRAY '{extension,pure_sql}'::text[] LOOP
            EXECUTE format('CREATE OR REPLACE FUNCTION pg_temp.of_%s(s sample) RETURNS text LANGUAGE plpgsql AS %L', edition,
                           format('BEGIN RETURN (SELECT (%s)::text FROM (SELECT s.*) AS given);
                                   EXCEPTION WHEN OTHERS THEN RETURN ''ERROR '' || SQLSTATE; END', format(one, edition)));
        END LOOP;
        EXECUTE format('INSERT INTO outcome SELECT %L, n, pg_temp.of_extension(s), pg_temp.of_pure_sql(s) FROM sample s', one);
    END LOOP;
END $$;
SELECT expression, count(*), min(n) AS first FROM outcome WHERE extension IS DISTINCT FROM pure_sql GROUP BY expression;
SELECT o.expression, o.n, extension, pure_sql, s.*
FROM (SELECT DISTINCT ON (expression) * FROM outcome WHERE extension IS DISTINCT FROM pure_sql ORDER BY expression, n) AS o
     JOIN sample AS s USING (n) \gx
DO $$ BEGIN ASSERT NOT EXISTS (SELECT FROM outcome WHERE extension IS DISTINCT FROM pure_sql), 'the editions differ'; END $$;
-- Each expression must have results, several if it has an argument, and raise errors if it checks an argument.
DO $$
DECLARE
    one text = (SELECT string_agg(expression, ', ') FROM (
        SELECT expression FROM outcome GROUP BY expression
        HAVING count(DISTINCT extension) FILTER (WHERE extension !~ 'ERROR') < CASE WHEN expression ~ 'nil_uuid|max_uuid' THEN 1 ELSE 2 END
            OR expression ~ 'decode\(|typeid_|floor|ceil|_at|namespace|uuid_v7|other' AND count(*) FILTER (WHERE extension ~ 'ERROR') < 5
        ) AS expressions);
BEGIN
    ASSERT one IS NULL, 'hardly asked: ' || one;
END $$;

-- The pure-SQL edition must have each function of the extension that users call and PostgreSQL lacks, or one that says that it is
-- not in the edition.
DO $$
DECLARE
    one record;
BEGIN
    FOR one IN
        SELECT p.oid::regprocedure AS signature, own.oid, format('SELECT pure_sql.%I(%s)', p.proname, (
                   SELECT string_agg(format('NULL::%s', CASE WHEN typtype = 'p' THEN 'bigint' ELSE typname END), ', ' ORDER BY number)
                   FROM unnest(p.proargtypes) WITH ORDINALITY AS arguments (type, number) JOIN pg_type t ON t.oid = type)) AS call
        FROM pg_proc p LEFT JOIN pg_proc own
            ON own.pronamespace = 'pure_sql'::regnamespace AND (own.proname, own.proargtypes, own.prorettype, own.proretset, own.pronargdefaults)
               = (p.proname, p.proargtypes, p.prorettype, p.proretset, p.pronargdefaults)
               AND coalesce(own.proargnames[:own.pronargs], '{}') = coalesce(p.proargnames[:p.pronargs], '{}')
        WHERE p.pronamespace = 'extension'::regnamespace AND 'internal'::regtype <> ALL (p.proargtypes::oid[])
          AND obj_description(p.oid, 'pg_proc') !~ 'used in plans|^implementation of '
          AND coalesce(obj_description(own.oid, 'pg_proc') ~ '^not in the pure-SQL edition', true)
          AND NOT EXISTS (SELECT FROM pg_operator WHERE oprcode = p.oid) AND NOT EXISTS (SELECT FROM pg_amproc WHERE amproc = p.oid)
          AND NOT EXISTS (SELECT FROM pg_proc core WHERE core.pronamespace = 'pg_catalog'::regnamespace AND core.proname = p.proname
                                                     AND core.proargtypes = p.proargtypes)
    LOOP
        ASSERT one.oid IS NOT NULL, one.signature;
        BEGIN
            EXECUTE one.call;
            ASSERT false, one.call;
        EXCEPTION WHEN feature_not_supported THEN
            ASSERT SQLERRM ~ 'is not in the pure-SQL edition$', SQLERRM;
        END;
    END LOOP;
    ASSERT FOUND;
END $$;

-- The order must hold within a statement, across statements, with equal instants, and with a clock that is behind.
SET search_path = pure_sql, pg_catalog;
CREATE TEMP TABLE made AS SELECT n, uuidv7() AS id, uuidv7_at('2026-01-01') AS at FROM generate_series(1, 20000) AS n;
INSERT INTO made SELECT 20001, uuidv7(), uuidv7_at('2026-01-01');
DO $$
BEGIN
    ASSERT (SELECT bool_and(id > before AND at > at_before)
            FROM (SELECT id, at, lag(id) OVER w AS before, lag(at) OVER w AS at_before FROM made WINDOW w AS (ORDER BY n) OFFSET 1) AS pairs),
           'not in order';
    ASSERT (SELECT bool_and(abs(extract(epoch FROM uuidv7_time(id) - clock_timestamp())) < 600 AND uuid_extract_version(id) = 7) FROM made),
           'not of now';
    IF current_setting('server_version_num')::int < 180000 THEN
        PERFORM set_config('uuidrfc_portable.v7', 'fff000000000fff', false);
        ASSERT left(uuidv7()::text, 18) = 'fff00000-0001-7000' AND left(uuidv7()::text, 18) = 'fff00000-0001-7001', 'the clock came first';
        RESET uuidrfc_portable.v7;
        ASSERT uuidv7_time(uuidv7()) < clock_timestamp() + interval '1 minute', 'not by the clock after RESET';
    END IF;
END $$;

-- Each comparison must be a condition on the primary key's index, and prune a partition in planning or when execution starts.
CREATE TABLE visit (id uuid PRIMARY KEY DEFAULT uuidv7()) PARTITION BY RANGE (id);
CREATE TABLE visit_early PARTITION OF visit FOR VALUES FROM (MINVALUE) TO ('019b76da-a800-7000-8000-000000000000');
CREATE TABLE visit_late PARTITION OF visit FOR VALUES FROM ('019b76da-a800-7000-8000-000000000000') TO (MAXVALUE);
SET enable_seqscan = off;
SET enable_bitmapscan = off;
DO $$
DECLARE
    condition text;
    plan text;
BEGIN
    FOREACH condition IN ARRAY ARRAY[
        'id >= timestamptz ''2026-01-01''', 'id > now()', 'timestamptz ''2027-01-01'' <= id', 'now() < id',
        'id <@ tstzrange(''2027-01-01'', NULL)', 'tstzrange(now(), NULL) @> id', 'id < timestamptz ''2000-01-01''',
        'id <= now() - interval ''30 years''', 'timestamptz ''2000-01-01'' > id', 'id ^@ ''019a''', 'now() - interval ''30 years'' >= id']
    LOOP
        EXECUTE format('EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF, FORMAT JSON) SELECT FROM visit WHERE %s', condition) INTO plan;
        ASSERT plan ~ '"Index Cond"' AND plan !~ '"Filter"' AND (plan ~ 'visit_early') <> (plan ~ 'visit_late'), condition || E'\n' || plan;
    END LOOP;
    EXECUTE 'EXPLAIN (COSTS OFF, FORMAT JSON) SELECT max(id) FROM visit_late' INTO plan;
    ASSERT plan ~ 'Index Only Scan', plan;
END $$;
\echo the editions agree

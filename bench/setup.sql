-- The candidates of the benchmark, and the table of its results. The variables are floor (the path of floor.so) and cores.
SET client_min_messages = warning;
\o /dev/null
CREATE EXTENSION uuidrfc;
CREATE EXTENSION "uuid-ossp";
CREATE EXTENSION dblink;
CREATE FUNCTION floor_uuid() RETURNS uuid LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS :'floor', 'floor_uuid';

-- Returns a version 7 UUID by an expression that users write in SQL if they have no extension.
CREATE FUNCTION sql_uuidv7() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
    SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
        PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
        52, 1), 53, 1), 'hex')::uuid
$$;

CREATE TABLE row_3m AS
SELECT i, uuidv7_at(timestamptz '2025-01-01' + i * interval '1 second') AS v7, uuidv6_at(timestamptz '2025-01-01' + i * interval '1 second') AS v6
FROM generate_series(1, 3000000) i;
CREATE TABLE row_100k AS
SELECT i, lpad(i::text, 18, 'name') AS name_18, lpad(i::text, 256, 'name') AS name_256 FROM row_3m WHERE i <= 100000;
CREATE TABLE row_1m AS
SELECT v7, v6, uuid_v6_to_v1(v6) AS v1, uuidv4() AS v4 FROM row_3m WHERE i <= 1000000 ORDER BY random();
CREATE TABLE row_2k AS SELECT i, repeat(md5(i::text), 2048) AS name_64k FROM row_3m WHERE i <= 2000;
ALTER TABLE row_2k ALTER name_64k SET STORAGE EXTERNAL;
VACUUM (FREEZE, ANALYZE) row_3m, row_100k, row_2k, row_1m;

-- A measurement in ns is the time of an expression for each row of a table, less that of its base; the time of a statement for
-- each row that it processes; or the result of a function that measures itself. The base counts over the same table and reads
-- the same columns, so that the difference is the cost of the call. A generator reads no column, so its base is a constant.
CREATE TABLE candidate (
    ordinal   int GENERATED ALWAYS AS IDENTITY,
    topic     text NOT NULL,
    name      text NOT NULL,
    statement text NOT NULL,
    base      text,
    rows      int,
    prepare   text,
    PRIMARY KEY (topic, name)
);
CREATE FUNCTION per_call(topic text, expression text, source text DEFAULT 'row_3m', base text DEFAULT '1', shown text DEFAULT NULL)
RETURNS void LANGUAGE sql AS $$
    INSERT INTO candidate (topic, name, statement, base, rows)
    SELECT topic, coalesce(shown, expression), format('SELECT count(%s) FROM %I', expression, source),
           format('SELECT count(%s) FROM %I', base, source),
           (SELECT reltuples FROM pg_class WHERE oid = source::regclass)
$$;

SELECT per_call('generate', 'floor_uuid()'), per_call('generate', 'clock_timestamp()'),
            per_call('generate', 'uuidv7()'), per_call('generate', 'uuidv6()'), per_call('generate', 'uuidv1()'),
            per_call('generate', 'uuidv4()'), per_call('generate', 'uuidv7_at(now())', base => 'now()'),
            per_call('generate', 'gen_random_uuid()', 'row_100k'),
            per_call('generate', 'uuid_generate_v4()', 'row_100k', shown => 'uuid-ossp uuid_generate_v4()'),
            per_call('generate', 'uuid_generate_v1mc()', 'row_100k', shown => 'uuid-ossp uuid_generate_v1mc()'),
            per_call('generate', 'sql_uuidv7()', 'row_100k', shown => 'uuidv7 in SQL');
SELECT per_call('generate', 'pg_catalog.uuidv7()', 'row_100k', shown => 'core uuidv7()')
WHERE to_regprocedure('pg_catalog.uuidv7()') IS NOT NULL;
INSERT INTO candidate (topic, name, statement, base, rows) VALUES
    ('generate', 'uuidv7_array(n), per value', 'SELECT cardinality(uuidv7_array(3000000))', 'SELECT 1', 3000000);

SELECT per_call('extract', 'uuid_extract_time(v7)', base => 'v7'), per_call('extract', 'uuid_extract_time_us(v7)', base => 'v7'),
            per_call('extract', 'uuid_extract_time(v6)', base => 'v6'), per_call('extract', 'uuid_extract_version(v7)', base => 'v7');
SELECT per_call('extract', 'pg_catalog.uuid_extract_timestamp(v7)', base => 'v7', shown => 'core uuid_extract_timestamp(v7)'),
            per_call('extract', 'pg_catalog.uuid_extract_version(v7)', base => 'v7', shown => 'core uuid_extract_version(v7)')
WHERE to_regprocedure('pg_catalog.uuid_extract_timestamp(uuid)') IS NOT NULL;

SELECT per_call('name', format('%s(%s, %s)', f, ns, name), source, base => name, shown => format('%s, %s', f, size))
FROM (VALUES ('uuid_v5', 'uuid_namespace(''dns'')'), ('uuid_generate_v5', 'uuid_ns_dns()'), ('uuid_v3', 'uuid_namespace(''dns'')'),
             ('uuid_generate_v3', 'uuid_ns_dns()'), ('uuid_v8', 'uuid_namespace(''dns'')')) AS f (f, ns),
     (VALUES ('name_18', 'row_100k', '18 bytes'), ('name_256', 'row_100k', '256 bytes'), ('name_64k', 'row_2k', '64 KiB')) AS n (name, source, size);

-- Sealing is compared with a function that encrypts the same bytes and returns bytea.
CREATE EXTENSION pgcrypto;
COPY (SELECT '1 ' || repeat('2a', 32)) TO PROGRAM 'umask 077; cat > bench_seal_keys';
ALTER DATABASE bench SET uuidrfc.seal_key_file = 'bench_seal_keys';
SET uuidrfc.seal_key_file = 'bench_seal_keys';
SELECT per_call('seal', 'uuid_seal(v7)', 'row_1m', base => 'v7'),
       per_call('seal', format('uuid_seal(v7, %L)', '\x' || repeat('2a', 32)), 'row_1m', base => 'v7', shown => 'uuid_seal(v7, key)'),
       per_call('seal', format('uuid_unseal(v4, %L)', '\x' || repeat('2a', 32)), 'row_1m', base => 'v4', shown => 'uuid_unseal(v4, key)'),
       per_call('seal', format('encrypt(uuid_send(v7), %L, ''aes-ecb/pad:none'')', '\x' || repeat('2a', 32)), 'row_1m', base => 'v7',
                shown => 'pgcrypto encrypt(uuid_send(v7), key)');

SELECT per_call('predicate', 'uuid_lt(v7, ''01975000-0000-7000-8000-000000000000'')', base => 'v7', shown => 'uuid < uuid'),
       per_call('predicate', 'uuid_lt_timestamptz(v7, ''2025-06-08'')', base => 'v7', shown => 'uuid < timestamptz, row by row'),
       per_call('predicate', 'uuid_time_lt(v7, ''01975000-0000-7000-8000-000000000000'')', base => 'v7', shown => 'uuid ~<~ uuid');

INSERT INTO candidate (topic, name, statement, prepare, rows)
SELECT 'index', format('%s of %s', class, key), format('CREATE INDEX built ON row_1m (%I %s)', key, class), 'DROP INDEX IF EXISTS built', 1000000
FROM unnest(ARRAY['uuid_ops', 'uuid_time_ops']) class, unnest(ARRAY['v7', 'v6', 'v1', 'v4']) key;

-- Default keys: rows are inserted by INSERT or COPY, by one connection or by as many as there are cores.
COPY (SELECT generate_series(1, 200000)) TO PROGRAM 'cat > bench_rows';
CREATE FUNCTION in_parallel(connections int, statement text, options text DEFAULT '') RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    address CONSTANT text := format('host=%s port=%s dbname=%s user=%s options=''%s''', current_setting('unix_socket_directories'),
                                    current_setting('port'), current_database(), current_user, options);
    connection text;
BEGIN
    FOR n IN 1..connections LOOP
        connection := n || options;
        PERFORM dblink_connect(connection, address) WHERE connection = ANY (dblink_get_connections()) IS NOT TRUE;
        PERFORM dblink_send_query(connection, statement);
    END LOOP;
    FOR n IN 1..connections LOOP
        connection := n || options;
        PERFORM FROM dblink_get_result(connection) AS result (status text);
        PERFORM FROM dblink_get_result(connection) AS nothing_more (status text);
    END LOOP;
END
$$;
INSERT INTO candidate (topic, name, statement, prepare, rows)
SELECT way.topic, key.name, way.statement,
       'DROP TABLE IF EXISTS target; CREATE TABLE target (id ' || key.definition || ' PRIMARY KEY, n int)', way.rows
FROM (VALUES (1, 'bigint identity', 'bigint GENERATED ALWAYS AS IDENTITY'), (2, 'uuidv7()', 'uuid DEFAULT public.uuidv7()'),
             (3, 'uuidv6()', 'uuid DEFAULT public.uuidv6()'), (4, 'core uuidv7()', 'uuid DEFAULT pg_catalog.uuidv7()'),
             (5, 'gen_random_uuid()', 'uuid DEFAULT gen_random_uuid()'), (6, 'uuidv7 in SQL', 'uuid DEFAULT sql_uuidv7()'),
             (7, 'uuid-ossp uuid_generate_v1mc()', 'uuid DEFAULT uuid_generate_v1mc()')) AS key (ordinal, name, definition),
     (VALUES ('insert', 'INSERT INTO target (n) SELECT generate_series(1, 500000)', 500000),
             ('copy', 'COPY target (n) FROM PROGRAM ''cat bench_rows''', 200000),
             ('insert_many', format('SELECT in_parallel(%s, %L)', :cores, 'INSERT INTO target (n) SELECT generate_series(1, 200000)'), 200000 * :cores),
             ('copy_many', format('SELECT in_parallel(%s, %L)', :cores, 'COPY target (n) FROM PROGRAM ''cat bench_rows'''), 200000 * :cores))
         AS way (topic, statement, rows)
WHERE key.name <> 'core uuidv7()' OR to_regprocedure('pg_catalog.uuidv7()') IS NOT NULL
ORDER BY way.topic, key.ordinal;

-- Scope `server` is also measured, unless that would require a restart of the server.
DO $$
BEGIN
    SET LOCAL uuidrfc.monotonic_scope = 'server';
    PERFORM public.uuidv7();
    INSERT INTO candidate (topic, name, statement, rows)
    SELECT 'scope', scope, format('SELECT in_parallel(16, %L, %L)', 'SELECT count(public.uuidv7())::text FROM generate_series(1, 200000)',
                                  '-c uuidrfc.monotonic_scope=' || scope), 16 * 200000
    FROM unnest('{backend,server}'::text[]) scope;
EXCEPTION
    WHEN object_not_in_prerequisite_state THEN
        RAISE WARNING 'scope is not measured: this server was started without uuidrfc in shared_preload_libraries';
END
$$;

-- Returns the ns by which the next value is ahead of the clock after ten million consecutive values.
CREATE FUNCTION ahead(call text) RETURNS float8 LANGUAGE plpgsql AS $$
DECLARE
    ahead interval;
BEGIN
    EXECUTE format('SELECT count(%s) FROM generate_series(1, 10000000)', call);
    EXECUTE format('SELECT uuid_extract_time_us(%s) - clock_timestamp()', call) INTO ahead;
    RETURN extract(epoch FROM ahead) * 1e9;
END
$$;
INSERT INTO candidate (topic, name, statement)
SELECT 'ahead', name, format('SELECT ahead(%L)', call)
FROM (VALUES ('uuidv7()', 'public.uuidv7()'), ('core uuidv7()', 'pg_catalog.uuidv7()')) AS c (name, call)
WHERE to_regprocedure(call) IS NOT NULL;

CREATE TABLE sample (round int, topic text, name text, ns float8);
CREATE TABLE base_sample (statement text, ns float8);

CREATE PROCEDURE measure(rounds int) LANGUAGE plpgsql AS $$
DECLARE
    c candidate;
    start timestamptz;
    ns float8;
BEGIN
    FOR round IN 0..rounds LOOP
        RAISE NOTICE 'round % of %', round, rounds;
        FOR c IN SELECT * FROM candidate ORDER BY random() LOOP
            IF c.prepare IS NOT NULL THEN
                EXECUTE c.prepare;
                COMMIT;
            END IF;
            IF c.base IS NOT NULL THEN
                start := clock_timestamp();
                EXECUTE c.base;
                ns := extract(epoch FROM clock_timestamp() - start) * 1e9 / c.rows;
                IF round > 0 THEN -- The first round is the warm-up.
                    INSERT INTO base_sample VALUES (c.base, ns);
                END IF;
            END IF;
            IF c.rows IS NULL THEN
                EXECUTE c.statement INTO ns;
            ELSE
                start := clock_timestamp();
                EXECUTE c.statement;
                ns := extract(epoch FROM clock_timestamp() - start) * 1e9 / c.rows;
            END IF;
            IF round > 0 THEN
                INSERT INTO sample VALUES (round, c.topic, c.name, ns);
            END IF;
            COMMIT;
        END LOOP;
    END LOOP;
END
$$;

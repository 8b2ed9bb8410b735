-- The portable edition beside the extension, core and what people write by hand: cost per call, as ratios of one run. Variable: rounds.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SET max_parallel_workers_per_gather = 0;
SET jit = off;
SET TimeZone = 'UTC';

-- By hand, in the two ways that are copied most: random bytes with the time put over them, and bits set; in SQL and in PL/pgSQL. Neither has an
-- order within the millisecond.
CREATE FUNCTION by_hand_sql() RETURNS uuid LANGUAGE sql VOLATILE PARALLEL SAFE AS $$
    SELECT encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
        PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid
$$;
CREATE FUNCTION by_hand_plpgsql() RETURNS uuid LANGUAGE plpgsql VOLATILE PARALLEL SAFE AS $$
BEGIN
    RETURN encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
        PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid;
END $$;
CREATE FUNCTION by_hand_time(id uuid) RETURNS timestamptz LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT to_timestamp(('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000.0)
$$;

CREATE TABLE row AS
SELECT n, c.uuidv7_at(timestamptz '2026-01-01' + n * interval '1 second') AS id, c.uuidv6_at(timestamptz '2026-01-01' + n * interval '1 second') AS v6,
       timestamptz '2026-01-01' + n * interval '1 second' AS t, 'name ' || n AS name
FROM generate_series(1, 200000) n;
VACUUM (FREEZE, ANALYZE) row;

-- What is measured: an expression of a row, net of its base; some milliseconds at a time, which a busy machine often leaves undisturbed. %s is the schema of an edition.
CREATE TABLE asked (ordinal int GENERATED ALWAYS AS IDENTITY, call text, expression text, base text);
INSERT INTO asked (call, expression, base) VALUES
    ('uuidv7()', '%s.uuidv7()', '1'), ('uuidv6()', '%s.uuidv6()', '1'), ('uuidv7(interval)', '%s.uuidv7(interval ''1 hour'')', '1'), ('uuidv7_at(t)', '%s.uuidv7_at(t)', 't'),
    ('uuid_extract_time(id)', '%s.uuid_extract_time(id)', 'id'), ('uuidv7_time(id)', '%s.uuidv7_time(id)', 'id'), ('uuid_extract_time(v6)', '%s.uuid_extract_time(v6)', 'v6'),
    ('uuid_extract_version(id)', '%s.uuid_extract_version(id)', 'id'), ('uuid_inspect(id)', '%s.uuid_inspect(id)', 'id'), ('uuidv7_floor(t)', '%s.uuidv7_floor(t)', 't'),
    ('id >= timestamptz, without an index', 'nullif(id OPERATOR(%s.>=) ''2026-01-02 00:00:00+00''::timestamptz, false)', 'id'),
    ('id >= t, a column', 'nullif(id OPERATOR(%s.>=) t, false)', 'id'),
    ('uuid_v3(ns, name)', '%s.uuid_v3(''6ba7b810-9dad-11d1-80b4-00c04fd430c8'', name)', 'name'),
    ('uuid_v5(ns, name)', '%s.uuid_v5(''6ba7b810-9dad-11d1-80b4-00c04fd430c8'', name)', 'name'),
    ('uuid_v8(ns, name)', '%s.uuid_v8(''6ba7b810-9dad-11d1-80b4-00c04fd430c8'', name)', 'name'),
    ('uuid_encode(id, ''hex'')', '%s.uuid_encode(id, ''hex'')', 'id'), ('uuid_encode(id, ''base32'')', '%s.uuid_encode(id, ''base32'')', 'id'), ('typeid_encode(''user'', id)', '%s.typeid_encode(''user'', id)', 'id'),
    ('other_id_time(n, ''snowflake'')', '%s.other_id_time(n::bigint << 22, ''snowflake'')', 'n'), ('other_id_to_uuid(n, ''snowflake'')', '%s.other_id_to_uuid(n::bigint << 22, ''snowflake'')', 'n');
CREATE TABLE candidate (ordinal int, call text, who text, expression text, base text, rows int);
INSERT INTO candidate
SELECT ordinal, call, 'extension', format(expression, 'c'), base, 50000 FROM asked
UNION ALL SELECT ordinal, call, 'portable edition', format(expression, 'portable'), base, CASE WHEN call ~ 'uuid_v5|base32|typeid|inspect|other' THEN 500 ELSE 5000 END FROM asked
UNION ALL SELECT 5, 'uuid_extract_time(id)', 'by hand', 'by_hand_time(id)', 'id', 5000
UNION ALL SELECT 1, 'uuidv7()', 'by hand, SQL', 'by_hand_sql()', '1', 5000
UNION ALL SELECT 1, 'uuidv7()', 'by hand, PL/pgSQL', 'by_hand_plpgsql()', '1', 5000
UNION ALL SELECT 1, 'uuidv7()', 'core''s gen_random_uuid()', 'gen_random_uuid()', '1', 5000
UNION ALL SELECT 1, 'uuidv7()', 'core''s uuidv7()', 'pg_catalog.uuidv7()', '1', 5000 WHERE to_regprocedure('pg_catalog.uuidv7()') IS NOT NULL
UNION ALL SELECT 5, 'uuid_extract_time(id)', 'core''s uuid_extract_timestamp(id)', 'pg_catalog.uuid_extract_timestamp(id)', 'id', 50000
          WHERE to_regprocedure('pg_catalog.uuid_extract_timestamp(uuid)') IS NOT NULL;

CREATE TABLE sample (call text, who text, whole float8, base float8);
CREATE PROCEDURE measure(rounds int) LANGUAGE plpgsql AS $$
DECLARE
    one candidate;
    start timestamptz;
    counted bigint;
    whole float8;
BEGIN
    FOR round IN 0 .. rounds LOOP
        FOR one IN SELECT * FROM candidate ORDER BY random() LOOP
            start = clock_timestamp();
            EXECUTE format('SELECT count(%s) FROM row WHERE n <= %s', one.expression, one.rows) INTO counted;
            whole = extract(epoch FROM clock_timestamp() - start);
            start = clock_timestamp();
            EXECUTE format('SELECT count(%s) FROM row WHERE n <= %s', one.base, one.rows) INTO counted;
            IF round > 0 THEN
                INSERT INTO sample VALUES (one.call, one.who, whole * 1e9 / one.rows, extract(epoch FROM clock_timestamp() - start) * 1e9 / one.rows);
            END IF;
        END LOOP;
    END LOOP;
END $$;
CALL measure(:rounds);

\pset format unaligned
\pset tuples_only on
-- The best round is the one that other processes disturbed least. No ratio to what is not well above the scan.
WITH best AS (
    SELECT call, who, min(whole) - min(base) AS ns, min(whole) > 1.1 * min(base) AS is_clear FROM sample GROUP BY call, who
)
SELECT format('| `%s` | %s | %s | %s |', b.call, b.who, round(b.ns::numeric, -1),
              CASE WHEN x.is_clear AND b.is_clear THEN round((b.ns / x.ns)::numeric, CASE WHEN b.ns / x.ns < 10 THEN 1 ELSE 0 END)::text ELSE '' END)
FROM best b JOIN best x ON x.call = b.call AND x.who = 'extension' JOIN candidate c ON (c.call, c.who) = (b.call, b.who)
ORDER BY c.ordinal, b.who <> 'extension', b.who <> 'portable edition', b.who;

CREATE UNIQUE INDEX row_id ON row (id);
ANALYZE row;
CREATE TABLE planned (ordinal int, condition text, who text, statement text);
INSERT INTO planned
SELECT ordinal, condition, who, format('EXPLAIN (SUMMARY, FORMAT JSON) SELECT n FROM row WHERE ' || spelled, who)
FROM (VALUES
    (1, 'id >= time AND id < time', 'id OPERATOR(%1$s.>=) timestamptz ''2026-01-02'' AND id OPERATOR(%1$s.<) timestamptz ''2026-01-03''',
        'id >= uuid ''019b7c01-0400-7000-8000-000000000000'' AND id < uuid ''019b8127-6000-7000-8000-000000000000'''),
    (2, 'id >= now() - interval', 'id OPERATOR(%1$s.>=) (now() - interval ''1 hour'')', 'id >= current_setting(''bench.id'')::uuid'),
    (3, 'id <@ range', 'id OPERATOR(%1$s.<@) tstzrange ''[2026-01-02, 2026-01-03)''',
        'id >= uuid ''019b7c01-0400-7000-8000-000000000000'' AND id < uuid ''019b8127-6000-7000-8000-000000000000''')
) AS asked (ordinal, condition, by_time, by_uuid), LATERAL (VALUES ('uuid', by_uuid), ('c', by_time), ('portable', by_time)) AS spellings (who, spelled);
CREATE TABLE planning (ordinal int, who text, ms float8);
CREATE PROCEDURE measure_planning(rounds int) LANGUAGE plpgsql AS $$
DECLARE
    one planned;
    plan json;
BEGIN
    SET LOCAL bench.id = '019b7c01-0400-7000-8000-000000000000';
    FOR round IN 1 .. rounds LOOP
        FOR one IN SELECT * FROM planned ORDER BY random() LOOP
            EXECUTE one.statement INTO plan;
            INSERT INTO planning VALUES (one.ordinal, one.who, (plan -> 0 ->> 'Planning Time')::float8);
        END LOOP;
    END LOOP;
END $$;
CALL measure_planning(20 * :rounds);
\echo
\echo '## Planning'
\echo
\echo 'Microseconds to plan a query of one table with this condition, without parsing it, the best of 20 in each round; and as a multiple of a comparison of UUIDs.'
\echo
\echo '| condition | UUIDs | extension | portable edition |'
\echo '|---|--:|--:|--:|'
SELECT format('| `%s` | %s | %s (%s) | %s (%s) |', condition, round(uuid), round(c), round(c / uuid, 1), round(portable), round(portable / uuid, 1))
FROM (SELECT ordinal, condition, (1000 * min(ms) FILTER (WHERE who = 'uuid'))::numeric AS uuid, (1000 * min(ms) FILTER (WHERE who = 'c'))::numeric AS c,
             (1000 * min(ms) FILTER (WHERE who = 'portable'))::numeric AS portable
      FROM planning JOIN (SELECT DISTINCT ordinal, condition FROM planned) AS conditions USING (ordinal) GROUP BY 1, 2) AS best
ORDER BY ordinal;

\echo
\echo '## Plans'
\echo
\echo 'The comparison of a time, and of the UUIDs that it becomes:'
\echo
\echo '```'
SET search_path = portable, pg_catalog;
EXPLAIN SELECT n FROM public.row WHERE id >= timestamptz '2026-01-02' AND id < timestamptz '2026-01-02 01:00';
SELECT format('EXPLAIN SELECT n FROM public.row WHERE id >= %L AND id < %L', uuidv7_floor('2026-01-02'), uuidv7_floor('2026-01-02 01:00')) \gexec
EXPLAIN SELECT n FROM public.row WHERE id <@ tstzrange(now() - interval '1 hour', now());
\echo '```'

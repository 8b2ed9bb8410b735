-- For hypertables by the time in a key, conditions on id and on uuidv7_time(id) exclude the same chunks, during planning and
-- when execution starts. The script needs an empty database (make timescale-test).
\set ON_ERROR_STOP on
\set QUIET on
SET timezone = 'UTC';
CREATE EXTENSION timescaledb;
CREATE EXTENSION uuidrfc;
CREATE TABLE by_id (id uuid PRIMARY KEY, n int);
SELECT create_hypertable('by_id', 'id', chunk_time_interval => interval '1 day') \g /dev/null
-- TimescaleDB admits only version 7 into hypertables by id, but the planner does not know that.
CREATE TABLE checked (id uuid PRIMARY KEY CHECK (uuidv7_time(id) IS NOT NULL), n int);
SELECT create_hypertable('checked', 'id', chunk_time_interval => interval '1 day') \g /dev/null
CREATE TABLE by_function (id uuid PRIMARY KEY, n int);
SELECT create_hypertable('by_function', 'id', chunk_time_interval => interval '1 day', time_partitioning_func => 'uuidv7_time') \g /dev/null
CREATE TABLE by_function_checked (LIKE checked INCLUDING ALL);
SELECT create_hypertable('by_function_checked', 'id', chunk_time_interval => interval '1 day', time_partitioning_func => 'uuidv7_time') \g /dev/null
-- Ten days, of which the last has begun.
CREATE TABLE made AS SELECT uuidv7_at(t) AS id, n FROM generate_series(0, 239) n, LATERAL (SELECT now() - n * interval '1 hour') made (t);
INSERT INTO by_id SELECT * FROM made;
INSERT INTO checked SELECT * FROM made;
INSERT INTO by_function SELECT * FROM made;
INSERT INTO by_function_checked SELECT * FROM made;
ANALYZE;
DO $$ BEGIN
    INSERT INTO by_id VALUES (gen_random_uuid(), 0);
    RAISE 'a version 4 UUID is in a hypertable';
EXCEPTION WHEN invalid_parameter_value OR data_exception OR feature_not_supported THEN NULL; END $$;

-- Returns the number of chunks that a plan reads, and whether it has a filter in addition to comparisons of UUIDs. The query
-- must return the right number of rows.
CREATE FUNCTION read(hypertable text, condition text, OUT chunks int, OUT filters boolean) LANGUAGE plpgsql AS $$
DECLARE
    line text;
    found bigint;
    expected bigint;
BEGIN
    chunks := 0;
    filters := false;
    FOR line IN EXECUTE format('EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT * FROM %I WHERE %s', hypertable, condition) LOOP
        chunks := chunks + (line ~ ' on _hyper_\d+_\d+_chunk' AND line !~ 'never executed')::int;
        filters := filters OR line ~ 'Filter: .*uuidv7_time';
    END LOOP;
    EXECUTE format('SELECT count(*) FROM %I WHERE %s', hypertable, condition) INTO found;
    EXECUTE format('SELECT count(*) FROM made WHERE %s', condition) INTO expected;
    ASSERT found = expected, format('%s rows of %s WHERE %s, not %s', found, hypertable, condition, expected);
END $$;
CREATE TABLE result AS
SELECT hypertable, form, (read(hypertable, 'id ' || form)).*, of_time.chunks AS by_time, of_time.filters AS filters_time
FROM unnest('{by_id,checked,by_function,by_function_checked}'::text[]) hypertable,
     unnest(ARRAY[format('>= %L::timestamptz', now() - interval '30 hours'), '>= now() - interval ''30 hours''', '< now() - interval ''200 hours''',
                  format('<@ tstzrange(%L, %L)', now() - interval '100 hours', now() - interval '90 hours'),
                  '<@ tstzrange(now() - interval ''100 hours'', now() - interval ''90 hours'')',
                  'BETWEEN now() - interval ''100 hours'' AND now() - interval ''90 hours''',
                  '> (SELECT now() - interval ''30 hours'')', '> ANY (ARRAY[now() - interval ''30 hours''])']) form,
     LATERAL read(hypertable, 'uuidv7_time(id) ' || form) of_time;
\pset format unaligned
SELECT hypertable, left(form, 16) AS form, chunks, by_time, filters_time FROM result ORDER BY 1, 2;
DO $$ BEGIN
    ASSERT (SELECT bool_and(by_time = chunks AND chunks BETWEEN 1 AND 4) FROM result WHERE hypertable !~ 'function'), 'chunks by id';
    ASSERT (SELECT NOT bool_or(filters_time) FROM result WHERE hypertable = 'checked'), 'filters in spite of the CHECK';
    -- For hypertables by the function, TimescaleDB uses only comparisons of id with a constant.
    ASSERT (SELECT bool_and(by_time BETWEEN 1 AND 4) FROM result WHERE hypertable ~ 'function'), 'chunks by the function';
    ASSERT (SELECT bool_and(chunks BETWEEN 1 AND 4) FROM result WHERE hypertable ~ 'function' AND form !~ 'now'), 'chunks by id, by the function';
END $$;

-- The time can be the parameter of a prepared statement, or be in an outer row.
CREATE VIEW stamped AS SELECT *, uuidv7_time(id) AS created_at FROM by_function UNION ALL SELECT *, uuidv7_time(id) FROM by_function_checked;
SET plan_cache_mode = force_generic_plan;
PREPARE since(timestamptz) AS SELECT * FROM stamped WHERE created_at >= $1;
DO $$
DECLARE
    line text;
    command text;
    chunks int;
BEGIN
    FOREACH command IN ARRAY ARRAY['EXECUTE since(now() - interval ''30 hours'')',
                                   'SELECT FROM (VALUES (now() - interval ''30 hours'')) v (t), LATERAL (SELECT FROM stamped WHERE created_at >= t OFFSET 0) s'] LOOP
        chunks := 0;
        FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) ' || command LOOP
            chunks := chunks + (line ~ ' on _hyper_\d+_\d+_chunk' AND line !~ 'never executed')::int;
        END LOOP;
        ASSERT chunks BETWEEN 2 AND 6, format('%s chunks: %s', chunks, command);
    END LOOP;
END $$;
\echo hypertables: 1 passed, 0 failed

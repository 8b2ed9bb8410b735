-- Arrays of UUIDs.
\i tests/pg_regress/common.sql
SELECT count(*) AS made, count(DISTINCT id) AS distinct, bool_and(id > before) AS ascending
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM unnest(uuidv7_array(100000)) WITH ORDINALITY AS b(id, n)) s;
-- The UUIDs belong to the sequence of uuidv7().
SELECT bool_and(id > before) AS ascending
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before
      FROM unnest(uuidv7() || uuidv7_array(3) || uuidv7() || uuidv7_array(1) || uuidv7()) WITH ORDINALITY AS b(id, n)) s;
SELECT bool_and(uuid_extract_version(id) = 7) AS v7,
       bool_and(abs(extract(epoch FROM clock_timestamp() - uuid_extract_time(id))) < 60) AS now
FROM unnest(uuidv7_array(1000)) id;
-- The number of UUIDs may be zero, but not negative or too large.
SELECT uuidv7_array(0) AS empty, array_ndims(uuidv7_array(0)) AS dimensions, array_length(uuidv7_array(7), 1) AS seven,
       array_lower(uuidv7_array(7), 1) AS lower;
SELECT pg_temp.outcome(call) FROM unnest(ARRAY[
    $$uuidv7_array(-1)$$,
    $$uuidv7_array(67108863)$$]) call;
-- The argument is a bigint or is cast to it.
SELECT cardinality(uuidv7_array(5::bigint)) AS bigint, cardinality(uuidv7_array(5::smallint)) AS smallint,
       cardinality(uuidv7_array('5')) AS literal, cardinality(uuidv7_array(count(*))) AS counted
FROM generate_series(1, 5);
PREPARE untyped AS SELECT cardinality(uuidv7_array($1));
EXECUTE untyped (5);
SELECT parameter_types FROM pg_prepared_statements;
DEALLOCATE untyped;
SELECT pg_temp.outcome(call) FROM unnest(ARRAY[
    $$uuidv7_array(4294967297)$$,
    $$uuidv7_array(9223372036854775807)$$,
    $$uuidv7_array(-4294967295)$$]) call;

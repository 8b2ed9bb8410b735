-- Many UUIDs at a time.
SELECT count(*) AS made, count(DISTINCT id) AS distinct, bool_and(id > before) AS ascending
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM uuidv7_batch(100000) WITH ORDINALITY AS b(id, n)) s;
SELECT count(*) AS made, count(DISTINCT id) AS distinct, bool_and(id > before) AS ascending
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM unnest(uuidv7_array(100000)) WITH ORDINALITY AS b(id, n)) s;
-- One sequence with uuidv7().
SELECT bool_and(id > before) AS ascending
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before
      FROM unnest(uuidv7() || uuidv7_array(3) || uuidv7() || ARRAY(SELECT uuidv7_batch(3)) || uuidv7()) WITH ORDINALITY AS b(id, n)) s;
SELECT bool_and(uuid_extract_version(id) = 7) AS v7,
       bool_and(abs(extract(epoch FROM clock_timestamp() - uuid_extract_time(id))) < 60) AS now
FROM (SELECT uuidv7_batch(1000) AS id UNION ALL SELECT unnest(uuidv7_array(1000))) s;
-- In a select list, and ended early.
SELECT count(*) FROM (SELECT uuidv7_batch(1000000000) LIMIT 10) s;
SELECT count(*) FROM (SELECT uuidv7_batch(2), uuidv7_batch(3)) s;
-- None, too many, null.
SELECT count(*) AS none FROM uuidv7_batch(0);
SELECT uuidv7_array(0) AS empty, array_ndims(uuidv7_array(0)) AS dimensions, array_length(uuidv7_array(7), 1) AS seven,
       array_lower(uuidv7_array(7), 1) AS lower;
SELECT count(*) AS none FROM uuidv7_batch(NULL);
SELECT uuidv7_array(NULL) IS NULL AS strict;
SELECT uuidv7_batch(-1);
\echo :LAST_ERROR_SQLSTATE
SELECT uuidv7_array(-1);
SELECT uuidv7_array(2147483647);
\echo :LAST_ERROR_SQLSTATE
-- A bigint, and types that are cast to it.
SELECT cardinality(uuidv7_array(5::bigint)) AS bigint, cardinality(uuidv7_array(5::smallint)) AS smallint,
       cardinality(uuidv7_array('5')) AS literal, cardinality(uuidv7_array(count(*))) AS counted,
       (SELECT count(*) FROM uuidv7_batch('5')) AS literal, (SELECT count(*) FROM uuidv7_batch((SELECT count(*) FROM generate_series(1, 5)))) AS counted
FROM generate_series(1, 5);
PREPARE untyped AS SELECT cardinality(uuidv7_array($1)) AS array, (SELECT count(*) FROM uuidv7_batch($2)) AS batch,
                          (SELECT count(*) FROM (SELECT uuidv7_batch($2)) s) AS batch;
EXECUTE untyped (5, '5');
SELECT parameter_types FROM pg_prepared_statements;
DEALLOCATE untyped;
SELECT uuidv7_array(4294967297);
SELECT uuidv7_array(9223372036854775807);
SELECT uuidv7_array(-4294967295);
\echo :LAST_ERROR_SQLSTATE
SELECT count(*) FROM (SELECT uuidv7_batch(2147483647) LIMIT 10) s;
SELECT uuidv7_batch(2147483648);
SELECT count(*) FROM uuidv7_batch(9223372036854775807);
\echo :LAST_ERROR_SQLSTATE
SELECT uuidv7_batch(-9223372036854775808);
\echo :LAST_ERROR_SQLSTATE
-- A batch can be canceled, in a select list and in FROM.
BEGIN;
SET LOCAL statement_timeout = '200ms';
SELECT count(*) FROM (SELECT uuidv7_batch(2147483647)) s;
\echo :LAST_ERROR_SQLSTATE
ROLLBACK;
BEGIN;
SET LOCAL statement_timeout = '200ms';
SELECT count(*) FROM uuidv7_batch(2147483647);
\echo :LAST_ERROR_SQLSTATE
ROLLBACK;

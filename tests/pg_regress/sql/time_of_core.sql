-- From PostgreSQL 18 on, core's uuid_extract_timestamp reads version 7. On the domain uuid_v7, it is treated like uuidv7_time once
-- the session has loaded the library.
SELECT current_setting('server_version_num')::int < 180000 AS none \gset
\if :none
\quit
\endif
\i tests/pg_regress/common.sql
CREATE TABLE sure (id uuid_v7 PRIMARY KEY, n int);
INSERT INTO sure SELECT uuidv7_at(timestamptz '2023-01-01' + n * interval '1 hour'), n FROM generate_series(0, 8759) n;
CREATE TABLE any_version (id uuid PRIMARY KEY, n int);
INSERT INTO any_version SELECT * FROM sure;
ANALYZE sure, any_version;
CREATE VIEW item AS SELECT *, pg_catalog.uuid_extract_timestamp(id) AS created_at FROM sure;
EXPLAIN (COSTS OFF) SELECT * FROM item WHERE created_at >= '2023-12-31';
EXPLAIN (COSTS OFF) SELECT * FROM item WHERE created_at BETWEEN '2023-06-01' AND '2023-06-02';
EXPLAIN (COSTS OFF) SELECT * FROM item WHERE created_at <@ tstzrange('2023-06-01', '2023-06-02');
EXPLAIN (COSTS OFF) SELECT * FROM item ORDER BY created_at DESC LIMIT 20;
SELECT count(*), min(created_at), max(created_at) FROM item WHERE created_at >= '2023-12-31';
SET uuidrfc.enable_time_rewrite = off;
SELECT count(*), min(created_at), max(created_at) FROM item WHERE created_at >= '2023-12-31';
EXPLAIN (COSTS OFF) SELECT * FROM item WHERE created_at >= '2023-12-31';
RESET uuidrfc.enable_time_rewrite;
-- Because the function also reads version 1, conditions on a uuid are not rewritten.
EXPLAIN (COSTS OFF) SELECT * FROM any_version WHERE pg_catalog.uuid_extract_timestamp(id) >= '2023-12-31';
-- In a new session, conditions on core's function are not rewritten until a function of the extension is used, unless the library
-- is preloaded.
\c
\i tests/pg_regress/common.sql
SELECT (count(*) > 0) = (current_setting('shared_preload_libraries') ~ 'uuidrfc') AS only_if_preloaded
FROM pg_temp.plan($$SELECT * FROM item WHERE created_at >= '2023-12-31'$$) line WHERE line ~ 'Index Cond';
SELECT uuidv7() IS NULL;
EXPLAIN (COSTS OFF) SELECT * FROM item WHERE created_at >= '2023-12-31';
DROP TABLE sure, any_version CASCADE;

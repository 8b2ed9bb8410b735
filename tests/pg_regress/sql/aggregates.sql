-- min(uuid) and max(uuid).
\i tests/pg_regress/common.sql
CREATE TEMP TABLE indexed (n int, id uuid);
INSERT INTO indexed SELECT n, md5(n::text)::uuid FROM generate_series(1, 10000) n;
INSERT INTO indexed VALUES (0, NULL);
CREATE INDEX indexed_id ON indexed (id);
VACUUM ANALYZE indexed;

-- The index provides the least and the greatest value.
SELECT pg_temp.plan('SELECT max(id) FROM indexed');
SELECT pg_temp.plan('SELECT min(id), max(id) FROM indexed WHERE id < ''80000000-0000-0000-0000-000000000000''');
SELECT min(id) = (SELECT id FROM indexed WHERE id IS NOT NULL ORDER BY id LIMIT 1) AS min,
       max(id) = (SELECT id FROM indexed WHERE id IS NOT NULL ORDER BY id DESC LIMIT 1) AS max
FROM indexed;
-- Bytes are compared as unsigned numbers.
SELECT min(id), max(id) FROM (VALUES
    (uuid '7fffffff-ffff-ffff-ffff-ffffffffffff'), ('80000000-0000-0000-0000-000000000000'),
    ('7fffffff-ffff-ffff-ffff-fffffffffffe'), ('80000000-0000-0000-0000-000000000001')
) AS sample (id);

-- Nulls are ignored. If there are no other values, the result is null.
SELECT min(id) IS NULL AND max(id) IS NULL AS nothing FROM indexed WHERE false;
SELECT min(id) IS NULL AND max(id) IS NULL AS only_null FROM indexed WHERE n = 0;
SELECT min(id) = max(id) AND max(id) = md5('1')::uuid AS one_and_null FROM indexed WHERE n IN (0, 1);

-- In parallel plans, partial aggregates are combined. The results are those of the index.
CREATE TABLE aggregates_plain (id uuid);
INSERT INTO aggregates_plain SELECT md5(n::text)::uuid FROM generate_series(1, 10000) n;
ANALYZE aggregates_plain;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_table_scan_size = 0;
SET max_parallel_workers_per_gather = 2;
SELECT pg_temp.plan('SELECT min(id), max(id) FROM aggregates_plain');
SELECT min(id) = (SELECT min(id) FROM indexed) AS min, max(id) = (SELECT max(id) FROM indexed) AS max
FROM aggregates_plain;
DROP TABLE aggregates_plain;

-- On a server with aggregates of the same names, calls find those in pg_catalog, unless the search path names pg_catalog last.
-- (Here, max in pg_catalog returns the minimum, so that it can be recognized.)
SELECT nspname AS ours FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE extname = 'uuidrfc' \gset
BEGIN;
SET LOCAL search_path = :"ours";
CREATE VIEW before AS SELECT max(id) = max_uuid() AS max_is_ours FROM (VALUES (nil_uuid()), (max_uuid())) AS sample (id);
CREATE AGGREGATE pg_catalog.max(uuid) (SFUNC = uuid_least, STYPE = uuid);
SELECT max(id) = nil_uuid() AS max_is_of_the_server, :"ours".max(id) = max_uuid() AS ours_is_there
FROM (VALUES (nil_uuid()), (max_uuid())) AS sample (id);
SELECT * FROM before;
SET LOCAL search_path = :"ours", pg_catalog;
SELECT max(id) = max_uuid() AS ours_where_the_path_says_so FROM (VALUES (nil_uuid()), (max_uuid())) AS sample (id);
ROLLBACK;

-- The order of uuid_time_ops, compared with its definition for many values, and in indexes after many changes.
\pset format unaligned
\pset tuples_only on
SET TimeZone = 'UTC';
CREATE EXTENSION amcheck;
CREATE EXTENSION pageinspect;

-- Returns a random UUID of a version, with a random time if the version has one.
CREATE FUNCTION pg_temp.random_uuid(version int) RETURNS uuid LANGUAGE sql VOLATILE AS
    $$ SELECT overlay(gen_random_uuid()::text PLACING to_hex(version) FROM 15 FOR 1)::uuid $$;
-- Returns one of 427 instants, some of which are a microsecond apart.
CREATE FUNCTION pg_temp.crowded_time(i int) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
    $$ SELECT '2026-01-01'::timestamptz + (i % 61) * interval '1 second' + (i % 7) * interval '1 microsecond' $$;

-- Returns the version 1 UUID with the time, clock sequence and node of a version 6 UUID.
CREATE FUNCTION pg_temp.version_1(v6 uuid) RETURNS uuid LANGUAGE sql IMMUTABLE AS
    $$ SELECT (substr(h, 8, 5) || substr(h, 14, 3) || substr(h, 4, 4) || '1' || substr(h, 1, 3) || substr(h, 17))::uuid
       FROM replace(v6::text, '-', '') h $$;

\echo -- 200,000 values: every version at random and as generated, crowded instants, duplicates, nil, max
CREATE UNLOGGED TABLE mixed AS
    SELECT CASE i % 14
               WHEN 0 THEN nil_uuid()
               WHEN 1 THEN max_uuid()
               WHEN 2 THEN uuidv1()
               WHEN 3 THEN uuidv4()
               WHEN 4 THEN uuidv6()
               WHEN 5 THEN uuidv7()
               WHEN 6 THEN pg_temp.random_uuid(1)
               WHEN 7 THEN pg_temp.random_uuid(6)
               WHEN 8 THEN pg_temp.random_uuid(7)
               WHEN 9 THEN pg_temp.random_uuid(i / 14 % 16)
               WHEN 10 THEN uuidv6_at(pg_temp.crowded_time(i))
               WHEN 11 THEN uuidv7_at(pg_temp.crowded_time(i))
               WHEN 12 THEN pg_temp.random_uuid(7 - i / 14 % 2)
               WHEN 13 THEN pg_temp.version_1(uuidv6_at(pg_temp.crowded_time(i)))
               END AS id, i
    FROM generate_series(1, 140000) i;
INSERT INTO mixed SELECT id, i + 140000 FROM mixed WHERE i % 14 BETWEEN 2 AND 7;
SELECT count(*), count(id), count(DISTINCT id) FROM mixed;
SELECT uuid_extract_version(id), count(*) >= 10000 FROM mixed
GROUP BY 1 HAVING uuid_extract_version(id) IN (1, 4, 6, 7) ORDER BY 1;

\echo -- sorted like (uuid_extract_time(id), id) NULLS FIRST: in memory, on disk, by an index
CREATE UNLOGGED TABLE oracle AS
    SELECT id, row_number() OVER (ORDER BY uuid_extract_time(id) NULLS FIRST, id) AS place FROM mixed;
CREATE FUNCTION pg_temp.misplaced(source text) RETURNS TABLE (rows bigint, misplaced bigint) LANGUAGE plpgsql AS $$
BEGIN
    RETURN QUERY EXECUTE format('SELECT count(*), count(*) FILTER (WHERE o.id <> s.id)
        FROM oracle o FULL JOIN (SELECT id, row_number() OVER () AS place FROM %s) s USING (place)', source);
END $$;
SET work_mem = '64MB';
SELECT * FROM pg_temp.misplaced('(SELECT id FROM mixed ORDER BY id USING ~<~) s');
SET work_mem = '1MB';
SELECT * FROM pg_temp.misplaced('(SELECT id FROM mixed ORDER BY id USING ~<~) s');
RESET work_mem;
CREATE INDEX mixed_time ON mixed (id uuid_time_ops);
VACUUM ANALYZE mixed;
SET enable_seqscan = off;
SET enable_sort = off;
SELECT * FROM pg_temp.misplaced('(SELECT id FROM mixed ORDER BY id USING ~<~) s');
RESET enable_sort;
RESET enable_seqscan;

\echo -- each operator, of two UUIDs and of a UUID and a time, which is later than no UUID of the same time, and equal to none
SELECT count(*),
       count(*) FILTER (WHERE (a ~<~ b) <> (a_key < b_key) OR (a ~<=~ b) <> (a_key <= b_key)
                           OR (a ~>=~ b) <> (a_key >= b_key) OR (a ~>~ b) <> (a_key > b_key)) AS of_uuids,
       count(*) FILTER (WHERE (a ~<~ t) <> (a_time < t) OR (a ~<=|~ t) <> (a_time < t) OR (t ~>~ a) <> (a_time < t)
                           OR (t ~>=|~ a) <> (a_time < t) OR a ~=|~ t OR t ~=|~ a OR (a ~>=~ t) <> (a_time >= t)
                           OR (a ~>|~ t) <> (a_time >= t) OR (t ~<=~ a) <> (a_time >= t) OR (t ~<|~ a) <> (a_time >= t)) AS of_times
FROM (SELECT place, id AS a, coalesce(uuid_extract_time(id), '-infinity') AS a_time FROM oracle) a
JOIN (SELECT place, id AS b, coalesce(uuid_extract_time(id), '-infinity') AS b_time FROM oracle) b ON b.place = a.place + a.place % 5 - 2,
LATERAL (SELECT (a_time, a) AS a_key, (b_time, b) AS b_key,
                CASE a.place % 99 WHEN 0 THEN 'infinity' ELSE b_time + (a.place % 3 - 1) * interval '1 microsecond' END AS t) p;

\echo -- deduplication is allowed, and works: 50,000 copies of two values in less than a third of a plain index
SELECT allequalimage FROM bt_metap('mixed_time');
CREATE UNLOGGED TABLE copies AS SELECT CASE WHEN i % 2 = 0 THEN nil_uuid() ELSE max_uuid() END AS id FROM generate_series(1, 50000) i;
CREATE INDEX copies_plain ON copies (id uuid_time_ops) WITH (deduplicate_items = off);
CREATE INDEX copies_time ON copies (id uuid_time_ops);
SELECT pg_relation_size('copies_time') * 3 < pg_relation_size('copies_plain');

\echo -- 100,000 inserts of every version, updates, deletes, vacuum, inserts again
CREATE UNLOGGED TABLE life (id uuid, n int);
CREATE INDEX life_time ON life (id uuid_time_ops);
CREATE UNIQUE INDEX life_unique ON life (id uuid_time_ops, n);
INSERT INTO life SELECT id, i FROM mixed WHERE i <= 100000;
UPDATE life SET id = uuidv7() WHERE n % 10 = 1;
UPDATE life SET id = pg_temp.random_uuid(1) WHERE n % 10 = 2;
DELETE FROM life WHERE n % 3 = 0;
VACUUM life;
INSERT INTO life SELECT id, i FROM mixed WHERE i <= 20000 AND i % 3 = 0;
UPDATE life SET n = n + 100000 WHERE n % 4 = 0;
DELETE FROM life WHERE id ~<~ timestamptz '2026-01-01' AND n % 2 = 0;
VACUUM life;
SELECT bt_index_check('life_time', heapallindexed => true), bt_index_check('life_unique', heapallindexed => true);
SELECT bt_index_parent_check('life_time', heapallindexed => true, rootdescend => true),
       bt_index_parent_check('mixed_time', heapallindexed => true, rootdescend => true);
SET enable_seqscan = off;
SELECT count(*) = (SELECT count(*) FROM (SELECT * FROM life OFFSET 0) l WHERE uuid_extract_time(id) >= '2026-01-01 00:00:30')
FROM life WHERE id ~>=~ timestamptz '2026-01-01 00:00:30';
RESET enable_seqscan;

DROP TABLE mixed, oracle, copies, life;
DROP EXTENSION amcheck, pageinspect;

-- A demonstration of uuidrfc. `make demo` runs it in a separate database.

-- 1. The extension.
CREATE EXTENSION uuidrfc;

-- 2. A table whose key contains the time at which each row was created.
CREATE TABLE item (
    id   uuid PRIMARY KEY DEFAULT uuidv7(),
    name text NOT NULL
);
INSERT INTO item (name)
SELECT 'item ' || n FROM generate_series(1, 5) n;

SELECT id, uuidv7_time(id) AS created_at, name FROM item ORDER BY id;

-- 3. Rows that 8 connections insert concurrently, in 250 transactions each, with the default key.
\! echo "INSERT INTO item (name) VALUES ('from connection :client_id');" | pgbench -n -c 8 -j 2 -t 250 -f - 2>/dev/null | grep -E 'actually|tps'
SELECT count(*) AS rows, count(DISTINCT id) AS distinct_ids,
       min(uuidv7_time(id)) AS first, max(uuidv7_time(id)) AS last
FROM item;
-- The latest five rows.
SELECT id, uuidv7_time(id) AS created_at, name FROM item ORDER BY id DESC LIMIT 5;

-- 4. created_at without a column. A million purchases of a year, one every 31.5 seconds, and a view that reads the time from the
-- key.
CREATE TABLE purchase (id uuid PRIMARY KEY DEFAULT uuidv7(), what text);
INSERT INTO purchase SELECT uuidv7_at(now() - n * interval '31.5 seconds'), 'tea' FROM generate_series(1000000, 1, -1) n;
VACUUM ANALYZE purchase;
CREATE VIEW purchase_v AS SELECT *, uuidv7_time(id) AS created_at FROM purchase WHERE uuidv7_time(id) IS NOT NULL;
SET jit = off;
SET max_parallel_workers_per_gather = 0;

-- Before: every row is read, because PostgreSQL does not know that the key is ordered by the time. (The setting exists for
-- comparisons.)
SET uuidrfc.enable_time_rewrite = off;
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM purchase_v WHERE created_at >= now() - interval '1 day';

-- After: the same condition uses the primary key. There is no other index, and no column for the time.
SET uuidrfc.enable_time_rewrite = on;
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM purchase_v WHERE created_at >= now() - interval '1 day';

-- The key itself can also be compared with a time.
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM purchase WHERE id >= now() - interval '1 day';

-- The newest rows are also read from the primary key: twenty entries from its end.
EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) SELECT * FROM purchase_v ORDER BY created_at DESC LIMIT 20;

-- 5. Keys for existing rows: the history of this repository, if it is here, with each commit at its author's time.
CREATE TABLE git_log (position int GENERATED ALWAYS AS IDENTITY, author_time timestamptz, hash text, subject text);
\copy git_log (author_time, hash, subject) FROM PROGRAM 'git log --reverse --format=%aI%x1f%H%x1f%s 2>/dev/null | sed "s/\\\\/&&/g"' (DELIMITER E'\x1f')
CREATE TABLE commit AS
SELECT uuidv7_at(author_time) AS id, author_time, hash, subject FROM (SELECT * FROM git_log ORDER BY position) ordered;
ALTER TABLE commit ADD PRIMARY KEY (id);

SELECT id, author_time, left(hash, 10) AS hash, left(subject, 60) AS subject FROM commit ORDER BY id DESC LIMIT 5;

-- ORDER BY id returns the history in order, and every id contains the time of its commit.
SELECT count(*) AS commits,
       array_agg(hash ORDER BY id) = (SELECT array_agg(hash ORDER BY author_time, position) FROM git_log) AS order_by_id_is_the_history,
       bool_and(uuid_extract_time(id) = author_time) AS every_time_is_the_commits
FROM commit;

-- 6. The effect of the order of keys on an index of 300,000 rows, and on 20,000 more rows after a checkpoint. The effect on an
-- index that outgrows memory is much greater: docs/locality.md shows it, and make bench-locality measures it.
CREATE TABLE locality (key text, index_size text, wal_bytes_a_row numeric);
CREATE PROCEDURE measure(key text, value text) LANGUAGE plpgsql AS $$
DECLARE
    start pg_lsn;
BEGIN
    EXECUTE format('CREATE TABLE sample (id uuid PRIMARY KEY DEFAULT %s, n int)', value);
    INSERT INTO sample (n) SELECT generate_series(1, 300000);
    CHECKPOINT;
    start := pg_current_wal_insert_lsn();
    INSERT INTO sample (n) SELECT generate_series(1, 20000);
    INSERT INTO locality
    SELECT key, pg_size_pretty(pg_relation_size('sample_pkey')), round((pg_current_wal_insert_lsn() - start) / 20000);
    DROP TABLE sample;
END
$$;
CALL measure('version 4', 'uuidv4()');
CALL measure('version 7', 'uuidv7()');
SELECT * FROM locality;

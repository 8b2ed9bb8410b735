-- New UUIDs: their version, variant and order, and their use in defaults.
\i tests/pg_regress/common.sql
SELECT uuid_extract_version(u) AS version, uuid_extract_variant(u) AS variant
FROM unnest(ARRAY[uuidv1(), uuidv4(), uuidv6(), uuidv7(), uuidv7(interval '1 hour'), uuidv6_at(now()), uuidv7_at(now())])
     WITH ORDINALITY AS t(u, n)
ORDER BY n;

-- New UUIDs are distinct, and those of versions 6 and 7 ascend in the order of the calls.
CREATE TEMP TABLE made AS
SELECT n, uuidv1() AS v1, uuidv4() AS v4, uuidv6() AS v6, uuidv7() AS v7 FROM generate_series(1, 100000) n;
SELECT count(DISTINCT v1) AS v1, count(DISTINCT v4) AS v4, count(DISTINCT v6) AS v6, count(DISTINCT v7) AS v7 FROM made;
SELECT bool_and(v6 > lag_v6) AS v6_ascends, bool_and(v7 > lag_v7) AS v7_ascends
FROM (SELECT v6, v7, lag(v6) OVER w AS lag_v6, lag(v7) OVER w AS lag_v7 FROM made WINDOW w AS (ORDER BY n)) s;
-- Versions 1 and 6 share a sequence: a version 1 UUID's time is between those of the version 6 UUIDs before and after it.
SELECT bool_and(t6 >= t1 AND t1 >= t6_before) AS one_sequence
FROM (SELECT n, uuid_extract_time(v1) AS t1, uuid_extract_time(v6) AS t6,
             lag(uuid_extract_time(v6)) OVER (ORDER BY n) AS t6_before FROM made) s;

-- The time is that of the clock. A tick of version 7 (244 ns) may end in the next microsecond.
SELECT bool_and(uuid_extract_time_us(v7) BETWEEN before AND after + interval '1 microsecond') AS v7,
       bool_and(uuid_extract_time(v6) BETWEEN before AND after) AS v6,
       bool_and(uuid_extract_time(v1) BETWEEN before AND after) AS v1
FROM (SELECT n, clock_timestamp() - interval '1 microsecond' AS before, uuidv7() AS v7, uuidv6() AS v6, uuidv1() AS v1,
             clock_timestamp() AS after
      FROM generate_series(1, 10000) n OFFSET 0) s;

-- The node of versions 1 and 6 is random, and marked as such by the multicast bit of its first byte.
SELECT bool_and(get_byte(uuid_send(v1), 10) & 1 = 1 AND get_byte(uuid_send(v6), 10) & 1 = 1) AS multicast,
       count(DISTINCT right(v6::text, 12)) > 99900 AS fresh_node
FROM made;
-- Each random bit of version 4 is set in about half of the UUIDs.
SELECT n AS bit, get_bit(uuid_send(v4), n) AS always
FROM generate_series(0, 127) n CROSS JOIN LATERAL (SELECT v4 FROM made LIMIT 2000) s
GROUP BY n, get_bit(uuid_send(v4), n)
HAVING count(*) NOT BETWEEN 800 AND 1200
ORDER BY n;

-- The UUIDs that a default generates in one statement ascend in the order of the rows.
CREATE TEMP TABLE item (id uuid PRIMARY KEY DEFAULT uuidv7(), n int);
INSERT INTO item (n) SELECT n FROM generate_series(1, 1000) n;
SELECT array_agg(n ORDER BY id) = array_agg(n ORDER BY n) AS in_order FROM item;

-- Order is preserved after an error, a rolled-back subtransaction and DISCARD ALL.
CREATE TABLE kept (n serial, id uuid DEFAULT uuidv7());
INSERT INTO kept DEFAULT VALUES;
SELECT uuidv7(), 1 / (n - 3) FROM generate_series(1, 5) n;
INSERT INTO kept DEFAULT VALUES;
BEGIN;
INSERT INTO kept DEFAULT VALUES;
SAVEPOINT s;
INSERT INTO kept DEFAULT VALUES;
ROLLBACK TO s;
INSERT INTO kept DEFAULT VALUES;
COMMIT;
BEGIN;
SELECT uuidv7() AS rolled_back \gset
ROLLBACK;
INSERT INTO kept DEFAULT VALUES RETURNING id > :'rolled_back' AS ascends;
DO $$ DECLARE failed uuid := uuidv7(); BEGIN
    PERFORM 1 / 0;
EXCEPTION WHEN division_by_zero THEN
    INSERT INTO kept (id) VALUES (failed);
END $$;
DISCARD ALL;
INSERT INTO kept DEFAULT VALUES;
SELECT count(*), array_agg(n ORDER BY id) = array_agg(n ORDER BY n) AS in_order FROM kept;
DROP TABLE kept;

-- The time of new UUIDs is less than a millisecond ahead of the clock, however many are generated.
SELECT sum(cardinality(uuidv7_array(1000000))) AS made FROM generate_series(1, 10);
SELECT uuid_extract_time_us(uuidv7()) - clock_timestamp() < '1 ms' AS v7, uuid_extract_time(uuidv6()) - clock_timestamp() < '1 ms' AS v6;

-- Version 7 UUIDs sort between the Nil and the Max UUID.
SELECT nil_uuid(), max_uuid();
SELECT bool_and(nil_uuid() < v7 AND v7 < max_uuid()) FROM (SELECT uuidv7() AS v7) s;

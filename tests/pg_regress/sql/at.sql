-- UUIDs for a given instant.
\i tests/pg_regress/common.sql

-- Every microsecond of a millisecond is read back.
SELECT count(*) FILTER (WHERE uuid_extract_time_us(uuidv7_at(t)) = t) AS v7_us,
       count(*) FILTER (WHERE uuid_extract_time(uuidv7_at(t)) = date_trunc('milliseconds', t)) AS v7_ms,
       count(*) FILTER (WHERE uuid_extract_time(uuidv6_at(t)) = t) AS v6
FROM generate_series(0, 999) us, LATERAL (SELECT timestamptz '2022-02-22 19:22:22.123' + us * interval '1 microsecond' AS t) s;

-- UUIDs for equal instants ascend in the order of the calls, even with calls for other instants in between.
CREATE TEMP TABLE backfill AS
SELECT n, t, uuidv7_at(t) AS v7, uuidv6_at(t) AS v6
FROM generate_series(1, 100000) n, LATERAL (SELECT timestamptz '2001-01-01' + (n * 7919 % 3) * interval '1 day' AS t) s;
SELECT count(*) = count(DISTINCT v7) AND count(*) = count(DISTINCT v6) AS distinct,
       bool_and(v7 > lag_v7 AND v6 > lag_v6) AS in_order
FROM (SELECT v7, v6, lag(v7) OVER w AS lag_v7, lag(v6) OVER w AS lag_v6 FROM backfill WINDOW w AS (PARTITION BY t ORDER BY n)) s;
SELECT array_agg(n ORDER BY v7) = array_agg(n ORDER BY t, n) AS by_time_then_call FROM backfill;
SELECT bool_and(get_byte(uuid_send(v6), 10) & 1 = 1) AS multicast FROM backfill;

-- The first and the last instant that each version can represent.
SELECT left(uuidv7_at('1970-01-01')::text, 18) AS first_v7, uuid_extract_time_us(uuidv7_at('10889-08-02 05:31:50.655999')) AS last_v7;
SELECT left(uuidv6_at('1582-10-15')::text, 18) AS first_v6, uuid_extract_time(uuidv6_at('5236-03-31 21:21:00.684697')) AS last_v6;

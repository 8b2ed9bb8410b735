-- The first and the last UUID of an instant, and the bounds in plans.
\i tests/pg_regress/common.sql
\pset null null
-- Version 7 has milliseconds; version 6 has ten ticks in each microsecond.
SELECT t, uuidv7_floor(t), uuidv7_ceil(t)
FROM unnest('{1970-01-01, 2022-02-22 19:22:22, 2022-02-22 19:22:22.000999, 10889-08-02 05:31:50.655999}'::timestamptz[]) t;
SELECT t, uuidv6_floor(t), uuidv6_ceil(t)
FROM unnest('{1582-10-15, 2022-02-22 19:22:22, 2022-02-22 19:22:22.000001, 5236-03-31 21:21:00.684697}'::timestamptz[]) t;
-- The first and the last UUID contain the instant. Other UUIDs for it are in between, and those of the next instant are later.
SELECT count(*) FILTER (WHERE uuid_extract_time(uuidv7_floor(t)) IS DISTINCT FROM t
                           OR uuid_extract_time(uuidv7_ceil(t)) IS DISTINCT FROM t
                           OR uuidv7_at(t) NOT BETWEEN uuidv7_floor(t) AND uuidv7_ceil(t)
                           OR uuidv7_floor(t + '1 ms') <= uuidv7_ceil(t)) AS wrong_v7,
       count(*) FILTER (WHERE uuid_extract_time(uuidv6_floor(t)) IS DISTINCT FROM t
                           OR uuid_extract_time(uuidv6_ceil(t)) IS DISTINCT FROM t
                           OR uuidv6_at(t) NOT BETWEEN uuidv6_floor(t) AND uuidv6_ceil(t)
                           OR uuidv6_floor(t + '1 us') <= uuidv6_ceil(t)) AS wrong_v6
FROM (SELECT timestamptz '1970-01-01' + i * interval '86123.457 s' AS t FROM generate_series(0, 9999) i) x;
-- Times out of range raise errors: just past the ends, far past them, or infinite.
SELECT f, count(*), pg_temp.outcome(format('%s(%L)', f, t)) AS outcome
FROM unnest('{uuidv7_floor, uuidv7_ceil, uuidv7_at}'::text[]) f,
     unnest('{1969-12-31 23:59:59.999999, 10889-08-02 05:31:50.656, 4713-01-01 BC, 294276-12-31, -infinity, infinity}'::text[]) t
GROUP BY f, outcome ORDER BY f;
SELECT f, count(*), pg_temp.outcome(format('%s(%L)', f, t)) AS outcome
FROM unnest('{uuidv6_floor, uuidv6_ceil, uuidv6_at}'::text[]) f,
     unnest('{1582-10-14 23:59:59.999999, 5236-03-31 21:21:00.684698, 4713-01-01 BC, 294276-12-31, -infinity, infinity}'::text[]) t
GROUP BY f, outcome ORDER BY f;
-- Computing the bounds in plans never raises an error, because bounds out of range are the Nil or the Max UUID.
SELECT t, uuidv7_lower_bound(t)
FROM unnest('{-infinity, 4713-01-01 BC, 1969-12-31 23:59:59.999, 1969-12-31 23:59:59.999999, 1970-01-01, 2022-02-22 19:22:22,
              2022-02-22 19:22:22.000001, 2022-02-22 19:22:22.000999, 10889-08-02 05:31:50.655,
              10889-08-02 05:31:50.655001, 294276-12-31, infinity}'::timestamptz[]) t;
SELECT r, uuidv7_lower_bound(uuid_tstzrange_start(r)), uuid_tstzrange_end(r)
FROM unnest(ARRAY['empty', '(,)', '[2022-02-22,2022-02-23)', '(2022-02-22,2022-02-23]', '[2022-02-22,)', '(,2022-02-22)',
                  '[infinity,)', '(infinity,)', '(,-infinity]', '(,-infinity)', '(-infinity,infinity)',
                  '(2022-02-22 00:00:00.0001,2022-02-22 00:00:00.0009)']::tstzrange[]) r;
-- pg_partman requires an encoder and a decoder that have one argument, are immutable and strict, and are inverses.
SELECT p.oid::regprocedure, provolatile, proisstrict, proparallel, prorettype::regtype
FROM pg_proc p WHERE proname IN ('uuidv7_floor', 'uuid_time_decoder') ORDER BY p.oid::regprocedure::text COLLATE "C";
SELECT uuid_time_decoder(uuidv7_floor('2026-01-01')), uuid_time_decoder(uuidv7_floor('2026-01-01')::text);
\set SHOW_CONTEXT never
SELECT uuid_time_decoder('2026-01-01');
\echo :LAST_ERROR_SQLSTATE

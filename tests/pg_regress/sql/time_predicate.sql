-- The meaning of comparing a UUID with a time.
\i tests/pg_regress/common.sql
SELECT setseed(0.9562);
-- A version 7 UUID is compared by its millisecond, and the time by its microsecond.
SELECT t, id < t AS lt, id <= t AS le, id >= t AS ge, id > t AS gt, t < id AS "rev lt", t <= id AS "rev le", t >= id AS "rev ge", t > id AS "rev gt"
FROM (VALUES (uuidv7_ceil('2022-02-22 19:22:22.123'))) v(id),
     unnest('{2022-02-22 19:22:22.122999, 2022-02-22 19:22:22.123, 2022-02-22 19:22:22.123001, 2022-02-22 19:22:22.124}'::timestamptz[]) t;
-- No comparison raises an error, because a time out of range is before or after all version 7 UUIDs.
SELECT t, bool_and(id < t) AS lt, bool_and(id <= t) AS le, bool_and(id >= t) AS ge, bool_and(id > t) AS gt,
       bool_or(id < t) AS "any lt", bool_or(id <= t) AS "any le", bool_or(id >= t) AS "any ge", bool_or(id > t) AS "any gt"
FROM unnest(ARRAY[uuidv7_floor('1970-01-01'), uuidv7(), uuidv7_ceil('10889-08-02 05:31:50.655')]) id,
     unnest('{-infinity, 4713-01-01 BC, 1969-12-31 23:59:59.999999, 10889-08-02 05:31:50.655001, 294276-12-31, infinity}'::timestamptz[]) t
GROUP BY t ORDER BY t;
-- The Nil UUID is after -infinity, and the Max UUID is after infinity.
SELECT nil_uuid() < '-infinity'::timestamptz AS lt, nil_uuid() <= '-infinity'::timestamptz AS le,
       max_uuid() >= 'infinity'::timestamptz AS ge, max_uuid() > 'infinity'::timestamptz AS gt;
-- UUIDs of other versions sort among those of version 7 by their bytes.
SELECT id, id >= timestamptz '2026-01-01' AS since_2026
FROM unnest('{10000000-0000-4000-8000-000000000000, 00000000-0000-4000-8000-000000000000,
              019b76da-a800-6fff-bfff-ffffffffffff, 019b76da-a800-7000-7fff-ffffffffffff,
              019b76da-a800-7000-8000-000000000000, 019b76da-a800-8000-8000-000000000000}'::uuid[]) id;

-- Many version 7 UUIDs from 1970 to 10889 compare like uuid_extract_time with bounds that are on, just before or just after
-- their millisecond, some milliseconds away, anywhere, or infinite. The bounds used in plans agree.
CREATE TABLE pair AS
SELECT uuidv7_at(t) AS id,
       CASE i % 10 WHEN 0 THEN ms WHEN 1 THEN ms - interval '1 us' WHEN 2 THEN ms + interval '1 us'
                   WHEN 3 THEN ms + interval '999 us' WHEN 4 THEN ms + interval '1 ms' WHEN 5 THEN ms - interval '1 ms'
                   WHEN 6 THEN ms + (random() * 10000 - 5000) * interval '1 us'
                   WHEN 7 THEN timestamptz '1900-01-01' + random() * interval '9100 years'
                   WHEN 8 THEN t
                   ELSE CASE i % 30 WHEN 9 THEN timestamptz '-infinity' WHEN 19 THEN 'infinity' ELSE ms END END AS bound
FROM (SELECT i, t, date_trunc('milliseconds', t) AS ms
      FROM (SELECT i, timestamptz '1970-01-01' + random() * 281474976 * interval '1000 s' AS t FROM generate_series(1, 100000) i) x) y;
SELECT count(*) AS pairs,
       count(*) FILTER (WHERE (id < bound) IS DISTINCT FROM (time < bound)) AS "<",
       count(*) FILTER (WHERE (id <= bound) IS DISTINCT FROM (time <= bound)) AS "<=",
       count(*) FILTER (WHERE (id >= bound) IS DISTINCT FROM (time >= bound)) AS ">=",
       count(*) FILTER (WHERE (id > bound) IS DISTINCT FROM (time > bound)) AS ">",
       count(*) FILTER (WHERE (bound < id) IS DISTINCT FROM (bound < time) OR (bound <= id) IS DISTINCT FROM (bound <= time)
                           OR (bound >= id) IS DISTINCT FROM (bound >= time) OR (bound > id) IS DISTINCT FROM (bound > time)) AS reversed,
       count(*) FILTER (WHERE (id < uuidv7_lower_bound(bound)) IS DISTINCT FROM (time < bound)
                           OR (id >= uuidv7_lower_bound(bound)) IS DISTINCT FROM (time >= bound)) AS boundaries
FROM pair, uuid_extract_time(id) AS time;
-- Each result of the comparisons occurs often.
SELECT count(*) FILTER (WHERE id < bound) > 10000 AS some_before, count(*) FILTER (WHERE id > bound) > 10000 AS some_after,
       count(*) FILTER (WHERE id >= bound AND id <= bound) > 10000 AS some_equal FROM pair;

-- Ranges of several shapes: empty, unbounded, infinite, half-open, and within one millisecond.
CREATE TABLE period AS
SELECT id, CASE i % 12 WHEN 0 THEN 'empty'::tstzrange
                       WHEN 1 THEN tstzrange(NULL, a, '()') WHEN 2 THEN tstzrange(NULL, a, '(]')
                       WHEN 3 THEN tstzrange(a, NULL, '[)') WHEN 4 THEN tstzrange(a, NULL, '()')
                       WHEN 5 THEN tstzrange(NULL, NULL)
                       WHEN 6 THEN tstzrange('-infinity', a, (ARRAY['()', '(]', '[)', '[]'])[i % 4 + 1])
                       WHEN 7 THEN tstzrange(a, 'infinity', (ARRAY['()', '(]', '[)', '[]'])[i % 4 + 1])
                       WHEN 8 THEN tstzrange(a, a, '[]')
                       ELSE tstzrange(least(a, b), greatest(a, b), (ARRAY['()', '(]', '[)', '[]'])[i % 4 + 1]) END AS r
FROM (SELECT id, row_number() OVER () AS i, bound AS a, uuid_extract_time(id) + (random() * 4000 - 2000)::int * interval '1 us' AS b
      FROM pair WHERE isfinite(bound)) x;
SELECT count(*) > 90000 AS enough,
       count(*) FILTER (WHERE (id <@ r) IS DISTINCT FROM (uuid_extract_time(id) <@ r)) AS "<@",
       count(*) FILTER (WHERE (r @> id) IS DISTINCT FROM (r @> uuid_extract_time(id))) AS "@>",
       count(*) FILTER (WHERE (id BETWEEN uuidv7_lower_bound(uuid_tstzrange_start(r)) AND uuid_tstzrange_end(r)) IS DISTINCT FROM (uuid_extract_time(id) <@ r)) AS boundaries,
       count(*) FILTER (WHERE id <@ r) > 10000 AS some_within, count(*) FILTER (WHERE NOT id <@ r) > 10000 AS some_without
FROM period;
-- A range that is not empty may contain no UUID.
CREATE TABLE nowhere AS SELECT nil_uuid() AS id, '[1900-01-01,1900-01-01]'::tstzrange AS r;
SELECT count(*) FROM nowhere WHERE id <@ r;
DROP TABLE nowhere;
-- A multirange contains the UUIDs that its ranges contain.
SELECT count(*) FILTER (WHERE (id <@ range_agg) IS DISTINCT FROM (uuid_extract_time(id) <@ range_agg)
                           OR (range_agg @> id) IS DISTINCT FROM (uuid_extract_time(id) <@ range_agg)) AS differ,
       count(*) FILTER (WHERE id <@ range_agg) > 1000 AS some_within, count(*) FILTER (WHERE NOT id <@ range_agg) > 1000 AS some_without
FROM (SELECT id, range_agg(r) OVER (ROWS BETWEEN 3 PRECEDING AND CURRENT ROW) FROM period LIMIT 50000) x;
SELECT id <@ '{}'::tstzmultirange AS empty, id <@ '{(,)}'::tstzmultirange AS unbounded, id <@ NULL::tstzmultirange AS null_range,
       NULL::uuid <@ '{}'::tstzmultirange AS null_id FROM period LIMIT 1;
PREPARE untyped AS SELECT FROM period WHERE id <@ $1 AND id <@ $2::tstzmultirange AND '{}'::tstzmultirange @> $3 AND $4 <@ '{}'::tstzmultirange;
SELECT parameter_types FROM pg_prepared_statements WHERE name = 'untyped';
DEALLOCATE untyped;
DROP TABLE pair, period;

-- An untyped literal or parameter compared with a uuid column is taken as a uuid.
CREATE TABLE literal (id uuid, at timestamptz);
SELECT count(*) FROM literal WHERE id > '018f0000-0000-7000-8000-000000000000' AND id BETWEEN '018f0000-0000-7000-8000-000000000000' AND '018f0000-0000-7000-8000-000000000000';
SELECT count(*) FROM literal WHERE id > '2026-01-01';
\echo :LAST_ERROR_SQLSTATE
SELECT count(*) FROM literal WHERE at < '2026-01-01' AND '2026-01-01' < at;
PREPARE untyped AS SELECT count(*) FROM literal WHERE id < $1 AND id >= $2 AND at < $3;
SELECT parameter_types FROM pg_prepared_statements WHERE name = 'untyped';
DEALLOCATE untyped;
-- With <@, an untyped literal is taken as a range of time. A date or timestamp is converted to a timestamptz as elsewhere.
SELECT uuidv7() <@ '[2000-01-01,)' AS within, '[2000-01-01,)' @> uuidv7() AS contains,
       uuidv7() > date '2000-01-01' AS date, uuidv7() > timestamp '2000-01-01' AS "timestamp", uuidv7_floor('2000-01-01') < current_date AS "current_date";
DROP TABLE literal;
-- As without the extension, an untyped literal or parameter next to a range of time is taken as a range, even in an array or next
-- to a domain, and the operator is core's.
CREATE DOMAIN booking AS tstzrange;
CREATE TABLE booked (id uuid, during tstzrange, booking booking, CHECK (during @> '[2026-01-02,2026-01-03)'));
INSERT INTO booked VALUES (uuidv7_at('2026-01-02 12:00:00+00'), '[2026-01-01,2026-02-01)', '[2026-01-01,2026-02-01)');
SELECT count(*) FROM booked
WHERE during @> '[2026-01-10,2026-01-15)' AND '[2026-01-10,2026-01-15)' <@ during AND during <@ '[2026-01-01,)' AND '[2026-01-01,)' @> during
  AND booking @> '[2026-01-10,2026-01-15)' AND '[2026-01-10,2026-01-15)' <@ booking
  AND during @> ANY ('{"[2026-01-10,2026-01-15)"}') AND during @> timestamptz '2026-01-10';
DO $$ DECLARE r tstzrange := '[2026-01-01,)'; BEGIN RAISE NOTICE '%', r @> '[2026-01-10,2026-01-15)'; END $$;
PREPARE untyped AS SELECT FROM booked WHERE during @> $1 AND $2 <@ during AND during <@ $3 AND during && $4;
SELECT parameter_types FROM pg_prepared_statements WHERE name = 'untyped';
DEALLOCATE untyped;
-- An untyped parameter of <@ or @> with a UUID is taken as a uuid_tstzrange.
PREPARE untyped AS SELECT FROM booked WHERE id <@ $1 AND $2 @> id AND id <@ $3::tstzrange;
SELECT parameter_types FROM pg_prepared_statements WHERE name = 'untyped';
DEALLOCATE untyped;
SELECT count(*) FROM booked WHERE id <@ during AND during @> id AND id <@ booking AND booking @> id AND id <@ '[2026-01-02,2026-01-03)';
-- Range types of UUIDs are not affected.
CREATE TYPE uuidrange AS RANGE (subtype = uuid);
SELECT id <@ uuidrange(uuidv7_floor('2026-01-01'), uuidv7_floor('2026-02-01')) AS within,
       uuidrange(uuidv7_floor('2026-01-01'), uuidv7_floor('2026-02-01')) @> id AS contains FROM booked;
DROP TYPE uuidrange;
DROP TABLE booked;
DROP DOMAIN booking;
-- The operators' functions are leakproof, because they raise no error and reveal their arguments only through the result.
SELECT oprname, count(*), bool_and(proleakproof) AS leakproof, bool_and(proisstrict) AS strict, bool_and(provolatile = 'i') AS immutable
FROM pg_operator o JOIN pg_proc p ON p.oid = oprcode
WHERE (oprleft, oprright) IN (('uuid'::regtype, 'timestamptz'::regtype), ('timestamptz'::regtype, 'uuid'::regtype),
                              ('uuid'::regtype, 'uuid_tstzrange'::regtype), ('uuid_tstzrange'::regtype, 'uuid'::regtype))
  AND oprname IN ('<', '<=', '>=', '>', '<@', '@>')
GROUP BY oprname ORDER BY oprname;

-- The layout of version 7 in draft-peabody-dispatch-new-uuid-format-02, which is used only on request.
\i tests/pg_regress/common.sql
-- 2022-02-22 19:22:22 is the Unix time 0x621537ee, and .5 is the first bit of the fraction.
SELECT uuid_extract_time('0621537e-e800-7000-8000-000000000000', 'draft-02');
-- UUIDs are read in the RFC's layout by default, or if it is named.
SELECT uuid_extract_time('0621537e-e800-7000-8000-000000000000', 'rfc9562'), uuid_extract_time('0621537e-e800-7000-8000-000000000000');
-- The layout does not affect other versions.
SELECT uuid_extract_time('C232AB00-9414-11EC-B3C8-9F6BDECED846', 'draft-02'),
       uuid_extract_time('1EC9414C-232A-6B00-B3C8-9F6BDECED846', 'DRAFT-02'),
       uuid_extract_time('919108f7-52d1-4320-9bac-f847db4148a8', 'draft-02') IS NULL,
       uuid_extract_time(max_uuid(), 'draft-02') IS NULL;

-- Times are read to the microsecond, over the whole range, and whatever follows them.
SELECT bool_and(uuid_extract_time(id, 'draft-02') = t)
FROM (SELECT timestamptz '2021-10-07Z' + i * interval '1 microsecond' AS t FROM generate_series(999990, 1010000) i
      UNION ALL VALUES (timestamptz '1970-01-01Z'), ('4147-08-20 07:32:15.999999Z')) moment,
    LATERAL (SELECT to_hex(ceil(extract(epoch FROM t) * 16777216)::bigint) AS digits) tick,
    LATERAL (SELECT (overlay(lpad(digits, 15, '0') PLACING '7' FROM 13 FOR 0) || right(gen_random_uuid()::text, 17))::uuid AS id) made;

SELECT pg_temp.outcome(call) FROM unnest(ARRAY[$$uuid_extract_time(nil_uuid(), 'draft-03')$$, $$uuid_extract_time(nil_uuid(), '')$$]) call;

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

-- Times are written and read back to the microsecond, over the whole range.
SELECT bool_and(uuid_extract_time(uuidv7_at(t, 'draft-02'), 'draft-02') = t), bool_and(uuid_extract_version(uuidv7_at(t, 'draft-02')) = 7)
FROM (SELECT timestamptz '2021-10-07Z' + i * interval '1 microsecond' AS t FROM generate_series(999990, 1010000) i
      UNION ALL VALUES (timestamptz '1970-01-01Z'), ('4147-08-20 07:32:15.999999Z')) moment;
SELECT bool_and(uuid_extract_time_us(uuidv7_at(t, 'rfc9562')) = t) FROM generate_series(1, 1000) i,
    LATERAL (SELECT timestamptz '2021-10-07Z' + i * interval '1 microsecond' AS t) moment;
-- UUIDs sort by time, and those of equal times in the order of the calls.
SELECT bool_and(id > previous) FROM (
    SELECT id, lag(id) OVER (ORDER BY i) AS previous FROM (
        SELECT i, uuidv7_at(timestamptz '2021-10-07Z' + i / 10 * interval '1 microsecond', 'draft-02') AS id
        FROM generate_series(1, 10000) i) made) ordered;

-- Unknown layouts and times out of range raise errors.
SELECT pg_temp.outcome(call) FROM unnest(ARRAY[
    $$uuid_extract_time(nil_uuid(), 'draft-03')$$,
    $$uuidv7_at('2022-01-01', '')$$,
    $$uuidv7_at('1969-12-31 23:59:59.999999Z', 'draft-02')$$,
    $$uuidv7_at('4147-08-20 07:32:16Z', 'draft-02')$$,
    $$uuidv7_at('infinity', 'draft-02')$$,
    $$uuidv7_at('-infinity', 'draft-02')$$,
    $$uuidv7_at('infinity', 'rfc9562')$$]) call;
SELECT uuid_extract_time(NULL, 'draft-02') IS NULL, uuid_extract_time(nil_uuid(), NULL) IS NULL, uuidv7_at(now(), NULL) IS NULL;

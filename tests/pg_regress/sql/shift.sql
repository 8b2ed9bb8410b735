-- uuidv7(interval): the current time, shifted as by timestamptz + interval.
\i tests/pg_regress/common.sql
SELECT count(*), string_agg(shift::text, ', ') FILTER (
    WHERE (uuid_extract_time(uuidv7(shift)) - (now() + shift) BETWEEN interval '-1 ms' AND interval '10 s') IS NOT TRUE) AS others
FROM unnest(ARRAY[interval '0', '1 microsecond', '-1 hour', '1 day', '-1 month', '100 years', '-50 years', '8800 years']) shift;

-- Days and months follow the calendar of the session's time zone.
SET TimeZone = 'Europe/Paris';
SELECT bool_and(abs(extract(epoch FROM uuid_extract_time(uuidv7(shift)) - (now() + shift))) < 10) AS as_paris
FROM generate_series(1, 400) d, LATERAL (SELECT d * interval '1 day' AS shift) s;
SET TimeZone = 'Pacific/Apia';
SELECT bool_and(abs(extract(epoch FROM uuid_extract_time(uuidv7(shift)) - (now() + shift))) < 10) AS as_apia
FROM generate_series(-300, 300) m, LATERAL (SELECT m * interval '1 month' AS shift) s;
SET TimeZone = 'UTC';

-- UUIDs with the same interval ascend and do not affect the sequence of uuidv7().
CREATE TEMP TABLE shifted AS SELECT n, uuidv7(interval '-1 year 123 microseconds') AS id, uuidv7() AS plain FROM generate_series(1, 50000) n;
SELECT bool_and(id > before) AS shifted_ascend, bool_and(plain > plain_before) AS plain_ascend
FROM (SELECT id, lag(id) OVER w AS before, plain, lag(plain) OVER w AS plain_before FROM shifted WINDOW w AS (ORDER BY n)) s;
SELECT bool_and(abs(extract(epoch FROM (now() - uuid_extract_time(plain)))) < 60) AS plain_is_now FROM shifted;

-- With an interval of zero, UUIDs belong to the sequence of uuidv7().
SELECT count(*) FILTER (WHERE unshifted <= plain) AS not_ascending
FROM (SELECT uuidv7() AS plain, uuidv7(interval '0') AS unshifted FROM generate_series(1, 50000)) s;

-- The time of a UUID is not before the clock's microsecond, so the interval from clock_timestamp() to the end of version 7's
-- range is always too long.
DO $$
BEGIN
    FOR n IN 1..5000 LOOP
        BEGIN
            RAISE WARNING 'made % in call %', uuidv7(timestamptz '10889-08-02 05:31:50.656Z' - clock_timestamp()), n;
        EXCEPTION WHEN datetime_field_overflow THEN
        END;
    END LOOP;
END $$;

-- Times before 1970, after 10889, or out of the range of timestamptz raise errors.
SELECT pg_temp.outcome(call) FROM unnest(ARRAY[
    $$uuidv7(interval '-60 years')$$,
    $$uuidv7(interval '-5000 years')$$,
    $$uuidv7(interval '9000 years')$$,
    $$uuidv7(interval '200000 years')$$,
    $$uuidv7(interval '178000000 years')$$,
    $$uuidv7(interval '-178000000 years')$$]) call;

-- The order of a session, whatever its clock does: a tick that is an hour ahead is as good as a clock that went back an hour.
SELECT set_config('uuidrfc_portable.v7', ((extract(epoch FROM now() + interval '1 hour') * 1000)::bigint << 12)::text, false) IS NOT NULL AS clock_went_back;
SELECT bool_and(id > before) AS ascending, bool_and(uuid_extract_time(id) > now() + interval '59 minutes') AS after_the_last
FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before
      FROM unnest(ARRAY[uuidv7(), uuidv7()] || uuidv7_array(10000) || uuidv7() || ARRAY(SELECT uuidv7_batch(20000)) || uuidv7()) WITH ORDINALITY AS made (id, n)) s;
-- So are versions 1 and 6.
SELECT set_config('uuidrfc_portable.v6', ((extract(epoch FROM now() + interval '1 hour') * 10000000)::bigint + 122192928000000000)::text, false) IS NOT NULL AS clock_went_back;
SELECT uuid_v1_to_v6(v1) > v6 AND later > uuid_v1_to_v6(v1) AS ascending, uuid_extract_time(v6) > now() + interval '59 minutes' AS after_the_last
FROM (SELECT uuidv6() AS v6, uuidv1() AS v1, uuidv6() AS later OFFSET 0) s;
-- A rollback forgets, and so does DISCARD ALL: the clock gives the order then, and UUIDs are made all the same.
BEGIN;
SELECT uuidv7() > uuidv7_floor(now() + interval '59 minutes') AS ahead;
SELECT set_config('uuidrfc_portable.v7', '0', false);
SELECT abs(extract(epoch FROM uuid_extract_time(uuidv7()) - clock_timestamp())) < 60 AS now;
ROLLBACK;
SELECT uuid_extract_time(uuidv7()) > now() + interval '59 minutes' AS ahead_again;
DISCARD ALL;
SELECT abs(extract(epoch FROM uuid_extract_time(uuidv7()) - clock_timestamp())) < 60 AS now,
       abs(extract(epoch FROM uuid_extract_time(uuidv6()) - clock_timestamp())) < 60 AS now;
SELECT count(DISTINCT id) FROM unnest(uuidv7_array(100000)) AS id;
-- The number of calls begins anew after the last one.
SELECT set_config('uuidrfc_portable.ordinal', '1073741822', false) IS NOT NULL AS nearly_full;
SELECT bool_and(id < before) FILTER (WHERE n = 2) AS begins_anew, bool_and(id > before) FILTER (WHERE n > 2) AS goes_on
FROM (SELECT n, id, lag(id) OVER (ORDER BY n) AS before FROM (SELECT n, uuidv7_at('2026-01-01') AS id FROM generate_series(1, 100) AS n OFFSET 0) made) s;
-- A query that calls them does not run in parallel, and queries of the other functions may.
SELECT count(*) FILTER (WHERE proparallel = 'u') > 0 OR current_setting('server_version_num')::integer >= 180000 AS unsafe,
       bool_and(proparallel <> 'u') FILTER (WHERE provolatile <> 'v') AS others_safe
FROM pg_proc WHERE pronamespace = 'public'::regnamespace;

-- The version and the variant, for every value of both fields.
\i tests/pg_regress/common.sql
SELECT variant, array_agg(DISTINCT digit) AS digits, bool_and(version IS NULL) AS no_version, count(*)
FROM (SELECT to_hex(b / 16) AS digit, uuid_extract_variant(u) AS variant, uuid_extract_version(u) AS version
      FROM generate_series(0, 15) v, generate_series(0, 255) b,
           LATERAL (SELECT format('00000000-0000-%s000-%s00-000000000000', to_hex(v), lpad(to_hex(b), 2, '0'))::uuid AS u) s) t
GROUP BY variant ORDER BY variant;
SELECT bool_and(uuid_extract_version(format('ffffffff-ffff-%sfff-%sfff-ffffffffffff', to_hex(v), n)::uuid) = v) AS version
FROM generate_series(0, 15) v, unnest(ARRAY['8', '9', 'a', 'b']) n;
SELECT uuid_extract_version(nil_uuid()) AS nil, uuid_extract_version(max_uuid()) AS max,
       uuid_extract_variant(nil_uuid()) AS nil_variant, uuid_extract_variant(max_uuid()) AS max_variant;

-- Only versions 1, 6 and 7 have a time.
SELECT array_agg(v ORDER BY v) AS versions, uuid_extract_time(u) IS NOT NULL AS time, uuid_extract_time_us(u) IS NOT NULL AS time_us,
       uuid_extract_timestamp(u) IS NOT DISTINCT FROM CASE WHEN v <> 6 THEN uuid_extract_time(u) END AS timestamp_but_of_6
FROM generate_series(0, 15) v, LATERAL (SELECT format('01a1fc41-dc91-%s169-bdef-82213fa612cf', to_hex(v))::uuid AS u) s
GROUP BY 2, 3, 4 ORDER BY 2;
SELECT uuid_extract_time(nil_uuid()) IS NULL AND uuid_extract_time(max_uuid()) IS NULL AS none;

-- The fraction of a millisecond is rounded down, so the time never reaches the next millisecond.
SELECT uuid_extract_time('017f22e2-79b0-7fff-bfff-ffffffffffff') = '2022-02-22 19:22:22+00' AS ms,
       uuid_extract_time_us('017f22e2-79b0-7fff-bfff-ffffffffffff') = '2022-02-22 19:22:22.000999+00' AS us,
       uuid_extract_time_us('017f22e2-79b0-7000-8000-000000000000') = '2022-02-22 19:22:22+00' AS zero;

-- The functions are immutable, so indexes can use them.
CREATE TEMP TABLE t (id uuid);
CREATE INDEX ON t (uuid_extract_time(id));
CREATE INDEX ON t (uuid_extract_version(id)) WHERE uuid_extract_variant(id) = 'rfc9562';

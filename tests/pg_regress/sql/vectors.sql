-- The version, variant and time of UUIDs from other sources.
\i tests/pg_regress/common.sql
CREATE TEMP TABLE vector (uuid uuid, version int, variant text, unix_us bigint, time timestamptz, source text);
\copy vector FROM 'tests/vectors.csv' CSV HEADER
SELECT count(*) > 50 AS enough, count(*) FILTER (WHERE (extract(epoch FROM time) * 1000000)::bigint <> unix_us) AS inconsistent
FROM vector;
SELECT uuid, uuid_extract_version(uuid), uuid_extract_variant(uuid), uuid_extract_time(uuid), source
FROM vector
WHERE uuid_extract_version(uuid) IS DISTINCT FROM version
   OR uuid_extract_variant(uuid) IS DISTINCT FROM variant
   OR uuid_extract_time(uuid) IS DISTINCT FROM time
   OR (version IN (1, 6) AND uuid_extract_time_us(uuid) IS DISTINCT FROM time)
   OR (version = 7 AND date_trunc('milliseconds', uuid_extract_time_us(uuid)) IS DISTINCT FROM time);
SELECT uuid_extract_version(uuid) AS version, count(uuid_extract_time(uuid)) > 0 AS has_time FROM vector GROUP BY 1 ORDER BY 1;

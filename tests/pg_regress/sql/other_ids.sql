-- IDs of other systems. tests/other_ids.csv has examples from the systems' documentation and from other sources.
\i tests/pg_regress/common.sql
CREATE TEMP TABLE vector (system text, epoch_ms bigint, type text, id text, sqlstate text, unix_us bigint, fields jsonb, uuid uuid, source text);
\copy vector FROM 'tests/other_ids.csv' CSV HEADER
ALTER TABLE vector ADD epoch timestamptz, ADD time timestamptz;
UPDATE vector SET epoch = coalesce(timestamptz 'epoch' + epoch_ms * interval '1 millisecond', '-infinity'),
                  time = timestamptz 'epoch' + unix_us / 1000000 * interval '1 second' + unix_us % 1000000 * interval '1 microsecond';
SELECT count(*) > 200 AS enough, count(*) FILTER (WHERE sqlstate IS NULL) > 200 AS enough_ids, count(DISTINCT system) FROM vector;
SELECT system, type, id, source, time, found.*
FROM vector, LATERAL (
    SELECT other_id_time(id, system, epoch), other_id_fields(id, system, epoch), other_id_to_uuid(id, system, epoch) WHERE type = 'text' UNION ALL
    SELECT other_id_time(id::bigint, system, epoch), other_id_fields(id::bigint, system, epoch), other_id_to_uuid(id::bigint, system, epoch) WHERE type = 'bigint' UNION ALL
    SELECT other_id_time(id::bytea, system, epoch), other_id_fields(id::bytea, system, epoch), other_id_to_uuid(id::bytea, system, epoch) WHERE type = 'bytea' UNION ALL
    SELECT other_id_time(id::uuid, system, epoch), other_id_fields(id::uuid, system, epoch), other_id_to_uuid(id::uuid, system, epoch) WHERE type = 'uuid'
) AS found (found_time, found_fields, found_uuid)
WHERE sqlstate IS NULL AND uuid IS NOT NULL
  AND (found_time IS DISTINCT FROM time OR found_fields IS DISTINCT FROM fields OR found_uuid IS DISTINCT FROM uuid);

-- Returns the smallest or the largest ID for a time, or null if IDs of the type do not sort by time.
CREATE FUNCTION pg_temp.bound(which text, type text, system text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    result text;
BEGIN
    EXECUTE format('SELECT other_id_%s(%L, %L, NULL::%s)::text', which, '2026-02-22 19:22:22.123456+00', system, type) INTO result;
    RETURN result;
EXCEPTION WHEN invalid_parameter_value THEN
    RETURN NULL;
END
$$;
SELECT system, type, pg_temp.bound('floor', type, system) AS floor, pg_temp.bound('ceil', type, system) AS ceil
FROM (SELECT DISTINCT system FROM vector) AS systems, unnest('{text,bigint,bytea,uuid}'::text[]) WITH ORDINALITY AS types (type, place)
WHERE pg_temp.bound('floor', type, system) IS NOT NULL ORDER BY system COLLATE "C", place;

-- The planner reduces the bounds to constants, so an index on the column is used and partitions are pruned.
CREATE TEMP TABLE tweet (id bigint PRIMARY KEY, text text);
INSERT INTO tweet SELECT other_id_floor(timestamptz '2022-01-01 00:00:00+00' + n * interval '1 minute', 'snowflake', NULL::bigint) FROM generate_series(0, 9999) n;
ANALYZE tweet;
EXPLAIN (COSTS OFF) SELECT * FROM tweet WHERE id >= other_id_floor('2022-01-02 00:00:00+00', 'snowflake', NULL::bigint) AND id < other_id_floor('2022-01-02 01:00:00+00', 'snowflake', NULL::bigint);
SELECT count(*) FROM tweet WHERE id >= other_id_floor('2022-01-02 00:00:00+00', 'snowflake', NULL::bigint) AND id < other_id_floor('2022-01-02 01:00:00+00', 'snowflake', NULL::bigint);
EXPLAIN (COSTS OFF) SELECT * FROM tweet WHERE id >= other_id_floor(now(), 'snowflake', NULL::bigint);
CREATE TEMP TABLE post (id bigint) PARTITION BY RANGE (id);
SELECT format('CREATE TEMP TABLE post_%s PARTITION OF post FOR VALUES FROM (%s) TO (%s)', year,
              other_id_floor(make_timestamptz(year, 1, 1, 0, 0, 0), 'mastodon', NULL::bigint),
              other_id_floor(make_timestamptz(year + 1, 1, 1, 0, 0, 0), 'mastodon', NULL::bigint))
FROM generate_series(2024, 2026) AS year \gexec
EXPLAIN (COSTS OFF) SELECT * FROM post WHERE id BETWEEN other_id_floor('2025-05-01', 'mastodon', NULL::bigint) AND other_id_ceil('2025-05-02', 'mastodon', NULL::bigint);
-- The time inside an ID can be stored in a generated column or indexed.
CREATE INDEX ON tweet (other_id_time(id, 'snowflake'));
CREATE TEMP TABLE media (id bigint, posted timestamptz GENERATED ALWAYS AS (other_id_time(id, 'shardingid', '2007-06-01 00:00:00+00')) STORED);
INSERT INTO media VALUES (1856634658674967553) RETURNING posted;

-- The names of systems are case-insensitive.
SELECT other_id_time('9m4e2mr0ui3e8a215n4g', 'XID');
-- The ID's type may also be a smaller integer, char or varchar, or a domain.
CREATE DOMAIN pg_temp.object_id AS bytea;
CREATE DOMAIN pg_temp.positive AS bigint CHECK (VALUE > 0);
CREATE DOMAIN pg_temp.negative AS bigint CHECK (VALUE < 0);
SELECT other_id_time(1, 'snowflake') = other_id_time(1::smallint, 'snowflake') AND other_id_time(1, 'snowflake') = other_id_time('1', 'snowflake') AS numbers,
       other_id_time('01ARYZ6S41TSV4RRFFQ69G5FAV'::char(26), 'ulid') = other_id_time('01ARYZ6S41TSV4RRFFQ69G5FAV'::varchar, 'ulid') AS texts,
       other_id_time('\x507c7f79bcf86cd7994f6c0e'::pg_temp.object_id, 'objectid');
PREPARE untyped AS SELECT other_id_time($1, 'xid');
SELECT parameter_types FROM pg_prepared_statements WHERE name = 'untyped';
SELECT other_id_floor(NULL, 'xid') IS NULL AND other_id_floor(now(), NULL) IS NULL AND other_id_ceil(now(), 'xid', epoch => NULL) IS NULL
   AND uuid_to_other_id(NULL, 'snowflake', NULL::bigint) IS NULL AS null_out;

-- Unknown systems, invalid IDs, types that a system does not have, and times out of range raise errors.
SELECT pg_temp.outcome(call) FROM unnest(ARRAY[
    $$other_id_time('1', 'twitter')$$,
    $$other_id_time(repeat('x', 1000), 'xid')$$,
    $$other_id_time('aWgEPTl1tmebfsQzFP4bxwgy80W', 'ksuid')$$,
    $$other_id_time(-1, 'snowflake')$$,
    $$other_id_time(-1, 'shardingid')$$,
    $$other_id_time('\x00'::bytea, 'xid')$$,
    $$other_id_time(decode(repeat('00', 1000), 'hex'), 'xid')$$,
    $$other_id_time(1, 'xid')$$,
    $$other_id_time(1.5, 'snowflake')$$,
    $$other_id_time('id', 'ulid')$$,
    $$other_id_time('id', 'snowflake')$$,
    $$other_id_time('id', 'ksuid')$$,
    $$other_id_time('\x00'::bytea, 'cuid')$$,
    $$other_id_time('00112233-4455-4abc-8def-ae44018b8200'::uuid, 'combguid-sql-datetime')$$,
    $$other_id_time('00112233-4455-7abc-8def-ae44013f40e8'::uuid, 'combguid-sql-datetime')$$,
    $$other_id_time('ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid, 'lexicaluuid')$$,
    $$other_id_to_uuid(other_id_floor('1969-12-31 23:59:59+00', 'combguid-postgresql-datetime', NULL::uuid), 'combguid-postgresql-datetime')$$,
    $$other_id_time(1, 'discord', '2015-01-01')$$,
    $$other_id_time(1, 'snowflake', '2015-01-01 00:00:00.0001')$$,
    $$other_id_time(1, 'snowflake', '1969-01-01')$$,
    $$other_id_time(1, 'snowflake', 'infinity')$$,
    $$other_id_floor('2010-11-04 01:42:54.656+00', 'snowflake', NULL::bigint)$$,
    $$other_id_floor('infinity', 'snowflake', NULL::bigint)$$,
    $$other_id_ceil('-infinity', 'flakeid', NULL::bigint)$$,
    $$other_id_floor('2046-06-27 17:00:49.496+00', 'shardingid', NULL::bigint)$$,
    $$other_id_floor('2046-06-27 17:00:49.497+00', 'shardingid', NULL::bigint)$$,
    $$other_id_floor('2026-01-01', 'snowflake')$$,
    $$other_id_floor('2026-01-01', 'combguid-sql', NULL::uuid)$$,
    $$other_id_floor('2060-01-01', 'cuid')$$,
    $$uuid_to_other_id(other_id_to_uuid('aWgEPTl1tmebfsQzFP4bxwgy80V', 'ksuid'), 'ksuid')$$,
    $$uuid_to_other_id(other_id_to_uuid('01ARYZ6S41TSV4RRFFQ69G5FAV', 'ulid'), 'ulid')$$,
    $$uuid_to_other_id('017f22e2-79b0-7cc3-98c4-dc0c0c07398f', 'snowflake')$$,
    $$uuid_to_other_id('017f22e2-79b0-7000-8000-000000000001', 'snowflake', NULL::bytea)$$,
    $$other_id_floor('2026-01-01', 'snowflake', NULL::pg_temp.positive)$$,
    $$other_id_floor('2026-01-01', 'snowflake', NULL::pg_temp.negative)$$]) call;

-- Many IDs are converted to version 7 in one statement, keep their order even within a millisecond, and are converted back.
CREATE TEMP TABLE status (id bigint NOT NULL, uuid uuid);
INSERT INTO status SELECT other_id_floor(timestamptz '2022-01-01 00:00:00+00' + n / 8 * interval '1 millisecond', 'snowflake', NULL::bigint)
                          + n % 8 * 524287 FROM generate_series(0, 99999) n;
UPDATE status SET uuid = other_id_to_uuid(id, 'snowflake');
SELECT count(*), count(DISTINCT uuid),
       count(*) FILTER (WHERE uuid <= before) AS out_of_order,
       count(*) FILTER (WHERE uuid_extract_version(uuid) IS DISTINCT FROM 7) AS other_version,
       count(*) FILTER (WHERE uuid_extract_time(uuid) IS DISTINCT FROM other_id_time(id, 'snowflake')) AS other_time,
       count(*) FILTER (WHERE uuid_to_other_id(uuid, 'snowflake', NULL::bigint) IS DISTINCT FROM id) AS lost
FROM (SELECT *, lag(uuid) OVER (ORDER BY id) AS before FROM status) AS ordered;

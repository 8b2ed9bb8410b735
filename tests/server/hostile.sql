-- For the test of hostile input: expressions that return random values, among them UUIDs of known versions and texts that are
-- nearly valid, and tables for the edge values and for the results. The edge values are those of edge_values.csv, the first and
-- the last UUID of each version, and UUIDs of other variants.
CREATE SCHEMA hostile;
CREATE TABLE hostile.edge (type text, expression text, since integer);
INSERT INTO hostile.edge
    SELECT 'uuid', quote_literal(format(first_or_last, to_hex(version))) FROM generate_series(0, 15) version,
        unnest('{00000000-0000-%s000-8000-000000000000, ffffffff-ffff-%sfff-bfff-ffffffffffff}'::text[]) first_or_last
    UNION ALL SELECT 'uuid', quote_literal(format('55555555-5555-%s555-%s555-555555555555', version, variant))
        FROM unnest('{1, 6, 7}'::text[]) version, unnest('{0, 7, c, d, e, f}'::text[]) variant;
CREATE TABLE hostile.outcome (signature text, calls bigint, errors bigint);
CREATE FUNCTION hostile.random_uuid() RETURNS uuid LANGUAGE sql AS $$
    SELECT CASE WHEN random() < 0.2 THEN bits ELSE
        overlay(overlay(bits PLACING to_hex(1 + (random() * 7)::integer) FROM 13)
                PLACING to_hex(8 + (random() * 3)::integer) FROM 17) END::uuid
    FROM (SELECT md5(random()::text) AS bits) r $$;
CREATE FUNCTION hostile.random_integer() RETURNS integer LANGUAGE sql AS $$
    SELECT ((random() - 0.3) * 2.0 ^ (random() * 31))::integer $$;
-- hostile.rs replaces {labels} and {formats} by the names that the crate rfc9562 declares.
CREATE FUNCTION hostile.any_of(choices text[]) RETURNS text LANGUAGE sql AS $$
    SELECT choices[1 + floor(random() * cardinality(choices))::integer] $$;
CREATE FUNCTION hostile.random_text() RETURNS text LANGUAGE sql AS $$
    SELECT CASE
        WHEN dice < 0.5 THEN hostile.any_of('{labels}')
        WHEN dice < 0.7 THEN one
        WHEN dice < 0.9 THEN overlay(one PLACING chr(1 + (random() * 1000)::integer) FROM 1 + (random() * 45)::integer)
        ELSE left(repeat(md5(random()::text) || 'ß€😀', 9), (random() * 300)::integer) END
    FROM (SELECT random() AS dice, uuid_encode(hostile.random_uuid(), hostile.any_of('{formats}')) AS one) r $$;
-- An expression for each type, which returns another value each time that it is evaluated.
CREATE TABLE hostile.random (type text, expression text);
INSERT INTO hostile.random VALUES
    -- There are only a few tables, because PostgreSQL keeps a descriptor of each table that a session has used.
    ('regclass', $$CASE (random() * 3)::integer WHEN 0 THEN 'pg_class' WHEN 1 THEN 'pg_am' WHEN 2 THEN 'hostile.edge' ELSE (hostile.random_integer() | 1073741824)::oid::regclass END$$),
    ('uuid', $$hostile.random_uuid()$$),
    ('timestamp with time zone', $$timestamptz '2000-01-01 00:00:00+00' + interval '1 second' * CASE WHEN random() < 0.5 THEN random() * 9433000000000 - 211813000000 ELSE (random() - 0.2) * 1e12 END$$),
    ('interval', $$make_interval(months => hostile.random_integer(), days => hostile.random_integer(), secs => (random() - 0.5) * 10 ^ (random() * 13)) * (random() ^ 9)$$),
    ('text', $$hostile.random_text()$$),
    ('bytea', $$decode(left(repeat(md5(random()::text), 9), 2 * (random() * CASE WHEN random() < 0.5 THEN 20 ELSE 144 END)::integer), 'hex')$$),
    ('smallint', $$((random() - 0.5) * 65534)::smallint$$),
    ('integer', $$hostile.random_integer()$$),
    ('bigint', $$((random() - 0.3) * 2.0 ^ (random() * 63))::bigint$$),
    ('boolean', $$random() < 0.5$$),
    ('tstzrange', $$CASE WHEN random() < 0.5 THEN tstzrange(NULL, to_timestamp(random() * 2e9), (ARRAY['()', '(]'])[1 + (random() * 1)::integer]) ELSE tstzrange(to_timestamp(random() * 2e9), to_timestamp((1 + random()) * 2e9), '[]') END$$),
    ('tstzmultirange', $$(SELECT range_agg(tstzrange(to_timestamp(random() * 2e9), to_timestamp((1 + random()) * 2e9), '[]')) FROM generate_series(1, (random() * 5)::integer))$$),
    ('tstzrange[]', $$ARRAY(SELECT tstzrange(to_timestamp(random() * 2e9), to_timestamp((1 + random()) * 2e9), '(]') FROM generate_series(1, (random() * 5)::integer))$$),
    ('uuid[]', $$ARRAY(SELECT hostile.random_uuid() FROM generate_series(1, (random() * 5)::integer))$$),
    ('text[]', $$ARRAY(SELECT hostile.random_text() FROM generate_series(1, (random() * 5)::integer))$$),
    ('date', $$(date '2000-01-01' + ((random() - 0.3) * 2.0 ^ (random() * 22))::integer)$$),
    ('timestamp without time zone', $$to_timestamp((random() - 0.1) * 2.0 ^ (random() * 40))::timestamp$$),
    ('timestamp with time zone[]', $$ARRAY(SELECT to_timestamp((random() - 0.1) * 2.0 ^ (random() * 40)) FROM generate_series(1, (random() * 5)::integer))$$);

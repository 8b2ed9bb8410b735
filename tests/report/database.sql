-- A database with every case of the report. The comment of a table is its expected line: what to do, and why. No extension is
-- needed. The numbers of rows are chosen for small=1MB.
\set ON_ERROR_STOP on
\set QUIET on
SET client_min_messages = warning;
SELECT setseed(0.5) \gset ignored_

CREATE SCHEMA make;
CREATE FUNCTION make.digits(bytes int) RETURNS text LANGUAGE sql VOLATILE AS
    $$SELECT left(string_agg(replace(gen_random_uuid()::text, '-', ''), ''), 2 * bytes) FROM generate_series(0, bytes / 16)$$;
CREATE FUNCTION make.v7(t timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS
    $$SELECT (lpad(to_hex(floor(extract(epoch FROM t) * 1000)::bigint), 12, '0') || '7' || substr(make.digits(2), 2)
              || '8' || substr(make.digits(8), 2))::uuid$$;
CREATE FUNCTION make.v6(t timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS
    $$SELECT overlay(lpad(to_hex((extract(epoch FROM t) * 1e7 + 122192928000000000)::bigint), 15, '0') || '8' || substr(make.digits(8), 2)
                     PLACING '6' FROM 13 FOR 0)::uuid$$;
CREATE FUNCTION make.v1(t timestamptz) RETURNS uuid LANGUAGE sql VOLATILE AS
    $$SELECT (substr(v, 8, 5) || substr(v, 14, 3) || substr(v, 4, 4) || '1' || left(v, 3) || right(v, 16))::uuid
      FROM (SELECT replace(make.v6(t)::text, '-', '') AS v) v6$$;
-- Returns the time of row n, if 40,000 rows are spread over the year that ended yesterday.
CREATE FUNCTION make.t(n int) RETURNS timestamptz LANGUAGE sql STABLE AS
    $$SELECT date_trunc('day', now()) - interval '1 day' - (40000 - n) * interval '788.4 seconds'$$;

-- Version 4 ---------------------------------------------------------------------------------------------------------------

CREATE TABLE v4_small (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text);
INSERT INTO v4_small (name) SELECT 'n' FROM generate_series(1, 1000);
COMMENT ON TABLE v4_small IS 'leave it: the index is small';

CREATE TABLE v4_large (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text);
INSERT INTO v4_large (name) SELECT 'n' FROM generate_series(1, 40000);
COMMENT ON TABLE v4_large IS 'new rows version 7: old keys may stay as they are';

CREATE TABLE v4_clock (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), created_at timestamptz NOT NULL DEFAULT now());
INSERT INTO v4_clock (created_at) SELECT make.t(n) FROM generate_series(1, 40000) n;
CREATE INDEX ON v4_clock (created_at);
COMMENT ON TABLE v4_clock IS 're-key: with the time of created_at in the key its index can go';

CREATE TABLE v4_then_v7 (id uuid PRIMARY KEY DEFAULT make.v7(now()), name text);
INSERT INTO v4_then_v7 SELECT gen_random_uuid(), 'n' FROM generate_series(1, 25000);
INSERT INTO v4_then_v7 SELECT make.v7(make.t(n)), 'n' FROM generate_series(25001, 40000) n;
COMMENT ON TABLE v4_then_v7 IS 'leave it: new keys come in order';

CREATE TABLE v7_with_v4 (id uuid PRIMARY KEY, name text);
INSERT INTO v7_with_v4 SELECT CASE WHEN n < 25000 THEN make.v7(make.t(n)) ELSE gen_random_uuid() END, 'n' FROM generate_series(1, 40000) n;
COMMENT ON TABLE v7_with_v4 IS 'new rows version 7: old keys may stay as they are';

-- The statistics of the table are reset at the end.
CREATE TABLE v4_still (id uuid PRIMARY KEY, name text);
INSERT INTO v4_still SELECT gen_random_uuid(), 'n' FROM generate_series(1, 40000);
COMMENT ON TABLE v4_still IS 'leave it: nothing was inserted since statistics were reset';

CREATE TABLE short_index (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), name text);
CREATE UNIQUE INDEX ON short_index (left(id::text, 8));
INSERT INTO short_index (name) SELECT 'n' FROM generate_series(1, 100);
COMMENT ON TABLE short_index IS 'leave it: short ids are the first digits of the key, which repeat in version 7';

CREATE TABLE short_column (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), short varchar(8) GENERATED ALWAYS AS (substr(id::text, 1, 8)) STORED);
INSERT INTO short_column SELECT FROM generate_series(1, 100);
COMMENT ON TABLE short_column IS 'leave it: short ids are the first digits of the key, which repeat in version 7';

-- Versions with a time ----------------------------------------------------------------------------------------------------

CREATE TABLE v7_alone (id uuid PRIMARY KEY, name text, updated_at timestamptz);
INSERT INTO v7_alone SELECT make.v7(make.t(n)), 'n', now() FROM generate_series(1, 1000) n;
COMMENT ON TABLE v7_alone IS 'leave it: new keys come in order';

CREATE TABLE v7_column (id uuid PRIMARY KEY, created_at timestamptz);
INSERT INTO v7_column SELECT make.v7(make.t(n)), make.t(n) FROM generate_series(1, 1000) n;
COMMENT ON TABLE v7_column IS 'drop the column: created_at is in the key';

CREATE TABLE v7_index (id uuid PRIMARY KEY, "at" timestamptz DEFAULT now());
INSERT INTO v7_index SELECT make.v7(make.t(n)), make.t(n) FROM generate_series(1, 1000) n;
CREATE INDEX ON v7_index ("at" DESC, id);
COMMENT ON TABLE v7_index IS 'drop the index: at is in the key';

-- The keys of imported rows have the time of the import.
CREATE TABLE v7_other_time (id uuid PRIMARY KEY, created_at timestamptz);
INSERT INTO v7_other_time SELECT make.v7(now()), make.t(n) FROM generate_series(1, 1000) n;
COMMENT ON TABLE v7_other_time IS 'leave it: new keys come in order';

CREATE TABLE v6_column (id uuid PRIMARY KEY, inserted timestamptz);
INSERT INTO v6_column SELECT make.v6(make.t(n)), make.t(n) FROM generate_series(1, 1000) n;
COMMENT ON TABLE v6_column IS 'drop the column: inserted is in the key';

CREATE TABLE v1_large (id uuid PRIMARY KEY, name text);
INSERT INTO v1_large SELECT make.v1(make.t(n)), 'n' FROM generate_series(1, 40000) n;
COMMENT ON TABLE v1_large IS 're-key: version 1 is in no order: index it by its time, or make it version 6';

CREATE TABLE v5 (id uuid PRIMARY KEY);
INSERT INTO v5 SELECT overlay(md5(n::text) PLACING '5' FROM 13 FOR 1)::uuid FROM generate_series(1, 3000) n WHERE md5(n::text) ~ '^.{16}[89ab]';
COMMENT ON TABLE v5 IS 'leave it: version 5 has no time';

-- Partitions, a domain, a trigger, a table without a key, references --------------------------------------------------------

CREATE DOMAIN make.id AS uuid;
CREATE TABLE parts (id make.id NOT NULL, created timestamptz NOT NULL, PRIMARY KEY (id)) PARTITION BY HASH (id);
CREATE TABLE parts_0 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 0);
CREATE TABLE parts_1 PARTITION OF parts FOR VALUES WITH (MODULUS 2, REMAINDER 1);
INSERT INTO parts SELECT make.v7(make.t(n)), make.t(n) FROM generate_series(1, 3000) n;
CREATE INDEX ON parts (created);
COMMENT ON TABLE parts IS 'drop the index: created is in the key';

CREATE FUNCTION make.fill() RETURNS trigger LANGUAGE plpgsql AS $$BEGIN NEW.id := gen_random_uuid(); RETURN NEW; END$$;
CREATE TABLE by_trigger (id uuid PRIMARY KEY);
CREATE TRIGGER fill BEFORE INSERT ON by_trigger FOR EACH ROW EXECUTE FUNCTION make.fill();
INSERT INTO by_trigger SELECT FROM generate_series(1, 100);
COMMENT ON TABLE by_trigger IS 'leave it: the index is small';

CREATE TABLE v4_more (id uuid PRIMARY KEY REFERENCES v4_large, more text);
INSERT INTO v4_more SELECT id FROM v4_large;
COMMENT ON TABLE v4_more IS 'leave it: its ids are those of the tables that it refers to';
CREATE TABLE link (a uuid REFERENCES v4_small, b uuid REFERENCES v4_large, PRIMARY KEY (a, b));
INSERT INTO link SELECT a.id, b.id FROM (SELECT id, row_number() OVER () AS n FROM v4_small) a
JOIN (SELECT id, row_number() OVER () AS n FROM v4_large) b USING (n);
COMMENT ON TABLE link IS 'leave it: its ids are those of the tables that it refers to';

-- UUIDs as text and bytea -----------------------------------------------------------------------------------------------------

CREATE TABLE uuid_as_text (id text PRIMARY KEY);
INSERT INTO uuid_as_text SELECT gen_random_uuid() FROM generate_series(1, 100);
COMMENT ON TABLE uuid_as_text IS 're-key: id: UUIDs as text, which uuid holds in 16 bytes';
CREATE TABLE uuid_as_char (id char(32) PRIMARY KEY);
INSERT INTO uuid_as_char SELECT upper(replace(make.v7(make.t(n))::text, '-', '')) FROM generate_series(1, 100) n;
COMMENT ON TABLE uuid_as_char IS 're-key: id: UUIDs as text, which uuid holds in 16 bytes';
CREATE TABLE uuid_as_bytea (id bytea PRIMARY KEY);
INSERT INTO uuid_as_bytea SELECT uuid_send(gen_random_uuid()) FROM generate_series(1, 100);
COMMENT ON TABLE uuid_as_bytea IS 're-key: id: UUIDs as bytea, which uuid holds in 16 bytes';
CREATE TABLE uuid_beside (id int PRIMARY KEY, request_id text, body text);
INSERT INTO uuid_beside SELECT n, gen_random_uuid(), repeat('text ', n) FROM generate_series(1, 100) n;
COMMENT ON TABLE uuid_beside IS 're-key: request_id: UUIDs as text, which uuid holds in 16 bytes';

-- IDs of other systems ----------------------------------------------------------------------------------------------------

CREATE FUNCTION make.number(t timestamptz, bits int, epoch numeric, unit int DEFAULT 1) RETURNS bigint LANGUAGE sql VOLATILE AS
    $$SELECT (floor((extract(epoch FROM t) * 1000 - epoch) / unit) * 2 ^ bits::numeric)::bigint + floor(random() * 2 ^ bits)::bigint$$;
CREATE FUNCTION make.base(n numeric, alphabet text, length int) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE r text = '';
BEGIN
    FOR i IN 1..length LOOP
        r := substr(alphabet, (n % length(alphabet))::int + 1, 1) || r;
        n := div(n, length(alphabet));
    END LOOP;
    RETURN r;
END$$;
CREATE FUNCTION make.ms(t timestamptz) RETURNS numeric LANGUAGE sql STABLE AS $$SELECT floor(extract(epoch FROM t) * 1000)$$;
CREATE FUNCTION make.random(bits int) RETURNS numeric LANGUAGE sql VOLATILE AS $$SELECT floor(random()::numeric * 2 ^ bits::numeric)$$;

CREATE FUNCTION make.v4(digits text) RETURNS uuid LANGUAGE sql IMMUTABLE AS
    $$SELECT overlay(overlay(digits PLACING '4' FROM 13 FOR 1) PLACING '8' FROM 17 FOR 1)::uuid$$;

CREATE TABLE other (name text PRIMARY KEY, type text, value text, expected text DEFAULT 'leave it: %s');
INSERT INTO other VALUES
    ('snowflake', 'bigint', 'make.number(t, 22, 1288834974657)'), ('discord', 'bigint', 'make.number(t, 22, 1420070400000)'),
    ('linkedin', 'bigint', 'make.number(t, 22, 0)'), ('mastodon', 'bigint', 'make.number(t, 16, 0)'),
    ('pgedge', 'bigint', 'make.number(t, 22, 1672531200000)'), ('shardingid', 'bigint', 'make.number(t, 23, 1314220021721)'),
    ('sonyflake', 'bigint', 'make.number(t, 24, 1409529600000, 10)'),
    ('ordereduuid', 'uuid', $$make.v4(lpad(to_hex((make.ms(t) * 100)::bigint), 12, '0') || make.digits(10))$$),
    ('combguid-postgresql', 'uuid', $$make.v4(lpad(to_hex(make.ms(t)::bigint), 12, '0') || make.digits(10))$$),
    ('combguid-sql', 'uuid', $$make.v4(make.digits(10) || lpad(to_hex(make.ms(t)::bigint), 12, '0'))$$),
    ('combguid-sql-datetime', 'uuid', $$make.v4(make.digits(10) || to_hex(t::date - date '1900-01-01')
        || lpad(to_hex((extract(epoch FROM t::time) * 300)::int), 8, '0'))$$),
    ('lexicaluuid', 'uuid', $$lpad(to_hex((make.ms(t) * 1000)::bigint), 16, '0') || make.digits(8)$$);
INSERT INTO other SELECT name, 'text', value, 're-key: id: %s as text, which uuid holds in 16 bytes' FROM (VALUES
    ('ulid', $$make.base(make.ms(t) * 2 ^ 80::numeric + make.random(80), '0123456789ABCDEFGHJKMNPQRSTVWXYZ', 26)$$),
    ('ksuid', $$make.base((div(make.ms(t), 1000) - 1400000000) * 2 ^ 128::numeric + make.random(128),
                          '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 27)$$),
    ('elasticflake', $$translate(encode(decode(lpad(to_hex(make.ms(t)::bigint), 12, '0') || make.digits(9), 'hex'), 'base64'), '+/', '-_')$$),
    ('pushid', $$make.base(make.ms(t), '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz', 8) || make.digits(6)$$),
    ('xid', $$make.base((div(make.ms(t), 1000) * 2 ^ 64::numeric + make.random(64)) * 16, '0123456789abcdefghijklmnopqrstuv', 20)$$),
    ('objectid', $$to_hex(div(make.ms(t), 1000)::bigint) || make.digits(8)$$),
    ('cuid', $$'c' || make.base(make.ms(t), '0123456789abcdefghijklmnopqrstuvwxyz', 8) || make.digits(8)$$)) o(name, value);
SELECT format('CREATE TABLE %I (id %s PRIMARY KEY)', 'other_' || name, type),
       format('INSERT INTO %I SELECT (%s)::%s FROM (SELECT make.t(n * 50) AS t FROM generate_series(1, 800) n OFFSET 0) n', 'other_' || name, value, type),
       format('COMMENT ON TABLE %I IS %L', 'other_' || name, format(expected, name)) FROM other \gexec
COMMENT ON TABLE other IS NULL;
COMMENT ON TABLE "other_linkedin" IS 'leave it: linkedin or flakeid';

-- What the report leaves out, and what its role may not read --------------------------------------------------------------------

CREATE TABLE numbers (id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY, name text);
INSERT INTO numbers (name) SELECT 'n' FROM generate_series(1, 3000);
CREATE TABLE "Large numbers" (id bigint PRIMARY KEY);
INSERT INTO "Large numbers" SELECT 5000000000 + n FROM generate_series(1, 3000) n;
CREATE TABLE empty (id uuid PRIMARY KEY);
COMMENT ON TABLE empty IS 'leave it: it is empty';

CREATE TABLE secret (id uuid PRIMARY KEY, name text);
INSERT INTO secret SELECT gen_random_uuid();
COMMENT ON TABLE secret IS 'unknown: column id may not be read';
CREATE TABLE guarded (id uuid PRIMARY KEY, name text);
INSERT INTO guarded SELECT make.v7(make.t(n)) FROM generate_series(1, 100) n;
ALTER TABLE guarded ENABLE ROW LEVEL SECURITY;
CREATE POLICY half ON guarded USING (uuid_hash(id) % 2 = 0);
COMMENT ON TABLE guarded IS 'leave it: new keys come in order';

-- A policy that makes reading the table slow.
CREATE SCHEMA slow;
CREATE TABLE slow.slow (id uuid PRIMARY KEY);
INSERT INTO slow.slow SELECT gen_random_uuid() FROM generate_series(1, 1000);
ALTER TABLE slow.slow ENABLE ROW LEVEL SECURITY;
CREATE POLICY slow ON slow.slow USING (pg_sleep(0.1) IS NOT NULL);

CREATE ROLE reader;
GRANT USAGE ON SCHEMA slow TO reader;
GRANT SELECT ON slow.slow TO reader;
GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader;
REVOKE SELECT ON secret FROM reader;
GRANT SELECT (name) ON secret TO reader;

-- A session's counters are added to the statistics when it ends.
\connect -
SELECT pg_stat_reset_single_table_counters('v4_still'::regclass) \gset ignored_

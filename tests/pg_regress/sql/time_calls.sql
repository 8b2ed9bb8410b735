-- Conditions on uuidv7_time(id) are planned like conditions on id and select the same rows as if the function were evaluated for
-- each row. (The server tests have more conditions: `forms` tests that they use an index, and `differential` that they select the
-- same rows.)
\i tests/pg_regress/common.sql

-- The function returns the millisecond of a version 7 UUID, and null for all others.
SELECT uuidv7_time('017f22e2-79b0-7cc3-98c4-dc0c0c07398f'), uuidv7_time('c232ab00-9414-11ec-b3c8-9f6bdeced846') IS NULL AS "1", uuidv7_time('1ec9414c-232a-6b00-b3c8-9f6bdeced846') IS NULL AS "6",
    uuidv7_time('017f22e2-79b0-4cc3-98c4-dc0c0c07398f') IS NULL AS "4", uuidv7_time('017f22e2-79b0-7cc3-58c4-dc0c0c07398f') IS NULL AS "another variant", uuidv7_time(nil_uuid()) IS NULL AS nil, uuidv7_time(max_uuid()) IS NULL AS max;
SELECT uuidv7_time(uuidv7_floor('1970-01-01')), uuidv7_time('ffffffff-ffff-7fff-bfff-ffffffffffff');

-- Forms of conditions that the server test `differential` does not cover. The rows include UUIDs of other versions and variants,
-- UUIDs at bounds, and null.
CREATE TABLE every (k int GENERATED ALWAYS AS IDENTITY, id uuid);
CREATE INDEX ON every (id);
INSERT INTO every (id) SELECT uuidv7_floor(t) FROM unnest('{1970-01-01, 1970-01-01 00:00:00.001, 2026-01-01, 2026-01-01 00:00:00.001, 2026-01-02, 10889-08-02 05:31:50.655}'::timestamptz[]) t
    UNION ALL SELECT uuidv7_ceil(t) FROM unnest('{1970-01-01, 2026-01-01, 2026-01-01 00:00:00.001, 2026-01-02, 10889-08-02 05:31:50.655}'::timestamptz[]) t
    UNION ALL SELECT overlay(uuidv7_floor('2026-01-01')::text placing v from 15 for 1)::uuid FROM unnest('{0,1,4,6,8,f}'::text[]) v
    UNION ALL SELECT overlay(uuidv7_ceil('2026-01-01')::text placing v from 20 for 1)::uuid FROM unnest('{0,7,c,f}'::text[]) v
    UNION ALL SELECT unnest(ARRAY[nil_uuid(), max_uuid(), NULL]);
CREATE TABLE asked (t timestamptz);
INSERT INTO asked SELECT unnest('{-infinity, 1960-01-01, 1969-12-31 23:59:59.9995, 1970-01-01, 1970-01-01 00:00:00.0005, 2026-01-01, 2026-01-01 00:00:00.000001, 2026-01-01 00:00:00.001, 2026-01-02, 10889-08-02 05:31:50.655, 10889-08-02 05:31:50.656, 12000-01-01, infinity, NULL}'::timestamptz[]);
CREATE FUNCTION pg_temp.differing(condition text, of_table text DEFAULT 'every') RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(query, '; ') FILTER (WHERE rewritten IS DISTINCT FROM computed),
                    format('%s tried, %s rows', count(*), sum(coalesce(cardinality(string_to_array(computed, ' ')), 0))))
    FROM asked, LATERAL replace(condition, '$t', format('%L::timestamptz', t)) AS spelled,
         LATERAL format('SELECT k FROM %s WHERE %s ORDER BY k', of_table, spelled) AS query,
         LATERAL pg_temp.result(query, 'on') AS rewritten, LATERAL pg_temp.result(query, 'off') AS computed $$;
SELECT condition, pg_temp.differing(condition) FROM unnest(ARRAY[
    '(uuidv7_time(id) < $t) IS NOT TRUE', 'CASE WHEN uuidv7_time(id) < $t THEN false ELSE true END',
    'uuidv7_time(id) < $t OR uuidv7_time(id) IS NULL', 'uuidv7_time(id) < $t AND (uuidv7_time(id) > ''1970-01-01'' OR k < 3)',
    'uuidv7_time(id) <= $t::date', 'uuidv7_time(id) = $t::date', 'uuidv7_time(id) > $t::date', 'uuidv7_time(id) < $t::timestamp', 'uuidv7_time(id) = $t::timestamp', '$t::timestamp >= uuidv7_time(id)',
    'uuidv7_time(id) > date ''5874897-12-31''', 'uuidv7_time(id) < date ''5874897-12-31''', 'uuidv7_time(id) < date ''4713-01-01 BC''', 'uuidv7_time(id) >= date ''4713-01-01 BC''', 'uuidv7_time(id) < timestamp ''294276-12-31 23:59:59''',
    'uuidv7_time(id) BETWEEN SYMMETRIC ''2026-01-01'' AND $t', 'uuidv7_time(id) NOT IN (''2026-01-01'', $t)',
    'uuidv7_time(id) = ANY (ARRAY[$t, ''2020-01-01''::timestamptz + (now() - now())])', 'uuidv7_time(id) <= ANY (ARRAY[$t, ''2020-01-01''::timestamptz + (now() - now())])', 'uuidv7_time(id) > ALL (ARRAY[$t, ''2020-01-01''::timestamptz + (now() - now())])',
    'uuidv7_time(id) = ANY (ARRAY(SELECT t FROM asked WHERE t < $t))',
    '(uuidv7_time(id), k) < ($t, 5)', '(uuidv7_time(id), k) >= ($t, 5)', '($t, 5) > (uuidv7_time(id), k)', '(uuidv7_time(id), k) = ($t, 5)']) WITH ORDINALITY u(condition, n) ORDER BY n;

-- A thousand keys for each day of 2023.
CREATE TABLE event (id uuid PRIMARY KEY, n int);
INSERT INTO event SELECT uuidv7_at(timestamptz '2023-01-01' + n * interval '86.4 s'), n FROM generate_series(0, 364999) n;
VACUUM ANALYZE event;
CREATE VIEW item AS SELECT *, uuidv7_time(id) AS created_at FROM event;
CREATE TABLE shift (n int, start timestamptz, period tstzrange);
INSERT INTO shift SELECT n, start, tstzrange(start, start + interval '8 hours')
FROM (SELECT n, timestamptz '2023-03-01' + n * interval '1 day' AS start FROM generate_series(1, 5) n) x;
ANALYZE shift;
SELECT pg_temp.plan($$SELECT * FROM item WHERE created_at >= '2023-12-31'$$);
-- No UUID has a time between two milliseconds.
SELECT count(*) AS empty_plans FROM unnest(ARRAY['= ''2023-06-01 00:00:00.0005''', 'IN (''2023-06-01 00:00:00.0005'', ''infinity'')']) shape, pg_temp.plan('SELECT * FROM item WHERE created_at ' || shape) line WHERE line ~ 'One-Time Filter: false';
SELECT pg_temp.plan($$SELECT * FROM item WHERE created_at IN ('2023-06-01', '2023-06-01 00:00:00.0005')$$);
SELECT pg_temp.plan($$SELECT * FROM item WHERE created_at < '1960-01-01'$$);
SELECT pg_temp.plan($$SELECT * FROM item WHERE created_at > ANY ('{2023-12-31,2023-12-30}'::timestamptz[])$$);
SELECT pg_temp.plan($$SELECT * FROM shift s LEFT JOIN item i ON i.created_at = s.start$$);
SELECT pg_temp.plan($$SELECT * FROM (SELECT * FROM item OFFSET 0) i WHERE created_at >= '2023-12-31'$$);
SELECT pg_temp.plan($$SELECT * FROM (SELECT * FROM item UNION ALL SELECT * FROM item) i WHERE uuidv7_time(id) >= '2023-12-31'$$);
CREATE VIEW both_items AS SELECT *, uuidv7_time(id) AS created_at FROM event UNION ALL SELECT *, uuidv7_time(id) FROM event;
SELECT pg_temp.plan($$SELECT * FROM both_items WHERE created_at = '2023-12-31 00:00:00.0005'$$);
SELECT pg_temp.plan($$SELECT * FROM both_items WHERE created_at >= '2023-12-31' AND created_at < '2024-01-01'$$);
SELECT count(*), count(DISTINCT n) FROM both_items WHERE created_at >= '2023-12-31' OR n = 5 AND created_at < '2023-01-02';
-- The filter, which differs between PostgreSQL versions, is omitted.
SELECT line FROM pg_temp.plan($$SELECT * FROM item WHERE NOT created_at <@ tstzrange('2023-01-02', '2023-12-31')$$) line WHERE line !~ 'Filter: ';
-- A volatile expression is evaluated once per row for each occurrence.
SELECT pg_temp.plan($$SELECT * FROM item WHERE created_at >= clock_timestamp()$$);
SELECT pg_temp.plan($$SELECT * FROM item WHERE created_at = clock_timestamp()$$);
-- PREPARE infers that a parameter compared with the function is a timestamptz, whereas one compared with the UUID is a uuid.
PREPARE untyped AS SELECT * FROM event WHERE uuidv7_time(id) >= $1 AND uuidv7_time(id) BETWEEN $2 AND $3;
PREPARE untyped_uuid AS SELECT * FROM event WHERE id >= $1;
SELECT name, parameter_types FROM pg_prepared_statements WHERE name ^@ 'untyped' ORDER BY name;

-- Partial indexes, and an index on the function, are used as without rewriting.
CREATE TABLE early (id uuid, n int);
INSERT INTO early SELECT * FROM event WHERE n % 100 = 0;
CREATE INDEX early_partial ON early (id) WHERE uuidv7_time(id) >= '2023-06-01';
ANALYZE early;
SELECT pg_temp.plan($$SELECT * FROM early WHERE uuidv7_time(id) >= '2023-12-31'$$);
DROP INDEX early_partial;
CREATE INDEX early_time ON early (uuidv7_time(id));
CREATE INDEX early_id ON early (id);
ANALYZE early;
SELECT pg_temp.plan($$SELECT * FROM early WHERE uuidv7_time(id) >= '2023-12-31'$$);

-- A table with a partition for each of four months.
CREATE TABLE visit (id uuid PRIMARY KEY, n int) PARTITION BY RANGE (id);
SELECT format('CREATE TABLE visit_%s PARTITION OF visit FOR VALUES FROM (%L) TO (%L)', m, uuidv7_floor(make_timestamptz(2023, m, 1, 0, 0, 0)), uuidv7_floor(make_timestamptz(2023, m, 1, 0, 0, 0) + interval '1 month')) FROM generate_series(1, 4) m \gexec
CREATE VIEW visit_v AS SELECT *, uuidv7_time(id) AS created_at FROM visit;

-- With row-level security, the condition may be evaluated before the policy.
CREATE ROLE regress_reader;
CREATE TABLE secret (id uuid PRIMARY KEY, owner text);
INSERT INTO secret SELECT id, 'nobody' FROM event WHERE n % 100 = 0;
ANALYZE secret;
ALTER TABLE secret ENABLE ROW LEVEL SECURITY;
CREATE POLICY own ON secret USING (owner = current_user AND uuidv7_time(id) >= '2023-06-01');
GRANT SELECT ON secret TO regress_reader;
SET ROLE regress_reader;
SELECT pg_temp.plan($$SELECT * FROM secret WHERE uuidv7_time(id) >= '2023-12-31'$$);
RESET ROLE;
-- A role that may not execute a function gets a plan without the function, even in place of a cached plan.
PREPARE secrets AS SELECT count(*) FROM secret WHERE uuidv7_time(id) >= '2023-12-31';
SET ROLE regress_reader;
EXECUTE secrets;
RESET ROLE;
REVOKE EXECUTE ON FUNCTION uuid_ge_timestamptz(uuid, timestamptz) FROM PUBLIC;
SET ROLE regress_reader;
SELECT pg_temp.plan($$SELECT * FROM secret WHERE uuidv7_time(id) >= '2023-12-31'$$);
EXECUTE secrets;
RESET ROLE;
GRANT EXECUTE ON FUNCTION uuid_ge_timestamptz(uuid, timestamptz) TO PUBLIC;
DEALLOCATE secrets;

-- If privileges have been revoked, a cached plan is used only for the role for which it was created.
REVOKE EXECUTE ON FUNCTION uuid_time_next(timestamptz), uuid_time_bound(text, text, anynonarray, anycompatiblenonarray, text) FROM PUBLIC;
GRANT SELECT ON event TO regress_reader;
PREPARE kept (timestamptz) AS SELECT count(*) FROM event WHERE uuidv7_time(id) > $1;
PREPARE joined AS SELECT count(*) FROM generate_series(1, 2) d JOIN event ON uuidv7_time(id)::date = date '2023-12-29' + d;
SET plan_cache_mode = force_generic_plan;
EXECUTE kept ('2023-12-31');
EXECUTE joined;
SET ROLE regress_reader;
EXECUTE kept ('2023-12-31');
EXECUTE joined;
RESET ROLE;
RESET plan_cache_mode;
DEALLOCATE kept;
DEALLOCATE joined;
GRANT EXECUTE ON FUNCTION uuid_time_next(timestamptz), uuid_time_bound(text, text, anynonarray, anycompatiblenonarray, text) TO PUBLIC;

-- Conditions that an index on the function supports are not rewritten, even on partitions and inheritance children.
CREATE TABLE listed (tenant int, id uuid) PARTITION BY LIST (tenant);
CREATE TABLE listed_1 PARTITION OF listed FOR VALUES IN (1);
CREATE INDEX ON listed (uuidv7_time(id));
CREATE INDEX ON listed (typeid_encode('event', id));
INSERT INTO listed SELECT 1, id FROM event WHERE n % 10 = 0;
CREATE TABLE ancestor (id uuid);
CREATE TABLE child () INHERITS (ancestor);
CREATE INDEX ON ancestor (uuidv7_time(id));
CREATE INDEX ON child (uuidv7_time(id));
INSERT INTO child SELECT id FROM event WHERE n % 10 = 0;
ANALYZE listed, child;
SELECT pg_temp.plan($$SELECT * FROM listed WHERE uuidv7_time(id) >= '2023-12-31'$$);
SELECT pg_temp.plan($$SELECT * FROM listed WHERE typeid_encode('event', id) = 'event_01h455vb4pex5vsknk084sn02q'$$);
SELECT pg_temp.plan($$SELECT * FROM ancestor WHERE uuidv7_time(id) >= '2023-12-31'$$);
DROP TABLE listed, ancestor, child;
-- An index on the function prevents rewriting only if it can support the query, unlike a partial index whose predicate the query
-- does not imply, an invalid index, or a B-tree that begins with a column on which the query has no condition.
CREATE INDEX event_few ON event (uuidv7_time(id)) WHERE n < 5;
SELECT query, EXISTS (SELECT FROM pg_temp.plan(query) line WHERE line ~ 'Index Cond: .id >=') AS by_id, EXISTS (SELECT FROM pg_temp.plan(query) line WHERE line ~ 'event_few') AS by_time
FROM unnest(ARRAY[$$SELECT * FROM event WHERE uuidv7_time(id) >= '2023-12-31'$$, $$SELECT * FROM event WHERE n < 4 AND uuidv7_time(id) >= '2023-01-01'$$]) query;
DROP INDEX event_few;
CREATE INDEX event_n ON event (n, uuidv7_time(id));
SELECT query, EXISTS (SELECT FROM pg_temp.plan(query) line WHERE line ~ 'Index Cond: .id >=') AS by_id, EXISTS (SELECT FROM pg_temp.plan(query) line WHERE line ~ 'Index Cond: .*uuidv7_time') AS by_time
FROM unnest(ARRAY[$$SELECT * FROM event WHERE uuidv7_time(id) >= '2023-12-31'$$, $$SELECT * FROM event WHERE n = 4 AND uuidv7_time(id) >= '2023-01-01'$$]) query;
DROP INDEX event_n;
CREATE INDEX event_brin ON event USING brin (n, uuidv7_time(id));
SELECT count(*) > 0 AS by_time FROM pg_temp.plan($$SELECT * FROM event WHERE uuidv7_time(id) >= '2023-12-31'$$) line WHERE line ~ 'uuidv7_time.id. >=';
DROP INDEX event_brin;
CREATE INDEX visit_time ON ONLY visit (uuidv7_time(id));
SELECT count(DISTINCT substring(line FROM 'visit_[0-9]')) AS partitions FROM pg_temp.plan($$SELECT * FROM visit WHERE uuidv7_time(id) >= '2023-04-20'$$) line;
DROP INDEX visit_time;
CREATE INDEX visit_time ON visit (uuidv7_time(id)) WHERE uuidv7_time(id) >= '2023-04-10';
SELECT count(*) > 0 AS by_time FROM pg_temp.plan($$SELECT * FROM visit WHERE uuidv7_time(id) >= '2023-04-20'$$) line WHERE line ~ 'Index Cond: .uuidv7_time.id. >=';
DROP INDEX visit_time;
CREATE INDEX visit_tenant ON visit (abs(n), n, uuidv7_time(id));
SELECT count(DISTINCT substring(line FROM 'visit_[0-9]')) AS partitions FROM pg_temp.plan($$SELECT * FROM visit WHERE uuidv7_time(id) >= '2023-04-20'$$) line;
SELECT count(*) > 0 AS by_time FROM pg_temp.plan($$SELECT * FROM visit WHERE abs(n) = 4 AND n = 4 AND uuidv7_time(id) >= '2023-04-20'$$) line WHERE line ~ 'Index Cond: .*uuidv7_time.id. >=';
DROP INDEX visit_tenant;

-- The clauses that a kept condition implies are added once, however many tables the query has.
CREATE TABLE due (n int PRIMARY KEY, t timestamptz);
INSERT INTO due SELECT n, timestamptz '2023-01-01' + n * interval '86.4 s' FROM generate_series(0, 999) n;
ANALYZE due;
SELECT shape, (SELECT sum(regexp_count) FROM pg_temp.plan(format('WITH s AS MATERIALIZED (SELECT * FROM event LIMIT 1000) SELECT * FROM s JOIN due a ON %s JOIN due b ON b.n = a.n JOIN due c ON c.n = a.n', shape)) line,
    LATERAL (SELECT count(*) AS regexp_count FROM regexp_matches(line, 's\.id (>=|<|<=|>) ', 'g')) m) AS comparisons
FROM unnest(ARRAY['uuidv7_time(s.id) = ANY (ARRAY[a.t, a.t + interval ''1 day''])', '(uuidv7_time(s.id), s.n) < (a.t, 5)']) shape;
DROP TABLE due;

-- With the domain uuid_v7, plans do not test the version, and functions that read other versions are also rewritten. While the
-- domain's constraint is not known to hold, the domain is treated like uuid.
CREATE TABLE sure (id uuid_v7 PRIMARY KEY, n int);
INSERT INTO sure SELECT * FROM event WHERE n % 100 = 0;
ANALYZE sure;
SELECT pg_temp.plan($$SELECT * FROM sure WHERE uuidv7_time(id) >= '2023-12-31'$$);
SELECT pg_temp.plan($$SELECT * FROM sure WHERE uuid_extract_time(id) >= '2023-12-31'$$);
SELECT pg_temp.plan($$SELECT * FROM sure WHERE public.uuid_extract_timestamp(id) >= '2023-12-31'$$);
PREPARE late AS SELECT count(*) FROM sure WHERE uuid_extract_time(id) >= '2023-12-31';
EXECUTE late;
CREATE TABLE checked (id uuid PRIMARY KEY CHECK (uuidv7_time(id) IS NOT NULL));
PREPARE late_of_both AS SELECT count(*) FROM (SELECT id, uuidv7_time(id) AS time FROM checked UNION ALL SELECT id::uuid, uuidv7_time(id) FROM sure) s WHERE time >= '2023-12-31';
EXECUTE late_of_both;
ALTER DOMAIN uuid_v7 DROP CONSTRAINT uuid_v7_check;
INSERT INTO sure VALUES (uuid_v1_to_v6('c232ab00-9414-11ec-b3c8-9f6bdeced846'), 0), (uuidv6_floor('2024-01-01'), 0), (uuidv6_floor('2023-01-01'), 0);
ALTER DOMAIN uuid_v7 ADD CONSTRAINT uuid_v7_check CHECK (VALUE IS NULL OR uuid_extract_version(VALUE) IS NOT DISTINCT FROM 7) NOT VALID;
EXECUTE late;
EXECUTE late_of_both;
DROP TABLE checked;
SELECT pg_temp.plan($$SELECT * FROM sure WHERE uuidv7_time(id) >= '2023-12-31'$$);
DELETE FROM sure WHERE uuidv7_time(id) IS NULL;
-- A plan created while the constraint was not valid is also replaced.
SET plan_cache_mode = force_generic_plan;
PREPARE of_sure AS SELECT * FROM sure WHERE uuid_extract_time(id) >= '2023-01-01';
SELECT line FROM pg_temp.plan('EXECUTE of_sure') line WHERE line ~ '(Index Cond|Filter)';
ALTER DOMAIN uuid_v7 VALIDATE CONSTRAINT uuid_v7_check;
SELECT line FROM pg_temp.plan('EXECUTE of_sure') line WHERE line ~ '(Index Cond|Filter)';
DEALLOCATE of_sure;
RESET plan_cache_mode;
SELECT pg_temp.plan($$SELECT * FROM sure WHERE uuid_extract_time(id) >= '2023-12-31'$$);

-- For microseconds, the index condition covers whole milliseconds, and the original condition filters the rows.
SELECT pg_temp.plan($$SELECT * FROM sure WHERE uuid_extract_time_us(id) >= '2023-12-31' AND uuid_extract_time_us(id) < '2023-12-31 12:00:00.0005'$$);
SELECT pg_temp.plan($$SELECT * FROM sure WHERE '2023-12-31 00:00:00.000999' < uuid_extract_time_us(id)$$);
SELECT pg_temp.plan($$SELECT * FROM sure WHERE uuid_extract_time_us(id) = '2023-12-31 00:00:00.0007'$$);
SELECT pg_temp.plan($$SELECT n FROM sure ORDER BY uuid_extract_time_us(id) DESC LIMIT 20$$);
-- Row comparisons and arrays, with times at, just before and just after the microsecond of a key, and between keys.
TRUNCATE asked;
INSERT INTO asked SELECT uuid_extract_time_us(id) + step FROM sure, unnest('{0, -1 us, 1 us, 1 hour}'::interval[]) step WHERE n IN (0, 36500, 364900);
SELECT condition, pg_temp.differing(condition, '(SELECT id, n AS k FROM sure) s') FROM unnest(ARRAY[
    '(uuid_extract_time_us(id), k) > ($t, 36500)', 'uuid_extract_time_us(id) <= ANY (ARRAY[$t, NULL])']) condition;

-- Ordering by time is ordering by UUID, so only twenty rows are read. A uuid column requires a condition that leaves only
-- version 7.
CREATE VIEW sure_item AS SELECT *, uuidv7_time(id) AS created_at FROM sure;
SELECT pg_temp.plan($$SELECT n FROM sure ORDER BY uuid_extract_time(id) LIMIT 20$$);
SELECT pg_temp.plan($$SELECT * FROM item WHERE created_at < '2023-06-01' ORDER BY created_at DESC NULLS LAST, id DESC LIMIT 20$$);
SELECT pg_temp.plan($$SELECT * FROM item WHERE created_at IS NOT NULL ORDER BY created_at LIMIT 20$$);
SELECT pg_temp.plan($$SELECT * FROM visit_v WHERE created_at >= '2023-03-01' ORDER BY created_at DESC LIMIT 20$$);
SELECT line FROM pg_temp.plan($$SELECT min(created_at), max(created_at) FROM item$$) line WHERE line ~ 'Scan';
SELECT line FROM pg_temp.plan($$SELECT max(created_at) FROM item WHERE created_at < '2023-06-01'$$) line WHERE line ~ '(Scan|Cond)';
SELECT min(created_at), max(created_at) FROM item WHERE created_at >= '2023-06-01';
-- DISTINCT ON, window functions and GROUP BY also use the order of the index. Sorting by a second key is incremental.
SELECT query, (SELECT string_agg(trim(line), '; ') FROM pg_temp.plan(query) line WHERE line ~ '(Scan|Sort|Presorted)') AS plan FROM unnest(ARRAY[
    'SELECT * FROM item ORDER BY created_at DESC LIMIT 20',
    'SELECT * FROM item WHERE created_at < ''2023-06-01'' OR n = 5 ORDER BY created_at DESC LIMIT 20',
    'SELECT * FROM shift s LEFT JOIN item i ON i.created_at >= s.start ORDER BY i.created_at LIMIT 20',
    'SELECT * FROM sure_item ORDER BY created_at, n LIMIT 20',
    'SELECT DISTINCT ON (created_at) * FROM sure_item ORDER BY created_at',
    'SELECT *, rank() OVER (ORDER BY created_at) FROM sure_item LIMIT 20',
    'SELECT n, created_at FROM sure_item UNION ALL SELECT n, created_at FROM item WHERE created_at < ''2023-06-01'' ORDER BY created_at LIMIT 20',
    'SELECT created_at, count(*) FROM sure_item GROUP BY 1 LIMIT 20']) query;
-- A CHECK constraint can prove version 7, but `uuid_extract_version(id) = 7` does not, because a null result satisfies it.
CREATE TABLE checked (id uuid PRIMARY KEY, kind int, CONSTRAINT v7 CHECK (uuidv7_time(id) IS NOT NULL)) WITH (autovacuum_enabled = off);
CREATE INDEX ON checked (kind, id);
INSERT INTO checked SELECT uuidv7_at(timestamptz '2023-01-01' + n * interval '1 minute'), n % 7 FROM generate_series(1, 20000) n;
ANALYZE checked;
CREATE VIEW checked_item AS SELECT *, uuidv7_time(id) AS created_at FROM checked;
CREATE FUNCTION pg_temp.nodes(query text) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(trim(line), '; ') FROM pg_temp.plan(query) line WHERE line ~ '(Scan|Sort|Presorted|Cond|Filter)' $$;
SELECT query, pg_temp.nodes(query) AS plan FROM unnest(ARRAY[
    'SELECT * FROM checked_item ORDER BY created_at DESC NULLS LAST LIMIT 20',
    'SELECT * FROM checked_item ORDER BY created_at NULLS FIRST, id LIMIT 20',
    'SELECT * FROM checked_item WHERE created_at >= ''2023-01-14'' OR created_at < ''2023-01-02'' ORDER BY created_at LIMIT 20',
    'SELECT * FROM checked_item ORDER BY created_at DESC, id LIMIT 20',
    'SELECT * FROM checked_item ORDER BY kind, created_at DESC LIMIT 20',
    'SELECT *, lag(created_at) OVER (ORDER BY created_at) FROM checked_item LIMIT 20',
    'SELECT * FROM checked_item WHERE created_at >= ''2023-01-05'' AND created_at < ''2023-01-06''',
    'SELECT * FROM checked WHERE uuid_extract_time(id) >= ''2023-01-05'' ORDER BY uuid_extract_time_us(id) LIMIT 20',
    'SELECT kind, created_at FROM checked_item UNION ALL SELECT n, created_at FROM sure_item ORDER BY created_at DESC LIMIT 20']) query;
-- A part of a UNION ALL need not select the UUID, and the types of the UUIDs may differ between parts.
SELECT pg_temp.nodes('SELECT * FROM (SELECT kind, created_at FROM checked_item UNION ALL SELECT n, created_at FROM sure_item) u WHERE created_at >= ''2023-01-05'' AND created_at < ''2023-01-06''');
SELECT count(*) = (SELECT count(*) FROM checked_item WHERE created_at >= '2023-01-05' AND created_at < '2023-01-06') + (SELECT count(*) FROM sure_item WHERE created_at >= '2023-01-05' AND created_at < '2023-01-06') AS same
FROM (SELECT kind, created_at FROM checked_item UNION ALL SELECT n, created_at FROM sure_item) u WHERE created_at >= '2023-01-05' AND created_at < '2023-01-06';
SELECT u FROM (SELECT kind, created_at FROM checked_item UNION ALL SELECT n, created_at FROM sure_item) u WHERE created_at = '2023-01-05';
-- Each version test and each condition occurs only once in each part of a UNION ALL, and so does a test in both a view and a query.
SELECT pg_temp.nodes('SELECT * FROM (SELECT * FROM checked_item UNION ALL SELECT * FROM checked_item) u WHERE (created_at, id) < (''2023-01-01 01:00'', ''01860000-a91d-789a-b837-51cb98a1a6a8'')');
CREATE VIEW timed_item AS SELECT *, uuidv7_time(id) AS created_at FROM event WHERE uuidv7_time(id) IS NOT NULL;
SELECT pg_temp.nodes('SELECT * FROM timed_item WHERE created_at >= ''2023-12-31''');
-- The plan depends on the constraint, which must prove version 7 and be valid.
SET plan_cache_mode = force_generic_plan;
PREPARE newest AS SELECT * FROM checked_item ORDER BY created_at DESC LIMIT 20;
CREATE FUNCTION pg_temp.newest_by(definition text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    ALTER TABLE checked DROP CONSTRAINT IF EXISTS v7;
    IF definition <> '' THEN EXECUTE 'ALTER TABLE checked ADD CONSTRAINT v7 CHECK ' || definition; END IF;
    RETURN pg_temp.nodes('EXECUTE newest');
END $$;
SELECT definition, pg_temp.newest_by(definition) AS plan FROM unnest(ARRAY['', '(uuidv7_time(id) IS NOT NULL)', '(uuid_extract_version(id) = 7)', '(uuid_extract_version(id) IS NOT DISTINCT FROM 7)',
    '(kind >= 0 AND 7 IS NOT DISTINCT FROM uuid_extract_version(id))', '(kind >= 0 OR uuidv7_time(id) IS NOT NULL)', '(id IS NULL OR uuid_extract_version(id) IS NOT DISTINCT FROM 7::smallint)',
    '(uuid_extract_version(id) IS DISTINCT FROM 4)', '(uuid_extract_time(id) IS NOT NULL)', '(uuidv7_time(id) IS NOT NULL) NO INHERIT', '(uuidv7_time(id) IS NOT NULL) NOT VALID']) WITH ORDINALITY u(definition, n) ORDER BY n;
ALTER TABLE checked VALIDATE CONSTRAINT v7;
SELECT pg_temp.nodes('EXECUTE newest');
-- A NO INHERIT constraint on a parent proves nothing about its children's rows.
ALTER TABLE checked DROP CONSTRAINT v7;
ALTER TABLE checked ADD CONSTRAINT v7 CHECK (uuidv7_time(id) IS NOT NULL) NO INHERIT;
CREATE TABLE checked_child () INHERITS (checked);
CREATE INDEX ON checked_child (id);
INSERT INTO checked_child SELECT max_uuid(), 1;
SELECT pg_temp.nodes('SELECT * FROM checked_item WHERE created_at >= ''2023-01-10''');
SELECT count(*), count(id) FROM checked_item WHERE created_at >= '2023-01-14 21:00';
DEALLOCATE newest;
RESET plan_cache_mode;
-- The values that a constraint `uuid_extract_version(id) = 7` accepts.
CREATE TABLE weakly (id uuid PRIMARY KEY CHECK (uuid_extract_version(id) = 7));
INSERT INTO weakly VALUES (max_uuid()), (nil_uuid()), (uuidv7_floor('2023-01-01')), (uuidv7_floor('2023-01-02'));
SET enable_seqscan = off;
SELECT id, uuidv7_time(id) FROM weakly ORDER BY uuidv7_time(id) DESC NULLS LAST, id;
SET enable_sort = off;
SELECT pg_temp.nodes('SELECT * FROM weakly ORDER BY uuidv7_time(id)');
SELECT pg_temp.nodes('SELECT * FROM weakly WHERE uuid_extract_version(id) = 7 ORDER BY uuidv7_time(id) DESC');
RESET enable_sort;
RESET enable_seqscan;
-- For rows of one millisecond and for nulls, various queries return the same times as without rewriting.
CREATE TABLE tied (id uuid_v7, other uuid, n int) WITH (autovacuum_enabled = off);
INSERT INTO tied SELECT CASE WHEN n % 7 > 0 THEN uuidv7_at(timestamptz '2023-01-01' + n / 5 * interval '1 ms') END,
    CASE n % 7 WHEN 0 THEN NULL WHEN 1 THEN md5(n::text)::uuid WHEN 2 THEN uuidv6_floor(timestamptz '2023-01-01') ELSE uuidv7_at(timestamptz '2023-01-01' + n / 5 * interval '1 ms') END, n FROM generate_series(1, 2000) n;
CREATE INDEX ON tied (id);
CREATE INDEX ON tied (other);
CREATE FUNCTION pg_temp.same(query text) RETURNS text LANGUAGE sql AS $$
    SELECT CASE WHEN pg_temp.result(query, 'on') IS DISTINCT FROM pg_temp.result(query, 'off') THEN 'differs'
                WHEN EXISTS (SELECT FROM pg_temp.plan(query) line WHERE line ~ 'Sort Key: .*(uuidv7|uuid_extract)_time|Aggregate')
                THEN 'same, not rewritten' ELSE 'same' END $$;
SELECT query, pg_temp.same(query) FROM unnest(ARRAY[
    'SELECT uuidv7_time(id) FROM tied WHERE n < 50 UNION ALL SELECT uuidv7_time(other) FROM tied WHERE n < 50 ORDER BY 1', 'SELECT ARRAY(SELECT uuidv7_time(id) FROM tied ORDER BY 1 LIMIT 9), (SELECT uuidv7_time(id) FROM tied ORDER BY uuidv7_time(id) LIMIT 1)',
    'SELECT * FROM (SELECT uuidv7_time(id) AS t FROM tied ORDER BY uuidv7_time(id) LIMIT 90) s ORDER BY t DESC',
    'SELECT uuidv7_time(max(id)) FROM tied ORDER BY uuidv7_time(max(id))', 'SELECT DISTINCT uuidv7_time(min(id)) FROM tied GROUP BY n % 3', 'SELECT n % 3, rank() OVER (ORDER BY uuidv7_time(max(id))) FROM tied GROUP BY 1 ORDER BY 1',
    'SELECT n, uuidv7_time(coalesce(lag(id) OVER (ORDER BY id), id)) FROM tied ORDER BY 2, 1 LIMIT 50']) WITH ORDINALITY u(query, n) ORDER BY n;
-- If ANALYZE has found other versions, reading past them may take longer than sorting.
ANALYZE tied;
SELECT query, pg_temp.same(query) FROM unnest(ARRAY['SELECT max(uuidv7_time(other)) FROM tied', 'SELECT max(uuidv7_time(id)) FROM tied', 'SELECT uuidv7_time(other) FROM tied WHERE uuidv7_time(other) IS NOT NULL ORDER BY 1 DESC LIMIT 50']) query;
-- Grouping is planned as with a timestamptz column.
CREATE TABLE stamped AS SELECT n, uuidv7_time(id) AS created_at FROM event;
CREATE INDEX ON stamped (created_at);
ANALYZE stamped;
SELECT pg_temp.plan($$SELECT date_trunc('hour', created_at), count(*) FROM stamped WHERE created_at >= '2023-12-30' GROUP BY 1$$);
SELECT pg_temp.plan($$SELECT date_trunc('hour', created_at), count(*) FROM item WHERE created_at >= '2023-12-30' GROUP BY 1$$);

-- If AND and OR alternate on thousands of levels, the extension must not prevent an answer that the server gives without it.
SELECT count(*), string_agg(levels::text, ' ') FILTER (WHERE pg_temp.result(query, 'on') IS DISTINCT FROM pg_temp.result(query, 'off')) AS others
FROM (SELECT levels, format('SELECT count(*) FROM tied WHERE %sn > 1000%s', repeat('(', levels), string_agg(clause, '' ORDER BY level)) AS query
      FROM unnest('{1,2,3,99,100,101,102,2000}'::int[]) levels, generate_series(1, levels) level,
           LATERAL (SELECT CASE level % 2 WHEN 0 THEN 'AND' ELSE 'OR' END AS operator, timestamptz '2023-01-01' + level * interval '1 us' AS t) l,
           LATERAL format(') %s uuidv7_time(other) > %L', operator, t) AS clause
      GROUP BY levels) conditions;
-- Ordinary roles cannot turn rewriting off.
SET ROLE regress_reader;
\set VERBOSITY sqlstate
SET uuidrfc.enable_time_rewrite = off;
\set VERBOSITY default
RESET ROLE;
SET uuidrfc.enable_time_rewrite = off;
SELECT pg_temp.plan($$SELECT * FROM item WHERE created_at >= '2023-12-31'$$);
RESET uuidrfc.enable_time_rewrite;
DROP OWNED BY regress_reader;
DROP ROLE regress_reader;
SET client_min_messages = warning;
DROP TABLE every, asked, event, shift, early, visit, secret, sure, tied, stamped, checked, weakly CASCADE;

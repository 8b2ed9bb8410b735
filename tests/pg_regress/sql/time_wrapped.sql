-- Comparisons of a function of uuidv7_time(id) use the key's index and select the same rows as if the function were evaluated for
-- each row. (The server test `forms` has a condition for each function, and `differential` compares the rows.)
\i tests/pg_regress/common.sql

-- Instants around the changes of time zone offsets in fifty years are within the bounds computed from the functions' results.
CREATE TABLE zone AS
    SELECT DISTINCT ON (offsets) name, offsets
    FROM (SELECT name, (SELECT array_agg(extract(epoch FROM t AT TIME ZONE name - t AT TIME ZONE 'UTC') ORDER BY t)
                        FROM generate_series(timestamptz '1976-01-01', '2026-01-01', '7 days') t) AS offsets
          FROM pg_timezone_names WHERE name ~ '/' AND name !~ '^(posix|Etc)/') z;
CREATE TABLE switch AS
    SELECT name, hour AS t
    FROM zone, LATERAL (SELECT timestamptz '1976-01-01' + (n - 1) * interval '7 days' AS week
                        FROM unnest(offsets, offsets[2:]) WITH ORDINALITY u (before, after, n) WHERE before <> after) w,
        LATERAL (SELECT day FROM generate_series(week, week + interval '6 days', '1 day') day WHERE (day + interval '1 day') AT TIME ZONE name - day AT TIME ZONE name <> interval '1 day') d,
        LATERAL (SELECT hour FROM generate_series(day, day + interval '23 hours', '1 hour') hour WHERE (hour + interval '1 hour') AT TIME ZONE name - hour AT TIME ZONE name <> interval '1 hour') h;
SELECT count(*) > 5000 AS enough, count(DISTINCT name) > 100 AS of_many_zones FROM switch;
CREATE VIEW around AS
    SELECT name, t + shift AS t FROM switch,
        unnest('{-23 hours,-1 second,0,59 minutes 59 seconds,1 day}'::interval[]) shift;
SELECT count(*) > 50000 AS enough,
       count(*) FILTER (WHERE NOT (t >= uuid_time_bound('>=', 'timestamp', local, ''::text, name) AND t < uuid_time_bound('<=', 'timestamp', local, ''::text, name))) AS "AT TIME ZONE",
       count(*) FILTER (WHERE NOT (t >= uuid_time_bound('>=', 'date', local::date, ''::text, name) AND t < uuid_time_bound('<=', 'date', local::date, ''::text, name))) AS date,
       count(*) FILTER (WHERE NOT (t >= uuid_time_bound('>', 'date', local::date - 1, ''::text, name) AND t < uuid_time_bound('<', 'date', local::date + 1, ''::text, name))) AS "date, > and <",
       count(*) FILTER (WHERE NOT (t >= uuid_time_bound('>=', 'extract', extract(year FROM local), 'year'::text, name) AND t < uuid_time_bound('<=', 'extract', extract(year FROM local), 'year'::text, name))) AS year,
       count(*) FILTER (WHERE NOT (t >= uuid_time_bound('>=', 'to_char', to_char(local, 'YYYY-MM-DD HH24'), 'YYYY-MM-DD HH24'::text, name) AND t < uuid_time_bound('<=', 'to_char', to_char(local, 'YYYY-MM-DD HH24'), 'YYYY-MM-DD HH24'::text, name))) AS to_char
FROM around, LATERAL (SELECT t AT TIME ZONE name AS local) l;
SELECT unit, count(*) FILTER (WHERE NOT (t >= uuid_time_bound('>=', 'date_trunc', date_trunc(unit, t, name), unit, name) AND t < uuid_time_bound('<=', 'date_trunc', date_trunc(unit, t, name), unit, name))) AS "timestamptz",
       count(*) FILTER (WHERE NOT (t >= uuid_time_bound('>=', 'date_trunc', date_trunc(unit, t AT TIME ZONE name), unit, name) AND t < uuid_time_bound('<=', 'date_trunc', date_trunc(unit, t AT TIME ZONE name), unit, name))) AS "timestamp"
FROM around, unnest('{hour,day,month,year,century}'::text[]) WITH ORDINALITY u(unit, n) GROUP BY unit, n ORDER BY n;
-- If no change is near, the bounds are exact.
SELECT uuid_time_bound('>=', 'date', date '2026-07-20', ''::text, 'Europe/Berlin'), uuid_time_bound('<=', 'date', date '2026-07-20', ''::text, 'Europe/Berlin'),
    uuid_time_bound('<', 'date_trunc', timestamptz '2026-07-01', 'month'::text, 'UTC'), uuid_time_bound('<=', 'date_trunc', timestamptz '2026-07-01', 'month'::text, 'UTC');
-- For values out of range, and for texts that do not match the format, the bounds are infinite or far from current times.
SELECT uuid_time_bound('<=', 'date', date 'infinity', ''::text, '') > '9999-01-01' AS "infinity", uuid_time_bound('>=', 'date', date '-infinity', ''::text, '') < '0100-01-01' AS "-infinity",
    uuid_time_bound('>=', 'extract', 1e300::float8, 'epoch'::text, '') > '9999-01-01' AS "1e300", uuid_time_bound('>=', 'extract', 'NaN'::float8, 'year'::text, '') AS "NaN",
    uuid_time_bound('<=', 'to_char', '2026-1'::text, 'YYYY-MM'::text, '') AS "2026-1", uuid_time_bound('>=', 'plus', timestamptz '2026-01-01', interval '100000 years', '') AS far;

-- PL/pgSQL evaluates an expression again with other values.
DO $$
DECLARE
    day date; year numeric; bound timestamptz; bounds timestamptz[];
BEGIN
    FOR n IN 0 .. 2 LOOP
        day := date '2026-01-01' + n; year := 2026 + n;
        bound := uuid_time_bound('>=', 'date', day, ''::text, 'UTC'); bounds := bounds || bound;
        bound := uuid_time_bound('>=', 'extract', year, 'year'::text, 'UTC'); bounds := bounds || bound;
    END LOOP;
    RAISE NOTICE '%', bounds;
END $$;

-- Keys of several versions, and keys around the changes of time zone offsets.
CREATE TABLE every (k int GENERATED ALWAYS AS IDENTITY, id uuid);
INSERT INTO every (id) SELECT uuidv7_at(t + shift) FROM switch, unnest('{-1 day,-1 ms,0,30 minutes,1 hour,1 day}'::interval[]) shift
    WHERE name IN ('Europe/Berlin', 'America/Havana', 'Pacific/Apia', 'Asia/Beirut', 'Australia/Lord_Howe') AND t > '2010-01-01'
    UNION ALL SELECT uuidv7_at(timestamptz '2023-12-28' + n * interval '11 hours') FROM generate_series(1, 200) n
    UNION ALL SELECT overlay(uuidv7_floor('2023-01-01')::text placing v from 15 for 1)::uuid FROM unnest('{0,1,4,6,8,f}'::text[]) v
    UNION ALL SELECT unnest(ARRAY[nil_uuid(), max_uuid(), NULL, uuidv7_floor('1970-01-01'), uuidv7_ceil('10889-08-02 05:31:50.655')]);
CREATE INDEX ON every (id);
ANALYZE every;
CREATE VIEW item AS SELECT k, id, uuidv7_time(id) AS t FROM every;

-- For values that no bound can express, and with a nondeterministic collation, the result is the same as without rewriting.
DO $$
BEGIN
    CREATE COLLATION ignoring_case (provider = icu, locale = 'und-u-kn-ks-level2', deterministic = false);
EXCEPTION WHEN feature_not_supported THEN -- The server has no ICU.
    CREATE COLLATION ignoring_case FROM "C";
END $$;
SELECT count(*), string_agg(query, '; ') FILTER (WHERE pg_temp.result(query, 'on') IS DISTINCT FROM pg_temp.result(query, 'off')) AS others FROM unnest(ARRAY[
    'extract(year FROM t) < ''NaN''', 'date_part(''epoch'', t) <= ''NaN''', 't - timestamptz ''4713-01-01 BC'' > interval ''2450000 days''',
    't - timestamptz ''-infinity'' > interval ''2000 years''', 'timestamptz ''infinity'' - t > interval ''2000 years''',
    't + interval ''3000000 days'' < ''15000-01-01''', 't - interval ''3000000 days'' > ''4000-01-01 BC''',
    'id::text COLLATE ignoring_case LIKE ''01C%''', 'starts_with(id::text COLLATE ignoring_case, ''01C'')',
    (SELECT format('to_char(t, ''YYYY-MM-DD'') = ''%s'' COLLATE ignoring_case', to_char(min(t), 'YYYY-FMMM-0DD')) FROM item WHERE t > '2000-01-01' AND extract(month FROM t) < 10)]) condition,
    LATERAL format('SELECT count(*) FROM item WHERE %s', condition) AS query;
DROP COLLATION ignoring_case;

-- Plans have index conditions with computed bounds, and filter by the original clauses.
SET timezone = 'Europe/Berlin';
CREATE TABLE event (id uuid PRIMARY KEY, n int);
INSERT INTO event SELECT uuidv7_at(timestamptz '2023-01-01' + n * interval '86.4 s'), n FROM generate_series(0, 364999) n;
VACUUM ANALYZE event;
CREATE VIEW event_v AS SELECT *, uuidv7_time(id) AS created_at FROM event;
SELECT pg_temp.plan($$SELECT * FROM event_v WHERE created_at::date = '2023-11-20'$$);
-- In a join, the bounds are used only for a nested loop; a hash or merge join evaluates nothing but the clause.
CREATE TABLE holiday (day date, month text, t timestamptz);
INSERT INTO holiday VALUES ('2023-02-01', '2023-02', '2023-02-01'), ('2023-08-31', '2023-08', '2023-08-31'), (NULL, 'x', NULL);
ANALYZE holiday;
SET enable_memoize = off;
SELECT * FROM pg_temp.plan($$SELECT * FROM generate_series(date '2023-02-01', '2023-02-03', '1 day') d JOIN event_v ON created_at::date = d::date$$) line WHERE line !~ 'Filter';
SELECT pg_temp.plan($$SELECT * FROM holiday LEFT JOIN event_v ON created_at::date >= day AND created_at::date < day + 2 AND n > 5$$);
SELECT * FROM pg_temp.plan($$SELECT * FROM holiday JOIN event_v ON to_char(created_at, 'YYYY-MM') = month$$) line WHERE line !~ 'Filter';
SELECT pg_temp.plan($$SELECT * FROM holiday JOIN event_v ON created_at::date = day WHERE day = '2023-02-01'$$);
SELECT * FROM pg_temp.plan($$SELECT * FROM event_v WHERE created_at IN (SELECT t FROM holiday)$$) line WHERE line !~ 'Filter';
SELECT * FROM pg_temp.plan($$SELECT * FROM event_v WHERE (created_at::date, created_at) IN (SELECT day, max(t) FROM holiday GROUP BY day)$$) line WHERE line ~ 'Index Cond';
SELECT bool_or(line ~ 'uuid_time_bound') AS has_bounds FROM pg_temp.plan('SELECT * FROM event_v a JOIN event_v b ON a.created_at::date = b.created_at::date') line;
CREATE FUNCTION pg_temp.joined() RETURNS TABLE(days bigint, months bigint, holidays bigint, times bigint) LANGUAGE sql AS $$
    SELECT count(a.n), count(c.n), (SELECT count(*) FROM holiday LEFT JOIN event_v ON created_at::date > day AND created_at::date <= day + 2),
        (SELECT sum(n) FROM event_v WHERE created_at IN (SELECT t FROM holiday))
    FROM holiday LEFT JOIN event_v a ON a.created_at::date = day LEFT JOIN event_v c ON to_char(c.created_at, 'YYYY-MM') = month AND c.n % 100 = a.n % 100
$$;
SELECT * FROM pg_temp.joined();
SET uuidrfc.enable_time_rewrite = off;
SELECT * FROM pg_temp.joined();
RESET uuidrfc.enable_time_rewrite;
RESET enable_memoize;
-- Both sides may be columns of a UNION ALL.
CREATE TABLE few AS SELECT id FROM event WHERE n < 200;
ALTER TABLE few ADD PRIMARY KEY (id);
ANALYZE few;
CREATE VIEW twice AS SELECT id, uuidv7_time(id) AS created_at FROM few UNION ALL SELECT id, uuidv7_time(id) FROM few;
SET enable_seqscan = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SELECT count(*) FROM twice a JOIN twice b ON date_trunc('hour', b.created_at) = a.created_at;
SELECT count(*) FROM twice a JOIN twice b ON a.created_at::date = b.created_at::date WHERE a.created_at < '2023-01-01 00:10';
DROP VIEW twice;
-- No bound repeats a subquery.
ALTER TABLE few ALTER id TYPE uuid_v7;
SELECT count(*) AS index_conditions FROM pg_temp.plan($$SELECT * FROM holiday JOIN few ON uuid_extract_time_us(id) > (SELECT t + random() * interval '1 day' OFFSET 0)$$) line WHERE line ~ 'Index Cond';
RESET enable_seqscan;
RESET enable_hashjoin;
RESET enable_mergejoin;
-- A partitioned table is read by the indexes of its partitions.
CREATE TABLE parted (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE parted_1 PARTITION OF parted FOR VALUES FROM (MINVALUE) TO (uuidv7_floor('2023-07-01'));
CREATE TABLE parted_2 PARTITION OF parted FOR VALUES FROM (uuidv7_floor('2023-07-01')) TO (MAXVALUE);
INSERT INTO parted SELECT id FROM event;
VACUUM ANALYZE parted;
SET enable_memoize = off;
SELECT * FROM pg_temp.plan('SELECT * FROM holiday JOIN parted ON uuidv7_time(id)::date = day') line WHERE line !~ 'Filter';
-- The UUID may be any column of an index.
CREATE TABLE owned AS SELECT id, n, n % 50 AS owner FROM event;
CREATE INDEX ON owned ((owner + 0), id, (n + 0));
VACUUM ANALYZE owned;
SELECT * FROM pg_temp.plan('SELECT id FROM holiday JOIN owned ON uuidv7_time(id)::date = day WHERE owner + 0 = 5') line WHERE line !~ 'Filter';
SELECT * FROM pg_temp.plan('SELECT owner FROM owned WHERE owner + 0 = 5 AND n + 0 > 0 AND uuidv7_time(id) IN (SELECT t FROM holiday)') line WHERE line ~ 'Index Cond';
-- Other conditions on the same function are filters.
SELECT count(*) AS index_conditions FROM pg_temp.plan($$SELECT * FROM event_v JOIN holiday ON created_at::date = day WHERE created_at::date IN ('2023-02-01', '2023-02-02')$$) line WHERE line ~ 'Index Cond: .*uuid_time_bound';
-- No bound reads another column of the same table.
SELECT count(*) FROM event_v JOIN holiday ON created_at + n * interval '3.6 s' = t;
-- If the table spans a single year, its index is not used for each of many rows.
SELECT count(*) AS index_conditions FROM pg_temp.plan($$SELECT * FROM event_v JOIN generate_series(1, 40) g ON date_trunc('year', created_at) = timestamptz '2023-01-01' + g * interval '0 s'$$) line WHERE line ~ 'Index Cond';
RESET enable_memoize;
-- A parallel plan reads one of two indexes on the UUID, not the description of the unique one.
CREATE TABLE covered AS SELECT id, n FROM event WHERE n < 50000;
CREATE UNIQUE INDEX ON covered (id) INCLUDE (n);
CREATE INDEX ON covered (id);
VACUUM ANALYZE covered;
SET max_parallel_workers_per_gather = 2;
SET parallel_setup_cost = 0;
SET parallel_tuple_cost = 0;
SET min_parallel_index_scan_size = 0;
SELECT sum(n) FROM holiday JOIN covered ON uuidv7_time(id) = t WHERE t = '2023-02-01';
SET max_parallel_workers_per_gather = 0;
RESET parallel_setup_cost;
RESET parallel_tuple_cost;
RESET min_parallel_index_scan_size;
DROP TABLE holiday, few, parted, owned, covered;
-- An index on the function itself is used for the original clause.
CREATE INDEX event_date ON event (((uuidv7_time(id) AT TIME ZONE 'Europe/Berlin')::date));
ANALYZE event;
SELECT pg_temp.plan($$SELECT * FROM event_v WHERE (created_at AT TIME ZONE 'Europe/Berlin')::date = '2023-11-20'$$);
DROP INDEX event_date;

-- An IN list is kept, and a bitmap scan whose arms have equal costs returns the rows.
SET timezone = 'UTC';
SELECT format('created_at IN (%s)', string_agg(quote_literal(created_at), ', ')) AS list FROM event_v WHERE n BETWEEN 1 AND 100 \gset
SELECT count(*) AS arms FROM pg_temp.plan('SELECT * FROM event_v WHERE ' || :'list') line WHERE line ~ 'Index Cond';
SELECT count(*) AS rows, min(n), max(n) FROM event_v WHERE :list;
SELECT count(*) AS rows FROM event_v WHERE :list AND created_at IN ('2022-12-31 23:14:24', '2023-02-01', 'infinity', NULL);

-- A condition on the text of a UUID may be false for every UUID.
SELECT id AS one, uuid_encode(id, 'base58') AS base58 FROM event WHERE n = 7 \gset
SELECT count(*), string_agg(concat_ws(': ', f, never), E'\n') FILTER (WHERE never <> 1) AS others
FROM (SELECT f, (SELECT count(*) FROM pg_temp.plan('SELECT * FROM event WHERE ' || condition) line WHERE line ~ 'One-Time Filter: false') AS never
FROM unnest(ARRAY['id::text = upper(''%1$s'')', 'id::text = ''{%1$s}''', 'id::text LIKE ''0185A%%''', 'id::text ^@ ''0185-''', 'uuid_encode(id, ''base58'') = ''1%2$s''', 'uuid_encode(id, ''hex'') = ''%1$s''']) f, LATERAL (SELECT format(f, :'one', :'base58') AS condition) c) plans;
-- With a CHECK constraint on the version, uuid_extract_time is also rewritten, because a UUID without a version has no time.
CREATE TABLE checked (id uuid PRIMARY KEY CHECK (uuid_extract_version(id) = 7));
INSERT INTO checked SELECT id FROM event;
ANALYZE checked;
INSERT INTO checked VALUES (max_uuid());
SELECT pg_temp.plan($$SELECT * FROM checked WHERE uuid_extract_time(id) >= '2023-12-31'$$);
SELECT count(*) FROM checked WHERE uuid_extract_time(id) >= '2023-12-31';
DROP TABLE checked;
DROP TABLE event, every, zone, switch CASCADE;

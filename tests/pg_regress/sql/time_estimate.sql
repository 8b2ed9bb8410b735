-- The number of rows that the planner expects for a comparison with a time, and a plan that improves because of it. (The server
-- test `differential` compares random windows, also of rows newer than the statistics, with those of a timestamptz column.)
\i tests/pg_regress/common.sql
-- A thousand keys for each day of 2023.
CREATE TABLE event (id uuid PRIMARY KEY, n int) WITH (autovacuum_enabled = off);
INSERT INTO event SELECT uuidv7_at(timestamptz '2023-01-01' + n * interval '86.4 s'), n FROM generate_series(0, 364999) n;
ANALYZE event;

-- Estimates are within a factor of two for an hour, half a year, one-sided and negated conditions, lists and ORs.
SELECT count(*), string_agg(condition, '; ') FILTER (WHERE (pg_temp.expected('SELECT * FROM event WHERE ' || condition) BETWEEN rows * 0.5 AND rows * 2) IS NOT TRUE) AS others
FROM (VALUES ('id <@ tstzrange(''2023-06-01 12:00'', ''2023-06-01 13:00'')', 42),
             ('id <@ tstzrange(''2023-01-01'', ''2023-07-01'')', 181000),
             ('id <@ tstzrange(''2023-06-01'', ''2023-06-02'', ''(]'')', 1000),
             ('id >= timestamptz ''2023-12-29''', 3000),
             ('id < timestamptz ''2023-01-03''', 2000),
             ('NOT id < timestamptz ''2023-12-29''', 3000),
             ('NOT id <@ tstzrange(''2023-01-03'', ''2023-12-30'')', 4000),
             ('id <@ tstzrange(''2023-06-01'', ''2023-06-02'') OR id <@ tstzrange(''2023-08-01'', ''2023-08-02'')', 2000),
             ('(id >= timestamptz ''2023-06-01'' AND id < timestamptz ''2023-06-02'') OR (id >= timestamptz ''2023-08-01'' AND id < timestamptz ''2023-08-02'')', 2000),
             ('uuidv7_time(id) = ''2023-06-01'' OR uuidv7_time(id) = ''2023-06-02'' OR uuidv7_time(id) = ''2023-06-03''', 3),
             ('id >= timestamptz ''2023-05-01'' AND id <@ tstzrange(''2023-04-01'', ''2023-05-02'') AND id < timestamptz ''2023-06-01''', 1000),
             ('id >= timestamptz ''2023-06-01'' AND id < timestamptz ''2023-06-11'' AND n % 2 = 0', 50)) x(condition, rows);
-- At most one row is expected for an empty range, a contradiction, and times out of range.
SELECT condition, pg_temp.expected('SELECT * FROM event WHERE ' || condition) AS rows
FROM unnest(ARRAY['id <@ ''empty''::tstzrange', 'id >= timestamptz ''2023-06-02'' AND id < timestamptz ''2023-06-01''',
                  'id < ''-infinity''::timestamptz', 'id > ''infinity''::timestamptz', 'id <@ tstzrange(''1900-01-01'', ''1901-01-01'')']) condition;
SELECT pg_temp.expected('SELECT * FROM event WHERE id >= ''-infinity''::timestamptz') AS all_rows, pg_temp.expected('SELECT * FROM event WHERE id <@ tstzrange(NULL, NULL)') AS all_rows;
-- For unknown values, the estimates are core's defaults: a third of the rows for one bound, and half a percent for two.
PREPARE one(timestamptz) AS SELECT * FROM event WHERE id >= $1;
PREPARE two(timestamptz) AS SELECT * FROM event WHERE id >= $1 AND id < $1 + interval '1 day';
PREPARE within(tstzrange) AS SELECT * FROM event WHERE id <@ $1;
SET plan_cache_mode = force_generic_plan;
SELECT pg_temp.expected('EXECUTE one(NULL)') AS one, pg_temp.expected('EXECUTE two(NULL)') AS two, pg_temp.expected('EXECUTE within(NULL)') AS within;
RESET plan_cache_mode;
DEALLOCATE ALL;
CREATE TABLE shift (n int, start timestamptz, period tstzrange);
INSERT INTO shift SELECT n, timestamptz '2023-03-01' + n * interval '1 day', tstzrange(timestamptz '2023-03-01' + n * interval '1 day', timestamptz '2023-03-02' + n * interval '1 day')
FROM generate_series(0, 9) n;
ANALYZE shift;
SELECT pg_temp.expected('SELECT * FROM shift JOIN event ON id <@ period') AS range, pg_temp.expected('SELECT * FROM shift JOIN event ON id >= start AND id < start + interval ''1 day''') AS pair,
       pg_temp.expected('SELECT * FROM shift JOIN event ON id >= start') AS one;
-- If the time is a column of the same or of a joined table, the estimate is that for comparing any two columns.
CREATE TABLE stamped AS SELECT uuidv7_at(created) AS id, created FROM generate_series(timestamptz '2023-01-01', '2023-03-01', '1 hour') created;
ANALYZE stamped;
SELECT pg_temp.expected('SELECT * FROM stamped WHERE id < created') AS own_column,
       pg_temp.expected('SELECT * FROM stamped WHERE id <@ tstzrange(created, created + ''1 day'')') AS own_range,
       pg_temp.expected('SELECT * FROM stamped a JOIN stamped b ON a.id < b.created AND a.id >= a.created') > 1 AS joined,
       pg_temp.expected('SELECT * FROM stamped a LEFT JOIN stamped b ON a.id = b.id WHERE b.id < b.created OR b.id IS NULL') > 1 AS outer_joined;
-- Statistics may be missing, or contain only nulls, few values, or other versions.
CREATE TABLE other (never uuid, null_mostly uuid, few uuid, random uuid) WITH (autovacuum_enabled = off);
SELECT pg_temp.expected('SELECT * FROM other WHERE few <@ tstzrange(''2023-06-01'', ''2023-06-02'')') >= 1 AS no_statistics;
INSERT INTO other SELECT NULL, CASE WHEN n % 10 = 0 THEN uuidv7_at(timestamptz '2023-01-01' + n * interval '876 s') END,
                         uuidv7_floor(timestamptz '2023-01-01' + n % 4 * interval '1 month'), md5(n::text)::uuid
FROM generate_series(0, 35999) n;
ANALYZE other;
SELECT pg_temp.expected('SELECT * FROM other WHERE never >= timestamptz ''2023-06-01''') AS never,
       pg_temp.expected('SELECT * FROM other WHERE null_mostly >= timestamptz ''2023-07-02''') BETWEEN 900 AND 3600 AS null_mostly,
       pg_temp.expected('SELECT * FROM other WHERE few <@ tstzrange(''2023-02-01'', ''2023-03-01'')') BETWEEN 8000 AND 10000 AS few,
       pg_temp.expected('SELECT * FROM other WHERE few <@ tstzrange(''2023-02-02'', ''2023-03-01'')') AS few_none,
       pg_temp.expected('SELECT * FROM other WHERE random < timestamptz ''2500-01-01''') BETWEEN 1000 AND 4300 AS random;
-- A common value may be newer than all others.
CREATE TABLE reference AS SELECT CASE WHEN n % 2 = 0 THEN uuidv7_floor(timestamptz '2023-01-01' + n * interval '1 hour') ELSE uuidv7_floor('2024-01-01') END AS id
FROM generate_series(0, 4999) n;
ANALYZE reference;
SELECT pg_temp.expected('SELECT * FROM reference WHERE id <@ tstzrange(''2024-01-01'', ''2024-01-01 00:05'')') AS common,
       pg_temp.expected('SELECT * FROM reference WHERE id >= timestamptz ''2024-01-01''') AS since,
       pg_temp.expected('SELECT * FROM reference WHERE id <@ tstzrange(''2024-01-02'', ''2024-01-03'')') AS after_it;

-- For equality, the planner expects one row for each time and, in a join, as many different times as UUIDs.
CREATE TABLE keyed (id uuid PRIMARY KEY, n int);
INSERT INTO keyed SELECT uuidv7_at(timestamptz '2023-01-01' + n * interval '1 min'), n FROM generate_series(1, 20000) n;
CREATE TABLE timed AS SELECT uuidv7_time(id) AS time, id FROM keyed;
CREATE TABLE few AS SELECT time, id FROM timed WHERE extract(day FROM time) = 7 AND extract(hour FROM time) = 1;
CREATE TABLE divided (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE divided_1 PARTITION OF divided FOR VALUES FROM (MINVALUE) TO (MAXVALUE);
INSERT INTO divided SELECT id FROM keyed;
ANALYZE keyed, timed, few, divided;
PREPARE one (timestamptz) AS SELECT * FROM keyed WHERE uuidv7_time(id) = $1;
SET plan_cache_mode = force_generic_plan;
SELECT pg_temp.expected('EXECUTE one (now())') AS of_parameter;
RESET plan_cache_mode;
SELECT count(*), string_agg(query, '; ') FILTER (WHERE (pg_temp.expected(query) BETWEEN rows / 2 AND rows * 2) IS NOT TRUE) AS others FROM (VALUES
    ('SELECT FROM keyed JOIN timed ON uuidv7_time(keyed.id) = timed.time', 20000),
    ('SELECT FROM keyed JOIN timed ON uuidv7_time(keyed.id) = uuidv7_time(timed.id)', 20000),
    ('SELECT FROM keyed JOIN few ON few.time = uuidv7_time(keyed.id)', (SELECT count(*) FROM few)),
    ('SELECT FROM keyed JOIN few ON uuidv7_time(few.id) = uuidv7_time(keyed.id) JOIN timed ON timed.id = keyed.id', (SELECT count(*) FROM few)),
    ('SELECT FROM keyed JOIN few ON few.time = uuidv7_time(keyed.id) WHERE keyed.n < 10000', (SELECT count(*) FROM few) / 2),
    ('SELECT FROM keyed LEFT JOIN few ON few.time = uuidv7_time(keyed.id)', 20000),
    ('SELECT FROM keyed a FULL JOIN keyed b ON uuidv7_time(a.id) = uuidv7_time(b.id)', 20000),
    ('SELECT FROM keyed WHERE uuidv7_time(id) IN (SELECT time FROM few)', (SELECT count(*) FROM few)),
    ('SELECT FROM divided WHERE uuidv7_time(id) IN (SELECT time FROM few)', (SELECT count(*) FROM few))) v (query, rows);
DROP TABLE keyed, timed, few, divided;

-- With UUIDs of other versions in the table, spread or close together, estimates are within a factor of two for the newest rows,
-- and for rows with and without a time.
CREATE FUNCTION pg_temp.near(query text) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    rows numeric;
BEGIN
    EXECUTE 'SELECT count(*) FROM (' || query || ') s' INTO rows;
    RETURN pg_temp.expected(query) BETWEEN rows / 2 AND rows * 2;
END $$;
CREATE TABLE blended (id uuid) WITH (autovacuum_enabled = off);
CREATE FUNCTION pg_temp.off(other text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    TRUNCATE blended;
    EXECUTE 'INSERT INTO blended SELECT CASE WHEN n <= 20000 THEN ' || other || ' ELSE uuidv7_at(timestamptz ''2023-01-01'' + n * interval ''10 min'') END FROM generate_series(1, 80000) n';
    ANALYZE blended;
    RETURN (SELECT string_agg(condition, ', ')
            FROM (SELECT max(uuidv7_time(id)) AS newest FROM blended) b, unnest('{1 day, 3 days, 30 days}'::interval[]) days, LATERAL (VALUES
                (format('id >= %L::timestamptz AND id <= %L::timestamptz', newest - days, newest)), (format('uuidv7_time(id) >= %L::timestamptz', newest - days)),
                ('uuidv7_time(id) IS NULL'), ('uuidv7_time(id) IS NOT NULL')) conditions (condition)
            WHERE pg_temp.near('SELECT FROM blended WHERE ' || condition) IS NOT TRUE);
END $$;
CREATE INDEX ON blended (id);
SELECT count(*), string_agg(other || ': ' || off, E'\n') AS others
FROM (SELECT other, pg_temp.off(other) FROM unnest(ARRAY['uuidv4()', 'uuidv6_at(timestamptz ''2023-01-01'' + n * interval ''5 min'')', 'NULL::uuid', 'overlay(''8abcdef0-1234-8000-8000-000000000000'' PLACING lpad(to_hex(n), 12, ''0'') FROM 25)::uuid', 'uuid_v6_to_v1(uuidv6_at(timestamptz ''2023-01-01'' + n * interval ''1 us''))']) other) outcomes;
DROP TABLE blended;

-- Statistics of version 1 are not in the order of time, but the index by time provides the newest time, so estimates for the
-- newest rows are usually within a factor of four. One sample in a thousand is off by more than eight, so this is the median.
CREATE TABLE scattered (id uuid) WITH (autovacuum_enabled = off);
INSERT INTO scattered SELECT uuid_v6_to_v1(uuidv6_at(timestamptz '2023-01-01' + n * interval '10 min')) FROM generate_series(1, 60000) n;
CREATE INDEX ON scattered USING btree (id uuid_time_ops);
CREATE FUNCTION pg_temp.ratios() RETURNS TABLE (hours int, ratio numeric) LANGUAGE plpgsql AS $$
BEGIN
    FOR run IN 1 .. 11 LOOP
        ANALYZE scattered;
        RETURN QUERY SELECT h, pg_temp.expected(format('SELECT FROM scattered WHERE id ~>=~ %L::timestamptz', (SELECT max(uuid_extract_time(id)) FROM scattered) - h * interval '1 hour')) / (h * 6)
            FROM unnest('{6, 24, 72}'::int[]) h;
    END LOOP;
END $$;
SELECT hours, percentile_disc(0.5) WITHIN GROUP (ORDER BY ratio) BETWEEN 0.25 AND 4 AS "within a factor of four" FROM pg_temp.ratios() GROUP BY hours ORDER BY hours;
DROP TABLE scattered;

-- Visits and purchases of the same day, joined by customer. If one row of each were expected, the plan would read the day's
-- purchases again for every visit. (ANALYZE reads every row, so the plan does not depend on a sample.)
CREATE TABLE visit (id uuid PRIMARY KEY, customer int);
CREATE TABLE purchase (id uuid PRIMARY KEY, customer int);
INSERT INTO visit SELECT uuidv7_at(timestamptz '2023-01-01' + n * interval '1080 s'), n % 1000 FROM generate_series(0, 29199) n;
INSERT INTO purchase SELECT uuidv7_at(timestamptz '2023-01-01' + n * interval '1080 s'), n % 999 FROM generate_series(0, 29199) n;
ANALYZE visit, purchase;
EXPLAIN (COSTS OFF) SELECT count(*) FROM visit v JOIN purchase p USING (customer)
WHERE v.id >= uuidv7_floor('2023-06-01') AND v.id < uuidv7_floor('2023-06-02') AND p.id >= uuidv7_floor('2023-06-01') AND p.id < uuidv7_floor('2023-06-02');
EXPLAIN (COSTS OFF) SELECT count(*) FROM visit v JOIN purchase p USING (customer)
WHERE v.id >= timestamptz '2023-06-01' AND v.id < timestamptz '2023-06-02' AND p.id <@ tstzrange('2023-06-01', '2023-06-02');
SET client_min_messages = warning;
DROP TABLE event, shift, other, stamped, reference, visit, purchase;

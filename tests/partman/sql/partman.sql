-- pg_partman maintains partitions by the time in a version 7 key: it creates them ahead of time and drops old ones, and queries
-- by time read those that they need.
SET timezone = 'UTC';
-- The test must end on the day on which it starts.
DO $$ BEGIN IF localtime >= '23:59' THEN PERFORM pg_sleep(61); END IF; END $$;
SET client_min_messages = warning;
CREATE SCHEMA partman;
CREATE EXTENSION pg_partman SCHEMA partman;
CREATE EXTENSION uuidrfc;
CREATE TABLE public.event (id uuid PRIMARY KEY DEFAULT uuidv7(), n int) PARTITION BY RANGE (id);
SELECT partman.create_parent('public.event', 'id', '1 day', p_premake => 2,
                             p_time_encoder => 'public.uuidv7_floor', p_time_decoder => 'public.uuid_time_decoder');
-- Two days back, today, two days ahead, each from midnight to midnight.
CREATE VIEW day AS
SELECT c.oid::regclass AS partition,
       uuid_time_decoder(substring(bound FROM 'FROM \(''(.*)''\) TO')) AS first, uuid_time_decoder(substring(bound FROM 'TO \(''(.*)''\)')) AS next
FROM pg_class c, pg_get_expr(relpartbound, c.oid) bound WHERE relispartition AND relkind = 'r' AND bound <> 'DEFAULT';
SELECT count(*), min(first) = current_date - 2 AS "from", max(next) = current_date + 3 AS "to", bool_and(next = first + interval '1 day') AS days FROM day;
-- Rows go to the partition of their time.
INSERT INTO event (n) SELECT generate_series(1, 100);
INSERT INTO event SELECT uuidv7_at(first + interval '12 hours'), 0 FROM day;
SELECT count(*), bool_and(uuid_extract_time(id) >= first AND uuid_extract_time(id) < next) AS in_their_day FROM event e JOIN day ON partition = e.tableoid;
-- Maintenance creates missing partitions ahead of the newest row.
UPDATE partman.part_config SET premake = 4;
SELECT partman.run_maintenance();
SELECT count(*), max(next) = current_date + 7 AS "to" FROM day;
SELECT count(*) = 9 AS listed, bool_and(partition_tablename = 'event_p' || to_char(current_date - 3 + n::int, 'YYYYMMDD')) AS in_order
FROM partman.show_partitions('public.event') WITH ORDINALITY AS p(partition_schemaname, partition_tablename, n);
-- Old partitions are dropped.
UPDATE partman.part_config SET retention = '1 day', retention_keep_table = false;
SELECT partman.run_maintenance();
SELECT count(*), min(first) = current_date - 1 AS "from" FROM day;
-- Queries read the partitions of their time, pruned during planning and at execution.
CREATE FUNCTION partitions_read(condition text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    line text;
    read bigint := 0;
BEGIN
    FOR line IN EXECUTE 'EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT * FROM event WHERE ' || condition LOOP
        read := read + (line ~ 'on event_\w+ event(_\d+)?( |$)' AND line !~ 'never executed')::int;
    END LOOP;
    RETURN read;
END $$;
SELECT partitions_read(format('id <@ tstzrange(%L, %L)', current_date, current_date + 1)) AS today,
       partitions_read(format('id >= %L::timestamptz AND id < %L::timestamptz', current_date, current_date + 2)) AS two_days,
       partitions_read('id < current_date') AS yesterday,
       partitions_read('true') AS all_with_default;

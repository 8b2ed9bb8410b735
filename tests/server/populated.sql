-- A database that uses the extension, which is in the schema ids, wherever an expression can occur. Only features that every
-- released version supports are used.
CREATE TABLE events (
    id uuid PRIMARY KEY DEFAULT ids.uuidv7() CHECK (ids.uuid_extract_version(id) = 7),
    made timestamptz GENERATED ALWAYS AS (ids.uuid_extract_time(id)) STORED,
    more uuid[] DEFAULT ids.uuidv7_array(2),
    n int);
CREATE INDEX events_made ON events (ids.uuid_extract_time_us(id));
CREATE TABLE old (id uuid DEFAULT ids.uuidv1(), checked ids.uuid_v7 DEFAULT ids.uuidv7(), n int);
CREATE INDEX old_in_time ON old (id ids.uuid_time_ops);
CREATE UNIQUE INDEX old_mixed ON old (checked ids.uuid_time_ops DESC, id ids.uuid_time_ops);
CREATE TABLE parts (id uuid DEFAULT ids.uuidv6(), n int) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts DEFAULT;
CREATE TABLE parts_in_time (id uuid DEFAULT ids.uuidv1(), n int) PARTITION BY RANGE (id ids.uuid_time_ops);
CREATE TABLE parts_in_time_1 PARTITION OF parts_in_time
    FOR VALUES FROM (MINVALUE) TO ('20d3de00-ae64-11e6-8000-000000000000');
CREATE TABLE parts_in_time_2 PARTITION OF parts_in_time DEFAULT;
CREATE INDEX parts_in_time_id ON parts_in_time (id ids.uuid_time_ops);
CREATE TABLE visits (
    id uuid DEFAULT ids.uuidv7(),
    page uuid GENERATED ALWAYS AS (ids.uuid_v5(ids.uuid_namespace('url'), 'page ' || n)) STORED,
    n int) PARTITION BY RANGE (id);
CREATE TABLE visits_2023 PARTITION OF visits
    FOR VALUES FROM (ids.uuidv7_lower_bound(timestamptz '2023-01-01 00:00:00+00'))
    TO (ids.uuidv7_lower_bound(timestamptz '2024-01-01 00:00:00+00'));
CREATE TABLE visits_later PARTITION OF visits
    FOR VALUES FROM (ids.uuidv7_lower_bound(timestamptz '2024-01-01 00:00:00+00')) TO (MAXVALUE);
CREATE INDEX events_early ON events (n) WHERE id OPERATOR(ids.<) '2023-02-01 00:00:00+00'::timestamptz;
CREATE INDEX visits_id ON visits (id);
CREATE STATISTICS visits_by_time ON ids.uuid_extract_time_us(id), n FROM visits;
CREATE TABLE firsts (id uuid NOT NULL DEFAULT ids.uuidv6(), n int);
CREATE UNIQUE INDEX firsts_id ON firsts (id ids.uuid_time_ops);
CREATE DOMAIN key AS uuid DEFAULT ids.uuidv7();
CREATE TABLE seconds (id key, first uuid REFERENCES firsts (id));
CREATE VIEW times AS SELECT n, ids.uuid_extract_time_us(id) AS time FROM events;
CREATE VIEW ends AS SELECT ids.min(id) AS first, ids.max(id) AS last FROM events;
CREATE VIEW in_time AS SELECT n FROM old ORDER BY id USING OPERATOR(ids.~<~);
CREATE VIEW visits_by_month AS
    SELECT date_trunc('month', ids.uuid_extract_time_us(id), 'UTC') AS month, count(*), ids.min(id) AS first, ids.max(id) AS last
    FROM visits WHERE id OPERATOR(ids.<@) tstzrange('2023-01-01 00:00:00+00', '2024-01-01 00:00:00+00') GROUP BY 1;
CREATE VIEW neighbours AS
    SELECT n, count(*) OVER (ORDER BY id USING OPERATOR(ids.~<~) RANGE BETWEEN '1 ms' PRECEDING AND CURRENT ROW) FROM old;
CREATE MATERIALIZED VIEW since AS
    SELECT count(*) FROM old WHERE id OPERATOR(ids.~>=~) '2020-01-01 00:00:00+00'::timestamptz;
CREATE FUNCTION newest() RETURNS timestamptz LANGUAGE sql
    AS 'SELECT ids.uuid_extract_time(id) FROM events ORDER BY id DESC LIMIT 1';
CREATE FUNCTION fresh() RETURNS uuid LANGUAGE sql BEGIN ATOMIC SELECT ids.uuidv7(); END;
INSERT INTO events (n) SELECT generate_series(1, 1000);
INSERT INTO old (n) SELECT generate_series(1, 1000);
INSERT INTO parts (n) SELECT generate_series(1, 1000);
INSERT INTO parts_in_time (n) SELECT generate_series(1, 1000);
INSERT INTO parts_in_time (id, n)
    SELECT CASE n % 3 WHEN 0 THEN ids.uuid_v6_to_v1(ids.uuidv6_at(time))
                      WHEN 1 THEN ids.uuidv6_at(time)
                      ELSE ids.uuidv7_at(time) END, n
    FROM (SELECT n, timestamptz '1990-01-01 00:00:00+00' + n * interval '9 days' AS time FROM generate_series(1001, 2000) n) times;
INSERT INTO visits (id, n)
    SELECT ids.uuidv7_at(timestamptz '2023-01-01 00:00:00+00' + n * interval '9 hours'), n FROM generate_series(1, 1000) n;
INSERT INTO visits (n) SELECT generate_series(1001, 2000);
INSERT INTO firsts (n) SELECT generate_series(1, 100);
INSERT INTO seconds (first) SELECT id FROM firsts;
REFRESH MATERIALIZED VIEW since;

-- A database that uses the extension, which is in the schema ids, wherever an expression can stand. Every released
-- version must know what is used here, so what a later version adds is used in a file of its own.
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
CREATE VIEW times AS SELECT n, ids.uuid_extract_time_us(id) AS time FROM events;
CREATE VIEW ends AS SELECT ids.min(id) AS first, ids.max(id) AS last FROM events;
CREATE VIEW in_time AS SELECT n FROM old ORDER BY id USING OPERATOR(ids.~<~);
CREATE MATERIALIZED VIEW since AS
    SELECT count(*) FROM old WHERE id OPERATOR(ids.~>=~) '2020-01-01 00:00:00+00'::timestamptz;
CREATE FUNCTION newest() RETURNS timestamptz LANGUAGE sql
    AS 'SELECT ids.uuid_extract_time(id) FROM events ORDER BY id DESC LIMIT 1';
INSERT INTO events (n) SELECT generate_series(1, 1000);
INSERT INTO old (n) SELECT generate_series(1, 1000);
INSERT INTO parts (n) SELECT generate_series(1, 1000);
INSERT INTO parts_in_time (n) SELECT generate_series(1, 1000);
REFRESH MATERIALIZED VIEW since;

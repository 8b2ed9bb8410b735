-- A database that uses the extension, which is in the schema ids, wherever an expression can stand. Every released
-- version must know what is used here, so what a later version adds is used in a file of its own.
CREATE TABLE events (
    id uuid PRIMARY KEY DEFAULT ids.uuidv7() CHECK (ids.uuid_extract_version(id) = 7),
    made timestamptz GENERATED ALWAYS AS (ids.uuid_extract_time(id)) STORED,
    n int);
CREATE INDEX events_made ON events (ids.uuid_extract_time_us(id));
CREATE TABLE parts (id uuid DEFAULT ids.uuidv6(), n int) PARTITION BY RANGE (id);
CREATE TABLE parts_1 PARTITION OF parts DEFAULT;
CREATE VIEW times AS SELECT n, ids.uuid_extract_time_us(id) AS time FROM events;
CREATE FUNCTION newest() RETURNS timestamptz LANGUAGE sql
    AS 'SELECT ids.uuid_extract_time(id) FROM events ORDER BY id DESC LIMIT 1';
INSERT INTO events (n) SELECT generate_series(1, 1000);
INSERT INTO parts (n) SELECT generate_series(1, 1000);

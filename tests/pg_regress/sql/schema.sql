-- The extension in a schema that is not in search_path, and moved to another schema.
\i tests/pg_regress/common.sql
SELECT current_database() AS regress \gset
CREATE DATABASE uuidrfc_schema TEMPLATE template0;
\c uuidrfc_schema
CREATE SCHEMA first;
CREATE EXTENSION uuidrfc SCHEMA first;
CREATE TABLE events (id first.uuid_v7 PRIMARY KEY DEFAULT first.uuidv7(), n int);
CREATE INDEX events_short ON events (first.uuid_encode(id, 'base58'));
CREATE VIEW newest AS SELECT first.max(id) AS id FROM events;
INSERT INTO events (n) VALUES (1), (2);
INSERT INTO events VALUES (first.nil_uuid());
SELECT newest.id = events.id AS newest_is_second FROM newest, events WHERE n = 2;

CREATE SCHEMA second;
ALTER EXTENSION uuidrfc SET SCHEMA second;
DROP SCHEMA first;
INSERT INTO events (n) VALUES (3);
INSERT INTO events VALUES (second.max_uuid());
SELECT newest.id = events.id AS newest_is_third FROM newest, events WHERE n = 3;
SELECT second.min(id) = (SELECT id FROM events WHERE n = 1) AS min FROM events;
SELECT count(*) FROM events WHERE second.uuid_decode(second.uuid_encode(id, 'base58'), 'base58') = id;
-- Nothing is left elsewhere.
SELECT count(*) FILTER (WHERE identity.schema = 'second') > 0 AS moved,
       count(*) FILTER (WHERE identity.schema <> 'second') AS left_behind
FROM pg_depend d, pg_identify_object(d.classid, d.objid, d.objsubid) AS identity
WHERE d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
  AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidrfc');
\c :regress
DROP DATABASE uuidrfc_schema;

-- Creates the extension and the tables for drivers. ORMs do this themselves.
CREATE EXTENSION uuidrfc;
CREATE TABLE item (id uuid PRIMARY KEY DEFAULT uuidv7(), name text NOT NULL);
CREATE VIEW item_v AS SELECT *, uuidv7_time(id) AS created_at FROM item WHERE uuidv7_time(id) IS NOT NULL;
CREATE TABLE visit (id uuid_v7 PRIMARY KEY DEFAULT uuidv7());
\ir old_rows.sql

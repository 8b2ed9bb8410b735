\echo Use "ALTER EXTENSION uuidrfc UPDATE TO '1.0.0'" to load this file. \quit

-- What is dropped or renamed. Behind it, `make install` appends what sql/uuidrfc.sql creates or replaces.

DROP FUNCTION uuidv7_upper_bound(timestamptz);

\echo Use "ALTER EXTENSION uuidrfc UPDATE TO '1.0.0'" to load this file. \quit

-- What is dropped or renamed. Behind it, `make install` appends what sql/uuidrfc.sql creates or replaces.

DROP FUNCTION uuidv7_upper_bound(timestamptz);
-- Plans have uuid_unseal, so that whoever may not execute that has no other way to the same.
DROP FUNCTION uuid_unseal_or_null(uuid);
DROP FUNCTION uuid_unseal_or_null(uuid[]);
DROP FUNCTION uuid_unseal_or_null(uuid, bytea);
DROP FUNCTION uuid_unseal_or_null(uuid[], bytea);
DROP FUNCTION typeid_decode_or_null(text[], text);

-- Names in an encoding that PostgreSQL cannot convert to UTF-8. The only one, MULE_INTERNAL, is missing from PostgreSQL 19.
SELECT pg_char_to_encoding('MULE_INTERNAL') < 0 AS none \gset
\if :none
\quit
\endif
\pset format unaligned
\pset tuples_only on
SET client_min_messages = warning;
DROP DATABASE IF EXISTS uuidrfc_regress_mule;
CREATE DATABASE uuidrfc_regress_mule ENCODING 'MULE_INTERNAL' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C';
\c "dbname=uuidrfc_regress_mule client_encoding=MULE_INTERNAL"
CREATE EXTENSION uuidrfc;
SELECT uuid_v5(nil_uuid(), 'ascii') = uuid_v5(nil_uuid(), 'ascii'::bytea);
SELECT uuid_v5(nil_uuid(), E'\x81\xe9');
\echo :LAST_ERROR_SQLSTATE
SELECT uuid_v5(nil_uuid(), E'\x81\xe9'::bytea) IS NOT NULL;
\c "dbname=uuidrfc_regress client_encoding=UTF8"
DROP DATABASE uuidrfc_regress_mule;

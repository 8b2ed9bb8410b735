-- A name yields the same UUID in every database encoding, because text is hashed as UTF-8.
-- Error messages are in the database's encoding.
\i tests/pg_regress/common.sql
SET client_min_messages = warning;
DROP DATABASE IF EXISTS uuidrfc_regress_latin1;
DROP DATABASE IF EXISTS uuidrfc_regress_sql_ascii;
DROP DATABASE IF EXISTS uuidrfc_regress_euc_jp;
CREATE DATABASE uuidrfc_regress_latin1 ENCODING 'LATIN1' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C';
CREATE DATABASE uuidrfc_regress_sql_ascii ENCODING 'SQL_ASCII' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C';
CREATE DATABASE uuidrfc_regress_euc_jp ENCODING 'EUC_JP' TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C';

\echo -- UTF8
SELECT uuid_v5(nil_uuid(), U&'caf\00e9');
SELECT uuid_v5(nil_uuid(), repeat(U&'a\00e9', 50000));
SELECT uuid_v5(nil_uuid(), U&'\3042\4f8b');
SELECT uuid_v5(nil_uuid(), 'a' || repeat(U&'\3042\4f8b', 50000));

\c uuidrfc_regress_latin1
\echo -- LATIN1
CREATE EXTENSION uuidrfc;
SELECT uuid_v5(nil_uuid(), E'caf\xe9');
SELECT uuid_v5(nil_uuid(), repeat(E'a\xe9', 50000));
SELECT uuid_v5(nil_uuid(), '') = uuid_v5(nil_uuid(), ''::bytea), uuid_v5(nil_uuid(), 'ascii') = uuid_v5(nil_uuid(), 'ascii'::bytea);
SELECT uuid_decode(uuid_encode(max_uuid(), 'base58'), 'base58');
-- No hash has a non-ASCII name, and the error does not show the bytes of such a name.
SELECT uuid_v8(nil_uuid(), 'name', E'sh\xe9256');
\echo :LAST_ERROR_SQLSTATE
-- The error about a long text shows its beginning and an ellipsis.
SELECT uuid_decode(repeat(E'\xe9', 100), 'hex');
\echo :LAST_ERROR_SQLSTATE

\c uuidrfc_regress_sql_ascii
\echo -- SQL_ASCII: the bytes must be UTF-8
CREATE EXTENSION uuidrfc;
SELECT uuid_v5(nil_uuid(), E'caf\xc3\xa9');
SELECT uuid_v5(nil_uuid(), repeat(E'a\xc3\xa9', 50000));
SELECT uuid_v5(nil_uuid(), '') = uuid_v5(nil_uuid(), ''::bytea);
SELECT uuid_v5(nil_uuid(), E'caf\xe9');
\echo :LAST_ERROR_SQLSTATE
SELECT uuid_v8(nil_uuid(), repeat(E'\xc3\xa9', 10000) || E'\xc3');
\echo :LAST_ERROR_SQLSTATE
SELECT uuid_v5(nil_uuid(), E'\xed\xa0\x80');
\echo :LAST_ERROR_SQLSTATE
SELECT uuid_v5(nil_uuid(), E'caf\xe9'::bytea);
SELECT uuid_namespace(E'\xe9');
\echo :LAST_ERROR_SQLSTATE
SELECT uuid_decode(E'\xe9\xff', 'hex');
\echo :LAST_ERROR_SQLSTATE

\c uuidrfc_regress_euc_jp
\echo -- EUC_JP: characters of two and three bytes
CREATE EXTENSION uuidrfc;
SELECT uuid_v5(nil_uuid(), E'\xa4\xa2\xce\xe3');
SELECT uuid_v5(nil_uuid(), 'a' || repeat(E'\xa4\xa2\xce\xe3', 50000));
-- The encoding has code points to which no character is assigned.
SELECT uuid_v5(nil_uuid(), repeat('a', 20000) || E'\xa9\xa1');
\echo :LAST_ERROR_SQLSTATE

\c uuidrfc_regress
DROP DATABASE uuidrfc_regress_latin1;
DROP DATABASE uuidrfc_regress_sql_ascii;
DROP DATABASE uuidrfc_regress_euc_jp;

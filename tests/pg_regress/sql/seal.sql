-- Version 7 UUIDs sealed as version 4, and unsealed.
\i tests/pg_regress/common.sql
\set uuid '017f22e2-79b0-7cc3-98c4-dc0c0c07398f'
CREATE TEMP TABLE vector (key text, v7 uuid, v4 uuid);
\copy vector FROM 'crates/rfc9562/tests/vectors/seal.csv' CSV HEADER
SELECT count(*), count(DISTINCT key), bool_and(uuid_seal(v7, decode(key, 'hex')) = v4) AS sealed, bool_and(uuid_unseal(v4, decode(key, 'hex')) = v7) AS unsealed
FROM vector;
-- One expression can use many keys.
SELECT uuid_seal(v7, decode(key, 'hex')) = v4 AS sealed, count(*) FROM vector, generate_series(1, 3) GROUP BY 1;

-- Keys of the wrong length and UUIDs of the wrong version raise errors.
SELECT pg_temp.outcome(call) FROM unnest(ARRAY[
    $$uuid_seal('017f22e2-79b0-7cc3-98c4-dc0c0c07398f', '\x')$$,
    $$uuid_seal('017f22e2-79b0-7cc3-98c4-dc0c0c07398f', decode(repeat('ab', 31), 'hex'))$$,
    $$uuid_unseal('919108f7-52d1-4320-9bac-f847db4148a8', decode(repeat('ab', 33), 'hex'))$$,
    $$uuid_seal('017f22e2-79b0-7cc3-98c4-dc0c0c07398f', repeat('ab', 32)::bytea)$$,
    $$uuid_seal('919108f7-52d1-4320-9bac-f847db4148a8', decode(repeat('ab', 32), 'hex'))$$,
    $$uuid_unseal('017f22e2-79b0-7cc3-98c4-dc0c0c07398f', decode(repeat('ab', 32), 'hex'))$$,
    $$uuid_seal(max_uuid(), decode(repeat('ab', 32), 'hex'))$$]) call;

-- Without a key file, a key is required. (No error shows any part of a key, a key file or its path.)
SELECT pg_temp.outcome('uuid_seal(uuidv7())');
SHOW uuidrfc.seal_key_file;
-- A file in the data directory is read, and invalid files are rejected.
SET uuidrfc.seal_key_file = 'uuidrfc_regress_keys';
SELECT uuid_seal(:'uuid');
COPY (SELECT '1 ' || repeat('ab', 32)) TO PROGRAM 'umask 037; cat > uuidrfc_regress_keys';
SELECT pg_temp.outcome('uuid_seal(uuidv7())');
COPY (SELECT) TO PROGRAM 'cat > /dev/null; chmod 600 uuidrfc_regress_keys';
SELECT uuid_seal(:'uuid') = uuid_seal(:'uuid', decode(repeat('ab', 32), 'hex')) AS same;
-- Keys that were read remain in use until the path changes or the configuration is reloaded.
COPY (VALUES ('# the second'), ('2 ' || repeat('02', 32)), ('1 ' || repeat('ab', 32))) TO PROGRAM 'cat > uuidrfc_regress_keys';
SELECT uuid_seal(:'uuid') = uuid_seal(:'uuid', decode(repeat('ab', 32), 'hex')) AS still_the_first;
SET uuidrfc.seal_key_file = 'base';
SELECT uuid_seal(:'uuid');
COPY (SELECT) TO PROGRAM 'cat > /dev/null; mkfifo -m 600 uuidrfc_regress_keys_fifo';
SET uuidrfc.seal_key_file = 'uuidrfc_regress_keys_fifo';
SELECT uuid_seal(:'uuid');
COPY (SELECT) TO PROGRAM 'cat > /dev/null; rm uuidrfc_regress_keys_fifo';
-- Files owned by root are refused if the server cannot read them, or if every user can.
SET uuidrfc.seal_key_file = '/etc/shadow';
SELECT uuid_seal(:'uuid');
SET uuidrfc.seal_key_file = '/etc/passwd';
SELECT uuid_seal(:'uuid');
SET uuidrfc.seal_key_file = './uuidrfc_regress_keys';
SELECT uuid_seal(:'uuid') = uuid_seal(:'uuid', decode(repeat('02', 32), 'hex')) AS the_second;
SELECT uuid_unseal(uuid_seal(:'uuid')) = :'uuid' AS back,
       uuid_unseal_with(uuid_seal(:'uuid'), 2) = :'uuid' AS current,
       uuid_unseal_with(uuid_seal(:'uuid', decode(repeat('ab', 32), 'hex')), 1) = :'uuid' AS older;
SELECT uuid_unseal_with(uuidv4(), 3);
COPY (SELECT E'1 abab\nnot a key') TO PROGRAM 'cat > uuidrfc_regress_keys';
SET uuidrfc.seal_key_file = 'uuidrfc_regress_keys';
SELECT pg_temp.outcome('uuid_seal(uuidv7())');
-- After an error, the previous keys are not used again.
SELECT uuid_unseal_with(uuidv4(), 1);
COPY (VALUES ('1 ' || repeat('ab', 32)), ('1 ' || repeat('02', 32))) TO PROGRAM 'cat > uuidrfc_regress_keys';
SELECT uuid_seal(:'uuid');
COPY (SELECT repeat(' ', 1024 * 1024)) TO PROGRAM 'cat > uuidrfc_regress_keys';
SELECT uuid_seal(:'uuid');
COPY (SELECT) TO PROGRAM 'cat > /dev/null; printf "" > uuidrfc_regress_keys';
SELECT uuid_seal(:'uuid');

-- Every role may seal, but an ordinary role may neither read nor change the path.
COPY (VALUES ('1 ' || repeat('ab', 32))) TO PROGRAM 'cat > uuidrfc_regress_keys';
CREATE ROLE uuidrfc_regress_sealer;
SET ROLE uuidrfc_regress_sealer;
SELECT uuid_unseal(uuid_seal(:'uuid')) = :'uuid' AS back;
\set VERBOSITY sqlstate
SHOW uuidrfc.seal_key_file;
SELECT current_setting('uuidrfc.seal_key_file');
SELECT count(*) FROM pg_settings WHERE name = 'uuidrfc.seal_key_file';
SET uuidrfc.seal_key_file = 'postgresql.conf';
ALTER ROLE uuidrfc_regress_sealer SET uuidrfc.seal_key_file = 'postgresql.conf';
\set VERBOSITY default
RESET ROLE;
DROP ROLE uuidrfc_regress_sealer;

-- Parallel workers cannot use the keys that the session has read from the file, but can use a key in the statement.
CREATE TABLE sealed AS SELECT n, uuidv7_at('2026-01-01 00:00:00+00'::timestamptz + n * interval '1 second') AS id FROM generate_series(1, 20000) n;
ANALYZE sealed;
SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0; SET max_parallel_workers_per_gather = 2; SET parallel_leader_participation = off;
EXPLAIN (COSTS OFF) SELECT count(*) FROM sealed WHERE uuid_unseal(uuid_seal(id)) = id;
EXPLAIN (COSTS OFF) SELECT count(*) FROM sealed WHERE uuid_unseal(uuid_seal(id, decode(repeat('00', 32), 'hex')), decode(repeat('00', 32), 'hex')) = id;
SELECT count(DISTINCT s), bool_and(uuid_extract_version(s) = 4) FROM (SELECT uuid_seal(id) AS s FROM sealed WHERE uuid_unseal(uuid_seal(id)) = id) q;
RESET parallel_setup_cost; RESET parallel_tuple_cost; RESET min_parallel_table_scan_size; RESET max_parallel_workers_per_gather; RESET parallel_leader_participation;
-- The order of sealed UUIDs is unrelated to the order of creation.
SELECT abs(corr(n, place)) < 0.05 AS unordered FROM (SELECT n, row_number() OVER (ORDER BY uuid_seal(id)) AS place FROM sealed) q;
DROP TABLE sealed;
COPY (SELECT) TO PROGRAM 'cat > /dev/null; rm uuidrfc_regress_keys';
RESET uuidrfc.seal_key_file;

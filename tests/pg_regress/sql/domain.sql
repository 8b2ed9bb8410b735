-- The domain uuid_v7.
\i tests/pg_regress/common.sql
SELECT '01890a5d-ac96-774b-bcce-b302099a8057'::uuid_v7;
SELECT NULL::uuid_v7 IS NULL AS null_is_allowed;
SELECT uuid_extract_version(uuidv7()::uuid_v7);
-- Another version is rejected.
SELECT '01890a5d-ac96-474b-bcce-b302099a8057'::uuid_v7;
\echo :LAST_ERROR_SQLSTATE
-- The combinations of version and variant that are accepted.
CREATE FUNCTION pg_temp.accepted(id uuid) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    PERFORM id::uuid_v7;
    RETURN true;
EXCEPTION WHEN check_violation THEN
    RETURN false;
END
$$;
SELECT version, variant FROM unnest(string_to_array('0123456789abcdef', NULL)) version,
                             unnest(string_to_array('0123456789abcdef', NULL)) variant
WHERE pg_temp.accepted(format('01890a5d-ac96-%s74b-%scce-b302099a8057', version, variant)::uuid)
ORDER BY version, variant;

-- A column of the domain can have a default and an index, and supports the operations of uuid.
CREATE TEMP TABLE events (id uuid_v7 PRIMARY KEY DEFAULT uuidv7(), parent uuid_v7 REFERENCES events, n int);
INSERT INTO events (n) SELECT n FROM generate_series(1, 1000) n;
INSERT INTO events VALUES ('01890a5d-ac96-774b-bcce-b302099a8057', NULL, 0);
INSERT INTO events VALUES (uuidv4());
\echo :LAST_ERROR_SQLSTATE
UPDATE events SET id = 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6' WHERE n = 0;
\echo :LAST_ERROR_SQLSTATE
ANALYZE events;
SET enable_seqscan = off;
EXPLAIN (COSTS OFF) SELECT n FROM events WHERE id = '01890a5d-ac96-774b-bcce-b302099a8057';
SELECT n FROM events WHERE id = '01890a5d-ac96-774b-bcce-b302099a8057';
SELECT min(id), pg_typeof(min(id)), max(id) = (SELECT id FROM events ORDER BY id DESC LIMIT 1) AS max FROM events;
CREATE INDEX events_parent ON events (parent);
SELECT pg_temp.plan('SELECT max(parent) FROM events');
SELECT uuid_encode(id, 'base58'), uuid_extract_version(id), uuid_extract_time(id) AT TIME ZONE 'UTC' AS time
FROM events WHERE n = 0;
SELECT ARRAY[id, NULL]::uuid_v7[] FROM events WHERE n = 0;
SELECT ARRAY[id, nil_uuid()]::uuid_v7[] FROM events WHERE n = 0;
RESET enable_seqscan;

SELECT obj_description('uuid_v7'::regtype, 'pg_type') IS NOT NULL AS type_commented;
SELECT conname, obj_description(oid, 'pg_constraint') IS NOT NULL AS commented
FROM pg_constraint WHERE contypid = 'uuid_v7'::regtype;

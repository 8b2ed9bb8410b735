-- Feeds: the trigger uuidv7_touch, and marks of horizons. The server test `horizon` has what needs several servers.
\set VERBOSITY sqlstate

-- uuidv7_touch: each row that is written gets a new key, whatever the statement says, and nothing else changes.
CREATE TABLE doc (
    id integer PRIMARY KEY, dropped integer, body text, changed uuid NOT NULL,
    size integer GENERATED ALWAYS AS (length(body)) STORED
);
ALTER TABLE doc DROP COLUMN dropped;
CREATE TRIGGER touch BEFORE INSERT OR UPDATE ON doc FOR EACH ROW EXECUTE FUNCTION uuidv7_touch('changed');
INSERT INTO doc (id, body) SELECT n, 'body ' || n FROM generate_series(1, 5) n;
INSERT INTO doc (id, body, changed) VALUES (6, NULL, max_uuid());
INSERT INTO doc (id, body) VALUES (7, 'single');
SELECT bool_and(uuid_extract_version(changed) = 7) AS version_7, bool_and(changed > before) AS ascending, sum(size)
FROM (SELECT *, lag(changed) OVER (ORDER BY id) AS before FROM doc) AS docs;
CREATE TABLE before AS TABLE doc;
UPDATE doc SET body = 'new ' || id, changed = nil_uuid() WHERE id IN (2, 4);
INSERT INTO doc (id, body) VALUES (5, 'again'), (8, 'new') ON CONFLICT (id) DO UPDATE SET body = EXCLUDED.body;
WITH updated AS (UPDATE doc SET body = body WHERE id = 6 RETURNING id, changed)
SELECT changed > (SELECT max(changed) FROM before) AS returned FROM updated;
SELECT doc.id, doc.body, doc.size, doc.changed > (SELECT max(changed) FROM before) AS changed
FROM doc LEFT JOIN before USING (id) WHERE doc IS DISTINCT FROM before ORDER BY doc.changed;

-- A row that moves to another partition, and a key of another name.
CREATE TABLE part (id integer, "Of Change" uuid) PARTITION BY LIST (id);
CREATE TABLE part_1 ("Of Change" uuid, id integer);
ALTER TABLE part ATTACH PARTITION part_1 FOR VALUES IN (1);
CREATE TABLE part_2 PARTITION OF part FOR VALUES IN (2);
CREATE TRIGGER touch BEFORE INSERT OR UPDATE ON part FOR EACH ROW EXECUTE FUNCTION uuidv7_touch('Of Change');
INSERT INTO part VALUES (1);
CREATE TABLE moved AS TABLE part;
UPDATE part SET id = 2;
SELECT part.tableoid::regclass, part."Of Change" > moved."Of Change" AS changed FROM part, moved;

-- What it cannot be.
CREATE FUNCTION refused(trigger text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    DROP TABLE IF EXISTS refusing;
    CREATE TABLE refusing (id integer, at timestamptz, changed uuid);
    EXECUTE format('CREATE TRIGGER touch ' || trigger, 'ON refusing', 'EXECUTE FUNCTION uuidv7_touch');
    INSERT INTO refusing VALUES (1);
    UPDATE refusing SET id = 2;
    DELETE FROM refusing;
    RETURN 'accepted';
EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE || ': ' || SQLERRM;
END $$;
SET client_min_messages = warning;
SELECT trigger, refused(trigger) FROM (VALUES
    ('BEFORE INSERT OR UPDATE %s FOR EACH ROW %s(changed)'), ('BEFORE UPDATE OF id %s FOR EACH ROW WHEN (NEW.id > 0) %s(changed)'),
    ('AFTER INSERT %s FOR EACH ROW %s(changed)'), ('BEFORE UPDATE %s FOR EACH STATEMENT %s(changed)'),
    ('BEFORE DELETE %s FOR EACH ROW %s(changed)'), ('BEFORE INSERT %s FOR EACH ROW %s()'),
    ('BEFORE INSERT %s FOR EACH ROW %s(changed, id)'), ('BEFORE INSERT %s FOR EACH ROW %s(gone)'),
    ('BEFORE INSERT %s FOR EACH ROW %s(at)'), ('BEFORE INSERT %s FOR EACH ROW %s(ctid)')) t (trigger);
SELECT uuidv7_touch();

-- A mark by activity: behind what was committed, not behind what an open transaction makes, and never after now.
INSERT INTO doc (id) VALUES (9);
SELECT pg_sleep(0.002);
SELECT uuidv7_mark_by_activity('here') IS NOT NULL AS marked;
SELECT count(*) = 9 AS all FROM doc WHERE changed < uuidv7_horizon('doc', 'here');
SELECT uuidv7_time(horizon) <= now() AS not_later, horizon = uuidv7_horizon('doc', 'here') AS same FROM uuidv7_horizons;
SELECT (SELECT horizon FROM uuidv7_horizons) <= uuidv7_mark_by_activity('here') AS goes_on;
-- The least of several, and what has no mark.
INSERT INTO uuidv7_horizons VALUES ('there', uuidv7_floor('2026-01-01'));
SELECT uuidv7_horizon('doc', 'here', 'there') = uuidv7_floor('2026-01-01') AS least;
\set VERBOSITY terse
SELECT uuidv7_horizon('doc', 'here', 'nowhere');
SELECT uuidv7_horizon('doc', VARIADIC ARRAY['here', NULL]);
\set VERBOSITY default
SELECT uuidv7_horizon('doc', 'here', 'nowhere');
-- Where activity does not tell.
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT uuidv7_mark_by_activity('here');
ROLLBACK;
CREATE ROLE uuidrfc_marks;
GRANT INSERT, UPDATE ON uuidv7_horizons TO uuidrfc_marks;
SET ROLE uuidrfc_marks;
SELECT uuidv7_mark_by_activity('here');
RESET ROLE;
GRANT pg_read_all_stats TO uuidrfc_marks;
SET ROLE uuidrfc_marks;
SELECT uuidv7_mark_by_activity('here') IS NOT NULL AS marked;
RESET ROLE;
SET track_activities = off;
SELECT uuidv7_mark_by_activity('here');
RESET track_activities;
UPDATE uuidv7_horizons SET horizon = uuidv7_floor(now() + interval '1 hour') WHERE node = 'here';
SELECT uuidv7_mark_by_activity('here');
-- The extension's horizon needs more than this server has.
SELECT uuidv7_mark('here');
DROP TABLE doc, before, part, moved;
DROP FUNCTION refused;
DELETE FROM uuidv7_horizons;
DROP OWNED BY uuidrfc_marks;
DROP ROLE uuidrfc_marks;

-- Feeds: the trigger function uuidv7_touch, and marks. (The server test `changes` covers feeds of several servers.)
\i tests/pg_regress/common.sql
-- If the library is preloaded, the trigger function requires scope `server`, as readers do.
SELECT current_setting('shared_preload_libraries') ~ 'uuidrfc' AS is_preloaded \gset
\if :is_preloaded
    SET uuidrfc.monotonic_scope = 'server';
\endif
\set VERBOSITY sqlstate

-- uuidv7_touch sets a new key in each row written, whatever the statement says, and changes nothing else.
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

-- A row that moves to another partition also gets a new key. The key's column can have any name.
CREATE TABLE part (id integer, "Of Change" uuid) PARTITION BY LIST (id);
CREATE TABLE part_1 ("Of Change" uuid, id integer);
ALTER TABLE part ATTACH PARTITION part_1 FOR VALUES IN (1);
CREATE TABLE part_2 PARTITION OF part FOR VALUES IN (2);
CREATE TRIGGER touch BEFORE INSERT OR UPDATE ON part FOR EACH ROW EXECUTE FUNCTION uuidv7_touch('Of Change');
INSERT INTO part VALUES (1);
CREATE TABLE moved AS TABLE part;
UPDATE part SET id = 2;
SELECT part.tableoid::regclass, part."Of Change" > moved."Of Change" AS changed FROM part, moved;

-- Triggers that the function accepts or refuses.
CREATE FUNCTION refused(trigger text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    DROP TABLE IF EXISTS refusing;
    CREATE TABLE refusing (id integer, at timestamptz, changed uuid, made uuid GENERATED ALWAYS AS (changed) STORED);
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
    ('BEFORE INSERT %s FOR EACH ROW %s(at)'), ('BEFORE INSERT %s FOR EACH ROW %s(made)'), ('BEFORE INSERT %s FOR EACH ROW %s(ctid)')) t (trigger);
SELECT uuidv7_touch();

-- A mark derived from activity is later than all committed keys, but not later than the current time.
INSERT INTO doc (id) VALUES (9);
SELECT pg_sleep(0.002);
CREATE TABLE marks (node text PRIMARY KEY, horizon uuid NOT NULL);
-- Transactions in other databases of the server hold back the mark, so the block waits until they end.
DO $$
BEGIN
    FOR attempt IN 1 .. 600 LOOP
        INSERT INTO marks VALUES ('here', uuidv7_mark_by_activity(NULL)) ON CONFLICT (node) DO UPDATE SET horizon = excluded.horizon;
        COMMIT;
        EXIT WHEN (SELECT count(*) = 9 FROM doc WHERE changed < uuidv7_horizon('doc', 'marks', 'here'));
        PERFORM pg_sleep(0.1);
    END LOOP;
END $$;
SELECT count(*) = 9 AS all FROM doc WHERE changed < uuidv7_horizon('doc', 'marks', 'here');
SELECT uuidv7_time(horizon) <= now() AS not_later, horizon = uuidv7_horizon('doc', 'marks', 'here') AS same FROM marks;
SELECT horizon <= uuidv7_mark_by_activity(horizon) AS goes_on FROM marks;
-- The horizon is the least of several marks, all of which must exist.
INSERT INTO marks VALUES ('there', uuidv7_floor('2026-01-01'));
SELECT uuidv7_horizon('doc', 'marks', 'here', 'there') = uuidv7_floor('2026-01-01') AS least, uuidv7_mark('marks', 'there') = uuidv7_floor('2026-01-01') AS same, uuidv7_mark('marks', 'nowhere') AS none;
\set VERBOSITY terse
SELECT uuidv7_horizon('doc', 'marks', 'here', 'nowhere');
SELECT uuidv7_horizon('doc', 'marks', VARIADIC ARRAY['here', NULL]);
SELECT uuidv7_horizon('doc', 'doc', 'here');
SELECT uuidv7_horizon('doc', 'marks', VARIADIC '{}'::text[]);
-- A view is refused, because the subscriptions of its tables would not be checked.
CREATE VIEW docs AS TABLE doc;
SELECT uuidv7_horizon('docs', 'marks', 'here');
DROP VIEW docs;
\set VERBOSITY default
\set SHOW_CONTEXT never
SELECT uuidv7_horizon('doc', 'marks', 'here', 'nowhere');
\set SHOW_CONTEXT errors
-- Cases in which a mark cannot be derived from activity.
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT uuidv7_mark_by_activity(NULL);
ROLLBACK;
CREATE ROLE uuidrfc_marks;
SET ROLE uuidrfc_marks;
SELECT uuidv7_mark_by_activity(NULL);
RESET ROLE;
GRANT pg_read_all_stats TO uuidrfc_marks;
SET ROLE uuidrfc_marks;
SELECT uuidv7_mark_by_activity(NULL) IS NOT NULL AS marked;
RESET ROLE;
SET track_activities = off;
SELECT uuidv7_mark_by_activity(NULL);
RESET track_activities;
SELECT uuidv7_mark_by_activity(uuidv7_floor(now() + interval '1 hour'));
-- uuidv7_mark() requires scope `server`.
SET uuidrfc.monotonic_scope = 'backend';
\set VERBOSITY sqlstate
SELECT uuidv7_mark();
\set VERBOSITY default
DROP TABLE doc, before, part, moved, marks;
DROP FUNCTION refused;
DROP OWNED BY uuidrfc_marks;
DROP ROLE uuidrfc_marks;

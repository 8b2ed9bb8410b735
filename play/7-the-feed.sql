\echo '-- This session generates a key and does not commit yet. Another session generates a later key and commits.'
SELECT max(id) AS last FROM outbox \gset
\setenv LAST :last
BEGIN;
INSERT INTO outbox DEFAULT VALUES;
\! psql -Xq -c "INSERT INTO outbox DEFAULT VALUES"
\echo '-- A reader that now reads the later row by its key alone loses the earlier one. The horizon makes the reader wait for both.'
\! psql -Xq -c "SELECT count(*) AS by_key, count(*) FILTER (WHERE id < uuidv7_horizon()) AS by_horizon FROM outbox WHERE id > '$LAST'"
SELECT first_value, uuidv7_horizon() AS horizon FROM uuidv7_horizon_holders();
COMMIT;
SELECT count(*) AS by_horizon FROM outbox WHERE id > :'last' AND id < uuidv7_horizon();
EXPLAIN (COSTS OFF) SELECT * FROM outbox WHERE id > nil_uuid() AND id < uuidv7_horizon() ORDER BY id LIMIT 100;
\echo '-- A row that is changed gets a new key in another column, and is read again. On a standby, a mark is the horizon.'
SELECT max(changed) AS last FROM doc \gset
UPDATE doc SET body = 'changed' WHERE id IN (7, 700);
CREATE TEMP TABLE marks (node text PRIMARY KEY, horizon uuid NOT NULL);
INSERT INTO marks VALUES ('play', uuidv7_mark());
SELECT id, body FROM doc WHERE changed > :'last' AND changed < (SELECT uuidv7_horizon('doc', 'marks', 'play')) ORDER BY changed;
\echo 'target/play/changes.svg shows when each change was read.'

\echo '-- Eight sessions wrote for a while, with pauses up to 30 ms before they committed, while two others followed.'
SELECT name, count(id) AS read, count(DISTINCT id) AS different, (SELECT count(*) FROM outbox) - count(DISTINCT id) AS lost
FROM follower GROUP BY name ORDER BY name;
\echo '-- The horizon now, and the transactions that hold it back: none.'
SELECT uuidv7_horizon() > (SELECT max(id) FROM outbox) AS is_after_all, (SELECT count(*) FROM uuidv7_horizon_holders()) AS holders;
EXPLAIN (COSTS OFF) SELECT * FROM outbox WHERE id > nil_uuid() AND id < uuidv7_horizon() ORDER BY id;
\echo '-- A row that is changed gets a new key in another column, and is read again. On a standby, a mark is the horizon.'
SELECT max(changed) AS last FROM doc \gset
UPDATE doc SET body = 'changed' WHERE id IN (7, 700);
CREATE TEMP TABLE marks (node text PRIMARY KEY, horizon uuid NOT NULL);
INSERT INTO marks VALUES ('play', uuidv7_mark());
SELECT id, body FROM doc WHERE changed > :'last' AND changed < (SELECT uuidv7_horizon('doc', 'marks', 'play')) ORDER BY changed;
\echo 'target/play/feed.svg shows when each row was read.'

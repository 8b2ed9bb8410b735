\echo '-- The newest three rows, and the three before them. The key is the cursor, and also orders rows of one millisecond.'
SELECT id, uuidv7_time(id) AS created_at, page FROM visit ORDER BY id DESC LIMIT 3;
SELECT id AS last FROM visit ORDER BY id DESC OFFSET 2 LIMIT 1 \gset
SELECT id, uuidv7_time(id) AS created_at, page FROM visit WHERE id < :'last' ORDER BY id DESC LIMIT 3;
EXPLAIN (COSTS OFF) SELECT * FROM visit WHERE id < :'last' ORDER BY id DESC LIMIT 3;

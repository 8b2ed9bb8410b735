\echo '-- One day, two weeks ago. Between two boundaries PostgreSQL guesses; a condition on time is estimated like one on a time.'
EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF)
SELECT * FROM visit WHERE id >= uuidv7_floor(now() - interval '14 days') AND id < uuidv7_floor(now() - interval '13 days');
EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF)
SELECT * FROM visit WHERE id <@ tstzrange(now() - interval '14 days', now() - interval '13 days');

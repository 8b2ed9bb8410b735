\echo '-- One day, two weeks ago. PostgreSQL guesses for bounds of type uuid, whereas a condition on time is estimated well.'
EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF)
SELECT * FROM visit WHERE id >= uuidv7_floor(now() - interval '14 days') AND id < uuidv7_floor(now() - interval '13 days');
EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF)
SELECT * FROM visit WHERE id <@ tstzrange(now() - interval '14 days', now() - interval '13 days');

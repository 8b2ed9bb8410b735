\echo '-- Each of the eight sessions noted the greatest key that it saw before it generated its own, which was always greater.'
SELECT count(*) AS rows, count(*) FILTER (WHERE id <= seen) AS out_of_order FROM outbox;
SHOW uuidrfc.monotonic_scope;
\echo '-- A million keys of one session, in one statement: they are in order, and the time inside is not ahead of the clock.'
SELECT bool_and(id > before) AS in_order, max(uuid_extract_time_us(id)) <= clock_timestamp() + interval '1 us' AS not_ahead
FROM (SELECT id, lag(id) OVER () AS before FROM unnest(uuidv7_array(1000000)) id) made;
\echo 'target/play/ids.svg shows keys of versions 4, 1 and 7 over time.'

-- 7. The effect of the order of keys on an index of 300,000 rows, and on 20,000 more rows after a checkpoint.
CREATE TABLE locality (key text, index_size text, wal_bytes_a_row numeric);
CREATE PROCEDURE measure(key text, value text) LANGUAGE plpgsql AS $$
DECLARE
    start pg_lsn;
BEGIN
    EXECUTE format('CREATE TABLE sample (id uuid PRIMARY KEY DEFAULT %s, n int)', value);
    INSERT INTO sample (n) SELECT generate_series(1, 300000);
    CHECKPOINT;
    start := pg_current_wal_insert_lsn();
    INSERT INTO sample (n) SELECT generate_series(1, 20000);
    INSERT INTO locality
    SELECT key, pg_size_pretty(pg_relation_size('sample_pkey')), round((pg_current_wal_insert_lsn() - start) / 20000);
    DROP TABLE sample;
END
$$;
CALL measure('version 4', 'uuidv4()');
CALL measure('version 7', 'uuidv7()');
SELECT * FROM locality;

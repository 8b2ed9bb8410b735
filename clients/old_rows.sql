-- Inserts old rows for every client by one statement: one every five minutes from the beginning of 2026, 288 on each day.
DO $$
BEGIN
    INSERT INTO item (id, name)
    SELECT uuidv7_at(timestamptz '2026-01-01 00:00:00Z' + n * interval '5 minutes'), 'old item ' || n
    FROM generate_series(0, 9999) n;
    ANALYZE item;
END $$;

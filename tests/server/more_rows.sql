-- Adds rows to the database of populated.sql, with keys from its defaults, which must be greater than all existing keys. The
-- variable `from` is the number of the first row.
SELECT id AS last FROM events ORDER BY id DESC LIMIT 1 \gset
INSERT INTO events (n) SELECT generate_series(:from, :from + 99);
INSERT INTO old (n) SELECT generate_series(:from, :from + 99);
INSERT INTO parts (n) SELECT generate_series(:from, :from + 99);
INSERT INTO parts_in_time (n) SELECT generate_series(:from, :from + 99);
INSERT INTO visits (n) SELECT generate_series(:from, :from + 99);
INSERT INTO firsts (n) SELECT generate_series(:from, :from + 99);
INSERT INTO seconds (first) SELECT id FROM firsts WHERE n >= :from;
REFRESH MATERIALIZED VIEW since;
\pset fieldsep ' '
SELECT 'after what was there:', (SELECT id FROM events WHERE n >= :from ORDER BY id LIMIT 1) > :'last',
       (SELECT min(n) FROM (SELECT n FROM in_time OFFSET (SELECT count(*) FROM old WHERE n < :from)) newest) = :from;
SELECT 'newest and fresh:', newest() = (SELECT made FROM events WHERE n = :from + 99),
       fresh() > (SELECT id FROM events WHERE n = :from + 99);
SELECT 'in partitions:', count(*) FILTER (WHERE tableoid = 'visits_later'::regclass) = 100 FROM visits WHERE n >= :from;
DO $$ BEGIN
    INSERT INTO events (id) VALUES ('20d3de00-ae64-11e6-8000-000000000000');
    RAISE 'a UUID of version 1 passed the check';
EXCEPTION WHEN check_violation THEN NULL; END $$;
DO $$ BEGIN
    INSERT INTO old (checked) VALUES ('20d3de00-ae64-11e6-8000-000000000000');
    RAISE 'a UUID of version 1 passed the domain';
EXCEPTION WHEN check_violation THEN NULL; END $$;
DO $$ BEGIN
    INSERT INTO firsts SELECT * FROM firsts LIMIT 1;
    RAISE 'a second UUID passed the unique index';
EXCEPTION WHEN unique_violation THEN NULL; END $$;

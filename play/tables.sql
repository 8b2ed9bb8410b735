-- The tables of the playground. :rows is the number of visits, which are evenly spread over the last year.
CREATE EXTENSION uuidrfc;
CREATE EXTENSION pageinspect;

CREATE TABLE visit (id uuid PRIMARY KEY DEFAULT public.uuidv7(), customer int NOT NULL, page text NOT NULL);
INSERT INTO visit
SELECT uuidv7_at(now() - n * (interval '1 year' / :rows)), hashint4(n) & 1023, '/' || (hashint4(-n) & 31)
FROM generate_series(:rows, 1, -1) n;
CREATE VIEW visit_v AS SELECT *, uuidv7_time(id) AS created_at FROM visit WHERE uuidv7_time(id) IS NOT NULL;

-- The same rows with a partition for each month.
CREATE TABLE visit_by_month (LIKE visit INCLUDING ALL) PARTITION BY RANGE (id);
SELECT format('CREATE TABLE visit_%s PARTITION OF visit_by_month FOR VALUES FROM (%L) TO (%L)',
              to_char(month, 'YYYY_MM'), uuidv7_floor(month), uuidv7_floor(month + interval '1 month'))
FROM generate_series(date_trunc('month', now() - interval '1 year'), now(), interval '1 month') month
\gexec
INSERT INTO visit_by_month SELECT * FROM visit;

CREATE TABLE shift (name text, period tstzrange);
INSERT INTO shift
SELECT to_char(day, 'Dy') || ' night', tstzrange(day - interval '2 hours', day + interval '6 hours')
FROM generate_series(current_date - 7, current_date - 1, interval '1 day') day;

-- The first 52 bits of a UUID as a number.
CREATE FUNCTION leading_bits(uuid) RETURNS bigint IMMUTABLE LANGUAGE sql AS
    $$ SELECT ('x' || left(replace($1::text, '-', ''), 13))::bit(52)::bigint $$;

-- Two tables with the same number of keys, in random order and in ascending order.
CREATE TABLE key_v4 (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), n int);
CREATE TABLE key_v7 (id uuid PRIMARY KEY DEFAULT public.uuidv7(), n int);
INSERT INTO key_v4 (n) SELECT generate_series(1, :rows / 5);
INSERT INTO key_v7 (n) SELECT generate_series(1, :rows / 5);

-- Rows that change.
CREATE TABLE doc (id integer PRIMARY KEY, body text, changed uuid NOT NULL);
CREATE INDEX ON doc (changed);
CREATE TRIGGER touch BEFORE INSERT OR UPDATE ON doc FOR EACH ROW EXECUTE FUNCTION uuidv7_touch('changed');
INSERT INTO doc (id, body) SELECT n, 'document ' || n FROM generate_series(1, 1000) n;

-- The table of the writers. Each notes the greatest key that it saw before it generated its own.
CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT public.uuidv7(), seen uuid NOT NULL DEFAULT nil_uuid());
VACUUM ANALYZE;

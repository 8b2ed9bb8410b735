-- Rows of a year that ends now; each partition holds those of a twelfth of the year.
CREATE TABLE made AS
    SELECT overlay(uuidv7_floor(now() - n * interval '25 minutes')::text PLACING lpad(to_hex(n), 12, '0') FROM 25)::uuid AS id
    FROM generate_series(1, 20736) n;

CREATE TABLE visit (id uuid PRIMARY KEY);
INSERT INTO visit SELECT id FROM made;
CREATE TABLE part (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
CREATE TABLE document (d jsonb);
CREATE INDEX ON document (((d->>'id')::uuid));
INSERT INTO document SELECT jsonb_build_object('id', id) FROM made;
CREATE TABLE document_part (d jsonb) PARTITION BY RANGE (((d->>'id')::uuid));
CREATE TABLE child (id uuid PRIMARY KEY);
DO $$
DECLARE low uuid; high uuid;
BEGIN
    FOR n IN 0 .. 11 LOOP
        low := uuidv7_floor(now() - (12 - n) * interval '30 days');
        high := uuidv7_floor(now() - (11 - n) * interval '30 days' + interval '1 hour' * (n / 11));
        EXECUTE format('CREATE TABLE part_%s PARTITION OF part FOR VALUES FROM (%L) TO (%L)', n, low, high);
        EXECUTE format('CREATE TABLE document_part_%s PARTITION OF document_part FOR VALUES FROM (%L) TO (%L)', n, low, high);
        EXECUTE format('CREATE TABLE child_%s (CHECK (id >= %L AND id < %L), PRIMARY KEY (id)) INHERITS (child)', n, low, high);
        EXECUTE format('INSERT INTO child_%s SELECT id FROM made WHERE id >= %L AND id < %L', n, low, high);
    END LOOP;
END $$;
INSERT INTO part SELECT id FROM made;
INSERT INTO document_part SELECT jsonb_build_object('id', id) FROM made;
CREATE INDEX ON document_part (((d->>'id')::uuid));
CREATE TABLE old (id uuid PRIMARY KEY);
CREATE VIEW everything AS SELECT id FROM part UNION ALL SELECT id FROM old;

CREATE TABLE recent_by_uuid (id uuid);
INSERT INTO recent_by_uuid SELECT id FROM made;
CREATE TABLE recent_by_time (id uuid);
INSERT INTO recent_by_time SELECT id FROM made;
CREATE TABLE brin (id uuid);
INSERT INTO brin SELECT id FROM made ORDER BY id;
CREATE INDEX ON brin USING brin (id uuid_minmax_ops);
CREATE TABLE shift (a timestamptz, b timestamptz, period tstzrange);
INSERT INTO shift SELECT now() - interval '45 days', now() - interval '35 days',
    tstzrange(now() - interval '45 days', now() - interval '35 days');

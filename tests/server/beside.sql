-- The same rows in two schemas: in by_key, the time is only in the key; in by_column, it is also in an indexed column.
CREATE SCHEMA by_key;
CREATE TABLE by_key.event (id uuid_v7 PRIMARY KEY, k int, tenant int);
INSERT INTO by_key.event SELECT id, n % 10, n % 50 FROM (SELECT id, row_number() OVER (ORDER BY id) AS n FROM made) m;
CREATE INDEX ON by_key.event (tenant, id);
CREATE VIEW by_key.item AS SELECT *, uuidv7_time(id) AS created_at FROM by_key.event;
CREATE SCHEMA by_column;
CREATE TABLE by_column.item AS SELECT * FROM by_key.item;
ALTER TABLE by_column.item ALTER id TYPE uuid, ADD PRIMARY KEY (id), ALTER created_at SET NOT NULL;
CREATE INDEX ON by_column.item (created_at, id);
CREATE INDEX ON by_column.item (tenant, created_at, id);
ALTER TABLE shift ADD tenant int DEFAULT 7;
ANALYZE;
SET plan_cache_mode = force_generic_plan;

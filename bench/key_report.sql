-- Measures the report on a large table: `make bench-report`. The keys are version 4, and a timestamptz column has an index.
\set QUIET on
SET maintenance_work_mem = '1GB';
SET synchronous_commit = off;
CREATE TABLE visit (id uuid DEFAULT gen_random_uuid(), created_at timestamptz NOT NULL, page text NOT NULL);
\timing on
\echo :rows rows
INSERT INTO visit (created_at, page) SELECT timestamptz '2024-01-01' + n * interval '1 second', '/page/' || n % 1000
FROM generate_series(1, :rows) n;
-- The index is built after the rows are inserted, which takes minutes instead of hours.
ALTER TABLE visit ADD PRIMARY KEY (id);
CREATE INDEX ON visit (created_at);
VACUUM (ANALYZE) visit;
\timing off
SELECT pg_size_pretty(pg_total_relation_size('visit')) AS size, clock_timestamp() AS started \gset
\o /dev/null
\i report/uuid_report.sql
\o
SELECT :'size' AS "table and indexes", clock_timestamp() - :'started' AS "report took";

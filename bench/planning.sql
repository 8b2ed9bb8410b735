-- Measures the planning of a condition with times, of the same condition with UUIDs, and of the same one on uuidv7_time(id).
-- Prints a table in Markdown. In each of :rounds rounds, every statement is planned up to 500 times.
\set QUIET on
\pset tuples_only on
\pset format unaligned
SET timezone = utc;
CREATE TABLE plan_table (id uuid PRIMARY KEY, other uuid);
INSERT INTO plan_table SELECT uuidv7_at(t), uuidv7_at(t) FROM generate_series(timestamptz '2026-01-01', '2026-06-01', '1 minute') t;
CREATE INDEX ON plan_table (other);
CREATE TABLE plan_days (id uuid PRIMARY KEY) PARTITION BY RANGE (id);
SELECT format('CREATE TABLE plan_day_%s PARTITION OF plan_days FOR VALUES FROM (%L) TO (%L)', n,
              uuidv7_floor(timestamptz '2024-01-01' + n * interval '1 day'), uuidv7_floor(timestamptz '2024-01-02' + n * interval '1 day'))
FROM generate_series(0, 999) n \gexec
INSERT INTO plan_days SELECT uuidv7_at(timestamptz '2024-01-01' + n * interval '14.4 minutes') FROM generate_series(0, 99999) n;
ANALYZE plan_table, plan_days;

-- Conditions in which @...@ is a time.
CREATE TABLE plan_case (n int GENERATED ALWAYS AS IDENTITY, name text, relation text, condition text, times int);
INSERT INTO plan_case (name, relation, condition, times)
SELECT 'one comparison', 'plan_table', 'id >= @2026-03-01@', 500 UNION ALL
SELECT 'a range', 'plan_table', 'id >= @2026-03-01@ AND id < @2026-03-02@', 500 UNION ALL
SELECT 'a day of 1,000 partitions', 'plan_days', 'id >= @2025-03-01@ AND id < @2025-03-02@', 500 UNION ALL
SELECT 'all of 1,000 partitions', 'plan_days', 'id >= @2023-03-01@', 2 UNION ALL
SELECT '200 ranges, ORed', 'plan_table', string_agg(format('id >= @%s@ AND id < @%s@', t, t + interval '10 hours'), ' OR ' ORDER BY t), 10
FROM generate_series(timestamptz '2026-01-01', '2026-07-19', '1 day') t UNION ALL
SELECT '200 ranges, ORed, in a table with 1,000 partitions', 'plan_days', string_agg(format('id >= @%s@ AND id < @%s@', t, t + interval '10 hours'), ' OR ' ORDER BY t), 1
FROM generate_series(timestamptz '2024-02-01', '2024-08-18', '1 day') t UNION ALL
SELECT '2,000 + 2,000 ANDed on two columns', 'plan_table',
       string_agg(format('id >= @%s@', t), ' AND ' ORDER BY t) || ' AND ' || string_agg(format('other >= @%s@', t), ' AND ' ORDER BY t), 1
FROM generate_series(timestamptz '2026-01-01', '2026-01-02 09:19', '1 minute') t;
CREATE TABLE plan_time (n int, spelling text, ms float8);
CREATE FUNCTION plan_statement(relation text, condition text, spelling text) RETURNS text LANGUAGE sql AS
$$ SELECT 'EXPLAIN SELECT * FROM ' || relation || ' WHERE ' ||
          string_agg(CASE WHEN i % 2 = 1 AND spelling = 'call' THEN regexp_replace(part, '\m(id|other)\M', 'uuidv7_time(\1)', 'g') WHEN i % 2 = 1 THEN part
                          WHEN spelling = 'uuid' THEN format('uuid %L', uuidv7_floor(part::timestamptz)) ELSE format('timestamptz %L', part) END, '' ORDER BY i)
   FROM string_to_table(condition, '@') WITH ORDINALITY AS parts (part, i) $$;
CREATE PROCEDURE plan_measure(rounds int) LANGUAGE plpgsql AS $$
DECLARE
    planned record;
    began timestamptz;
BEGIN
    FOR round IN 0..rounds LOOP
        FOR planned IN SELECT n, times, spelling, plan_statement(relation, condition, spelling) AS statement
                       FROM plan_case, unnest('{time,uuid,call}'::text[]) spelling ORDER BY n, random() LOOP
            began := clock_timestamp();
            FOR i IN 1..planned.times LOOP
                EXECUTE planned.statement;
            END LOOP;
            IF round > 0 THEN
                INSERT INTO plan_time VALUES (planned.n, planned.spelling, extract(epoch FROM clock_timestamp() - began) * 1000 / planned.times);
            END IF;
        END LOOP;
    END LOOP;
END $$;
CALL plan_measure(:rounds);
\echo
\echo '## Planning'
\echo
\echo 'The table has the milliseconds to parse and plan a condition by times, the same condition by UUIDs, and the same condition on'
\echo '`uuidv7_time(id)`, in the median rounds. The ratios compare the fastest rounds with those of the condition by UUIDs.'
\echo
\echo '| condition | times | UUIDs | `uuidv7_time(id)` | ratio of times | of `uuidv7_time(id)` |'
\echo '|---|--:|--:|--:|--:|--:|'
SELECT format('| %s | %s | %s | %s | %s | %s |', name, round(t[2]::numeric, 3), round(u[2]::numeric, 3), round(c[2]::numeric, 3),
              round((t[1] / u[1])::numeric, 2), round((c[1] / u[1])::numeric, 2))
FROM (SELECT n, name, percentile_cont(ARRAY[0, 0.5]) WITHIN GROUP (ORDER BY ms) FILTER (WHERE spelling = 'time') AS t,
             percentile_cont(ARRAY[0, 0.5]) WITHIN GROUP (ORDER BY ms) FILTER (WHERE spelling = 'uuid') AS u,
             percentile_cont(ARRAY[0, 0.5]) WITHIN GROUP (ORDER BY ms) FILTER (WHERE spelling = 'call') AS c
      FROM plan_case JOIN plan_time USING (n) GROUP BY n, name) planned ORDER BY n;

-- What it costs to plan a comparison with a time, and the same comparison with UUIDs, as a table in Markdown. Each is
-- planned many times in a round, in turn; the variable rounds is the number of rounds.
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
SELECT 'a window', 'plan_table', 'id >= @2026-03-01@ AND id < @2026-03-02@', 500 UNION ALL
SELECT 'a day of 1,000 partitions', 'plan_days', 'id >= @2025-03-01@ AND id < @2025-03-02@', 500 UNION ALL
SELECT 'all of 1,000 partitions', 'plan_days', 'id >= @2023-03-01@', 2 UNION ALL
SELECT '200 ORed windows', 'plan_table', string_agg(format('id >= @%s@ AND id < @%s@', t, t + interval '10 hours'), ' OR ' ORDER BY t), 10
FROM generate_series(timestamptz '2026-01-01', '2026-07-19', '1 day') t UNION ALL
SELECT '200 ORed windows on 1,000 partitions', 'plan_days', string_agg(format('id >= @%s@ AND id < @%s@', t, t + interval '10 hours'), ' OR ' ORDER BY t), 1
FROM generate_series(timestamptz '2024-02-01', '2024-08-18', '1 day') t UNION ALL
SELECT '2,000 + 2,000 ANDed on two columns', 'plan_table',
       string_agg(format('id >= @%s@', t), ' AND ' ORDER BY t) || ' AND ' || string_agg(format('other >= @%s@', t), ' AND ' ORDER BY t), 1
FROM generate_series(timestamptz '2026-01-01', '2026-01-02 09:19', '1 minute') t;
CREATE TABLE plan_time (n int, by_time boolean, ms float8);
CREATE FUNCTION plan_statement(relation text, condition text, by_time boolean) RETURNS text LANGUAGE sql AS
$$ SELECT 'EXPLAIN SELECT * FROM ' || relation || ' WHERE ' ||
          string_agg(CASE WHEN i % 2 = 1 THEN part WHEN by_time THEN format('timestamptz %L', part) ELSE format('uuid %L', uuidv7_floor(part::timestamptz)) END, '' ORDER BY i)
   FROM string_to_table(condition, '@') WITH ORDINALITY AS parts (part, i) $$;
CREATE PROCEDURE plan_measure(rounds int) LANGUAGE plpgsql AS $$
DECLARE
    planned record;
    began timestamptz;
BEGIN
    FOR round IN 0..rounds LOOP
        FOR planned IN SELECT n, times, by_time, plan_statement(relation, condition, by_time) AS statement
                       FROM plan_case, unnest('{true,false}'::boolean[]) by_time ORDER BY n, random() LOOP
            began := clock_timestamp();
            FOR i IN 1..planned.times LOOP
                EXECUTE planned.statement;
            END LOOP;
            IF round > 0 THEN
                INSERT INTO plan_time VALUES (planned.n, planned.by_time, extract(epoch FROM clock_timestamp() - began) * 1000 / planned.times);
            END IF;
        END LOOP;
    END LOOP;
END $$;
CALL plan_measure(:rounds);
\echo
\echo '## Planning'
\echo
\echo 'Milliseconds to parse and plan a condition by times, and the same by UUIDs: the fastest round and the median, and the ratios of both.'
\echo
\echo '| condition | times | | UUIDs | | ratio | |'
\echo '|---|--:|--:|--:|--:|--:|--:|'
\echo '| | fastest | median | fastest | median | fastest | median |'
SELECT format('| %s | %s | %s | %s | %s | %s | %s |', name, round(t[1]::numeric, 3), round(t[2]::numeric, 3), round(u[1]::numeric, 3), round(u[2]::numeric, 3),
              round((t[1] / u[1])::numeric, 2), round((t[2] / u[2])::numeric, 2))
FROM (SELECT n, name, percentile_cont(ARRAY[0, 0.5]) WITHIN GROUP (ORDER BY ms) FILTER (WHERE by_time) AS t,
             percentile_cont(ARRAY[0, 0.5]) WITHIN GROUP (ORDER BY ms) FILTER (WHERE NOT by_time) AS u
      FROM plan_case JOIN plan_time USING (n) GROUP BY n, name) planned ORDER BY n;

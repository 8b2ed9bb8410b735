-- The table, in Markdown: medians, net of the median of their base, and the spread from the fastest round to the slowest. Ratios
-- are of medians of one run.
WITH base AS (
    SELECT statement, percentile_cont(0.5) WITHIN GROUP (ORDER BY ns) AS ns FROM base_sample GROUP BY statement
), median AS (
    SELECT c.ordinal, topic, name, percentile_cont(0.5) WITHIN GROUP (ORDER BY net) AS ns, min(net) AS least, max(net) AS most
    FROM sample s JOIN candidate c USING (topic, name) LEFT JOIN base ON base.statement = c.base,
         LATERAL (SELECT s.ns - coalesce(base.ns, 0) AS net) n
    GROUP BY topic, name, c.ordinal
), topic (ordinal, topic, title, reference) AS (VALUES
    (1, 'generate', 'A new UUID: ns per call, net of the scan of a table', 'uuidv7()'),
    (2, 'rows', 'Many at a time: ns per row, with everything', 'uuidv7_batch(n)'),
    (3, 'extract', 'Time and version out: ns per call, net of the scan', 'uuid_extract_time(v7)'),
    (4, 'name', 'Name-based: ns per call, net of the scan', 'uuid_v5, 18 bytes'),
    (5, 'predicate', 'Comparisons, not by an index: ns per row, net of the scan', 'uuid < uuid'),
    (6, 'index', 'Index build over 1 million rows in random order: ns per row', 'uuid_ops of v7'),
    (7, 'insert', 'INSERT of rows with a default key: ns per row', 'uuidv7()'),
    (8, 'insert_many', 'INSERT from as many connections as cores: ns per row of all', 'uuidv7()'),
    (9, 'copy', 'COPY of rows with a default key: ns per row', 'uuidv7()'),
    (10, 'copy_many', 'COPY from as many connections as cores: ns per row of all', 'uuidv7()'),
    (11, 'scope', 'uuidv7() in 16 connections by uuidrfc.monotonic_scope: ns per value of all', 'backend'),
    (12, 'first', 'The first call in a new connection, round trip included: ns', 'gen_random_uuid()'),
    (13, 'ahead', 'Time inside the next value, ahead of the clock after 10 million in a row: ns', 'uuidv7()')
)
SELECT line FROM (
    SELECT t.ordinal AS a, 0 AS b, format(E'\n## %s\n\n| | ns | spread | times `%s` |\n|---|--:|--:|--:|', t.title, t.reference) AS line
    FROM topic t WHERE EXISTS (SELECT FROM median WHERE topic = t.topic)
    UNION ALL
    SELECT t.ordinal, m.ordinal,
           format('| `%s` | %s | %s – %s | %s |', m.name, round(m.ns::numeric, 1), round(m.least::numeric, 1), round(m.most::numeric, 1),
                  round((m.ns / nullif(r.ns, 0))::numeric, 2))
    FROM median m JOIN topic t USING (topic) LEFT JOIN median r ON r.topic = m.topic AND r.name = t.reference
) s ORDER BY a, b;

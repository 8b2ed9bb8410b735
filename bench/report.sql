-- Prints the tables in Markdown: medians and first and third quartiles, less the median of the base, and the base. Ratios compare
-- medians of one run. No ratio is printed unless both medians are positive and exceed their interquartile ranges.
WITH base AS (
    SELECT statement, percentile_cont(0.5) WITHIN GROUP (ORDER BY ns) AS ns FROM base_sample GROUP BY statement
), median AS (
    SELECT c.ordinal, topic, name, q[2] AS ns, q[1] AS first, q[3] AS third, q[2] > greatest(q[3] - q[1], 0) AS is_clear,
           format('`%s`: %s', regexp_replace(base.statement, '^SELECT (count\(.*\)) FROM \w+$', '\1'), round(base.ns::numeric, 1)) AS base
    FROM (SELECT s.topic, s.name, c.ordinal, c.base, percentile_cont(ARRAY[0.25, 0.5, 0.75]) WITHIN GROUP (ORDER BY s.ns - coalesce(base.ns, 0)) AS q
          FROM sample s JOIN candidate c USING (topic, name) LEFT JOIN base ON base.statement = c.base
          GROUP BY s.topic, s.name, c.ordinal, c.base) c
         LEFT JOIN base ON base.statement = c.base
), topic (ordinal, topic, title, reference) AS (VALUES
    (1, 'generate', 'A new UUID: ns per call', 'uuidv7()'),
    (3, 'extract', 'Time and version out: ns per call', 'uuid_extract_time(v7)'),
    (4, 'name', 'Name-based: ns per call', 'uuid_v5, 18 bytes'),
    (13, 'seal', 'Sealed keys: ns per call', 'uuid_seal(v7)'),
    (5, 'predicate', 'Comparisons, not by an index: ns per row', 'uuid < uuid'),
    (6, 'index', 'Index build over 1 million rows in random order: ns per row', 'uuid_ops of v7'),
    (7, 'insert', 'INSERT of rows with a default key: ns per row', 'uuidv7()'),
    (8, 'insert_many', 'INSERT from as many connections as cores: ns per row of all', 'uuidv7()'),
    (9, 'copy', 'COPY of rows with a default key: ns per row', 'uuidv7()'),
    (10, 'copy_many', 'COPY from as many connections as cores: ns per row of all', 'uuidv7()'),
    (11, 'scope', 'uuidv7() in 16 connections by uuidrfc.monotonic_scope: ns per value of all', 'backend'),
    (12, 'ahead', 'Time inside the next value, ahead of the clock after 10 million in a row: ns', 'uuidv7()')
), topic_with_base AS (
    SELECT t.*, bool_or(c.base IS NOT NULL) AS has_base FROM topic t JOIN candidate c USING (topic)
    WHERE topic IN (SELECT topic FROM median) GROUP BY t.ordinal, t.topic, t.title, t.reference
)
SELECT line FROM (
    SELECT t.ordinal AS a, 0 AS b, format(E'\n## %s\n\n| | ns | quartiles | times `%s` |%s', t.title, t.reference,
           CASE WHEN t.has_base THEN E' net of |\n|---|--:|--:|--:|--:|' ELSE E'\n|---|--:|--:|--:|' END) AS line
    FROM topic_with_base t
    UNION ALL
    SELECT t.ordinal, m.ordinal,
           format('| `%s` | %s | %s – %s | %s |', m.name, round(m.ns::numeric, 1), round(m.first::numeric, 1), round(m.third::numeric, 1),
                  round((m.ns / r.ns)::numeric, 2)) || CASE WHEN t.has_base THEN format(' %s |', m.base) ELSE '' END
    FROM median m JOIN topic_with_base t USING (topic)
         LEFT JOIN median r ON r.topic = m.topic AND r.name = t.reference AND r.is_clear AND m.is_clear
) s ORDER BY a, b;

-- Prints the statements that move defaults of columns and domains from the uuidv7() and uuidv4() that PostgreSQL itself
-- has from 18 on to uuidrfc's. They change only the catalog. Read them, then run them:
--   psql -XqAt -f docs/defaults_to_uuidrfc.sql | psql -X
BEGIN;
-- Functions of PostgreSQL are then printed with their schema.
SELECT set_config('search_path', format('%I, pg_catalog, pg_temp', n.nspname), true) AS looked_through
FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'uuidrfc'
\gset
WITH ours AS (
    SELECT quote_ident(n.nspname) AS schema
    FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'uuidrfc'
), defaults AS (
    SELECT pg_get_expr(d.adbin, d.adrelid) AS expression,
           format('ALTER TABLE %I.%I ALTER COLUMN %I', n.nspname, c.relname, a.attname) AS object
    FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
    JOIN pg_class c ON c.oid = d.adrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE a.attgenerated = ''
    UNION ALL
    SELECT pg_get_expr(t.typdefaultbin, 0), format('ALTER DOMAIN %I.%I', n.nspname, t.typname)
    FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE t.typtype = 'd' AND t.typdefaultbin IS NOT NULL
)
SELECT format('%s SET DEFAULT %s;', d.object,
              replace(replace(d.expression, 'pg_catalog.uuidv7(', o.schema || '.uuidv7('),
                      'pg_catalog.uuidv4(', o.schema || '.uuidv4('))
FROM defaults d, ours o
WHERE d.expression ~ '\mpg_catalog\.uuidv[47]\('
ORDER BY 1;
COMMIT;

-- Prints the statements that move defaults of columns and domains between uuidrfc's uuidv7() and uuidv4() and those that
-- PostgreSQL itself has from 18 on. They change only the catalog. Read them, then run them:
--   psql -XqAt -v to=core -f docs/switch_defaults.sql | psql -X      (or to=uuidrfc)
BEGIN;
-- In this search_path, all names but those of pg_catalog are printed with their schema.
SET LOCAL search_path = pg_catalog, pg_temp;
SELECT 'SET search_path = pg_catalog, pg_temp;';
WITH direction AS (
    SELECT found, written
    FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace, quote_ident(nspname) AS schema, LATERAL (VALUES
        ('core', regexp_replace(schema, '\W', '\\\&', 'g') || '\.', 'pg_catalog.'), ('uuidrfc', '', schema || '.')
    ) d(target, found, written)
    WHERE extname = 'uuidrfc' AND target = :'to'
), defaults AS (
    SELECT pg_get_expr(d.adbin, d.adrelid) AS expression,
           format('ALTER TABLE %s ALTER COLUMN %I', d.adrelid::regclass, a.attname) AS object
    FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
    WHERE a.attgenerated = ''
    UNION ALL
    SELECT pg_get_expr(typdefaultbin, 0), format('ALTER DOMAIN %s', oid::regtype)
    FROM pg_type WHERE typtype = 'd' AND typdefaultbin IS NOT NULL
)
SELECT format('%s SET DEFAULT %s;', object, switched)
FROM defaults, direction, regexp_replace(expression, '(?<![.\w"])' || found || '(uuidv[47]\()', written || '\1', 'g') AS switched
WHERE switched <> expression
ORDER BY 1;
COMMIT;

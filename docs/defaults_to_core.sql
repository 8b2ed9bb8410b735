-- Prints the statements that move defaults of columns and domains from uuidrfc's uuidv7() and uuidv4() to those that
-- PostgreSQL itself has from 18 on. They change only the catalog. Read them, then run them:
--   psql -XqAt -f docs/defaults_to_core.sql | psql -X
BEGIN;
SET LOCAL search_path = pg_catalog, pg_temp; -- so that uuidrfc's functions are printed with their schema
WITH ours AS (
    SELECT p.oid, quote_ident(n.nspname) AS schema
    FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace JOIN pg_proc p ON p.pronamespace = n.oid
    WHERE e.extname = 'uuidrfc' AND p.proname IN ('uuidv4', 'uuidv7')
), defaults AS (
    SELECT 'pg_attrdef'::regclass AS catalog, d.oid, pg_get_expr(d.adbin, d.adrelid) AS expression,
           format('ALTER TABLE %s ALTER COLUMN %I', d.adrelid::regclass, a.attname) AS object
    FROM pg_attrdef d JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
    WHERE a.attgenerated = ''
    UNION ALL
    SELECT 'pg_type'::regclass, oid, pg_get_expr(typdefaultbin, 0), format('ALTER DOMAIN %s', oid::regtype)
    FROM pg_type WHERE typtype = 'd' AND typdefaultbin IS NOT NULL
)
SELECT DISTINCT format('%s SET DEFAULT %s;', d.object,
                       replace(replace(d.expression, o.schema || '.uuidv7(', 'pg_catalog.uuidv7('),
                               o.schema || '.uuidv4(', 'pg_catalog.uuidv4('))
FROM defaults d
JOIN pg_depend u ON u.classid = d.catalog AND u.objid = d.oid AND u.refclassid = 'pg_proc'::regclass
JOIN ours o ON o.oid = u.refobjid
ORDER BY 1;
COMMIT;

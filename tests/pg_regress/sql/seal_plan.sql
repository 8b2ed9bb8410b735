-- Queries for sealed UUIDs and TypeIDs use the primary key.
\i tests/pg_regress/common.sql
SET plan_cache_mode = auto;
\set key '\'\\x2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a2a\''
COPY (SELECT '1 ' || repeat('2a', 32)) TO PROGRAM 'umask 077; cat > uuidrfc_regress_plan_keys';
SET uuidrfc.seal_key_file = 'uuidrfc_regress_plan_keys';
CREATE TABLE sealed_item (id uuid PRIMARY KEY, n int);
INSERT INTO sealed_item SELECT uuidv7_floor('2026-01-01 00:00:00+00'::timestamptz + n * interval '1 second'), n FROM generate_series(1, 20000) n;
-- The UUIDs of the following rows cannot be sealed.
INSERT INTO sealed_item VALUES (nil_uuid(), 0), ('919108f7-52d1-4320-9bac-f847db4148a8', -1);
ANALYZE sealed_item;
SELECT uuid_seal(id) AS sealed, typeid_encode('item', id) AS typeid FROM sealed_item WHERE n = 777 \gset
SELECT pg_temp.plan(format('SELECT n FROM sealed_item WHERE uuid_seal(id) = %L', :'sealed'));
SELECT n FROM sealed_item WHERE uuid_seal(id) = :'sealed';
SELECT pg_temp.plan(format('SELECT n FROM sealed_item WHERE %L = uuid_seal(id, %L)', :'sealed', :key));
SELECT n FROM sealed_item WHERE :'sealed' = uuid_seal(id, :key);
SELECT pg_temp.plan(format('SELECT n FROM sealed_item WHERE typeid_encode(%L, id) = %L', 'item', :'typeid'));
SELECT n FROM sealed_item WHERE typeid_encode('item', id) = :'typeid';
-- Values that are not sealed UUIDs or TypeIDs match nothing and raise no error: another version 4 UUID, another version, an
-- invalid TypeID, one with another prefix, or null.
SELECT count(*) FROM sealed_item WHERE uuid_seal(id) = '919108f7-52d1-4320-9bac-f847db4148a8';
SELECT count(*) FROM sealed_item WHERE uuid_seal(id) = '017f22e2-79b0-7cc3-98c4-dc0c0c07398f' OR uuid_seal(id) = max_uuid() OR uuid_seal(id) = NULL;
SELECT count(*) FROM sealed_item WHERE typeid_encode('item', id) = 'User_' OR typeid_encode('item', id) = replace(:'typeid', 'item', 'user') OR typeid_encode('item', id) = upper(:'typeid');
-- The value can be a parameter, in a custom and in a generic plan.
PREPARE by_seal(uuid) AS SELECT n FROM sealed_item WHERE uuid_seal(id) = $1;
PREPARE by_seals(uuid[]) AS SELECT n FROM sealed_item WHERE uuid_seal(id) = ANY ($1) ORDER BY n;
PREPARE by_typeid(text, text) AS SELECT n FROM sealed_item WHERE typeid_encode($1, id) = $2;
PREPARE by_typeids(text[]) AS SELECT n FROM sealed_item WHERE typeid_encode('item', id) = ANY ($1) ORDER BY n;
SET plan_cache_mode = force_generic_plan;
SELECT pg_temp.plan('EXECUTE by_seal(NULL)');
SELECT pg_temp.plan('EXECUTE by_seals(NULL)');
SELECT pg_temp.plan('EXECUTE by_typeid(NULL, NULL)');
SELECT pg_temp.plan('EXECUTE by_typeids(NULL)');
EXECUTE by_seal(:'sealed');
EXECUTE by_typeid('item', :'typeid');
EXECUTE by_typeid('user', :'typeid');
SELECT array_agg(uuid_seal(id)) || NULL::uuid || nil_uuid() AS seals, array_agg(typeid_encode('item', id)) || NULL::text || 'none'::text AS typeids FROM sealed_item WHERE n IN (1, 3, 5) \gset
EXECUTE by_seals(:'seals');
EXECUTE by_typeids(:'typeids');
SET plan_cache_mode = force_custom_plan;
EXECUTE by_seals(:'seals');
EXECUTE by_typeids(:'typeids');
EXECUTE by_seals('{}');
RESET plan_cache_mode;
SELECT pg_temp.plan(format('SELECT n FROM sealed_item WHERE uuid_seal(id) IN (%L, %L)', :'sealed', :'sealed'));
-- For a role that may not unseal, queries return the row without using the index. Only the privilege for uuid_unseal matters,
-- because uuid_unseal_with also requires it.
CREATE ROLE regress_uuidrfc_reader;
GRANT SELECT ON sealed_item TO regress_uuidrfc_reader;
SET ROLE regress_uuidrfc_reader;
SELECT uuid_unseal(:'sealed') = uuid_unseal_with(:'sealed', 1) AS unsealed;
RESET ROLE;
REVOKE EXECUTE ON FUNCTION uuid_unseal(uuid) FROM PUBLIC;
SET ROLE regress_uuidrfc_reader;
SELECT uuid_unseal(:'sealed');
SELECT uuid_unseal_with(:'sealed', 1);
SELECT p.oid::regprocedure AS unsealing FROM pg_proc p JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
WHERE p.prosrc ~ 'unseal' AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidrfc') ORDER BY 1::text COLLATE "C";
SELECT pg_temp.plan(format('SELECT n FROM sealed_item WHERE n > 0 AND uuid_seal(id) = %L', :'sealed'));
SELECT n FROM sealed_item WHERE n > 0 AND uuid_seal(id) = :'sealed';
SELECT n FROM sealed_item WHERE n > 0 AND uuid_seal(id) = ANY (ARRAY[:'sealed', NULL]::uuid[]);
RESET ROLE;
GRANT EXECUTE ON FUNCTION uuid_unseal(uuid) TO PUBLIC;
DROP OWNED BY regress_uuidrfc_reader;
DROP ROLE regress_uuidrfc_reader;
-- Queries through views, including security-barrier views, use the primary key.
CREATE VIEW sealed_view AS SELECT uuid_seal(id) AS id, n FROM sealed_item;
CREATE VIEW sealed_barrier WITH (security_barrier) AS SELECT uuid_seal(id) AS id, n FROM sealed_item WHERE n > 0;
SELECT pg_temp.plan(format('SELECT n FROM sealed_view WHERE id = %L', :'sealed'));
SELECT n FROM sealed_view WHERE id = :'sealed';
SELECT n FROM sealed_view WHERE id = ANY (:'seals') ORDER BY n;
SELECT pg_temp.plan(format('SELECT n FROM sealed_barrier WHERE id = %L', :'sealed'));
SELECT n FROM sealed_barrier WHERE id = :'sealed';
-- Joins with sealed values in another table use the primary key.
CREATE TABLE shown (id uuid, typeid text, what text);
INSERT INTO shown SELECT uuid_seal(id), typeid_encode('item', id), 'item ' || n FROM sealed_item WHERE n BETWEEN 1 AND 10;
INSERT INTO shown VALUES (uuidv4(), 'x', 'nothing'), (nil_uuid(), NULL, 'nil'), (NULL, NULL, 'null');
ANALYZE shown;
SELECT pg_temp.plan('SELECT what, n FROM shown JOIN sealed_view USING (id)');
SELECT what, n FROM shown JOIN sealed_view USING (id) ORDER BY n;
SELECT pg_temp.plan('SELECT what, n FROM shown LEFT JOIN sealed_item i ON typeid_encode(''item'', i.id) = typeid');
SELECT count(*), count(n), bool_and(what = 'item ' || n) FROM shown LEFT JOIN sealed_item i ON typeid_encode('item', i.id) = typeid;
SELECT count(*) FROM shown WHERE EXISTS (SELECT FROM sealed_view v WHERE v.id = shown.id);
SELECT count(*) FROM shown WHERE id IN (SELECT id FROM sealed_view WHERE n > 5);
SELECT pg_temp.plan(format('UPDATE sealed_item SET n = n WHERE uuid_seal(id) = %L', :'sealed'));
-- Where the difference between false and null matters, the condition is not rewritten.
SELECT pg_temp.plan(format('SELECT n FROM sealed_item WHERE NOT uuid_seal(id) = %L', :'sealed'));
SELECT pg_temp.plan(format('SELECT n FROM sealed_item WHERE uuid_seal(id) = %L IS NULL', :'sealed'));
-- Comparisons other than equality, prefixes from the row, volatile values and nondeterministic collations prevent rewriting.
SELECT pg_temp.plan(format('SELECT n FROM sealed_item WHERE uuid_seal(id) > %L', :'sealed'));
SELECT pg_temp.plan('SELECT n FROM sealed_item WHERE typeid_encode(''item'' || n, id) = ''x''');
SELECT pg_temp.plan('SELECT n FROM sealed_item WHERE uuid_seal(id) = uuidv4()');
CREATE FUNCTION stays_with_collation() RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    CREATE COLLATION either_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
    RETURN EXISTS (SELECT FROM pg_temp.plan('SELECT n FROM sealed_item WHERE typeid_encode(''item'', id) = ''ITEM_01'' COLLATE either_case') line
        WHERE line LIKE '%Filter: (typeid_encode(%');
EXCEPTION WHEN feature_not_supported THEN
    RETURN true; -- The server has no ICU.
END $$;
SELECT stays_with_collation();
-- An index on the call itself is used for the original condition.
CREATE INDEX sealed_index ON sealed_item (typeid_encode('item', id));
SELECT pg_temp.plan(format('SELECT n FROM sealed_item WHERE typeid_encode(%L, id) = %L', 'item', :'typeid'));
DROP INDEX sealed_index;
-- Partitions are pruned.
CREATE TABLE sealed_part (id uuid PRIMARY KEY, n int) PARTITION BY RANGE (id);
CREATE TABLE sealed_part_1 PARTITION OF sealed_part FOR VALUES FROM (MINVALUE) TO (uuidv7_floor('2026-01-01 00:10:00+00'));
CREATE TABLE sealed_part_2 PARTITION OF sealed_part FOR VALUES FROM (uuidv7_floor('2026-01-01 00:10:00+00')) TO (MAXVALUE);
INSERT INTO sealed_part SELECT * FROM sealed_item WHERE n > 0;
SELECT pg_temp.plan(format('SELECT n FROM sealed_part WHERE uuid_seal(id, %L) = %L', :key, :'sealed'));
SELECT n FROM sealed_part WHERE uuid_seal(id, :key) = :'sealed';
-- In conditions, too, a key of the wrong length or an invalid prefix raises an error.
SELECT n FROM sealed_item WHERE uuid_seal(id, '\x00') = :'sealed';
SELECT n FROM sealed_item WHERE typeid_encode('Item', id) = :'typeid';
-- The column can be of the domain uuid_v7.
CREATE TABLE sealed_domain (id uuid_v7 PRIMARY KEY);
INSERT INTO sealed_domain SELECT id FROM sealed_item WHERE n > 0;
ANALYZE sealed_domain;
SELECT pg_temp.plan(format('SELECT FROM sealed_domain WHERE uuid_seal(id) = %L', :'sealed'));
SELECT count(*) FROM sealed_domain WHERE uuid_seal(id) = :'sealed';
-- Queries of many forms return the same rows as without rewriting.
CREATE TABLE few AS SELECT * FROM sealed_item WHERE n BETWEEN 1 AND 200;
CREATE UNIQUE INDEX ON few (id);
CREATE VIEW few_view AS SELECT uuid_seal(id) AS id, typeid_encode('item', id) AS typeid, n FROM few;
CREATE VIEW twice AS SELECT uuid_seal(id) AS id, n FROM few UNION ALL SELECT uuid_seal(id), -n FROM few;
SELECT question, rewritten = computed AS same, (regexp_match(rewritten, '\d+'))[1] AS rows
FROM unnest(ARRAY[
    'SELECT v.n FROM few_view v JOIN shown s ON v.id = s.id',
    'SELECT v.n, s.what FROM few_view v LEFT JOIN shown s ON v.id = s.id',
    'SELECT v.n, s.what FROM shown s LEFT JOIN few_view v ON v.id = s.id',
    'SELECT v.n, s.what FROM shown s LEFT JOIN few_view v ON v.id = s.id WHERE v.id IS NULL OR v.n < 3',
    'SELECT v.n, s.what FROM shown s FULL JOIN few_view v ON v.id = s.id',
    'SELECT v.n, s.what FROM shown s RIGHT JOIN few_view v ON v.id = s.id AND s.typeid = v.typeid',
    'SELECT n FROM few_view v WHERE NOT EXISTS (SELECT FROM shown s WHERE s.id = v.id)',
    'SELECT n FROM few_view v WHERE typeid NOT IN (SELECT typeid FROM shown WHERE typeid IS NOT NULL)',
    'SELECT what FROM shown s WHERE typeid IN (SELECT typeid FROM few_view)',
    'SELECT what, (SELECT n FROM few_view v WHERE v.id = s.id) FROM shown s',
    'SELECT s.what, l.n FROM shown s, LATERAL (SELECT n FROM few_view v WHERE v.id = s.id OR v.typeid = s.typeid LIMIT 5) l',
    'SELECT a.n FROM few_view a JOIN few_view b ON a.id = b.id WHERE a.typeid = b.typeid',
    'SELECT t.n FROM twice t JOIN shown s USING (id)',
    'SELECT n FROM twice WHERE id = ANY (ARRAY(SELECT id FROM shown))',
    'SELECT n FROM few_view WHERE id = ALL (SELECT id FROM shown WHERE what = ''item 7'')',
    'SELECT n FROM few_view WHERE id IN (SELECT id FROM shown) OR typeid = ANY (SELECT typeid FROM shown)',
    'SELECT CASE WHEN id = (SELECT id FROM shown WHERE what = ''item 7'') THEN n END FROM few_view',
    'SELECT id, count(*) FROM twice GROUP BY id HAVING id IN (SELECT id FROM shown)',
    'SELECT n FROM few_view v WHERE (id = (SELECT id FROM shown WHERE what = ''item 7'')) IS NOT TRUE',
    'SELECT n FROM few WHERE uuid_seal(id) = (SELECT id FROM shown WHERE what = ''item 7'')',
    'SELECT n FROM few WHERE uuid_seal(id) = uuid_seal(id) AND n < 4',
    'SELECT a.n FROM few a, few b WHERE uuid_seal(a.id) = uuid_seal(b.id) AND typeid_encode(''a'', a.id) = typeid_encode(''a'', b.id)',
    'SELECT a.n FROM few a, few b WHERE typeid_encode(''a'', a.id) = typeid_encode(''b'', b.id)'
]) AS question, LATERAL format('SELECT count(*), md5(string_agg(r::text, '','' ORDER BY r::text)) FROM (%s) r', question) AS query,
    LATERAL pg_temp.result(query, 'on') AS rewritten, LATERAL pg_temp.result(query, 'off') AS computed;
DROP VIEW few_view, twice;
DROP TABLE few;
-- The first query of a session, which loads the library, also uses the primary key.
\c -
\i tests/pg_regress/common.sql
SET client_min_messages = warning;
SET uuidrfc.seal_key_file = 'uuidrfc_regress_plan_keys';
SELECT pg_temp.plan(format('SELECT n FROM sealed_item WHERE uuid_seal(id) = %L', :'sealed'));
DROP VIEW sealed_view, sealed_barrier;
DROP TABLE sealed_item, shown, sealed_part, sealed_domain;
DROP FUNCTION stays_with_collation;
DROP COLLATION IF EXISTS either_case;
COPY (SELECT) TO PROGRAM 'cat > /dev/null; rm uuidrfc_regress_plan_keys';

-- The extension is in schema c, the portable edition in schema portable: which objects have the same name and arguments, and whether they are
-- the same to a user. Prints what differs and is not in a list below; each list says why.
\set ON_ERROR_STOP on
SET search_path = pg_catalog;
CREATE TEMP VIEW object AS
SELECT edition, name, replace(signature, edition || '.', '') AS signature, replace(result, edition || '.', '') AS result, comment, labels, owner
FROM (
    SELECT pronamespace::regnamespace::text AS edition, proname::text AS name, proname || '(' || pg_get_function_arguments(oid) || ')' AS signature,
           pg_get_function_result(oid) AS result, obj_description(oid, 'pg_proc') AS comment,
           jsonb_build_object('kind', prokind, 'volatility', provolatile, 'strict', proisstrict, 'parallel', proparallel, 'leakproof', proleakproof,
                              'language', (SELECT lanname FROM pg_language l WHERE l.oid = prolang)) AS labels, proowner AS owner
    FROM pg_proc
    UNION ALL
    SELECT oprnamespace::regnamespace::text, oprname, concat_ws(' ', format_type(oprleft, NULL), oprname, format_type(oprright, NULL)),
           concat_ws(' ', oprresult::regtype, oprcom::regoper, oprnegate::regoper), obj_description(oid, 'pg_operator'), '{}', oprowner
    FROM pg_operator
    UNION ALL
    SELECT typnamespace::regnamespace::text, typname, 'domain ' || typname, format_type(typbasetype, typtypmod), obj_description(oid, 'pg_type'), '{}', typowner
    FROM pg_type WHERE typtype = 'd'
) AS objects
WHERE edition IN ('c', 'portable');

-- What only the extension can have.
CREATE TEMP TABLE absent (pattern text, reason text);
INSERT INTO absent VALUES
    ('^uuid_time_(lt|le|ge|gt|cmp|never_equal|in_range|sortsupport|skipsupport)$', 'an operator class can only be made by a superuser'),
    ('^~[<=>|]*~$', 'an operator class can only be made by a superuser'),
    ('^(uuid_cmp_timestamptz|timestamptz_cmp_uuid|timestamptz_cmp_as_uuid|.*_as_uuid.*|uuid_ops_add_timestamptz)$', 'members of an operator family can only be added by its owner'),
    ('^[<=>]*\|$', 'members of an operator family can only be added by its owner'),
    ('^(uuid_timestamptz_(support|sel|joinsel)|uuid_inverse_support)$', 'the planner calls C'),
    ('^(uuid_tstzrange_(start|span|milli)|uuid_time_(from|least|greatest|milli)|uuid_recheck|(typeid_decode|uuid_unseal)_or_null)$', 'no plan needs it'),
    ('^uuidv7_horizon', 'it needs shared memory'),
    ('^uuid_(un)?seal(_with)?$', 'it takes AES, which PostgreSQL does not have');
SELECT c.signature AS "absent without a reason" FROM object c
WHERE edition = 'c' AND NOT EXISTS (SELECT FROM object p WHERE p.edition = 'portable' AND p.signature = c.signature)
  AND NOT EXISTS (SELECT FROM absent WHERE c.name ~ pattern) ORDER BY 1;
SELECT pattern AS "a reason for nothing" FROM absent
WHERE NOT EXISTS (SELECT FROM object c WHERE edition = 'c' AND c.name ~ pattern
                                         AND NOT EXISTS (SELECT FROM object p WHERE p.edition = 'portable' AND p.signature = c.signature));
SELECT signature AS "only in the portable edition" FROM object p
WHERE edition = 'portable' AND name !~ '^uuidrfc_' AND NOT EXISTS (SELECT FROM object c WHERE c.edition = 'c' AND c.signature = p.signature) ORDER BY 1;
SELECT signature, c.result AS extension, p.result AS portable, c.comment, p.comment
FROM object c JOIN object p USING (signature)
WHERE c.edition = 'c' AND p.edition = 'portable' AND (c.result IS DISTINCT FROM p.result OR c.comment IS DISTINCT FROM p.comment)
  -- Its comment promises what takes C.
  AND c.name <> 'uuidv7_time' ORDER BY 1;
-- The labels. None is leakproof, which takes a superuser. A function that is inlined with CASE or AND cannot be strict. What keeps the last
-- value of the session cannot run in parallel, unless PostgreSQL keeps it (18).
SELECT signature, c.labels AS extension, p.labels AS portable
FROM object c JOIN object p USING (signature)
WHERE c.edition = 'c' AND p.edition = 'portable'
  AND (c.labels - '{leakproof,language,strict,parallel}'::text[] <> p.labels - '{leakproof,language,strict,parallel}'::text[]
       OR (c.labels -> 'strict' <> p.labels -> 'strict' AND p.labels ->> 'language' <> 'sql')
       OR (c.labels -> 'parallel' <> p.labels -> 'parallel' AND p.labels ->> 'volatility' <> 'v')) ORDER BY 1;
-- Trusted languages, commented, and all of one role that is nothing but the owner of a schema.
SELECT signature, labels -> 'language' AS language FROM object
WHERE edition = 'portable' AND labels ->> 'kind' = 'f' AND labels ->> 'language' NOT IN (SELECT lanname FROM pg_language WHERE lanpltrusted) ORDER BY 1;
-- None runs with its owner's rights, changes a setting but search_path, or is bound to names when it is called.
SELECT oid::regprocedure AS "not a function of data" FROM pg_proc p
WHERE pronamespace = 'portable'::regnamespace AND prokind = 'f'
  AND (prosecdef OR proconfig <> '{"search_path=pg_catalog, pg_temp"}' OR prosqlbody IS NULL AND prolang = (SELECT oid FROM pg_language WHERE lanname = 'sql')) ORDER BY 1;
SELECT signature AS "without a comment" FROM object WHERE edition = 'portable' AND comment IS NULL ORDER BY 1;
SELECT signature AS "of a superuser" FROM object JOIN pg_roles ON pg_roles.oid = owner
WHERE edition = 'portable' AND (rolsuper OR rolcreatedb OR rolcreaterole) ORDER BY 1;
SELECT count(*) > 80 AS "enough objects" FROM object WHERE edition = 'portable';

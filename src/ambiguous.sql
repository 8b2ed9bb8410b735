-- If a function can be called with the same arguments as a function of the extension, because one or both have defaults, such
-- calls fail, even in statements and dumps that worked before. An example is uuidv7(timestamptz DEFAULT clock_timestamp()) in
-- the extension's schema.
SELECT their.oid, our.oid
FROM pg_catalog.pg_extension extension
JOIN pg_catalog.pg_depend member ON member.refclassid OPERATOR(pg_catalog.=) 'pg_catalog.pg_extension'::pg_catalog.regclass::pg_catalog.oid
    AND member.refobjid OPERATOR(pg_catalog.=) extension.oid
    AND member.classid OPERATOR(pg_catalog.=) 'pg_catalog.pg_proc'::pg_catalog.regclass::pg_catalog.oid
    AND member.deptype OPERATOR(pg_catalog.=) 'e'
JOIN pg_catalog.pg_proc our ON our.oid OPERATOR(pg_catalog.=) member.objid
JOIN pg_catalog.pg_proc their ON their.proname OPERATOR(pg_catalog.=) our.proname
    AND their.pronamespace OPERATOR(pg_catalog.=) our.pronamespace
-- The smallest number of arguments with which both functions can be called.
CROSS JOIN LATERAL (SELECT GREATEST(our.pronargs OPERATOR(pg_catalog.-) our.pronargdefaults,
                                    their.pronargs OPERATOR(pg_catalog.-) their.pronargdefaults) AS arguments) fewest
WHERE extension.extname OPERATOR(pg_catalog.=) 'uuidrfc'
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_depend of_theirs
                    WHERE of_theirs.classid OPERATOR(pg_catalog.=) member.classid
                        AND of_theirs.objid OPERATOR(pg_catalog.=) their.oid
                        AND of_theirs.refclassid OPERATOR(pg_catalog.=) member.refclassid
                        AND of_theirs.refobjid OPERATOR(pg_catalog.=) extension.oid)
    AND fewest.arguments OPERATOR(pg_catalog.<=) our.pronargs AND fewest.arguments OPERATOR(pg_catalog.<=) their.pronargs
    AND (our.proargtypes::pg_catalog.oid[])[0:fewest.arguments OPERATOR(pg_catalog.-) 1]
        OPERATOR(pg_catalog.=) (their.proargtypes::pg_catalog.oid[])[0:fewest.arguments OPERATOR(pg_catalog.-) 1]

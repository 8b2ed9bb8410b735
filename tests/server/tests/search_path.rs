//! Privileges, and attacks: before the extension is created or used, objects with names that it uses are planted in schemas that
//! PostgreSQL searches.

use postgres::Client;
use server_tests::{Cluster, sql};

/// Creates the table and the function that record executions of planted code. The session itself executes no such code.
fn trap(superuser: &mut Client) {
    sql::run(superuser, part_of_script(0));
    sql::run(superuser, "SET search_path = pg_catalog");
}

fn plant(client: &mut Client, schema: &str) {
    let script = part_of_script(1).replace("SCHEMA", schema);
    sql::run(client, &format!("BEGIN; SET LOCAL search_path = pg_catalog; {script}; COMMIT"));
}

fn plant_types(client: &mut Client, schema: &str) {
    sql::run(client, &part_of_script(2).replace("SCHEMA", schema));
}

fn part_of_script(number: usize) -> &'static str {
    include_str!("../planted.sql").split("\n\n").nth(number).expect("three parts")
}

fn plant_operator(client: &mut Client, schema: &str, operator: &str, [left, right]: [&str; 2], result: &str) {
    let script = format!(
        "CREATE OR REPLACE FUNCTION {schema}.planted({left}, {right}) RETURNS {result} LANGUAGE sql
             AS $$ SELECT public.trap('operator')::{result} $$;
         CREATE OPERATOR {schema}.{operator} (LEFTARG = {left}, RIGHTARG = {right}, FUNCTION = {schema}.planted)"
    );
    sql::run(client, &script);
}

/// The extension's schema, in which every role may create objects.
const SHARED_SCHEMA: &str = "CREATE SCHEMA ids; GRANT ALL ON SCHEMA ids TO public";

/// Creates a database with the traps, and returns connections of the superuser, the database's owner and an attacker.
fn attacked_database(cluster: &Cluster) -> [Client; 3] {
    let mut client = cluster.connect();
    sql::run(&mut client, "CREATE ROLE attacker LOGIN; CREATE ROLE owner LOGIN");
    sql::run(&mut client, "CREATE DATABASE attacked OWNER owner");
    let mut connections = ["postgres", "owner", "attacker"].map(|user| cluster.connect_as(user, "attacked"));
    trap(&mut connections[0]);
    connections
}

fn assert_planted(client: &mut Client, schema: &str) {
    let [functions, operators] = ["pg_proc WHERE pronamespace", "pg_operator WHERE oprnamespace"]
        .map(|of| sql::value::<i64>(client, &format!("SELECT count(*) FROM {of} = '{schema}'::regnamespace")));
    assert!(functions > 900 && operators > 100, "{schema}: {functions} functions, {operators} operators");
}

fn assert_none_ran(client: &mut Client) {
    let trapped: Vec<String> = sql::column(client, "SELECT pg_catalog.concat_ws(': ', who, what) FROM public.trapped");
    assert_eq!(trapped, [""; 0]);
}

/// Statements that qualify the extension's names, so that only the extension's own code can be misled.
const USE: &str = "
    CREATE TABLE ids.used (id uuid PRIMARY KEY DEFAULT ids.uuidv7(), v7 ids.uuid_v7 DEFAULT ids.uuidv7(), n int);
    CREATE INDEX used_by_time ON ids.used (id ids.uuid_time_ops);
    INSERT INTO ids.used (n) SELECT generate_series(1, 1000);
    SET enable_seqscan = off";
const OBSERVE: &str = "
    SELECT pg_catalog.format('%s %s %s %s %s %s %s',
        (SELECT count(*) FROM ids.used WHERE id OPERATOR(ids.~<~) timestamptz '2999-01-01'),
        (SELECT count(*) FROM ids.used WHERE timestamptz '2000-01-01' OPERATOR(ids.~<=~) id),
        (SELECT count(*) FROM ids.used WHERE id OPERATOR(ids.~>=~) timestamptz '2999-01-01'),
        (SELECT ids.min(id) OPERATOR(pg_catalog.<) ids.max(id) FROM ids.used),
        ids.uuid_v5('6ba7b810-9dad-11d1-80b4-00c04fd430c8'::uuid, 'www.example.com'::text),
        ids.uuid_v8('6ba7b810-9dad-11d1-80b4-00c04fd430c8'::uuid, 'www.example.com'::text),
        ids.uuid_inspect('017f22e2-79b0-7cc3-98c4-dc0c0c07398f') OPERATOR(pg_catalog.->>) 'version')";
const OBSERVED: &str = "1000 1000 0 t 2ed6657d-e927-568b-95e1-2665a8aea6a2 5c146b14-3c52-8afd-938a-375d0df1fbf6 7";

/// A role that may create objects in the extension's schema cannot make the extension's scripts run the role's code.
#[test]
fn objects_planted_before_it_is_created_or_updated_do_not_run() {
    let cluster = Cluster::started("planted", &[]);
    let [mut superuser, mut owner, mut attacker] = attacked_database(&cluster);
    sql::run(&mut superuser, &format!("{SHARED_SCHEMA}; CREATE EXTENSION uuidrfc SCHEMA ids"));
    // The database's owner has a temporary schema with objects named like core's and the extension's.
    plant(&mut owner, "pg_temp");
    sql::run(&mut owner, "CREATE TYPE pg_temp.uuid AS (a int); CREATE TYPE pg_temp.timestamptz AS (a int)");
    sql::run(&mut superuser, "DROP EXTENSION uuidrfc");
    // In the extension's schema, public and a temporary schema, the attacker has objects named like core's.
    for schema in ["public", "pg_temp", "ids"] {
        plant(&mut attacker, schema);
    }
    assert_planted(&mut superuser, "ids");
    assert_planted(&mut superuser, "public");
    plant_operator(&mut attacker, "ids", "=", ["oid", "regclass"], "boolean");
    for name in ["uuid", "timestamptz", "tstzrange", "tstzmultirange", "text", "bytea", "internal", "oid"] {
        sql::run(&mut attacker, &format!("CREATE TYPE ids.{name} AS (a int)"));
    }
    sql::run(&mut owner, "SET search_path = pg_temp, public, pg_catalog");
    // The script of version 0.4.0 would execute the planted operator `||`.
    sql::run(&mut attacker, "DROP OPERATOR ids.|| (pg_catalog.text, pg_catalog.text)");
    sql::run(&mut owner, "CREATE EXTENSION uuidrfc SCHEMA ids VERSION '0.4.0'");
    plant_operator(&mut attacker, "ids", "||", ["pg_catalog.text"; 2], "pg_catalog.text");
    sql::run(&mut owner, "ALTER EXTENSION uuidrfc UPDATE; DROP EXTENSION uuidrfc");
    sql::run(&mut owner, "CREATE EXTENSION uuidrfc SCHEMA ids");
    assert_none_ran(&mut superuser);

    let strangers = "
        SELECT count(*) FROM pg_depend d
        LEFT JOIN pg_operator o ON d.refclassid = 'pg_operator'::regclass AND d.refobjid = o.oid
        JOIN pg_proc p ON d.refclassid = 'pg_proc'::regclass AND d.refobjid = p.oid OR o.oprcode = p.oid
        JOIN pg_depend e ON e.classid = d.classid AND e.objid = d.objid AND e.deptype = 'e'
            AND e.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidrfc')
        WHERE p.proowner <> 10";
    assert_eq!(sql::value::<i64>(&mut superuser, strangers), 0, "objects of the extension that call planted functions");
    // The extension retains no setting of the session that created it.
    sql::run(&mut superuser, USE);
    assert_eq!(sql::value::<String>(&mut superuser, OBSERVE), OBSERVED);
    assert_none_ran(&mut superuser);
}

/// Objects planted under the extension's own names prevent its creation and are never taken over.
#[test]
fn an_object_of_its_own_name_stops_its_creation() {
    let cluster = Cluster::started("occupied", &[]);
    let mut client = cluster.connect();
    let own = "
        SELECT format('CREATE FUNCTION ids.%I(%s) RETURNS %s LANGUAGE sql AS %L', proname, pg_get_function_identity_arguments(p.oid),
                      result, format('SELECT NULL::%s FROM (SELECT public.trap(%L)) t', result, proname))
        FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid, format_type(prorettype, NULL) AS result
        WHERE d.classid = 'pg_proc'::regclass AND d.deptype = 'e'
          AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidrfc')
          AND prokind = 'f' AND NOT proretset AND 'internal'::regtype <> ALL (proargtypes::oid[])
          AND prorettype NOT IN ('internal'::regtype, 'cstring'::regtype, 'trigger'::regtype)
          AND proname ~ '^(uuidv|uuid_time_|uuid_least$)'";
    let own: Vec<String> = sql::column(&mut client, own);
    assert!(own.len() > 20, "{own:?}");
    let [mut superuser, mut owner, mut attacker] = attacked_database(&cluster);
    for create in own {
        sql::run(&mut superuser, SHARED_SCHEMA);
        sql::run(&mut attacker, &create);
        assert_eq!(sql::sqlstate(&mut owner, "CREATE EXTENSION uuidrfc SCHEMA ids"), "42723", "{create}");
        sql::run(&mut superuser, "DROP SCHEMA ids CASCADE");
    }
    // The script would name the planted operator as a commutator before creating its own.
    sql::run(&mut superuser, SHARED_SCHEMA);
    plant_operator(&mut attacker, "ids", "~>~", ["uuid"; 2], "boolean");
    assert_eq!(sql::sqlstate(&mut owner, "CREATE EXTENSION uuidrfc SCHEMA ids"), "42723");
    // The script must not mistake these types for core's.
    sql::run(&mut superuser, &format!("DROP SCHEMA ids CASCADE; {SHARED_SCHEMA}"));
    sql::run(
        &mut attacker,
        "CREATE DOMAIN ids.timestamptz AS pg_catalog.timestamptz CHECK (public.trap('type') IS NOT NULL);
         CREATE DOMAIN ids.uuid AS pg_catalog.uuid CHECK (public.trap('type') IS NOT NULL)",
    );
    sql::run(&mut owner, "CREATE EXTENSION uuidrfc SCHEMA ids");
    let taken = "SELECT count(*) FROM pg_depend t JOIN pg_depend e USING (classid, objid)
        WHERE e.deptype = 'e' AND e.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidrfc')
          AND t.refclassid = 'pg_type'::regclass AND t.refobjid IN ('ids.timestamptz'::regtype, 'ids.uuid'::regtype)";
    assert_eq!(sql::value::<i64>(&mut superuser, taken), 0, "objects of the extension that use planted types");
    assert_none_ran(&mut superuser);
}

/// The extension's code finds its functions by OID or in its own schema, not through the session's search path.
#[test]
fn objects_planted_before_use_do_not_run() {
    let cluster = Cluster::new("used", &[]);
    cluster.start();
    let mut superuser = cluster.connect();
    trap(&mut superuser);
    sql::run(
        &mut superuser,
        "CREATE SCHEMA ids; CREATE EXTENSION uuidrfc SCHEMA ids; GRANT USAGE ON SCHEMA ids TO public",
    );
    sql::run(&mut superuser, "CREATE ROLE attacker LOGIN");
    sql::run(&mut superuser, USE);
    let mut attacker = cluster.connect_as("attacker", "postgres");
    plant(&mut attacker, "public");
    assert_planted(&mut superuser, "public");
    for operator in ["~<~", "~>=~"] {
        plant_operator(&mut attacker, "public", operator, ["uuid", "timestamptz"], "boolean");
    }
    plant(&mut superuser, "pg_temp");
    for search_path in ["public, pg_catalog", "pg_temp, public, ids, pg_catalog", "pg_catalog", "''"] {
        sql::run(&mut superuser, &format!("SET search_path = {search_path}"));
        // Makes each statement use the new search path.
        sql::run(&mut superuser, "DISCARD PLANS");
        sql::run(&mut superuser, "PREPARE observation AS SELECT 1; DEALLOCATE observation");
        assert_eq!(sql::value::<String>(&mut superuser, OBSERVE), OBSERVED, "{search_path}");
        sql::run(
            &mut superuser,
            "INSERT INTO ids.used (n) VALUES (0); DELETE FROM ids.used WHERE n OPERATOR(pg_catalog.=) 0",
        );
    }
    assert_none_ran(&mut superuser);
}

/// SQL cannot execute strict functions that have an `internal` argument.
#[test]
fn a_plain_role_can_call_only_functions_of_data() {
    let cluster = Cluster::started("plain", &[("shared_preload_libraries", "uuidrfc")]);
    let mut superuser = cluster.connect();
    let member = "JOIN pg_depend d ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
        AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidrfc')";
    for (what, condition) in [
        ("runs with the rights of its owner", "p.prosecdef"),
        ("changes settings", "p.proconfig IS NOT NULL"),
        (
            "is in a language other than C and SQL",
            "p.prolang NOT IN (SELECT oid FROM pg_language WHERE lanname IN ('c', 'sql', 'internal'))",
        ),
        (
            "takes or returns a pointer, other than a support function of the server",
            "p.prorettype = 'internal'::regtype AND 'internal'::regtype <> ALL (p.proargtypes::oid[])",
        ),
        (
            "takes a pointer, which could be null",
            "'internal'::regtype = ANY (p.proargtypes::oid[]) AND NOT p.proisstrict",
        ),
        (
            "resolves names when it is called",
            "p.prolang = (SELECT oid FROM pg_language WHERE lanname = 'sql') AND p.prosqlbody IS NULL",
        ),
    ] {
        let query = format!("SELECT p.oid::regprocedure::text FROM pg_proc p {member} WHERE {condition}");
        let found: Vec<String> = sql::column(&mut superuser, &query);
        assert_eq!(found, [""; 0], "{what}");
    }
    sql::run(&mut superuser, "CREATE ROLE plain LOGIN");
    let mut plain = cluster.connect_as("plain", "postgres");
    // An ordinary role must not change the order of all sessions' UUIDs.
    assert_eq!(sql::sqlstate(&mut plain, "SET uuidrfc.monotonic_scope = 'server'"), "42501");
    assert_eq!(sql::sqlstate(&mut plain, "ALTER ROLE plain SET uuidrfc.monotonic_scope = 'server'"), "42501");
}

const PURE_SQL: &str = include_str!("../../../portable/uuidrfc.sql");

/// A query that calls the pure-SQL edition's functions and comparisons by qualified names.
const CALLS: &str = include_str!("../called.sql");

/// Calls that fail, and the SQLSTATEs of their errors.
const ERRORS: [(&str, &str); 5] = [
    ("SELECT ids.uuid_decode('x', 'hex')", "0A000"),
    ("SELECT ids.uuid_decode('x', 'base32')", "22P02"),
    ("SELECT ids.typeid_decode('x')", "22P02"),
    ("SELECT ids.uuidv7_floor('infinity')", "22008"),
    ("SELECT ids.uuid_v5(ids.nil_uuid(), ''::pg_catalog.text)", "0A000"),
];

/// The script of the pure-SQL edition is run, and its functions are called, while schemas in `search_path` contain planted objects.
#[test]
fn objects_planted_around_the_pure_sql_edition_do_not_run() {
    let cluster = Cluster::new("planted_around", &[("TimeZone", "UTC")]);
    cluster.start();
    let mut superuser = cluster.connect();
    trap(&mut superuser);
    sql::run(
        &mut superuser,
        "CREATE ROLE attacker LOGIN; CREATE ROLE owner LOGIN; CREATE SCHEMA ids AUTHORIZATION owner",
    );
    sql::run(&mut superuser, "GRANT USAGE ON SCHEMA ids TO public");
    let mut attacker = cluster.connect_as("attacker", "postgres");
    let mut owner = cluster.connect_as("owner", "postgres");
    for client in [&mut superuser, &mut attacker, &mut owner] {
        sql::run(client, "SET search_path = pg_catalog");
    }
    plant(&mut attacker, "public");
    plant_types(&mut attacker, "public");
    assert_planted(&mut superuser, "public");
    plant_types(&mut owner, "pg_temp");

    // The script rejects a schema that contains objects named like PostgreSQL's.
    let create = format!("BEGIN; SET LOCAL search_path = ids, pg_temp, public, pg_catalog; {PURE_SQL}; COMMIT");
    sql::run(&mut superuser, "GRANT CREATE ON SCHEMA ids TO attacker");
    for (kind, planted, as_what) in [
        ("FUNCTION", "ids.lower(pg_catalog.text)", "RETURNS pg_catalog.text LANGUAGE sql AS 'SELECT $1'"),
        ("OPERATOR", "ids.|| (pg_catalog.text, pg_catalog.text)", ""),
        ("DOMAIN", "ids.uuid", "AS pg_catalog.uuid CHECK (public.trap('uuid'))"),
        // This function matches a call better than core's polymorphic function of the same name.
        ("FUNCTION", "ids.isempty(pg_catalog.tstzrange)", "RETURNS boolean LANGUAGE sql AS 'SELECT false'"),
    ] {
        let statement = match kind {
            "OPERATOR" => "CREATE OPERATOR ids.|| (LEFTARG = pg_catalog.text, RIGHTARG = pg_catalog.text, FUNCTION = pg_catalog.textcat)".to_owned(),
            _ => format!("CREATE {kind} {planted} {as_what}"),
        };
        sql::run(&mut attacker, &statement);
        // The domain is rejected earlier, because CREATE AGGREGATE finds no SORTOP for it.
        let stopped = if kind == "DOMAIN" { "42883" } else { "55000" };
        assert_eq!(sql::sqlstate(&mut owner, &create), stopped, "{statement}");
        sql::run(&mut owner, "ROLLBACK");
        sql::run(&mut attacker, &format!("DROP {kind} {planted}"));
    }
    sql::run(&mut owner, &create);
    assert_none_ran(&mut superuser);
    let strangers = "SELECT count(*) FROM pg_depend d JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
        WHERE p.pronamespace = 'ids'::regnamespace AND EXISTS (
            SELECT FROM pg_shdepend s WHERE s.classid = d.refclassid AND s.objid = d.refobjid AND s.deptype = 'o' AND s.refobjid = 'attacker'::regrole)";
    assert_eq!(sql::value::<i64>(&mut superuser, strangers), 0, "functions that use planted objects");

    // Planted objects in schemas before pg_catalog, some named like the edition's, must not affect the results.
    let expected = sql::value::<String>(&mut owner, CALLS);
    sql::run(
        &mut superuser,
        "CREATE SCHEMA elsewhere AUTHORIZATION attacker; GRANT USAGE ON SCHEMA elsewhere TO public",
    );
    plant(&mut attacker, "elsewhere");
    plant_types(&mut attacker, "elsewhere");
    plant(&mut owner, "pg_temp");
    for search_path in
        ["elsewhere, pg_catalog", "pg_temp, elsewhere, ids, pg_catalog", "ids, elsewhere, pg_catalog", "''"]
    {
        sql::run(&mut owner, &format!("DISCARD PLANS; SET search_path = {search_path}"));
        assert_eq!(sql::value::<String>(&mut owner, CALLS), expected, "{search_path}");
        for (statement, sqlstate) in ERRORS {
            assert_eq!(sql::sqlstate(&mut owner, statement), sqlstate, "{search_path}: {statement}");
        }
    }
    assert_none_ran(&mut superuser);
}

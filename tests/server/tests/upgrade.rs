//! Databases that outlive a version of the extension or of the server: updated in place, dumped and restored.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use postgres::{Client, NoTls};
use server_tests::{Cluster, assert_same_lines, progress, sql};

/// Tables with defaults, generated columns, checks and indexes, a view and a function.
const POPULATED: &str = include_str!("../populated.sql");

const SURFACE: &str = include_str!("../../pg_regress/sql/surface.sql");

/// A new database with the extension, created by this statement in the schema `ids`, and with objects that use it.
fn populate(cluster: &Cluster, database: &str, create_extension: &str) {
    sql::run(&mut cluster.connect(), &format!("CREATE DATABASE \"{database}\""));
    let mut client = cluster.connect_as("postgres", database);
    sql::run(&mut client, "CREATE SCHEMA ids");
    sql::run(&mut client, create_extension);
    sql::run(&mut client, POPULATED);
}

/// What the extension's objects in a database look like, as the SQL test `surface` prints them.
fn surface(cluster: &Cluster, database: &str, script: &Path) -> String {
    let created = SURFACE.replace("CREATE EXTENSION uuidrfc;\n", "");
    assert_ne!(created, SURFACE, "the SQL test `surface` begins by creating the extension");
    fs::write(script, created).expect("the script can be written");
    cluster.psql(database, script)
}

/// The definitions and comments of the extension's functions and of the members of its operator families.
fn definitions(client: &mut Client) -> Vec<String> {
    let query = "
        SELECT concat_ws(E'\\n', pg_describe_object(d.classid, d.objid, 0), obj_description(d.objid, d.classid::regclass::name),
                         CASE p.prokind WHEN 'f' THEN pg_get_functiondef(p.oid) END, p.prosupport)
        FROM pg_depend d LEFT JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND p.oid = d.objid
        WHERE d.deptype = 'e' AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidrfc')
        UNION ALL SELECT pg_describe_object('pg_amop'::regclass, o.oid, 0) FROM pg_amop o JOIN pg_opfamily f ON f.oid = amopfamily
        WHERE opfname = 'uuid_time_ops'
        UNION ALL SELECT pg_describe_object('pg_amproc'::regclass, o.oid, 0) FROM pg_amproc o JOIN pg_opfamily f ON f.oid = amprocfamily
        WHERE opfname = 'uuid_time_ops'
        ORDER BY 1";
    sql::rows(client, query).iter().map(|row| row.get(0)).collect()
}

/// Every released version, and the current one, which an update does not change.
#[test]
fn an_updated_extension_equals_a_new_one() {
    let cluster = Cluster::new("update", &[]);
    cluster.start();
    let script = cluster.dir().join("surface.sql");
    let mut superuser = cluster.connect();
    let versions = "SELECT version FROM pg_available_extension_versions WHERE name = 'uuidrfc' ORDER BY 1";
    let versions: Vec<String> = sql::rows(&mut superuser, versions).iter().map(|row| row.get(0)).collect();
    let newest: String =
        sql::value(&mut superuser, "SELECT default_version::text FROM pg_available_extensions WHERE name = 'uuidrfc'");
    assert!(versions.contains(&newest), "{newest} among {versions:?}");
    assert!(versions.iter().any(|version| version == "0.1.0"), "the first release among {versions:?}");
    populate(&cluster, "new", "CREATE EXTENSION uuidrfc SCHEMA ids");
    let expected = surface(&cluster, "new", &script);
    assert!(expected.lines().count() > 10, "{expected}");
    let expected_definitions = definitions(&mut cluster.connect_as("postgres", "new"));
    assert!(expected_definitions.len() > 100, "{} definitions", expected_definitions.len());

    for version in versions {
        populate(&cluster, &version, &format!("CREATE EXTENSION uuidrfc SCHEMA ids VERSION '{version}'"));
        let mut client = cluster.connect_as("postgres", &version);
        // All rows of all tables of the database.
        let data = "SELECT md5(string_agg(query_to_xml(format('SELECT * FROM %s t ORDER BY t', oid::regclass), false, false, '')::text,
                                          '' ORDER BY relname))
                    FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace";
        let before: String = sql::value(&mut client, data);
        sql::run(&mut client, "ALTER EXTENSION uuidrfc UPDATE");
        let updated: String = sql::value(&mut client, "SELECT extversion FROM pg_extension WHERE extname = 'uuidrfc'");
        assert_eq!(updated, newest, "updated from {version}");
        let found = surface(&cluster, &version, &script);
        let (found, expected): (Vec<&str>, Vec<&str>) = (found.lines().collect(), expected.lines().collect());
        assert_same_lines(&format!("the surface updated from {version}"), &found, &expected);
        let found = definitions(&mut client);
        let lines =
            |definitions: &'_ [String]| definitions.iter().map(|one| one.replace('\n', " / ")).collect::<Vec<_>>();
        let (found, expected) = (lines(&found), lines(&expected_definitions));
        assert_same_lines(
            &format!("what was defined by {version}, updated"),
            &found.iter().map(String::as_str).collect::<Vec<_>>(),
            &expected.iter().map(String::as_str).collect::<Vec<_>>(),
        );
        assert_eq!(sql::value::<String>(&mut client, data), before, "the data updated from {version}");
        // Every row is in every index, in order.
        let checked = "SELECT count(bt_index_parent_check(indexrelid, true)) FROM pg_index
                       JOIN pg_class ON pg_class.oid = indexrelid
                       WHERE relkind = 'i' AND relnamespace = 'public'::regnamespace";
        sql::run(
            &mut client,
            "CREATE EXTENSION amcheck; INSERT INTO events (n) VALUES (1001); INSERT INTO old (n) VALUES (1001)",
        );
        let indexes: i64 = sql::value(&mut client, checked);
        assert!(indexes >= 4, "{indexes} indexes checked");
        progress(&format!("version {version}, populated and updated to {newest}, equals a new {newest}"));
    }
}

/// For the type of range that <@ and @> took in 0.1.0, the planner finds no index afterwards.
#[test]
fn an_update_names_what_is_to_be_made_anew() {
    let cluster = Cluster::new("anew", &[]);
    cluster.start();
    let warnings = Arc::new(Mutex::new(Vec::new()));
    let mut config = cluster.config();
    let collected = Arc::clone(&warnings);
    config.notice_callback(move |notice| {
        if notice.severity() == "WARNING" {
            collected.lock().expect("no panic in here").push(notice.message().to_owned());
        }
    });
    let mut client = config.connect(NoTls).expect("a connection");
    let within = "id <@ tstzrange('2020-01-01 00:00:00+00', '2090-01-01 00:00:00+00')";
    let index = format!("CREATE UNIQUE INDEX found ON kept (id) WHERE {within}");
    sql::run(
        &mut client,
        &format!(
            "CREATE EXTENSION uuidrfc VERSION '0.1.0';
             CREATE TABLE kept (id uuid PRIMARY KEY CHECK ({within}), n int);
             CREATE INDEX since ON kept (n) WHERE id > timestamptz '2020-01-01 00:00:00+00';
             CREATE STATISTICS within ON ({within}), n FROM kept;
             CREATE VIEW seen AS SELECT * FROM kept WHERE {within};
             {index}"
        ),
    );
    sql::run(&mut client, "ALTER EXTENSION uuidrfc UPDATE");
    let mut found = std::mem::take(&mut *warnings.lock().expect("no panic in the callback"));
    found.sort();
    let warning = |what: &str| {
        format!("{what} uses <@ or @> of 0.1.0 and will not be used before it is dropped and created again")
    };
    assert_eq!(found, [warning("index found"), warning("statistics object within")]);
    sql::run(&mut client, &format!("DROP INDEX found; {index}"));
    let insert =
        format!("INSERT INTO kept VALUES (uuidv7_at('2026-01-01'), 1) ON CONFLICT (id) WHERE {within} DO NOTHING");
    sql::run(&mut client, &insert);
    assert_eq!(sql::value::<i64>(&mut client, "SELECT count(*) FROM seen"), 1);
}

/// Functions that an update renames in place, or declares with other arguments.
#[test]
fn what_uses_a_changed_function_goes_on() {
    let cluster = Cluster::new("in_place", &[]);
    cluster.start();
    let mut client = cluster.connect();
    // The columns are an int, as the functions had it.
    sql::run(
        &mut client,
        "CREATE EXTENSION uuidrfc VERSION '0.2.0';
         CREATE TABLE asked (n int);
         INSERT INTO asked VALUES (0), (1), (70), (-1), (-2147483648);
         CREATE VIEW packed AS SELECT uuid_v8(1, 2, 3) AS id;
         CREATE VIEW fixed AS SELECT cardinality(uuidv7_array(2)) AS listed, (SELECT count(*) FROM uuidv7_batch(3)) AS rows;
         CREATE VIEW many AS
             SELECT n, cardinality(uuidv7_array(n)) AS listed, (SELECT count(*) FROM uuidv7_batch(n)) AS rows,
                    (SELECT count(*) FROM (SELECT uuidv7_batch(n) OFFSET 0) selected) AS selected
             FROM asked;
         CREATE FUNCTION made(n int) RETURNS bigint LANGUAGE sql BEGIN ATOMIC SELECT count(*) FROM unnest(uuidv7_array(n)); END;
         CREATE TABLE kept (n int, packed uuid DEFAULT uuid_v8(1, 2, 3), more uuid[] DEFAULT uuidv7_array(2));
         PREPARE typed (int) AS SELECT cardinality(uuidv7_array($1));
         PREPARE untyped AS SELECT cardinality(uuidv7_array($1))",
    );
    let uses = |client: &mut Client| {
        let packed = "00000000-0001-8002-8000-000000000003";
        assert_eq!(sql::value::<String>(client, "SELECT id::text FROM packed"), packed);
        let many =
            "SELECT string_agg(concat_ws(' ', n, listed, rows, selected), ', ' ORDER BY n) FROM many WHERE n >= 0";
        assert_eq!(sql::value::<String>(client, many), "0 0 0 0, 1 1 1 1, 70 70 70 70");
        assert_eq!(sql::value::<String>(client, "SELECT concat_ws(' ', listed, rows) FROM fixed"), "2 3");
        for negative in ["n = -1", "n < -1"] {
            for column in ["listed", "rows", "selected"] {
                let state = sql::sqlstate(client, &format!("SELECT {column} FROM many WHERE {negative}"));
                assert_eq!(state, "22023", "{column} of {negative}");
            }
        }
        assert_eq!(sql::value::<i64>(client, "SELECT made(5)"), 5);
        let row = "INSERT INTO kept (n) VALUES (1) RETURNING concat_ws(' ', packed, cardinality(more))";
        assert_eq!(sql::value::<String>(client, row), format!("{packed} 2"));
    };
    let prepared = |client: &mut Client| {
        for name in ["typed", "untyped"] {
            let messages = client.simple_query(&format!("EXECUTE {name} (4)")).expect("four values");
            let four = messages
                .iter()
                .any(|message| matches!(message, postgres::SimpleQueryMessage::Row(row) if row.get(0) == Some("4")));
            assert!(four, "{name}: {messages:?}");
        }
    };
    uses(&mut client);
    prepared(&mut client);
    sql::run(&mut client, "ALTER EXTENSION uuidrfc UPDATE");
    uses(&mut client);
    prepared(&mut client);
    // A cast by which some servers read a negative int as a positive datum.
    sql::run(
        &mut client,
        "SET jit = on; SET jit_above_cost = 0; SET jit_optimize_above_cost = 0; SET jit_inline_above_cost = 0",
    );
    uses(&mut client);

    // A dump knows the functions as they are now.
    let none: [&str; 0] = [];
    let script = cluster.dir().join("in_place.sql");
    fs::write(&script, cluster.client_program("pg_dump", "postgres", &none)).expect("the dump can be written");
    sql::run(&mut client, "CREATE DATABASE restored");
    cluster.psql("restored", &script);
    uses(&mut cluster.connect_as("postgres", "restored"));
}

/// The dump without the lines that differ from one run of pg_dump to the next.
fn comparable(dump: &str) -> Vec<&str> {
    dump.lines().filter(|line| !line.starts_with("\\restrict") && !line.starts_with("\\unrestrict")).collect()
}

#[test]
fn a_dump_restores_rows_and_defaults() {
    let cluster = Cluster::new("dump", &[]);
    cluster.start();
    let mut superuser = cluster.connect();
    populate(&cluster, "original", "CREATE EXTENSION uuidrfc SCHEMA ids");
    let none: [&str; 0] = [];
    let original = cluster.client_program("pg_dump", "original", &none);
    assert!(original.contains("DEFAULT ids.uuidv7()"), "{original}");

    // As text through psql.
    let script = cluster.dir().join("original.sql");
    fs::write(&script, &original).expect("the dump can be written");
    sql::run(&mut superuser, "CREATE DATABASE from_text");
    cluster.psql("from_text", &script);
    // As an archive through pg_restore, two jobs at a time.
    let archive = cluster.dir().join("original.dump");
    let archive = archive.to_str().expect("a path in UTF-8");
    cluster.client_program("pg_dump", "original", &["-Fc", "-f", archive]);
    sql::run(&mut superuser, "CREATE DATABASE from_archive");
    cluster.client_program(
        "pg_restore",
        "from_archive",
        &["-d", "from_archive", "--exit-on-error", "-j", "2", archive],
    );

    for database in ["from_text", "from_archive"] {
        let restored = cluster.client_program("pg_dump", database, &none);
        assert_same_lines(&format!("the dump of {database}"), &comparable(&restored), &comparable(&original));
        let mut client = cluster.connect_as("postgres", database);
        let last: String = sql::value(&mut client, "SELECT id::text FROM events ORDER BY id DESC LIMIT 1");
        sql::run(&mut client, "INSERT INTO events (n) VALUES (1001); INSERT INTO old (n) VALUES (1001)");
        let next: String = sql::value(&mut client, "SELECT id::text FROM events WHERE n = 1001");
        assert!(next > last, "{database}: {next}, generated after the restore, and {last}, dumped before it");
        let times = "SELECT count(*) FROM events JOIN times USING (n) WHERE made = date_trunc('milliseconds', time)";
        assert_eq!(sql::value::<i64>(&mut client, times), 1001, "{database}");
        assert!(sql::value::<bool>(&mut client, "SELECT newest() = (SELECT made FROM events WHERE n = 1001)"));
        assert!(sql::value::<bool>(&mut client, "SELECT last = (SELECT id FROM events WHERE n = 1001) FROM ends"));
        let in_time: Vec<i32> = sql::value(&mut client, "SELECT array_agg(n) FROM in_time");
        assert_eq!(in_time, (1..=1001).collect::<Vec<i32>>(), "{database}");
    }
}

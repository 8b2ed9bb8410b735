//! Upgrades a populated cluster from one PostgreSQL version to the next with `pg_upgrade`, and from the first to the last by dump
//! and restore. After each upgrade, the cluster must have the same contents as before and accept the same statements.
//!
//! `upgrade PG_CONFIG PG_CONFIG...` names the versions' installations, oldest first, each with the extension.
//!
//! The cluster has two databases. In `qualified`, the extension is in a schema of its own, and all names are qualified. In
//! `plain`, all objects are in `public`, no name is qualified, and `uuidrfc.monotonic_scope` is `server`. There, the extension is
//! created in its oldest version that can be updated, and is updated after the first `pg_upgrade`. Before each `pg_upgrade`, the
//! clock appears to be set back by an hour.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex};

use postgres::{Client, NoTls};
use server_tests::{Cluster, Installation, Shutdown, assert_same_lines, progress, sql};

const POPULATED: &str = include_str!("../populated.sql");
const FINGERPRINT: &str = include_str!("../fingerprint.sql");
const SURFACE: &str = include_str!("../../pg_regress/sql/surface.sql");
const MORE_ROWS: &str = include_str!("../more_rows.sql");

const LIMIT: &str = "uuidrfc.high_water_mark";

struct Database {
    name: &'static str,
    schema: &'static str,
    /// The prefix of the extension's names, empty if `search_path` contains the schema.
    prefix: &'static str,
}

const QUALIFIED: Database = Database { name: "qualified", schema: "ids", prefix: "ids." };
const PLAIN: Database = Database { name: "plain", schema: "public", prefix: "" };
const DATABASES: [Database; 2] = [QUALIFIED, PLAIN];

/// Each database's name, and its contents as lines.
type Fingerprint = Vec<(&'static str, Vec<String>)>;

fn main() {
    let servers: Vec<Installation> =
        std::env::args_os().skip(1).map(|pg_config| Installation::from_pg_config(Path::new(&pg_config))).collect();
    let [first, .., last] = &servers[..] else { panic!("usage: upgrade PG_CONFIG PG_CONFIG...") };
    let way: Vec<String> = servers.iter().map(|server| server.major().to_string()).collect();

    let mut cluster = new_cluster(first, last, "first");
    cluster.start();
    populate(&cluster);
    let first_fingerprint = fingerprint(&cluster, "as populated");
    let mut rows_from = 10_000;
    more_rows(&cluster, rows_from);
    let mut before = fingerprint(&cluster, "with more rows");
    let mut old = Vec::new();
    for server in &servers[1..] {
        let step = format!("{} to {}", cluster.installation().major(), server.major());
        cluster.stop(Shutdown::Fast);
        set_clock_back(&cluster);
        let new = new_cluster(server, last, "upgraded");
        cluster.upgrade_to(&new);
        copy_limit(&cluster, &new);
        old.push(std::mem::replace(&mut cluster, new));
        cluster.start();
        progress(&format!("{step} by pg_upgrade"));
        add_members(&cluster);
        assert_same(&step, &fingerprint(&cluster, &step), &before);
        update(&cluster, &step);
        assert_same(&format!("{step}, updated"), &fingerprint(&cluster, &step), &before);
        rows_from += 1_000;
        more_rows(&cluster, rows_from);
        assert_after_limit(&cluster, rows_from);
        before = fingerprint(&cluster, "with more rows");
    }
    cluster.stop(Shutdown::Fast);

    // The first cluster still exists, because pg_upgrade copied its files. Only rows have been added since its first fingerprint.
    let original = &old[0];
    original.start();
    let expected = fingerprint(original, "again");
    assert_ne!(expected, first_fingerprint, "the fingerprint does not show the additional rows");
    let restored = new_cluster(last, last, "restored");
    copy_limit(original, &restored);
    restored.start();
    for form in ["text", "archive"] {
        let step = format!("{} to {} by a dump as {form}", first.major(), last.major());
        for database in &DATABASES {
            dump_and_restore(original, &restored, database, form);
        }
        assert_same(&step, &fingerprint(&restored, &step), &expected);
        update(&restored, &step);
        rows_from += 1_000;
        more_rows(&restored, rows_from);
        assert_after_limit(&restored, rows_from);
        if form == "text" {
            for database in &DATABASES {
                sql::run(&mut restored.connect(), &format!("DROP DATABASE {}", database.name));
            }
        }
    }
    progress(&format!("the same contents by pg_upgrade from {}, and by dump and restore", way.join(" to ")));
}

/// Creates a cluster with the same `initdb` options as all others, as `pg_upgrade` requires, and with the last version's client
/// programs.
fn new_cluster(server: &Installation, last: &Installation, name: &str) -> Cluster {
    // Locales other than C differ between releases of the operating system.
    let mut cluster =
        Cluster::from_initdb(server, &format!("{name}-{}", server.major()), &["--locale=C", "--data-checksums"]);
    cluster.set_clients(last);
    cluster.configure(&[("autovacuum", "off")]);
    if server.major() < 17 {
        cluster.configure(&[("shared_preload_libraries", "uuidrfc")]);
    }
    cluster
}

fn connect(cluster: &Cluster, database: &Database) -> Client {
    cluster.connect_as("postgres", database.name)
}

fn populate(cluster: &Cluster) {
    let mut superuser = cluster.connect();
    let versions = "SELECT version FROM pg_available_extension_versions WHERE name = 'uuidrfc'
                    ORDER BY string_to_array(version, '.')::int[]";
    let versions: Vec<String> = sql::column(&mut superuser, versions);
    for database in &DATABASES {
        let Database { name, schema, prefix } = database;
        let version = if *name == PLAIN.name { versions.first() } else { versions.last() };
        let version = version.expect("the extension is installed");
        sql::run(&mut superuser, &format!("CREATE DATABASE {name}"));
        if *name == PLAIN.name {
            sql::run(&mut superuser, &format!("ALTER DATABASE {name} SET uuidrfc.monotonic_scope = 'server'"));
        }
        let mut client = connect(cluster, database);
        sql::run(
            &mut client,
            &format!(
                "CREATE SCHEMA IF NOT EXISTS {schema}; CREATE EXTENSION amcheck SCHEMA public;
                 CREATE EXTENSION uuidrfc SCHEMA {schema} VERSION '{version}'"
            ),
        );
        sql::run(&mut client, &POPULATED.replace(QUALIFIED.prefix, prefix));
        progress(&format!("{}, {name}: populated with version {version}", cluster.installation().major()));
    }
}

fn fingerprint(cluster: &Cluster, when: &str) -> Fingerprint {
    let of_database = |database: &Database| {
        sql::run(&mut connect(cluster, database), "VACUUM ANALYZE");
        let lines = cluster.psql(database.name, &[format!("ids={}", database.schema)], FINGERPRINT);
        if database.name == PLAIN.name {
            let scope: String = sql::value(&mut connect(cluster, database), "SHOW uuidrfc.monotonic_scope");
            assert_eq!(scope, "server", "{when}: the database's setting");
        }
        let used = lines.iter().any(|line| line.contains("using old_in_time on old"));
        assert!(used, "{when}, {}: the index of uuid_time_ops is not used\n{}", database.name, lines.join("\n"));
        lines
    };
    DATABASES.iter().map(|database| (database.name, of_database(database))).collect()
}

fn assert_same(what: &str, found: &Fingerprint, expected: &Fingerprint) {
    for ((database, found), (_, expected)) in found.iter().zip(expected) {
        assert_same_lines(&format!("{what}: {database}"), found, expected);
    }
    let lines: usize = found.iter().map(|(_, lines)| lines.len()).sum();
    progress(&format!(
        "{what}: {lines} lines of rows, orders, defaults, needs, definitions, indexes and plans as before"
    ));
}

fn more_rows(cluster: &Cluster, from: u32) {
    for database in &DATABASES {
        let found = cluster.psql(database.name, &[format!("from={from}")], MORE_ROWS);
        let expected = ["after what was there: t t", "newest and fresh: t t", "in partitions: t"];
        assert_same_lines(&format!("rows from {from} in {}", database.name), &found, &expected);
    }
    progress(&format!("{}: 100 more rows in each table, after all that was there", cluster.installation().major()));
}

/// Makes the clock of a stopped server appear to have been an hour ahead.
fn set_clock_back(cluster: &Cluster) {
    let file = cluster.data().join(LIMIT);
    let limit = fs::read_to_string(&file).expect("the stopped server left its limit");
    let limit: u64 = limit.trim().parse().unwrap_or_else(|error| panic!("{limit}: {error}"));
    // Rewriting the file preserves its owner.
    fs::write(&file, format!("{:020}\n", limit + 3_600 * 1_000_000_000)).expect("the limit can be written");
}

/// Copies the limit into a new data directory, as users do to preserve the order.
fn copy_limit(from: &Cluster, to: &Cluster) {
    let copied = to.as_server_user().arg("cp").arg(from.data().join(LIMIT)).arg(to.data().join(LIMIT)).status();
    assert!(copied.expect("cp runs").success(), "the limit is copied");
}

/// Checks that the times of new UUIDs continue from the limit, which is an hour ahead of the clock.
fn assert_after_limit(cluster: &Cluster, rows_from: u32) {
    let after = format!("SELECT min(made) > now() + interval '50 minutes' FROM events WHERE n >= {rows_from}");
    assert!(sql::value::<bool>(&mut connect(cluster, &PLAIN), &after), "rows from {rows_from}: not after the limit");
}

/// Checks the warning that PostgreSQL's own operator families lack the extension's members (`pg_upgrade` does not preserve them),
/// and adds these again, as the hint says.
fn add_members(cluster: &Cluster) {
    for database in &DATABASES {
        let add = format!("{}.uuid_ops_add_timestamptz()", database.schema);
        let hints = Arc::new(Mutex::new(Vec::new()));
        let mut config = cluster.config();
        let heard = Arc::clone(&hints);
        config.dbname(database.name).notice_callback(move |notice| {
            heard.lock().expect("no panic in here").extend(notice.hint().map(str::to_owned));
        });
        let mut client = config.connect(NoTls).expect("a connection");
        let query = format!(
            "EXPLAIN (COSTS OFF) SELECT n FROM public.events WHERE id OPERATOR({}.<) timestamptz '2026-01-01'",
            database.schema
        );
        let plan = sql::lines(&mut client, &query);
        assert!(
            plan.contains("(id < '") && plan.contains("'::uuid)"),
            "{}: without the members\n{plan}",
            database.name
        );
        let hints = hints.lock().expect("no panic in the callback");
        assert!(hints.iter().any(|hint| hint.contains("SELECT uuid_ops_add_timestamptz()")), "{hints:?}");
        sql::run(&mut client, &format!("SELECT {add}"));
        progress(&format!(
            "{}: a comparison of UUIDs and a warning without the members, which were then added again",
            database.name
        ));
    }
}

/// Updates the extension, and checks that it then has the same objects as a newly created one on the same server.
fn update(cluster: &Cluster, step: &str) {
    for database in &DATABASES {
        let Database { name, schema, .. } = database;
        let what = format!("{step}, {name}");
        sql::run(&mut cluster.connect(), "CREATE DATABASE new");
        let mut new = cluster.connect_as("postgres", "new");
        sql::run(&mut new, &format!("CREATE SCHEMA IF NOT EXISTS {schema}; CREATE EXTENSION uuidrfc SCHEMA {schema}"));
        let mut client = connect(cluster, database);
        let before = sql::installed(&mut client);
        sql::run(&mut client, "ALTER EXTENSION uuidrfc UPDATE");
        let after = sql::installed(&mut client);
        assert_eq!(after, sql::installed(&mut new), "{what}: updated from {before}");
        drop(new);

        let [found, expected] = [name, "new"].map(|database| cluster.psql(database, &[], SURFACE));
        assert_same_lines(&format!("{what}: objects and operator families"), &found, &expected);
        sql::run(&mut cluster.connect(), "DROP DATABASE new");
        progress(&format!("{what}: updated from {before} to {after}, with the same objects as a new one"));
    }
}

fn dump_and_restore(from: &Cluster, to: &Cluster, database: &Database, form: &str) {
    match form {
        "text" => {
            let dump = from.client_program("pg_dump", database.name, &["--create"]);
            to.psql("postgres", &[], &dump);
        }
        _ => {
            let dump = to.dir().join("dump");
            let dump = dump.to_string_lossy();
            from.client_program("pg_dump", database.name, &["-Fc", "-f", &dump]);
            let arguments = ["--exit-on-error", "--create", "--jobs", "2", "-d", "postgres", &dump];
            to.client_program("pg_restore", "postgres", &arguments);
        }
    }
}

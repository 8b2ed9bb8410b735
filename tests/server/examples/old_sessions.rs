//! Tests open sessions, which keep the library of an earlier version, while the package is replaced and another session updates
//! the extension.
//!
//! `old_sessions PG_CONFIG COMMAND...` expects the earlier version in the installation of `PG_CONFIG`. The command replaces it.

use std::path::Path;
use std::process::Command;

use postgres::Client;
use server_tests::{Cluster, Installation, progress, sql};

/// Keys with known times, and objects for which the planner may need functions of the extension.
const TABLES: &str = "
    CREATE TABLE item (id uuid PRIMARY KEY DEFAULT uuidv7(), n int);
    INSERT INTO item SELECT uuidv7_at('2026-01-01 00:00:00+00'::timestamptz + n * interval '1 hour'), n FROM generate_series(1, 2000) n;
    CREATE INDEX recent ON item (n) WHERE id >= timestamptz '2026-02-01 00:00:00+00';
    CREATE INDEX in_time ON item (id uuid_time_ops);
    CREATE TABLE part (id uuid PRIMARY KEY DEFAULT uuidv7(), n int) PARTITION BY RANGE (id);
    CREATE TABLE part_1 PARTITION OF part FOR VALUES FROM (MINVALUE) TO (uuidv7_floor('2026-02-01 00:00:00+00'));
    CREATE TABLE part_2 PARTITION OF part FOR VALUES FROM (uuidv7_floor('2026-02-01 00:00:00+00')) TO (MAXVALUE);
    INSERT INTO part SELECT * FROM item;
    CREATE TABLE checked (id uuid_v7 PRIMARY KEY DEFAULT uuidv7(), n int);
    CREATE VIEW dated AS SELECT n, uuidv7_time(id) AS created_at FROM item;
    CREATE TABLE times (t timestamptz);
    INSERT INTO times SELECT '2026-02-15 00:00:00+00'::timestamptz + n * interval '1 day' FROM generate_series(1, 10) n;
    ANALYZE";

/// Statements that applications may execute, each with the same result every time.
const STATEMENTS: [&str; 22] = [
    "SELECT count(uuidv7()), count(uuidv4()), count(uuidv6())",
    "SELECT cardinality(uuidv7_array(5))",
    "BEGIN; INSERT INTO item (n) VALUES (0) RETURNING n; ROLLBACK",
    "BEGIN; INSERT INTO part (n) VALUES (0) RETURNING n; ROLLBACK",
    "BEGIN; INSERT INTO checked (n) VALUES (0) RETURNING n; ROLLBACK",
    "SELECT count(*) FROM item WHERE id = (SELECT id FROM item WHERE n = 7)",
    "SELECT count(*) FROM item WHERE id >= timestamptz '2026-02-20 00:00:00+00'",
    "SELECT count(*) FROM item WHERE id >= timestamptz '2026-02-20 00:00:00+00' AND n > 1900",
    "SELECT count(*) FROM item WHERE id >= now() - interval '1000 years'",
    "SELECT count(*) FROM part WHERE id < timestamptz '2026-01-20 00:00:00+00'",
    "SELECT count(*) FROM part WHERE id >= now() - interval '1000 years'",
    "SELECT count(*) FROM item WHERE id <@ tstzrange('2026-01-10 00:00:00+00', '2026-01-11 00:00:00+00')",
    "SELECT count(*) FROM dated WHERE created_at >= '2026-02-20 00:00:00+00'",
    "SELECT n FROM dated WHERE created_at IS NOT NULL ORDER BY created_at DESC LIMIT 3",
    "SELECT n FROM item ORDER BY id USING ~>~ LIMIT 3",
    "SELECT count(*) FROM (SELECT id FROM item UNION ALL SELECT id FROM part) u WHERE id >= now() - interval '1000 years'",
    "SELECT count(*) FROM times JOIN item ON id >= t",
    "SELECT uuid_extract_time(min(id)), uuid_extract_time(max(id)) FROM item WHERE n > 0",
    "SELECT uuid_encode(nil_uuid(), 'base58'), uuid_decode('2n1t5nckcz6xscq6qqyy2q1d5j', 'base32')",
    "SELECT uuid_v5(uuid_namespace('dns'), 'www.example.com'), uuid_v8(uuid_namespace('dns'), 'www.example.com')",
    "SELECT typeid_encode('item', max_uuid()), uuid_inspect(nil_uuid())->>'variant'",
    "SELECT uuid_unseal(uuid_seal(max(id), sha256('key')), sha256('key')) = max(id) FROM item",
];

/// The result of a statement, or the SQLSTATE and the message of its error.
type Answer = Result<String, (String, String)>;

fn answers(client: &mut Client) -> Vec<Answer> {
    let answer = |statement: &&str| match sql::texts(client, statement) {
        Ok(rows) => {
            let columns = rows.iter().flat_map(|row| (0..row.len()).map(|n| row.get(n).unwrap_or("null")));
            Ok(columns.collect::<Vec<_>>().join(" "))
        }
        Err(error) => {
            let error = error.as_db_error().unwrap_or_else(|| panic!("{statement}: {error:?}"));
            Err((error.code().code().to_owned(), error.message().to_owned()))
        }
    };
    let answers = STATEMENTS.iter().map(answer).collect();
    sql::run(client, "ROLLBACK");
    answers
}

/// Panics unless each statement returns the same result as before or fails because the session's library lacks a function.
fn assert_same_or_missing(what: &str, client: &mut Client, before: &[Answer]) {
    let found = answers(client);
    for ((statement, answer), before) in STATEMENTS.iter().zip(&found).zip(before) {
        match answer {
            Ok(_) => assert_eq!(answer, before, "{what}: {statement}"),
            Err((state, message)) => {
                assert!(
                    state == "42883" && message.starts_with("could not find function"),
                    "{what}: {statement}: {answer:?}"
                );
                progress(&format!("{what}: {message}\n        {statement}"));
            }
        }
    }
    let same = found.iter().filter(|answer| answer.is_ok()).count();
    progress(&format!("{what}: {same} of {} statements return the same result", found.len()));
}

fn main() {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let [pg_config, program, rest @ ..] = &arguments[..] else { panic!("usage: old_sessions PG_CONFIG COMMAND...") };
    let installation = Installation::from_pg_config(Path::new(pg_config));
    let servers = ["", "uuidrfc"].map(|preload| {
        let cluster = Cluster::from_initdb(&installation, "old-sessions", &["--locale=C"]);
        cluster.configure(&[("fsync", "off"), ("shared_preload_libraries", preload), ("timezone", "UTC")]);
        cluster.configure(&[("search_path", "\"$user\", public, pg_catalog")]);
        cluster.start();
        let mut old = cluster.connect();
        sql::run(&mut old, &format!("CREATE EXTENSION uuidrfc; {TABLES}"));
        let before = answers(&mut old);
        for (statement, answer) in STATEMENTS.iter().zip(&before) {
            assert!(answer.is_ok(), "{statement}: {answer:?}");
        }
        (cluster, old, before)
    });
    let replaced = Command::new(program).args(rest).status();
    assert!(replaced.as_ref().is_ok_and(|status| status.success()), "{program:?}: {replaced:?}");

    let [(cluster, mut old, before), (preloaded, mut old_preloaded, before_preloaded)] = servers;
    let mut new = cluster.connect();
    let from = sql::installed(&mut new);
    assert_same_or_missing(&format!("{from}, a new session before the update"), &mut new, &before);
    sql::run(&mut new, "ALTER EXTENSION uuidrfc UPDATE");
    let step = format!("{from} to {}", sql::installed(&mut new));
    assert_ne!(from, sql::installed(&mut new), "the command installed no other version");
    assert_same_or_missing(&format!("{step}, a session with the old library"), &mut old, &before);
    assert_eq!(answers(&mut new), before, "{step}, a session with the new library");

    // Even a new session inherits the old library, which the postmaster has preloaded.
    let mut late = preloaded.connect();
    if let Err(error) = late.batch_execute("ALTER EXTENSION uuidrfc UPDATE") {
        assert_eq!(sql::sqlstate_of(&error).as_deref(), Some("42883"), "{error:?}");
        assert_eq!(sql::installed(&mut late), from, "an update that failed");
        progress(&format!("{step}, preloaded: the update before the restart fails and changes nothing"));
    }
    assert_eq!(answers(&mut late), before_preloaded, "{step}, preloaded and not restarted, a new session");
    assert_eq!(answers(&mut old_preloaded), before_preloaded, "{step}, preloaded and not restarted, an open session");
    preloaded.restart();
    let mut restarted = preloaded.connect();
    sql::run(&mut restarted, "ALTER EXTENSION uuidrfc UPDATE");
    assert_eq!(answers(&mut restarted), before_preloaded, "{step}, preloaded, restarted and updated");
    progress(&format!("{step}: the same results in new sessions, and after a restart if the library is preloaded"));
}

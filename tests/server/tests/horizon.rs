//! `uuidv7_horizon()`: a reader with the condition `id < uuidv7_horizon()` reads each committed row exactly once.

use std::path::Path;
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use postgres::Client;
use rfc9562::{Uuid, v7};
use server_tests::feed::{self, Polling};
use server_tests::load::{self, Load};
use server_tests::uuids::{Id, collect};
use server_tests::{Cluster, SERVER_SCOPE, Shutdown, changes, progress, random, sql, wait_until};

const SETTINGS: [(&str, &str); 3] = [SERVER_SCOPE[0], SERVER_SCOPE[1], ("max_prepared_transactions", "20")];

/// Starts a server with the table `outbox`, which sessions read and write.
fn cluster(name: &str) -> Cluster {
    cluster_with(&[], name)
}

fn cluster_with(more_settings: &[(&str, &str)], name: &str) -> Cluster {
    let cluster = Cluster::started(name, &[&SETTINGS, more_settings].concat());
    sql::run(&mut cluster.connect(), "CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT uuidv7(), what text)");
    cluster
}

fn insert(client: &mut Client, what: &str) {
    sql::run(client, &format!("INSERT INTO outbox (what) VALUES ('{what}')"));
}

/// A reader's position in the feed: the key after which it reads.
#[derive(Debug)]
struct Feed {
    cursor: Uuid,
}

impl Feed {
    fn new() -> Feed {
        Feed { cursor: Uuid::NIL }
    }

    /// Reads the rows between the cursor and the horizon, and returns their contents.
    #[track_caller]
    fn next(&mut self, client: &mut Client) -> Vec<String> {
        let query =
            format!("SELECT id, what FROM outbox WHERE id > '{}' AND id < uuidv7_horizon() ORDER BY id", self.cursor);
        let rows = sql::rows(client, &query);
        if let Some(row) = rows.last() {
            self.cursor = row.get::<_, Id>(0).0;
        }
        rows.iter().map(|row| row.get(1)).collect()
    }
}

fn holders(client: &mut Client) -> Vec<(Option<i32>, Option<String>)> {
    let rows = sql::rows(client, "SELECT pid, gid FROM uuidv7_horizon_holders()");
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

const NOTHING: [&str; 0] = [];

/// The number of rows that a reader reads from the beginning of the feed.
const BELOW: &str = "SELECT count(*) FROM outbox WHERE id < uuidv7_horizon()";

#[test]
fn an_open_transaction_delays_what_is_newer_than_its_first_value() {
    let cluster = cluster("horizon-open");
    let (mut other, mut reader) = (cluster.connect(), cluster.connect());
    sql::run(
        &mut other,
        "CREATE TABLE copied (LIKE outbox);
         CREATE FUNCTION also() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN INSERT INTO outbox (what) VALUES ('also ' || NEW.what); RETURN NEW; END $$;
         CREATE TABLE source (what text);
         CREATE TRIGGER also AFTER INSERT ON source FOR EACH ROW EXECUTE FUNCTION also()",
    );
    let mut feed = Feed::new();
    assert_eq!(feed.next(&mut reader), NOTHING);
    insert(&mut other, "before");
    assert_eq!(feed.next(&mut reader), ["before"], "without an open writer, everything is read");

    let one = "INSERT INTO outbox (what) VALUES ('late')";
    let late: &[&str] = &["late"];
    for (held, end, seen) in [
        (one, "COMMIT", late),
        (one, "ROLLBACK", &[]),
        ("SELECT uuidv7()", "COMMIT", &[]),
        ("SELECT uuidv7()", "ROLLBACK", &[]),
        ("SELECT uuidv7_array(2)", "COMMIT", &[]),
        ("SAVEPOINT s; INSERT INTO outbox (what) VALUES ('never'); ROLLBACK TO s", "COMMIT", &[]),
        ("SAVEPOINT s; INSERT INTO outbox (what) VALUES ('late'); RELEASE s", "COMMIT", late),
        ("SELECT uuidv7(); SAVEPOINT s; INSERT INTO outbox (what) VALUES ('never'); ROLLBACK TO s", "ROLLBACK", &[]),
        ("INSERT INTO source VALUES ('that')", "COMMIT", &["also that"]),
        // A slot is also released by an error and by the end of a session.
        ("INSERT INTO outbox (what) VALUES ('never')", "SELECT 1/0", &[]),
        ("INSERT INTO outbox (what) VALUES ('never')", "SELECT pg_terminate_backend(pg_backend_pid())", &[]),
    ] {
        let mut writer = cluster.connect();
        let pid = sql::process(&mut writer);
        insert(&mut other, "first");
        sql::run(&mut writer, &format!("BEGIN; {held}"));
        insert(&mut other, "second");
        assert_eq!(feed.next(&mut reader), ["first"], "{held}");
        assert_eq!(holders(&mut reader), [(Some(pid), None)], "{held}");
        assert_eq!(feed.next(&mut reader), NOTHING, "{held}");
        match end {
            "COMMIT" | "ROLLBACK" => sql::run(&mut writer, end),
            "SELECT 1/0" => {
                assert_eq!(sql::sqlstate(&mut writer, end), "22012");
                sql::run(&mut writer, "ROLLBACK");
            }
            _ => {
                let error = writer.batch_execute(end).expect_err("the session was ended");
                assert!(sql::is_of_ended_session(&error), "{error:?}");
            }
        }
        wait_until("the end is settled", || holders(&mut reader).is_empty());
        assert_eq!(feed.next(&mut reader), [seen, &["second"]].concat(), "{held}, then {end}");
    }

    // No row is delayed by a long query, by a transaction ID, or by UUIDs of other versions, for given times or in scope `backend`.
    let mut idle = cluster.connect();
    for held in [
        "SELECT count(*) FROM outbox",
        "CREATE TABLE of_idle (n int)",
        "SELECT uuidv4(), uuidv6(), uuidv1(), uuidv7_at(now())",
        "SET LOCAL uuidrfc.monotonic_scope = 'backend'; SELECT uuidv7()",
    ] {
        sql::run(&mut idle, &format!("BEGIN ISOLATION LEVEL REPEATABLE READ; {held}"));
        for _ in 0..30 {
            insert(&mut other, "on");
            assert_eq!(feed.next(&mut reader), ["on"], "{held}");
        }
        sql::run(&mut idle, "ROLLBACK");
    }

    // Each transaction in a DO block releases its own UUIDs.
    sql::run(
        &mut other,
        "DO $$ BEGIN FOR n IN 1 .. 3 LOOP INSERT INTO outbox (what) VALUES (n); COMMIT; END LOOP; END $$",
    );
    assert_eq!(feed.next(&mut reader), ["1", "2", "3"]);

    // A transaction does not read its own rows, because it is still open.
    sql::run(&mut reader, "BEGIN; INSERT INTO outbox (what) VALUES ('own')");
    assert_eq!(feed.next(&mut reader), NOTHING);
    sql::run(&mut reader, "COMMIT");
    assert_eq!(feed.next(&mut reader), ["own"]);
}

#[test]
fn a_snapshot_keeps_its_horizon() {
    let cluster = cluster("horizon-snapshot");
    let (mut writer, mut reader) = (cluster.connect(), cluster.connect());
    insert(&mut writer, "before");

    // Transactions that commit after the snapshot are invisible to it, even if a slot's history has discarded most of them.
    for commits in [1, 7, 8, 9, 100, 2000] {
        sql::run(&mut reader, "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT");
        let seen: i64 = sql::value(&mut reader, "SELECT count(*) FROM outbox");
        let insert = format!(
            "DO $$ BEGIN FOR n IN 1 .. {commits} LOOP INSERT INTO outbox VALUES (DEFAULT); COMMIT; END LOOP; END $$"
        );
        sql::run(&mut writer, &insert);
        let newest: Id = sql::value(&mut reader, "SELECT id FROM outbox ORDER BY id DESC LIMIT 1");
        let horizon: Id = sql::value(&mut reader, "SELECT uuidv7_horizon()");
        let first: Id =
            sql::value(&mut writer, &format!("SELECT id FROM outbox WHERE id > '{}' ORDER BY id LIMIT 1", newest.0));
        assert!(horizon.0 <= first.0, "{commits} commits later: {horizon:?}, and {first:?} is not seen");
        // If the history no longer reaches back to the snapshot, the horizon may be earlier than necessary.
        let read: i64 = sql::value(&mut reader, BELOW);
        assert!(
            if commits < 8 { read == seen } else { read <= seen },
            "{commits} commits later: {read} of {seen} rows"
        );
        sql::run(&mut reader, "COMMIT");
        let all: i64 = sql::value(&mut reader, "SELECT count(*) FROM outbox");
        assert_eq!(sql::value::<i64>(&mut reader, BELOW), all);
    }

    // Although other sessions commit in the meantime, all calls in a statement return the same horizon, including calls by
    // functions that use the statement's snapshot. So do all calls by an open cursor.
    sql::run(
        &mut reader,
        "CREATE FUNCTION in_plpgsql() RETURNS uuid LANGUAGE plpgsql STABLE AS 'BEGIN RETURN uuidv7_horizon(); END';
         CREATE FUNCTION in_query() RETURNS uuid LANGUAGE plpgsql STABLE AS
             'DECLARE h uuid; BEGIN SELECT uuidv7_horizon() INTO h FROM pg_class LIMIT 1; RETURN h; END';
         CREATE FUNCTION in_sql(OUT h uuid) RETURNS SETOF uuid LANGUAGE sql STABLE ROWS 1 AS 'SELECT uuidv7_horizon()'",
    );
    let statement =
        "SELECT h FROM (SELECT uuidv7_horizon(), in_plpgsql(), in_query(), (SELECT in_sql()), pg_sleep(0.002), n
        FROM generate_series(1, 200) n) s (a, b, c, d), unnest(ARRAY[a, b, c, d]) h";
    // The writer continues until the reader has finished.
    let (reading, done) = mpsc::channel::<()>();
    let mut writing = cluster.connect();
    let (mut horizons, mut fetched) = thread::scope(|scope| {
        scope.spawn(move || {
            while done.recv_timeout(Duration::from_millis(1)) == Err(mpsc::RecvTimeoutError::Timeout) {
                insert(&mut writing, "meanwhile");
            }
        });
        let _reading = reading;
        let horizons = collect(&mut reader, statement);
        sql::run(&mut reader, &format!("BEGIN; DECLARE c CURSOR FOR {statement}"));
        let mut fetched = Vec::new();
        loop {
            let rows = sql::rows(&mut reader, "FETCH 8 FROM c");
            if rows.is_empty() {
                break;
            }
            fetched.extend(rows.iter().map(|row| row.get::<_, Id>(0).0));
            // This statement has a later snapshot.
            collect(&mut reader, "SELECT uuidv7_horizon()");
        }
        sql::run(&mut reader, "COMMIT");
        (horizons, fetched)
    });
    assert_eq!((horizons.len(), fetched.len()), (800, 800));
    horizons.dedup();
    fetched.dedup();
    assert_eq!(horizons.len(), 1, "horizons of one statement: {horizons:?}");
    assert_eq!(fetched.len(), 1, "horizons of one cursor: {fetched:?}");

    // In a DO block, every execution of a statement has a snapshot of its own, although the plan is reused.
    let mut by_turns = cluster.connect();
    sql::run(&mut by_turns, "CREATE TABLE seen (n int, h uuid)");
    sql::run(
        &mut by_turns,
        "DO $$ DECLARE h uuid; BEGIN
             FOR n IN 1 .. 20 LOOP
                 INSERT INTO outbox (what) VALUES ('turn'); COMMIT;
                 h := uuidv7_horizon();
                 INSERT INTO seen VALUES (n, h);
                 IF NOT EXISTS (SELECT FROM outbox WHERE what = 'turn' HAVING max(id) < h) THEN RAISE 'turn %: %', n, h; END IF;
             END LOOP;
         END $$",
    );
}

/// The horizon is kept in a snapshot field that PostgreSQL does not use in copies (`build.rs` names the versions whose
/// source was checked for that). Each new copy therefore starts without a horizon, even if PostgreSQL reuses its last snapshot
/// because no transaction has ended, and even if the snapshot is old or imported.
#[test]
fn each_copy_of_a_snapshot_begins_without_a_horizon() {
    let cluster = cluster("horizon-copies");
    let (mut writer, mut reader, mut importer) = (cluster.connect(), cluster.connect(), cluster.connect());
    let all_seen = "SELECT count(*) FILTER (WHERE id < uuidv7_horizon()) = count(*) FROM outbox";
    let made = |client: &mut Client| sql::value::<Id>(client, "SELECT uuidv7()").0;
    let horizon = |client: &mut Client| sql::value::<Id>(client, "SELECT uuidv7_horizon()").0;

    sql::run(&mut reader, "BEGIN");
    for _ in 0..20 {
        // Generating a UUID without inserting a row assigns no transaction ID, so PostgreSQL reuses its last snapshot.
        let value = made(&mut writer);
        assert!(value < horizon(&mut reader), "the horizon of an earlier statement");
        insert(&mut writer, "row");
        assert!(sql::value::<bool>(&mut reader, all_seen), "the horizon of an earlier statement");
        assert!(value < horizon(&mut reader), "a horizon before that of an earlier statement");
    }
    sql::run(&mut reader, "COMMIT");

    for isolation in ["REPEATABLE READ", "SERIALIZABLE"] {
        sql::run(&mut reader, &format!("BEGIN ISOLATION LEVEL {isolation}"));
        let first = horizon(&mut reader);
        let exported: String = sql::value(&mut reader, "SELECT pg_export_snapshot()");
        sql::run(&mut reader, "DECLARE c CURSOR FOR SELECT uuidv7_horizon(), id < uuidv7_horizon() FROM outbox");
        sql::run(&mut importer, &format!("BEGIN ISOLATION LEVEL {isolation}; SET TRANSACTION SNAPSHOT '{exported}'"));
        // No row is written in the meantime, so each statement has the same snapshot and a later horizon.
        let value = made(&mut writer);
        for client in [&mut reader, &mut importer] {
            assert!(first < value && value < horizon(client), "{isolation}: the first statement's horizon");
        }
        let opened = sql::rows(&mut reader, "FETCH 2 FROM c");
        let later = made(&mut writer);
        assert!(later < horizon(&mut importer), "{isolation}: an imported snapshot with one horizon");
        for row in opened.iter().chain(&sql::rows(&mut reader, "FETCH ALL FROM c")) {
            assert!(row.get::<_, Id>(0).0 == opened[0].get::<_, Id>(0).0 && row.get(1), "{isolation}: a cursor");
        }
        // A row that neither snapshot sees is below neither horizon.
        insert(&mut writer, "unseen");
        let unseen =
            sql::value::<Id>(&mut writer, "SELECT id FROM outbox WHERE what = 'unseen' ORDER BY id DESC LIMIT 1").0;
        for client in [&mut reader, &mut importer] {
            assert!(horizon(client) <= unseen, "{isolation}: a row that the snapshot does not see");
            sql::run(client, "COMMIT");
        }
    }
}

#[test]
fn a_prepared_transaction_holds_until_it_is_ended() {
    let cluster = cluster("horizon-prepared");
    let (mut writer, mut other, mut reader) = (cluster.connect(), cluster.connect(), cluster.connect());
    let mut feed = Feed::new();
    for end in ["COMMIT", "ROLLBACK"] {
        insert(&mut other, "before");
        sql::run(&mut writer, "BEGIN; INSERT INTO outbox (what) VALUES ('prepared'); PREPARE TRANSACTION 'held'");
        // The first transaction holds nothing back, and the second cannot be prepared.
        sql::run(&mut writer, "BEGIN; CREATE TABLE held (n int); PREPARE TRANSACTION 'holds nothing'");
        sql::run(&mut other, "BEGIN; INSERT INTO outbox (what) VALUES ('failed')");
        assert_eq!(sql::sqlstate(&mut other, "PREPARE TRANSACTION 'held'"), "42710");
        insert(&mut other, "after");
        assert_eq!(holders(&mut reader), [(None, Some("held".to_owned()))]);
        assert_eq!(feed.next(&mut reader), ["before"]);

        // A snapshot taken before the prepared transaction ends does not see the row, even afterwards.
        let mut old = cluster.connect();
        sql::run(&mut old, "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT");
        let unseen: i64 = sql::value(&mut old, BELOW);
        sql::run(&mut other, &format!("{end} PREPARED 'held'"));
        // Later prepared transactions do not change that.
        for _ in 0..30 {
            sql::run(&mut writer, "BEGIN; INSERT INTO outbox (what) VALUES ('no'); PREPARE TRANSACTION 'again'");
            sql::run(&mut other, "ROLLBACK PREPARED 'again'");
        }
        assert_eq!(sql::value::<i64>(&mut old, BELOW), unseen);
        sql::run(&mut old, "COMMIT");

        assert_eq!(holders(&mut reader), []);
        let prepared: &[&str] = if end == "COMMIT" { &["prepared"] } else { &[] };
        assert_eq!(feed.next(&mut reader), [prepared, &["after"]].concat());
        sql::run(&mut other, "ROLLBACK PREPARED 'holds nothing'");
    }
}

/// More transactions are prepared and ended than there are entries, while an open snapshot predates them and the only other open
/// transaction generates no UUID. The ended transactions withhold no rows from new statements.
#[test]
fn prepared_transactions_without_a_place_hold_back_only_old_snapshots() {
    let cluster = cluster("horizon-given-up");
    let (mut writer, mut reader) = (cluster.connect(), cluster.connect());
    let (mut old, mut goes_on) = (cluster.connect(), cluster.connect());
    insert(&mut writer, "before");
    sql::run(&mut goes_on, "BEGIN; SELECT pg_current_xact_id()");
    sql::run(&mut old, "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT");
    let withheld = "SELECT count(*) FROM outbox WHERE id >= uuidv7_horizon()";
    // More transactions than there are entries: for prepared transactions, for backends, and for ended transactions.
    for n in 0..1_200 {
        sql::run(&mut writer, "BEGIN; INSERT INTO outbox DEFAULT VALUES; PREPARE TRANSACTION 'short'");
        let end = if n % 2 == 0 { "COMMIT" } else { "ROLLBACK" };
        sql::run(&mut writer, &format!("{end} PREPARED 'short'"));
        assert_eq!(sql::value::<i64>(&mut reader, withheld), 0, "rows withheld after {n} prepared transactions");
    }
    assert_eq!(holders(&mut reader), []);
    // The old snapshot sees none of these transactions, and none of their rows is below its horizon.
    let horizon: Id = sql::value(&mut old, "SELECT uuidv7_horizon()");
    let unseen: Id = sql::value(&mut reader, "SELECT id FROM outbox WHERE what IS NULL ORDER BY id LIMIT 1");
    assert!(horizon.0 <= unseen.0, "{horizon:?}, and {unseen:?} is not seen");
}

/// After a restart, a server no longer knows the UUIDs of transactions that were already prepared.
#[test]
fn what_was_prepared_before_a_restart_holds_everything() {
    let cluster = cluster("horizon-recovered");
    for (round, crash) in [false, true].into_iter().enumerate() {
        let mut writer = cluster.connect();
        insert(&mut writer, "before");
        sql::run(&mut writer, "BEGIN; INSERT INTO outbox (what) VALUES ('prepared'); PREPARE TRANSACTION 'held'");
        if crash {
            cluster.kill_postmaster();
        } else {
            cluster.stop(Shutdown::Fast);
        }
        cluster.start();
        let (mut writer, mut reader) = (cluster.connect(), cluster.connect());
        let mut feed = Feed::new();
        if round == 0 {
            insert(&mut writer, "after");
        }
        assert_eq!(feed.next(&mut reader), NOTHING);
        assert_eq!(holders(&mut reader), [(None, Some("held".to_owned()))]);
        let since_a_time = "SELECT first_value IS NULL AND since IS NOT NULL FROM uuidv7_horizon_holders()";
        assert!(sql::value::<bool>(&mut reader, since_a_time));
        // The transaction is distinguished from those prepared after the start.
        sql::run(&mut writer, "BEGIN; INSERT INTO outbox (what) VALUES ('new'); PREPARE TRANSACTION 'new'");
        assert_eq!(holders(&mut reader).len(), 2);
        assert_eq!(feed.next(&mut reader), NOTHING);
        sql::run(&mut writer, "COMMIT PREPARED 'held'");
        let rows = feed.next(&mut reader);
        assert_eq!(rows.iter().filter(|what| *what == "prepared").count(), round + 1, "{rows:?}");
        assert!(!rows.contains(&"new".to_owned()), "{rows:?}");
        sql::run(&mut writer, "ROLLBACK PREPARED 'new'");
        assert_eq!(feed.next(&mut reader), NOTHING);
        assert_eq!(holders(&mut reader), []);
        // If no transaction was prepared before the start, a reader reads all rows.
        cluster.stop(Shutdown::Immediate);
        cluster.start();
        let mut reader = cluster.connect();
        // A transaction that holds nothing back, prepared before the first UUID, is not mistaken for one found at the start.
        sql::run(&mut reader, "BEGIN; CREATE TABLE held (n int); PREPARE TRANSACTION 'holds nothing'");
        let mut writer = cluster.connect();
        insert(&mut writer, "after");
        let all: i64 = sql::value(&mut reader, "SELECT count(*) FROM outbox");
        assert_eq!(i64::try_from(Feed::new().next(&mut reader).len()), Ok(all));
        assert_eq!(holders(&mut reader), []);
        sql::run(&mut reader, "ROLLBACK PREPARED 'holds nothing'");
    }
}

/// With `synchronous_commit = off`, a crash can undo commits whose rows were already read. A synchronous commit by the reader
/// before it processes the rows prevents the loss, and so does a mark. No new key is less than one read before the crash.
#[test]
fn a_crash_takes_back_what_was_read_before_it_was_on_disk() {
    // During a round, only synchronous commits flush the WAL.
    let cluster = cluster_with(&[("synchronous_commit", "off"), ("wal_writer_delay", "10s")], "horizon-async");
    let mut client = cluster.connect();
    sql::run(
        &mut client,
        "CREATE TABLE consumer (last uuid); CREATE TABLE marks (node text PRIMARY KEY, horizon uuid)",
    );
    sql::run(&mut client, "CHECKPOINT");
    let mut feed = Feed::new();
    let mut lost = 0;
    for round in 0..6 {
        let (mut writer, mut reader) = (cluster.connect(), cluster.connect());
        let what = round.to_string();
        insert(&mut writer, &what);
        let before = feed.cursor;
        assert_eq!(feed.next(&mut reader), [what.as_str()], "the keys do not ascend through crashes");
        assert!(before < feed.cursor);
        let is_kept = round % 3 > 0;
        match round % 3 {
            1 => sql::run(
                &mut reader,
                &format!("SET synchronous_commit = on; INSERT INTO consumer VALUES ('{}')", feed.cursor),
            ),
            2 => {
                let mark = changes::set_mark("here", "uuidv7_mark()") + " RETURNING horizon";
                assert!(feed.cursor < sql::value::<Id>(&mut reader, &mark).0);
            }
            _ => {}
        }
        cluster.kill_postmaster();
        cluster.start();
        let is_there: bool = sql::value(
            &mut cluster.connect(),
            &format!("SELECT EXISTS (SELECT FROM outbox WHERE id = '{}')", feed.cursor),
        );
        assert!(is_there || !is_kept, "round {round}: a row is lost although a later commit was on disk");
        lost += i32::from(!is_there);
    }
    progress(&format!("{lost} of 6 rows were lost in a crash"));
    assert!(lost > 0, "with synchronous_commit = off nothing was lost");
}

/// UUIDs that parallel workers generate belong to their leader's transaction, even if the leader generates none.
#[test]
fn values_of_parallel_workers_are_their_leaders() {
    let cluster = cluster("horizon-parallel");
    let (mut other, mut leader, mut reader) = (cluster.connect(), cluster.connect(), cluster.connect());
    sql::run(
        &mut other,
        "CREATE TABLE many WITH (parallel_workers = 2) AS SELECT n FROM generate_series(1, 20000) n;
         CREATE FUNCTION made() RETURNS uuid LANGUAGE plpgsql VOLATILE PARALLEL SAFE AS 'BEGIN RETURN uuidv7(); END';
         ANALYZE many",
    );
    sql::run(
        &mut leader,
        "SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0;
         SET parallel_leader_participation = off",
    );
    let mut feed = Feed::new();
    let pid = sql::process(&mut leader);
    for end in ["COMMIT", "ROLLBACK"] {
        insert(&mut other, "before");
        // The leader inserts a worker's UUID after the workers have ended.
        sql::run(&mut leader, "BEGIN");
        let made: Id = sql::value(
            &mut leader,
            "SELECT min(id::text)::uuid FROM (SELECT made() AS id FROM many WHERE n < 1000 OFFSET 0) s",
        );
        let plan = sql::rows(&mut leader, "EXPLAIN SELECT made() AS id FROM many WHERE n < 1000");
        assert!(plan.iter().any(|row| row.get::<_, &str>(0).contains("Gather")), "{plan:?}");
        insert(&mut other, "after");
        assert_eq!(holders(&mut reader), [(Some(pid), None)]);
        assert_eq!(feed.next(&mut reader), ["before"]);
        sql::run(&mut leader, &format!("INSERT INTO outbox VALUES ('{}', 'of a worker')", made.0));
        assert_eq!(feed.next(&mut reader), NOTHING);
        sql::run(&mut leader, end);
        let late: &[&str] = if end == "COMMIT" { &["of a worker"] } else { &[] };
        assert_eq!(feed.next(&mut reader), [late, &["after"]].concat());
    }
}

#[test]
fn what_it_does_not_cover_is_an_error() {
    let primary = cluster("horizon-primary");
    let mut on_primary = primary.connect();
    let refused = |client: &mut Client, statement: &str, state: &str, hint: &str| {
        let error = sql::error(client, statement);
        assert_eq!(error.code().code(), state, "{error:?}");
        assert!(error.hint().unwrap_or_default().contains(hint), "{error:?}");
    };
    let ask = "SELECT uuidv7_horizon()";
    let touched = "CREATE TABLE touched (changed uuid);
        CREATE TRIGGER touch BEFORE INSERT ON touched FOR EACH ROW EXECUTE FUNCTION uuidv7_touch('changed')";
    let touch = "INSERT INTO touched DEFAULT VALUES";
    sql::run(&mut on_primary, touched);
    sql::run(&mut on_primary, "SET uuidrfc.monotonic_scope = 'backend'");
    for statement in [ask, touch, "SELECT uuidv7_mark()"] {
        refused(&mut on_primary, statement, "55000", "ALTER DATABASE");
    }
    sql::run(&mut on_primary, "RESET uuidrfc.monotonic_scope");
    sql::run(&mut on_primary, touch);
    collect(&mut on_primary, ask);
    // A Citus worker recognizes statements from another node by this name.
    sql::run(&mut on_primary, "SET application_name = 'citus_internal gpid=10000000001'");
    refused(&mut on_primary, ask, "0A000", "(SELECT uuidv7_horizon())");
    sql::run(&mut on_primary, "RESET application_name");

    let standby = primary.standby("horizon-standby");
    standby.start();
    let mut on_standby = standby.connect();
    refused(&mut on_standby, ask, "0A000", "primary");
    refused(&mut on_standby, "SELECT uuidv7_horizon_holders()", "0A000", "primary");
    // Only snapshots taken after the promotion have a horizon. Transactions prepared on the old primary hold it back.
    insert(&mut on_primary, "of the primary");
    sql::run(&mut on_primary, "BEGIN; INSERT INTO outbox (what) VALUES ('prepared'); PREPARE TRANSACTION 'held'");
    primary.wait_for_standbys();
    sql::run(&mut on_standby, "BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT uuidv7()");
    standby.promote();
    assert_eq!(sql::sqlstate(&mut on_standby, ask), "0A000");
    sql::run(&mut on_standby, "ROLLBACK");
    assert_eq!(Feed::new().next(&mut on_standby), NOTHING);
    assert_eq!(holders(&mut on_standby), [(None, Some("held".to_owned()))]);
    sql::run(&mut on_standby, "COMMIT PREPARED 'held'");
    assert_eq!(Feed::new().next(&mut on_standby), ["of the primary", "prepared"]);

    // If the server does not allow prepared transactions, PostgreSQL itself raises an error.
    let without = Cluster::started("horizon-without", &SETTINGS[..2]);
    let statement =
        "BEGIN; CREATE TABLE t (id uuid DEFAULT uuidv7()); INSERT INTO t DEFAULT VALUES; PREPARE TRANSACTION 'no'";
    refused(&mut without.connect(), statement, "55000", "max_prepared_transactions");

    let late = Cluster::started("horizon-late", &[("uuidrfc.monotonic_scope", "server")]);
    refused(&mut late.connect(), ask, "55000", "shared_preload_libraries");
    refused(&mut late.connect(), "SELECT uuidv7_horizon_holders()", "55000", "shared_preload_libraries");
    // A server without a horizon does not need the order, so the trigger accepts sessions in scope `backend`.
    let mut in_backend = late.connect();
    sql::run(&mut in_backend, "LOAD 'uuidrfc'; SET uuidrfc.monotonic_scope = 'backend'");
    sql::run(&mut in_backend, touched);
    sql::run(&mut in_backend, touch);
}

/// Both kinds of mark stay below the UUIDs of an open transaction, even if the mark is set in a transaction that remains open.
#[test]
fn a_mark_is_not_behind_what_is_open() {
    let cluster = cluster("horizon-marks");
    let (mut other, mut writer, mut marker) = (cluster.connect(), cluster.connect(), cluster.connect());
    sql::run(&mut other, "CREATE TABLE marks (node text PRIMARY KEY, horizon uuid NOT NULL)");
    for mark in ["uuidv7_mark()", changes::BY_ACTIVITY] {
        let mark = &changes::set_mark("main", mark);
        let mut read = || -> Vec<String> {
            let below = "SELECT what FROM outbox WHERE id < (SELECT uuidv7_horizon('outbox', 'marks', 'main'))";
            sql::column(&mut marker, &format!("{below} ORDER BY id"))
        };
        sql::run(&mut other, "TRUNCATE outbox");
        insert(&mut other, "before");
        // A mark derived from activity has millisecond precision.
        let pause = || thread::sleep(Duration::from_millis(2));
        pause();
        sql::run(&mut writer, "BEGIN; INSERT INTO outbox (what) VALUES ('late')");
        insert(&mut other, "after");
        let mut marking = cluster.connect();
        sql::run(&mut marking, mark);
        assert_eq!(read(), ["before"], "{mark}");
        sql::run(&mut marking, &format!("BEGIN; {mark}"));
        sql::run(&mut writer, "COMMIT");
        pause();
        sql::run(&mut marking, &format!("{mark}; COMMIT"));
        assert_eq!(read(), ["before", "late", "after"], "{mark}");
        // The mark advances even without writers.
        let marked = |client: &mut Client| sql::value::<Id>(client, &format!("{mark} RETURNING horizon")).0;
        let first = marked(&mut marking);
        pause();
        assert!(first < marked(&mut marking), "{mark} does not advance on an idle server");
    }
    sql::run(&mut writer, "BEGIN; INSERT INTO outbox (what) VALUES ('prepared'); PREPARE TRANSACTION 'held'");
    assert_eq!(sql::sqlstate(&mut other, "SELECT uuidv7_mark_by_activity(NULL)"), "55000");
    sql::run(&mut writer, "ROLLBACK PREPARED 'held'");
    sql::run(&mut writer, "SELECT uuidv7_mark_by_activity(NULL)");
}

/// Every role may see which transactions hold back the feed, but their start times only if `pg_stat_activity` shows these.
#[test]
fn holders_tell_what_pg_stat_activity_does() {
    let cluster = cluster("horizon-holders");
    let mut admin = cluster.connect();
    sql::run(
        &mut admin,
        "CREATE ROLE writer LOGIN; CREATE ROLE plain LOGIN; CREATE ROLE stats LOGIN; GRANT pg_read_all_stats TO stats;
        GRANT ALL ON outbox TO writer",
    );
    insert(&mut admin, "the first of all, which begins at no time");
    let mut writer = cluster.connect_as("writer", "postgres");
    sql::run(&mut writer, "BEGIN");
    let value: Id = sql::value(&mut writer, "INSERT INTO outbox DEFAULT VALUES RETURNING id");
    let pid = sql::process(&mut writer);
    for (user, is_told) in [("writer", true), ("stats", true), ("postgres", true), ("plain", false)] {
        let mut client = cluster.connect_as(user, "postgres");
        let row = sql::row(
            &mut client,
            "SELECT pid, gid, since IS NOT NULL AND since = xact_start, first_value
            FROM uuidv7_horizon_holders() JOIN pg_stat_activity USING (pid)",
        );
        assert_eq!(row.get::<_, i32>(0), pid, "{user}");
        assert_eq!(row.get::<_, Option<String>>(1), None, "{user}");
        assert_eq!(row.get::<_, Option<bool>>(2), Some(is_told), "{user}");
        let first: Id = row.get(3);
        assert!(first.0 <= value.0 && v7::tick(first.0) > 0, "{user}: {first:?}, {value:?}");
        let horizon: Id = sql::value(&mut client, "SELECT uuidv7_horizon()");
        assert_eq!(horizon, first, "{user}");
    }
}

/// Sixteen sessions write in various ways, while backends and the postmaster are killed. Readers with the horizon get each row
/// exactly once; the naive reader does not. Logical decoding confirms which rows were committed.
#[test]
fn who_follows_by_the_horizon_gets_each_committed_row_once() {
    let cluster = Cluster::started("horizon-feed", &feed::SETTINGS);
    let mut client = cluster.connect();
    sql::run(&mut client, "SELECT pg_create_logical_replication_slot('oracle', 'test_decoding')");
    let load = Load { writers: 16, pause: 30, seed: random::first_seed() };
    let pollings = [Polling::Naive, Polling::Horizon, Polling::OneSnapshot, Polling::Cursor];
    let start = Instant::now();
    let wait_for_rows = |rows| {
        while sql::value::<i64>(&mut cluster.connect(), "SELECT count(*) FROM outbox") < rows {
            thread::sleep(Duration::from_millis(500));
        }
    };
    let outcome = feed::run(&cluster, load, 1_000, &pollings, || {
        for rows in [150_000, 300_000] {
            wait_for_rows(rows);
            load::crash(&cluster, random::seconds(10) / 2);
        }
        wait_for_rows(500_000);
    });
    progress(&format!("written and read in {:.1?}, seed {}", start.elapsed(), load.seed));
    for follower in &outcome.followers {
        progress(&format!("{} rows, {follower:?}", outcome.rows));
        let is_right = (follower.lost, follower.twice, follower.never) == (0, 0, 0);
        assert_eq!(is_right, follower.polling != Polling::Naive, "{follower:?}, seed {}", load.seed);
    }
    let decoded = "WITH decoded AS MATERIALIZED (
            SELECT split_part(data, '''', 2)::uuid AS id FROM pg_logical_slot_get_changes('oracle', NULL, NULL)
            WHERE data LIKE 'table public.outbox\\__: INSERT: id%'
        ) SELECT count(*) FROM decoded FULL JOIN outbox USING (id) WHERE decoded.id IS NULL OR outbox.id IS NULL";
    let mut client = cluster.connect();
    sql::run(
        &mut client,
        "SET work_mem = '400MB'; SET logical_decoding_work_mem = '400MB'; SET enable_mergejoin = off",
    );
    assert_eq!(sql::value::<i64>(&mut client, decoded), 0, "rows only in the table, or only decoded from the log");
}

/// Runs the examples on the pages about feeds as printed.
#[test]
fn the_examples_of_the_documentation_work() {
    let cluster = Cluster::started("horizon-docs", &SETTINGS);
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut check = Command::new(top.join("scripts/check-docs.py"));
    let output = cluster.name_to(check.args(["docs/feeds.md", "docs/feed-consumers.md"])).output();
    let output = output.expect("scripts/check-docs runs");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    progress(said.trim());
    assert!(output.status.success(), "{said}");
}

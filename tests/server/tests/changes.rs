//! Feeds of changes: copies that readers maintain with `changed < horizon` are correct in the end, on the server itself, on a
//! standby that is promoted, and on a hub of several servers. Copies maintained with `changed > last` alone are not.
//!
//! The tests take a minute and a half by default; `UUIDRFC_DIFFERENTIAL_SECONDS` sets the time of each.

use std::path::Path;
use std::thread::sleep;

use server_tests::changes::{self, Consumer, MARKED, Writable};
use server_tests::feed::SETTINGS;
use server_tests::load::{Address, Load, crash};
use server_tests::{Cluster, Shutdown, progress, random, sql, wait_until};

/// Runs writers and readers, and checks that only the copies of naive readers are stale.
fn judge(servers: &[Writable<'_>], consumers: &[Consumer<'_>], events: impl FnOnce()) {
    let load = Load { writers: 8, pause: 20, seed: random::first_seed() };
    let (rows, copies) = changes::run(load, servers, consumers, events);
    for (copy, consumer) in copies.iter().zip(consumers) {
        progress(&format!("{rows} rows, {copy:?}, seed {}", load.seed));
        assert_eq!(copy.stale > 0, consumer.below.is_none(), "{copy:?}, seed {}", load.seed);
    }
}

/// Replication is synchronous, so that the promotion loses no commit.
#[test]
fn copies_on_a_server_and_on_its_standby_are_right_through_a_promotion() {
    let primary = Cluster::started("changes-primary", &SETTINGS);
    sql::run(&mut primary.connect(), changes::TABLES);
    let standby = primary.standby("changes-standby");
    standby.start();
    let confirmed = "ALTER SYSTEM SET synchronous_standby_names = '*'";
    sql::run(&mut primary.connect(), confirmed);
    sql::run(&mut primary.connect(), "SELECT pg_reload_conf()");
    let (writable, follower) = (Address::new(primary.config()), Address::new(standby.config()));
    let server = Writable { node: "main", address: &writable, mark: "uuidv7_mark()" };
    let consumers = [
        Consumer { name: "naive", address: &writable, below: None },
        Consumer { name: "horizon", address: &writable, below: Some("uuidv7_horizon()") },
        Consumer { name: "mark", address: &writable, below: MARKED },
        Consumer { name: "naive on the standby", address: &follower, below: None },
        Consumer { name: "mark on the standby", address: &follower, below: MARKED },
    ];
    let time = random::seconds(30);
    judge(&[server], &consumers, || {
        crash(&primary, time / 2);
        sleep(time / 4);
        let streams = "SELECT coalesce(bool_or(sync_state = 'sync' AND replay_lsn >= pg_current_wal_lsn() - 65536), false) FROM pg_stat_replication";
        wait_until("the standby follows again", || sql::value(&mut primary.connect(), streams));
        primary.kill_postmaster();
        standby.promote();
        writable.change(standby.config());
        sleep(time / 4);
    });
}

/// A hub has the rows of two servers, including those written before its subscriptions were created.
#[test]
fn copies_on_a_hub_of_two_servers_are_right() {
    let servers: Vec<Cluster> =
        ["a", "b"].iter().map(|node| Cluster::started(&format!("changes-{node}"), &SETTINGS)).collect();
    let hub = Cluster::started("changes-hub", &SETTINGS);
    let addresses: Vec<Address> = servers.iter().map(|server| Address::new(server.config())).collect();
    for client in &mut [servers[0].connect(), servers[1].connect(), hub.connect()] {
        sql::run(client, changes::TABLES);
    }
    let of_hub = Address::new(hub.config());
    let writable: Vec<Writable<'_>> = ["a", "b"]
        .iter()
        .zip(&addresses)
        .map(|(node, address)| Writable { node, address, mark: "uuidv7_mark()" })
        .collect();
    let consumers = [
        Consumer { name: "naive on the hub", address: &of_hub, below: None },
        Consumer {
            name: "marks on the hub",
            address: &of_hub,
            below: Some("(SELECT uuidv7_horizon('doc', 'marks', 'a', 'b'))"),
        },
    ];
    let time = random::seconds(30);
    judge(&writable, &consumers, || {
        sleep(time / 4);
        for (server, node) in servers.iter().zip(["a", "b"]) {
            let publication =
                format!("CREATE PUBLICATION feed_{node} FOR TABLE doc, doc_deleted, marks WHERE (node = '{node}')");
            sql::run(&mut server.connect(), &publication);
            let connection = server.connection_string();
            sql::run(
                &mut hub.connect(),
                &format!("CREATE SUBSCRIPTION from_{node} CONNECTION '{connection}' PUBLICATION feed_{node}"),
            );
        }
        sleep(time / 4);
        crash(&servers[0], time / 8);
        crash(&hub, time / 8);
        servers[1].stop(Shutdown::Immediate);
        servers[1].start();
        sleep(time / 4);
    });
}

/// Marks that are replicated separately from the table can arrive before the rows below them.
#[test]
fn a_subscription_of_the_table_without_marks_is_refused() {
    let [server, hub] = ["changes-publisher", "changes-subscriber"].map(|name| Cluster::started(name, &SETTINGS));
    let (mut on_server, mut on_hub) = (server.connect(), hub.connect());
    let tables = "CREATE TABLE part (id uuid, n int) PARTITION BY LIST (n); CREATE TABLE part_1 PARTITION OF part FOR VALUES IN (1);
        CREATE TABLE local (id uuid); CREATE TABLE marks (node text PRIMARY KEY, horizon uuid NOT NULL)";
    sql::run(&mut on_server, tables);
    sql::run(&mut on_hub, tables);
    sql::run(&mut on_server, "CREATE PUBLICATION rows FOR TABLE part_1; CREATE PUBLICATION marks FOR TABLE marks");
    let connection = server.connection_string();
    sql::run(&mut on_hub, &format!("CREATE SUBSCRIPTION rows CONNECTION '{connection}' PUBLICATION rows"));
    sql::run(&mut on_hub, &format!("CREATE SUBSCRIPTION marks CONNECTION '{connection}' PUBLICATION marks"));
    sql::run(&mut on_server, "INSERT INTO marks VALUES ('a', uuidv7_mark())");
    let ready = "SELECT bool_and(srsubstate = 'r') AND EXISTS (SELECT FROM marks) FROM pg_subscription_rel";
    wait_until("the tables are copied", || sql::value(&mut on_hub, ready));
    for table in ["part", "part_1"] {
        let error = sql::error(&mut on_hub, &format!("SELECT uuidv7_horizon('{table}', 'marks', 'a')"));
        assert_eq!(error.code().code(), "55000", "{table}: {error:?}");
        assert!(error.detail().unwrap_or_default().contains("but not marks"), "{table}: {error:?}");
    }
    sql::run(&mut on_hub, "SELECT uuidv7_horizon('local', 'marks', 'a')");
    sql::run(&mut on_server, "ALTER PUBLICATION rows ADD TABLE marks");
    for statement in ["DROP SUBSCRIPTION marks", "TRUNCATE marks", "ALTER SUBSCRIPTION rows REFRESH PUBLICATION"] {
        sql::run(&mut on_hub, statement);
    }
    wait_until("the marks are copied", || sql::value(&mut on_hub, ready));
    sql::run(&mut on_hub, "SELECT uuidv7_horizon('part', 'marks', 'a')");
}

/// If the library is not preloaded, marks are derived from `pg_stat_activity`, by the extension and by the pure-SQL edition.
#[test]
fn copies_by_marks_of_activity_are_right_in_both_editions() {
    for edition in ["the extension", "the pure-SQL edition"] {
        let cluster = Cluster::new("changes-activity", &SETTINGS[2..]);
        cluster.start();
        if edition == "the extension" {
            sql::run(&mut cluster.connect(), "CREATE EXTENSION uuidrfc");
        } else {
            let script =
                std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../portable/uuidrfc.sql"));
            sql::run(
                &mut cluster.connect(),
                &format!("BEGIN; SET search_path = public; {}; COMMIT", script.expect("the script is there")),
            );
        }
        sql::run(&mut cluster.connect(), changes::TABLES);
        let standby = cluster.standby("changes-activity-standby");
        standby.start();
        let (writable, follower) = (Address::new(cluster.config()), Address::new(standby.config()));
        let server = Writable { node: "main", address: &writable, mark: changes::BY_ACTIVITY };
        let names =
            [format!("naive, {edition}"), format!("mark, {edition}"), format!("mark on the standby, {edition}")];
        let consumers = [
            Consumer { name: &names[0], address: &writable, below: None },
            Consumer { name: &names[1], address: &writable, below: MARKED },
            Consumer { name: &names[2], address: &follower, below: MARKED },
        ];
        let time = random::seconds(20) / 2;
        judge(&[server], &consumers, || {
            crash(&cluster, time / 2);
            sleep(time / 2);
        });
    }
}

//! Tests the extension on Citus, with a coordinator and two workers that have different node IDs. Run by `make citus-test`.
//!
//! Verifies what docs/many-servers.md says about the nodes that generate keys, the order of keys, the use of the workers'
//! indexes, the chunks that a columnar table skips, and the rows that feeds read.

use std::collections::{BTreeMap, HashSet};
use std::thread::sleep;
use std::time::Duration;

use postgres::Client;
use rfc9562::Uuid;
use server_tests::load::{Address, Load, Phase, Sessions};
use server_tests::random::Random;
use server_tests::uuids::{assert_distinct, collect};
use server_tests::{Cluster, progress, random, sql};

const ROWS: i64 = 20_000;

/// Distributed tables with shards on both workers; rows of the same customer are on the same worker.
const TABLES: &str = "
    SET citus.shard_count = 8;
    CREATE TABLE source (customer int, id uuid DEFAULT uuidv7(), n int, PRIMARY KEY (customer, id));
    CREATE TABLE target (LIKE source INCLUDING ALL);
    CREATE INDEX ON target (id);
    SELECT create_distributed_table('source', 'customer'), create_distributed_table('target', 'customer', colocate_with => 'source')";

fn main() {
    let clusters: Vec<Cluster> = (0..3).map(server).collect();
    for cluster in &clusters {
        sql::run(&mut cluster.connect(), "CREATE EXTENSION citus");
    }
    let mut client = clusters[0].connect();
    sql::run(&mut client, &format!("SELECT citus_set_coordinator_host('127.0.0.1', {})", clusters[0].port()));
    for worker in &clusters[1..] {
        sql::run(&mut client, &format!("SELECT citus_add_node('127.0.0.1', {})", worker.port()));
    }
    sql::run(&mut client, "CREATE EXTENSION uuidrfc");
    for worker in &clusters[1..] {
        let has_it = "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'uuidrfc')";
        assert!(sql::value::<bool>(&mut worker.connect(), has_it), "CREATE EXTENSION reaches a worker");
    }
    sql::run(&mut client, TABLES);

    keys_tell_who_made_them(&mut client);
    order_needs_a_limit(&mut client);
    plans_of_the_workers(&mut client);
    columnar(&mut client);
    feeds(&clusters[0]);
    println!("citus: all passed");
}

/// Starts the server of a node; node 0 is the coordinator.
fn server(node: usize) -> Cluster {
    let cluster = Cluster::new(
        &format!("citus{node}"),
        &[
            ("shared_preload_libraries", "citus,uuidrfc"),
            ("listen_addresses", "127.0.0.1"),
            ("citus.node_conninfo", "sslmode=prefer"),
            ("TimeZone", "UTC"),
            ("uuidrfc.node_id", &node.to_string()),
            ("uuidrfc.monotonic_scope", "server"),
            ("max_connections", "200"),
        ],
    );
    cluster.start();
    cluster
}

/// Returns the number of keys in the table `target` that each node generated.
fn made_by(client: &mut Client) -> BTreeMap<i32, i64> {
    let rows = sql::rows(client, "SELECT uuid_extract_node_id(id), count(*) FROM target GROUP BY 1");
    rows.iter().map(|row| (row.get(0), row.get(1))).collect()
}

fn keys_tell_who_made_them(client: &mut Client) {
    sql::run(client, &format!("INSERT INTO source (customer, n) SELECT n % 100, n FROM generate_series(1, {ROWS}) n"));
    let elsewhere = "SELECT count(*) FROM source WHERE uuid_extract_node_id(id) <> 0";
    assert_eq!(sql::value::<i64>(client, elsewhere), 0, "the coordinator makes keys of rows it reads itself");
    // The first statement keeps the customer of each row, and the second changes it.
    sql::run(client, "INSERT INTO target (customer, n) SELECT customer, n FROM source");
    sql::run(client, "INSERT INTO target (customer, n) SELECT customer + 1, n FROM source");
    let made = made_by(client);
    assert_eq!(
        made.keys().copied().collect::<Vec<_>>(),
        [1, 2],
        "workers generate the keys of INSERT ... SELECT: {made:?}"
    );
    assert_eq!(made.values().sum::<i64>(), 2 * ROWS);
    sql::run(client, "INSERT INTO target (customer, n) VALUES (1, 1)");
    assert_eq!(made_by(client).get(&0), Some(&1), "the coordinator generates the key of a row that it sends");
    assert_distinct("three servers", collect(client, "SELECT id FROM target UNION ALL SELECT id FROM source"));
    progress(&format!("INSERT ... SELECT: number of keys by node {made:?}, no key twice"));
}

fn order_needs_a_limit(client: &mut Client) {
    sql::run(client, "CREATE TABLE numbered (id uuid, n int)");
    let mut out_of_order = |rows: &str| {
        sql::run(client, "TRUNCATE numbered");
        sql::run(client, &format!("INSERT INTO numbered SELECT uuidv7(), n FROM {rows}"));
        sql::value::<i64>(
            client,
            "SELECT count(*) FILTER (WHERE id < before) FROM (SELECT id, lag(id) OVER (ORDER BY n) AS before FROM numbered) s",
        )
    };
    let without = out_of_order("source ORDER BY n");
    let with = out_of_order("(SELECT n FROM source ORDER BY n LIMIT 1000000) sorted");
    assert!(without > ROWS / 10, "{without} keys out of order without a LIMIT");
    assert_eq!(with, 0, "keys out of order with a LIMIT");
    progress(&format!("INSERT ... SELECT ... ORDER BY: {without} of {ROWS} keys out of order, none with a LIMIT"));
}

fn plans_of_the_workers(client: &mut Client) {
    sql::run(client, "ANALYZE target");
    for (query, expected) in [
        ("SELECT n FROM target WHERE id >= now() + interval '1 hour'", "Index Cond: (id >= (now() + "),
        ("SELECT n FROM target WHERE uuidv7_time(id) >= now() + interval '1 hour'", "Index Cond: (id >= (now() + "),
        ("SELECT id FROM target ORDER BY id DESC LIMIT 1", "Index Only Scan Backward"),
        ("SELECT max(uuidv7_time(id)) FROM target", "Index Only Scan Backward"),
        // Citus computes max() by partial aggregates, for which PostgreSQL does not use the order of an index.
        ("SELECT max(id) FROM target", "Seq Scan"),
    ] {
        let found = sql::lines(client, &format!("EXPLAIN (COSTS OFF) {query}"));
        assert!(found.contains(expected), "{query}\n{found}");
        progress(&format!("{query}: {}", expected.trim_end_matches(" (now() + ")));
    }
    let same = "SELECT (SELECT max(id) FROM target) = (SELECT id FROM target ORDER BY id DESC LIMIT 1)";
    assert!(sql::value::<bool>(client, same));
}

fn columnar(client: &mut Client) {
    sql::run(
        client,
        "CREATE EXTENSION IF NOT EXISTS citus_columnar;
         CREATE TABLE reading (id uuid, n int) USING columnar;
         INSERT INTO reading SELECT uuidv7_at(timestamptz '2026-01-01' + n * interval '1 second'), n FROM generate_series(0, 499999) n",
    );
    let mut removed = |condition: &str| {
        let explain =
            format!("(ANALYZE, COSTS OFF, TIMING OFF, SUMMARY OFF) SELECT count(n) FROM reading WHERE {condition}");
        let plan = sql::lines(client, &format!("EXPLAIN {explain}"));
        let removed =
            plan.lines().find_map(|line| line.trim().strip_prefix("Columnar Chunk Groups Removed by Filter: "));
        removed.unwrap_or_else(|| panic!("{condition}\n{plan}")).parse::<u32>().expect("a number")
    };
    let by_uuid = removed("id >= uuidv7_floor('2026-01-06 12:00')");
    assert!(by_uuid > 10, "{by_uuid} chunk groups");
    for condition in [
        "id >= timestamptz '2026-01-06 12:00'",
        "id <@ tstzrange('2026-01-06 12:00', NULL)",
        "uuidv7_time(id) >= '2026-01-06 12:00'",
    ] {
        assert_eq!(removed(condition), by_uuid, "chunk groups skipped by {condition}");
    }
    progress(&format!("columnar: {by_uuid} chunk groups skipped by conditions with times and with UUIDs"));
}

/// How a reader obtains the upper bound of the keys that it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum UpperBound {
    None,
    Subselect,
    AllServers,
}

/// Checks that only naive readers of a feed lose rows. The extension's library is preloaded after that of Citus, so that the
/// extension's callback at the end of a transaction is called first.
fn feeds(coordinator: &Cluster) {
    let mut client = coordinator.connect();
    sql::run(
        &mut client,
        "CREATE TABLE event (customer int, id uuid DEFAULT uuidv7(), n int, PRIMARY KEY (customer, id));
         CREATE INDEX ON event (id);
         SELECT create_distributed_table('event', 'customer', colocate_with => 'source')",
    );
    let page = include_str!("../../../docs/many-servers.md");
    let feed_horizon = page.split("```").find(|block| block.starts_with("sql\nCREATE FUNCTION feed_horizon()"));
    sql::run(&mut client, feed_horizon.expect("the page shows the function").trim_start_matches("sql\n"));
    assert_eq!(sql::sqlstate(&mut client, "SELECT id FROM event WHERE id < uuidv7_horizon()"), "0A000");
    let by_coordinator = feed(coordinator, false, &[UpperBound::None, UpperBound::Subselect, UpperBound::AllServers]);
    let by_workers = feed(coordinator, true, &[UpperBound::None, UpperBound::AllServers]);
    for (bound, lost) in by_coordinator.into_iter().chain(by_workers) {
        assert_eq!(lost > 0, bound == UpperBound::None, "{bound:?}: {lost} rows lost");
    }
}

fn feed(coordinator: &Cluster, with_workers: bool, bounds: &[UpperBound]) -> Vec<(UpperBound, usize)> {
    sql::run(&mut coordinator.connect(), "TRUNCATE event");
    let load = Load { writers: 8, pause: 20, seed: random::first_seed() };
    // Inserts into several shards can deadlock.
    let (address, sessions) = (&Address::new(coordinator.config()), &Sessions::new(load, |state| state == "40P01"));
    let transaction = |random: &mut Random| {
        let mut statements = vec!["BEGIN".to_owned()];
        for _ in 0..random.between(1, 3) {
            let customer = random.between(0, 99);
            let rows = match random.below(if with_workers { 4 } else { 2 }) {
                0 => format!("VALUES ({customer}, 1), ({}, 2)", 99 - customer),
                1 => format!("VALUES ({customer}, 3)"),
                2 => format!("SELECT customer, n FROM source WHERE n < {customer}"),
                _ => format!("SELECT customer + 1, n FROM source WHERE n < {customer}"),
            };
            statements.push(format!("INSERT INTO event (customer, n) {rows}"));
        }
        statements.push(if random.percent(15) { "ROLLBACK" } else { "COMMIT" }.to_owned());
        (statements, ())
    };
    let read = |bound: UpperBound| {
        let (mut got, mut last) = (HashSet::new(), Uuid::NIL);
        sessions.poll(address, Phase::AllIsSettled, |client| {
            sleep(Duration::from_millis(5));
            let below = match bound {
                UpperBound::None => String::new(),
                UpperBound::Subselect => "AND id < (SELECT uuidv7_horizon())".to_owned(),
                UpperBound::AllServers => format!("AND id < '{}'", collect(client, "SELECT feed_horizon()")[0]),
            };
            let rows = collect(client, &format!("SELECT id FROM event WHERE id > '{last}' {below} ORDER BY id"));
            last = rows.last().copied().unwrap_or(last);
            got.extend(rows);
            Ok(true)
        });
        got
    };
    let readers = bounds.iter().map(|&bound| move || read(bound));
    let writers =
        (0..load.writers).map(|number| move || sessions.write(address, sessions.random(number), transaction, drop));
    let got = sessions.run(readers, writers, &[], || sleep(random::seconds(20)), || {});
    let committed: HashSet<Uuid> = collect(&mut coordinator.connect(), "SELECT id FROM event").into_iter().collect();
    let makers = if with_workers { "the coordinator and workers" } else { "the coordinator" };
    let lost: Vec<_> =
        bounds.iter().zip(got).map(|(&bound, got)| (bound, committed.difference(&got).count())).collect();
    progress(&format!("feed of keys generated by {makers}: {} rows, lost {lost:?}", committed.len()));
    lost
}

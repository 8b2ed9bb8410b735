//! Servers with nodes generate different UUIDs even if their clocks and their randomness are the same.

use std::collections::BTreeSet;

use rfc9562::Uuid;
use server_tests::clock::FakeClock;
use server_tests::faults::Faults;
use server_tests::uuids::{assert_ascending, collect};
use server_tests::{Cluster, progress, sql, wait_until};

const SERVERS: usize = 3;
/// 2096-10-02 07:06:40 UTC, later than any time that a server has stored in a file.
const INSTANT: i64 = 4_000_000_000;

/// Statements for every way of generating UUIDs with a node, and the number of UUIDs of each, for which the first block of
/// randomness of a session does not suffice.
const WAYS: [(&str, usize); 7] = [
    ("SELECT uuidv7() FROM generate_series(1, 1000)", 1_000),
    ("SELECT unnest(uuidv7_array(1000))", 1_000),
    ("SELECT unnest(ARRAY[uuidv6(), uuidv1()]) FROM generate_series(1, 1000)", 2_000),
    ("SELECT uuidv7(interval '1 day') FROM generate_series(1, 1000)", 1_000),
    ("SELECT uuidv7_at('2020-01-01') FROM generate_series(1, 1000)", 1_000),
    ("SELECT uuidv7_at('2020-01-01', 'draft-02') FROM generate_series(1, 1000)", 1_000),
    ("SELECT uuidv6_at('2020-01-01') FROM generate_series(1, 1000)", 1_000),
];

fn server(number: usize) -> (Cluster, Faults) {
    let settings = [("shared_preload_libraries", "uuidrfc")];
    let (cluster, (clock, faults)) = Cluster::started_behind(&format!("alike{number}"), &settings, |cluster| {
        // The library of the clock must come first, because that of the faults also interposes a clock.
        (FakeClock::in_front_of(cluster), Faults::in_front_of(cluster))
    });
    clock.freeze_at(INSTANT);
    (cluster, faults)
}

/// Returns the UUIDs that a new session generates with settings. The operating system gives each session the same randomness.
fn make((cluster, faults): &(Cluster, Faults), scope: &str, settings: &str) -> Vec<Uuid> {
    let mut client = cluster.connect();
    sql::run(&mut client, &format!("LOAD 'uuidrfc'; SET uuidrfc.monotonic_scope = '{scope}'; {settings}"));
    faults.know_randomness(sql::process(&mut client));
    let mut all = Vec::new();
    for (way, count) in WAYS {
        let made = collect(&mut client, way);
        assert_eq!(made.len(), count, "{way}");
        assert_ascending(way, &made);
        all.extend(made);
    }
    faults.mend();
    all
}

#[test]
fn servers_that_are_alike_differ_by_their_nodes() {
    let servers: Vec<_> = (0..SERVERS).map(server).collect();
    let all: usize = WAYS.iter().map(|(_, count)| count).sum();
    for scope in ["backend", "server"] {
        // Each server has one session, so that its values have the same position even in scope `server`.
        let without: Vec<Vec<Uuid>> = servers.iter().map(|server| make(server, scope, "")).collect();
        let distinct: BTreeSet<Uuid> = without.iter().flatten().copied().collect();
        assert_eq!(distinct.len(), all, "scope {scope}: without nodes, all servers generate the same UUIDs");
        for bits in [2, 8, 16] {
            let with = (1..)
                .zip(&servers)
                .flat_map(|(node, server)| make(server, scope, &format!("SET uuidrfc.node_id = '{node}/{bits}'")));
            let distinct: BTreeSet<Uuid> = with.collect();
            assert_eq!(distinct.len(), SERVERS * all, "scope {scope}, nodes of {bits} bits");
        }
        progress(&format!(
            "scope {scope}: {SERVERS} servers generate {all} different UUIDs without nodes, {} with nodes",
            SERVERS * all
        ));
    }
}

#[test]
fn a_running_session_takes_its_node_by_reload() {
    let cluster = Cluster::started("reload", &[]);
    let (mut admin, mut session) = (cluster.connect(), cluster.connect());
    sql::run(&mut admin, "LOAD 'uuidrfc'");
    let mut made = collect(&mut session, "SELECT uuidv7() FROM generate_series(1, 1000)");
    for (setting, id, bits) in
        [("7", Some(7), 8), ("40000/16", Some(40_000), 16), ("3/16", Some(3), 16), ("", None, 16)]
    {
        sql::run(&mut admin, &format!("ALTER SYSTEM SET uuidrfc.node_id = '{setting}'"));
        sql::run(&mut admin, "SELECT pg_reload_conf()");
        wait_until(&format!("the session has node \"{setting}\""), || {
            sql::value::<String>(&mut session, "SELECT current_setting('uuidrfc.node_id')") == setting
        });
        let new = collect(&mut session, "SELECT uuidv7() FROM generate_series(1, 1000)");
        // The node is the first of the last 32 bits.
        let nodes: BTreeSet<u128> = new.iter().map(|uuid| (uuid.to_u128() & 0xffff_ffff) >> (32 - bits)).collect();
        match id {
            Some(id) => assert_eq!(nodes, BTreeSet::from([id]), "after {setting:?}"),
            None => assert!(nodes.len() > 100, "after {setting:?}: random bits, {} different", nodes.len()),
        }
        made.extend(new);
    }
    assert_ascending("across four reloads", &made);
}

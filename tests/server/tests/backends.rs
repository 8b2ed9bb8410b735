//! Backends and parallel workers share no state, so no UUID occurs twice. (The test `scope` generates in many sessions at once.)

use std::collections::BTreeSet;

use server_tests::uuids::{assert_ascending, assert_distinct, collect};
use server_tests::{Cluster, sql};

/// A preloaded library is loaded before the postmaster forks, so all backends would inherit any state that the library already
/// had.
#[test]
fn backends_forked_from_one_postmaster_share_no_randomness() {
    const LOW_48: u128 = (1 << 48) - 1;
    let cluster = Cluster::started("forked", &[("shared_preload_libraries", "uuidrfc")]);
    let mut random_parts = BTreeSet::new();
    for connection in 1..=200 {
        // The last 48 bits of each of these UUIDs are random, except for the multicast bit of version 6.
        let query = "SELECT unnest(ARRAY[uuidv7(), uuidv4(), uuidv6(), uuidv7(), uuidv4()])";
        for uuid in collect(&mut cluster.connect(), query) {
            let fresh = random_parts.insert(uuid.to_u128() & LOW_48);
            assert!(fresh, "connection {connection}: {uuid} ends like another connection's value");
        }
    }
}

#[test]
fn parallel_workers_generate_beside_their_leader() {
    const ROWS: i64 = 300_000;
    let cluster = Cluster::started("parallel", &[]);
    let mut client = cluster.connect();
    sql::run(
        &mut client,
        &format!(
            "CREATE TABLE numbers AS SELECT n FROM generate_series(1, {ROWS}) n;
             ALTER TABLE numbers SET (parallel_workers = 4);
             SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET max_parallel_workers_per_gather = 4"
        ),
    );
    let before = collect(&mut client, "SELECT uuidv7()");
    let made = "EXPLAIN (ANALYZE, VERBOSE, COSTS off, TIMING off)
                CREATE TABLE made AS SELECT uuidv7() AS v7, uuidv6() AS v6, uuidv1() AS v1, uuidv4() AS v4 FROM numbers";
    let plan = sql::lines(&mut client, made);
    // Workers were launched, and the functions were called below the Gather node, not only by the leader.
    let (_, below_gather) = plan.split_once("Parallel Seq Scan").unwrap_or_else(|| panic!("no parallel scan:\n{plan}"));
    assert!(below_gather.contains("Output: uuidv7(), uuidv6(), uuidv1(), uuidv4()"), "{plan}");
    assert!(below_gather.contains("Worker 0: "), "{plan}");
    let after = collect(&mut client, "SELECT uuidv7()");

    for column in ["v7", "v6", "v1", "v4"] {
        let uuids = collect(&mut client, &format!("SELECT {column} FROM made"));
        assert_eq!(uuids.len(), 300_000, "{column}");
        assert_distinct(&format!("{column} of parallel workers"), uuids);
    }
    assert_ascending("a leader before and after its workers", before.iter().chain(&after));
}

//! A physical standby generates UUIDs while it follows the primary, and after it is promoted.

use server_tests::clock::FakeClock;
use server_tests::uuids::{assert_ascending, assert_distinct, collect};
use server_tests::{Cluster, progress, sql, wait_until};

const HOUR: i64 = 3_600;
const GENERATE: &str = "SELECT uuidv7() FROM generate_series(1, 5000)";

/// The standby's clock is an hour behind when it is promoted. Then:
/// - A session on the standby generates values like any other, because generating them writes nothing. PostgreSQL rejects the
///   `INSERT`, but not the function in the default.
/// - A session that continues across the promotion keeps its order, whatever the clock shows.
/// - No value occurs twice, on the old primary or on the new one.
///
/// There is no guarantee between sessions, because each backend keeps its own order. A session that begins after the promotion
/// starts at the new primary's clock. If that clock is behind, the session's values sort before those of the old primary.
#[test]
fn a_standby_generates_and_keeps_order_when_promoted() {
    let primary = Cluster::started("primary", &[]);
    let mut on_primary = primary.connect();
    sql::run(&mut on_primary, "CREATE TABLE kept (n serial, id uuid PRIMARY KEY DEFAULT uuidv7(), made text)");
    sql::run(&mut on_primary, "INSERT INTO kept (made) SELECT 'on the primary' FROM generate_series(1, 5000)");

    let mut standby = primary.standby("standby");
    let clock = FakeClock::in_front_of(&mut standby);
    standby.start();
    sql::run(&mut on_primary, "INSERT INTO kept (made) SELECT 'on the primary' FROM generate_series(1, 5000)");
    let mut on_standby = standby.connect();
    wait_until("the standby has the primary's rows", || {
        sql::value::<i64>(&mut on_standby, "SELECT count(*) FROM kept") == 10_000
    });

    assert!(sql::value::<bool>(&mut on_standby, "SELECT pg_is_in_recovery()"));
    assert_eq!(sql::sqlstate(&mut on_standby, "INSERT INTO kept (made) VALUES ('on the standby')"), "25006");
    for (function, version) in [
        ("uuidv7()", 7),
        ("uuidv6()", 6),
        ("uuidv1()", 1),
        ("uuidv4()", 4),
        ("uuidv7_at(now())", 7),
        ("uuidv6_at(now())", 6),
    ] {
        let uuids = collect(&mut on_standby, &format!("SELECT {function} FROM generate_series(1, 1000)"));
        assert!(uuids.iter().all(|uuid| uuid.version() == Some(version)), "{function} on a standby");
        assert_distinct(function, uuids);
    }
    let mut lives_through = collect(&mut on_standby, GENERATE);

    // The primary is stopped, and the standby's clock is behind when it is promoted.
    drop(on_primary);
    let mut all = collect(&mut primary.connect(), GENERATE);
    primary.stop(server_tests::Shutdown::Fast);
    clock.shift(-HOUR);
    lives_through.extend(collect(&mut on_standby, GENERATE));
    standby.promote();
    lives_through.extend(collect(&mut on_standby, GENERATE));
    sql::run(&mut on_standby, "INSERT INTO kept (made) SELECT 'after promotion' FROM generate_series(1, 5000)");
    lives_through.extend(collect(&mut on_standby, "SELECT id FROM kept WHERE made = 'after promotion' ORDER BY n"));
    lives_through.extend(collect(&mut on_standby, GENERATE));
    assert_ascending("a session that continues across the promotion", &lives_through);

    let mut begun_after = standby.connect();
    let after = collect(&mut begun_after, GENERATE);
    assert_ascending("a session begun after the promotion", &after);
    let behind = "SELECT clock_timestamp() < max(uuid_extract_time(id)) - interval '30 minutes' FROM kept";
    assert!(sql::value::<bool>(&mut begun_after, behind), "the clock is behind what the table has");
    assert!(after[0] < lives_through[0], "a new session does not begin at the time of its clock");
    sql::run(&mut begun_after, "INSERT INTO kept (made) SELECT 'by a new session' FROM generate_series(1, 5000)");
    all.extend(collect(&mut begun_after, "SELECT id FROM kept WHERE made <> 'after promotion'"));
    all.extend(after);
    all.extend(lives_through);
    progress(&format!("{} values of a primary and of its standby before, through and after promotion", all.len()));
    assert_distinct("a primary and its standby", all);
}

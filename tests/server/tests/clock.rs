//! Clocks that are set back, set forward or stopped while connections generate UUIDs.

use std::fs;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;

use postgres::Client;
use rfc9562::{Uuid, v7};
use server_tests::clock::FakeClock;
use server_tests::uuids::{assert_ascending, assert_distinct, collect};
use server_tests::{Cluster, SERVER_SCOPE, Shutdown, progress, sql, wait_until};

const HOUR: i64 = 3_600;
const YEAR: i64 = 365 * 24 * HOUR;

/// The queries that generate each sequence of UUIDs; versions 6 and 1 share one.
const SEQUENCES: [&[&str]; 2] = [
    &["SELECT uuidv7() FROM generate_series(1, 100)", "SELECT unnest(uuidv7_array(100))"],
    &["SELECT unnest(ARRAY[uuidv6(), uuidv1()]) FROM generate_series(1, 100)"],
];

#[test]
fn order_holds_while_the_clock_is_set() {
    const CONNECTIONS: usize = 6;
    let (cluster, clock) = Cluster::started_behind("clock", &[], FakeClock::in_front_of);
    let batches: [AtomicUsize; CONNECTIONS] = Default::default();
    let stop = AtomicBool::new(false);

    let generate = |mut connection: Client, batches: &AtomicUsize| {
        let mut generated: [Vec<Uuid>; 2] = Default::default();
        while !stop.load(Ordering::Relaxed) {
            for (generated, queries) in generated.iter_mut().zip(SEQUENCES) {
                generated.extend(queries.iter().flat_map(|query| collect(&mut connection, query)));
            }
            batches.fetch_add(1, Ordering::Relaxed);
        }
        generated
    };

    let connections: Vec<Client> = (0..CONNECTIONS).map(|_| cluster.connect()).collect();
    let mut all: Vec<Uuid> = Vec::new();
    thread::scope(|scope| {
        let generate = &generate;
        let generating: Vec<_> = connections
            .into_iter()
            .zip(&batches)
            .map(|(connection, batches)| scope.spawn(move || generate(connection, batches)))
            .collect();
        // Each setting lasts until every connection has both started and finished a batch during it.
        let settings: [(&str, &dyn Fn()); 8] = [
            ("right", &|| clock.shift(0)),
            ("an hour back", &|| clock.shift(-HOUR)),
            ("right again", &|| clock.shift(0)),
            ("an hour ahead", &|| clock.shift(HOUR)),
            ("standing still in the past", &|| clock.freeze(-HOUR)),
            ("standing still in the future", &|| clock.freeze(2 * HOUR)),
            ("a year back", &|| clock.shift(-YEAR)),
            ("right at last", &|| clock.shift(0)),
        ];
        for (name, set) in settings {
            set();
            let before: Vec<usize> = batches.iter().map(|batches| batches.load(Ordering::Relaxed)).collect();
            wait_until(&format!("all connections have generated with a clock that is {name}"), || {
                let failed = generating.iter().any(|one| one.is_finished());
                let now = batches.iter().map(|batches| batches.load(Ordering::Relaxed));
                failed || now.zip(&before).all(|(now, before)| now >= before + 4)
            });
            // A backend that starts now has seen no time but that of the clock's current setting.
            let mut newcomer = cluster.connect();
            for query in SEQUENCES.concat() {
                all.extend(collect(&mut newcomer, query));
            }
        }
        stop.store(true, Ordering::Relaxed);
        for (number, one) in generating.into_iter().enumerate() {
            for generated in one.join().expect("all of a connection's values") {
                assert_ascending(&format!("connection {number}"), &generated);
                all.extend(generated);
            }
        }
    });
    progress(&format!("{} values while the clock was set 8 times", all.len()));
    assert_distinct("all connections under all clocks", all);
}

/// Version 7 cannot represent a time before 1970. A clock that shows one causes errors, not panics, until it is set right.
#[test]
fn a_clock_before_1970_is_an_error() {
    let (cluster, clock) = Cluster::started_behind("ancient", &[], FakeClock::in_front_of);
    let mut client = cluster.connect();
    let last = collect(&mut client, "SELECT uuidv7()");
    clock.shift(-100 * YEAR);
    let year: i32 = sql::value(&mut client, "SELECT extract(year FROM clock_timestamp())::int");
    assert!(year < 1970, "the server's clock shows {year}");
    for function in ["uuidv7()", "uuidv6()", "uuidv1()", "uuidv7('1 hour'::interval)"] {
        assert_eq!(sql::sqlstate(&mut client, &format!("SELECT {function}")), "58000", "{function}");
    }
    clock.shift(0);
    let next = collect(&mut client, "SELECT uuidv7()");
    assert!(v7::tick(next[0]) > v7::tick(last[0]), "{next:?} after {last:?}");
}

/// Starts a server in scope `server` with a fake clock, and creates the role `plain`, which has no privileges.
fn cluster_in_scope_server(name: &str) -> (Cluster, FakeClock) {
    let (cluster, clock) = Cluster::started_behind(name, &SERVER_SCOPE, FakeClock::in_front_of);
    sql::run(&mut cluster.connect(), "CREATE ROLE plain LOGIN");
    (cluster, clock)
}

fn restart(cluster: &Cluster, clock: &FakeClock, shift: i64) {
    cluster.stop(Shutdown::Fast);
    clock.shift(shift);
    cluster.start();
}

/// Whether a new UUID is no further ahead of the clock than the high-water mark may be.
const FOLLOWS: &str = "SELECT uuid_extract_time_us(uuidv7()) - clock_timestamp() <= interval '2 seconds'";

/// Functions that read the high-water mark without generating a UUID are called with a clock 95 years ahead, and then with one past
/// 2262, when the server generates no UUIDs. These calls must not affect later UUIDs.
#[test]
fn a_wrong_clock_by_which_no_value_is_taken_leaves_no_trace() {
    let (cluster, clock) = cluster_in_scope_server("wrong");
    let last = collect(&mut cluster.connect(), "SELECT uuidv7()");
    for shift in [95 * YEAR, 254 * YEAR] {
        restart(&cluster, &clock, shift);
        let mut plain = cluster.connect_as("plain", "postgres");
        sql::run(&mut plain, "SELECT uuidv7_horizon(); SELECT * FROM uuidv7_horizon_holders()");
        let year: i32 = sql::value(&mut plain, "SELECT extract(year FROM clock_timestamp())::int");
        if year > 2262 {
            for call in ["uuidv7()", "uuidv6()", "uuidv1()", "uuidv7_array(2)"] {
                assert_eq!(sql::sqlstate(&mut plain, &format!("SELECT {call}")), "22008", "{call} in {year}");
            }
        }
        restart(&cluster, &clock, 0);
        let mut client = cluster.connect();
        let next = collect(&mut client, "SELECT uuidv7()");
        assert!(v7::tick(next[0]) > v7::tick(last[0]), "{next:?} after {last:?}");
        assert!(sql::value::<bool>(&mut client, FOLLOWS), "{next:?} after the clock showed {year}");
    }
}

/// A UUID generated with a wrong clock affects all later ones until the user follows docs/order.md.
#[test]
fn a_value_taken_by_a_wrong_clock_can_be_undone_as_documented() {
    let (cluster, clock) = cluster_in_scope_server("undone");
    let mut client = cluster.connect();
    sql::run(
        &mut client,
        "CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT uuidv7(), topic text);
         CREATE TABLE consumer (name text PRIMARY KEY, last uuid NOT NULL);
         INSERT INTO outbox (topic) SELECT 'right ' || n FROM generate_series(1, 3) n",
    );
    let standby = cluster.standby("undone-standby");
    standby.start();
    sql::run(&mut client, "SELECT pg_sleep(0.002)");
    let went_wrong: String = sql::value(&mut client, "SELECT clock_timestamp()::text");
    restart(&cluster, &clock, 95 * YEAR);
    let mut client = cluster.connect();
    sql::run(
        &mut client,
        "INSERT INTO outbox (topic) SELECT 'wrong ' || n FROM generate_series(1, 3) n;
         INSERT INTO consumer SELECT 'search', max(id) FROM outbox",
    );
    let replayed = standby.data().join("uuidrfc.replayed");
    let year_2100 = "04102444800000000000";
    wait_until("the standby has written down a commit of the wrong time", || {
        fs::read_to_string(&replayed).is_ok_and(|time| time.as_str() > year_2100)
    });
    restart(&cluster, &clock, 0);
    assert!(!sql::value::<bool>(&mut cluster.connect(), FOLLOWS), "values continue from the one that was taken");

    let page = include_str!("../../../docs/order.md");
    let section = page.split("## After a clock that was ahead\n").nth(1).and_then(|rest| rest.split("\n## ").next());
    let section = section.expect("docs/order.md says what to do");
    let blocks: Vec<&str> = section.split("```sql\n").skip(1).filter_map(|block| block.split("```").next()).collect();
    cluster.stop(Shutdown::Fast);
    fs::remove_file(cluster.data().join("uuidrfc.high_water_mark")).expect("the file of the high-water mark");
    cluster.start();
    let mut client = cluster.connect();
    assert!(sql::value::<bool>(&mut client, FOLLOWS), "after the high-water mark was removed");

    // The instructions also work on a standby.
    sql::run(&mut client, "CHECKPOINT");
    cluster.wait_for_standbys();
    sql::run(&mut standby.connect(), "CHECKPOINT");
    standby.stop(Shutdown::Fast);
    fs::remove_file(replayed).expect("the file of the standby's replayed time");
    fs::remove_file(standby.data().join("uuidrfc.high_water_mark")).expect("the file of the primary's high-water mark");
    standby.start();
    standby.promote();
    assert!(sql::value::<bool>(&mut standby.connect(), FOLLOWS), "a standby after both files were removed");

    assert_eq!(blocks.len(), 2, "statements for the keys, and for the consumer's position");
    for block in blocks {
        let block = block.replace("2026-01-01 10:00:00+00", &went_wrong);
        sql::run(&mut client, &block);
    }
    let ahead = "SELECT count(*) FROM outbox WHERE id > now() + interval '1 minute'";
    assert_eq!(sql::value::<i64>(&mut client, ahead), 0, "keys with the wrong time");
    sql::run(&mut client, "INSERT INTO outbox (topic) VALUES ('new')");
    let read: Vec<String> = sql::value(
        &mut client,
        "SELECT array_agg(topic ORDER BY id) FROM outbox, consumer WHERE id > last AND id < uuidv7_horizon()",
    );
    assert_eq!(read, ["wrong 1", "wrong 2", "wrong 3", "new"], "what the consumer reads then");
}

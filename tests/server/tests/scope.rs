//! `uuidrfc.monotonic_scope = 'server'`: one order for all connections, despite restarts, crashes and a clock that is set back.

use std::fs::{self, File};
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;

use rfc9562::Uuid;
use server_tests::clock::FakeClock;
use server_tests::faults::{EINVAL, EIO, ENOSPC, Fault, Faults};
use server_tests::uuids::{assert_ascending, assert_distinct, collect, rank, stream};
use server_tests::{Cluster, SERVER_SCOPE, Shutdown, progress, sql, wait_until};

const CONNECTIONS: usize = 16;
const HOUR: i64 = 3_600;

#[test]
fn sixteen_connections_that_exchange_values_see_one_order() {
    let (cluster, clock) = Cluster::started_behind("scope", &SERVER_SCOPE, FakeClock::in_front_of);
    // All sessions have the same time, so an order of their own would not be that of the server.
    clock.freeze(0);
    // The connections communicate through the client's memory, which takes less time than any communication through the server.
    for calls in [&["uuidv7()", "unnest(uuidv7_array(3))"][..], &["uuidv6()", "uuidv1()"]] {
        let latest = Mutex::new(0);
        let made = cluster.in_connections(CONNECTIONS, |number, mut connection| {
            let mut made: Vec<Uuid> = Vec::new();
            for call in calls.iter().cycle().take(600) {
                let seen: u128 = *latest.lock().expect("no panic elsewhere");
                let uuids = collect(&mut connection, &format!("SELECT {call}"));
                assert!(seen < rank(uuids[0]), "connection {number}: {uuids:?} of {call} came after {seen:#x}");
                assert_ascending(call, &uuids);
                made.extend(uuids);
                let mut latest = latest.lock().expect("no panic elsewhere");
                *latest = rank(made[made.len() - 1]).max(*latest);
            }
            made
        });
        assert_distinct("the server", made.concat());
    }

    // Now they generate UUIDs as fast as possible.
    let query = "SELECT uuidv7() FROM generate_series(1, 100000)";
    let made = cluster.in_connections(CONNECTIONS, |number, mut connection| {
        let made = collect(&mut connection, query);
        assert_ascending(&format!("connection {number}"), &made);
        made
    });
    assert_distinct("the server", made.concat());
}

/// After a node ID is configured, all new UUIDs of already connected sessions contain it.
#[test]
fn a_running_session_takes_its_node_by_reload() {
    const NODES: &str = "SELECT array_agg(DISTINCT uuid_extract_node_id(id, 8)) FROM (
        SELECT unnest(ARRAY[uuidv7(), uuidv6(), uuidv1(), uuidv7(interval '1 day'), uuidv7_at('2020-01-01'),
                            uuidv6_at('2020-01-01')] || uuidv7_array(2)) AS id
        FROM generate_series(1, 1000)) made";
    let cluster = Cluster::started("scope-node", &SERVER_SCOPE);
    let (mut admin, mut session) = (cluster.connect(), cluster.connect());
    for (node, nodes) in [("", None), ("7/8", Some([7])), ("", None)] {
        sql::run(&mut admin, &format!("ALTER SYSTEM SET uuidrfc.node_id = '{node}'"));
        sql::run(&mut admin, "SELECT pg_reload_conf()");
        wait_until(&format!("the session has node \"{node}\""), || {
            sql::value::<String>(&mut session, "SELECT current_setting('uuidrfc.node_id')") == node
        });
        let found: Vec<i32> = sql::value(&mut session, NODES);
        match nodes {
            Some(nodes) => assert_eq!(found, nodes),
            None => assert!(found.len() > 100, "random bits, {} different", found.len()),
        }
    }
}

/// After a crash, all that the server knows about earlier UUIDs is the limit in the file, the high-water mark.
#[test]
fn order_holds_through_crashes_with_the_clock_set_back() {
    crash_with_the_clock_set_back("server");
}

/// In scope `backend`, sessions after a crash follow the clock, even if it was set back, but repeat no UUID.
#[test]
fn no_value_occurs_twice_through_crashes_in_scope_backend() {
    crash_with_the_clock_set_back("backend");
}

fn crash_with_the_clock_set_back(scope: &str) {
    let settings = [SERVER_SCOPE[0], ("uuidrfc.monotonic_scope", scope)];
    let (cluster, clock) = Cluster::started_behind("scope-crash", &settings, FakeClock::in_front_of);
    let is_ordered = scope == "server";
    let mut all: Vec<Uuid> = Vec::new();
    let mut latest = [0; 2];
    for (round, shift) in [-HOUR, 0, -2 * HOUR, -365 * 24 * HOUR].into_iter().enumerate() {
        let made = thread::scope(|scope| {
            // Each connection generates UUIDs of version 7, or of versions 6 and 1, until the server is killed.
            let generating: Vec<_> = (0..CONNECTIONS)
                .map(|number| {
                    let mut connection = cluster.connect();
                    let query = ["SELECT uuidv7()", "SELECT unnest(ARRAY[uuidv6(), uuidv1()])"][number % 2];
                    scope.spawn(move || {
                        let mut made: Vec<Uuid> = Vec::new();
                        let some = format!("{query} FROM generate_series(1, 100)");
                        let error = loop {
                            if let Err(error) = stream(&mut connection, &some, |uuid| made.push(uuid)) {
                                break error;
                            }
                        };
                        assert!(sql::is_of_ended_session(&error), "{error:?}");
                        made
                    })
                })
                .collect();
            // Further UUIDs, in case the connections generate none before the crash.
            for query in ["SELECT uuidv7()", "SELECT uuidv6()"] {
                all.extend(collect(&mut cluster.connect(), &format!("{query} FROM generate_series(1, 10000)")));
            }
            if round % 2 == 0 {
                cluster.kill_postmaster()
            } else {
                cluster.stop(Shutdown::Immediate)
            }
            generating.into_iter().map(|one| one.join().expect("the connection's values")).collect::<Vec<_>>()
        });
        for (number, made) in made.into_iter().enumerate() {
            assert_ascending(&format!("connection {number}, round {round}"), &made);
            all.extend(made);
        }
        let sequence = |uuid: &Uuid| usize::from(uuid.version() != Some(7));
        for uuid in &all {
            latest[sequence(uuid)] = rank(*uuid).max(latest[sequence(uuid)]);
        }
        clock.shift(shift);
        cluster.start();
        let next = collect(&mut cluster.connect(), "SELECT unnest(ARRAY[uuidv7(), uuidv6(), uuidv1()])");
        for uuid in &next {
            let is_greatest = rank(*uuid) > latest[sequence(uuid)];
            assert!(is_greatest || !is_ordered, "{uuid}, the first after round {round}, is not the greatest");
        }
        all.extend(next);
    }
    progress(&format!("{} values of 16 connections, 4 crashes with the clock set back", all.len()));
    assert_distinct("a server that crashed", all);
}

#[test]
fn a_high_water_mark_that_cannot_be_kept_is_an_error() {
    let (cluster, faults) = Cluster::started_behind("scope-limit", &SERVER_SCOPE, Faults::in_front_of);
    let mut client = cluster.connect();
    let limit = cluster.dir().join("data/uuidrfc.high_water_mark");
    let process = sql::process(&mut client);
    // A failed write must not leave a file, because an empty one would be regarded as truncated.
    faults.inject(process, &[(Fault::Write, ENOSPC)]);
    assert_eq!(sql::sqlstate(&mut client, "SELECT uuidv7()"), "53100");
    faults.mend();
    assert!(!limit.exists(), "there is a file although the limit was not written");
    let mut made = Vec::new();
    for (errno, state) in [(ENOSPC, "53100"), (EIO, "58030")] {
        // A server that has just started writes a limit before its first UUID.
        made.extend(collect(&mut client, "SELECT uuidv7()"));
        cluster.restart();
        client = cluster.connect();
        let process = sql::process(&mut client);
        faults.inject(process, &[(Fault::Write, errno)]);
        for call in ["uuidv7()", "uuidv6()", "uuidv1()", "uuidv7_array(2)"] {
            assert_eq!(sql::sqlstate(&mut client, &format!("SELECT {call}")), state, "{call}, errno {errno}");
        }
        // A version 4 UUID needs no limit.
        collect(&mut client, "SELECT uuidv4()");
        faults.mend();
        made.extend(collect(&mut client, "SELECT uuidv7()"));
    }
    assert_ascending("a server whose disk was full", &made);

    // Some file systems cannot flush a directory. As in PostgreSQL, the error that says so is ignored, and others are reported.
    for (errno, state) in [(EINVAL, None), (EIO, Some("58030"))] {
        cluster.restart();
        client = cluster.connect();
        let process = sql::process(&mut client);
        faults.inject(process, &[(Fault::DirectorySync, errno)]);
        let result = client.batch_execute("SELECT uuidv7()");
        let seen = result.err().and_then(|error| sql::sqlstate_of(&error));
        assert_eq!(seen.as_deref(), state, "errno {errno} of the directory");
        faults.mend();
        made.extend(collect(&mut client, "SELECT uuidv7()"));
    }

    let kept = fs::read(&limit).expect("the limit is in its file");
    cluster.restart();
    for nonsense in ["", "nonsense", "18446744073709551615\n", "00000000000000000001", "00000000000000000001\n\n"] {
        fs::write(&limit, nonsense).expect("the file can be written");
        assert_eq!(sql::sqlstate(&mut cluster.connect(), "SELECT uuidv7()"), "XX001", "{nonsense:?}");
    }
    fs::write(&limit, kept).expect("the file can be written");
    made.extend(collect(&mut cluster.connect(), "SELECT uuidv7()"));
    assert_ascending("a server whose limit was lost and restored", &made);
}

/// A session that reaches the limit while another process writes the next one waits as for a PostgreSQL lock: the wait is visible,
/// and ends if the statement is canceled or the session is terminated.
#[test]
fn waiting_for_the_limit_shows_and_can_be_canceled() {
    let cluster = Cluster::started("scope-wait", &SERVER_SCOPE);
    collect(&mut cluster.connect(), "SELECT uuidv7()");
    cluster.restart();
    let limit = File::open(cluster.dir().join("data/uuidrfc.high_water_mark")).expect("there is a limit");
    limit.lock().expect("nobody holds it");
    let (release, released) = mpsc::channel::<()>();
    // The lock is released after 30 seconds at the latest, so that the test ends even if the waits cannot be canceled.
    let holding = thread::spawn(move || {
        let is_released = released.recv_timeout(Duration::from_secs(30)).is_ok();
        drop(limit);
        is_released
    });

    let mut waiting = cluster.connect();
    for call in ["uuidv7()", "uuidv1()", "uuidv7_array(2)"] {
        let statement = format!("SET statement_timeout = '200ms'; SELECT {call}");
        assert_eq!(sql::sqlstate(&mut waiting, &statement), "57014", "{call}");
    }
    sql::run(&mut waiting, "SET statement_timeout = 0");
    let process = sql::process(&mut waiting);
    thread::scope(|scope| {
        let waits = scope.spawn(|| waiting.batch_execute("SELECT uuidv7()"));
        let mut client = cluster.connect();
        let shows = format!(
            "SELECT coalesce(wait_event_type = 'Extension' AND wait_event IS NOT NULL, false) FROM pg_stat_activity WHERE pid = {process}"
        );
        wait_until("the wait shows", || sql::value(&mut client, &shows));
        assert!(sql::value::<bool>(&mut client, &format!("SELECT pg_terminate_backend({process}, 10000)")));
        let error = waits.join().expect("the statement's result").expect_err("the session was ended");
        assert!(sql::is_of_ended_session(&error), "{error:?}");
    });
    let mut client = cluster.connect();
    thread::scope(|scope| {
        let waits = scope.spawn(|| collect(&mut client, "SELECT uuidv7()"));
        release.send(()).expect("the sessions did not wait until the limit was free");
        assert_eq!(waits.join().expect("a value").len(), 1);
    });
    assert!(holding.join().expect("the limit is free"), "the sessions waited until the limit was free");
}

/// A session may first need the library in a parallel operation, in which PostgreSQL allows no parameter to be set. The scope
/// must take effect nevertheless. The clock is set back, so that a session with an order of its own would be behind the others.
#[test]
fn a_session_that_loads_it_in_a_parallel_operation_has_its_scope() {
    let settings = [
        SERVER_SCOPE[1],
        ("min_parallel_table_scan_size", "0"),
        ("parallel_setup_cost", "0"),
        ("parallel_tuple_cost", "0"),
    ];
    let (cluster, clock) = Cluster::started_behind("scope-parallel", &settings, FakeClock::in_front_of);
    let mut client = cluster.connect();
    sql::run(
        &mut client,
        "
         CREATE TABLE many WITH (parallel_workers = 2) AS SELECT uuidv4() AS id FROM generate_series(1, 50000);
         CREATE INDEX by_time ON many (id uuid_time_ops);
         CREATE INDEX by_extracted ON many (uuid_extract_time(id));
         CREATE FUNCTION version_of(uuid) RETURNS smallint LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS
             'BEGIN RETURN uuid_extract_version($1); END';
         CREATE ROLE plain LOGIN; GRANT SELECT ON many TO plain;
         ANALYZE many",
    );
    let is_ordered = cluster.installation().major() >= 17;
    let mut all = if is_ordered { collect(&mut client, "SELECT uuidv7()") } else { Vec::new() };
    clock.shift(-HOUR);
    let select = "SELECT max(version_of(id)) FROM many";
    for (user, first) in [
        ("postgres", "REINDEX INDEX by_time"),
        ("postgres", "REINDEX INDEX by_extracted"),
        ("postgres", "CREATE INDEX ON many (id uuid_time_ops)"),
        ("postgres", "CREATE INDEX ON many (uuid_extract_time(id))"),
        ("postgres", select),
        ("plain", select),
        // When the library is loaded, this role's SET is discarded.
        ("plain", &format!("SET uuidrfc.monotonic_scope = 'backend'; {select}")),
    ] {
        let mut session = cluster.connect_as(user, "postgres");
        sql::run(&mut session, first);
        for then in ["SELECT", "RESET ALL", "DISCARD ALL"] {
            sql::run(&mut session, then);
            let scope: String = sql::value(&mut session, "SELECT current_setting('uuidrfc.monotonic_scope')");
            assert_eq!(scope, "server", "{first}, then {then}");
            if is_ordered {
                all.extend(collect(&mut session, "SELECT uuidv7()"));
                all.extend(collect(&mut client, "SELECT uuidv7()"));
            } else {
                // Before PostgreSQL 17, there is no server-wide order unless the library is preloaded, so an error is raised.
                assert_eq!(sql::sqlstate(&mut session, "SELECT uuidv7()"), "55000", "{first}, then {then}");
            }
        }
    }
    assert_ascending("sessions that load the library in a parallel operation", &all);
}

/// A misspelled setting is removed when the library is loaded, and refused from then on.
#[test]
fn a_misspelled_setting_is_refused() {
    let cluster = Cluster::started("scope-misspelled", &[]);
    let mut client = cluster.connect();
    sql::run(&mut client, "SET uuidrfc.monotonic_scop = 'server'; SELECT uuidv7()");
    let is_gone = "SELECT current_setting('uuidrfc.monotonic_scop', true) IS NULL";
    assert!(sql::value::<bool>(&mut client, is_gone), "the misspelled setting is still there");
    assert_eq!(sql::sqlstate(&mut client, "SET uuidrfc.monotonic_scop = 'server'"), "42602");
    assert_eq!(sql::sqlstate(&mut client, "ALTER ROLE postgres SET uuidrfc.monotonic_scop = 'server'"), "42602");
    sql::run(&mut client, "SET uuidrfc.monotonic_scope = 'backend'");
}

/// After a start, UUIDs begin at the limit, but repeated starts must not move the limit away from the clock.
#[test]
fn many_restarts_do_not_carry_time_away() {
    let cluster = Cluster::started("scope-restarts", &SERVER_SCOPE);
    let mut made = Vec::new();
    for _ in 0..10 {
        made.extend(collect(&mut cluster.connect(), "SELECT uuidv7() FROM generate_series(1, 1000)"));
        cluster.restart();
    }
    assert_ascending("a server that was started eleven times", &made);
    let ahead = "SELECT uuid_extract_time_us(uuidv7()) - clock_timestamp() <= interval '2 seconds'";
    assert!(sql::value::<bool>(&mut cluster.connect(), ahead), "values are more than two seconds ahead of the clock");
}

/// The UUIDs of a session ascend even if it changes its scope while its own UUIDs, or those of all sessions, are ahead of the
/// clock, as after a restart.
#[test]
fn a_session_that_changes_its_scope_keeps_its_order() {
    let (cluster, clock) = Cluster::started_behind("scope-changes", &[SERVER_SCOPE[0]], FakeClock::in_front_of);
    let mut client = cluster.connect();
    sql::run(&mut client, "SET uuidrfc.monotonic_scope = 'server'; SELECT uuidv7()");
    cluster.restart();
    let mut client = cluster.connect();
    let mut made = [Vec::new(), Vec::new()];
    for (round, change) in ["SET uuidrfc.monotonic_scope = 'server'", "DISCARD ALL"].iter().cycle().take(20).enumerate()
    {
        sql::run(&mut client, change);
        made[0].extend(collect(&mut client, "SELECT uuidv7() FROM generate_series(1, 1000)"));
        made[0].extend(collect(&mut client, "SELECT unnest(uuidv7_array(1000))"));
        made[1].extend(collect(&mut client, "SELECT uuidv6() FROM generate_series(1, 1000)"));
        if round == 9 {
            clock.shift(-HOUR);
        }
    }
    for made in &made {
        assert_ascending("a session that changes its scope", made);
    }
    assert_distinct("a session that changes its scope", made.concat());
}

/// A standby writes no data, but its data directory has a high-water mark of its own. UUIDs that its sessions generated before the
/// promotion precede those generated afterwards, even if the clock is set back. So do UUIDs that the old primary committed, because
/// the standby replayed the commit times. In scope `backend`, a session that continues across the promotion keeps its order.
#[test]
fn a_promoted_standby_goes_on_after_the_old_primary() {
    let (primary, clock_of_primary) = Cluster::started_behind("scope-primary", &SERVER_SCOPE, FakeClock::in_front_of);
    let mut on_primary = primary.connect();
    sql::run(&mut on_primary, "CREATE TABLE kept (n serial, id uuid PRIMARY KEY DEFAULT uuidv7())");
    const ONE_OF_EACH: &str =
        "SELECT unnest(ARRAY[uuidv7(), uuidv6(), uuidv1(), uuidv4(), uuidv7_at(now()), uuidv6_at(now())])
        FROM generate_series(1, 1000)";
    for (used_before, restarted, ahead) in [(true, false, 600), (false, false, 1200), (false, true, 1800)] {
        let mut standby = primary.standby(&format!("scope-standby-{used_before}-{restarted}"));
        let clock = FakeClock::in_front_of(&mut standby);
        if restarted {
            standby.configure(&[("hot_standby", "off")]);
        }
        standby.start();
        let before = if used_before {
            collect(&mut standby.connect(), "SELECT uuidv7() FROM generate_series(1, 1000)")
        } else {
            Vec::new()
        };
        let mut continued = used_before.then(|| {
            let mut session = standby.connect();
            sql::run(&mut session, "SET uuidrfc.monotonic_scope = 'backend'");
            let made = collect(&mut session, ONE_OF_EACH);
            (session, made)
        });
        // The primary's clock is now past any limit that the standby has written itself or has from its base backup.
        clock_of_primary.shift(ahead);
        sql::run(&mut on_primary, "INSERT INTO kept SELECT FROM generate_series(1, 1000)");
        let written: i64 = sql::value(&mut on_primary, "SELECT count(*) FROM kept");
        primary.wait_for_standbys();
        clock.shift(-HOUR);
        // One standby is restarted after it has replayed everything, and again between its promotion and its first UUID.
        if restarted {
            sql::run(&mut on_primary, "CHECKPOINT");
            primary.wait_for_standbys();
            standby.stop(Shutdown::Fast);
            standby.configure(&[("hot_standby", "on")]);
            standby.start();
        }
        standby.promote();
        if let Some((session, made)) = &mut continued {
            made.extend(collect(session, ONE_OF_EACH));
            assert_ascending("a session in scope backend", made.iter().step_by(6));
            assert_distinct("a session in scope backend", made.clone());
        }
        if restarted {
            let limit = standby.dir().join("data/uuidrfc.high_water_mark");
            let newest = "SELECT to_char(extract(epoch FROM max(uuid_extract_time_us(id))) * 1000000000, 'FM00000000000000000000')
                FROM kept";
            let newest: String = sql::value(&mut standby.connect(), newest);
            wait_until("recovery raises the limit", || fs::read_to_string(&limit).unwrap_or_default() > newest);
            // Without this file, which has the old primary's commit times, only the limit remains.
            fs::remove_file(standby.dir().join("data/uuidrfc.replayed")).expect("the file of the replayed commit time");
            standby.restart();
        }
        let mut on_standby = standby.connect();
        sql::run(&mut on_standby, "INSERT INTO kept SELECT FROM generate_series(1, 1000)");
        let kept = collect(&mut on_standby, "SELECT id FROM kept ORDER BY n");
        let (of_primary, of_promoted) = kept.split_at(usize::try_from(written).expect("a count"));
        assert_eq!(of_promoted.len(), 1000);
        assert_ascending("the old primary, then the new one", of_primary.iter().chain(of_promoted));
        assert_ascending("a standby through its promotion", before.iter().chain(of_promoted));
        let behind = "SELECT clock_timestamp() < max(uuid_extract_time(id)) - interval '30 minutes' FROM kept";
        assert!(sql::value::<bool>(&mut on_standby, behind), "the clock is behind what the table has");
    }
}

/// If recovery ends just after a session that raises the limit has found it in progress, the session takes the replayed commit
/// times into account for its next UUID at the latest.
#[test]
fn recovery_that_ends_while_the_limit_is_raised_is_noticed() {
    let (primary, clock_of_primary) =
        Cluster::started_behind("scope-race-primary", &SERVER_SCOPE, FakeClock::in_front_of);
    let mut on_primary = primary.connect();
    sql::run(&mut on_primary, "CREATE TABLE kept (id uuid PRIMARY KEY DEFAULT uuidv7())");
    let mut standby = primary.standby("scope-race");
    let faults = Faults::in_front_of(&mut standby);
    standby.start();
    let mut on_standby = standby.connect();
    wait_until("the standby has the extension", || {
        sql::value(&mut on_standby, "SELECT EXISTS (SELECT FROM pg_extension WHERE extname = 'uuidrfc')")
    });
    let process = sql::process(&mut on_standby);
    let mut made = collect(&mut on_standby, "SELECT uuidv7()");
    clock_of_primary.shift(HOUR);
    sql::run(&mut on_primary, "INSERT INTO kept DEFAULT VALUES");
    wait_until("the row is replayed", || sql::value(&mut on_standby, "SELECT EXISTS (SELECT FROM kept)"));
    made.extend(collect(&mut on_primary, "SELECT id FROM kept"));
    // The clock is past the limit, and recovery ends after the session's first check.
    faults.inject(process, &[(Fault::ClockAhead, 10), (Fault::EndOfRecovery, 2)]);
    made.extend(collect(&mut on_standby, "SELECT uuidv7() FROM generate_series(1, 100)"));
    faults.mend();
    assert_ascending("a standby, the old primary, and the standby after recovery", &made);
}

/// One standby after another is promoted, each before the clock reaches the limit.
#[test]
fn order_holds_through_two_promotions_in_a_row() {
    let first = Cluster::started("scope-first", &SERVER_SCOPE);
    let mut on_first = first.connect();
    sql::run(&mut on_first, "CREATE TABLE kept (n serial, id uuid PRIMARY KEY DEFAULT uuidv7())");
    let second = first.standby("scope-second");
    second.start();
    let third = second.standby("scope-third");
    third.start();
    for _ in 0..8 {
        sql::run(&mut on_first, "INSERT INTO kept DEFAULT VALUES; SELECT pg_sleep(0.1)");
    }
    let rows = "SELECT count(*) FROM kept";
    for (promoted, follower, of_both) in [(&second, Some(&third), 9), (&third, None, 10)] {
        let mut client = promoted.connect();
        wait_until("the rows are replayed", || sql::value::<i64>(&mut client, rows) == of_both - 1);
        promoted.promote();
        sql::run(&mut client, "INSERT INTO kept DEFAULT VALUES");
        if let Some(follower) = follower {
            let mut on_follower = follower.connect();
            wait_until("the next one has the row", || sql::value::<i64>(&mut on_follower, rows) == of_both);
        }
    }
    // PostgreSQL logs the values of a sequence in advance, so the numbers have gaps after a promotion, but are in the right
    // order.
    let kept = collect(&mut third.connect(), "SELECT id FROM kept ORDER BY n");
    assert_eq!(kept.len(), 10);
    assert_ascending("three primaries, one after the other", &kept);
}

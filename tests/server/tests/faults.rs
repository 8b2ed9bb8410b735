//! Allocations that fail, and statements that are canceled.

use std::fs;
use std::time::Instant;

use postgres::Client;
use server_tests::faults::{Fault, Faults};
use server_tests::uuids::{assert_ascending, collect};
use server_tests::{Cluster, SERVER_SCOPE, progress, sql};

/// While a session loads the library, all allocations from the n-th on fail, except those for thread-local variables: if these
/// failed, glibc would end the process.
#[test]
fn memory_that_is_out_while_the_library_is_loaded_is_an_error() {
    let (cluster, faults) = Cluster::started_behind("memory-load", &[], Faults::in_front_of);
    let mut failures = 0;
    for allocation in 1.. {
        let mut client = cluster.connect();
        let process = sql::process(&mut client);
        faults.inject(process, &[(Fault::Allocation, allocation), (Fault::AllLaterAllocations, 1)]);
        let result = client.batch_execute("LOAD 'uuidrfc'");
        let failed = faults.mend();
        match result {
            Ok(()) if !failed => break,
            Ok(()) => {}
            // PostgreSQL ends a session (FATAL) that lacks the memory to define a setting.
            Err(error) if error.is_closed() => {}
            Err(error) => {
                // PostgreSQL gives the loader's errors the SQLSTATE of a nonexistent file.
                let state = sql::sqlstate_of(&error);
                assert!(matches!(state.as_deref(), Some("53200" | "58P01")), "allocation {allocation}: {error:?}");
            }
        }
        failures += 1;
    }
    assert!(failures > 0, "no allocation failed");
    progress(&format!("{failures} times without memory, each time from one allocation later on"));
    assert!(!cluster.log().contains("terminated by signal"), "a process was ended");
}

/// Every allocation of a call that raises the limit (the high-water mark) fails once: the first in one run, the second in the next,
/// and so on. Before each run, the clock advances ten seconds, past the limit. The UUIDs generated between the runs ascend.
#[test]
fn memory_that_is_out_while_the_limit_is_raised_is_an_error() {
    let (cluster, faults) = Cluster::started_behind("memory-limit", &SERVER_SCOPE, Faults::in_front_of);
    let mut client = cluster.connect();
    let process = sql::process(&mut client);
    let limit = cluster.dir().join("data/uuidrfc.high_water_mark");
    let read_limit = || fs::read(&limit).expect("there is a limit");
    let mut generated = Vec::new();
    let mut ahead = 0;
    for call in ["uuidv7()", "uuidv6()", "uuidv1()", "uuidv7_array(2)"] {
        sql::run(&mut client, &format!("PREPARE \"{call}\" AS SELECT {call}; EXECUTE \"{call}\""));
        let mut before = Vec::new();
        for allocation in 1.. {
            ahead += 10;
            before = read_limit();
            faults.inject(process, &[(Fault::ClockAhead, ahead), (Fault::Allocation, allocation)]);
            let result = client.batch_execute(&format!("EXECUTE \"{call}\""));
            match (result, faults.mend()) {
                (Ok(()), true) => panic!("{call}: allocation {allocation} failed without an error"),
                (Ok(()), false) => {
                    assert!(allocation > 1, "{call}: no allocation failed");
                    progress(&format!("{call}: {} failed allocations", allocation - 1));
                    break;
                }
                (Err(error), _) => assert_eq!(sql::sqlstate_of(&error).as_deref(), Some("53200"), "{call}: {error:?}"),
            }
            generated.extend(collect(&mut client, "SELECT uuidv7()"));
        }
        assert_ne!(read_limit(), before, "{call} has not raised the limit");
    }
    assert_ascending("a connection that ran out of memory", &generated);
}

/// Rust ends the process if its allocator has no memory, and panics allocate. Generators and comparisons therefore neither use this
/// allocator nor panic, even in their first call or when they raise the limit. They use the stack, or PostgreSQL's allocator,
/// which raises an error.
#[test]
fn what_generates_or_compares_never_calls_the_allocator_of_rust() {
    // If a table were analyzed in the meantime, statements would be planned again, and planning allocates.
    let settings =
        [("shared_preload_libraries", "uuidrfc"), ("plan_cache_mode", "force_generic_plan"), ("autovacuum", "off")];
    let (cluster, faults) = Cluster::started_behind("allocator", &settings, Faults::in_front_of);
    sql::run(
        &mut cluster.connect(),
        "
         CREATE TABLE compared AS SELECT uuidv7() AS id, uuidv6() AS other, now() AS at FROM generate_series(1, 1000);
         CREATE INDEX ON compared (other uuid_time_ops)",
    );
    let generating = [
        "SELECT uuidv7(), uuidv6(), uuidv1(), uuidv4() FROM generate_series(1, 1000)",
        "SELECT uuidv7(interval '1 month') FROM generate_series(1, 1000)",
        "SELECT uuidv7_array(1000)",
    ];
    let comparing = [
        "SELECT id < at, id <= at, id >= at, id > at, at < id, at <= id, at >= id, at > id, id ~<~ at, id ~>=~ at, at ~>~ id, at ~<=~ id,
            id ~<~ other, id ~<=~ other, id ~>=~ other, id ~>~ other, uuid_extract_time(id), uuid_extract_version(id) FROM compared",
        "SELECT min(id), max(other) FROM (SELECT id, other FROM compared ORDER BY id USING ~<~) sorted",
        "SELECT count(*) OVER (ORDER BY other USING ~<~ RANGE BETWEEN '1 hour' PRECEDING AND CURRENT ROW) FROM compared",
        "SELECT count(*) FROM compared WHERE other ~>=~ at - interval '1 day' AND uuid_in_tstzmultirange(id, tstzmultirange(tstzrange(at, NULL)))",
    ];
    for scope in ["backend", "server"] {
        let mut client = cluster.connect();
        let process = sql::process(&mut client);
        sql::run(&mut client, &format!("SET uuidrfc.monotonic_scope = '{scope}'"));
        for (number, statement) in generating.iter().chain(&comparing).enumerate() {
            sql::run(&mut client, &format!("PREPARE s{number} AS {statement}"));
            // Planning may allocate, because it is guarded against a lack of memory.
            if number >= generating.len() {
                sql::run(&mut client, &format!("EXECUTE s{number}"));
            }
            // Each time, the clock is past the limit.
            for ahead in [0, 10, 20] {
                let seconds = ahead + 30 * i32::try_from(number).expect("a small number");
                faults.inject(process, &[(Fault::ClockAhead, seconds)]);
                sql::run(&mut client, &format!("EXECUTE s{number}"));
                assert_eq!(faults.allocations(), 0, "{statement}, {ahead} s ahead, scope {scope}");
                faults.mend();
            }
        }
        // This call, which allocates, shows that allocations are counted.
        faults.inject(process, &[]);
        assert_eq!(sql::sqlstate(&mut client, "SELECT uuid_decode('x', 'base58')"), "22P02");
        assert_ne!(faults.allocations(), 0, "the text of an error is allocated");
        faults.mend();
    }
    assert!(cluster.dir().join("data/uuidrfc.high_water_mark").exists(), "no limit was written");
}

#[test]
fn a_long_array_can_be_canceled() {
    let cluster = Cluster::started("canceled-array", &[("jit", "off")]);
    let mut client = cluster.connect();
    sql::run(
        &mut client,
        "CREATE TABLE item (id uuid PRIMARY KEY DEFAULT uuidv7());
         INSERT INTO item SELECT FROM generate_series(1, 1000); ANALYZE item; SET enable_seqscan = off",
    );
    // The first two statements read an array before the first row; the third returns one.
    for (question, is_condition) in [
        (
            "SELECT count(*) FROM item WHERE uuid_seal(id, decode(repeat('2a', 32), 'hex')) = ANY (
                 (SELECT array_fill('2eb8aa08-aa98-41ea-b441-9d0a9f5b7d07'::uuid, ARRAY[1000000]))::uuid[])",
            true,
        ),
        (
            "SELECT count(*) FROM item WHERE typeid_encode('user', id) = ANY (
                 (SELECT array_fill('user_01h455vb4pex5vsknk084sn02q'::text, ARRAY[1000000]))::text[])",
            true,
        ),
        ("SELECT cardinality(uuidv7_array(4000000))", false),
    ] {
        let plan: Vec<String> = sql::column(&mut client, &format!("EXPLAIN {question}"));
        assert_eq!(plan.iter().any(|line| line.contains("Index Cond")), is_condition, "{plan:#?}");
        // The query, which spends most of its time on the array, is canceled after a quarter of its duration. It must end then,
        // not only at PostgreSQL's own next check for interrupts. Other load on the machine may delay one run, but not all.
        let is_canceled_early = |client: &mut Client| {
            let start = Instant::now();
            sql::run(client, question);
            let whole = start.elapsed();
            let timeout = (whole / 4).as_millis().max(1);
            sql::run(client, &format!("BEGIN; SET LOCAL statement_timeout = {timeout}"));
            let start = Instant::now();
            assert_eq!(sql::sqlstate(client, question), "57014", "{question}");
            let canceled = start.elapsed();
            sql::run(client, "ROLLBACK");
            canceled < whole * 3 / 4
        };
        assert!((0..5).any(|_| is_canceled_early(&mut client)), "{question}");
    }
}

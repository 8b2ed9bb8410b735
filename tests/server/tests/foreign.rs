//! The time that the extension reads from UUIDs of other programs. For UUIDs of every version, `make crosscheck` compares what it
//! reads with Python's `uuid`, and the SQL test `coming_from` with what uuid-ossp generated.

use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use postgres::Client;
use server_tests::{Cluster, progress, sql};

/// Microseconds since 1970.
fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("the clock shows a time after 1970");
    i64::try_from(now.as_micros()).expect("the clock shows a time before the year 294247")
}

fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap_or_else(|error| panic!("{program}: {error}"));
    assert!(output.status.success(), "{program} {arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("a UUID is ASCII").trim().to_owned()
}

/// Generates a UUID as its arguments specify.
type Maker<'a> = &'a dyn Fn(&mut Client, &str) -> String;

#[test]
fn a_uuid_of_version_1_shows_when_it_was_made() {
    let cluster = Cluster::started("foreign", &[]);
    let mut client = cluster.connect();
    sql::run(&mut client, "CREATE EXTENSION \"uuid-ossp\"");
    let ossp = |client: &mut Client, call: &str| sql::value(client, &format!("SELECT {call}::text"));
    let uuidgen = |_: &mut Client, option: &str| output("uuidgen", &[option]);
    let python = |_: &mut Client, call: &str| output("python3", &["-c", &format!("import uuid; print(uuid.{call})")]);
    let makers: [(Maker<'_>, &str, u32); 5] = [
        (&ossp, "uuid_generate_v1()", 1_000),
        (&ossp, "uuid_generate_v1mc()", 1_000),
        (&uuidgen, "--time", 100),
        (&python, "uuid1()", 10),
        // These arguments bypass libuuid, which the interpreter may use.
        (&python, "uuid1(node=0x9F6BDECED846, clock_seq=0x33C8)", 10),
    ];
    for (make, how, count) in makers {
        for _ in 0..count {
            let before = now();
            let uuid = make(&mut client, how);
            let after = now();
            let read = format!(
                "SELECT uuid_extract_version(id), uuid_extract_variant(id),
                        (extract(epoch FROM uuid_extract_time(id)) * 1000000)::bigint FROM (SELECT '{uuid}'::uuid AS id) given"
            );
            let row = sql::row(&mut client, &read);
            assert_eq!((row.get(0), row.get(1)), (Some(1_i16), "rfc9562"), "{uuid} of {how}");
            let time: i64 = row.get(2);
            assert!(before <= time && time <= after, "{uuid} of {how}: {time} us, made from {before} to {after} us");
        }
        progress(&format!("{count} UUIDs of {how} show when they were made"));
    }
}

//! The version, variant and time that the extension reads from UUIDs of other programs.

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

/// Version, variant, and time in microseconds since 1970, as the extension reads them.
fn read(client: &mut Client, uuid: &str) -> (Option<i16>, String, Option<i64>) {
    let micros = "(extract(epoch FROM uuid_extract_time(id)) * 1000000)::bigint";
    let read = format!(
        "SELECT uuid_extract_version(id), uuid_extract_variant(id), {micros} FROM (SELECT '{uuid}'::uuid AS id) given"
    );
    let row = sql::row(client, &read);
    (row.get(0), row.get(1), row.get(2))
}

/// Generates UUIDs of version 1. The time of each must lie between readings of the clock before and after.
fn assert_shows_when_it_was_made(client: &mut Client, maker: &str, count: u32, make: impl Fn(&mut Client) -> String) {
    for _ in 0..count {
        let before = now();
        let uuid = make(client);
        let after = now();
        let (version, variant, time) = read(client, &uuid);
        assert_eq!((version, variant.as_str()), (Some(1), "rfc9562"), "{uuid} of {maker}");
        let time = time.unwrap_or_else(|| panic!("{uuid} of {maker} has no time"));
        assert!(
            before <= time && time <= after,
            "{uuid} of {maker} shows {time} us, made between {before} and {after} us"
        );
    }
    progress(&format!("{count} UUIDs of {maker} show when they were made"));
}

#[test]
fn uuid_ossp() {
    let cluster = Cluster::started("ossp", &[]);
    let mut client = cluster.connect();
    sql::run(&mut client, "CREATE EXTENSION \"uuid-ossp\"");
    for function in ["uuid_generate_v1()", "uuid_generate_v1mc()"] {
        let generate = format!("SELECT {function}::text");
        assert_shows_when_it_was_made(&mut client, function, 1_000, |client| sql::value(client, &generate));
    }
    for (call, version) in [
        ("uuid_generate_v3(uuid_ns_dns(), 'www.example.com')", 3),
        ("uuid_generate_v4()", 4),
        ("uuid_generate_v5(uuid_ns_dns(), 'www.example.com')", 5),
        ("gen_random_uuid()", 4),
    ] {
        let uuid: String = sql::value(&mut client, &format!("SELECT {call}::text"));
        assert_eq!(read(&mut client, &uuid), (Some(version), "rfc9562".to_owned(), None), "{uuid} of {call}");
    }
    let nil: String = sql::value(&mut client, "SELECT uuid_nil()::text");
    assert_eq!(read(&mut client, &nil), (None, "ncs".to_owned(), None));
}

#[test]
fn uuidgen() {
    let cluster = Cluster::started("uuidgen", &[]);
    let mut client = cluster.connect();
    assert_shows_when_it_was_made(&mut client, "uuidgen --time", 100, |_| output("uuidgen", &["--time"]));
    for (arguments, version) in [
        (["--random"].as_slice(), 4),
        (["--md5", "--namespace", "@dns", "--name", "www.example.com"].as_slice(), 3),
        (["--sha1", "--namespace", "@dns", "--name", "www.example.com"].as_slice(), 5),
    ] {
        let uuid = output("uuidgen", arguments);
        assert_eq!(
            read(&mut client, &uuid),
            (Some(version), "rfc9562".to_owned(), None),
            "{uuid} of uuidgen {arguments:?}"
        );
    }
}

#[test]
fn python() {
    let cluster = Cluster::started("python", &[]);
    let mut client = cluster.connect();
    let python = |call: &str| output("python3", &["-c", &format!("import uuid; print(uuid.{call})")]);
    assert_shows_when_it_was_made(&mut client, "Python's uuid1()", 10, |_| python("uuid1()"));
    // These arguments bypass libuuid, which the interpreter may use.
    let own = "uuid1(node=0x9F6BDECED846, clock_seq=0x33C8)";
    assert_shows_when_it_was_made(&mut client, "Python's uuid1(node, clock_seq)", 10, |_| python(own));
    for (call, version) in [
        ("uuid3(uuid.NAMESPACE_DNS, 'www.example.com')", 3),
        ("uuid4()", 4),
        ("uuid5(uuid.NAMESPACE_DNS, 'www.example.com')", 5),
    ] {
        let uuid = python(call);
        assert_eq!(read(&mut client, &uuid), (Some(version), "rfc9562".to_owned(), None), "{uuid} of {call}");
    }
}

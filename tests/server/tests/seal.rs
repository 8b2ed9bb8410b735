//! Seal keys: when a session reads their file, and that they appear nowhere else.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::time::Duration;

use postgres::Client;
use rfc9562::Uuid;
use rfc9562::seal::Sealer;
use server_tests::uuids::Id;
use server_tests::{Cluster, sql};

/// A key, as hexadecimal digits, that cannot be mistaken for anything else.
fn key(byte: &str) -> String {
    byte.repeat(32)
}

/// Writes the file that the setting of these tests names, as the server's user.
fn write_keys(client: &mut Client, lines: &[String]) {
    let rows: Vec<String> = lines.iter().map(|line| format!("('{line}')")).collect();
    // The statement itself must not show the keys.
    sql::run(client, "SET log_min_messages = panic; SET log_min_error_statement = panic; SET log_statement = 'none'");
    sql::run(client, &format!("COPY (VALUES {}) TO PROGRAM 'umask 077; cat > seal_keys'", rows.join(", ")));
    sql::run(client, "RESET log_min_messages; RESET log_min_error_statement; RESET log_statement");
}

const SEALED: &str = "SELECT uuid_seal('017f22e2-79b0-7cc3-98c4-dc0c0c07398f')::text";

fn sealed_by(client: &mut Client, byte: &str) -> String {
    sql::value(
        client,
        &format!("SELECT uuid_seal('017f22e2-79b0-7cc3-98c4-dc0c0c07398f', decode('{}', 'hex'))::text", key(byte)),
    )
}

/// A session that has read the file uses its new keys after a reload, and no old key if the file is then invalid.
#[test]
fn a_reload_brings_new_keys() {
    let cluster = Cluster::started("seal-reload", &[("uuidrfc.seal_key_file", "seal_keys")]);
    let mut client = cluster.connect();
    let mut writer = cluster.connect();
    write_keys(&mut writer, &[format!("1 {}", key("a1"))]);
    let (first, second) = (sealed_by(&mut writer, "a1"), sealed_by(&mut writer, "b2"));
    assert_eq!(sql::value::<String>(&mut client, SEALED), first);

    write_keys(&mut writer, &[format!("2 {}", key("b2")), format!("1 {}", key("a1"))]);
    assert_eq!(sql::value::<String>(&mut client, SEALED), first, "not reloaded yet");
    reload(&mut client);
    assert_eq!(sql::value::<String>(&mut client, SEALED), second);
    let back: bool = sql::value(
        &mut client,
        &format!(
            "SELECT uuid_unseal_with('{first}', 1) = uuid_unseal('{second}') AND uuid_unseal_with('{second}', 2) = uuid_unseal('{second}')"
        ),
    );
    assert!(back);

    write_keys(&mut writer, &["nonsense".to_owned()]);
    reload(&mut client);
    for _ in 0..2 {
        assert_eq!(sql::sqlstate(&mut client, SEALED), "F0000");
        assert_eq!(sql::sqlstate(&mut client, &format!("SELECT uuid_unseal_with('{first}', 1)")), "F0000");
    }
    // A new session, and one without a reload in which the file could not be used.
    write_keys(&mut writer, &[format!("2 {}", key("b2"))]);
    assert_eq!(sql::value::<String>(&mut client, SEALED), second);
    assert_eq!(sql::value::<String>(&mut cluster.connect(), SEALED), second);
}

/// Parallel workers would read the file when it may already have other keys, before the session has reloaded it or while its
/// statement runs.
#[test]
fn a_parallel_query_has_the_keys_of_its_session() {
    let cluster = Cluster::started("seal-parallel", &[("uuidrfc.seal_key_file", "seal_keys")]);
    let mut client = cluster.connect();
    let mut writer = cluster.connect();
    write_keys(&mut writer, &[format!("1 {}", key("a1"))]);
    sql::value::<String>(&mut client, SEALED);
    write_keys(&mut writer, &[format!("2 {}", key("b2")), format!("1 {}", key("a1"))]);
    sql::run(
        &mut client,
        "CREATE TABLE item AS SELECT uuidv7() AS id FROM generate_series(1, 100000);
         ANALYZE item;
         SET parallel_setup_cost = 0; SET parallel_tuple_cost = 0; SET min_parallel_table_scan_size = 0",
    );
    let by_old_key = format!("uuid_seal(id, decode('{}', 'hex'))", key("a1"));
    for query in [
        format!("SELECT count(*) FROM item WHERE uuid_seal(id) <> {by_old_key}"),
        format!("SELECT count(*) FROM item WHERE uuid_unseal({by_old_key}) <> id"),
        format!("SELECT count(*) FROM item WHERE uuid_unseal_with({by_old_key}, 1) <> id"),
        "SELECT count(*) FROM (SELECT id, uuid_seal(id) AS sealed FROM item OFFSET 0) made WHERE uuid_unseal(sealed) <> id"
            .to_owned(),
    ] {
        assert_eq!(sql::value::<i64>(&mut client, &query), 0, "{query}");
    }
}

/// Lets this session reload the configuration, and waits until it has.
fn reload(client: &mut Client) {
    let before: String = sql::value(client, "SELECT pg_conf_load_time()::text");
    sql::run(client, "SELECT pg_reload_conf()");
    for _ in 0..1_000 {
        if sql::value::<String>(client, "SELECT pg_conf_load_time()::text") != before {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    panic!("the session did not reload its configuration");
}

/// With all default logging and statistics, and more.
#[test]
fn keys_and_their_path_show_up_nowhere() {
    let cluster = Cluster::started(
        "seal-log",
        &[
            ("uuidrfc.seal_key_file", "seal_keys"),
            ("shared_preload_libraries", "pg_stat_statements,auto_explain"),
            ("auto_explain.log_min_duration", "0"),
            ("log_min_messages", "debug2"),
            ("log_statement", "ddl"),
        ],
    );
    let mut client = cluster.connect();
    sql::run(&mut client, "CREATE EXTENSION pg_stat_statements");
    sql::run(
        &mut client,
        "CREATE TABLE item (id uuid PRIMARY KEY DEFAULT uuidv7()); INSERT INTO item VALUES (DEFAULT)",
    );
    sql::run(&mut client, "CREATE ROLE plain; GRANT SELECT ON item TO plain");
    // The extension's own messages about an invalid and a valid file.
    let mut writer = cluster.connect();
    sql::run(
        &mut writer,
        "SET auto_explain.log_min_duration = -1; SET pg_stat_statements.track = none; SET pg_stat_statements.track_utility = off",
    );
    write_keys(&mut writer, &[format!("x {}", key("c3"))]);
    assert_eq!(sql::sqlstate(&mut client, SEALED), "F0000");
    write_keys(&mut writer, &[format!("1 {}", key("c3"))]);
    sql::run(&mut client, "SET ROLE plain");
    let plan = "EXPLAIN (VERBOSE, ANALYZE) SELECT uuid_seal(id) FROM item WHERE uuid_unseal(uuid_seal(id)) = id";
    let mut shown: Vec<String> = sql::rows(&mut client, plan).iter().map(|row| row.get(0)).collect();
    let condition =
        "EXPLAIN VERBOSE SELECT * FROM item WHERE uuid_seal(id) = gen_random_uuid() OR uuid_seal(id) = max_uuid()";
    shown.extend(sql::rows(&mut client, condition).iter().map(|row| row.get::<_, String>(0)));
    assert_eq!(sql::sqlstate(&mut client, "SELECT uuid_seal(max_uuid())"), "22023");
    assert_eq!(sql::sqlstate(&mut client, "SELECT uuid_unseal_with(gen_random_uuid(), 9)"), "22023");
    for setting in ["SHOW uuidrfc.seal_key_file", "SELECT current_setting('uuidrfc.seal_key_file')"] {
        assert_eq!(sql::sqlstate(&mut client, setting), "42501");
    }
    sql::run(&mut client, "RESET ROLE");
    reload(&mut client);
    sql::value::<String>(&mut client, SEALED);
    // A key as a parameter, in a call that fails.
    let bytes = vec![0xc3_u8; 32];
    let failed = client.query("SELECT uuid_seal(max_uuid(), $1)", &[&bytes]).expect_err("the Max UUID has no version");
    shown.push(format!("{failed:?}"));
    let failed = client.query("SELECT uuid_seal(id, $1) FROM item", &[&vec![0xc3_u8; 31]]).expect_err("31 bytes");
    shown.push(format!("{failed:?}"));
    let statements = sql::rows(&mut client, "SELECT query FROM pg_stat_statements");
    shown.extend(statements.iter().map(|row| row.get::<_, String>(0)));
    shown.push(cluster.log());
    let shown = shown.join("\n").to_lowercase();
    assert!(
        shown.contains("uuid_seal(item.id)") && shown.contains("unrecognized id of key"),
        "the log and the plans are read"
    );
    assert!(!shown.contains(&"c3".repeat(8)), "a key is shown");
    assert!(!shown.contains("seal_keys"), "the path is shown");
}

/// AES-256's key schedule (FIPS 197, section 5.2) backwards: the words before two consecutive round keys.
struct Schedule {
    substitutions: [u8; 256],
}

impl Schedule {
    fn new() -> Schedule {
        // In the field of 256 elements, 3 generates all but 0.
        let times_3 = |x: u8| x ^ x << 1 ^ if x & 0x80 != 0 { 0x1b } else { 0 };
        let mut powers = [1_u8; 256];
        for n in 1..256 {
            powers[n] = times_3(powers[n - 1]);
        }
        let mut substitutions = [0x63; 256];
        for n in 0..255 {
            let inverse = powers[(255 - n) % 255];
            let rotated = (1..5).fold(inverse, |sum, by| sum ^ inverse.rotate_left(by));
            substitutions[usize::from(powers[n])] = rotated ^ 0x63;
        }
        Schedule { substitutions }
    }

    fn substituted(&self, word: u32) -> u32 {
        u32::from_be_bytes(word.to_be_bytes().map(|byte| self.substitutions[usize::from(byte)]))
    }

    /// The value added to the word at this place, computed from the previous word.
    fn added(&self, place: usize, before: u32) -> u32 {
        match place % 8 {
            0 => self.substituted(before.rotate_left(8)) ^ 1 << (24 + place / 8 - 1),
            4 => self.substituted(before),
            _ => before,
        }
    }

    /// The round keys of a key: 15, of four words each.
    fn of_key(&self, key: &[u8; 32]) -> Vec<u32> {
        let mut words = words(key).to_vec();
        for place in 8..60 {
            words.push(words[place - 8] ^ self.added(place, words[place - 1]));
        }
        words
    }

    /// The key whose round keys `round` and `round + 1` these are, if there is one.
    fn key_of(&self, round: usize, two: &[u8; 32]) -> [u8; 32] {
        let mut last = words(two);
        for first in (0..4 * round).rev() {
            // The word before all of these: it and the seventh make the eighth.
            let before = last[7] ^ self.added(first + 8, last[6]);
            last.rotate_right(1);
            last[0] = before;
        }
        let mut key = [0; 32];
        for (bytes, word) in key.chunks_mut(4).zip(last) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        key
    }
}

fn words(bytes: &[u8; 32]) -> [u32; 8] {
    let mut words = [0; 8];
    for (word, bytes) in words.iter_mut().zip(bytes.chunks(4)) {
        *word = u32::from_be_bytes(*bytes.first_chunk().expect("four bytes"));
    }
    words
}

/// What an attacker who reads a process' stack would try: each 32 bytes there are a key, or two round keys. Returns the keys by
/// which a UUID becomes the one that was shown.
fn keys_on_stack(process: i32, uuid: Uuid, sealed: Uuid) -> Vec<[u8; 32]> {
    let maps = fs::read_to_string(format!("/proc/{process}/maps")).expect("the map of a server's process");
    let stack = maps.lines().find(|line| line.ends_with("[stack]")).expect("a process has a stack");
    let (start, end) = stack.split_once(' ').and_then(|(range, _)| range.split_once('-')).expect("a range");
    let [start, end] = [start, end].map(|address| u64::from_str_radix(address, 16).expect("hexadecimal"));
    let mut stack = vec![0; usize::try_from(end - start).expect("an address fits")];
    let memory = File::open(format!("/proc/{process}/mem")).expect("the memory of a server's process");
    memory.read_exact_at(&mut stack, start).expect("memory that is mapped");
    keys_in(&stack, uuid, sealed)
}

fn keys_in(memory: &[u8], uuid: Uuid, sealed: Uuid) -> Vec<[u8; 32]> {
    let schedule = Schedule::new();
    let mut found = Vec::new();
    for bytes in memory.windows(32).step_by(4) {
        let bytes: &[u8; 32] = bytes.first_chunk().expect("32 bytes");
        // Zeros and addresses have no more.
        if bytes.iter().filter(|byte| **byte == 0).count() > 8 {
            continue;
        }
        for round in 0..14 {
            let key = schedule.key_of(round, bytes);
            if Sealer::new(&key).and_then(|sealer| sealer.seal(uuid)) == Ok(sealed) && !found.contains(&key) {
                found.push(key);
            }
        }
    }
    found
}

#[test]
fn a_key_is_found_by_its_round_keys() {
    let schedule = Schedule::new();
    // FIPS 197, appendix A.3.
    let key = *b"\x60\x3d\xeb\x10\x15\xca\x71\xbe\x2b\x73\xae\xf0\x85\x7d\x77\x81\x1f\x35\x2c\x07\x3b\x61\x08\xd7\x2d\x98\x10\xa3\x09\x14\xdf\xf4";
    let round_keys = schedule.of_key(&key);
    assert_eq!((round_keys[8], round_keys[59]), (0x9ba3_5411, 0x706c_631e));
    let uuid = Uuid::from_u128(0x017f22e2_79b0_7cc3_98c4_dc0c0c07398f);
    let sealed = Sealer::new(&key).and_then(|sealer| sealer.seal(uuid)).expect("a key of 32 bytes");
    let bytes: Vec<u8> = round_keys.iter().flat_map(|word| word.to_be_bytes()).collect();
    for round in 0..14 {
        assert_eq!(keys_in(&bytes[16 * round..][..32], uuid, sealed), [key], "round keys {round} and {}", round + 1);
    }
}

/// Neither a key from a statement, nor keys from a file once it has others.
#[test]
fn no_key_stays_on_the_stack_of_an_idle_session() {
    let cluster = Cluster::started("seal-stack", &[("uuidrfc.seal_key_file", "seal_keys")]);
    let mut writer = cluster.connect();
    // Only the server knows them.
    let write_random = |writer: &mut Client| {
        sql::run(
            writer,
            "COPY (SELECT '1 ' || encode(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 'hex')) TO PROGRAM 'umask 077; cat > seal_keys'",
        );
    };
    write_random(&mut writer);
    let uuid = "'017f22e2-79b0-7cc3-98c4-dc0c0c07398f'::uuid";
    // With functions that leave nothing of it on the stack.
    let random_key = "(SELECT uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) OFFSET 0)";
    for (what, statement) in [
        ("uuid_seal(id, key)", format!("SELECT {uuid}, uuid_seal({uuid}, k) FROM {random_key} x (k)")),
        (
            "uuid_unseal(id, key)",
            format!(
                "SELECT uuid_unseal(sealed, k), sealed FROM (SELECT k, uuid_seal({uuid}, k) AS sealed FROM {random_key} x (k) OFFSET 0) y"
            ),
        ),
        (
            "many rows",
            format!("SELECT {uuid}, min(uuid_seal({uuid}, k)) FROM {random_key} x (k), generate_series(1, 1000)"),
        ),
        ("the file, then another", format!("SELECT {uuid}, uuid_seal({uuid})")),
        (
            "uuid_unseal(id), then another file",
            format!("SELECT uuid_unseal(sealed), sealed FROM (SELECT uuid_seal({uuid}) AS sealed OFFSET 0) y"),
        ),
    ] {
        for round in 0..4 {
            let mut client = cluster.connect();
            let process: i32 = sql::value(&mut client, "SELECT pg_backend_pid()");
            sql::value::<Id>(&mut client, "SELECT uuidv7()");
            let row = sql::row(&mut client, &statement);
            let (Id(uuid), Id(sealed)) = (row.get(0), row.get(1));
            if what.contains("file") {
                write_random(&mut writer);
                reload(&mut client);
                sql::value::<String>(&mut client, SEALED);
            }
            let found = keys_on_stack(process, uuid, sealed).len();
            assert_eq!(found, 0, "{what}, session {round}: a key can be computed from what is on the stack");
        }
    }
}

//! A session reads the key file when necessary, and neither shows keys in logs or plans nor leaves them on the stack.

use std::iter;

use postgres::Client;
use server_tests::uuids::Id;
use server_tests::{Cluster, process, sql, wait_until};

fn key(byte: &str) -> String {
    byte.repeat(32)
}

/// Writes the key file that these tests configure, as the server's user.
fn write_keys(client: &mut Client, lines: &[String]) {
    let rows: Vec<String> = lines.iter().map(|line| format!("('{line}')")).collect();
    // The log must not show the statement, which contains the keys.
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

/// After a reload, a session that has read the file uses the new keys or, if the file is now invalid, none.
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
    // The new file is used by a new session and, without a reload, by a session in which the previous file was invalid.
    write_keys(&mut writer, &[format!("2 {}", key("b2"))]);
    assert_eq!(sql::value::<String>(&mut client, SEALED), second);
    assert_eq!(sql::value::<String>(&mut cluster.connect(), SEALED), second);
}

/// Makes the server reload its configuration, and waits until the session has done so too.
fn reload(client: &mut Client) {
    let before: String = sql::value(client, "SELECT pg_conf_load_time()::text");
    sql::run(client, "SELECT pg_reload_conf()");
    wait_until("the session has reloaded its configuration", || {
        sql::value::<String>(client, "SELECT pg_conf_load_time()::text") != before
    });
}

/// Logging and statistics are more verbose than by default.
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
    // The session that writes the files is not logged, so only the extension can reveal the contents of a file.
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
    let mut shown = vec![sql::lines(&mut client, plan)];
    let condition =
        "EXPLAIN VERBOSE SELECT * FROM item WHERE uuid_seal(id) = gen_random_uuid() OR uuid_seal(id) = max_uuid()";
    shown.push(sql::lines(&mut client, condition));
    assert_eq!(sql::sqlstate(&mut client, "SELECT uuid_seal(max_uuid())"), "22023");
    assert_eq!(sql::sqlstate(&mut client, "SELECT uuid_unseal_with(gen_random_uuid(), 9)"), "22023");
    sql::run(&mut client, "RESET ROLE");
    reload(&mut client);
    sql::value::<String>(&mut client, SEALED);
    // These calls, which fail, have the key as a parameter.
    for (statement, bytes) in [("SELECT uuid_seal(max_uuid(), $1)", 32), ("SELECT uuid_seal(id, $1) FROM item", 31)] {
        let failed = client.query(statement, &[&vec![0xc3_u8; bytes]]).expect_err("no version 7, or 31 bytes");
        assert_eq!(sql::sqlstate_of(&failed).as_deref(), Some("22023"), "{failed:?}");
        shown.push(format!("{failed:?}"));
    }
    shown.push(sql::lines(&mut client, "SELECT query FROM pg_stat_statements"));
    shown.push(cluster.log());
    let shown = shown.join("\n").to_lowercase();
    assert!(
        shown.contains("uuid_seal(item.id)") && shown.contains("seal key 9 does not exist"),
        "the log and the plans are read"
    );
    assert!(!shown.contains(&"c3".repeat(8)), "a key is shown");
    assert!(!shown.contains("seal_keys"), "the path is shown");
}

/// Returns the 15 round keys, of 16 bytes each, of an AES-256 key (FIPS 197, section 5.2).
pub fn round_keys(key: &[u8]) -> Vec<u8> {
    // In the field of 256 elements, the powers of 3 are all elements but 0.
    let times_3 = |x: u8| x ^ x << 1 ^ if x & 0x80 != 0 { 0x1b } else { 0 };
    let powers: Vec<u8> = iter::successors(Some(1), |&x| Some(times_3(x))).take(256).collect();
    let mut substitutions = [0x63; 256];
    for n in 0..255 {
        let inverse = powers[255 - n];
        substitutions[usize::from(powers[n])] ^= (0..5).fold(0, |sum, by| sum ^ inverse.rotate_left(by));
    }
    let substituted = |word: [u8; 4]| word.map(|byte| substitutions[usize::from(byte)]);
    let mut words: Vec<[u8; 4]> = key.chunks(4).map(|word| *word.first_chunk().expect("four bytes")).collect();
    for n in 8..60 {
        let mut word = words[n - 1];
        if n % 8 == 0 {
            word.rotate_left(1);
            word = substituted(word);
            word[0] ^= 1 << (n / 8 - 1);
        } else if n % 8 == 4 {
            word = substituted(word);
        }
        words.push(std::array::from_fn(|byte| words[n - 8][byte] ^ word[byte]));
    }
    words.concat()
}

#[test]
fn round_keys_are_those_of_the_standard() {
    // The example is that of FIPS 197, appendix A.3.
    let key = b"\x60\x3d\xeb\x10\x15\xca\x71\xbe\x2b\x73\xae\xf0\x85\x7d\x77\x81\x1f\x35\x2c\x07\x3b\x61\x08\xd7\x2d\x98\x10\xa3\x09\x14\xdf\xf4";
    let round_keys = round_keys(key);
    assert_eq!((&round_keys[..32], round_keys.len()), (&key[..], 240));
    assert_eq!(round_keys[32..36], [0x9b, 0xa3, 0x54, 0x11]);
    assert_eq!(round_keys[236..], [0x70, 0x6c, 0x63, 0x1e]);
}

/// Neither a key that was an argument nor the keys of a file that has been replaced remain on the stack.
#[test]
fn no_key_stays_on_the_stack_of_an_idle_session() {
    let cluster = Cluster::started("seal-stack", &[("uuidrfc.seal_key_file", "seal_keys")]);
    let mut writer = cluster.connect();
    sql::run(&mut writer, "CREATE TABLE given (k bytea); INSERT INTO given VALUES ('')");
    // The session reads the key from a table or the file, so that none of its statements shows the key.
    let give = |writer: &mut Client| -> Vec<u8> {
        let key = "UPDATE given SET k = uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) RETURNING k";
        let key = sql::value(writer, key);
        let file = "COPY (SELECT '1 ' || encode(k, 'hex') FROM given) TO PROGRAM 'umask 077; cat > seal_keys'";
        sql::run(writer, file);
        key
    };
    let uuid = "'017f22e2-79b0-7cc3-98c4-dc0c0c07398f'::uuid";
    for statement in [
        format!("SELECT uuid_seal({uuid}, k) FROM given"),
        format!("SELECT uuid_unseal(sealed, k) FROM (SELECT k, uuid_seal({uuid}, k) AS sealed FROM given OFFSET 0) y"),
        format!("SELECT min(uuid_seal({uuid}, k)) FROM given, generate_series(1, 1000)"),
        // These calls use the key in the file; then the file is replaced.
        format!("SELECT uuid_seal({uuid})"),
        format!("SELECT uuid_unseal(sealed) FROM (SELECT uuid_seal({uuid}) AS sealed OFFSET 0) y"),
    ] {
        for round in 0..4 {
            let key = give(&mut writer);
            let mut client = cluster.connect();
            let process = sql::process(&mut client);
            sql::value::<Id>(&mut client, "SELECT uuidv7()");
            sql::value::<Id>(&mut client, &statement);
            let halves = round_keys(&key);
            let is_in = |memory: &[u8]| halves.chunks(8).any(|half| memory.windows(8).any(|bytes| bytes == half));
            if !statement.contains("given") {
                let kept = process::memory(process, |line| !line.ends_with("[stack]"));
                assert!(kept.iter().any(|memory| is_in(memory)), "{statement}: the session keeps its key");
                give(&mut writer);
                reload(&mut client);
                sql::value::<String>(&mut client, SEALED);
            }
            let stack = process::memory(process, |line| line.ends_with("[stack]")).concat();
            assert!(!is_in(&stack), "{statement}, session {round}: half a round key is on the stack");
        }
    }
}

//! Randomness is wiped after use. If the operating system provides none, the result is an error, never a UUID.

use postgres::Client;
use rfc9562::Uuid;
use server_tests::faults::{EIO, ENOENT, ENOSYS, Fault, Faults, KNOWN_RANDOMNESS};
use server_tests::uuids::{assert_ascending, assert_distinct, collect, stream};
use server_tests::{Cluster, process, progress, sql};

use crate::seal::round_keys;

/// Calls of the functions that generate UUIDs.
const GENERATORS: [&str; 8] = [
    "uuidv1()",
    "uuidv4()",
    "uuidv6()",
    "uuidv7()",
    "uuidv7(interval '1 day')",
    "uuidv7_at('2020-01-01')",
    "uuidv6_at('2020-01-01')",
    "unnest(uuidv7_array(10))",
];

fn connect(cluster: &Cluster) -> (Client, i32) {
    let mut client = cluster.connect();
    let process = sql::process(&mut client);
    (client, process)
}

#[test]
fn a_backend_without_randomness_generates_nothing() {
    let (cluster, faults) = Cluster::started_behind("entropy", &[], Faults::in_front_of);
    // The volatile functions in C that return UUIDs are generators and must be listed above.
    let generators = "SELECT DISTINCT proname::text FROM pg_depend d JOIN pg_proc p ON d.classid = 'pg_proc'::regclass AND d.objid = p.oid
        WHERE d.deptype = 'e' AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidrfc') AND provolatile = 'v'
            AND prolang = (SELECT oid FROM pg_language WHERE lanname = 'c') AND proname <> 'uuidv7_no_horizon'
            AND prorettype IN ('uuid'::regtype, 'uuid[]'::regtype)";
    for row in sql::rows(&mut cluster.connect(), generators) {
        let name: String = row.get(0);
        assert!(GENERATORS.iter().any(|call| call.contains(&format!("{name}("))), "{name} is not tested");
    }
    for call in GENERATORS {
        for (fault, getrandom_errno, device_errno) in
            [("getrandom() fails", EIO, 0), ("there is neither getrandom() nor a device", ENOSYS, ENOENT)]
        {
            // A new backend has no unused randomness.
            let (mut client, process) = connect(&cluster);
            faults.inject(process, &[(Fault::Getrandom, getrandom_errno), (Fault::RandomDevice, device_errno)]);
            for _ in 0..2 {
                let error = sql::error(&mut client, &format!("SELECT {call}"));
                assert_eq!(error.code().code(), "58000", "{call}, {fault}: {error:?}");
            }
            faults.mend();
            if getrandom_errno == EIO {
                collect(&mut client, &format!("SELECT {call}"));
            }
        }
    }
    // Under a kernel or in a sandbox without the system call, the device provides the operating system's randomness.
    let (mut client, process) = connect(&cluster);
    faults.inject(process, &[(Fault::Getrandom, ENOSYS)]);
    let mut uuids = collect(&mut client, "SELECT uuidv4() FROM generate_series(1, 10000)");
    faults.mend();
    uuids.extend(collect(&mut client, "SELECT uuidv4() FROM generate_series(1, 10000)"));
    assert_distinct("a connection without the system call", uuids);
}

#[test]
fn randomness_that_ends_while_generating_ends_the_statement() {
    let (cluster, faults) = Cluster::started_behind("entropy-ends", &[], Faults::in_front_of);
    let (mut client, process) = connect(&cluster);
    sql::run(&mut client, "CREATE TABLE kept (id uuid DEFAULT uuidv7(), n int)");
    let mut generated = collect(&mut client, "SELECT uuidv7() FROM generate_series(1, 100)");
    faults.inject(process, &[(Fault::Getrandom, EIO)]);
    // Calls fail only after the stored randomness has been used up.
    let before = generated.len();
    let error = stream(&mut client, "SELECT uuidv7() FROM generate_series(1, 100000)", |uuid| generated.push(uuid))
        .expect_err("a hundred thousand values need more randomness");
    assert_eq!(sql::sqlstate_of(&error).as_deref(), Some("58000"), "{error:?}");
    progress(&format!("{} values of randomness in stock before the error", generated.len() - before));
    assert_eq!(sql::sqlstate(&mut client, "SELECT uuidv7_array(100000)"), "58000");
    assert_eq!(sql::sqlstate(&mut client, "INSERT INTO kept (n) VALUES (1)"), "58000");
    assert_eq!(sql::value::<i64>(&mut client, "SELECT count(*) FROM kept"), 0);

    faults.mend();
    sql::run(&mut client, "INSERT INTO kept (n) SELECT generate_series(1, 1000)");
    generated.extend(collect(&mut client, "SELECT id FROM kept ORDER BY n"));
    assert_ascending("a connection whose randomness was interrupted", &generated);
    assert_distinct("a connection whose randomness was interrupted", generated);
}

/// Randomness is drawn in blocks and kept in the library's memory. Anyone who reads that memory, or a core dump, may learn about
/// future UUIDs, but nothing about those already generated.
#[test]
fn used_randomness_is_wiped() {
    let cluster = Cluster::started("wiped", &[]);
    let (mut client, process) = connect(&cluster);
    // The calls use several blocks. The first block suffices for 16 of these UUIDs, and each later one for 256.
    collect(&mut client, "SELECT uuidv4()");
    for number in 2..=600 {
        let before = library_memory(process);
        let uuid = collect(&mut client, "SELECT uuidv4()")[0];
        let after = library_memory(process);
        let [first, second] = random_bytes(uuid);
        // Except for the first UUID of a block, both words were in this memory before, which shows that randomness is kept there.
        let in_stock = contains(&before, &first) && contains(&before, &second);
        assert!(in_stock || number % 256 == 17, "{uuid}, number {number}, does not consist of randomness in stock");
        assert!(!contains(&after, &first) && !contains(&after, &second), "{uuid}, number {number}, is still in memory");
    }
}

/// A key determines a whole block, and two consecutive round keys determine the key. Once the block is generated, none of them may
/// remain in the library's memory, on the unused part of the stack or on the heap, because an attacker who has them could compute
/// UUIDs that were already returned.
#[test]
fn the_key_is_forgotten() {
    let (cluster, faults) = Cluster::started_behind("key", &[], Faults::in_front_of);
    let round_keys = round_keys(&KNOWN_RANDOMNESS);
    for generating in ["uuidv4()", "uuidv7()"] {
        // The 33rd random word is the first to come from a block generated with a key.
        for values in [33, 40, 200] {
            let (mut client, process) = connect(&cluster);
            faults.inject(process, &[(Fault::KnownRandomness, 1)]);
            let generated = format!("SELECT {generating} FROM generate_series(1, {values})");
            let generated = collect(&mut client, &generated);
            let memory = process::memory(process, |_| true);
            faults.mend();
            // The first block, which contains the second word, is the known randomness itself.
            let [_, second] = random_bytes(generated[0]);
            assert!(contains(&KNOWN_RANDOMNESS, &second[..3]), "{generating}: {}", generated[0]);
            for memory in &memory {
                for half in round_keys.chunks(8) {
                    assert!(!contains(memory, half), "{generating}, {values} times: half a round key is in memory");
                }
            }
        }
    }
}

/// Returns seven bytes of each of the two random words of a version 4 UUID, in memory order.
fn random_bytes(uuid: Uuid) -> [[u8; 7]; 2] {
    let bits = uuid.to_u128();
    let words = [(bits >> 80) << 12 | (bits >> 64) & 0xfff, bits];
    words.map(|word| *word.to_le_bytes().first_chunk().expect("seven of sixteen bytes"))
}

fn contains(memory: &[u8], bytes: &[u8]) -> bool {
    memory.windows(bytes.len()).any(|window| window == bytes)
}

fn library_memory(process: i32) -> Vec<u8> {
    // In the map, the library's zero-initialized memory has no name and follows the parts of the library's file.
    let mut of_library = false;
    let memory = process::memory(process, |line| {
        let named = line.ends_with("/uuidrfc.so");
        of_library = named || of_library && line.ends_with(" 0 ");
        of_library
    });
    memory.concat()
}

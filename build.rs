//! Sets a `cfg` for each difference between PostgreSQL versions that affects the code, and the linker options by which `src/raw.rs`
//! replaces functions.

use std::env;

/// Each condition, with the first major version of PostgreSQL that meets it.
const SINCE: [(&str, u32); 14] = [
    ("early_max_backends", 15),    // `MaxBackends` is set before libraries request shared memory
    ("reserved_prefixes", 15),     // `MarkGUCPrefixReserved` exists
    ("unsigned_comparator", 15),   // `ssup_datum_unsigned_cmp` exists
    ("object_aclcheck", 16),       // this function replaces those for individual kinds of objects
    ("outer_join_clones", 16),     // `RestrictInfo` records clones, and sets of relations include outer joins
    ("named_dsm", 17),             // `GetNamedDSMSegment` provides shared memory by name, at any time
    ("infinite_intervals", 17),    // intervals may be infinite
    ("not_null_columns", 17),      // a `RelOptInfo` contains the set of the relation's NOT NULL columns
    ("core_extracts_v7", 18),      // PostgreSQL's own `uuid_extract_timestamp` reads the time of version 7
    ("compare_types", 18),         // a pathkey has a `CompareType` in place of a btree strategy
    ("counted_index_scans", 18),   // `index_beginscan` has a parameter for instrumentation
    ("index_scan_flags", 19),      // `index_beginscan` has a parameter for flags
    ("named_dsm_argument", 19),    // `GetNamedDSMSegment` passes an argument to its callback
    ("build_simple_rel_hook", 19), // this hook replaces `get_relation_info_hook`
];

/// The major versions that have been checked for two requirements of `src/horizon.rs` on the field `snapXactCompletionCount`: only
/// `GetSnapshotDataReuse` may read the field, and only where snapshots are computed; each function that copies a snapshot
/// (`CopySnapshot`, and `RestoreSnapshot` in parallel workers) must set the copy's field to 0. The server test
/// `each_copy_of_a_snapshot_begins_without_a_horizon` fails if a copy has another value.
const SNAPSHOT_FIELD_CHECKED: [u32; 6] = [
    14, // by the test, on a server built from source; the first version with the field
    15, // read in 15.18
    16, // by the test, on a server built from source; 15 and 17 have the same code
    17, // read in 17.11
    18, // read in 18.6
    19, // by the test
];

/// The functions of PostgreSQL and of the C library that `src/raw.rs` replaces within this library.
const REPLACED: [&str; 3] = ["CopyErrorData", "FreeErrorData", "__cxa_thread_atexit_impl"];

fn main() {
    let features = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let major = features.filter_map(|name| name.strip_prefix("CARGO_FEATURE_PG")?.parse::<u32>().ok()).max();
    for (name, since) in SINCE {
        println!("cargo::rustc-check-cfg=cfg({name})");
        if major >= Some(since) {
            println!("cargo::rustc-cfg={name}");
        }
    }
    if let Some(major) = major.filter(|major| !SNAPSHOT_FIELD_CHECKED.contains(major)) {
        panic!("read GetSnapshotDataReuse of PostgreSQL {major}, and add {major} to SNAPSHOT_FIELD_CHECKED");
    }
    for function in REPLACED {
        println!("cargo::rustc-cdylib-link-arg=-Wl,--wrap={function}");
    }
    println!("cargo::rerun-if-changed=build.rs");
}

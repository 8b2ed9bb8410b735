//! What PostgreSQL's versions differ in, as far as the code does: each is named here, and nowhere else by a version.

use std::env;

/// The first major version that has it.
const SINCE: [(&str, u32); 16] = [
    // `MaxBackends` is set before libraries ask for shared memory.
    ("early_max_backends", 15),
    // `MarkGUCPrefixReserved`.
    ("reserved_prefixes", 15),
    // `ssup_datum_unsigned_cmp`.
    ("unsigned_comparator", 15),
    // `object_aclcheck` in the place of a function for each kind of object.
    ("object_aclcheck", 16),
    // Conditions know of which outer joins they are clones, and tables' sets have outer joins.
    ("outer_join_clones", 16),
    // Shared memory by name, at any time: `GetNamedDSMSegment`.
    ("named_dsm", 17),
    ("infinite_intervals", 17),
    // A relation of the planner has the set of its columns that are not null.
    ("not_null_columns", 17),
    // B-trees skip, if their operator class has support function 6.
    ("skip_scan", 18),
    // `uuid_extract_timestamp` knows version 7.
    ("core_extracts_v7", 18),
    // The planner's tables have one of kind `RTE_GROUP`.
    ("group_tables", 18),
    // A pathkey has a `CompareType` in the place of a btree strategy.
    ("compare_types", 18),
    // `index_beginscan` counts what it does.
    ("counted_index_scans", 18),
    // `index_beginscan` has flags.
    ("index_scan_flags", 19),
    // `GetNamedDSMSegment` hands an argument on.
    ("named_dsm_argument", 19),
    // `build_simple_rel_hook` in the place of `get_relation_info_hook`.
    ("build_simple_rel_hook", 19),
];

/// The major versions of which it was checked that a copy of a snapshot may carry a value in `snapXactCompletionCount`, as
/// `src/horizon.rs` has it. `GetSnapshotDataReuse` alone must read the field, of the structures that snapshots are made in, and
/// each function that makes a copy must set it to 0: `CopySnapshot`, and `RestoreSnapshot` in parallel workers. The server test
/// `each_copy_of_a_snapshot_begins_without_a_horizon` fails where copies begin with a value.
const SNAPSHOT_FIELD_CHECKED: [u32; 6] = [
    14, // the first with the field; by the test
    15, // read in 15.18
    16, // by the test; 15 and 17 have the same
    17, // read in 17.11
    18, // read in 18.6
    19, // by the test
];

/// Functions of PostgreSQL and of the C library that src/raw.rs has in their place, for this library alone.
const REPLACED: [&str; 3] = ["CopyErrorData", "FreeErrorData", "__cxa_thread_atexit_impl"];

/// Sets a condition `cfg(NAME)` for each that the server of the feature `pgNN` has.
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
        panic!("read GetSnapshotDataReuse of PostgreSQL {major}, and add it to SNAPSHOT_FIELD_CHECKED in build.rs");
    }
    for function in REPLACED {
        println!("cargo::rustc-cdylib-link-arg=-Wl,--wrap={function}");
    }
    println!("cargo::rerun-if-changed=build.rs");
}

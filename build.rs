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
    println!("cargo::rerun-if-changed=build.rs");
}

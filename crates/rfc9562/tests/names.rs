//! Name-based UUIDs against the vectors of the RFC and its drafts, and of other implementations.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use proptest::prelude::*;
use rfc9562::name::{Hash, namespace, namespace_name};
use rfc9562::{Error, Uuid, v3, v5, v8};

/// Columns: function, hash, namespace, name, uuid, source.
const VECTORS: &str = include_str!("vectors/names.csv");

#[test]
fn vectors() {
    let mut count = 0;
    for line in VECTORS.lines().skip(1) {
        let [function, hash, ns, name, expected, source] = line.split(',').collect::<Vec<_>>()[..] else {
            panic!("not six columns: {line}");
        };
        let ns = namespace(ns).unwrap();
        let made = match function {
            "v3" => v3::from_name(ns, [name]),
            "v5" => v5::from_name(ns, [name]),
            "v8" => v8::from_name(ns, [name], hash.parse().unwrap()),
            "v8_hashspace" => v8::from_name_in_hashspace(hash.parse().unwrap(), ns, [name]),
            _ => panic!("no such function: {function}"),
        };
        assert_eq!(made.to_string(), expected, "{function} {hash} of {name:?} ({source})");
        count += 1;
    }
    assert!(count > 60);
}

proptest! {
    /// How a name is cut into pieces makes no difference.
    #[test]
    fn pieces(ns: u128, name: Vec<u8>, cuts: [prop::sample::Index; 2], which in 0..12_usize) {
        let ns = Uuid::from_u128(ns);
        let mut cuts = cuts.map(|cut| cut.index(name.len() + 1));
        cuts.sort_unstable();
        let pieces = || [&name[..cuts[0]], &name[cuts[0]..cuts[1]], &name[cuts[1]..]];
        let hash = Hash::ALL[which];
        prop_assert_eq!(v3::from_name(ns, pieces()), v3::from_name(ns, [&name]));
        prop_assert_eq!(v5::from_name(ns, pieces()), v5::from_name(ns, [&name]));
        prop_assert_eq!(v8::from_name(ns, pieces(), hash), v8::from_name(ns, [&name], hash));
    }

    /// The hashspace form hashes the hashspace ID first.
    #[test]
    fn hashspace_is_a_prefix(ns: u128, name: Vec<u8>, which in 0..12_usize) {
        let ns = Uuid::from_u128(ns);
        let hash = Hash::ALL[which];
        let rest = [&ns.as_bytes()[..], &name];
        prop_assert_eq!(v8::from_name_in_hashspace(hash, ns, [&name]), v8::from_name(hash.hashspace(), rest, hash));
    }

    #[test]
    fn fields_come_back(a in 0..1_u64 << 48, b in 0..1_u64 << 12, c in 0..1_u64 << 62) {
        let uuid = v8::from_fields(a, b, c).unwrap();
        prop_assert_eq!((uuid.version(), v8::fields(uuid)), (Some(8), (a, b, c)));
    }
}

#[test]
fn fields_out_of_range() {
    let refused = |field, bits| Err(Error::FieldOutOfRange { version: 8, field, bits });
    assert!(v8::from_fields((1 << 48) - 1, (1 << 12) - 1, (1 << 62) - 1).is_ok());
    assert_eq!(v8::from_fields(1 << 48, 0, 0), refused("custom_a", 48));
    assert_eq!(v8::from_fields(0, 1 << 12, 0), refused("custom_b", 12));
    assert_eq!(v8::from_fields(0, 0, 1 << 62), refused("custom_c", 62));
    assert_eq!(v8::from_fields(u64::MAX, 0, 0), refused("custom_a", 48));
}

#[test]
fn hashes_and_hashspaces_are_one_to_one() {
    for (hash, name) in Hash::ALL.into_iter().zip(Hash::NAMES) {
        assert_eq!(hash.name(), name);
        assert_eq!(name.parse(), Ok(hash));
        assert_eq!(name.to_uppercase().parse(), Ok(hash));
        assert_eq!(Hash::of_hashspace(hash.hashspace()), Ok(hash));
        assert_eq!(hash.hashspace().version(), Some(4));
    }
}

#[test]
fn namespaces() {
    for name in ["dns", "url", "oid", "x500"] {
        assert_eq!(namespace_name(namespace(name).unwrap()), Some(name));
        assert_eq!(namespace(&name.to_uppercase()), namespace(name));
    }
    // "SHOULD NOT be used as a Namespace ID"
    assert_eq!(namespace_name(Uuid::from_u128(0x6ba7b813_9dad_11d1_80b4_00c04fd430c8)), None);
}

#[test]
fn unknown_names_are_refused() {
    assert_eq!(namespace("dns ").unwrap_err().to_string(), "unrecognized namespace: \"dns \"");
    assert_eq!("md5".parse::<Hash>().unwrap_err().to_string(), "unrecognized hash algorithm: \"md5\"");
    assert_eq!(Hash::of_hashspace(Uuid::NIL), Err(Error::UnknownHashspace { hashspace: Uuid::NIL }));
}

//! Name-based UUIDs against the vectors of the RFC and its drafts, and of other implementations.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use proptest::prelude::*;
use proptest::sample::select;
use rfc9562::name::{Hash, Hashspace, Namespace};
use rfc9562::{Error, Uuid, v3, v5, v8};

/// Columns: function, hash, namespace, name, uuid, source.
const VECTORS: &str = include_str!("vectors/names.csv");

fn vectors() -> Vec<[String; 6]> {
    csv::Reader::from_reader(VECTORS.as_bytes()).into_deserialize().map(|row| row.unwrap()).collect()
}

/// Names are compared as they are written in the vectors, so each with the result of its namespace or its hash.
#[test]
fn every_function_hash_and_namespace_gives_its_vectors() {
    for [function, hash, namespace, name, expected, source] in vectors() {
        let ns = namespace.parse::<Namespace>().unwrap().id();
        let made = match &function[..] {
            "v3" => v3::from_name(ns, [&name]),
            "v5" => v5::from_name(ns, [&name]),
            "v8" => v8::from_name(ns, [&name], hash.parse().unwrap()),
            "v8_hashspace" => v8::from_name_in_hashspace(hash.parse().unwrap(), ns, [&name]),
            _ => panic!("no such function: {function}"),
        };
        assert_eq!(made.to_string(), expected, "{function} {hash} of {name:?} ({source})");
    }
    let given = |function: &str, hash: &str| vectors().iter().any(|row| row[0] == function && row[1] == hash);
    for hash in Hash::NAMES {
        assert!(given("v8", hash), "no vector of {hash}");
    }
    for hash in Hashspace::NAMES {
        assert!(given("v8_hashspace", hash), "no vector of the hashspace of {hash}");
    }
    for namespace in Namespace::NAMES {
        assert!(vectors().iter().any(|row| row[2] == *namespace), "no vector of {namespace}");
    }
}

proptest! {
    /// How a name is cut into pieces makes no difference.
    #[test]
    fn pieces(ns: u128, name: Vec<u8>, cuts: [prop::sample::Index; 2], hash in select(Hash::ALL)) {
        let ns = Uuid::from_u128(ns);
        let mut cuts = cuts.map(|cut| cut.index(name.len() + 1));
        cuts.sort_unstable();
        let pieces = || [&name[..cuts[0]], &name[cuts[0]..cuts[1]], &name[cuts[1]..]];
        prop_assert_eq!(v3::from_name(ns, pieces()), v3::from_name(ns, [&name]));
        prop_assert_eq!(v5::from_name(ns, pieces()), v5::from_name(ns, [&name]));
        prop_assert_eq!(v8::from_name(ns, pieces(), hash), v8::from_name(ns, [&name], hash));
    }

    /// The hashspace form hashes the hashspace ID first.
    #[test]
    fn hashspace_is_a_prefix(ns: u128, name: Vec<u8>, hashspace in select(Hashspace::ALL)) {
        let ns = Uuid::from_u128(ns);
        let rest = [&ns.as_bytes()[..], &name];
        let prefixed = v8::from_name(hashspace.id(), rest, hashspace.hash());
        prop_assert_eq!(v8::from_name_in_hashspace(hashspace, ns, [&name]), prefixed);
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
    for hash in Hash::ALL {
        assert_eq!(hash.name().to_uppercase().parse(), Ok(*hash));
        assert!(Hashspace::ALL.iter().filter(|hashspace| hashspace.hash() == *hash).count() <= 1, "{hash:?}");
    }
    for hashspace in Hashspace::ALL {
        assert_eq!(hashspace.hash().name().to_uppercase().parse(), Ok(*hashspace));
        assert_eq!(Hashspace::from_id(hashspace.id()), Ok(*hashspace));
        assert_eq!(hashspace.id().version(), Some(4));
    }
}

#[test]
fn namespaces() {
    for namespace in Namespace::ALL {
        assert_eq!(Namespace::from_id(namespace.id()), Some(*namespace));
        assert_eq!(namespace.name().to_uppercase().parse(), Ok(*namespace));
    }
    // "SHOULD NOT be used as a Namespace ID"
    assert_eq!(Namespace::from_id(Uuid::from_u128(0x6ba7b813_9dad_11d1_80b4_00c04fd430c8)), None);
}

#[test]
fn unknown_names_are_refused() {
    assert_eq!("dns ".parse::<Namespace>().unwrap_err().to_string(), "unrecognized namespace");
    assert_eq!("md5".parse::<Hash>().unwrap_err().to_string(), "unrecognized hash algorithm");
    let no_hashspace = Error::UnknownName { kind: "hash algorithm", known: Hashspace::NAMES };
    assert_eq!("md5".parse::<Hashspace>(), Err(no_hashspace));
    let unknown = Hashspace::from_id(Uuid::NIL).unwrap_err();
    assert_eq!(unknown, Error::UnknownHashspace { hashspace: Uuid::NIL });
    assert_eq!(unknown.to_string(), "unrecognized hashspace: \"00000000-0000-0000-0000-000000000000\"");
}

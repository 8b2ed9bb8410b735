//! Name-based UUIDs against vectors from the RFC, its drafts and other implementations.

use rfc9562::name::{Hash, Namespace};
use rfc9562::{Error, Uuid, v3, v5, v8};

/// Columns: function, hash, namespace, name, uuid, source.
const VECTORS: &str = include_str!("vectors/names.csv");

fn vectors() -> Vec<[String; 6]> {
    csv::Reader::from_reader(VECTORS.as_bytes()).into_deserialize().map(|row| row.unwrap()).collect()
}

#[test]
fn every_function_hash_and_namespace_gives_its_vectors() {
    for [function, hash, namespace, name, expected, source] in vectors() {
        let ns = namespace.parse::<Namespace>().unwrap().id();
        let made = match &function[..] {
            "v3" => v3::from_name(ns, name.as_bytes()),
            "v5" => v5::from_name(ns, name.as_bytes()),
            "v8" => v8::from_name(ns, name.as_bytes(), hash.parse().unwrap()),
            _ => panic!("no such function: {function}"),
        };
        assert_eq!(made.to_string(), expected, "{function} {hash} of {name:?} ({source})");
    }
    for hash in Hash::NAMES {
        assert!(vectors().iter().any(|row| row[0] == "v8" && row[1] == *hash), "no vector of {hash}");
    }
    for namespace in Namespace::NAMES {
        assert!(vectors().iter().any(|row| row[2] == *namespace), "no vector of {namespace}");
    }
}

/// RFC 9562, section 6.6: "SHOULD NOT be used as a Namespace ID"
#[test]
fn one_id_of_the_series_is_no_namespace() {
    let id = Uuid::from_u128(0x6ba7b813_9dad_11d1_80b4_00c04fd430c8);
    assert!(Namespace::ALL.iter().all(|namespace| namespace.id() != id));
}

/// One enum stands for all whose names SQL reads, because a macro declares them.
#[test]
fn names_are_read_in_either_case_and_nothing_else_is() {
    for hash in Hash::ALL {
        assert_eq!(hash.name().to_uppercase().parse(), Ok(*hash));
    }
    for wrong in ["", "md5", "sha256 "] {
        assert_eq!(wrong.parse::<Hash>(), Err(Error::UnknownName { kind: "hash algorithm", known: Hash::NAMES }));
    }
}

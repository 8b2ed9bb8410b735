//! TypeIDs: the specification's vectors, another implementation, and texts one edit away from valid ones.

use proptest::prelude::*;
use rfc9562::Uuid;
use rfc9562::text::typeid;
use type_safe_id::{DynamicType, TypeSafeId};

/// Columns: name, typeid, prefix, uuid, whether the TypeID is valid, source (or why the TypeID is invalid). The sources
/// are the specification's valid.json and invalid.json, its text, and the implementation in Go.
const VECTORS: &str = include_str!("vectors/typeid.csv");

fn vectors() -> Vec<[String; 6]> {
    csv::Reader::from_reader(VECTORS.as_bytes()).into_deserialize().map(|row| row.unwrap()).collect()
}

#[test]
fn vectors_are_read_and_written_or_refused() {
    let (mut valid, mut invalid) = (0, 0);
    for [name, text, prefix, uuid, is_valid, reason] in vectors() {
        if is_valid == "true" {
            let uuid: Uuid = uuid.parse().unwrap();
            assert_eq!(typeid::decode(text.as_bytes()), Ok((&*prefix, uuid)), "{name}");
            assert_eq!(*typeid::encode(prefix.as_bytes(), uuid).unwrap(), *text.as_bytes(), "{name}");
            valid += 1;
        } else {
            assert!(typeid::decode(text.as_bytes()).is_err(), "{name}: {reason}");
            invalid += 1;
        }
    }
    assert!(valid > 20 && invalid > 30, "{valid} and {invalid}");
}

#[test]
fn the_rule_that_is_broken_is_named() {
    let mut rows = 0;
    for row in csv::Reader::from_reader(&include_bytes!("vectors/typeid_rules.csv")[..]).into_deserialize() {
        let (text, rule): (String, String) = row.unwrap();
        assert_eq!(typeid::decode(text.as_bytes()).unwrap_err().to_string(), rule, "{text}");
        rows += 1;
    }
    assert_eq!(rows, 20);
    for prefix in [&b"_"[..], b"a_", b"A", b"\xff", &[b'a'; 64]] {
        assert_eq!(typeid::encode(prefix, Uuid::NIL).err(), typeid::check_prefix(prefix).err());
        assert!(typeid::check_prefix(prefix).is_err());
    }
    assert!(typeid::encode(&[b'a'; 63], Uuid::NIL).is_ok());
    for text in [&b"\xff_01h455vb4pex5vsknk084sn02q"[..], b"user_\xff", b"user_01h455vb4pex5vsknk084sn02\xff"] {
        assert!(typeid::decode(text).is_err(), "not UTF-8");
    }
}

fn read_by_another(text: &str) -> Option<(String, u128)> {
    let read: TypeSafeId<DynamicType> = text.parse().ok()?;
    Some((read.type_prefix().to_owned(), read.uuid().as_u128()))
}

#[track_caller]
fn compare(text: &str) {
    let ours = typeid::decode(text.as_bytes()).ok().map(|(prefix, uuid)| (prefix.to_owned(), uuid.to_u128()));
    assert_eq!(ours, read_by_another(text), "{text:?}");
}

#[test]
fn another_implementation_reads_the_same_one_edit_away() {
    for text in ["a_b_7zzzzzzzzzzzzzzzzzzzzzzzzz", "01h455vb4pex5vsknk084sn02q"] {
        compare(text);
        for place in 0..=text.len() {
            let (head, tail) = text.split_at(place);
            for character in ('\0'..='\u{ff}').chain(['ｑ']) {
                compare(&format!("{head}{character}{tail}"));
                compare(&format!("{head}{character}{}", tail.get(1..).unwrap_or("")));
            }
            compare(&format!("{head}{}", tail.get(1..).unwrap_or("")));
        }
    }
    for [_, text, ..] in vectors() {
        compare(&text);
    }
}

proptest! {
    #[test]
    fn another_implementation_reads_what_is_written(prefix in "([a-z]([a-z_]{0,61}[a-z])?)?", number in any::<u128>()) {
        let text = typeid::encode(prefix.as_bytes(), Uuid::from_u128(number)).unwrap();
        prop_assert_eq!(typeid::decode(&text), Ok((&*prefix, Uuid::from_u128(number))));
        prop_assert_eq!(read_by_another(str::from_utf8(&text).unwrap()), Some((prefix, number)));
    }

    #[test]
    fn another_implementation_reads_the_same(text in "[a-z_A-Z0-9]{0,3}_?[0-9a-z]{25,27}") {
        compare(&text);
    }

    #[test]
    fn order_is_the_uuids(left in any::<u128>(), right in any::<u128>()) {
        let text = |number| typeid::encode(b"user", Uuid::from_u128(number)).unwrap();
        prop_assert_eq!(text(left).cmp(&text(right)), left.cmp(&right));
    }
}

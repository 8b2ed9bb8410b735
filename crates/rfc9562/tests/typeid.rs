//! TypeIDs: the specification's vectors, another implementation, and texts one edit away from valid ones.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rfc9562::Uuid;
use rfc9562::text::typeid::{self, Rule};
use type_safe_id::{DynamicType, TypeSafeId};

/// Columns: name; TypeID; prefix; UUID; whether the TypeID is valid; source (and why the TypeID is invalid); the rule that an
/// invalid TypeID violates, by a name of our own. The sources are the specification's valid.json and invalid.json, its text,
/// and the implementation in Go.
const VECTORS: &str = include_str!("vectors/typeid.csv");

fn vectors() -> Vec<[String; 7]> {
    csv::Reader::from_reader(VECTORS.as_bytes()).into_deserialize().map(|row| row.unwrap()).collect()
}

#[test]
fn vectors_are_read_and_written_or_refused() {
    let (mut valid, mut invalid, mut rules) = (0, 0, BTreeMap::new());
    for [name, text, prefix, uuid, is_valid, _, rule] in vectors() {
        if is_valid == "true" {
            let uuid: Uuid = uuid.parse().unwrap();
            assert_eq!(typeid::decode(text.as_bytes()), Ok((&*prefix, uuid)), "{name}");
            assert_eq!(*typeid::encode(prefix.as_bytes(), uuid).unwrap(), *text.as_bytes(), "{name}");
            valid += 1;
        } else {
            let message = typeid::decode(text.as_bytes()).unwrap_err().to_string();
            // Each rule has one message, and no other rule has it.
            assert_eq!(*rules.entry(message).or_insert_with(|| rule.clone()), rule, "{name}");
            invalid += 1;
        }
    }
    assert!(valid > 20 && invalid > 30, "{valid} and {invalid}");
    assert_eq!(rules.len(), 9, "{rules:?}");
}

/// Returns the rule that a text violates.
fn violated(text: &str) -> Rule {
    typeid::decode(text.as_bytes()).unwrap_err()
}

#[test]
fn invalid_prefixes_and_texts_that_are_not_utf_8() {
    let suffix = "01h455vb4pex5vsknk084sn02q";
    let (letters, ends) = (violated(&format!("A_{suffix}")), violated(&format!("a__{suffix}")));
    let length = violated(&format!("{}_{suffix}", "a".repeat(64)));
    for (prefix, rule) in [(&b"_"[..], ends), (b"a_", ends), (b"A", letters), (b"\xff", letters), (&[b'a'; 64], length)]
    {
        assert_eq!(typeid::check_prefix(prefix), Err(rule));
        assert_eq!(typeid::encode(prefix, Uuid::NIL), Err(rule));
    }
    typeid::encode(&[b'a'; 63], Uuid::NIL).unwrap();
    for (text, rule) in [
        (&b"\xff_01h455vb4pex5vsknk084sn02q"[..], letters),
        (b"user_\xff", violated("user_x")),
        (b"user_01h455vb4pex5vsknk084sn02\xff", violated("user_01h455vb4pex5vsknk084sn02u")),
    ] {
        assert_eq!(typeid::decode(text), Err(rule));
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

//! TypeIDs: the specification's vectors, another implementation, and texts one edit away from valid ones.

use proptest::prelude::*;
use rfc9562::Uuid;
use rfc9562::text::typeid;
use type_safe_id::{DynamicType, TypeSafeId};

/// Columns: name; TypeID; prefix; UUID; whether the TypeID is valid; source (and why the TypeID is invalid); the rule that an invalid
/// TypeID violates. The sources are the specification's valid.json and invalid.json, its text, and the implementation in Go.
const VECTORS: &str = include_str!("vectors/typeid.csv");

fn vectors() -> Vec<[String; 7]> {
    csv::Reader::from_reader(VECTORS.as_bytes()).into_deserialize().map(|row| row.unwrap()).collect()
}

#[test]
fn vectors_are_read_and_written_or_refused() {
    let (mut valid, mut invalid) = (0, 0);
    for [name, text, prefix, uuid, is_valid, _, rule] in vectors() {
        if is_valid == "true" {
            let uuid: Uuid = uuid.parse().unwrap();
            assert_eq!(typeid::decode(text.as_bytes()), Ok((&*prefix, uuid)), "{name}");
            assert_eq!(*typeid::encode(prefix.as_bytes(), uuid).unwrap(), *text.as_bytes(), "{name}");
            valid += 1;
        } else {
            assert_eq!(typeid::decode(text.as_bytes()).unwrap_err().to_string(), rule, "{name}");
            invalid += 1;
        }
    }
    assert!(valid > 20 && invalid > 30, "{valid} and {invalid}");
}

#[test]
fn invalid_prefixes_and_texts_that_are_not_utf_8() {
    const LETTERS: &str = "A prefix contains only the letters a to z and underscores.";
    const ENDS: &str = "A prefix neither begins nor ends with an underscore.";
    for (prefix, rule) in [
        (&b"_"[..], ENDS),
        (b"a_", ENDS),
        (b"A", LETTERS),
        (b"\xff", LETTERS),
        (&[b'a'; 64], "A prefix has at most 63 characters."),
    ] {
        assert_eq!(typeid::check_prefix(prefix).unwrap_err().to_string(), rule);
        assert_eq!(typeid::encode(prefix, Uuid::NIL).unwrap_err().to_string(), rule);
    }
    typeid::encode(&[b'a'; 63], Uuid::NIL).unwrap();
    for (text, rule) in [
        (&b"\xff_01h455vb4pex5vsknk084sn02q"[..], LETTERS),
        (b"user_\xff", "A suffix has 26 characters."),
        (
            b"user_01h455vb4pex5vsknk084sn02\xff",
            "A suffix contains only the digits 0 to 9 and the letters a to z except i, l, o and u.",
        ),
    ] {
        assert_eq!(typeid::decode(text).unwrap_err().to_string(), rule);
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

//! The text forms: vectors, properties, and every text one edit away from some valid ones.

use proptest::prelude::*;
use rfc9562::text::Format;
use rfc9562::{DecodeError, Uuid};

use crate::canonical_text::check;

/// Columns: format, uuid, text. Each format has the same UUIDs. The texts were generated with Python's `uuid` and `base64`, and by
/// long division. The second UUID is the example of RFC 9562, section 4, and of ITU-T X.667, section 8.
const VECTORS: &str = include_str!("vectors/text.csv");

fn vectors() -> Vec<(String, Uuid, String)> {
    let rows = csv::Reader::from_reader(VECTORS.as_bytes()).into_deserialize();
    rows.map(|row| row.unwrap())
        .map(|(format, uuid, text): (_, String, _)| (format, uuid.parse().unwrap(), text))
        .collect()
}

#[test]
fn every_format_writes_and_reads_its_vectors() {
    for (name, uuid, text) in vectors() {
        let format: Format = name.parse().unwrap();
        assert_eq!(format.name(), name);
        assert_eq!(*format.encode(uuid), *text.as_bytes(), "{name}");
        assert_eq!(format.decode(text.as_bytes()), Ok(uuid), "{name} {text}");
    }
    for name in Format::NAMES {
        let count = vectors().iter().filter(|(format, ..)| format == name).count();
        assert_eq!(count, 6, "vectors of {name}");
    }
}

#[test]
fn a_uuid_reads_the_hyphenated_form_only() {
    let uuid: Uuid = "01890A5D-ac96-774B-bcce-b302099A8057".parse().unwrap();
    assert_eq!(uuid.to_string(), "01890a5d-ac96-774b-bcce-b302099a8057");
    assert_eq!(format!("{uuid:?}"), uuid.to_string());
    for format in Format::ALL {
        let text = format.encode(uuid);
        assert_eq!(str::from_utf8(&text).unwrap().parse::<Uuid>(), Err(DecodeError::Syntax), "{format:?}");
    }
    for text in [
        "",
        " 01890a5d-ac96-774b-bcce-b302099a8057",
        "01890a5d-ac96-774b-bcce-b302099a805",
        "01890a5da-c96-774b-bcce-b302099a8057",
        "01890a5d-ac96-774b-bcce-b302099a805g",
        "01890a5dac96-774b-bcce-b302099a80578",
    ] {
        assert_eq!(text.parse::<Uuid>(), Err(DecodeError::Syntax), "{text}");
    }
}

/// Checks the first numbers that do not fit, and texts that only resemble those of a format.
#[test]
fn refused() {
    let rows = csv::Reader::from_reader(&include_bytes!("vectors/text_refused.csv")[..]).into_deserialize();
    let mut seen = 0;
    for row in rows {
        let (format, text, error): (String, String, String) = row.unwrap();
        let expected = if error == "overflow" { DecodeError::Overflow } else { DecodeError::Syntax };
        assert_eq!(format.parse::<Format>().unwrap().decode(text.as_bytes()), Err(expected), "{format} {text}");
        seen += 1;
    }
    assert_eq!(seen, 26);
}

/// Substitutes and inserts every byte at every position, and deletes each byte.
#[test]
fn one_edit_away() {
    for (_, _, text) in vectors().into_iter().filter(|(_, uuid, _)| *uuid == Uuid::MAX || uuid.version() == Some(1)) {
        for place in 0..=text.len() {
            for byte in 0..=u8::MAX {
                let (head, tail) = text.as_bytes().split_at(place);
                check(&[head, &[byte], tail].concat());
                if let Some((_, tail)) = tail.split_first() {
                    check(&[head, &[byte], tail].concat());
                    check(&[head, tail].concat());
                }
            }
        }
    }
}

/// The formats whose texts do not sort as their UUIDs do.
const UNORDERED: [Format; 3] = [Format::Base64url, Format::Decimal, Format::Oid];

/// Generates pairs of numbers that have a common prefix of any length and any number of leading zero bits.
fn numbers() -> impl Strategy<Value = (u128, u128)> {
    (any::<u128>(), any::<u128>(), 0..=128_u32, 0..=128_u32).prop_map(|(left, right, common, zeros)| {
        let differing = u128::MAX.checked_shr(common).unwrap_or(0);
        let kept = u128::MAX.checked_shr(zeros).unwrap_or(0);
        (left & kept, (left & !differing | right & differing) & kept)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn decode_reads_what_encode_writes((number, _) in numbers()) {
        let uuid = Uuid::from_u128(number);
        for format in Format::ALL {
            let text = format.encode(uuid);
            prop_assert!(text.is_ascii() && text.len() <= 45);
            prop_assert_eq!(format.decode(&text), Ok(uuid), "{:?}", text);
        }
    }

    #[test]
    fn text_order_is_uuid_order((left, right) in numbers()) {
        for format in Format::ALL.iter().filter(|format| !UNORDERED.contains(format)) {
            let (left, right) = (Uuid::from_u128(left), Uuid::from_u128(right));
            prop_assert_eq!(format.encode(left).cmp(&format.encode(right)), left.cmp(&right));
            prop_assert_eq!(format.encode(left).len(), format.encode(right).len());
        }
    }

    #[test]
    fn any_digits(text in "[0-9]{37,40}|[0-9a-f]{32}|[0-9A-Za-v]{26}|[1-9A-HJ-NP-Za-km-z]{22}|[0-9A-Za-z_-]{22}") {
        check(text.as_bytes());
    }
}

//! Sealing: vectors, comparison with another implementation of FF1, bijectivity, and key files.

use fpe::ff1::{FF1, FlexibleNumeralString};
use proptest::prelude::*;
use rfc9562::seal::{self, KeyFileError, Keys, Sealer};
use rfc9562::{Error, Uuid};

/// Columns: key, v7, v4: the smallest and largest keys and UUIDs, the RFC's example, adjacent UUIDs, and random ones.
/// `tests/crosscheck/seal.py` checks the program of docs/sealing.md against them.
const VECTORS: &str = include_str!("vectors/seal.csv");

fn bytes(hex: &str) -> Vec<u8> {
    data_encoding::HEXLOWER.decode(hex.as_bytes()).unwrap()
}

#[test]
fn vectors() {
    let mut rows = 0;
    for row in csv::Reader::from_reader(VECTORS.as_bytes()).into_deserialize() {
        let (key, opened, sealed): (String, String, String) = row.unwrap();
        let (opened, sealed): (Uuid, Uuid) = (opened.parse().unwrap(), sealed.parse().unwrap());
        let sealer = Sealer::new(&bytes(&key)).unwrap();
        assert_eq!(sealer.seal(opened), Ok(sealed), "{key}");
        assert_eq!(sealer.unseal(sealed), Ok(opened), "{key}");
        rows += 1;
    }
    assert_eq!(rows, 50);
}

/// Returns the 122 bits that are neither version nor variant.
fn free_bits(uuid: Uuid) -> u128 {
    let number = uuid.to_u128();
    (number >> 80) << 74 | (number >> 64 & 0xfff) << 62 | number & ((1 << 62) - 1)
}

fn from_free_bits(version: u8, bits: u128) -> Uuid {
    let (high, mid, low) = (bits >> 74, bits >> 62 & 0xfff, bits & ((1 << 62) - 1));
    Uuid::from_u128(high << 80 | u128::from(version) << 76 | mid << 64 | 0b10 << 62 | low)
}

const BITS: usize = 122;

/// Seals a UUID with the crate `fpe`'s FF1, treating each bit as a numeral.
fn sealed_by_fpe(key: &[u8], uuid: Uuid) -> Uuid {
    let ff1 = FF1::<aes::Aes256>::new(key, 2).unwrap();
    let bits = free_bits(uuid);
    let numerals: Vec<u16> = (0..BITS).rev().map(|place| u16::from(bits >> place & 1 == 1)).collect();
    let image: Vec<u16> = ff1.encrypt(&[], &FlexibleNumeralString::from(numerals)).unwrap().into();
    from_free_bits(4, image.iter().fold(0, |bits, numeral| bits << 1 | u128::from(*numeral)))
}

/// The crate `fpe` reproduces NIST's sample 9 (FF1samples.pdf).
#[test]
fn fpe_is_ff1() {
    let key = bytes("2b7e151628aed2a6abf7158809cf4f3cef4359d8d580aa4f7f036d6f04fc6a94");
    let ff1 = FF1::<aes::Aes256>::new(&key, 36).unwrap();
    let numerals =
        |text: &str| text.chars().map(|digit| u16::try_from(digit.to_digit(36).unwrap()).unwrap()).collect::<Vec<_>>();
    let plain = FlexibleNumeralString::from(numerals("0123456789abcdefghi"));
    let image: Vec<u16> = ff1.encrypt(&bytes("3737373770717273373737"), &plain).unwrap().into();
    assert_eq!(image, numerals("xs8a0azh2avyalyzuwd"));
}

proptest! {
    #[test]
    fn the_same_as_fpe(key in any::<[u8; 32]>(), bits in any::<u128>()) {
        let uuid = from_free_bits(7, bits >> 6);
        prop_assert_eq!(Sealer::new(&key).unwrap().seal(uuid), Ok(sealed_by_fpe(&key, uuid)));
    }

    /// Sealing has an inverse on all version 7 UUIDs, and unsealing on all version 4 UUIDs, so both are bijections.
    #[test]
    fn a_bijection_of_version_7_and_version_4(key in any::<[u8; 32]>(), bits in any::<u128>()) {
        let sealer = Sealer::new(&key).unwrap();
        let (opened, sealed) = (from_free_bits(7, bits >> 6), from_free_bits(4, bits >> 6));
        prop_assert_eq!(sealer.seal(opened).unwrap().version(), Some(4));
        prop_assert_eq!(sealer.unseal(sealer.seal(opened).unwrap()), Ok(opened));
        prop_assert_eq!(sealer.unseal(sealed).unwrap().version(), Some(7));
        prop_assert_eq!(sealer.seal(sealer.unseal(sealed).unwrap()), Ok(sealed));
    }

    #[test]
    fn other_versions_and_variants_are_refused(number in any::<u128>(), key in any::<[u8; 32]>()) {
        let (uuid, sealer) = (Uuid::from_u128(number), Sealer::new(&key).unwrap());
        prop_assert_eq!(sealer.seal(uuid).is_ok(), uuid.version() == Some(7));
        prop_assert_eq!(sealer.unseal(uuid).is_ok(), uuid.version() == Some(4));
    }
}

#[test]
fn errors_name_what_was_given_but_no_key() {
    let sealer = Sealer::new(&[0xab; 32]).unwrap();
    assert_eq!(sealer.seal(Uuid::MAX), Err(Error::NotOfVersion { uuid: Uuid::MAX, version: 7 }));
    assert_eq!(sealer.unseal(Uuid::NIL), Err(Error::NotOfVersion { uuid: Uuid::NIL, version: 4 }));
    assert_eq!(format!("{sealer:?}"), "Sealer { .. }");
    for length in (0..=64).chain([1_000_000]).filter(|length| *length != seal::KEY_LENGTH) {
        assert_eq!(Sealer::new(&vec![0xab; length]).map(|_| ()), Err(Error::KeyLength { length }));
    }
}

#[test]
fn a_key_file_has_the_current_key_first() {
    let hex = |byte: u8| data_encoding::HEXUPPER.encode(&[byte; 32]);
    let text = format!("\n # two keys\r\n2\t {}\r\n\n  1 {}  \n2147483647 {}", hex(2), hex(1), hex(3));
    let keys = Keys::parse(text.as_bytes()).unwrap();
    let uuid = from_free_bits(7, 9562);
    let by = |byte: u8| Sealer::new(&[byte; 32]).unwrap().seal(uuid);
    assert_eq!(keys.current().seal(uuid), by(2));
    for (id, byte) in [(2, 2), (1, 1), (i32::MAX, 3)] {
        assert_eq!(keys.by_id(id).unwrap().seal(uuid), by(byte), "{id}");
    }
    assert!(keys.by_id(0).is_none() && keys.by_id(-1).is_none());
    assert!(!format!("{keys:?}").contains("02"));
}

#[test]
fn what_is_wrong_in_a_key_file_is_named_by_its_line() {
    let key = "ab".repeat(32);
    let malformed = |line| Err(KeyFileError::Malformed(line));
    for (text, expected) in [
        (String::new(), Err(KeyFileError::Empty)),
        ("#\n\n".to_owned(), Err(KeyFileError::Empty)),
        (format!("1 {key}\n2 {key}\n1 {key}"), Err(KeyFileError::Repeated(3))),
        (format!("1 {key}\n01 {key}"), Err(KeyFileError::Repeated(2))),
        (key.clone(), malformed(1)),
        (format!("1{key}"), malformed(1)),
        ("\n\n1 ".to_owned(), malformed(3)),
        (format!("1 {}", &key[1..]), malformed(1)),
        (format!("1 {key}a"), malformed(1)),
        (format!("1 {key} # mine"), malformed(1)),
        (format!("1 {}g", &key[1..]), malformed(1)),
        (format!("1: {key}"), malformed(1)),
        (format!("-1 {key}"), malformed(1)),
        (format!("+1 {key}"), malformed(1)),
        (format!("2147483648 {key}"), malformed(1)),
        (format!("1 {key}\n\u{feff}2 {key}"), malformed(2)),
    ] {
        assert_eq!(Keys::parse(text.as_bytes()).map(|_| ()), expected, "{text:?}");
    }
    assert!(KeyFileError::Repeated(3).to_string().contains('3'));
}

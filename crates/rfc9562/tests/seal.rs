//! Sealing: vectors, the same from another implementation of FF1, the bijection, and that what comes out looks random.
//!
//! The statistics have seeds, so they give the same on every run. Each is also given what it must find.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

mod splitmix64;

use std::collections::HashSet;

use fpe::ff1::{FF1, FlexibleNumeralString};
use proptest::prelude::*;
use rfc9562::seal::{self, KeyFileError, Keys, Sealer};
use rfc9562::sequence::Sequence;
use rfc9562::{Error, Uuid, v4, v7};
use splitmix64::Lots;

/// Columns: key, v7, v4. Made by tests/crosscheck/seal.py, which shares nothing with this crate.
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

/// The 122 bits that are neither version nor variant.
fn free_bits(uuid: Uuid) -> u128 {
    let number = uuid.to_u128();
    (number >> 80) << 74 | (number >> 64 & 0xfff) << 62 | number & ((1 << 62) - 1)
}

fn of_free_bits(version: u8, bits: u128) -> Uuid {
    let (high, mid, low) = (bits >> 74, bits >> 62 & 0xfff, bits & ((1 << 62) - 1));
    Uuid::from_u128(high << 80 | u128::from(version) << 76 | mid << 64 | 0b10 << 62 | low)
}

const BITS: usize = 122;

/// FF1 of the crate `fpe`, over the bits as numerals.
fn sealed_by_fpe(key: &[u8], uuid: Uuid) -> Uuid {
    let ff1 = FF1::<aes::Aes256>::new(key, 2).unwrap();
    let bits = free_bits(uuid);
    let numerals: Vec<u16> = (0..BITS).rev().map(|place| u16::from(bits >> place & 1 == 1)).collect();
    let image: Vec<u16> = ff1.encrypt(&[], &FlexibleNumeralString::from(numerals)).unwrap().into();
    of_free_bits(4, image.iter().fold(0, |bits, numeral| bits << 1 | u128::from(*numeral)))
}

/// The other implementation gives NIST's sample 9 (FF1samples.pdf).
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
        let uuid = of_free_bits(7, bits >> 6);
        prop_assert_eq!(Sealer::new(&key).unwrap().seal(uuid), Ok(sealed_by_fpe(&key, uuid)));
    }

    /// Sealing has an inverse on all version 7 UUIDs, and that one on all version 4: so both are bijections.
    #[test]
    fn a_bijection_of_version_7_and_version_4(key in any::<[u8; 32]>(), bits in any::<u128>()) {
        let sealer = Sealer::new(&key).unwrap();
        let (opened, sealed) = (of_free_bits(7, bits >> 6), of_free_bits(4, bits >> 6));
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
        let error = Sealer::new(&vec![0xab; length]).unwrap_err();
        assert_eq!(error, Error::KeyLength { length });
        assert_eq!(error.to_string(), "invalid length of key to seal with");
    }
}

#[test]
fn a_key_file_has_the_current_key_first() {
    let hex = |byte: u8| data_encoding::HEXUPPER.encode(&[byte; 32]);
    let text = format!("\n # two keys\r\n2\t {}\r\n\n  1 {}  \n2147483647 {}", hex(2), hex(1), hex(3));
    let keys = Keys::parse(text.as_bytes()).unwrap();
    let uuid = of_free_bits(7, 9562);
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
    let malformed = |line| Err(KeyFileError::Malformed { line });
    for (text, expected) in [
        (String::new(), Err(KeyFileError::Empty)),
        ("#\n\n".to_owned(), Err(KeyFileError::Empty)),
        (format!("1 {key}\n2 {key}\n1 {key}"), Err(KeyFileError::Repeated { line: 3 })),
        (format!("1 {key}\n01 {key}"), Err(KeyFileError::Repeated { line: 2 })),
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
    assert_eq!(KeyFileError::Repeated { line: 3 }.to_string(), "Line 3 has the ID of a line above it.");
    assert_eq!(KeyFileError::Empty.to_string(), "There is no key in it.");
}

/// Distances from the expectation for random values, each in its own standard deviations and approximately normal.
type Distances = Vec<f64>;

/// Of so many ones where each of `of` bits is one with probability 1/2.
fn distance(ones: usize, of: usize) -> f64 {
    (ones as f64 - of as f64 / 2.0) / (of as f64 / 4.0).sqrt()
}

/// Of the chi-square of so many equally likely classes (Wilson and Hilferty's approximation).
fn chi_square_distance(counts: &[usize]) -> f64 {
    let expected = counts.iter().sum::<usize>() as f64 / counts.len() as f64;
    let chi_square: f64 = counts.iter().map(|count| (*count as f64 - expected).powi(2) / expected).sum();
    let freedom = (counts.len() - 1) as f64;
    let variance = 2.0 / (9.0 * freedom);
    ((chi_square / freedom).cbrt() - (1.0 - variance)) / variance.sqrt()
}

/// What tells values from random ones: each bit, each two bits of a value, each bit and the same of the value before, each byte
/// of values and of their differences, and how often the next value is the greater one.
fn distances(values: &[Uuid]) -> Distances {
    let bits: Vec<u128> = values.iter().map(|value| free_bits(*value)).collect();
    // Bit by bit, the 64 of as many values in a word.
    let words = bits.len() / 64;
    let mut columns = vec![vec![0_u64; words]; BITS];
    for (number, value) in bits[..64 * words].iter().enumerate() {
        for (place, column) in columns.iter_mut().enumerate() {
            column[number / 64] |= u64::from(value >> place & 1 == 1) << (number % 64);
        }
    }
    let ones = |words: &mut dyn Iterator<Item = u64>| words.map(|word| word.count_ones() as usize).sum::<usize>();
    let mut found = Vec::new();
    for (place, column) in columns.iter().enumerate() {
        found.push(distance(ones(&mut column.iter().copied()), 64 * words));
        for other in &columns[..place] {
            found.push(distance(ones(&mut column.iter().zip(other).map(|(a, b)| a ^ b)), 64 * words));
        }
        let pairs = bits.windows(2);
        found.push(distance(pairs.filter(|pair| (pair[0] ^ pair[1]) >> place & 1 == 1).count(), bits.len() - 1));
    }
    for shift in (0..BITS - 8).step_by(8) {
        let mut counts = [[0; 256]; 2];
        for pair in bits.windows(2) {
            counts[0][(pair[0] >> shift & 0xff) as usize] += 1;
            counts[1][(pair[1].wrapping_sub(pair[0]) >> shift & 0xff) as usize] += 1;
        }
        found.extend(counts.iter().map(|counts| chi_square_distance(counts)));
    }
    let ascents = bits.windows(2).filter(|pair| pair[0] < pair[1]).count();
    let pairs = (bits.len() - 1) as f64;
    found.push((ascents as f64 - pairs / 2.0) / ((pairs + 2.0) / 12.0).sqrt());
    found
}

/// Beyond this, one of ten thousand distances is by chance in one of 2,500 cases.
const FAR: f64 = 5.5;

fn look_random(values: &[Uuid]) -> bool {
    values.iter().collect::<HashSet<_>>().len() == values.len() && distances(values).iter().all(|far| far.abs() < FAR)
}

const MILLION: usize = 1_000_000;

/// A million keys of one session that makes one every 100 ns.
fn keys_of_a_session(count: usize) -> Vec<Uuid> {
    let (mut sequence, mut lots) = (Sequence::new(7), Lots(9562));
    let mut clock = std::time::Duration::from_millis(1_767_225_600_000);
    (0..count)
        .map(|_| {
            clock += std::time::Duration::from_nanos(100);
            v7::at(sequence.next(v7::tick_from_clock(clock).unwrap(), lots.draw()).unwrap())
        })
        .collect()
}

/// A million UUIDs each of which is the one before and one.
fn counted(count: usize) -> Vec<Uuid> {
    let first = free_bits(Uuid::from_u128(0x019b_76da_a800_7000_8000_0000_0000_0000));
    (first..).take(count).map(|bits| of_free_bits(7, bits)).collect()
}

#[test]
fn a_million_sealed_keys_are_not_told_from_version_4() {
    let sealer = Sealer::new(&[0x2a; 32]).unwrap();
    let sealed = |keys: &[Uuid]| keys.iter().map(|key| sealer.seal(*key).unwrap()).collect::<Vec<_>>();
    let mut lots = Lots(4);
    let random: Vec<Uuid> = (0..MILLION).map(|_| v4::from_random(lots.draw(), lots.draw())).collect();
    assert!(look_random(&random), "version 4");
    assert!(look_random(&sealed(&keys_of_a_session(MILLION))), "keys of a session");
    assert!(look_random(&sealed(&counted(MILLION))), "keys that count");
}

/// What is less than FF1, the same looks at fewer values tell from version 4.
#[test]
fn what_is_not_random_is_told_from_version_4() {
    const COUNT: usize = 20_000;
    let mut lots = Lots(5);
    let mask = u128::from(lots.draw()) << 64 | u128::from(lots.draw());
    let factor = mask | 1;
    // One round of the network, with a good function in it.
    let one_round = |bits: u128| {
        let half = |bits: u128| u64::try_from(bits & ((1 << 61) - 1)).unwrap();
        let (a, b) = (half(bits >> 61), half(bits));
        u128::from(b) << 61 | u128::from(half(u128::from(a) + u128::from(Lots(b).draw())))
    };
    let weak: [(&str, &dyn Fn(u128) -> u128); 4] = [
        ("restamped", &|bits| bits),
        ("added to a key", &|bits| bits ^ mask >> 6),
        ("multiplied", &|bits| bits.wrapping_mul(factor) & (u128::MAX >> 6)),
        ("one round", &one_round),
    ];
    for (what, permute) in weak {
        let values: Vec<Uuid> = counted(COUNT).iter().map(|key| of_free_bits(4, permute(free_bits(*key)))).collect();
        assert!(!look_random(&values), "{what}");
    }
    let mut random: Vec<Uuid> = (0..COUNT).map(|_| v4::from_random(lots.draw(), lots.draw())).collect();
    assert!(look_random(&random), "version 4");
    random[1] = random[0];
    assert!(!look_random(&random), "twice the same");
}

/// Each bit of the key's UUID, changed, changes each bit of the sealed one half of the time; and so do the bits of the key.
#[test]
fn avalanche() {
    const SAMPLES: usize = 4_096;
    let mut lots = Lots(6);
    let mut changes = vec![[0; BITS]; BITS + 256];
    for _ in 0..SAMPLES / 16 {
        let mut key = [0; 32];
        key.fill_with(|| lots.draw().to_le_bytes()[0]);
        let sealer = Sealer::new(&key).unwrap();
        // Of a key changed in one bit.
        let others: Vec<Sealer> = (0..256)
            .map(|place| {
                let mut other = key;
                other[place / 8] ^= 1 << (place % 8);
                Sealer::new(&other).unwrap()
            })
            .collect();
        for _ in 0..16 {
            let bits = (u128::from(lots.draw()) << 64 | u128::from(lots.draw())) >> 6;
            let image = |sealer: &Sealer, bits: u128| free_bits(sealer.seal(of_free_bits(7, bits)).unwrap());
            let same = image(&sealer, bits);
            let of_bits = (0..BITS).map(|place| image(&sealer, bits ^ 1 << place));
            let of_keys = others.iter().map(|other| image(other, bits));
            for (changed, counts) in of_bits.chain(of_keys).zip(&mut changes) {
                for (place, count) in counts.iter_mut().enumerate() {
                    *count += usize::from((changed ^ same) >> place & 1 == 1);
                }
            }
        }
    }
    for (input, counts) in changes.iter().enumerate() {
        for (output, count) in counts.iter().enumerate() {
            assert!(distance(*count, SAMPLES).abs() < FAR, "{count} of {SAMPLES}: input {input}, output {output}");
        }
    }
}

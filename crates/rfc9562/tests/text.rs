//! The text forms: vectors, properties, and every text one edit away from a valid one.

mod text_oracle;

use proptest::prelude::*;
use rfc9562::text::Format;
use rfc9562::{Error, Uuid};
use text_oracle::{ALPHABETS, check};

/// UUIDs and their texts in the order of [`Format::ALL`], made with Python's `uuid` and `base64` and long division. The
/// second is the example of RFC 9562, section 4, and of ITU-T X.667, section 8.
const VECTORS: [(u128, [&str; 9]); 6] = [
    (
        0x01890a5d_ac96_774b_bcce_b302099a8057,
        [
            "urn:uuid:01890a5d-ac96-774b-bcce-b302099a8057",
            "{01890a5d-ac96-774b-bcce-b302099a8057}",
            "01890a5dac96774bbcceb302099a8057",
            "01H455VB4PEX5VSKNK084SN02Q",
            "064GKNDCIPRKNF6EMC10J6K0AS======",
            "1BzmjTFLHWXwiSK4y3H5iW",
            "AYkKXayWd0u8zrMCCZqAVw",
            "2040782911132661522235942288014082135",
            "2.25.2040782911132661522235942288014082135",
        ],
    ),
    (
        0xf81d4fae_7dec_11d0_a765_00a0c91e6bf6,
        [
            "urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6",
            "{f81d4fae-7dec-11d0-a765-00a0c91e6bf6}",
            "f81d4fae7dec11d0a76500a0c91e6bf6",
            "7R3N7TWZFC278AES80M34HWTZP",
            "V0EKVBJTTG8T19R502GCI7JBUO======",
            "Xe22UfxT3rxcKJEAfL5373",
            "-B1Prn3sEdCnZQCgyR5r9g",
            "329800735698586629295641978511506172918",
            "2.25.329800735698586629295641978511506172918",
        ],
    ),
    (
        0x5c146b14_3c52_8afd_938a_375d0df1fbf6,
        [
            "urn:uuid:5c146b14-3c52-8afd-938a-375d0df1fbf6",
            "{5c146b14-3c52-8afd-938a-375d0df1fbf6}",
            "5c146b143c528afd938a375d0df1fbf6",
            "2W2HNH8F2JHBYS72HQBM6Z3YZP",
            "BGA6M51SAA5FR4SA6TEGRSFRUO======",
            "CNV2iY4mKiTS1uw8RxapEH",
            "XBRrFDxSiv2TijddDfH79g",
            "122394993370442686744464334817678457846",
            "2.25.122394993370442686744464334817678457846",
        ],
    ),
    (
        0,
        [
            "urn:uuid:00000000-0000-0000-0000-000000000000",
            "{00000000-0000-0000-0000-000000000000}",
            "00000000000000000000000000000000",
            "00000000000000000000000000",
            "00000000000000000000000000======",
            "1111111111111111111111",
            "AAAAAAAAAAAAAAAAAAAAAA",
            "0",
            "2.25.0",
        ],
    ),
    (
        1,
        [
            "urn:uuid:00000000-0000-0000-0000-000000000001",
            "{00000000-0000-0000-0000-000000000001}",
            "00000000000000000000000000000001",
            "00000000000000000000000001",
            "00000000000000000000000004======",
            "1111111111111111111112",
            "AAAAAAAAAAAAAAAAAAAAAQ",
            "1",
            "2.25.1",
        ],
    ),
    (
        u128::MAX,
        [
            "urn:uuid:ffffffff-ffff-ffff-ffff-ffffffffffff",
            "{ffffffff-ffff-ffff-ffff-ffffffffffff}",
            "ffffffffffffffffffffffffffffffff",
            "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
            "VVVVVVVVVVVVVVVVVVVVVVVVVS======",
            "YcVfxkQb6JRzqk5kF2tNLv",
            "_____________________w",
            "340282366920938463463374607431768211455",
            "2.25.340282366920938463463374607431768211455",
        ],
    ),
];

#[test]
fn vectors() {
    for (number, texts) in VECTORS {
        for (format, text) in Format::ALL.into_iter().zip(texts) {
            assert_eq!(format.encode(Uuid::from_u128(number)), text);
            assert_eq!(format.decode(text.as_bytes()), Ok(Uuid::from_u128(number)), "{text}");
        }
    }
}

#[test]
fn names() {
    for format in Format::ALL {
        assert_eq!(format.name().parse(), Ok(format));
        assert_eq!(format.name().to_uppercase().parse(), Ok(format));
        assert!(format!("{} ", format.name()).parse::<Format>().is_err());
    }
    assert!("".parse::<Format>().is_err());
}

#[test]
fn aliases() {
    let uuid = Uuid::from_u128(VECTORS[0].0);
    for (format, text) in [
        (Format::Urn, "URN:Uuid:01890A5D-ac96-774B-bcce-b302099A8057"),
        (Format::Braces, "{01890A5D-AC96-774B-BCCE-B302099A8057}"),
        (Format::Hex, "01890A5DAC96774BBCCEB302099A8057"),
        (Format::Base32, "oih455vb4pex5vsknko84sno2q"),
        (Format::Base32, "OLH455VB4PEX5VSKNKo84SNO2Q"),
        (Format::Base32hex, "064GKNDCIPRKNF6EMC10J6K0AS"),
        (Format::Base32hex, "064gkndciprknf6emc10j6k0as======"),
    ] {
        assert_eq!(format.decode(text.as_bytes()), Ok(uuid), "{text}");
    }
}

/// The first number that does not fit, and what only looks like the last that does.
#[test]
fn overflow() {
    for (format, text) in [
        (Format::Base32, "80000000000000000000000000"),
        (Format::Base32, "ZZZZZZZZZZZZZZZZZZZZZZZZZZ"),
        (Format::Base58, "YcVfxkQb6JRzqk5kF2tNLw"),
        (Format::Base58, "zzzzzzzzzzzzzzzzzzzzzz"),
        (Format::Decimal, "340282366920938463463374607431768211456"),
        (Format::Decimal, "1000000000000000000000000000000000000000"),
        (Format::Oid, "2.25.340282366920938463463374607431768211456"),
    ] {
        assert_eq!(format.decode(text.as_bytes()), Err(Error::TextOverflow { format }), "{text}");
    }
    for (format, text) in [
        (Format::Base32, "8000000000000000000000000U"),
        (Format::Base58, "zzzzzzzzzzzzzzzzzzzzzI"),
        (Format::Base58, "BzmjTFLHWXwiSK4y3H5iW"),
        (Format::Base32hex, "VVVVVVVVVVVVVVVVVVVVVVVVVV======"),
        (Format::Base32hex, "VVVVVVVVVVVVVVVVVVVVVVVVVS====="),
        (Format::Base64url, "_____________________x"),
        (Format::Base64url, "_____________________w=="),
        (Format::Decimal, "34028236692093846346337460743176821145x"),
        (Format::Decimal, "00"),
        (Format::Decimal, "+1"),
        (Format::Decimal, "-1"),
        (Format::Decimal, ""),
        (Format::Oid, "2.25."),
        (Format::Oid, "2.25.01"),
        (Format::Oid, "2.26.1"),
        (Format::Urn, "urn:uuid:{01890a5d-ac96-774b-bcce-b302099a8057}"),
        (Format::Urn, "01890a5d-ac96-774b-bcce-b302099a8057"),
        (Format::Braces, "01890a5d-ac96-774b-bcce-b302099a8057"),
        (Format::Hex, "01890a5d-ac96-774b-bcce-b302099a8057"),
    ] {
        assert_eq!(format.decode(text.as_bytes()), Err(Error::TextSyntax { format }), "{text}");
    }
}

/// Every byte in every place, put there instead of another or between two, and every byte left out.
#[test]
fn one_edit_away() {
    for (_, texts) in [&VECTORS[1], &VECTORS[5]] {
        for text in texts {
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
}

/// UUIDs whose texts differ in any digit: all lengths of common prefixes, leading zeros and leading ones.
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
            prop_assert_eq!(format.decode(text.as_bytes()), Ok(uuid), "{}", text);
        }
    }

    #[test]
    fn text_order_is_uuid_order((left, right) in numbers()) {
        for format in Format::ALL.into_iter().filter(|format| format.keeps_order()) {
            let (left, right) = (Uuid::from_u128(left), Uuid::from_u128(right));
            prop_assert_eq!(format.encode(left).cmp(&format.encode(right)), left.cmp(&right));
            prop_assert_eq!(format.encode(left).len(), format.encode(right).len());
        }
    }

    #[test]
    fn any_bytes(text in prop::collection::vec(any::<u8>(), 0..64)) {
        check(&text);
    }

    #[test]
    fn any_digits(digits in prop::collection::vec(any::<prop::sample::Index>(), 0..48)) {
        for alphabet in ALPHABETS {
            check(&digits.iter().map(|digit| *digit.get(alphabet)).collect::<Vec<u8>>());
        }
    }
}

/// The other three are not said to keep the order, because they do not.
#[test]
fn the_others_do_not_keep_it() {
    let digit = |value: u128| value << 122;
    for (format, smaller, larger) in
        [(Format::Base64url, digit(51), digit(52)), (Format::Decimal, 9, 10), (Format::Oid, 9, 10)]
    {
        assert!(smaller < larger);
        assert!(!format.keeps_order());
        assert!(format.encode(Uuid::from_u128(smaller)) > format.encode(Uuid::from_u128(larger)));
    }
}

//! The results required of the decoders for any text. They are computed without the code of the crate.

use rfc9562::Uuid;
use rfc9562::text::Format;

/// The alphabets, in which a digit's position is its value.
pub const ALPHABETS: [&[u8]; 6] = [
    b"0123456789",
    b"0123456789abcdef",
    b"0123456789ABCDEFGHJKMNPQRSTVWXYZ",
    b"0123456789ABCDEFGHIJKLMNOPQRSTUV",
    b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
];

/// Checks that each decoder returns the UUID of which this is the text or an alias, or an error if there is none.
pub fn check(text: &[u8]) {
    for &format in Format::ALL {
        let expected = expected(format, text).map(Uuid::from_u128);
        assert_eq!(format.decode(text).ok(), expected, "{format:?} {:?}", String::from_utf8_lossy(text));
    }
}

/// Returns the number with the given text, if there is one.
fn expected(format: Format, text: &[u8]) -> Option<u128> {
    let upper = || text.to_ascii_uppercase();
    match format {
        Format::Urn if text.len() == 45 && text[..9].eq_ignore_ascii_case(b"urn:uuid:") => hyphenated(&text[9..]),
        Format::Braces => hyphenated(text.strip_prefix(b"{")?.strip_suffix(b"}")?),
        Format::Hex if text.len() == 32 => number(&text.to_ascii_lowercase(), ALPHABETS[1], 0),
        Format::Base32 if text.len() == 26 => {
            let aliased = |digit| match digit {
                b'I' | b'L' => b'1',
                b'O' => b'0',
                other => other,
            };
            number(&upper().into_iter().map(aliased).collect::<Vec<_>>(), ALPHABETS[2], 0)
        }
        Format::Base32hex if text.len() == 26 || text.len() == 32 && text.ends_with(b"======") => {
            number(&upper()[..26], ALPHABETS[3], 2)
        }
        Format::Base58 if text.len() == 22 => number(text, ALPHABETS[4], 0),
        Format::Base64url if text.len() == 22 => number(text, ALPHABETS[5], 4),
        Format::Decimal => decimal(text),
        Format::Oid => decimal(text.strip_prefix(b"2.25.")?),
        _ => None,
    }
}

fn hyphenated(text: &[u8]) -> Option<u128> {
    let [a, b, c, d, e] = text.split(|byte| *byte == b'-').collect::<Vec<_>>().try_into().ok()?;
    let widths = [a, b, c, d, e].map(<[u8]>::len);
    let digits = [a, b, c, d, e].concat().to_ascii_lowercase();
    if widths == [8, 4, 4, 4, 12] { number(&digits, ALPHABETS[1], 0) } else { None }
}

fn decimal(text: &[u8]) -> Option<u128> {
    let is_canonical = text == b"0" || !text.is_empty() && !text.starts_with(b"0");
    if is_canonical { number(text, ALPHABETS[0], 0) } else { None }
}

/// Returns the number that consists of the digits, the last of which ends with unused bits, or `None` if an unused bit is set or
/// the number has more than 128 bits.
fn number(digits: &[u8], alphabet: &[u8], unused: u32) -> Option<u128> {
    let values = digits.iter().map(|digit| alphabet.iter().position(|known| known == digit));
    let values = values.collect::<Option<Vec<_>>>()?;
    let radix = alphabet.len() as u128;
    let (last, others) = values.split_last()?;
    let number =
        others.iter().try_fold(0_u128, |number, value| number.checked_mul(radix)?.checked_add(*value as u128))?;
    if last % (1 << unused) != 0 {
        return None;
    }
    number.checked_mul(radix >> unused)?.checked_add((last >> unused) as u128)
}

//! The results required of the decoders for any text, computed only from the encoders and the aliases.

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
        let expected = expected(format, text);
        assert_eq!(format.decode(text).ok(), expected, "{format:?} {:?}", String::from_utf8_lossy(text));
    }
}

/// Returns the UUID with the given text, if there is one, as computed from the digits and confirmed by encoding.
fn expected(format: Format, text: &[u8]) -> Option<Uuid> {
    // No form and no alias is longer.
    if text.len() > 45 {
        return None;
    }
    let canonical = without_aliases(format, text);
    let guess = Uuid::from_u128(guess(format, &canonical)?);
    (*format.encode(guess) == *canonical).then_some(guess)
}

fn without_aliases(format: Format, text: &[u8]) -> Vec<u8> {
    match format {
        Format::Urn | Format::Braces | Format::Hex => text.to_ascii_lowercase(),
        Format::Base32 => text
            .to_ascii_uppercase()
            .into_iter()
            .map(|byte| match byte {
                b'I' | b'L' => b'1',
                b'O' => b'0',
                other => other,
            })
            .collect(),
        Format::Base32hex if text.len() == 26 => [&text.to_ascii_uppercase()[..], b"======"].concat(),
        Format::Base32hex => text.to_ascii_uppercase(),
        _ => text.to_vec(),
    }
}

/// Returns the number that the digits form, or `None` if the width is wrong.
fn guess(format: Format, text: &[u8]) -> Option<u128> {
    let (width, digits, alphabet) = match format {
        Format::Urn => (45, text.get(9..)?, ALPHABETS[1]),
        Format::Braces => (38, text, ALPHABETS[1]),
        Format::Hex => (32, text, ALPHABETS[1]),
        Format::Base32 => (26, text, ALPHABETS[2]),
        Format::Base32hex => (32, text, ALPHABETS[3]),
        Format::Base58 => (22, text, ALPHABETS[4]),
        Format::Base64url => (22, text, ALPHABETS[5]),
        Format::Decimal => (text.len(), text, ALPHABETS[0]),
        Format::Oid => (text.len(), text.get(5..)?, ALPHABETS[0]),
    };
    if text.len() != width {
        return None;
    }
    let mut values = digits.iter().filter_map(|digit| alphabet.iter().position(|known| known == digit));
    // The last digit has 2 unused bits in base32hex, and 4 in base64url.
    let unused = match format {
        Format::Base32hex => 2,
        Format::Base64url => 4,
        _ => 0,
    };
    let radix = alphabet.len() as u128;
    let last = if unused > 0 { values.next_back()? as u128 } else { 0 };
    let number = values.fold(0_u128, |number, value| number.wrapping_mul(radix).wrapping_add(value as u128));
    Some(if unused > 0 { number.wrapping_mul(radix >> unused) | last >> unused } else { number })
}

//! Crockford's base 32 (<https://www.crockford.com/base32.html>) as ULIDs use it: the 128 bits as a number of 26 digits,
//! the first of which is at most 7.
//!
//! Written in upper case. Aliases: lower case, `I` and `L` for `1`, `O` for `0`. A ULID has no hyphens and no check
//! symbols.

use super::alphabet::{NO_DIGIT, digit_values};
use crate::{DecodeError, Uuid};

const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const VALUES: [u8; 256] = digit_values(ALPHABET);

pub(super) fn encode(uuid: Uuid) -> String {
    let number = uuid.to_u128();
    (0..26).rev().map(|place| char::from(ALPHABET[(number >> (5 * place) & 31) as usize])).collect()
}

pub(super) fn decode(text: &[u8]) -> Result<Uuid, DecodeError> {
    if text.len() != 26 {
        return Err(DecodeError::Syntax);
    }
    let mut number = 0;
    for &byte in text {
        number = number << 5 | u128::from(value(byte)?);
    }
    // The first digit has 3 bits left, since 25 digits hold 125 bits. Its upper bits were shifted out above.
    match value(text[0])? {
        0..=7 => Ok(Uuid::from_u128(number)),
        _ => Err(DecodeError::Overflow),
    }
}

fn value(byte: u8) -> Result<u8, DecodeError> {
    let digit = match byte.to_ascii_uppercase() {
        b'I' | b'L' => 1,
        b'O' => 0,
        upper => VALUES[usize::from(upper)],
    };
    if digit == NO_DIGIT { Err(DecodeError::Syntax) } else { Ok(digit) }
}

//! Base 58 in Bitcoin's alphabet, which leaves out `0`, `O`, `I` and `l`: the 128 bits as a number of 22 digits, padded
//! with leading `1`, the zero of this alphabet. All texts have the same width, so they keep the order of their UUIDs.
//!
//! No aliases: the case of a letter matters. Others write no leading `1`, or one for each leading zero octet. That is
//! the same number, and can be read after it is padded to 22 digits.

use super::alphabet::{NO_DIGIT, digit_values};
use crate::{DecodeError, Uuid};

const ALPHABET: &[u8; 58] = b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const VALUES: [u8; 256] = digit_values(ALPHABET);

const WIDTH: usize = 22;

/// As many digits as 64 bits hold. Dividing 128 bits is slow, so it is done for ten digits at once.
const CHUNK: usize = 10;
const CHUNK_RADIX: u64 = 58_u64.pow(10);

pub(super) fn encode(uuid: Uuid) -> String {
    let mut number = uuid.to_u128();
    let mut digits = ['1'; WIDTH];
    for chunk in digits.rchunks_mut(CHUNK) {
        let mut part = number % u128::from(CHUNK_RADIX);
        number /= u128::from(CHUNK_RADIX);
        for digit in chunk.iter_mut().rev() {
            *digit = char::from(ALPHABET[(part % 58) as usize]);
            part /= 58;
        }
    }
    digits.iter().collect()
}

pub(super) fn decode(text: &[u8]) -> Result<Uuid, DecodeError> {
    if text.len() != WIDTH {
        return Err(DecodeError::Syntax);
    }
    let mut number = Some(0_u128);
    for &byte in text {
        let digit = VALUES[usize::from(byte)];
        if digit == NO_DIGIT {
            return Err(DecodeError::Syntax);
        }
        number = number.and_then(|number| number.checked_mul(58)?.checked_add(u128::from(digit)));
    }
    number.map(Uuid::from_u128).ok_or(DecodeError::Overflow)
}

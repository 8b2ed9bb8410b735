//! Numbers in the digits of an alphabet, most significant first.

use super::IdError;
use crate::text::alphabet::{NO_DIGIT, digit_values};

pub(super) static DECIMAL: Digits = Digits::new(b"0123456789");
pub(super) static BASE32HEX: Digits = Digits::new(b"0123456789abcdefghijklmnopqrstuv");
pub(super) static BASE36: Digits = Digits::new(b"0123456789abcdefghijklmnopqrstuvwxyz");
pub(super) static BASE62: Digits = Digits::new(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
pub(super) static HEX: Digits = Digits::new(b"0123456789abcdef");

/// An alphabet: the bytes that stand for 0, 1, 2...
pub(super) struct Digits {
    alphabet: &'static [u8],
    values: [u8; 256],
}

impl Digits {
    pub(super) const fn new(alphabet: &'static [u8]) -> Digits {
        Digits { alphabet, values: digit_values(alphabet) }
    }

    /// The value of a digit.
    pub(super) fn value(&self, byte: u8) -> Result<u8, IdError> {
        match self.values[usize::from(byte)] {
            NO_DIGIT => Err(IdError::Syntax),
            value => Ok(value),
        }
    }

    /// The number that any count of digits spells, but at least one. What is no digit comes before what is too large.
    pub(super) fn number(&self, text: &[u8]) -> Result<u128, IdError> {
        if text.is_empty() {
            return Err(IdError::Syntax);
        }
        let radix = self.alphabet.len() as u128;
        let mut number = Some(0_u128);
        for &byte in text {
            let value = u128::from(self.value(byte)?);
            number = number.and_then(|number| number.checked_mul(radix)?.checked_add(value));
        }
        number.ok_or(IdError::Range)
    }

    /// As [`Digits::number`], of exactly so many digits.
    pub(super) fn number_of(&self, text: &[u8], width: usize) -> Result<u128, IdError> {
        if text.len() == width { self.number(text) } else { Err(IdError::Syntax) }
    }

    /// The number in at least so many digits, with zeros in front.
    pub(super) fn text(&self, mut number: u128, width: usize) -> String {
        let radix = self.alphabet.len() as u128;
        let mut digits = Vec::new();
        while number > 0 || digits.len() < width {
            // In bounds: less than the radix.
            #[allow(clippy::cast_possible_truncation)]
            digits.push(char::from(self.alphabet[(number % radix) as usize]));
            number /= radix;
        }
        digits.iter().rev().collect()
    }
}

/// A number of 64 bits as systems that make such numbers write it: without zeros in front.
pub(super) fn unpadded_decimal(text: &[u8]) -> Result<u64, IdError> {
    let number = DECIMAL.number(text)?;
    match text {
        [b'0', _, ..] => Err(IdError::Syntax),
        _ => u64::try_from(number).map_err(|_| IdError::Range),
    }
}

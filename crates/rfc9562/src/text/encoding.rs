//! Converts numbers to and from text: the digits of an alphabet, with fixed text before and after them.

use arrayvec::ArrayVec;

use super::number::{Number, low_half};
use crate::DecodeError;

/// The value of a byte that is not a digit.
const NO_DIGIT: u8 = u8::MAX;

/// An alphabet of at most 64 digits, and the value of each byte.
pub(crate) struct Digits {
    alphabet: &'static [u8],
    values: [u8; 256],
}

/// Calls a method with two constants, the radix and the number of digits that fit into 64 bits, so that the compiler unrolls the
/// method's loops and replaces its divisions by multiplications.
macro_rules! with_radix {
    ($self:ident.$method:ident($($argument:expr),*)) => {
        match $self.alphabet.len() {
            10 => $self.$method::<10, 19>($($argument),*),
            16 => $self.$method::<16, 16>($($argument),*),
            32 => $self.$method::<32, 12>($($argument),*),
            36 => $self.$method::<36, 12>($($argument),*),
            58 => $self.$method::<58, 10>($($argument),*),
            62 => $self.$method::<62, 10>($($argument),*),
            _ => $self.$method::<64, 10>($($argument),*),
        }
    };
}

impl Digits {
    pub(crate) const fn new(alphabet: &'static [u8]) -> Digits {
        let mut values = [NO_DIGIT; 256];
        let mut digit = 0;
        while digit < alphabet.len() {
            #[allow(clippy::cast_possible_truncation, reason = "there are at most 64")]
            {
                values[alphabet[digit] as usize] = digit as u8;
            }
            digit += 1;
        }
        Digits { alphabet, values }
    }

    pub(crate) const fn with_alias(mut self, alias: u8, digit: u8) -> Digits {
        self.values[alias as usize] = digit;
        self
    }

    pub(crate) const fn in_either_case(mut self) -> Digits {
        let mut byte = 0_u8;
        while byte < 128 {
            let other_case = byte ^ 0x20;
            if byte.is_ascii_alphabetic() && self.values[other_case as usize] == NO_DIGIT {
                self.values[other_case as usize] = self.values[byte as usize];
            }
            byte += 1;
        }
        self
    }

    fn number(&self, text: &[u8]) -> Result<Number, DecodeError> {
        with_radix!(self.number_radix(text))
    }

    fn number_radix<const RADIX: u64, const CHUNK: usize>(&self, text: &[u8]) -> Result<Number, DecodeError> {
        let (first, chunks) = text.as_rchunks::<CHUNK>();
        let (part, mut seen) = self.part::<RADIX>(first);
        let mut number = Some(Number::from(u128::from(part)));
        for chunk in chunks {
            let (part, values) = self.part::<RADIX>(chunk);
            seen |= values;
            number = number.and_then(|number| number.append::<RADIX, CHUNK>(part));
        }
        // An invalid digit takes precedence over a number that is too large.
        if seen == NO_DIGIT { Err(DecodeError::Syntax) } else { number.ok_or(DecodeError::Overflow) }
    }

    /// Returns the number that some digits form, and the bitwise OR of their values, which is [`NO_DIGIT`] if a byte is not a
    /// digit.
    #[inline(always)]
    fn part<const RADIX: u64>(&self, digits: &[u8]) -> (u64, u8) {
        // Digits are appended in pairs, which halves the number of steps that depend on the previous one. The number wraps only
        // if a byte is not a digit.
        let append = |part: u64, radix: u64, value: u64| part.wrapping_mul(radix).wrapping_add(value);
        let (first, pairs) = digits.as_rchunks::<2>();
        let value = |byte: &u8| self.values[usize::from(*byte)];
        let (mut part, mut seen) = match first {
            [digit] => (u64::from(value(digit)), value(digit)),
            _ => (0, 0),
        };
        for [one, other] in pairs {
            let (one, other) = (value(one), value(other));
            seen |= one | other;
            part = append(part, RADIX * RADIX, append(u64::from(one), RADIX, u64::from(other)));
        }
        (part, seen)
    }

    /// Fills the text with the number's last digits and returns a lower bound on the number of leading zeros among them.
    fn write(&self, number: Number, text: &mut [u8]) -> usize {
        with_radix!(self.write_radix(number, text))
    }

    fn write_radix<const RADIX: u64, const CHUNK: usize>(&self, mut number: Number, text: &mut [u8]) -> usize {
        let (first, chunks) = text.as_rchunks_mut::<CHUNK>();
        let mut zeros = first.len() + chunks.len() * CHUNK;
        for chunk in chunks.iter_mut().rev() {
            self.write_part::<RADIX>(number.take::<RADIX, CHUNK>(), chunk);
            zeros -= CHUNK;
            if number == Number::from(0) {
                text[..zeros].fill(self.alphabet[0]);
                return zeros;
            }
        }
        self.write_part::<RADIX>(low_half(number.low), first);
        0
    }

    #[inline(always)]
    fn write_part<const RADIX: u64>(&self, mut part: u64, digits: &mut [u8]) {
        #[allow(clippy::cast_possible_truncation, reason = "less than the radix")]
        let digit = |value: u64| self.alphabet[value as usize];
        let (first, pairs) = digits.as_rchunks_mut::<2>();
        for pair in pairs.iter_mut().rev() {
            let two = part % (RADIX * RADIX);
            *pair = [digit(two / RADIX), digit(two % RADIX)];
            part /= RADIX * RADIX;
        }
        if let [first] = first {
            *first = digit(part % RADIX);
        }
    }
}

pub(crate) static DECIMAL: Digits = Digits::new(b"0123456789");
pub(crate) static HEX: Digits = Digits::new(b"0123456789abcdef").in_either_case();
pub(crate) static HEX_LOWER: Digits = Digits::new(b"0123456789abcdef");
/// Crockford's base 32 (<https://www.crockford.com/base32.html>), as in ULIDs.
pub(crate) static CROCKFORD: Digits = Digits::new(b"0123456789ABCDEFGHJKMNPQRSTVWXYZ").in_either_case();
/// Crockford's base 32, with its aliases for `0` and `1`.
pub(crate) static CROCKFORD_ALIASES: Digits = Digits::new(b"0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    .with_alias(b'I', 1)
    .with_alias(b'L', 1)
    .with_alias(b'O', 0)
    .in_either_case();
/// Crockford's base 32 in lower case, as in TypeIDs.
pub(crate) static CROCKFORD_LOWER: Digits = Digits::new(b"0123456789abcdefghjkmnpqrstvwxyz");
/// RFC 4648, section 7.
pub(crate) static BASE32HEX: Digits = Digits::new(b"0123456789ABCDEFGHIJKLMNOPQRSTUV").in_either_case();
pub(crate) static BASE32HEX_LOWER: Digits = Digits::new(b"0123456789abcdefghijklmnopqrstuv");
pub(crate) static BASE36: Digits = Digits::new(b"0123456789abcdefghijklmnopqrstuvwxyz");
/// Bitcoin's base 58, without `0`, `O`, `I` and `l`.
pub(crate) static BASE58: Digits = Digits::new(b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz");
pub(crate) static BASE62: Digits = Digits::new(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
/// RFC 4648, section 5.
pub(crate) static BASE64URL: Digits = Digits::new(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

/// The number of digits.
#[derive(Clone, Copy)]
pub(crate) enum Width {
    /// A fixed number, with leading zeros.
    Fixed(usize),
    /// Any number within these bounds, without leading zeros.
    Unpadded(usize, usize),
}

/// The text form of a number: its digits, and the text around them.
#[derive(Clone, Copy)]
pub(crate) struct Encoding {
    pub(crate) digits: &'static Digits,
    pub(crate) width: Width,
    /// The positions of hyphens between 32 digits: a bit for each four digits that a hyphen precedes, the lowest for the first
    /// four.
    pub(crate) hyphens: u32,
    /// The number of unused bits, all zero, in the last digit.
    pub(crate) unused_bits: u32,
    pub(crate) before: &'static str,
    /// Whether `before` is case-insensitive.
    pub(crate) folds_before: bool,
    pub(crate) after: &'static str,
}

/// The maximum number of digits.
const MOST: usize = 48;

/// The number of digits of an encoding with hyphens.
const HYPHENATED_DIGITS: usize = 32;

impl Encoding {
    pub(crate) const fn new(digits: &'static Digits, width: Width) -> Encoding {
        Encoding { digits, width, hyphens: 0, unused_bits: 0, before: "", folds_before: false, after: "" }
    }

    #[inline(always)]
    fn has_hyphen(&self, four: usize) -> bool {
        self.hyphens >> four & 1 == 1
    }

    /// Returns the text between `before` and `after`, if both are present. (They are too short to be worth calling `memcmp`.)
    #[inline]
    fn inside<'a>(&self, text: &'a [u8]) -> Option<&'a [u8]> {
        let (before, inside) = text.split_at_checked(self.before.len())?;
        let (inside, after) = inside.split_at_checked(inside.len().checked_sub(self.after.len())?)?;
        let same_before = before
            .iter()
            .zip(self.before.as_bytes())
            .all(|(one, other)| one == other || self.folds_before && one.eq_ignore_ascii_case(other));
        let same_after = after.iter().zip(self.after.as_bytes()).all(|(one, other)| one == other);
        (same_before && same_after).then_some(inside)
    }

    #[inline]
    pub(crate) fn decode(&self, text: &[u8]) -> Result<Number, DecodeError> {
        let inside = self.inside(text).ok_or(DecodeError::Syntax)?;
        let number = match self.width {
            Width::Fixed(width) if self.hyphens == 0 && inside.len() == width => self.digits.number(inside)?,
            Width::Fixed(width) if inside.len() == width + self.hyphens.count_ones() as usize => {
                let (mut digits, mut rest) = ([0; HYPHENATED_DIGITS], inside);
                for (four, digits) in digits.as_chunks_mut().0.iter_mut().enumerate() {
                    if self.has_hyphen(four) {
                        rest = rest.strip_prefix(b"-").ok_or(DecodeError::Syntax)?;
                    }
                    let (first, others) = rest.split_first_chunk::<4>().ok_or(DecodeError::Syntax)?;
                    (*digits, rest) = (*first, others);
                }
                self.digits.number(&digits)?
            }
            Width::Unpadded(least, most) if (least..=most).contains(&inside.len()) => {
                let number = self.digits.number(inside);
                if inside.len() > 1 && inside[0] == self.digits.alphabet[0] {
                    return Err(DecodeError::Syntax);
                }
                number?
            }
            _ => return Err(DecodeError::Syntax),
        };
        if number.low.trailing_zeros() < self.unused_bits {
            return Err(DecodeError::Syntax);
        }
        Ok(number.shifted_right(self.unused_bits))
    }

    /// Appends a number, which must fit into the digits, to the text, which must have room for it.
    pub(crate) fn encode<const N: usize>(&self, number: Number, text: &mut ArrayVec<u8, N>) {
        let number = number.shifted_left(self.unused_bits);
        append(text, self.before.as_bytes());
        match self.width {
            Width::Fixed(width) if self.hyphens == 0 => {
                let start = text.len();
                append(text, &[0; MOST][..width]);
                self.digits.write(number, &mut text[start..]);
            }
            Width::Fixed(_) => {
                let mut digits = [0; HYPHENATED_DIGITS];
                self.digits.write(number, &mut digits);
                for (four, digits) in digits.as_chunks::<4>().0.iter().enumerate() {
                    if self.has_hyphen(four) {
                        append(text, b"-");
                    }
                    append(text, digits);
                }
            }
            Width::Unpadded(..) => {
                let mut digits = [0; MOST];
                let zeros = self.digits.write(number, &mut digits);
                let digits = &digits[zeros..];
                let more_zeros = digits.iter().position(|digit| *digit != self.digits.alphabet[0]);
                append(text, &digits[more_zeros.unwrap_or(digits.len() - 1)..]);
            }
        }
        append(text, self.after.as_bytes());
    }
}

/// Appends ASCII to a text, which must have room for it.
pub(crate) fn append<const N: usize>(text: &mut ArrayVec<u8, N>, ascii: &[u8]) {
    text.try_extend_from_slice(ascii).expect("the text has room");
}

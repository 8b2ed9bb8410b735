//! Numbers as text, and back: the digits of an alphabet, and what stands around them.

use super::Text;
use super::number::Number;
use crate::DecodeError;

/// The value of a byte that is no digit.
const NO_DIGIT: u8 = u8::MAX;

/// An alphabet of at most 64 bytes, which stand for 0, 1, 2..., and the bytes that are read as these.
pub(crate) struct Digits {
    alphabet: &'static [u8],
    values: [u8; 256],
    /// So many digits always fit into 64 bits, together with the power of the radix that comes after them.
    chunk: usize,
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
        Digits { alphabet, values, chunk: u64::MAX.ilog(alphabet.len() as u64) as usize }
    }

    /// Another byte that stands for a digit.
    pub(crate) const fn with_alias(mut self, alias: u8, digit: u8) -> Digits {
        self.values[alias as usize] = digit;
        self
    }

    /// Letters are read in upper and in lower case.
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
        match self.alphabet.len() {
            10 => self.number_radix::<10>(text),
            16 => self.number_radix::<16>(text),
            32 => self.number_radix::<32>(text),
            36 => self.number_radix::<36>(text),
            58 => self.number_radix::<58>(text),
            62 => self.number_radix::<62>(text),
            _ => self.number_radix::<64>(text),
        }
    }

    fn number_radix<const RADIX: u64>(&self, text: &[u8]) -> Result<Number, DecodeError> {
        let mut number = Some(Number::from(0));
        for chunk in text.chunks(self.chunk) {
            let (mut part, mut scale, mut all_digits) = (0_u64, 1_u64, true);
            for &byte in chunk {
                let value = self.values[usize::from(byte)];
                all_digits &= value != NO_DIGIT;
                // Wraps only where a byte is no digit.
                part = part.wrapping_mul(RADIX).wrapping_add(u64::from(value));
                scale *= RADIX;
            }
            // What is no digit comes before what is too large, wherever it stands.
            if !all_digits {
                return Err(DecodeError::Syntax);
            }
            number = number.and_then(|number| number.times_plus(scale, part));
        }
        number.ok_or(DecodeError::Overflow)
    }

    /// Fills the text with the number's last digits.
    fn write(&self, number: Number, text: &mut [u8]) {
        match self.alphabet.len() {
            10 => self.write_radix::<10>(number, text),
            16 => self.write_radix::<16>(number, text),
            32 => self.write_radix::<32>(number, text),
            36 => self.write_radix::<36>(number, text),
            58 => self.write_radix::<58>(number, text),
            62 => self.write_radix::<62>(number, text),
            _ => self.write_radix::<64>(number, text),
        }
    }

    /// The radix is a constant, since division by one is a multiplication.
    fn write_radix<const RADIX: u64>(&self, mut number: Number, text: &mut [u8]) {
        for chunk in text.rchunks_mut(self.chunk) {
            #[allow(clippy::cast_possible_truncation, reason = "a chunk has at most 19 digits")]
            let mut part = number.take::<RADIX>(chunk.len() as u32);
            for digit in chunk.iter_mut().rev() {
                #[allow(clippy::cast_possible_truncation, reason = "less than the radix")]
                {
                    *digit = self.alphabet[(part % RADIX) as usize];
                }
                part /= RADIX;
            }
        }
    }
}

pub(crate) static DECIMAL: Digits = Digits::new(b"0123456789");
pub(crate) static HEX: Digits = Digits::new(b"0123456789abcdef").in_either_case();
pub(crate) static HEX_LOWER: Digits = Digits::new(b"0123456789abcdef");
/// Crockford's (<https://www.crockford.com/base32.html>), as ULIDs are written.
pub(crate) static CROCKFORD: Digits = Digits::new(b"0123456789ABCDEFGHJKMNPQRSTVWXYZ").in_either_case();
/// With the letters that Crockford reads as digits.
pub(crate) static CROCKFORD_ALIASES: Digits = Digits::new(b"0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    .with_alias(b'I', 1)
    .with_alias(b'L', 1)
    .with_alias(b'O', 0)
    .in_either_case();
/// As TypeIDs are written.
pub(crate) static CROCKFORD_LOWER: Digits = Digits::new(b"0123456789abcdefghjkmnpqrstvwxyz");
/// RFC 4648, section 7.
pub(crate) static BASE32HEX: Digits = Digits::new(b"0123456789ABCDEFGHIJKLMNOPQRSTUV").in_either_case();
pub(crate) static BASE32HEX_LOWER: Digits = Digits::new(b"0123456789abcdefghijklmnopqrstuv");
pub(crate) static BASE36: Digits = Digits::new(b"0123456789abcdefghijklmnopqrstuvwxyz");
/// Bitcoin's, without `0`, `O`, `I` and `l`.
pub(crate) static BASE58: Digits = Digits::new(b"123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz");
pub(crate) static BASE62: Digits = Digits::new(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
/// RFC 4648, section 5.
pub(crate) static BASE64URL: Digits = Digits::new(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_");

/// How many digits a number has in a text.
#[derive(Clone, Copy)]
pub(crate) enum Width {
    /// So many, with zeros in front.
    Fixed(usize),
    /// From so many to so many, without a zero in front.
    Unpadded(usize, usize),
}

/// A number in digits and what stands around them.
#[derive(Clone, Copy)]
pub(crate) struct Encoding {
    pub(crate) digits: &'static Digits,
    pub(crate) width: Width,
    /// Where hyphens are between the digits.
    pub(crate) hyphens: &'static [usize],
    /// How many bits of the last digit are not the number's. They are zero.
    pub(crate) unused_bits: u32,
    pub(crate) before: &'static str,
    /// Whether that is read in upper and in lower case.
    pub(crate) folds_before: bool,
    pub(crate) after: &'static str,
}

/// As many digits as the longest numbers and texts have.
const MOST: usize = 48;

impl Encoding {
    pub(crate) const fn new(digits: &'static Digits, width: Width) -> Encoding {
        Encoding { digits, width, hyphens: &[], unused_bits: 0, before: "", folds_before: false, after: "" }
    }

    /// How long texts are if their digits are of fixed width.
    pub(crate) const fn fixed_length(&self) -> Option<usize> {
        match self.width {
            Width::Fixed(width) => Some(self.before.len() + width + self.hyphens.len() + self.after.len()),
            Width::Unpadded(..) => None,
        }
    }

    pub(crate) fn decode(&self, text: &[u8]) -> Result<Number, DecodeError> {
        let (before, inside) = text.split_at_checked(self.before.len()).ok_or(DecodeError::Syntax)?;
        let same = if self.folds_before {
            before.eq_ignore_ascii_case(self.before.as_bytes())
        } else {
            before == self.before.as_bytes()
        };
        let inside = inside.strip_suffix(self.after.as_bytes()).filter(|_| same).ok_or(DecodeError::Syntax)?;
        let number = match self.width {
            Width::Fixed(width) if self.hyphens.is_empty() && inside.len() == width => self.digits.number(inside)?,
            Width::Fixed(width) if inside.len() == width + self.hyphens.len() => {
                let (mut digits, mut begin) = ([0; MOST], 0);
                for (count, end) in self.hyphens.iter().copied().chain([inside.len()]).enumerate() {
                    // The places of hyphens count those before them.
                    digits[begin - count..end - count].copy_from_slice(&inside[begin..end]);
                    if inside.get(end).is_some_and(|byte| *byte != b'-') {
                        return Err(DecodeError::Syntax);
                    }
                    begin = end + 1;
                }
                self.digits.number(&digits[..width])?
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
        if self.unused_bits > 0 && number.low.trailing_zeros() < self.unused_bits {
            return Err(DecodeError::Syntax);
        }
        Ok(number.shifted_right(self.unused_bits))
    }

    /// Writes a number that the digits can hold.
    pub(crate) fn encode<const N: usize>(&self, number: Number, text: &mut Text<N>) {
        let mut digits = [self.digits.alphabet[0]; MOST];
        let width = match self.width {
            Width::Fixed(width) => width,
            Width::Unpadded(_, most) => most.min(MOST),
        };
        let digits = &mut digits[..width];
        self.digits.write(number.shifted_left(self.unused_bits), digits);
        let begin = match self.width {
            Width::Fixed(_) => 0,
            Width::Unpadded(..) => {
                digits.iter().position(|digit| *digit != self.digits.alphabet[0]).unwrap_or(width - 1)
            }
        };
        text.push(self.before.as_bytes());
        let mut rest = &digits[begin..];
        for (count, place) in self.hyphens.iter().enumerate() {
            // The places of hyphens count those before them.
            let (part, others) = rest.split_at(place - count - (width - rest.len()));
            text.push(part);
            text.push(b"-");
            rest = others;
        }
        text.push(rest);
        text.push(self.after.as_bytes());
    }
}

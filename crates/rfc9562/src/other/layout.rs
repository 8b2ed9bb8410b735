//! The layout of a system's IDs, by which they are read and written.

use arrayvec::ArrayVec;

use super::clock::Clock;
use super::{IdError, Type};
use crate::Uuid;
use crate::field::{self, Field};
use crate::text::encoding::{Encoding, Width};
use crate::text::number::{Number, low_half};
use crate::text::{self, LONGEST};

/// An ID without its system: the time in the system's unit, and the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Parts {
    pub(super) time: u64,
    pub(super) rest: u128,
}

pub(super) struct Layout {
    pub(super) clock: Clock,
    /// The fields of the time, most significant first.
    pub(super) time: &'static [Field],
    /// The fields of the rest, most significant first.
    pub(super) rest: &'static [Field],
    /// The pieces of an ID that is a version 4 UUID, most significant first. Empty for other IDs, in which the time precedes the
    /// rest.
    pub(super) pieces: &'static [Piece],
    /// The types of the system's IDs, except text.
    pub(super) types: &'static [Type],
    /// Whether IDs sort by time in columns of `types`.
    pub(super) sorts: bool,
    pub(super) text: TextEncodings,
    /// The length of the texts that sort by time, or 0 if none do.
    pub(super) sorted_text: usize,
    /// A description of valid texts, to complete "Such an ID is written as ...".
    pub(super) rule: &'static str,
    pub(super) conversion: Conversion,
}

/// The way in which an ID is converted to a UUID ([`super::conversion`]), and the version of the UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Conversion {
    /// To version 7, lossless: finer time and rest have at most 74 bits.
    Version7,
    /// To version 7, from a rest of 80 bits, 6 of which are lost.
    Version7InPlace,
    /// To version 8, from a time of 48 bits and a rest of 74.
    Version8,
    /// To version 8, ending in a hash.
    Version8Hashed,
}

/// The text encodings of IDs. An ID is written in the first encoding and read in any.
#[derive(Clone, Copy)]
pub(super) enum TextEncodings {
    /// All bits as one number.
    Whole(&'static [Encoding]),
    /// The time, followed by the rest, which has a fixed number of digits, perhaps after another text.
    Halves(&'static [[Encoding; 2]]),
}

/// Some bits of an ID that is a version 4 UUID. The first field is the number of bits, at most 64.
pub(super) enum Piece {
    /// Bits of the time, above the given number of less significant bits.
    Time(u32, u32),
    /// Bits of the rest, above the given number of less significant bits.
    Rest(u32, u32),
    Fixed(u32, u64),
}

impl Piece {
    const fn bits(&self) -> u32 {
        let (Piece::Time(bits, _) | Piece::Rest(bits, _) | Piece::Fixed(bits, _)) = self;
        *bits
    }

    fn last_bits(&self, number: u128) -> u64 {
        low_half(number) & (u64::MAX >> (u64::BITS - self.bits()))
    }
}

impl Layout {
    pub(super) fn time_last(&self) -> u64 {
        u64::try_from(field::last(self.time)).unwrap_or(u64::MAX)
    }

    pub(super) const fn rest_last(&self) -> u128 {
        field::last(self.rest)
    }

    /// Returns the number of bits of the rest.
    pub(super) const fn rest_bits(&self) -> u32 {
        u128::BITS - self.rest_last().leading_zeros()
    }

    /// Returns the number of bytes of an ID in `bytea`.
    pub(super) fn bytes(&self) -> usize {
        let time_bits = u64::BITS - self.time_last().leading_zeros();
        (time_bits + self.rest_bits()).div_ceil(8) as usize
    }

    pub(super) fn check(&self, parts: Parts) -> Result<Parts, IdError> {
        if parts.time <= self.time_last() && parts.rest <= self.rest_last() { Ok(parts) } else { Err(IdError::Range) }
    }

    /// Returns the time and the rest of an ID, given its bits.
    pub(super) fn parts(&self, number: Number) -> Result<Parts, IdError> {
        if !self.pieces.is_empty() {
            return self.parts_from_uuid(Uuid::from_u128(number.low));
        }
        let rest_bits = self.rest_bits();
        let (time, rest) = match rest_bits {
            u128::BITS => (u128::from(number.high), number.low),
            // Time and rest together have at most 128 bits.
            _ if number.high > 0 => return Err(IdError::Range),
            _ => (number.low >> rest_bits, number.low & ((1 << rest_bits) - 1)),
        };
        Ok(Parts { time: u64::try_from(time).map_err(|_| IdError::Range)?, rest })
    }

    fn parts_from_uuid(&self, uuid: Uuid) -> Result<Parts, IdError> {
        if uuid.version() != Some(4) {
            return Err(IdError::NotVersion4(uuid));
        }
        let (mut parts, mut number) = (Parts { time: 0, rest: 0 }, uuid.to_u128());
        for piece in self.pieces.iter().rev() {
            let value = piece.last_bits(number);
            number >>= piece.bits();
            match *piece {
                Piece::Time(_, from) => parts.time |= value << from,
                Piece::Rest(_, from) => parts.rest |= u128::from(value) << from,
                Piece::Fixed(_, is) if is == value => (),
                Piece::Fixed(..) => return Err(IdError::Range),
            }
        }
        Ok(parts)
    }

    /// Returns the bits of an ID, given its time and rest.
    pub(super) fn number(&self, parts: Parts) -> Number {
        if self.pieces.is_empty() {
            return match self.rest_bits() {
                u128::BITS => Number { high: parts.time, low: parts.rest },
                bits => Number::from(u128::from(parts.time) << bits | parts.rest),
            };
        }
        let low = self.pieces.iter().fold(0, |number, piece| {
            let value = match *piece {
                Piece::Time(_, from) => u128::from(parts.time >> from),
                Piece::Rest(_, from) => parts.rest >> from,
                Piece::Fixed(_, value) => u128::from(value),
            };
            number << piece.bits() | u128::from(piece.last_bits(value))
        });
        Number::from(low)
    }

    pub(super) fn decode(&self, text: &[u8]) -> Result<Parts, IdError> {
        match self.text {
            TextEncodings::Whole(encodings) => self.parts(text::decode_any(encodings, text)?),
            TextEncodings::Halves(all) => {
                let halves = |[time, rest]: &[Encoding; 2]| {
                    let Width::Fixed(digits) = rest.width else { return Err(IdError::Syntax) };
                    let middle = text.len().checked_sub(rest.before.len() + digits).ok_or(IdError::Syntax)?;
                    let (front, end) = text.split_at(middle);
                    // Each number has fewer than 128 bits, so the only error is an invalid digit.
                    let (time, rest) = (time.decode(front)?.low, rest.decode(end)?.low);
                    Ok(Parts { time: u64::try_from(time).map_err(|_| IdError::Range)?, rest })
                };
                let mut decoded = all.iter().map(halves);
                decoded.find(|decoded| *decoded != Err(IdError::Syntax)).unwrap_or(Err(IdError::Syntax))
            }
        }
    }

    pub(super) fn encode(&self, parts: Parts) -> ArrayVec<u8, LONGEST> {
        let mut text = ArrayVec::new();
        match self.text {
            TextEncodings::Whole(encodings) => encodings[0].encode(self.number(parts), &mut text),
            TextEncodings::Halves(all) => {
                let [time, rest] = &all[0];
                time.encode(Number::from(u128::from(parts.time)), &mut text);
                rest.encode(Number::from(parts.rest), &mut text);
            }
        }
        text
    }
}

//! KSUID (segmentio/ksuid, `ksuid.go`, `base62.go`): a time and randomness, 160 bits.
//!
//! ```text
//! |-- 32: s since 2014-05-13 --|------------------ 128: payload ------------------|
//! ```
//!
//! Text: base 62 in 27 digits, zeros in front; the largest is `aWgEPTl1tmebfsQzFP4bxwgy80V`. Slip: the parser of segmentio/ksuid does
//! not look whether a character is a digit, and reads some other texts as ids. They are refused here. KsuidMs (svix), which has a
//! fraction of the second in its first octet of payload, cannot be told from a KSUID and is read as one.

use super::carried::Carried;
use super::clock::Clock;
use super::digits::BASE62;
use super::field::Field;
use super::{Form, IdError, Layout, Parts, Type};

pub(super) static LAYOUT: Layout = Layout {
    clock: Clock::seconds(1_400_000_000),
    time: &[Field::number("timestamp", 32)],
    rest: &[Field::hex("payload", 128)],
    types: &[Type::Bytea],
    octets: 20,
    sorts: true,
    sorted_text: WIDTH,
    form: Form::Text { decode, encode },
    carried: Carried::Version8Hashed,
};

const WIDTH: usize = 27;
const RADIX: u64 = 62;
const HALF: u32 = u64::BITS;

/// The number of 192 bits in three parts, so that a part and a digit have 70.
fn decode(text: &[u8]) -> Result<Parts, IdError> {
    if text.len() != WIDTH {
        return Err(IdError::Syntax);
    }
    let mut parts = [0_u64; 3];
    for &byte in text {
        let mut carry = u128::from(BASE62.value(byte)?);
        for part in parts.iter_mut().rev() {
            let product = u128::from(*part) * u128::from(RADIX) + carry;
            *part = low_half(product);
            carry = product >> HALF;
        }
    }
    let [time, high, low] = parts;
    Ok(Parts { time, rest: u128::from(high) << HALF | u128::from(low) })
}

fn encode(parts: Parts) -> String {
    let mut number = [parts.time, low_half(parts.rest >> HALF), low_half(parts.rest)];
    let mut digits = Vec::new();
    for _ in 0..WIDTH {
        let mut remainder = 0;
        for part in &mut number {
            let dividend = u128::from(remainder) << HALF | u128::from(*part);
            *part = low_half(dividend / u128::from(RADIX));
            remainder = low_half(dividend % u128::from(RADIX));
        }
        digits.push(BASE62.text(u128::from(remainder), 1));
    }
    digits.iter().rev().map(String::as_str).collect()
}

#[allow(clippy::cast_possible_truncation)]
const fn low_half(number: u128) -> u64 {
    number as u64
}

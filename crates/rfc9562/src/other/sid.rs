//! SID (chilts/sid, `sid.go`): a time and randomness, each of 63 bits.
//!
//! ```text
//! |--------------- 63: Unix ns ---------------|--------------- 63: random ---------------|
//! ```
//!
//! Text: both parts with a hyphen between them. Four forms are read, and told apart by their lengths; the first is written.
//!
//! ```text
//! Id         39   19 + 19   decimal; the time has no zeros in front, and 19 digits since 2001-09-09
//! IdHex      33   16 + 16   hexadecimal digits in lower case
//! IdBase32   27   13 + 13   0-9a-v
//! IdBase64   23   11 + 11   0-9A-Z_a-z~; this was Id until 2018-09
//! ```
//!
//! Decimal times of fewer digits, which are of before SID, are refused. Slip: the ReadMe says that there is one function, and shows four.

use super::carried::Carried;
use super::clock::Clock;
use super::digits::{BASE32HEX, DECIMAL, Digits, HEX};
use super::field::Field;
use super::{Form, IdError, Layout, Parts};

pub(super) static LAYOUT: Layout = Layout {
    clock: Clock::nanoseconds(),
    time: &[Field::number("timestamp", 63)],
    rest: &[Field::number("random", 63)],
    types: &[],
    octets: 0,
    sorts: false,
    sorted_text: 39,
    form: Form::Text {
        decode,
        encode: |parts| format!("{}-{}", DECIMAL.text(u128::from(parts.time), 1), DECIMAL.text(parts.rest, 19)),
    },
    carried: Carried::Version8Hashed,
};

static BASE64: Digits = Digits::new(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~");

fn decode(text: &[u8]) -> Result<Parts, IdError> {
    let (digits, width) = match text.len() {
        39 => (&DECIMAL, 19),
        33 => (&HEX, 16),
        27 => (&BASE32HEX, 13),
        23 => (&BASE64, 11),
        _ => return Err(IdError::Syntax),
    };
    let (time, rest) = (digits.number(&text[..width])?, digits.number(&text[width + 1..])?);
    if text[width] != b'-' || width == 19 && text[0] == b'0' {
        return Err(IdError::Syntax);
    }
    // Of 64 or more bits; one of the 64 is too many and refused with all other such numbers.
    Ok(Parts { time: u64::try_from(time).map_err(|_| IdError::Range)?, rest })
}

//! FlakeID (T-PWK/flake-idgen, `flake-id-gen.js`): 8 octets.
//!
//! ```text
//! |------ 42: ms since 1970 -------| 5: datacenter | 5: worker | 12: counter |
//! ```
//!
//! Text: the number in decimal without zeros in front, or in hexadecimal digits after `0x`, 16 of them, in either case.
//!
//! The epoch is an option of whoever makes the ids, and stands nowhere in them. Slip: the ids in the table of the README are of 1971 if
//! read as that says. The number has no sign: as a bigint it is negative from 2039-09-07 on, if it counts from 1970.

use super::carried::Carried;
use super::clock::Clock;
use super::digits::{HEX, unpadded_decimal};
use super::field::Field;
use super::{Form, IdError, Layout, Parts, Type, split};

pub(super) static LAYOUT: Layout = Layout {
    clock: Clock::milliseconds(1, 0).taking_epoch(),
    time: &[Field::number("timestamp", 42)],
    rest: &[Field::number("datacenter", 5), Field::number("worker", 5), Field::number("counter", 12)],
    types: &[Type::Bigint, Type::Bytea],
    octets: 8,
    sorts: true,
    sorted_text: 0,
    form: Form::Text { decode, encode: |parts| LAYOUT.number(parts).to_string() },
    carried: Carried::Version7,
};

fn decode(text: &[u8]) -> Result<Parts, IdError> {
    let number = match text.strip_prefix(b"0x") {
        Some(digits) => HEX.number_of(&digits.to_ascii_lowercase(), 16)?,
        None => u128::from(unpadded_decimal(text)?),
    };
    Ok(split(number, 22))
}

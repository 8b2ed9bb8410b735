//! Flake (boundary/flake, `flake_util.erl`): a time, a network card and a sequence.
//!
//! ```text
//! |--------------- 64: Unix ms ---------------|---- 48: worker (MAC) ----|- 16: sequence -|
//! ```
//!
//! Text: base 62 without zeros in front, 18 characters from 1975 to 2284, in which it sorts. (Flake writes other bases, too.)
//!
//! The worker is a network card's address, and stays in the UUID: version 7 with its rest in the last 64 bits.

use super::carried::Carried;
use super::clock::Clock;
use super::digits::BASE62;
use super::field::Field;
use super::{Form, IdError, Layout, Parts, Type, split};

pub(super) static LAYOUT: Layout = Layout {
    clock: Clock::milliseconds(1, 0),
    time: &[Field::number("timestamp", 64)],
    rest: &[Field::hex("worker", 48), Field::number("sequence", 16)],
    types: &[Type::Bytea, Type::Uuid],
    octets: 16,
    sorts: true,
    sorted_text: 18,
    form: Form::Text { decode, encode },
    carried: Carried::Version7,
};

fn decode(text: &[u8]) -> Result<Parts, IdError> {
    let number = BASE62.number(text)?;
    match text {
        [b'0', _, ..] => Err(IdError::Syntax),
        _ => Ok(split(number, 64)),
    }
}

fn encode(parts: Parts) -> String {
    BASE62.text(u128::from(parts.time) << 64 | parts.rest, 1)
}

//! LexicalUUID (twitter-archive/cassie, `types/LexicalUUID.scala`): a time and who made it.
//!
//! ```text
//! |--------------- 64: Unix µs ---------------|--------------- 64: worker ---------------|
//! ```
//!
//! Text: hexadecimal digits in lower case, 8-4-4-16 with hyphens: 35 characters and not the 36 of a UUID. Either case is
//! read. (Cassie reads hyphens anywhere and ignores what follows the 32nd digit.)
//!
//! The time is what the clock gave that Cassie was told to use. The one it has is read here: milliseconds times 1000, and one
//! more for each further id of the millisecond. Time and worker have signs there. A negative time is refused here, and of two ids of one
//! time the one with the negative worker comes last, as in the order of octets.

use super::carried::Carried;
use super::clock::Clock;
use super::digits::HEX;
use super::field::Field;
use super::{Form, IdError, Layout, Parts, Type, split};

pub(super) static LAYOUT: Layout = Layout {
    clock: Clock::microseconds(1),
    time: &[Field::number("timestamp", 64)],
    rest: &[Field::hex("worker", 64)],
    types: &[Type::Bytea, Type::Uuid],
    octets: 16,
    sorts: true,
    sorted_text: 35,
    form: Form::Text { decode, encode },
    carried: Carried::Version7,
};

const HYPHENS: [usize; 3] = [8, 13, 18];

fn decode(text: &[u8]) -> Result<Parts, IdError> {
    if text.len() != 35 || HYPHENS.iter().any(|&place| text[place] != b'-') {
        return Err(IdError::Syntax);
    }
    let digits = [&text[..8], &text[9..13], &text[14..18], &text[19..]].concat().to_ascii_lowercase();
    HEX.number(&digits).map(|number| split(number, 64))
}

fn encode(parts: Parts) -> String {
    let time = HEX.text(u128::from(parts.time), 16);
    format!("{}-{}-{}-{}", &time[..8], &time[8..12], &time[12..], HEX.text(parts.rest, 16))
}

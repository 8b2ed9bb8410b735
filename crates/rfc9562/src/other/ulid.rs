//! ULID (<https://github.com/ulid/spec>): a time and randomness, in Crockford's base 32.
//!
//! ```text
//! |------------- 48: Unix ms -------------|---------------- 80: random ----------------|
//! ```
//!
//! Text: 26 digits, in upper case; either case is read. The largest is `7ZZZZZZZZZZZZZZZZZZZZZZZZZ`. The specification has no
//! aliases: `I`, `L`, `O` and `U` are refused here (ulid/javascript refuses them, oklog/ulid's `Parse` makes something of them).
//!
//! Within a millisecond some makers count the random part up. So what is lost on the way to version 7 is not its end, but the 6
//! bits that lie where version and variant do. Ids that were counted up stay in their order, but for a carry into
//! those bits; the 128 bits as they are are a `uuid` too.
//!
//! Slip: the README of ulid/javascript shows `000XAL6S41ACTAV9WEVGEMMVR8`, with an `L`.

use super::carried::Carried;
use super::clock::Clock;
use super::field::Field;
use super::{Form, IdError, Layout, Parts, Type, split};
use crate::text::Format;
use crate::{DecodeError, Uuid};

pub(super) static LAYOUT: Layout = Layout {
    clock: Clock::milliseconds(1, 0),
    time: &[Field::number("timestamp", 48)],
    rest: &[Field::hex("random", 80)],
    types: &[Type::Bytea, Type::Uuid],
    octets: 16,
    sorts: true,
    sorted_text: 26,
    form: Form::Text { decode, encode },
    carried: Carried::Version7InPlace,
};

fn decode(text: &[u8]) -> Result<Parts, IdError> {
    if text.iter().any(|byte| b"ILOilo".contains(byte)) {
        return Err(IdError::Syntax);
    }
    match Format::Base32.decode(text) {
        Ok(uuid) => Ok(split(uuid.to_u128(), 80)),
        Err(DecodeError::Syntax) => Err(IdError::Syntax),
        Err(DecodeError::Overflow) => Err(IdError::Range),
    }
}

fn encode(parts: Parts) -> String {
    Format::Base32.encode(Uuid::from_u128(u128::from(parts.time) << 80 | parts.rest))
}

//! Elasticflake (ppearcy/elasticflake, `TimeBasedUUIDGenerator.java`): a time, who made it, and a sequence; 120 bits.
//!
//! ```text
//! |------ 48: Unix ms ------|-- 48: MAC xor randomness --|- 24: sequence -|
//! ```
//!
//! Text: the base 64 of RFC 4648, section 5, 20 digits, which do not sort as their numbers do.
//!
//! Elasticsearch made such ids before version 6.0. Since then the octets come in another order, which is not read here: every
//! text of 20 digits is an id of some time, so look at the times before you believe them.

use data_encoding::BASE64URL_NOPAD;

use super::carried::Carried;
use super::clock::Clock;
use super::field::Field;
use super::{Form, IdError, Layout, Parts, Type};

pub(super) static LAYOUT: Layout = Layout {
    clock: Clock::milliseconds(1, 0),
    time: &[Field::number("timestamp", 48)],
    rest: &[Field::hex("munged_mac", 48), Field::number("sequence", 24)],
    types: &[Type::Bytea],
    octets: 15,
    sorts: true,
    sorted_text: 0,
    form: Form::Text { decode, encode },
    carried: Carried::Version7,
};

fn decode(text: &[u8]) -> Result<Parts, IdError> {
    let mut octets = [0; 15];
    if text.len() != 20 || BASE64URL_NOPAD.decode_mut(text, &mut octets).is_err() {
        return Err(IdError::Syntax);
    }
    Ok(LAYOUT.of_octets(&octets))
}

fn encode(parts: Parts) -> String {
    BASE64URL_NOPAD.encode(&LAYOUT.octets_of(parts))
}

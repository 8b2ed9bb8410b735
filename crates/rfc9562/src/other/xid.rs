//! XID (rs/xid, `id.go`): the 12 octets of an ObjectID in base 32.
//!
//! ```text
//! |--- 32: Unix s ---|- 24: machine -|- 16: pid -|- 24: counter -|
//! ```
//!
//! Text: 20 digits of base 32 in the order of ASCII, in lower case only. The last has one bit of the id, so it is `0` or `g`. Slip: versions
//! before 1.4.0, and the regular expression of the README, take any other.

use super::carried::Carried;
use super::clock::Clock;
use super::digits::BASE32HEX;
use super::field::Field;
use super::{Form, IdError, Layout, Parts, Type, split};

pub(super) static LAYOUT: Layout = Layout {
    clock: Clock::seconds(0),
    time: &[Field::number("timestamp", 32)],
    rest: &[Field::hex("machine", 24), Field::number("pid", 16), Field::number("counter", 24)],
    types: &[Type::Bytea],
    octets: 12,
    sorts: true,
    sorted_text: WIDTH,
    form: Form::Text {
        decode,
        encode: |parts| BASE32HEX.text((u128::from(parts.time) << 64 | parts.rest) << UNUSED_BITS, WIDTH),
    },
    carried: Carried::Version7,
};

const WIDTH: usize = 20;
const UNUSED_BITS: u32 = 4;

fn decode(text: &[u8]) -> Result<Parts, IdError> {
    match BASE32HEX.number_of(text, WIDTH)? {
        number if number.trailing_zeros() >= UNUSED_BITS => Ok(split(number >> UNUSED_BITS, 64)),
        _ => Err(IdError::Syntax),
    }
}

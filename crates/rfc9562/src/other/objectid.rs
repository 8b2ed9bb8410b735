//! ObjectID (mongodb/specifications, `bson-objectid/objectid.md`): 12 octets.
//!
//! ```text
//! |--- 32: Unix s ---|---- 40: random of the process ----|- 24: counter -|
//! ```
//!
//! Text: 24 hexadecimal digits, in lower case; either case is read. (Older drivers take a text of 12 characters for the octets.)
//!
//! The seconds have no sign. Slip: the specification says that they end on 2106-01-07, and in its tests, which is right,
//! on 2106-02-07. Before 2018 the 40 bits were 24 of a machine and 16 of a process.

use super::carried::Carried;
use super::clock::Clock;
use super::digits::HEX;
use super::field::Field;
use super::{Form, Layout, Type, split};

pub(super) static LAYOUT: Layout = Layout {
    clock: Clock::seconds(0),
    time: &[Field::number("timestamp", 32)],
    rest: &[Field::hex("process", 40), Field::number("counter", 24)],
    types: &[Type::Bytea],
    octets: 12,
    sorts: true,
    sorted_text: WIDTH,
    form: Form::Text {
        decode: |text| HEX.number_of(&text.to_ascii_lowercase(), WIDTH).map(|number| split(number, 64)),
        encode: |parts| HEX.text(u128::from(parts.time) << 64 | parts.rest, WIDTH),
    },
    carried: Carried::Version7,
};

const WIDTH: usize = 24;

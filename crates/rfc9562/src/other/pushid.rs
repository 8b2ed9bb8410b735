//! pushID (Firebase; firebase/firebase-js-sdk, `NextPushId.ts`): a time and randomness, 20 characters.
//!
//! ```text
//! |------ 48: Unix ms ------|------------ 72: random ------------|
//! ```
//!
//! Text: 20 digits of base 64 in an alphabet of its own, in the order of ASCII. Their case matters.
//!
//! Any 20 such characters are an id of some time, and keys of a Firebase database can be anything: look at the times before
//! you believe them. Within a millisecond a client counts the random part up.

use super::carried::Carried;
use super::clock::Clock;
use super::digits::Digits;
use super::field::Field;
use super::{Form, Layout, split};

pub(super) static LAYOUT: Layout = Layout {
    clock: Clock::milliseconds(1, 0),
    time: &[Field::number("timestamp", 48)],
    rest: &[Field::hex("random", 72)],
    types: &[],
    octets: 0,
    sorts: false,
    sorted_text: WIDTH,
    form: Form::Text {
        decode: |text| BASE64.number_of(text, WIDTH).map(|number| split(number, 72)),
        encode: |parts| BASE64.text(u128::from(parts.time) << 72 | parts.rest, WIDTH),
    },
    carried: Carried::Version7,
};

const WIDTH: usize = 20;

static BASE64: Digits = Digits::new(b"-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz");

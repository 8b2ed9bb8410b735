//! orderedUuid (laravel/framework, `Str::orderedUuid`; ramsey/uuid, `CombGenerator` and `TimestampFirstCombCodec`): a version 4 UUID
//! that begins with a time.
//!
//! ```text
//! |------ 48: Unix time, 10 µs each ------| 4: version 4 | 12: random | 2: variant | 62: random |
//! ```
//!
//! Text: that of a UUID; either case is read.
//!
//! Slip: the documentation of ramsey/uuid says "microseconds", where the code keeps tens of them. Any version 4 UUID reads as one of
//! these, at a time between 1970 and 2059: the time of one that is none means nothing.
//!
//! Time and randomness have 122 bits: version 8 holds all of them.

use super::carried::Carried;
use super::clock::Clock;
use super::field::Field;
use super::{Form, IdError, Layout, Parts, Type};
use crate::Uuid;

pub(super) static LAYOUT: Layout = Layout {
    clock: Clock::microseconds(10),
    time: &[Field::number("timestamp", 48)],
    rest: &[Field::hex("random_a", 12), Field::hex("random_b", 62)],
    types: &[Type::Uuid],
    octets: 0,
    sorts: true,
    sorted_text: 36,
    form: Form::Uuid { of: of_uuid, to: to_uuid },
    carried: Carried::Version8,
};

/// Of a version 4 with the time in its first 48 bits.
pub(super) fn of_uuid(uuid: Uuid) -> Result<Parts, IdError> {
    if uuid.version() != Some(4) {
        return Err(IdError::NotVersion4 { uuid });
    }
    let (time, random_a) = (uuid.high_and_mid() >> 12, uuid.high_and_mid() & 0xfff);
    Ok(Parts { time, rest: u128::from(random_a) << 62 | u128::from(uuid.low()) })
}

#[allow(clippy::cast_possible_truncation)]
pub(super) const fn to_uuid(parts: Parts) -> Uuid {
    Uuid::stamped(4, parts.time << 12 | (parts.rest >> 62) as u64 & 0xfff, parts.rest as u64)
}

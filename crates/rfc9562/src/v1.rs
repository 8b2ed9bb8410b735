//! UUID version 1: Gregorian time, its fields in the order of 1988 (RFC 9562, section 5.1).
//!
//! ```text
//!  0                   1                   2                   3
//!  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! |                           time_low                            |
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! |           time_mid            |  ver  |       time_high       |
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! |var|         clock_seq         |             node              |
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! |                              node                             |
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! ```

use crate::{Error, Uuid, v6};

/// The version 1 UUID of a tick of 100 ns since 1582-10-15 (60 bits), a clock sequence (14 bits) and a node (48 bits),
/// the last two as `clock_seq << 48 | node`. Higher bits are ignored.
pub const fn from_parts(tick: u64, clock_seq_and_node: u64) -> Uuid {
    let time_low = tick & 0xffff_ffff;
    let time_mid = tick >> 32 & 0xffff;
    let time_high = tick >> 48 & 0xfff;
    Uuid::stamped(1, time_low << 28 | time_mid << 12 | time_high, clock_seq_and_node)
}

/// The timestamp field of a version 1 UUID: intervals of 100 ns since 1582-10-15 00:00:00 UTC.
pub const fn tick(uuid: Uuid) -> u64 {
    let fields = uuid.high_and_mid();
    let time_low = fields >> 28;
    let time_mid = fields >> 12 & 0xffff;
    let time_high = fields & 0xfff;
    time_high << 48 | time_mid << 32 | time_low
}

/// The version 1 UUID of the same time, clock sequence and node as a version 6 UUID. Nothing is lost:
/// [`v6::from_v1`] gives the argument back.
pub const fn from_v6(uuid: Uuid) -> Result<Uuid, Error> {
    match uuid.version() {
        Some(6) => Ok(from_parts(v6::tick(uuid), uuid.low())),
        _ => Err(Error::NotOfVersion { uuid, version: 6 }),
    }
}

//! UUID version 6: Gregorian time, most significant bits first (RFC 9562, section 5.6), and conversions from and to version 1.
//! The items re-exported from [`gregorian`] are shared with version 1.
//!
//! ```text
//! time_high (32) | time_mid (16) | ver (4) | time_low (12) | var (2) | clock_seq (14) | node (48)
//! ```

use crate::gregorian::TICKS_PER_MICRO;
pub use crate::gregorian::{MAX_TICK, clock_seq, node, tick_from_clock, tick_from_time};
use crate::instant::UnixMicros;
use crate::sequence::Position;
use crate::{Error, Uuid, gregorian, v1};

/// Returns the version 6 UUID with the given number of 100 ns ticks since 1582-10-15 (60 bits), clock sequence (14 bits) and node
/// (48 bits), the last two as `clock_seq << 48 | node`. Higher bits are ignored.
pub const fn from_parts(tick: u64, clock_seq_and_node: u64) -> Uuid {
    Uuid::stamped(6, tick, clock_seq_and_node)
}

/// Returns the version 6 UUID at a position in a sequence, with a random node (RFC 9562, section 6.10). UUIDs are in the order of
/// their positions, unless the positions differ only in the tail's last bit.
pub const fn at(position: Position) -> Uuid {
    from_parts(position.tick, gregorian::random_node(position.tail))
}

/// Returns the timestamp field of a version 6 UUID: the number of 100 ns ticks since 1582-10-15 00:00:00 UTC.
pub const fn tick(uuid: Uuid) -> u64 {
    uuid.high_and_mid()
}

/// Returns the version 6 UUID with the time, clock sequence and node of a version 1 UUID. [`to_v1`] reverses the conversion.
pub const fn from_v1(uuid: Uuid) -> Result<Uuid, Error> {
    match uuid.version() {
        Some(1) => Ok(from_parts(v1::tick(uuid), uuid.low())),
        _ => Err(Error::NotOfVersion { uuid, version: 1 }),
    }
}

/// Returns the version 1 UUID with the time, clock sequence and node of a version 6 UUID. [`from_v1`] reverses the conversion.
pub const fn to_v1(uuid: Uuid) -> Result<Uuid, Error> {
    match uuid.version() {
        Some(6) => Ok(v1::from_parts(tick(uuid), uuid.low())),
        _ => Err(Error::NotOfVersion { uuid, version: 6 }),
    }
}

/// Returns the smallest version 6 UUID of a microsecond, in the first of its ten ticks.
pub fn floor(time: UnixMicros) -> Result<Uuid, Error> {
    tick_from_time(time).map(|tick| from_parts(tick, 0))
}

/// Returns the largest version 6 UUID of a microsecond, in the last of its ten ticks. (The last microsecond of the range has
/// six ticks.)
pub fn ceil(time: UnixMicros) -> Result<Uuid, Error> {
    // Cannot overflow: the tick has 60 bits.
    tick_from_time(time).map(|tick| from_parts((tick + TICKS_PER_MICRO - 1).min(MAX_TICK), u64::MAX))
}

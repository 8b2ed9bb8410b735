//! UUID version 1: Gregorian time, least significant bits first (RFC 9562, section 5.1).
//!
//! ```text
//! time_low (32) | time_mid (16) | ver (4) | time_high (12) | var (2) | clock_seq (14) | node (48)
//! ```

use crate::sequence::Position;
use crate::{Uuid, gregorian};

/// Returns the version 1 UUID with the given number of 100 ns ticks since 1582-10-15 (60 bits), clock sequence (14 bits) and node
/// (48 bits), the last two as `clock_seq << 48 | node`. Higher bits are ignored.
pub const fn from_parts(tick: u64, clock_seq_and_node: u64) -> Uuid {
    let time_low = tick & 0xffff_ffff;
    let time_mid = tick >> 32 & 0xffff;
    let time_high = tick >> 48 & 0xfff;
    Uuid::stamped(1, time_low << 28 | time_mid << 12 | time_high, clock_seq_and_node)
}

/// Returns the version 1 UUID at a position in a sequence, with a random node (RFC 9562, section 6.10): the UUID that
/// [`v6::at`](crate::v6::at) returns, in the field order of version 1.
pub const fn at(position: Position) -> Uuid {
    from_parts(position.tick, gregorian::random_node(position.tail))
}

/// Returns the timestamp field of a version 1 UUID: the number of 100 ns ticks since 1582-10-15 00:00:00 UTC.
pub const fn tick(uuid: Uuid) -> u64 {
    let fields = uuid.high_and_mid();
    let time_low = fields >> 28;
    let time_mid = fields >> 12 & 0xffff;
    let time_high = fields & 0xfff;
    time_high << 48 | time_mid << 32 | time_low
}

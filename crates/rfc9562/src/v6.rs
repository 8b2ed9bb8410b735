//! UUID version 6: Gregorian time, most significant bits first (RFC 9562, section 5.6), and what version 1 shares
//! with it: the tick of 100 ns, the clock sequence and the random node.
//!
//! ```text
//!  0                   1                   2                   3
//!  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! |                           time_high                           |
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! |           time_mid            |  ver  |       time_low        |
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! |var|         clock_seq         |             node              |
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! |                              node                             |
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! ```

use core::time::Duration;

use crate::time::{GREGORIAN_TO_UNIX_MICROS, UnixMicros};
use crate::{Error, Uuid, v1};

/// The last tick of the 60-bit timestamp, in the year 5236. (RFC 9562, section 6.1 says 5623; 2^60 intervals of
/// 100 ns after 1582-10-15 is 5236-03-31 21:21:00.684697 UTC.)
pub const MAX_TICK: u64 = (1 << 60) - 1;

const TICKS_PER_MICRO: u64 = 10;
const TICKS_PER_SECOND: u64 = 10_000_000;
const NANOS_PER_TICK: u64 = 100;

/// The least significant bit of a node's first octet, which no network card's address has (RFC 9562, section 6.10).
const MULTICAST: u64 = 1 << 40;

/// The version 6 UUID of a tick of 100 ns since 1582-10-15 (60 bits), a clock sequence (14 bits) and a node (48 bits),
/// the last two as `clock_seq << 48 | node`. Higher bits are ignored.
pub const fn from_parts(tick: u64, clock_seq_and_node: u64) -> Uuid {
    Uuid::stamped(6, tick, clock_seq_and_node)
}

/// The timestamp field of a version 6 UUID: intervals of 100 ns since 1582-10-15 00:00:00 UTC.
pub const fn tick(uuid: Uuid) -> u64 {
    uuid.high_and_mid()
}

/// The version 6 UUID of the same time, clock sequence and node as a version 1 UUID. Nothing is lost:
/// [`v1::from_v6`] gives the argument back.
pub const fn from_v1(uuid: Uuid) -> Result<Uuid, Error> {
    match uuid.version() {
        Some(1) => Ok(from_parts(v1::tick(uuid), uuid.low())),
        _ => Err(Error::NotOfVersion { uuid, version: 1 }),
    }
}

/// The clock sequence of a version 1 or 6 UUID: 14 bits.
pub const fn clock_seq(uuid: Uuid) -> u16 {
    let [.., high, low, _, _, _, _, _, _] = *uuid.as_bytes();
    u16::from_be_bytes([high & 0x3f, low])
}

/// The node of a version 1 or 6 UUID: 6 octets.
pub const fn node(uuid: Uuid) -> [u8; 6] {
    let [.., a, b, c, d, e, f] = *uuid.as_bytes();
    [a, b, c, d, e, f]
}

/// Whether a node has the bit set which tells that it is no network card's address (RFC 9562, section 6.10).
pub const fn is_multicast(node: [u8; 6]) -> bool {
    node[0] & 1 == 1
}

/// The clock sequence and the node, `clock_seq << 48 | node`, of a [`Position`](crate::sequence::Position)'s tail of 62
/// bits: the multicast bit is inserted, as RFC 9562, section 6.10 asks of a node that is no network card's address, and
/// the last bit gives way to it. So the order of tails is kept.
pub const fn random_node(tail: u64) -> u64 {
    let kept = tail >> 1;
    (kept & !(MULTICAST - 1)) << 1 | MULTICAST | kept & (MULTICAST - 1)
}

/// The tick that a clock shows so long after 1970-01-01 00:00:00 UTC, rounded down.
pub fn tick_of_clock(since_unix_epoch: Duration) -> Result<u64, Error> {
    let ticks = since_unix_epoch
        .as_secs()
        .checked_mul(TICKS_PER_SECOND)
        .and_then(|ticks| ticks.checked_add(u64::from(since_unix_epoch.subsec_nanos() / 100)))
        .and_then(|ticks| ticks.checked_add(GREGORIAN_TO_UNIX_MICROS as u64 * TICKS_PER_MICRO));
    match ticks {
        Some(tick) if tick <= MAX_TICK => Ok(tick),
        _ => Err(Error::TimestampOutOfRange { version: 6 }),
    }
}

/// The tick of this instant; every microsecond in range has ten, this is the first.
pub fn tick_of_time(time: UnixMicros) -> Result<u64, Error> {
    let since_epoch = time.0.checked_add(GREGORIAN_TO_UNIX_MICROS).and_then(|us| u64::try_from(us).ok());
    match since_epoch.and_then(|us| us.checked_mul(TICKS_PER_MICRO)) {
        Some(tick) if tick <= MAX_TICK => Ok(tick),
        _ => Err(Error::TimestampOutOfRange { version: 6 }),
    }
}

/// The nanosecond after 1970-01-01 00:00:00 UTC at which a clock begins to show the tick; 0 if that was before.
pub const fn nanos_of_tick(tick: u64) -> u64 {
    // Cannot overflow: 1970 in ticks since 1582 has 57 bits, and nanoseconds saturate.
    tick.saturating_sub(GREGORIAN_TO_UNIX_MICROS as u64 * TICKS_PER_MICRO).saturating_mul(NANOS_PER_TICK)
}

/// The microsecond in which a tick of 60 bits lies.
pub const fn time_of_tick(tick: u64) -> UnixMicros {
    // Cannot overflow: the tick has 60 bits, a tenth of it has 57.
    UnixMicros((tick / TICKS_PER_MICRO).cast_signed() - GREGORIAN_TO_UNIX_MICROS)
}

/// The smallest version 6 UUID of this microsecond: of the first of its ten ticks.
pub fn floor(time: UnixMicros) -> Result<Uuid, Error> {
    tick_of_time(time).map(|tick| from_parts(tick, 0))
}

/// The largest version 6 UUID of this microsecond: of the last of its ten ticks. (The last microsecond of all has six.)
pub fn ceil(time: UnixMicros) -> Result<Uuid, Error> {
    // Cannot overflow: the tick has 60 bits.
    tick_of_time(time).map(|tick| from_parts((tick + TICKS_PER_MICRO - 1).min(MAX_TICK), u64::MAX))
}

//! The fields that versions 1 and 6 share (RFC 9562, sections 5.1 and 5.6): the timestamp (a number of 100 ns ticks since
//! 1582-10-15, when the Gregorian calendar began), the clock sequence, and the node.

use core::time::Duration;

use crate::instant::UnixMicros;
use crate::{Error, Uuid, sequence};

/// The last tick of the 60-bit timestamp, in the year 5236. (RFC 9562, section 6.1, says 5623, but 2^60 intervals of 100 ns from
/// 1582-10-15 on end at 5236-03-31 21:21:00.684697 UTC.)
pub const MAX_TICK: u64 = sequence::MAX_TICK;

/// Microseconds from the Gregorian epoch of UUIDs, 1582-10-15 00:00:00 UTC, to 1970-01-01 00:00:00 UTC:
/// 0x01b21dd213814000 intervals of 100 ns (RFC 9562, appendix A, "Test Vectors").
pub(crate) const TO_UNIX_MICROS: i64 = 12_219_292_800_000_000;

pub(crate) const TICKS_PER_MICRO: u64 = 10;
pub(crate) const TICKS_PER_SECOND: u64 = 1_000_000 * TICKS_PER_MICRO;
const NANOS_PER_TICK: u32 = 100;
const UNIX_EPOCH_TICK: u64 = TO_UNIX_MICROS.cast_unsigned() * TICKS_PER_MICRO;

/// The lowest bit of a node's first byte. It is 0 in a network card's address (RFC 9562, section 6.10).
const MULTICAST: u64 = 1 << 40;

/// Returns the tick that a clock shows at the given time after 1970-01-01 00:00:00 UTC, rounded down.
pub fn tick_from_clock(since_unix_epoch: Duration) -> Result<u64, Error> {
    let ticks = since_unix_epoch
        .as_secs()
        .checked_mul(TICKS_PER_SECOND)
        .and_then(|ticks| ticks.checked_add(u64::from(since_unix_epoch.subsec_nanos() / NANOS_PER_TICK)))
        .and_then(|ticks| ticks.checked_add(UNIX_EPOCH_TICK));
    in_range(ticks)
}

/// Returns the first tick of a microsecond. (Each has ten ticks, except for the last one in range, which has six.)
pub fn tick_from_time(time: UnixMicros) -> Result<u64, Error> {
    let since_epoch = time.0.checked_add(TO_UNIX_MICROS).and_then(|us| u64::try_from(us).ok());
    in_range(since_epoch.and_then(|us| us.checked_mul(TICKS_PER_MICRO)))
}

fn in_range(tick: Option<u64>) -> Result<u64, Error> {
    tick.filter(|tick| *tick <= MAX_TICK).ok_or(Error::TimestampOutOfRange { version: 6 })
}

/// Returns the nanoseconds from 1970-01-01 00:00:00 UTC to the beginning of the tick, clamped to the range of `u64`.
pub const fn nanos_from_tick(tick: u64) -> u64 {
    tick.saturating_sub(UNIX_EPOCH_TICK).saturating_mul(NANOS_PER_TICK as u64)
}

/// Returns the microsecond that contains a 60-bit tick.
pub const fn time_from_tick(tick: u64) -> UnixMicros {
    // Cannot overflow: the tick has 60 bits, and a tenth of it has 57.
    UnixMicros((tick / TICKS_PER_MICRO).cast_signed() - TO_UNIX_MICROS)
}

/// Returns the 14-bit clock sequence of a version 1 or 6 UUID.
pub const fn clock_seq(uuid: Uuid) -> u16 {
    let [.., high, low, _, _, _, _, _, _] = *uuid.as_bytes();
    u16::from_be_bytes([high & 0x3f, low])
}

/// Returns the node of a version 1 or 6 UUID.
pub const fn node(uuid: Uuid) -> [u8; 6] {
    let [.., a, b, c, d, e, f] = *uuid.as_bytes();
    [a, b, c, d, e, f]
}

/// Whether a node's multicast bit is set, which means that the node is not a network card's address (RFC 9562, section 6.10).
pub const fn is_multicast(node: [u8; 6]) -> bool {
    node[0] & 1 == 1
}

/// Returns the clock sequence and the node, `clock_seq << 48 | node`, from the 62-bit tail of a position in a sequence.
///
/// A node that is not a network card's address must have the multicast bit set (RFC 9562, section 6.10). Inserting the bit moves
/// the 41 lowest bits of the tail down by one and drops the last. Tails that differ in more than the last bit keep their order.
pub(crate) const fn random_node(tail: u64) -> u64 {
    let below = tail & (2 * MULTICAST - 1);
    tail - below + MULTICAST + below / 2
}

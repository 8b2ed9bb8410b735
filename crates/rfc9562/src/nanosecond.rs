//! Positions in a sequence that many generators share: one nanosecond for each UUID.
//!
//! For a strict order, the generators need only agree on one strictly increasing number, which fits in one atomic word: the
//! nanoseconds since 1970. The part of this number that is finer than the version's timestamp serves as the counter (RFC 9562,
//! section 6.2, method 1):
//!
//! ```text
//!  v7:     tick of 1/4096 ms (60) | nanoseconds since the tick began (8) | random (54)
//!  v6, v1: tick of 100 ns (60)    | nanoseconds since the tick began (7) | random (55)
//! ```

use core::time::Duration;

use crate::sequence::Position;
use crate::{Error, gregorian, v7};

const TAIL_BITS: u32 = 62;

/// Returns the position of a nanosecond among version 7 UUIDs, given 54 fresh random bits.
pub fn position_v7(nanos: u64, random: u64) -> Result<Position, Error> {
    let tick = v7::tick_from_clock(Duration::from_nanos(nanos))?;
    // At most 244, because a tick is 244.140625 ns long.
    let offset = nanos % 1_000_000 - v7::first_nano_of_tick(tick);
    Ok(position::<8>(tick, offset, random))
}

/// Returns the position of a nanosecond among version 1 and 6 UUIDs, given 55 fresh random bits.
pub fn position_v6(nanos: u64, random: u64) -> Result<Position, Error> {
    let tick = gregorian::tick_from_clock(Duration::from_nanos(nanos))?;
    Ok(position::<7>(tick, nanos % 100, random))
}

/// Returns the first nanosecond whose position is after every position of a tick in a version 7
/// [`Sequence`](crate::sequence::Sequence), or `u64::MAX` if there is none.
pub fn after_v7(tick: u64) -> u64 {
    u64::try_from(v7::clock_from_tick(tick + 1).as_nanos()).unwrap_or(u64::MAX)
}

/// Returns the first nanosecond whose position is after every position of a tick in a version 6 or 1
/// [`Sequence`](crate::sequence::Sequence), or `u64::MAX` if there is none.
pub fn after_v6(tick: u64) -> u64 {
    gregorian::nanos_from_tick(tick + 1)
}

const fn position<const BITS: u32>(tick: u64, offset: u64, random: u64) -> Position {
    let random_bits = TAIL_BITS - BITS;
    Position { tick, tail: offset << random_bits | random & ((1 << random_bits) - 1) }
}

//! The order of generated UUIDs (RFC 9562, section 6.2).
//!
//! [`Sequence`] orders UUIDs by a clock, for versions 1, 6 and 7 alike:
//!
//! ```text
//!  tick (60) | counter (14) | random (48)
//! ```
//!
//! `(tick, counter)` is strictly increasing, whatever the clock does:
//! - A tick later than the last starts a new count. The counter is seeded with 13 random bits, and its top bit starts at 0 as the
//!   rollover guard ("Counter Rollover Guards"). So at least 8,192 UUIDs fit into each tick of 244 or 100 ns.
//! - If the tick is not later, the last tick is reused, and the counter is incremented ("Monotonic Error Checking").
//! - A full counter increments the tick "ahead of the actual time" and is seeded again ("Counter Rollover Handling"). While the
//!   clock stands still or is behind, the sequence advances by at most one tick per 8,192 UUIDs.
//! - At the last representable tick, the sequence ends with an error instead of wrapping.
//!
//! Every UUID has new random bits ("Fixed Bit-Length Dedicated Counter").
//!
//! [`CallCounter`] orders UUIDs of given instants, without a clock:
//!
//! ```text
//!  tick of the instant (60) | calls (30) | random (32)
//! ```
//!
//! Until the 30-bit count of all calls overflows, UUIDs of equal instants are in the order of their calls, even with other instants
//! in between.

use core::hint::select_unpredictable;

use crate::Error;

const COUNTER_BITS: u32 = 14;
const COUNTER_MAX: u64 = (1 << COUNTER_BITS) - 1;
const SEED_MASK: u64 = (1 << (COUNTER_BITS - 1)) - 1;
const RANDOM_BITS: u32 = 48;
const RANDOM_MASK: u64 = (1 << RANDOM_BITS) - 1;

/// The last tick, of 60 bits, in versions 1, 6 and 7.
pub const MAX_TICK: u64 = (1 << 60) - 1;

/// A sequence of strictly increasing positions that follow a clock.
///
/// ```
/// use rfc9562::sequence::Sequence;
/// use rfc9562::v7;
///
/// let mut sequence = Sequence::new(7);
/// let first = v7::at(sequence.next(1_000, 0)?);
/// let clock_went_back = v7::at(sequence.next(999, 0)?);
/// assert!(first < clock_went_back);
/// # Ok::<(), rfc9562::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sequence {
    version: u8,
    last: Option<(u64, u64)>,
}

/// A position in a sequence: what makes a UUID unique and ordered, apart from its version. `v1::at`, `v6::at` and `v7::at`
/// convert a position to a UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The timestamp, 60 bits in the unit of the version.
    pub tick: u64,
    /// 62 bits: a counter, followed by random bits.
    pub tail: u64,
}

impl Sequence {
    /// Returns a new sequence. The version appears only in errors.
    pub const fn new(version: u8) -> Sequence {
        Sequence { version, last: None }
    }

    /// Returns the next position, given the clock's tick and 61 fresh random bits. An error leaves the sequence unchanged.
    #[inline]
    pub fn next(&mut self, now: u64, random: u64) -> Result<Position, Error> {
        if now > MAX_TICK {
            return Err(Error::TimestampOutOfRange { version: self.version });
        }
        let seed = random >> RANDOM_BITS & SEED_MASK;
        let (tick, counter) = match self.last {
            None => (now, seed),
            Some((last, counter)) => {
                // This is not a branch, because the processor could not predict whether the clock has advanced.
                let counter = select_unpredictable(now <= last, counter + 1, seed);
                match last.max(now) {
                    tick if counter <= COUNTER_MAX => (tick, counter),
                    tick if tick < MAX_TICK => (tick + 1, seed),
                    _ => return Err(Error::SequenceExhausted { version: self.version }),
                }
            }
        };
        self.last = Some((tick, counter));
        Ok(Position { tick, tail: counter << RANDOM_BITS | random & RANDOM_MASK })
    }

    /// Returns the tick of the last position.
    pub fn last_tick(&self) -> Option<u64> {
        self.last.map(|(tick, _)| tick)
    }

    /// Makes the sequence continue after a tick in which another source has taken positions. A tick before the sequence's last one
    /// has no effect.
    pub fn skip_past(&mut self, tick: u64) {
        if self.last.is_none_or(|(last, _)| last <= tick) {
            self.last = Some((tick, COUNTER_MAX));
        }
    }
}

const CALLS_BITS: u32 = 30;
const CALLS_MAX: u64 = (1 << CALLS_BITS) - 1;
const CALLS_SEED_MASK: u64 = (1 << (CALLS_BITS - 1)) - 1;
const CALLS_RANDOM_BITS: u32 = 32;
const CALLS_RANDOM_MASK: u64 = (1 << CALLS_RANDOM_BITS) - 1;

/// A count of the UUIDs generated for given instants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CallCounter {
    version: u8,
    last: Option<(u64, u64)>,
}

impl CallCounter {
    /// Returns a new count. The version appears only in errors.
    pub const fn new(version: u8) -> CallCounter {
        CallCounter { version, last: None }
    }

    /// Returns the next position for a tick, given 61 fresh random bits. An error leaves the count unchanged.
    ///
    /// The first count consists of 29 random bits, so that sessions using the same instants rarely share a count. When the count
    /// overflows, after 536,870,913 calls at the earliest, it is seeded again. If the previous call was for the same tick,
    /// the overflow is an error instead, because a new seed would break the order of the two positions.
    pub const fn next(&mut self, tick: u64, random: u64) -> Result<Position, Error> {
        if tick > MAX_TICK {
            return Err(Error::TimestampOutOfRange { version: self.version });
        }
        let seed = random >> CALLS_RANDOM_BITS & CALLS_SEED_MASK;
        let calls = match self.last {
            None => seed,
            Some((_, calls)) if calls < CALLS_MAX => calls + 1,
            Some((last_tick, _)) if last_tick == tick => {
                return Err(Error::SequenceExhausted { version: self.version });
            }
            Some(_) => seed,
        };
        self.last = Some((tick, calls));
        Ok(Position { tick, tail: calls << CALLS_RANDOM_BITS | random & CALLS_RANDOM_MASK })
    }
}

//! UUID version 7: Unix time in milliseconds (RFC 9562, section 5.7), followed by a binary fraction of the millisecond
//! in the 12 bits after the version (section 6.2, method 3).
//!
//! ```text
//! unix_ts_ms (48) | ver (4) | rand_a (12): fraction * 4096 | var (2) | rand_b (62): a counter, then random bits
//! ```
//!
//! A tick is the millisecond with its fraction: a 60-bit number in units of 1/4096 ms.

use core::time::Duration;

use crate::instant::UnixMicros;
use crate::sequence::{self, Position};
use crate::{Error, Uuid};

/// The last tick, in the last 48-bit millisecond, 10889-08-02 05:31:50.655 UTC.
pub const MAX_TICK: u64 = sequence::MAX_TICK;

pub(crate) const MAX_MILLIS: u64 = (1 << 48) - 1;
const FRACTION_BITS: u32 = 12;
const FRACTIONS_PER_MILLI: u64 = 1 << FRACTION_BITS;

/// Returns the version 7 UUID with a 60-bit tick and a 62-bit rand_b. Higher bits are ignored.
pub const fn from_parts(tick: u64, rand_b: u64) -> Uuid {
    Uuid::stamped(7, tick, rand_b)
}

/// Returns the version 7 UUID at a position in a sequence. UUIDs are in the order of their positions.
pub const fn at(position: Position) -> Uuid {
    from_parts(position.tick, position.tail)
}

/// Returns the tick of a version 7 UUID: the millisecond and its fraction.
pub const fn tick(uuid: Uuid) -> u64 {
    uuid.high_and_mid()
}

/// Returns the tick that a clock shows at the given time after 1970-01-01 00:00:00 UTC: "multiply this fraction of a
/// millisecond value by 4096 and round down" (RFC 9562, section 6.2, method 3).
pub fn tick_from_clock(since_unix_epoch: Duration) -> Result<u64, Error> {
    // Cannot overflow: the product is below 10^9 * 2^12. One division suffices, because a millisecond is a whole number of ticks.
    let of_second = u64::from(since_unix_epoch.subsec_nanos()) * FRACTIONS_PER_MILLI / 1_000_000;
    let seconds = since_unix_epoch.as_secs().checked_mul(1_000 * FRACTIONS_PER_MILLI);
    let tick = seconds.and_then(|tick| tick.checked_add(of_second)).filter(|tick| *tick <= MAX_TICK);
    tick.ok_or(Error::TimestampOutOfRange { version: 7 })
}

/// Returns the first tick that begins within the microsecond of an instant, so that [`time_us`] returns the instant. (Four or five
/// ticks begin in every microsecond. Rounding down, as for a clock, may yield a tick that begins in the previous microsecond.)
pub fn tick_from_time(time: UnixMicros) -> Result<u64, Error> {
    let millis = millisecond(time)?;
    // The time is not negative.
    let micro = time.0.cast_unsigned() % 1_000;
    Ok(millis << FRACTION_BITS | (micro * FRACTIONS_PER_MILLI).div_ceil(1_000))
}

/// Returns the shortest time after 1970-01-01 00:00:00 UTC, in whole nanoseconds, for which [`tick_from_clock`] returns the tick.
pub const fn clock_from_tick(tick: u64) -> Duration {
    let millis = tick >> FRACTION_BITS;
    // Cannot overflow: the millisecond has 48 bits.
    Duration::from_nanos_u128(millis as u128 * 1_000_000 + first_nano_of_tick(tick) as u128)
}

/// Returns the first nanosecond of the tick, counted from the beginning of its millisecond: at most 999,756.
pub(crate) const fn first_nano_of_tick(tick: u64) -> u64 {
    (tick % FRACTIONS_PER_MILLI * 1_000_000).div_ceil(FRACTIONS_PER_MILLI)
}

/// Returns the time of a version 7 UUID, to the millisecond.
pub const fn time(uuid: Uuid) -> UnixMicros {
    // Cannot overflow: a 48-bit number times 1000 has 58 bits.
    UnixMicros(((uuid.high_and_mid() >> FRACTION_BITS) * 1_000).cast_signed())
}

/// Returns the time of a version 7 UUID, with its fraction, to the microsecond: the microsecond in which the tick ends.
///
/// `us` whole microseconds are `us * 4096 / 1000 = us * 512 / 125` ticks. Some encoders round this number up ([`tick_from_time`]),
/// others round it down (RFC 9562, section 6.2, method 3). Either way, the result is `us`. Rounding changes the number by at most
/// 124/125, so the fraction `f` satisfies `us * 512 / 125 < f + 1 < us * 512 / 125 + 2`, and `(f + 1) * 125 / 512` exceeds `us` by
/// less than 250/512. If the time came from a clock, the result is the microsecond that the clock showed, or the next one if the
/// tick extends into it. The last tick of a millisecond ends with the millisecond and yields 999.
pub const fn time_us(uuid: Uuid) -> UnixMicros {
    let fraction = uuid.high_and_mid() % FRACTIONS_PER_MILLI;
    // Cannot overflow: at most 4096 times 1000.
    let micros = ((fraction + 1) * 1_000) >> FRACTION_BITS;
    let micros = if micros < 1_000 { micros } else { 999 };
    UnixMicros(time(uuid).0 + micros.cast_signed())
}

/// Returns the smallest version 7 UUID of the millisecond in which an instant lies.
///
/// ```
/// use rfc9562::time::UnixMicros;
/// use rfc9562::v7;
///
/// let floor = v7::floor(UnixMicros(1_645_557_742_000_999))?;
/// assert_eq!(floor.to_string(), "017f22e2-79b0-7000-8000-000000000000");
/// # Ok::<(), rfc9562::Error>(())
/// ```
pub fn floor(time: UnixMicros) -> Result<Uuid, Error> {
    millisecond(time).map(first_of_millisecond)
}

/// Returns the largest version 7 UUID of the millisecond in which an instant lies.
pub fn ceil(time: UnixMicros) -> Result<Uuid, Error> {
    millisecond(time).map(|millis| from_parts(millis << FRACTION_BITS | (FRACTIONS_PER_MILLI - 1), u64::MAX))
}

/// Returns the UUID before which an instant lies: the smallest version 7 UUID that is not earlier. For an instant a millisecond or
/// more before 1970, this is the Nil UUID, and for one after the beginning of the last millisecond, the Max UUID.
#[inline]
pub const fn lower_bound(time: UnixMicros) -> Uuid {
    // Rounds up. If the sum saturates, the time is beyond the last millisecond anyway.
    let millis = time.0.saturating_add(MICROS_PER_MILLI - 1).div_euclid(MICROS_PER_MILLI);
    match millis {
        i64::MIN..0 => Uuid::NIL,
        _ if millis.cast_unsigned() <= MAX_MILLIS => first_of_millisecond(millis.cast_unsigned()),
        _ => Uuid::MAX,
    }
}

const MICROS_PER_MILLI: i64 = 1_000;

fn millisecond(time: UnixMicros) -> Result<u64, Error> {
    let millis = u64::try_from(time.0.div_euclid(MICROS_PER_MILLI)).ok().filter(|millis| *millis <= MAX_MILLIS);
    millis.ok_or(Error::TimestampOutOfRange { version: 7 })
}

const fn first_of_millisecond(millis: u64) -> Uuid {
    from_parts(millis << FRACTION_BITS, 0)
}

//! How IDs count time: from an epoch, in units from nanoseconds to seconds.
//!
//! Times are computed in 128-bit integers and cannot overflow: counts have 64 bits, `nanos` has 30, `per` has 2.

use core::time::Duration;

use crate::instant::{Iso8601, UnixMicros};

/// The epoch and the unit of an ID's time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    /// Milliseconds from 1970 to the count's zero, unless IDs have a custom epoch.
    pub(super) epoch: i64,
    pub(super) takes_epoch: bool,
    /// The length of `per` units in nanoseconds.
    nanos: u64,
    per: u64,
    /// Whether the count restarts each day: 16 bits of days, then 32 bits of units since midnight.
    daily: bool,
    /// The number of decimal places of the seconds, as displayed.
    digits: usize,
}

const MICROS_PER_DAY: i128 = 86_400_000_000;
const UNIT_BITS: u32 = 32;

impl Clock {
    pub(super) const fn nanoseconds() -> Clock {
        Clock { epoch: 0, takes_epoch: false, nanos: 1, per: 1, daily: false, digits: 9 }
    }

    /// Returns a clock with units of `micros` microseconds.
    pub(super) const fn microseconds(micros: u64) -> Clock {
        Clock { nanos: micros * 1_000, digits: 6, ..Clock::nanoseconds() }
    }

    /// Returns a clock that starts at the millisecond `epoch` and has units of `millis` milliseconds.
    pub(super) const fn milliseconds(millis: u64, epoch: i64) -> Clock {
        Clock { epoch, nanos: millis * 1_000_000, digits: 3, ..Clock::nanoseconds() }
    }

    /// Returns a clock that starts at the second `epoch` and has units of one second.
    pub(super) const fn seconds(epoch: i64) -> Clock {
        Clock { epoch: epoch * 1_000, nanos: 1_000_000_000, digits: 0, ..Clock::nanoseconds() }
    }

    /// Returns a clock that counts days since the millisecond `epoch` and, since midnight, units of `nanos / per` nanoseconds.
    pub(super) const fn daily(nanos: u64, per: u64, epoch: i64) -> Clock {
        Clock { epoch, nanos, per, daily: true, digits: 6, ..Clock::nanoseconds() }
    }

    /// Returns the clock with a custom epoch allowed.
    pub(super) const fn taking_epoch(self) -> Clock {
        Clock { takes_epoch: true, ..self }
    }

    /// Returns the length of a unit, rounded down to the nanosecond.
    pub(super) const fn unit(&self) -> Duration {
        Duration::from_nanos(self.nanos / self.per)
    }

    /// Returns a custom epoch in milliseconds, rounded down to a whole number of units since 1970.
    pub(super) fn floored_epoch(&self, millis: i64) -> i64 {
        let unit = (self.nanos / 1_000_000).max(1).cast_signed();
        millis - millis.rem_euclid(unit)
    }

    /// Returns the microsecond since 1970 at which the count of a time starts (the epoch or a midnight), and the count.
    fn split(&self, epoch: i64, time: u64) -> (i128, u64) {
        let epoch = i128::from(epoch) * 1_000;
        if self.daily {
            (epoch + i128::from(time >> UNIT_BITS) * MICROS_PER_DAY, time & ((1 << UNIT_BITS) - 1))
        } else {
            (epoch, time)
        }
    }

    /// Returns a time in nanoseconds since 1970, rounded down, or `None` if it is past the end of its day.
    fn nanos(&self, epoch: i64, time: u64) -> Option<i128> {
        let (begin, count) = self.split(epoch, time);
        let nanos = i128::from(count) * i128::from(self.nanos) / i128::from(self.per);
        (!self.daily || nanos < MICROS_PER_DAY * 1_000).then_some(begin * 1_000 + nanos)
    }

    /// Returns a time in microseconds since 1970, rounded down, or `None` if it is past the end of its day or exceeds 64 bits.
    pub(super) fn micros(&self, epoch: i64, time: u64) -> Option<i64> {
        self.nanos(epoch, time).and_then(|nanos| i64::try_from(nanos.div_euclid(1_000)).ok())
    }

    /// Returns the count of the first unit that does not begin before a microsecond.
    fn first_since(&self, micros: i128) -> i128 {
        (micros * 1_000 * i128::from(self.per) + i128::from(self.nanos) - 1).div_euclid(i128::from(self.nanos))
    }

    /// Returns the counts of the first and the last unit that begin in a microsecond. If none does, both are the count
    /// of the last unit that begins earlier.
    pub(super) fn counts(&self, epoch: i64, time: UnixMicros) -> Option<(u64, u64)> {
        let since_epoch = i128::from(time.0) - i128::from(epoch) * 1_000;
        let (day, micros) = if self.daily {
            (since_epoch.div_euclid(MICROS_PER_DAY), since_epoch.rem_euclid(MICROS_PER_DAY))
        } else {
            (0, since_epoch)
        };
        let last = self.first_since(micros + 1) - 1;
        let first = self.first_since(micros).min(last);
        let time = |count: i128| u64::try_from(day << UNIT_BITS | count).ok();
        time(first).zip(time(last))
    }

    /// Returns the number of bits needed to distinguish the times within a millisecond.
    pub(super) const fn finer_bits(&self) -> u32 {
        (1_000_000 * self.per / self.nanos).next_power_of_two().trailing_zeros()
    }

    /// Returns a time's millisecond since 1970 and its number among the times of that millisecond, or `None` if the time is not
    /// a valid instant.
    pub(super) fn milli(&self, epoch: i64, time: u64) -> Option<(i64, u64)> {
        let millis = self.micros(epoch, time)?.div_euclid(1_000);
        let (begin, count) = self.split(epoch, time);
        let first = self.first_since(i128::from(millis) * 1_000 - begin);
        Some((millis, u64::try_from(i128::from(count) - first).ok()?))
    }

    /// Returns the time for which [`Clock::milli`] returns the given numbers, or `None` if there is none.
    pub(super) fn at_milli(&self, epoch: i64, millis: i64, finer: u64) -> Option<u64> {
        let (first, _) = self.counts(epoch, UnixMicros(millis.checked_mul(1_000)?))?;
        let time = first.checked_add(finer)?;
        // If no unit begins in the millisecond's first microsecond, `first` begins earlier.
        [time, time.checked_add(1)?].into_iter().find(|time| self.milli(epoch, *time) == Some((millis, finer)))
    }

    /// Returns the instants of the first and the last valid time up to `last`, with the precision of the clock's unit.
    pub(super) fn range(&self, epoch: i64, last: u64) -> [Iso8601; 2] {
        let last = if self.daily {
            let units = self.first_since(MICROS_PER_DAY) - 1;
            last >> UNIT_BITS << UNIT_BITS | u64::try_from(units).unwrap_or(0)
        } else {
            last
        };
        let end = i128::from(i64::MAX) * 1_000 + 999;
        [0, last].map(|time| Iso8601 { nanos: self.nanos(epoch, time).unwrap_or(end).min(end), digits: self.digits })
    }

    /// Returns a time with the precision of the clock's unit, or `None` if it is past the end of its day.
    pub(super) fn iso8601(&self, epoch: i64, time: u64) -> Option<Iso8601> {
        self.nanos(epoch, time).map(|nanos| Iso8601 { nanos, digits: self.digits })
    }
}

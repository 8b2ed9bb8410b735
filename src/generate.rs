//! Generates UUIDs with the clock's time, optionally shifted, or with a given time. Also returns the first and the last UUID of a
//! time.

use std::ptr;
use std::time::Duration;

use pgrx::pg_sys::{Datum, Interval};
use pgrx::prelude::*;
use rfc9562::time::UnixMicros;
use rfc9562::{Error, Uuid, v1, v6, v7};

use crate::backend::{Generator, with_generator};
use crate::datum::{SqlUuid, Timestamptz};
use crate::error::{Failure, OrRaise};
use crate::raw;
use crate::unguarded_function::unguarded_function;

#[inline]
fn generated(make: impl FnOnce(&mut Generator) -> Result<Uuid, Failure>) -> SqlUuid {
    SqlUuid(with_generator(make).or_raise_unguarded())
}

unguarded_function!(uuidv1, || generated(|generator| Ok(v1::at(generator.next_gregorian()?))));
unguarded_function!(uuidv4, || generated(Generator::next_v4));
unguarded_function!(uuidv6, || generated(|generator| Ok(v6::at(generator.next_gregorian()?))));
unguarded_function!(uuidv7, || generated(|generator| Ok(v7::at(generator.next_v7()?))));

// As in PostgreSQL 18, the interval is added to the current time in microseconds, in the session's time zone, and the clock's
// fraction of the microsecond is kept. UUIDs with the same interval ascend unless the shifted time goes back. An interval of zero
// has no effect.
unguarded_function!(uuidv7_shifted, |shift: &Interval| SqlUuid(shifted_v7(shift).or_raise_unguarded()));

/// Returns a version 7 UUID with the next time of the session's sequence, shifted by an interval. The unshifted time never
/// goes back, even if the clock does. Only a function without a guard may call this function, because adding the interval may raise
/// an error by longjmp.
#[allow(unsafe_code)]
fn shifted_v7(shift: &Interval) -> Result<Uuid, Failure> {
    if is_infinite(shift) {
        return Err(Failure::InfiniteInterval);
    }
    loop {
        let position = with_generator(Generator::next_v7)?;
        // The tick's last nanosecond, because the first may lie before the clock's microsecond.
        let now = v7::clock_from_tick(position.tick + 1) - Duration::from_nanos(1);
        // Cannot overflow: a tick has 48 bits of milliseconds.
        let now_micros = UnixMicros(i64::try_from(now.as_micros()).unwrap_or(i64::MAX));
        let (time, interval) = (Datum::from(Timestamptz::from(now_micros).0), Datum::from(ptr::from_ref(shift)));
        let plus: pg_sys::PGFunction = Some(raw::timestamptz_pl_interval);
        // SAFETY: the function takes a timestamptz and an interval, and returns a timestamptz. No frame from here to PostgreSQL
        // owns anything; a position is plain data.
        let sum = unsafe { raw::DirectFunctionCall2Coll(plus, pg_sys::InvalidOid, time, interval) };
        let instant = Timestamptz::from_datum(sum).instant();
        if instant == Some(now_micros) {
            return Ok(v7::at(position));
        }
        let clock = instant
            .and_then(|instant| u64::try_from(instant.0).ok())
            .map(|micros| Duration::from_micros(micros) + Duration::from_nanos(u64::from(now.subsec_nanos() % 1_000)))
            .ok_or(Error::TimestampOutOfRange { version: 7 })?;
        match stamped_v7(v7::tick_from_clock(clock)?) {
            // The counter is full for this tick. It is seeded again at the next tick, a few hundred nanoseconds later.
            Err(Failure::Rfc9562(Error::SequenceExhausted { .. })) => {}
            result => return result,
        }
    }
}

/// Whether the interval is infinite. Before PostgreSQL 17, every interval is finite.
fn is_infinite(shift: &Interval) -> bool {
    let ends = [(i32::MIN, i32::MIN, i64::MIN), (i32::MAX, i32::MAX, i64::MAX)];
    cfg!(infinite_intervals) && ends.contains(&(shift.month, shift.day, shift.time))
}

#[pg_extern(sql = false)]
fn uuidv7_at(time: Timestamptz) -> SqlUuid {
    let tick = finite(time, 7).and_then(v7::tick_from_time).or_raise();
    SqlUuid(stamped_v7(tick).or_raise())
}

/// Returns a version 7 UUID with the given tick.
fn stamped_v7(tick: u64) -> Result<Uuid, Failure> {
    with_generator(|generator| {
        let random = generator.random_v7()?;
        Ok(v7::at(generator.v7_at.next(tick, random)?))
    })
}

#[pg_extern(sql = false)]
fn uuidv6_at(time: Timestamptz) -> SqlUuid {
    let tick = finite(time, 6).and_then(v6::tick_from_time).or_raise();
    let uuid = with_generator(|generator| {
        let random = generator.random_gregorian()?;
        Ok(v6::at(generator.v6_at.next(tick, random)?))
    });
    SqlUuid(uuid.or_raise())
}

fn finite(time: Timestamptz, version: u8) -> Result<UnixMicros, Error> {
    time.instant().ok_or(Error::TimestampOutOfRange { version })
}

macro_rules! boundary {
    ($name:ident, $version:literal, $end:path) => {
        #[pg_extern(sql = false)]
        fn $name(time: Timestamptz) -> SqlUuid {
            SqlUuid(finite(time, $version).and_then($end).or_raise())
        }
    };
}

// The smallest and the largest UUID of a millisecond (version 7) or a microsecond (version 6).
boundary!(uuidv7_floor, 7, v7::floor);
boundary!(uuidv7_ceil, 7, v7::ceil);
boundary!(uuidv6_floor, 6, v6::floor);
boundary!(uuidv6_ceil, 6, v6::ceil);

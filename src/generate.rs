//! New UUIDs: of the clock's time, shifted from it, or stamped with a given instant.

use std::time::Duration;

use pgrx::pg_sys::panic::ErrorReport;
use pgrx::pg_sys::{self, Datum};
use pgrx::prelude::*;
use rfc9562::time::{Layout, UnixMicros};
use rfc9562::{Error, v1, v4, v6, v7, v7_draft_02};

use crate::backend::{Failure, Generator, with_generator};
use crate::bare_function::{bare_function, guarded};
use crate::datum::{OrReport, Text, Timestamptz, Uuid, raise, uuid_datum};

/// A function without arguments that makes a new UUID.
macro_rules! generator {
    ($symbol:ident, $finfo:ident, $make:expr) => {
        bare_function!($symbol, $finfo, |_call| match with_generator($make) {
            Ok(uuid) => uuid_datum(uuid),
            Err(failure) => report_to_postgres(failure),
        });
    };
}

/// Reports a failure from a function that PostgreSQL called without a guard around it.
#[cold]
pub fn report_to_postgres(failure: Failure) -> ! {
    guarded(|| failure.report())
}

generator!(uuidv1_wrapper, pg_finfo_uuidv1_wrapper, |generator| { Ok(v1::at(generator.next_gregorian()?)) });
generator!(uuidv4_wrapper, pg_finfo_uuidv4_wrapper, |generator| {
    let (first, second) = generator.random_pair()?;
    Ok(v4::from_random(first, second))
});
generator!(uuidv6_wrapper, pg_finfo_uuidv6_wrapper, |generator| { Ok(v6::at(generator.next_gregorian()?)) });
generator!(uuidv7_wrapper, pg_finfo_uuidv7_wrapper, |generator| { Ok(v7::at(generator.next_v7()?)) });

extension_sql!(
    r#"
CREATE FUNCTION uuidv1() RETURNS uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv1_wrapper';
CREATE FUNCTION uuidv4() RETURNS uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv4_wrapper';
CREATE FUNCTION uuidv6() RETURNS uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv6_wrapper';
CREATE FUNCTION uuidv7() RETURNS uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_wrapper';
CREATE FUNCTION uuidv7(shift interval) RETURNS uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_shifted_wrapper';
"#,
    name = "generators"
);

// As PostgreSQL 18's: the interval is added to the current time in microseconds, in the session's time zone, and what
// the clock shows below the microsecond stays. Values of one interval keep the order of their calls; of none, they are
// those of `uuidv7()`.
bare_function!(uuidv7_shifted_wrapper, pg_finfo_uuidv7_shifted_wrapper, |call| {
    let datum = call.datum(0);
    let shift = *datum.cast_mut_ptr::<pg_sys::Interval>();
    if is_infinite(shift) {
        guarded(|| {
            raise(
                ErrorReport::new(
                    PgSqlErrorCode::ERRCODE_DATETIME_FIELD_OVERFLOW,
                    "interval out of range for UUID version 7",
                    "uuidv7",
                )
                .set_detail("UUID version 7 does not support infinite intervals."),
            )
        });
    }
    match shifted_v7(datum) {
        Ok(uuid) => uuid_datum(uuid),
        Err(failure) => report_to_postgres(failure),
    }
});

#[allow(unsafe_code)]
unsafe extern "C-unwind" {
    /// PostgreSQL's `timestamptz + interval`: months and days by the calendar of the session's time zone.
    fn timestamptz_pl_interval(fcinfo: pg_sys::FunctionCallInfo) -> Datum;
    fn DirectFunctionCall2Coll(
        function: unsafe extern "C-unwind" fn(pg_sys::FunctionCallInfo) -> Datum,
        collation: pg_sys::Oid,
        first: Datum,
        second: Datum,
    ) -> Datum;
}

/// The next v7, whose time moves on although the clock may stand or go back, shifted by an interval.
///
/// # Safety
/// The datum must be an interval. An error of its arithmetic leaves by longjmp, over the caller's frame as well.
#[allow(unsafe_code)]
unsafe fn shifted_v7(interval: Datum) -> Result<rfc9562::Uuid, Failure> {
    loop {
        let position = with_generator(Generator::next_v7)?;
        let now = v7::clock_of_tick(position.tick);
        // Cannot overflow: a tick has 48 bits of milliseconds.
        let now_micros = UnixMicros(i64::try_from(now.as_micros()).unwrap_or(i64::MAX));
        let unshifted = Datum::from(Timestamptz::from(now_micros).0);
        // SAFETY: `timestamptz_pl_interval` takes a timestamptz and an interval and never returns null. Its errors leave by
        // longjmp; no frame of ours on the way owns anything.
        let shifted =
            unsafe { DirectFunctionCall2Coll(timestamptz_pl_interval, pg_sys::InvalidOid, unshifted, interval) };
        let instant = Timestamptz(shifted.value().cast_signed() as i64).instant();
        if instant == Some(now_micros) {
            return Ok(v7::at(position));
        }
        let clock = instant
            .and_then(|instant| u64::try_from(instant.0).ok())
            .map(|micros| Duration::from_micros(micros) + Duration::from_nanos(u64::from(now.subsec_nanos() % 1_000)))
            .ok_or(Error::TimestampOutOfRange { version: 7 })?;
        match stamped_v7(v7::tick_of_clock(clock)?) {
            // It begins anew with the next tick, which comes soon.
            Err(Failure::Core(Error::SequenceExhausted { .. })) => {}
            made => return made,
        }
    }
}

#[cfg(any(feature = "pg17", feature = "pg18", feature = "pg19"))]
fn is_infinite(shift: pg_sys::Interval) -> bool {
    let ends = [(i32::MIN, i32::MIN, i64::MIN), (i32::MAX, i32::MAX, i64::MAX)];
    ends.contains(&(shift.month, shift.day, shift.time))
}

/// Intervals are finite before PostgreSQL 17.
#[cfg(not(any(feature = "pg17", feature = "pg18", feature = "pg19")))]
fn is_infinite(_: pg_sys::Interval) -> bool {
    false
}

/// A version 7 UUID of the given instant, to the microsecond.
#[pg_extern(volatile, strict, parallel_safe)]
fn uuidv7_at(time: Timestamptz) -> Uuid {
    let tick = finite(time, 7).and_then(v7::tick_of_time).or_report();
    Uuid(stamped_v7(tick).unwrap_or_else(|failure| failure.report()))
}

/// A version 7 UUID of the given instant, to the microsecond, in the layout called `rfc9562` or `draft-02`.
#[pg_extern(name = "uuidv7_at", volatile, strict, parallel_safe)]
fn uuidv7_at_as(time: Timestamptz, layout: Text<'_>) -> Uuid {
    match layout.label().parse().or_report() {
        Layout::Rfc9562 => uuidv7_at(time),
        Layout::Draft02 => {
            let tick = v7_draft_02::tick_of_time(time.instant().unwrap_or(UnixMicros(i64::MAX))).or_report();
            let position = with_generator(|generator| {
                let random = generator.random()?;
                Ok(generator.v7_draft_02_at.next(tick, random)?)
            })
            .unwrap_or_else(|failure: Failure| failure.report());
            Uuid(v7_draft_02::at(position))
        }
    }
}

fn stamped_v7(tick: u64) -> Result<rfc9562::Uuid, Failure> {
    with_generator(|generator| {
        let random = generator.random()?;
        Ok(v7::at(generator.v7_at.next(tick, random)?))
    })
}

/// A version 6 UUID of the given instant, to the microsecond.
#[pg_extern(volatile, strict, parallel_safe)]
fn uuidv6_at(time: Timestamptz) -> Uuid {
    let tick = finite(time, 6).and_then(v6::tick_of_time).or_report();
    let position = with_generator(|generator| {
        let random = generator.random()?;
        Ok(generator.v6_at.next(tick, random)?)
    })
    .unwrap_or_else(|failure: Failure| failure.report());
    Uuid(v6::at(position))
}

fn finite(time: Timestamptz, version: u8) -> Result<UnixMicros, Error> {
    time.instant().ok_or(Error::TimestampOutOfRange { version })
}

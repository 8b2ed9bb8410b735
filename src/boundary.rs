//! The UUIDs at the ends of an instant or of a stretch of time: for partitions, and for comparing an id with a time.

use pgrx::prelude::*;
use rfc9562::{Error, v6, v7};

use crate::datum::{OrReport, Timestamptz, Tstzrange, Uuid};
use crate::time_predicate::window_of_range;

/// The smallest version 7 UUID of the millisecond.
#[pg_extern(immutable, strict, parallel_safe)]
fn uuidv7_floor(time: Timestamptz) -> Uuid {
    Uuid(time.instant().ok_or(Error::TimestampOutOfRange { version: 7 }).and_then(v7::floor).or_report())
}

/// The largest version 7 UUID of the millisecond.
#[pg_extern(immutable, strict, parallel_safe)]
fn uuidv7_ceil(time: Timestamptz) -> Uuid {
    Uuid(time.instant().ok_or(Error::TimestampOutOfRange { version: 7 }).and_then(v7::ceil).or_report())
}

/// The smallest version 6 UUID of the microsecond.
#[pg_extern(immutable, strict, parallel_safe)]
fn uuidv6_floor(time: Timestamptz) -> Uuid {
    Uuid(time.instant().ok_or(Error::TimestampOutOfRange { version: 6 }).and_then(v6::floor).or_report())
}

/// The largest version 6 UUID of the microsecond.
#[pg_extern(immutable, strict, parallel_safe)]
fn uuidv6_ceil(time: Timestamptz) -> Uuid {
    Uuid(time.instant().ok_or(Error::TimestampOutOfRange { version: 6 }).and_then(v6::ceil).or_report())
}

// The four below appear in plans, where the planner has put a comparison of UUIDs in the place of one with a time that
// it does not know yet. They never raise an error. sql/time_predicates.sql declares them, because a leakproof
// comparison must stay leakproof when rewritten.

/// `id >= time` is `id >= uuidv7_lower_bound(time)`; `id < time` is `id < uuidv7_lower_bound(time)`.
#[pg_extern(immutable, strict, parallel_safe, sql = false)]
fn uuidv7_lower_bound(time: Timestamptz) -> Uuid {
    Uuid(v7::lower_bound(time.saturated()))
}

/// The largest version 7 UUID not later than the time. It stood in plans before 0.3.0.
#[pg_extern(immutable, strict, parallel_safe, sql = false)]
fn uuidv7_upper_bound(time: Timestamptz) -> Uuid {
    Uuid(v7::upper_bound(time.saturated()))
}

/// `id <@ period` is `id >= uuidv7_lower_bound(period) AND id <= uuidv7_upper_bound(period)`.
#[pg_extern(immutable, strict, parallel_safe, sql = false)]
fn uuidv7_range_lower_bound(period: Tstzrange) -> Uuid {
    Uuid(window_of_range(period).first())
}

/// See [`uuidv7_range_lower_bound`].
#[pg_extern(immutable, strict, parallel_safe, sql = false)]
fn uuidv7_range_upper_bound(period: Tstzrange) -> Uuid {
    Uuid(window_of_range(period).last())
}

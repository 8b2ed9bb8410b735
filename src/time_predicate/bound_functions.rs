//! Functions that rewritten clauses call, for example to compute bounds from times that are not known during planning.
//!
//! These functions raise no errors. `sql/uuidrfc.sql` declares them LEAKPROOF, because a leakproof comparison must stay leakproof
//! when it is rewritten.

use std::ops::Bound;

use pgrx::datum::AnyArray;
use pgrx::prelude::*;
use pgrx::{AnyElement, Array, direct_function_call, pg_sys};

use super::operators::{first_uuid, window_of_range};
use super::time_bound::{DAY, YEARS_FROM, YEARS_TO};
use crate::datum::{SqlUuid, Timestamptz, Tstzrange};
use crate::unguarded_function::unguarded_function;

/// Returns the UUID that can replace the time in `id >= time` and `id < time`.
#[pg_extern(sql = false)]
pub fn uuidv7_lower_bound(time: Timestamptz) -> SqlUuid {
    SqlUuid(first_uuid(time))
}

/// Returns the last UUID of a range, for `id >= uuid_tstzrange_start(period) AND id <= uuid_tstzrange_end(period)`.
#[pg_extern(sql = false)]
pub fn uuid_tstzrange_end(period: Tstzrange) -> SqlUuid {
    SqlUuid(window_of_range(period).last())
}

/// Returns the instant from which a range contains UUIDs: the lower bound, the next instant if that bound is exclusive, or
/// `-infinity` if there is none. For a range that contains no UUID, the result is `infinity`, which is after
/// `uuid_tstzrange_end(period)`.
#[pg_extern(sql = false)]
pub fn uuid_tstzrange_start(period: Tstzrange) -> Timestamptz {
    match period.0 {
        _ if window_of_range(period).is_empty() => Timestamptz(i64::MAX),
        None => Timestamptz(i64::MAX),
        Some((Bound::Included(time), _)) => time,
        Some((Bound::Excluded(time), _)) => time.next(),
        Some((Bound::Unbounded, _)) => Timestamptz(i64::MIN),
    }
}

/// Returns the time that replaces a `date` or a `timestamp` in a comparison. As in PostgreSQL's own comparisons of these types
/// with a `timestamptz`, the session's time zone applies and no value is out of range: a time far outside version 7's years
/// becomes infinite.
#[pg_extern(sql = false)]
#[allow(unsafe_code, clippy::cast_possible_truncation, clippy::cast_possible_wrap)] // A date is in the lower half of its datum.
pub fn uuid_time_from(value: AnyElement) -> Option<Timestamptz> {
    let datum = value.datum();
    let (days, function): (i64, unsafe fn(pg_sys::FunctionCallInfo) -> pg_sys::Datum) = match value.oid() {
        pg_sys::DATEOID => ((datum.value() as i32).into(), pg_sys::date_timestamptz),
        pg_sys::TIMESTAMPOID => ((datum.value() as i64).div_euclid(DAY), pg_sys::timestamp_timestamptz),
        _ => return None,
    };
    Some(Timestamptz(match days {
        ..YEARS_FROM => i64::MIN,
        YEARS_TO.. => i64::MAX,
        // SAFETY: the function takes a datum of the value's type, and returns a timestamptz.
        _ => unsafe { direct_function_call::<i64>(function, &[Some(datum)]) }.unwrap_or(i64::MIN),
    }))
}

/// Returns the smallest range that contains all times or ranges in an array.
#[pg_extern(sql = false)]
pub fn uuid_time_span(array: AnyArray) -> Tstzrange {
    if array.oid() == pg_sys::TIMESTAMPTZARRAYOID {
        let times = || AnyArray::into::<Array<'_, i64>>(&array);
        let ends = times().and_then(|times| Some((times.iter().flatten().min()?, times.iter().flatten().max()?)));
        return Tstzrange(
            ends.map(|(first, last)| (Bound::Included(Timestamptz(first)), Bound::Included(Timestamptz(last)))),
        );
    }
    if array.oid() != pg_sys::TSTZRANGEARRAYOID {
        return Tstzrange(None);
    }
    let ranges = AnyArray::into::<Array<'_, Tstzrange>>(&array);
    let bounds = || ranges.iter().flat_map(|ranges| ranges.iter().flatten()).filter_map(|range| range.0);
    let start = bounds().map(|(lower, _)| lower).min_by_key(|lower| match *lower {
        Bound::Unbounded => None,
        Bound::Included(time) => Some((time.0, false)),
        Bound::Excluded(time) => Some((time.0, true)),
    });
    let end = bounds().map(|(_, upper)| upper).max_by_key(|upper| match *upper {
        Bound::Excluded(time) => (false, time.0, false),
        Bound::Included(time) => (false, time.0, true),
        Bound::Unbounded => (true, 0, false),
    });
    Tstzrange(start.zip(end))
}

// Returns its argument. [`super::support`] estimates the selectivity of a call, usually as 1, because the clauses beside it
// determine the estimate.
unguarded_function!(uuid_recheck, |condition: bool| condition);

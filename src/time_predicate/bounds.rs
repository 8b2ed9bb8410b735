//! Translates a comparison with a time into bounds on a UUID, and these into comparisons that an index on the UUID supports.
//!
//! Each comparison with an instant is expressed as `id < t` or `id >= t`, where the instant t lies between two UUIDs. The two
//! operators are members of PostgreSQL's operator family of `uuid`, which indexes, partitions and proofs use.
//!
//! ```text
//! id <= t              id < uuid_time_next(t)
//! id > t               id >= uuid_time_next(t)
//! id <@ '[a,b)'        id >= a AND id < b
//! id <@ r              id >= uuid_tstzrange_start(r) AND id <= uuid_tstzrange_end(r)
//! id < '1960-01-01'    false, or null where id is null
//! ```
//!
//! For readers that do not use operator families ([`super::reader`]), and if the members are missing, the instant is replaced by
//! the first UUID after it: `id < uuidv7_lower_bound(t)`. If t is a constant, so is that UUID.

use std::ops::Bound::Unbounded;

use pgrx::pg_sys;
use rfc9562::Uuid;

use super::operators::{Predicate, Side, first_uuid};
use super::reader::{Reader, reader_of};
use super::time_call::TimeCall;
use crate::datum::{Timestamptz, Tstzrange};
use crate::planner::catalog::PlannerFunction;
use crate::planner::expression::{
    Conjunction, built_in_call, call_of, comparison_of, text_constant, time_constant, uuid_constant,
};
use crate::planner::planned::{Expression, Planned};

/// Returns comparisons of a UUID that are together equivalent to the predicate with `other`, a time or a range. If `is_wide`, as is
/// necessary for a time with microseconds, a lower bound is moved to the start of its millisecond, so the predicate only implies
/// the comparisons. Returns `None` if `other` is a null constant, if it or the UUID would occur twice but must not, if the role may
/// not execute a function, or if an operator is missing.
pub fn bounds_of<'plan>(
    uuid: Expression<'plan>,
    predicate: Predicate,
    other: Expression<'plan>,
    is_wide: bool,
    reader: Reader,
) -> Option<Conjunction<'plan>> {
    let comparison = |strategy: u32, end: Expression<'plan>| {
        let end = match end.value().map(first_uuid) {
            // Children may reject the Nil and the Max UUID, which are not version 7.
            Some(Uuid::NIL | Uuid::MAX) if reader == Reader::Children => end,
            _ if reader == Reader::Families || end.base_type() == pg_sys::UUIDOID => end,
            Some(first) => uuid_constant(first),
            None => call_of(PlannerFunction::LOWER_BOUND, &[end])?,
        };
        comparison_of(uuid, strategy, end).map(Conjunction::from)
    };
    let bound = |side: Side, instant: Expression<'plan>| {
        let instant = match instant.value() {
            Some(time) if is_wide && side.is_lower() => time_constant(whole_millisecond(time)),
            Some(time) if side.includes_instant() => time_constant(time.next()),
            Some(_) => instant,
            None if instant.is_constant() => return None,
            None if is_wide && side.is_lower() => start_of_millisecond(instant),
            None if side.includes_instant() => call_of(PlannerFunction::NEXT, &[instant])?,
            None => instant,
        };
        if side.is_lower() {
            comparison(pg_sys::BTGreaterEqualStrategyNumber, instant)
        } else if is_before_all(instant) {
            Some(Conjunction::Never)
        } else {
            comparison(pg_sys::BTLessStrategyNumber, instant)
        }
    };
    match predicate {
        Predicate::Is(side) => bound(side, other),
        _ if !other.is_repeatable() || !uuid.is_repeatable() => None,
        Predicate::Equal => Some(bound(Side::Since, other)?.and(bound(Side::Until, other.deep_copy())?)),
        Predicate::Within if other.is_constant() => match other.value::<Tstzrange>()?.0 {
            None => Some(Conjunction::Never),
            // Every UUID meets this bound, but the comparison is null for a null UUID, as it must be.
            Some((Unbounded, Unbounded)) => bound(Side::Since, time_constant(Timestamptz(i64::MIN))),
            Some(ends) => {
                let mut ends = Side::from_range(ends).into_iter().flatten();
                let none = Conjunction::All(Vec::new());
                ends.try_fold(none, |all, (side, time)| Some(all.and(bound(side, time_constant(time))?)))
            }
        },
        Predicate::Within => {
            let range = if is_wide { range_of_milliseconds(other) } else { other };
            let start = call_of(PlannerFunction::START_OF_RANGE, &[range])?;
            // A range without an upper bound includes the Max UUID, after which there is no instant.
            let last = call_of(PlannerFunction::END_OF_RANGE, &[range.deep_copy()])?;
            let from = comparison(pg_sys::BTGreaterEqualStrategyNumber, start)?;
            Some(from.and(comparison(pg_sys::BTLessEqualStrategyNumber, last)?))
        }
    }
}

/// Whether a time is known to be before every UUID: a millisecond or more before 1970.
pub fn is_before_all(time: Expression<'_>) -> bool {
    time.value().map(first_uuid) == Some(Uuid::NIL)
}

/// Whether the bounds that a predicate on a time implies are also equivalent to it.
pub fn is_exact(time: &TimeCall<'_>, predicate: Predicate, other: Expression<'_>) -> bool {
    let is_inclusive = matches!(predicate, Predicate::Is(Side::Before | Side::Since));
    !time.has_micros || is_inclusive && other.value().is_some_and(is_whole_millisecond)
}

/// Returns the comparisons of the UUID that predicates on its time imply.
pub fn implied_bounds<'plan>(
    root: Planned<'plan, pg_sys::PlannerInfo>,
    time: &TimeCall<'plan>,
    predicates: &[(Predicate, Expression<'plan>)],
) -> Option<Conjunction<'plan>> {
    let reader = reader_of(Some(root), time.uuid);
    let bounds = |(predicate, other): &(Predicate, Expression<'plan>)| {
        bounds_of(time.uuid, *predicate, other.deep_copy(), time.has_micros, reader)
    };
    predicates.iter().try_fold(Conjunction::All(Vec::new()), |all, one| Some(all.and(bounds(one)?)))
}

/// Whether a time is a whole millisecond. (The infinite times are not.)
pub fn is_whole_millisecond(time: Timestamptz) -> bool {
    time.0 % 1000 == 0
}

/// Returns the start of the millisecond that contains a time, or an infinite time unchanged.
fn whole_millisecond(time: Timestamptz) -> Timestamptz {
    match time.0 {
        i64::MIN | i64::MAX => time,
        micros => Timestamptz(micros - micros.rem_euclid(1000)),
    }
}

/// Builds the same for a time that is not known yet. With this unit, `date_trunc` raises no error.
fn start_of_millisecond(time: Expression<'_>) -> Expression<'_> {
    let arguments = [text_constant("milliseconds"), time];
    built_in_call(pg_sys::F_DATE_TRUNC_TEXT_TIMESTAMPTZ, pg_sys::TIMESTAMPTZOID, &arguments)
}

/// Builds the range from the start of the millisecond in which a range starts. It includes its end, because it must not be empty.
fn range_of_milliseconds(range: Expression<'_>) -> Expression<'_> {
    let end = |end, range| built_in_call(end, pg_sys::TIMESTAMPTZOID, &[range]);
    let lower = start_of_millisecond(end(pg_sys::F_LOWER_ANYRANGE, range));
    let arguments = [lower, end(pg_sys::F_UPPER_ANYRANGE, range.deep_copy()), text_constant("[]")];
    built_in_call(pg_sys::F_TSTZRANGE_TIMESTAMPTZ_TIMESTAMPTZ_TEXT, pg_sys::TSTZRANGEOID, &arguments)
}

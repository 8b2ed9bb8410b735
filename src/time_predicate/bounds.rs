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

/// A comparison of a UUID: a btree strategy, and the other operand, a `timestamptz` or a `uuid`.
#[derive(Clone, Copy, Debug)]
pub struct UuidBound<'plan> {
    strategy: u32,
    other: Expression<'plan>,
}

impl<'plan> UuidBound<'plan> {
    /// Returns the bound that an instant between two UUIDs gives.
    fn new(side: Side, other: Expression<'plan>) -> Self {
        let strategy =
            if side.is_lower() { pg_sys::BTGreaterEqualStrategyNumber } else { pg_sys::BTLessStrategyNumber };
        UuidBound { strategy, other }
    }

    /// Whether the bound is known to exclude every UUID, because it is an upper bound a millisecond or more before 1970.
    fn is_never_met(&self) -> bool {
        let time = self.other.value::<Timestamptz>();
        self.strategy == pg_sys::BTLessStrategyNumber && time.is_some_and(|time| first_uuid(time) == Uuid::NIL)
    }
}

/// Whether a lower bound is moved to the start of its millisecond, as is necessary for a time with microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    Exact,
    WholeMilliseconds,
}

/// Returns bounds that are together equivalent to the predicate with `other`, a time or a range. Returns `None` if `other` is a
/// null constant, if it would occur twice but must not, or if the role may not execute a function.
pub fn bounds_of<'plan>(
    predicate: Predicate,
    other: Expression<'plan>,
    precision: Precision,
) -> Option<Conjunction<UuidBound<'plan>>> {
    let is_wide = precision == Precision::WholeMilliseconds;
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
        Some(UuidBound::new(side, instant))
    };
    let bounds = match predicate {
        Predicate::Is(side) => vec![bound(side, other)?],
        Predicate::Equal | Predicate::Within if !other.is_repeatable() => return None,
        Predicate::Equal => vec![bound(Side::Since, other)?, bound(Side::Until, other.deep_copy())?],
        Predicate::Within if other.is_constant() => match other.value::<Tstzrange>()?.0 {
            None => return Some(Conjunction::Never),
            // Every UUID meets this bound, but the comparison is null for a null UUID, as it must be.
            Some((Unbounded, Unbounded)) => {
                vec![UuidBound::new(Side::Since, time_constant(Timestamptz(i64::MIN)))]
            }
            Some(ends) => {
                let ends = Side::from_range(ends).into_iter().flatten();
                ends.map(|(side, time)| bound(side, time_constant(time))).collect::<Option<_>>()?
            }
        },
        Predicate::Within => {
            let range = if is_wide { range_of_milliseconds(other) } else { other };
            let start = call_of(PlannerFunction::START_OF_RANGE, &[range])?;
            // A range without an upper bound includes the Max UUID, after which there is no instant.
            let last = call_of(PlannerFunction::END_OF_RANGE, &[range.deep_copy()])?;
            let until = UuidBound { strategy: pg_sys::BTLessEqualStrategyNumber, other: last };
            vec![UuidBound::new(Side::Since, start), until]
        }
    };
    let is_never_met = bounds.iter().any(UuidBound::is_never_met);
    Some(if is_never_met { Conjunction::Never } else { Conjunction::All(bounds) })
}

/// Returns the precision of the bounds that a predicate gives.
pub fn precision(time: &TimeCall<'_>, predicate: Predicate, other: Expression<'_>) -> Precision {
    let is_inclusive = matches!(predicate, Predicate::Is(Side::Before | Side::Since));
    if !time.has_micros || is_inclusive && other.value().is_some_and(is_whole_millisecond) {
        Precision::Exact
    } else {
        Precision::WholeMilliseconds
    }
}

/// Returns the bounds on the UUID that predicates on its time imply.
pub fn implied_bounds<'plan>(
    root: Planned<'plan, pg_sys::PlannerInfo>,
    time: &TimeCall<'plan>,
    predicates: &[(Predicate, Expression<'plan>)],
) -> Option<Conjunction<Expression<'plan>>> {
    let bounds_of = |&(predicate, other): &(Predicate, Expression<'plan>)| {
        bounds_of(predicate, other.deep_copy(), precision(time, predicate, other))
    };
    let all = Conjunction::All(Vec::new());
    let all = predicates.iter().try_fold(all, |all, predicate| Some(all.and(bounds_of(predicate)?)))?;
    comparisons(all, time.uuid, reader_of(Some(root), time.uuid))
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

/// Expresses the bounds as comparisons of a UUID. Returns `None` if there are several bounds but the UUID is not repeatable, if the
/// role may not execute a function, or if an operator is missing.
pub fn comparisons<'plan>(
    bounds: Conjunction<UuidBound<'plan>>,
    uuid: Expression<'plan>,
    reader: Reader,
) -> Option<Conjunction<Expression<'plan>>> {
    let Conjunction::All(bounds) = bounds else { return Some(Conjunction::Never) };
    if bounds.len() > 1 && !uuid.is_repeatable() {
        return None;
    }
    let built = bounds.into_iter().map(|UuidBound { strategy, other }| {
        let other = match other.value().map(first_uuid) {
            // Children may reject the Nil and the Max UUID, which are not version 7.
            Some(Uuid::NIL | Uuid::MAX) if reader == Reader::Children => other,
            _ if reader == Reader::Families || other.base_type() == pg_sys::UUIDOID => other,
            Some(first) => uuid_constant(first),
            None => call_of(PlannerFunction::LOWER_BOUND, &[other])?,
        };
        comparison_of(uuid, strategy, other)
    });
    built.collect::<Option<_>>().map(Conjunction::All)
}

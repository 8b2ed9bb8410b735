//! Translates a comparison with a time into bounds on a UUID, and these into comparisons that an index on the UUID supports.
//!
//! Each comparison with an instant is expressed as `id < t` or `id >= t`, where the instant t lies between two UUIDs. The two
//! operators are members of PostgreSQL's operator family of `uuid`, which indexes, partitions and proofs use.
//!
//! ```text
//! id <= t              id < uuid_time_next(t)
//! id > t               id >= uuid_time_next(t)
//! id <@ '[a,b)'        id >= a AND id < b
//! id <@ r              id >= uuid_tstzrange_start(r) AND id <= uuidv7_upper_bound(r)
//! id < '1960-01-01'    false, or null where id is null
//! ```
//!
//! For readers that do not use operator families ([`super::reader`]), and if the members are missing, the instant is replaced by
//! the first UUID after it: `id < uuidv7_lower_bound(t)`. If t is a constant, so is that UUID.

use std::ops::Bound::Unbounded;

use pgrx::pg_sys;
use rfc9562::Uuid;

use super::catalog::PlannerFunction;
use super::expression::{Expression, call_of, comparison, time_constant, uuid_constant};
use super::planner::Planned;
use super::reader::Reader;
use super::{Predicate, Side, first_uuid};
use crate::datum::{Timestamptz, Tstzrange};

/// A bound on a UUID, given by an expression of type `timestamptz` or `tstzrange`.
#[derive(Clone, Copy, Debug)]
pub enum UuidBound<'plan> {
    Since(Expression<'plan>),
    Before(Expression<'plan>),
    /// From the start of a range.
    SinceStart(Expression<'plan>),
    /// Up to the last UUID in a range. A range without an upper bound includes the Max UUID, after which there is no instant.
    UntilEnd(Expression<'plan>),
}

impl<'plan> UuidBound<'plan> {
    pub fn new(side: Side, instant: Expression<'plan>) -> Self {
        if side.is_lower() { UuidBound::Since(instant) } else { UuidBound::Before(instant) }
    }

    fn from_constant((side, time): (Side, Timestamptz)) -> Self {
        UuidBound::new(side, time_constant(if side.includes_instant() { time.next() } else { time }))
    }

    /// Whether the bound is known to exclude every UUID, because it is an upper bound a millisecond or more before 1970.
    pub fn is_never_met(&self) -> bool {
        matches!(self, UuidBound::Before(instant) if instant.value::<Timestamptz>().is_some_and(|time| first_uuid(time) == Uuid::NIL))
    }
}

/// Returns bounds that are together equivalent to the predicate with `other`, a time or a range. Returns `None` if `other` is a
/// null constant, if it would occur twice but must not, or if the role may not execute a function. Functions are looked up in the
/// schema of `function`, which may be any function of the extension.
pub fn bounds_of<'plan>(
    function: pg_sys::Oid,
    predicate: Predicate,
    other: Expression<'plan>,
) -> Option<Vec<UuidBound<'plan>>> {
    let bound = |side: Side, instant: Expression<'plan>| {
        Some(if instant.is_constant() {
            UuidBound::from_constant((side, instant.value()?))
        } else if side.includes_instant() {
            UuidBound::new(side, call_of(PlannerFunction::NEXT, function, &[instant])?)
        } else {
            UuidBound::new(side, instant)
        })
    };
    Some(match predicate {
        Predicate::Is(side) => vec![bound(side, other)?],
        Predicate::Equal if !other.is_repeatable() => return None,
        Predicate::Equal => vec![bound(Side::Since, other)?, bound(Side::Until, other.copied())?],
        Predicate::Within if other.is_constant() => match other.value::<Tstzrange>()?.0 {
            None => vec![UuidBound::Before(time_constant(Timestamptz(i64::MIN)))],
            // Every UUID meets this bound, but the comparison is null for a null UUID, as it must be.
            Some((Unbounded, Unbounded)) => vec![UuidBound::Since(time_constant(Timestamptz(i64::MIN)))],
            Some(ends) => Side::from_range(ends).into_iter().flatten().map(UuidBound::from_constant).collect(),
        },
        Predicate::Within if !may_occur_twice(other) => return None,
        Predicate::Within => vec![UuidBound::SinceStart(other), UuidBound::UntilEnd(other.copied())],
    })
}

/// Expresses the bounds as comparisons of a UUID. Returns `None` if there are several bounds but the UUID is not repeatable, if the
/// role may not execute a function, or if an operator is missing.
pub fn comparisons<'plan>(
    function: pg_sys::Oid,
    bounds: &[UuidBound<'plan>],
    uuid: Expression<'plan>,
    reader: Reader,
) -> Option<Vec<Expression<'plan>>> {
    const SINCE: u32 = pg_sys::BTGreaterEqualStrategyNumber;
    if bounds.len() > 1 && !uuid.is_repeatable() {
        return None;
    }
    let by_time = reader == Reader::Families;
    let call = |callee, argument| call_of(callee, function, &[argument]);
    let built = bounds.iter().enumerate().map(|(number, bound)| {
        let uuid = if number == 0 { uuid } else { uuid.copied() };
        let (strategy, instant) = match *bound {
            UuidBound::Since(instant) => (SINCE, instant),
            UuidBound::Before(instant) => (pg_sys::BTLessStrategyNumber, instant),
            UuidBound::SinceStart(range) => (SINCE, call(PlannerFunction::START_OF_RANGE, range)?),
            UuidBound::UntilEnd(range) => {
                let last = call(PlannerFunction::UPPER_BOUND_OF_RANGE, range)?;
                return comparison(uuid, pg_sys::BTLessEqualStrategyNumber, last);
            }
        };
        let other = match instant.value().map(first_uuid) {
            // Children may reject the Nil and the Max UUID, which are not version 7.
            Some(Uuid::NIL | Uuid::MAX) if reader == Reader::Children => instant,
            _ if by_time => instant,
            Some(first) => uuid_constant(first),
            None => call(PlannerFunction::LOWER_BOUND, instant)?,
        };
        comparison(uuid, strategy, other)
    });
    built.collect()
}

/// Whether an expression may occur twice in a plan: it is not volatile, and each subquery in it returns the same result both times.
/// That is assumed only of subqueries that read nothing but tables, do not choose among rows, and do not read the outer row.
fn may_occur_twice(expression: Expression<'_>) -> bool {
    if expression.is_volatile() {
        false
    } else if !expression.has_subquery() {
        true
    } else if let Some(call) = expression.function() {
        call.arguments.iter().all(|argument| may_occur_twice(*argument))
    } else {
        expression.subquery().is_some_and(is_simple)
    }
}

fn is_simple(query: Planned<'_, pg_sys::Query>) -> bool {
    let is_table = |table: &Planned<'_, pg_sys::RangeTblEntry>| {
        let kinds = [
            pg_sys::RTEKind::RTE_RELATION,
            pg_sys::RTEKind::RTE_JOIN,
            pg_sys::RTEKind::RTE_RESULT,
            #[cfg(group_tables)]
            pg_sys::RTEKind::RTE_GROUP,
        ];
        kinds.contains(&table.rtekind) && table.tablesample.is_null()
    };
    query.tables().iter().all(is_table)
        && query.setOperations.is_null()
        && query.limitCount.is_null()
        && query.limitOffset.is_null()
        && query.rowMarks.is_null()
        && !(query.hasDistinctOn || query.hasWindowFuncs || query.hasSubLinks || query.reads_outer_row())
        && query.ignores_order_of_rows()
}

//! Translates a comparison with a time into bounds on a UUID, and into comparisons that an index on the UUID supports.
//!
//! All comparisons are expressed by two of them: `id < t` and `id >= t`, where the instant t lies between two UUIDs. The two
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
//! For readers that do not use operator families ([`super::reader`]), and if the members are missing, the instant is replaced
//! by the first UUID at or after it: `id < uuidv7_lower_bound(t)`. If t is a constant, so is that UUID.

use pgrx::pg_sys;
use rfc9562::{Uuid, v7};

use super::catalog::PlannerFunction;
use super::expression::{Expression, call_of, comparison, time_constant, uuid_constant};
use super::planner::Planned;
use super::reader::Reader;
use super::{Predicate, Side};
use crate::datum::{Timestamptz, Tstzrange};

/// A bound on a UUID.
#[derive(Clone, Copy, Debug)]
pub enum Bound<'plan> {
    Since(Instant<'plan>),
    Before(Instant<'plan>),
    /// From the start of a range, an expression of type `tstzrange`.
    SinceStart(Expression<'plan>),
    /// Up to the last UUID in a range. An unbounded range includes the Max UUID, after which there is no instant.
    UntilEnd(Expression<'plan>),
}

#[derive(Clone, Copy, Debug)]
pub enum Instant<'plan> {
    Constant(Timestamptz),
    /// An expression of type `timestamptz`.
    Computed(Expression<'plan>),
}

/// The bounds that a predicate sets on a UUID.
#[derive(Clone, Debug)]
pub enum Bounds<'plan> {
    /// The predicate is not true for any UUID.
    Never,
    All(Vec<Bound<'plan>>),
}

impl<'plan> Bounds<'plan> {
    /// Returns the bounds that are equivalent to the predicate with the time or range `other`, or `None` if the expression
    /// cannot be evaluated twice or a function may not be executed. `function` is any function of the extension, whose other
    /// functions are looked up in the same schema.
    pub fn new(function: pg_sys::Oid, predicate: Predicate, other: Expression<'plan>) -> Option<Self> {
        Some(match predicate {
            Predicate::Is(side) if other.is_constant() => Bounds::from_sides([Some((side, other.value()?))]),
            Predicate::Is(side) => {
                let next = || call_of(PlannerFunction::NEXT, function, &[other]);
                let instant = Instant::Computed(if side.includes_instant() { next()? } else { other });
                Bounds::All(vec![if side.is_lower() { Bound::Since(instant) } else { Bound::Before(instant) }])
            }
            Predicate::Within if other.is_constant() => match other.value::<Tstzrange>()?.0 {
                None => Bounds::Never,
                Some((from, to)) => match [Side::from_lower(from), Side::from_upper(to)] {
                    // For a null UUID, the condition is null.
                    [None, None] => Bounds::from_sides([Some((Side::Since, Timestamptz(i64::MIN)))]),
                    sides => Bounds::from_sides(sides),
                },
            },
            Predicate::Within if !is_repeatable(other) => return None,
            Predicate::Within => Bounds::All(vec![Bound::SinceStart(other), Bound::UntilEnd(other.copied())]),
        })
    }

    fn from_sides<const N: usize>(sides: [Option<(Side, Timestamptz)>; N]) -> Self {
        let bound = |(side, time): (Side, Timestamptz)| {
            let instant = if side.includes_instant() { time.next() } else { time };
            if side.is_lower() {
                return Some(Bound::Since(Instant::Constant(instant)));
            }
            // No UUID precedes an instant before 1970.
            (v7::lower_bound(instant.saturated()) != Uuid::NIL).then_some(Bound::Before(Instant::Constant(instant)))
        };
        sides.into_iter().flatten().map(bound).collect::<Option<_>>().map_or(Bounds::Never, Bounds::All)
    }

    /// Returns the intersection of both.
    pub fn and(self, other: Self) -> Self {
        match (self, other) {
            (Bounds::All(own), Bounds::All(others)) => Bounds::All([own, others].concat()),
            _ => Bounds::Never,
        }
    }
}

/// Returns the comparisons of a UUID that express the bounds, or `None` if there are several and the UUID cannot be evaluated
/// more than once, if a function may not be executed, or if an operator is missing.
pub fn comparisons<'plan>(
    function: pg_sys::Oid,
    bounds: &[Bound<'plan>],
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
            Bound::Since(instant) => (SINCE, instant),
            Bound::Before(instant) => (pg_sys::BTLessStrategyNumber, instant),
            Bound::SinceStart(range) => {
                let start = call(PlannerFunction::START_OF_RANGE, range)?;
                (SINCE, Instant::Computed(start))
            }
            Bound::UntilEnd(range) => {
                let last = call(PlannerFunction::UPPER_BOUND_OF_RANGE, range)?;
                return comparison(uuid, pg_sys::BTLessEqualStrategyNumber, last);
            }
        };
        let other = match instant {
            Instant::Constant(time) => {
                let first = v7::lower_bound(time.saturated());
                // Some readers reject UUIDs that are not version 7.
                let is_refused = reader == Reader::Children && (first == Uuid::NIL || first == Uuid::MAX);
                if by_time || is_refused { time_constant(time) } else { uuid_constant(first) }
            }
            Instant::Computed(time) if by_time => time,
            Instant::Computed(time) => call(PlannerFunction::LOWER_BOUND, time)?,
        };
        comparison(uuid, strategy, other)
    });
    built.collect()
}

/// Whether an expression may occur twice in a plan: it is not volatile, and a subquery in it returns the same result each time.
/// Only subqueries that read only tables, do not select some of several rows, and do not use the outer row are certain to do so.
fn is_repeatable(expression: Expression<'_>) -> bool {
    if expression.is_volatile() {
        false
    } else if !expression.has_subquery() {
        true
    } else if let Some(call) = expression.function() {
        call.arguments.iter().all(|argument| is_repeatable(*argument))
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
}

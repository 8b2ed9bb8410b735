//! Compares UUIDs with times: `id >= timestamptz '2026-01-01'`, `id <@ tstzrange('2026-01-01', '2026-02-01')`.
//!
//! [`rfc9562::window`] defines what the operators mean: an instant is a point between two UUIDs. This file contains the operators'
//! functions.
//!
//! Two of the four comparisons, `<` and `>=`, are members of PostgreSQL's own operator families of `uuid` ([`members`]), so that
//! indexes, partitions and the planner's proofs can use them. A clause passes through these stages:
//!
//! ```text
//! parse       id <= t                                   uuidv7_time(id) <= t
//!               |                                         |
//! support     bounds: id < uuid_time_next(t)              | (PostgreSQL's own operators have none)
//! function      |                                         |
//!               |                                         |
//! hook, for     |                                       clause: a time of a UUID, compared with t
//! each table    |                                       rewriter, bounds: id < uuid_time_next(t) AND uuidv7_time(id) IS NOT NULL
//!               |                                         |   without IS NOT NULL if version_7 excludes other versions;
//!               |                                         |   unchanged if expression_index finds an index on uuidv7_time(id)
//!               +-------------------+---------------------+
//!                                   |
//! reader      families: the operator stays; other readers: id < uuidv7_lower_bound(...)
//!                                   |
//! estimate    selectivity: statistics -> histogram, whose ends and gaps column_index reads from the index
//!                                   |
//! paths       sort: paths of an index on id, sorted by uuidv7_time(id); until all paths exist, partitions by id as if by that time
//!                                   |     join: paths of an index on id, for uuidv7_time(id)::date = other.day
//!                                   |
//! execution   the index on id, with the bounds that bound_functions computes unless they are constants
//! ```
//!
//! [`clause`] also parses clauses such as `uuid_seal(id) = x`, which [`inverse`] turns into conditions on the UUID. [`catalog`]
//! reads the system catalogs, [`expression`] reads and builds expressions, and [`planner`] wraps the planner's structures.

mod bound_functions;
mod bounds;
mod catalog;
mod clause;
mod column_index;
mod expression;
mod expression_index;
mod histogram;
pub mod hook;
mod in_list;
mod inverse;
mod join;
mod members;
mod monotonic;
mod planner;
mod reader;
mod relation;
mod rewriter;
mod selectivity;
mod sort;
mod statistics;
mod support;
mod text_form;
mod time_call;
mod version_7;

pub use catalog::PlannerFunction;

use std::ops::Bound;

use pgrx::prelude::*;
use rfc9562::window::Window;
use rfc9562::{Uuid, v7};

use self::expression::Expression;
use crate::datum::{SqlUuid, Timestamptz, Tstzmultirange, Tstzrange};
use crate::time_ops;
use crate::unguarded_function::unguarded_function;

/// A comparison of a UUID with an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// `uuid < timestamptz`
    Before,
    /// `uuid <= timestamptz`
    Until,
    /// `uuid >= timestamptz`
    Since,
    /// `uuid > timestamptz`
    After,
}

/// The order by which an operator compares a UUID with a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Bytes,
    /// The order of the times, as in `uuid_time_ops`.
    Time,
}

impl Side {
    #[inline]
    fn window(self, time: Timestamptz) -> Window {
        let time = time.saturated();
        match self {
            Side::Before => Window::before(time),
            Side::Until => Window::until(time),
            Side::Since => Window::since(time),
            Side::After => Window::after(time),
        }
    }

    fn is_lower(self) -> bool {
        matches!(self, Side::Since | Side::After)
    }

    /// Whether the boundary lies after the UUIDs of the instant, rather than before them.
    fn includes_instant(self) -> bool {
        matches!(self, Side::Until | Side::After)
    }

    /// Returns the commutator of the comparison.
    fn mirrored(self) -> Side {
        match self {
            Side::Before => Side::After,
            Side::Until => Side::Since,
            Side::Since => Side::Until,
            Side::After => Side::Before,
        }
    }

    /// Returns the comparisons that the bounds of a range require.
    #[inline]
    fn from_range((from, to): (Bound<Timestamptz>, Bound<Timestamptz>)) -> [Option<(Side, Timestamptz)>; 2] {
        let side = |bound, included, excluded| match bound {
            Bound::Included(time) => Some((included, time)),
            Bound::Excluded(time) => Some((excluded, time)),
            Bound::Unbounded => None,
        };
        [side(from, Side::Since, Side::After), side(to, Side::Until, Side::Before)]
    }
}

/// What a clause says of the time of a UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Predicate {
    /// A comparison with a `timestamptz`.
    Is(Side),
    /// Equality of the time, as in `uuidv7_time(id) = timestamptz`. No operator of the extension on `uuid` tests this.
    Equal,
    /// Within a `tstzrange`.
    Within,
}

impl Predicate {
    /// Returns the predicate of an operator in the default btree family of the type `own`, as if the argument of this type, the
    /// right one if `is_mirrored`, were on the left; and the type of the other argument.
    fn from_operator(operator: pg_sys::Oid, own: pg_sys::Oid, is_mirrored: bool) -> Option<(Predicate, pg_sys::Oid)> {
        let (strategy, other) = catalog::btree_operator(operator, own, is_mirrored)?;
        let predicate = match strategy {
            pg_sys::BTLessStrategyNumber => Predicate::Is(Side::Before),
            pg_sys::BTLessEqualStrategyNumber => Predicate::Is(Side::Until),
            pg_sys::BTEqualStrategyNumber => Predicate::Equal,
            pg_sys::BTGreaterEqualStrategyNumber => Predicate::Is(Side::Since),
            pg_sys::BTGreaterStrategyNumber => Predicate::Is(Side::After),
            _ => return None,
        };
        Some((if is_mirrored { predicate.mirrored() } else { predicate }, other))
    }

    /// Returns the comparisons that are together equivalent to a comparison by a btree operator.
    fn sides(self) -> Vec<Side> {
        match self {
            Predicate::Is(side) => vec![side],
            Predicate::Equal => vec![Side::Since, Side::Until],
            Predicate::Within => Vec::new(),
        }
    }

    /// Returns the predicate of the commutator.
    fn mirrored(self) -> Predicate {
        if let Predicate::Is(side) = self { Predicate::Is(side.mirrored()) } else { self }
    }
}

fn window_of_range(range: Tstzrange) -> Window {
    let Some(bounds) = range.0 else { return Window::EMPTY };
    let sides = Side::from_range(bounds).into_iter().flatten();
    sides.fold(Window::ALL, |window, (side, time)| window.intersection(side.window(time)))
}

/// Whether a range contains a UUID. Comparing the UUID with each bound is faster than computing the window.
#[inline]
fn range_contains(range: Tstzrange, uuid: Uuid) -> bool {
    let Some(bounds) = range.0 else { return false };
    let within = |side: Option<(Side, Timestamptz)>| side.is_none_or(|(side, time)| side.window(time).contains(uuid));
    Side::from_range(bounds).into_iter().all(within)
}

/// Defines the functions of an operator and its commutator.
macro_rules! operator_functions {
    ($side:ident, $uuid_first:ident, $time_first:ident) => {
        unguarded_function!($uuid_first, |uuid: Uuid, time: Timestamptz| Side::$side.window(time).contains(uuid));
        unguarded_function!($time_first, |time: Timestamptz, uuid: Uuid| Side::$side.window(time).contains(uuid));
    };
}

operator_functions!(Before, uuid_lt_timestamptz, timestamptz_gt_uuid);
operator_functions!(Until, uuid_le_timestamptz, timestamptz_ge_uuid);
operator_functions!(Since, uuid_ge_timestamptz, timestamptz_le_uuid);
operator_functions!(After, uuid_gt_timestamptz, timestamptz_lt_uuid);

/// Returns the UUID for which a `timestamptz` stands in PostgreSQL's operator families of `uuid`; see `sql/uuidrfc.sql`.
#[inline]
fn first_uuid(time: Timestamptz) -> Uuid {
    v7::lower_bound(time.saturated())
}

unguarded_function!(uuid_cmp_timestamptz, |uuid: Uuid, time: Timestamptz| uuid.cmp(&first_uuid(time)) as i32);
unguarded_function!(timestamptz_cmp_uuid, |time: Timestamptz, uuid: Uuid| first_uuid(time).cmp(&uuid) as i32);
unguarded_function!(timestamptz_cmp_as_uuid, |one: Timestamptz, other: Timestamptz| first_uuid(one)
    .cmp(&first_uuid(other))
    as i32);

// The comparisons that the families contain in addition to `<` and `>=`.
unguarded_function!(uuid_le_timestamptz_as_uuid, |uuid: Uuid, time: Timestamptz| uuid <= first_uuid(time));
unguarded_function!(uuid_eq_timestamptz_as_uuid, |uuid: Uuid, time: Timestamptz| uuid == first_uuid(time));
unguarded_function!(uuid_gt_timestamptz_as_uuid, |uuid: Uuid, time: Timestamptz| uuid > first_uuid(time));
unguarded_function!(timestamptz_as_uuid_lt_uuid, |time: Timestamptz, uuid: Uuid| first_uuid(time) < uuid);
unguarded_function!(timestamptz_as_uuid_eq_uuid, |time: Timestamptz, uuid: Uuid| first_uuid(time) == uuid);
unguarded_function!(timestamptz_as_uuid_ge_uuid, |time: Timestamptz, uuid: Uuid| first_uuid(time) >= uuid);
unguarded_function!(timestamptz_lt_as_uuid, |one: Timestamptz, other: Timestamptz| first_uuid(one) < first_uuid(other));
unguarded_function!(timestamptz_le_as_uuid, |one: Timestamptz, other: Timestamptz| first_uuid(one)
    <= first_uuid(other));
unguarded_function!(timestamptz_eq_as_uuid, |one: Timestamptz, other: Timestamptz| first_uuid(one)
    == first_uuid(other));
unguarded_function!(timestamptz_ge_as_uuid, |one: Timestamptz, other: Timestamptz| first_uuid(one)
    >= first_uuid(other));
unguarded_function!(timestamptz_gt_as_uuid, |one: Timestamptz, other: Timestamptz| first_uuid(one) > first_uuid(other));

#[pg_extern(sql = false)]
fn uuid_contained_by_tstzrange(uuid: SqlUuid, period: Tstzrange) -> bool {
    range_contains(period, uuid.0)
}

#[pg_extern(sql = false)]
fn tstzrange_contains_uuid(period: Tstzrange, uuid: SqlUuid) -> bool {
    range_contains(period, uuid.0)
}

// The multirange operator's SQL function also tests the span of the ranges, so that an index can be used. This function tests each
// range.
unguarded_function!(uuid_in_tstzmultirange, |uuid: Uuid, periods: Tstzmultirange<'_>| {
    periods.ranges().any(|period| range_contains(period, uuid))
});

/// What an operator's function tests, and which of its arguments is the UUID.
#[derive(Clone, Copy, Debug)]
struct OperatorFunction {
    predicate: Predicate,
    order: Order,
    uuid_argument: usize,
}

/// The functions of the operators that compare a UUID with a time, each followed by that of the commutator.
const OPERATOR_FUNCTIONS: [(&str, &str, Predicate, Order); 7] = [
    (uuid_lt_timestamptz, timestamptz_gt_uuid, Predicate::Is(Side::Before), Order::Bytes),
    (uuid_le_timestamptz, timestamptz_ge_uuid, Predicate::Is(Side::Until), Order::Bytes),
    (uuid_ge_timestamptz, timestamptz_le_uuid, Predicate::Is(Side::Since), Order::Bytes),
    (uuid_gt_timestamptz, timestamptz_lt_uuid, Predicate::Is(Side::After), Order::Bytes),
    (catalog::uuid_contained_by_tstzrange, catalog::tstzrange_contains_uuid, Predicate::Within, Order::Bytes),
    (time_ops::uuid_time_lt_timestamptz, time_ops::timestamptz_gt_uuid_time, Predicate::Is(Side::Before), Order::Time),
    (time_ops::uuid_time_ge_timestamptz, time_ops::timestamptz_le_uuid_time, Predicate::Is(Side::Since), Order::Time),
];

impl OperatorFunction {
    fn from_symbol(symbol: &str) -> Option<OperatorFunction> {
        OPERATOR_FUNCTIONS.iter().find_map(|&(uuid_first, time_first, predicate, order)| {
            let uuid_argument = [uuid_first, time_first].iter().position(|function| *function == symbol)?;
            Some(OperatorFunction { predicate, order, uuid_argument })
        })
    }

    /// Returns the UUID that the function compares and, without binary-coercible casts, the time or the range.
    fn operands<'plan>(self, arguments: &[Expression<'plan>]) -> Option<(Expression<'plan>, Expression<'plan>)> {
        let time = arguments.get(1 - self.uuid_argument)?.unrelabelled();
        Some((*arguments.get(self.uuid_argument)?, time))
    }
}

//! The operators that compare UUIDs with times: `id >= timestamptz '2026-01-01'`, `id <@ tstzrange('2026-01-01', '2026-02-01')`.
//!
//! [`rfc9562::window`] defines what they mean: an instant is a point between two UUIDs.

use std::ops::Bound;

use pgrx::prelude::*;
use rfc9562::window::Window;
use rfc9562::{Uuid, v7};

use crate::datum::{SqlUuid, Timestamptz, Tstzmultirange, Tstzrange};
use crate::planner::catalog::btree_operator;
use crate::unguarded_function::unguarded_function;

/// A comparison of a UUID with an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// `uuid < timestamptz`
    Before,
    /// `uuid <= timestamptz`
    Until,
    /// `uuid >= timestamptz`
    Since,
    /// `uuid > timestamptz`
    After,
}

/// The order in which an operator compares a UUID with a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    Bytes,
    /// The order of the times, as in `uuid_time_ops`.
    Time,
}

impl Side {
    #[inline]
    pub fn window(self, time: Timestamptz) -> Window {
        let time = time.saturated();
        match self {
            Side::Before => Window::before(time),
            Side::Until => Window::until(time),
            Side::Since => Window::since(time),
            Side::After => Window::after(time),
        }
    }

    pub fn is_lower(self) -> bool {
        matches!(self, Side::Since | Side::After)
    }

    /// Whether the boundary lies after the UUIDs of the instant, rather than before them.
    pub fn includes_instant(self) -> bool {
        matches!(self, Side::Until | Side::After)
    }

    /// Returns the commutator of the comparison.
    pub fn mirrored(self) -> Side {
        match self {
            Side::Before => Side::After,
            Side::Until => Side::Since,
            Side::Since => Side::Until,
            Side::After => Side::Before,
        }
    }

    /// Returns the comparisons that the bounds of a range require.
    #[inline]
    pub fn from_range((from, to): (Bound<Timestamptz>, Bound<Timestamptz>)) -> [Option<(Side, Timestamptz)>; 2] {
        let side = |bound, included, excluded| match bound {
            Bound::Included(time) => Some((included, time)),
            Bound::Excluded(time) => Some((excluded, time)),
            Bound::Unbounded => None,
        };
        [side(from, Side::Since, Side::After), side(to, Side::Until, Side::Before)]
    }
}

/// What a comparison says about its left operand: a UUID, the time of one, or a function of that time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// A comparison with a `timestamptz`.
    Is(Side),
    /// Equality, as in `uuidv7_time(id) = timestamptz`. No operator of the extension compares a `uuid` with a time in this way.
    Equal,
    /// Within a `tstzrange`.
    Within,
}

impl Predicate {
    /// Returns the predicate of an operator in the default btree family of the type `own`, and the type of its other argument.
    /// If the argument of type `own` is the right one (`is_mirrored`), the predicate is that of the commutator.
    pub fn from_operator(
        operator: pg_sys::Oid,
        own: pg_sys::Oid,
        is_mirrored: bool,
    ) -> Option<(Predicate, pg_sys::Oid)> {
        let (strategy, other) = btree_operator(operator, own, is_mirrored)?;
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
    pub fn sides(self) -> Vec<Side> {
        match self {
            Predicate::Is(side) => vec![side],
            Predicate::Equal => vec![Side::Since, Side::Until],
            Predicate::Within => Vec::new(),
        }
    }

    /// Returns the predicate of the commutator.
    pub fn mirrored(self) -> Predicate {
        if let Predicate::Is(side) = self { Predicate::Is(side.mirrored()) } else { self }
    }
}

pub fn window_of_range(range: Tstzrange) -> Window {
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
pub fn first_uuid(time: Timestamptz) -> Uuid {
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
pub fn uuid_contained_by_tstzrange(uuid: SqlUuid, period: Tstzrange) -> bool {
    range_contains(period, uuid.0)
}

#[pg_extern(sql = false)]
pub fn tstzrange_contains_uuid(period: Tstzrange, uuid: SqlUuid) -> bool {
    range_contains(period, uuid.0)
}

// The multirange operator's SQL function also tests the span of the ranges, so that an index can be used. This function tests each
// range.
unguarded_function!(uuid_in_tstzmultirange, |uuid: Uuid, periods: Tstzmultirange<'_>| {
    periods.ranges().any(|period| range_contains(period, uuid))
});

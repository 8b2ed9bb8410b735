//! Comparing a UUID with a time: `id >= timestamptz '2026-01-01'`, `id <@ tstzrange('2026-01-01', '2026-02-01')`.
//!
//! What the operators mean is in [`rfc9562::window`]; here are their functions, which compute it row by row. So that
//! indexes, partitions and statistics of a `uuid` column serve them, the planner asks [`rewrite`] for comparisons of
//! UUIDs that mean the same, and [`selectivity`] for how many rows will pass.

mod catalog;
mod rewrite;
mod selectivity;

use std::ops::Bound;

use pgrx::prelude::*;
use rfc9562::v7;
use rfc9562::window::Window;

use crate::bare_function::bare_function;
use crate::datum::{Timestamptz, Tstzrange, Uuid};

/// How a UUID compares with an instant.
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

impl Side {
    /// The UUIDs on this side of an instant.
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

    /// The UUID that stands for the instant when the same operator compares UUIDs.
    fn boundary(self, time: Timestamptz) -> rfc9562::Uuid {
        match self {
            Side::Before | Side::Since => v7::lower_bound(time.saturated()),
            Side::Until | Side::After => v7::upper_bound(time.saturated()),
        }
    }

    /// What a lower bound of a range says.
    #[inline]
    fn of_lower(bound: Bound<Timestamptz>) -> Option<(Side, Timestamptz)> {
        match bound {
            Bound::Included(time) => Some((Side::Since, time)),
            Bound::Excluded(time) => Some((Side::After, time)),
            Bound::Unbounded => None,
        }
    }

    /// What an upper bound of a range says.
    #[inline]
    fn of_upper(bound: Bound<Timestamptz>) -> Option<(Side, Timestamptz)> {
        match bound {
            Bound::Included(time) => Some((Side::Until, time)),
            Bound::Excluded(time) => Some((Side::Before, time)),
            Bound::Unbounded => None,
        }
    }
}

/// What one of the operators says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Predicate {
    /// A comparison with a `timestamptz`.
    Is(Side),
    /// `uuid <@ tstzrange`
    Within,
}

/// The UUIDs within a range of time.
pub fn window_of_range(range: Tstzrange) -> Window {
    let Some((from, to)) = range.0 else { return Window::EMPTY };
    let sides = [Side::of_lower(from), Side::of_upper(to)];
    sides.into_iter().flatten().fold(Window::ALL, |window, (side, time)| window.intersection(side.window(time)))
}

/// Whether a UUID is within a range of time: its two ends one after the other, which is faster than their window.
#[inline]
fn range_contains(range: Tstzrange, uuid: Uuid) -> bool {
    let Some((from, to)) = range.0 else { return false };
    let within = |side: Option<(Side, Timestamptz)>| side.is_none_or(|(side, time)| side.window(time).contains(uuid.0));
    within(Side::of_lower(from)) && within(Side::of_upper(to))
}

/// The function of an operator and that of its commutator.
macro_rules! comparison {
    ($side:ident, $uuid_first:ident, $uuid_first_finfo:ident, $time_first:ident, $time_first_finfo:ident) => {
        bare_function!($uuid_first, $uuid_first_finfo, |call| {
            Side::$side.window(call.time(1)).contains(call.uuid(0))
        });
        bare_function!($time_first, $time_first_finfo, |call| {
            Side::$side.window(call.time(0)).contains(call.uuid(1))
        });
    };
}

comparison!(
    Before,
    uuid_lt_timestamptz_wrapper,
    pg_finfo_uuid_lt_timestamptz_wrapper,
    timestamptz_gt_uuid_wrapper,
    pg_finfo_timestamptz_gt_uuid_wrapper
);
comparison!(
    Until,
    uuid_le_timestamptz_wrapper,
    pg_finfo_uuid_le_timestamptz_wrapper,
    timestamptz_ge_uuid_wrapper,
    pg_finfo_timestamptz_ge_uuid_wrapper
);
comparison!(
    Since,
    uuid_ge_timestamptz_wrapper,
    pg_finfo_uuid_ge_timestamptz_wrapper,
    timestamptz_le_uuid_wrapper,
    pg_finfo_timestamptz_le_uuid_wrapper
);
comparison!(
    After,
    uuid_gt_timestamptz_wrapper,
    pg_finfo_uuid_gt_timestamptz_wrapper,
    timestamptz_lt_uuid_wrapper,
    pg_finfo_timestamptz_lt_uuid_wrapper
);

#[pg_extern(immutable, strict, parallel_safe, sql = false)]
fn uuid_contained_by_tstzrange(uuid: Uuid, period: Tstzrange) -> bool {
    range_contains(period, uuid)
}

#[pg_extern(immutable, strict, parallel_safe, sql = false)]
fn tstzrange_contains_uuid(period: Tstzrange, uuid: Uuid) -> bool {
    range_contains(period, uuid)
}

/// What one of these functions says, and which of its two arguments is the UUID.
#[derive(Clone, Copy, Debug)]
struct Form {
    predicate: Predicate,
    uuid_argument: usize,
}

impl Form {
    /// Of the function with this C symbol, if it is one of these.
    fn of_symbol(symbol: &str) -> Option<Form> {
        let (predicate, uuid_argument) = match symbol {
            "uuid_lt_timestamptz_wrapper" => (Predicate::Is(Side::Before), 0),
            "uuid_le_timestamptz_wrapper" => (Predicate::Is(Side::Until), 0),
            "uuid_ge_timestamptz_wrapper" => (Predicate::Is(Side::Since), 0),
            "uuid_gt_timestamptz_wrapper" => (Predicate::Is(Side::After), 0),
            "timestamptz_gt_uuid_wrapper" => (Predicate::Is(Side::Before), 1),
            "timestamptz_ge_uuid_wrapper" => (Predicate::Is(Side::Until), 1),
            "timestamptz_le_uuid_wrapper" => (Predicate::Is(Side::Since), 1),
            "timestamptz_lt_uuid_wrapper" => (Predicate::Is(Side::After), 1),
            "uuid_contained_by_tstzrange_wrapper" => (Predicate::Within, 0),
            "tstzrange_contains_uuid_wrapper" => (Predicate::Within, 1),
            _ => return None,
        };
        Some(Form { predicate, uuid_argument })
    }
}

extension_sql_file!("../sql/time_predicates.sql", name = "time_predicates");

//! Comparing a UUID with a time: `id >= timestamptz '2026-01-01'`, `id <@ tstzrange('2026-01-01', '2026-02-01')`.
//!
//! What the operators mean is in [`rfc9562::window`]: an instant is a point between two UUIDs. Here are their functions,
//! which compute it row by row.
//!
//! Two of the four comparisons, `<` and `>=`, are members of PostgreSQL's own operator families of `uuid`
//! ([`members`]): everything that understands an index on `uuid` understands them as they stand. [`rewrite`] turns
//! the others into these two, and for readers that know no families into comparisons of UUIDs. [`selectivity`] tells how many
//! rows will pass.

mod catalog;
mod histogram;
mod index_end;
mod members;
mod reader;
mod rewrite;
mod selectivity;

use std::ops::Bound;

use pgrx::prelude::*;
use rfc9562::v7;
use rfc9562::window::Window;

use crate::bare_function::bare_function;
use crate::datum::{Timestamptz, Tstzrange, Uuid, ranges_of_multirange};

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

/// The order of UUIDs in which an operator compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    /// That of the octets.
    Octets,
    /// That of the time inside, as `uuid_time_ops` has it.
    Time,
}

/// The side of a point between two UUIDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PointSide {
    /// `uuid < timestamptz`
    Before,
    /// `uuid >= timestamptz`
    Since,
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

    /// The side of a point, and whether the point is the next instant's.
    fn of_point(self) -> (PointSide, bool) {
        match self {
            Side::Before => (PointSide::Before, false),
            Side::Until => (PointSide::Before, true),
            Side::Since => (PointSide::Since, false),
            Side::After => (PointSide::Since, true),
        }
    }

    /// The same comparison with its sides exchanged.
    fn mirrored(self) -> Side {
        match self {
            Side::Before => Side::After,
            Side::Until => Side::Since,
            Side::Since => Side::Until,
            Side::After => Side::Before,
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

/// The UUID that a timestamptz stands for in PostgreSQL's operator families of `uuid`: `sql/uuid_ops.sql` says why.
#[inline]
fn first_uuid(time: Timestamptz) -> rfc9562::Uuid {
    v7::lower_bound(time.saturated())
}

bare_function!(uuid_cmp_timestamptz_wrapper, pg_finfo_uuid_cmp_timestamptz_wrapper, |call| {
    call.uuid(0).cmp(&first_uuid(call.time(1))) as i32
});
bare_function!(timestamptz_cmp_uuid_wrapper, pg_finfo_timestamptz_cmp_uuid_wrapper, |call| {
    first_uuid(call.time(0)).cmp(&call.uuid(1)) as i32
});
bare_function!(timestamptz_cmp_as_uuid_wrapper, pg_finfo_timestamptz_cmp_as_uuid_wrapper, |call| {
    first_uuid(call.time(0)).cmp(&first_uuid(call.time(1))) as i32
});

// The comparisons that the families have beside the users' two.
bare_function!(uuid_le_timestamptz_as_uuid_wrapper, pg_finfo_uuid_le_timestamptz_as_uuid_wrapper, |call| call.uuid(0)
    <= first_uuid(call.time(1)));
bare_function!(uuid_eq_timestamptz_as_uuid_wrapper, pg_finfo_uuid_eq_timestamptz_as_uuid_wrapper, |call| call.uuid(0)
    == first_uuid(call.time(1)));
bare_function!(uuid_gt_timestamptz_as_uuid_wrapper, pg_finfo_uuid_gt_timestamptz_as_uuid_wrapper, |call| call.uuid(0)
    > first_uuid(call.time(1)));
bare_function!(timestamptz_as_uuid_lt_uuid_wrapper, pg_finfo_timestamptz_as_uuid_lt_uuid_wrapper, |call| first_uuid(
    call.time(0)
) < call
    .uuid(1));
bare_function!(timestamptz_as_uuid_eq_uuid_wrapper, pg_finfo_timestamptz_as_uuid_eq_uuid_wrapper, |call| first_uuid(
    call.time(0)
) == call
    .uuid(1));
bare_function!(timestamptz_as_uuid_ge_uuid_wrapper, pg_finfo_timestamptz_as_uuid_ge_uuid_wrapper, |call| first_uuid(
    call.time(0)
) >= call
    .uuid(1));
bare_function!(timestamptz_lt_as_uuid_wrapper, pg_finfo_timestamptz_lt_as_uuid_wrapper, |call| first_uuid(
    call.time(0)
) < first_uuid(
    call.time(1)
));
bare_function!(timestamptz_le_as_uuid_wrapper, pg_finfo_timestamptz_le_as_uuid_wrapper, |call| first_uuid(
    call.time(0)
) <= first_uuid(
    call.time(1)
));
bare_function!(timestamptz_eq_as_uuid_wrapper, pg_finfo_timestamptz_eq_as_uuid_wrapper, |call| first_uuid(
    call.time(0)
) == first_uuid(
    call.time(1)
));
bare_function!(timestamptz_ge_as_uuid_wrapper, pg_finfo_timestamptz_ge_as_uuid_wrapper, |call| first_uuid(
    call.time(0)
) >= first_uuid(
    call.time(1)
));
bare_function!(timestamptz_gt_as_uuid_wrapper, pg_finfo_timestamptz_gt_as_uuid_wrapper, |call| first_uuid(
    call.time(0)
) > first_uuid(
    call.time(1)
));

#[pg_extern(immutable, strict, parallel_safe, sql = false)]
fn uuid_contained_by_tstzrange(uuid: Uuid, period: Tstzrange) -> bool {
    range_contains(period, uuid)
}

#[pg_extern(immutable, strict, parallel_safe, sql = false)]
fn tstzrange_contains_uuid(period: Tstzrange, uuid: Uuid) -> bool {
    range_contains(period, uuid)
}

// Of a multirange, the operator's function in SQL asks an index for the range from its first to its last instant, and this function
// for the gaps.
bare_function!(uuid_in_tstzmultirange_wrapper, pg_finfo_uuid_in_tstzmultirange_wrapper, |call| {
    let uuid = Uuid(call.uuid(0));
    ranges_of_multirange(call.datum(1)).any(|range| range_contains(range, uuid))
});

/// What one of these functions says, in which order, and which of its two arguments is the UUID.
#[derive(Clone, Copy, Debug)]
struct Form {
    predicate: Predicate,
    order: Order,
    uuid_argument: usize,
}

impl Form {
    /// Of the function with this C symbol, if it is one of these.
    fn of_symbol(symbol: &str) -> Option<Form> {
        use Order::{Octets, Time};
        use Predicate::{Is, Within};

        let (predicate, order, uuid_argument) = match symbol {
            "uuid_lt_timestamptz_wrapper" => (Is(Side::Before), Octets, 0),
            "uuid_le_timestamptz_wrapper" => (Is(Side::Until), Octets, 0),
            "uuid_ge_timestamptz_wrapper" => (Is(Side::Since), Octets, 0),
            "uuid_gt_timestamptz_wrapper" => (Is(Side::After), Octets, 0),
            "timestamptz_gt_uuid_wrapper" => (Is(Side::Before), Octets, 1),
            "timestamptz_ge_uuid_wrapper" => (Is(Side::Until), Octets, 1),
            "timestamptz_le_uuid_wrapper" => (Is(Side::Since), Octets, 1),
            "timestamptz_lt_uuid_wrapper" => (Is(Side::After), Octets, 1),
            "uuid_contained_by_tstzrange_wrapper" => (Within, Octets, 0),
            "tstzrange_contains_uuid_wrapper" => (Within, Octets, 1),
            "uuid_time_lt_timestamptz_wrapper" => (Is(Side::Before), Time, 0),
            "uuid_time_ge_timestamptz_wrapper" => (Is(Side::Since), Time, 0),
            "timestamptz_gt_uuid_time_wrapper" => (Is(Side::Before), Time, 1),
            "timestamptz_le_uuid_time_wrapper" => (Is(Side::Since), Time, 1),
            _ => return None,
        };
        Some(Form { predicate, order, uuid_argument })
    }
}

/// The instant at which a range of time begins, as `id >= instant` says it: an exclusive bound's is the next one. That of a
/// range in which no UUID is, the empty one among them, is `infinity`: no UUID since then is until its end.
#[pg_extern(immutable, strict, parallel_safe, sql = false)]
fn uuid_tstzrange_start(period: Tstzrange) -> Timestamptz {
    match period.0 {
        _ if window_of_range(period).is_empty() => Timestamptz(i64::MAX),
        None => Timestamptz(i64::MAX),
        Some((Bound::Included(time), _)) => time,
        Some((Bound::Excluded(time), _)) => time.next(),
        Some((Bound::Unbounded, _)) => Timestamptz(i64::MIN),
    }
}

extension_sql_file!("../sql/time_predicates.sql", name = "time_predicates");
extension_sql_file!(
    "../sql/uuid_ops.sql",
    name = "uuid_ops",
    requires = ["time_predicates", "time_ops", members::uuid_ops_add_timestamptz]
);

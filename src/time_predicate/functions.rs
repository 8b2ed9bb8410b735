//! The functions in clauses that the planner support treats specially.

use pgrx::pg_sys;

use super::bound_functions;
use super::operators::{self, Order, Predicate, Side};
use crate::planner::catalog::{PlannerFunction, c_symbol};
use crate::planner::planned::Expression;
use crate::{inspect, time_ops};

/// What an operator's function tests, and which of its arguments is the UUID.
#[derive(Clone, Copy, Debug)]
pub struct OperatorFunction {
    pub predicate: Predicate,
    pub order: Order,
    pub uuid_argument: usize,
}

/// The functions of the operators that compare a UUID with a time or a range, each followed by that of the commutator.
const OPERATOR_FUNCTIONS: [(&str, &str, Predicate, Order); 7] = [
    (operators::uuid_lt_timestamptz, operators::timestamptz_gt_uuid, Predicate::Is(Side::Before), Order::Bytes),
    (operators::uuid_le_timestamptz, operators::timestamptz_ge_uuid, Predicate::Is(Side::Until), Order::Bytes),
    (operators::uuid_ge_timestamptz, operators::timestamptz_le_uuid, Predicate::Is(Side::Since), Order::Bytes),
    (operators::uuid_gt_timestamptz, operators::timestamptz_lt_uuid, Predicate::Is(Side::After), Order::Bytes),
    (uuid_contained_by_tstzrange, tstzrange_contains_uuid, Predicate::Within, Order::Bytes),
    (time_ops::uuid_time_lt_timestamptz, time_ops::timestamptz_gt_uuid_time, Predicate::Is(Side::Before), Order::Time),
    (time_ops::uuid_time_ge_timestamptz, time_ops::timestamptz_le_uuid_time, Predicate::Is(Side::Since), Order::Time),
];

impl OperatorFunction {
    pub fn from_oid(function: pg_sys::Oid) -> Option<OperatorFunction> {
        let symbol = c_symbol(function)?;
        OPERATOR_FUNCTIONS.iter().find_map(|&(uuid_first, time_first, predicate, order)| {
            let uuid_argument = [uuid_first, time_first].iter().position(|function| *function == &*symbol)?;
            Some(OperatorFunction { predicate, order, uuid_argument })
        })
    }

    /// Returns the UUID that the function compares and, without binary-coercible casts, the time or the range.
    pub fn operands<'plan>(self, arguments: &[Expression<'plan>]) -> Option<(Expression<'plan>, Expression<'plan>)> {
        let time = arguments.get(1 - self.uuid_argument)?.unrelabelled();
        Some((*arguments.get(self.uuid_argument)?, time))
    }
}

/// A function that reads the time from a UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeFunction {
    /// A function of the extension that reads the time of version 7 only.
    OfVersion7,
    /// A function that reads the time of several versions, that of version 7 to the millisecond.
    OfSeveral,
    /// A function that reads the time of several versions, that of version 7 to the microsecond.
    Microseconds,
}

/// The OID of PostgreSQL's own `uuid_extract_timestamp`, fixed in pg_proc.dat. For version 7, the result is null in PostgreSQL
/// 17, and the time from PostgreSQL 18 on.
pub const CORE_TIME: pg_sys::Oid = pg_sys::Oid::from_u32(6342);

pub fn time_function(function: pg_sys::Oid) -> Option<TimeFunction> {
    if cfg!(core_extracts_v7) && function == CORE_TIME {
        return Some(TimeFunction::OfSeveral);
    }
    match &*c_symbol(function)? {
        inspect::uuidv7_time => Some(TimeFunction::OfVersion7),
        inspect::uuid_extract_time | inspect::uuid_extract_timestamp => Some(TimeFunction::OfSeveral),
        inspect::uuid_extract_time_us => Some(TimeFunction::Microseconds),
        _ => None,
    }
}

pub fn is_version_function(function: pg_sys::Oid) -> bool {
    /// The OID of PostgreSQL's own `uuid_extract_version` (from PostgreSQL 17 on), fixed in pg_proc.dat.
    const UUID_EXTRACT_VERSION: pg_sys::Oid = pg_sys::Oid::from_u32(6343);

    function == UUID_EXTRACT_VERSION || c_symbol(function).as_deref() == Some(inspect::uuid_extract_version)
}

/// Defines a constant with the C symbol of each function, under the function's name, for functions with `#[pg_extern]`.
macro_rules! symbols {
    ($($parent:ident::$module:ident: $($name:ident),*;)*) => {
        $($(#[allow(non_upper_case_globals)]
        pub const $name: &str = {
            let _ = $parent::$module::$name;
            concat!(stringify!($name), "_wrapper")
        };)*)*
    };
}

symbols! {
    crate::seal: uuid_seal, uuid_seal_by_key, uuid_unseal, uuid_unseal_by_key;
    crate::text: uuid_encode, typeid_encode, typeid_decode_or_null;
    super::operators: uuid_contained_by_tstzrange, tstzrange_contains_uuid;
    super::bound_functions: uuidv7_lower_bound, uuid_tstzrange_end, uuid_tstzrange_start, uuid_time_from, uuid_time_span;
    super::time_bound: uuid_time_bound;
}

macro_rules! planner_functions {
    ($($constant:ident $name:literal ($($argument:ident),*) -> $result:ident = $symbol:expr;)*) => {
        impl PlannerFunction {
            $(pub const $constant: PlannerFunction = PlannerFunction {
                name: $name,
                symbol: $symbol,
                arguments: &[$(pg_sys::$argument),*],
                result: pg_sys::$result,
            };)*
        }
    };
}

planner_functions! {
    LOWER_BOUND c"uuidv7_lower_bound" (TIMESTAMPTZOID) -> UUIDOID = uuidv7_lower_bound;
    BOUND c"uuid_time_bound" (TEXTOID, TEXTOID, ANYNONARRAYOID, ANYCOMPATIBLENONARRAYOID, TEXTOID) -> TIMESTAMPTZOID = uuid_time_bound;
    END_OF_RANGE c"uuid_tstzrange_end" (TSTZRANGEOID) -> UUIDOID = uuid_tstzrange_end;
    START_OF_RANGE c"uuid_tstzrange_start" (TSTZRANGEOID) -> TIMESTAMPTZOID = uuid_tstzrange_start;
    NEXT c"uuid_time_next" (TIMESTAMPTZOID) -> TIMESTAMPTZOID = time_ops::uuid_time_next;
    TIME_OF_VERSION_7 c"uuidv7_time" (UUIDOID) -> TIMESTAMPTZOID = inspect::uuidv7_time;
    TIME c"uuid_time_from" (ANYNONARRAYOID) -> TIMESTAMPTZOID = uuid_time_from;
    TIME_SPAN c"uuid_time_span" (ANYARRAYOID) -> TSTZRANGEOID = uuid_time_span;
    RECHECK c"uuid_recheck" (BOOLOID) -> BOOLOID = bound_functions::uuid_recheck;
    VERSION c"uuid_extract_version" (UUIDOID) -> INT2OID = inspect::uuid_extract_version;
    UNSEAL c"uuid_unseal" (UUIDOID) -> UUIDOID = uuid_unseal;
    UNSEAL_BY_KEY c"uuid_unseal" (UUIDOID, BYTEAOID) -> UUIDOID = uuid_unseal_by_key;
    TYPEID_DECODE c"typeid_decode_or_null" (TEXTOID, TEXTOID) -> UUIDOID = typeid_decode_or_null;
}

/// Returns the argument of a call of [`PlannerFunction::RECHECK`], and any other clause unchanged.
pub fn without_recheck(clause: Expression<'_>) -> Expression<'_> {
    let call = clause.function().filter(|call| PlannerFunction::RECHECK.is(call.callee));
    call.and_then(|call| call.arguments.first().copied()).unwrap_or(clause)
}

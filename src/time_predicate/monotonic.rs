//! Finds the window of time that is selected by comparing a monotonic function of the time with a value.
//!
//! ```text
//! uuidv7_time(id)::date = d       id >= uuid_time_bound('>=', 'date', d, ...) AND id < uuid_time_bound('<=', 'date', d, ...)
//!                                 AND uuid_recheck(itself), or only itself in a join (see [`super::join`])
//! ```
//!
//! The window may be too wide, because the clause is rechecked, but must not be too narrow. Its ends are calls of
//! [`uuid_time_bound`](super::time_bound).

use pgrx::pg_sys;

use super::operators::{Predicate, Side};
use super::parser::Parser;
use super::time_bound::{DAY, PARTS, SIDES, Zone, parts_of, unit_named};
use super::time_call::TimeCall;
use crate::planner::catalog::{PlannerFunction, is_deterministic};
use crate::planner::expression::{Call, call_of, text_constant};
use crate::planner::planned::Expression;

/// The functions of PostgreSQL whose results are monotonic functions of a time. For each, the rule that says how the result
/// depends on the time ([`first_times`](super::time_bound)), and the positions of the arguments: the time, the argument of the
/// rule, and the zone.
///
/// The functions of a `timestamptz` without a zone argument use the session's zone. The functions of a `timestamp`, here the local
/// time of a `timestamptz` in a zone, have the same rules.
const FUNCTIONS: [(u32, &str, usize, [Option<usize>; 2]); 19] = [
    (pg_sys::F_TIMESTAMP_TIMESTAMPTZ, "timestamp", 0, [None, None]),
    (pg_sys::F_TIMEZONE_TEXT_TIMESTAMPTZ, "timestamp", 1, [None, Some(0)]),
    (pg_sys::F_DATE_TIMESTAMPTZ, "date", 0, [None, None]),
    (pg_sys::F_DATE_TIMESTAMP, "date", 0, [None, None]),
    (pg_sys::F_DATE_TRUNC_TEXT_TIMESTAMPTZ, "date_trunc", 1, [Some(0), None]),
    (pg_sys::F_DATE_TRUNC_TEXT_TIMESTAMPTZ_TEXT, "date_trunc", 1, [Some(0), Some(2)]),
    (pg_sys::F_DATE_TRUNC_TEXT_TIMESTAMP, "date_trunc", 1, [Some(0), None]),
    (pg_sys::F_DATE_BIN_INTERVAL_TIMESTAMPTZ_TIMESTAMPTZ, "date_bin", 1, [Some(0), None]),
    (pg_sys::F_DATE_BIN_INTERVAL_TIMESTAMP_TIMESTAMP, "date_bin", 1, [Some(0), None]),
    (pg_sys::F_EXTRACT_TEXT_TIMESTAMPTZ, "extract", 1, [Some(0), None]),
    (pg_sys::F_EXTRACT_TEXT_TIMESTAMP, "extract", 1, [Some(0), None]),
    (pg_sys::F_DATE_PART_TEXT_TIMESTAMPTZ, "extract", 1, [Some(0), None]),
    (pg_sys::F_DATE_PART_TEXT_TIMESTAMP, "extract", 1, [Some(0), None]),
    (pg_sys::F_TO_CHAR_TIMESTAMPTZ_TEXT, "to_char", 0, [Some(1), None]),
    (pg_sys::F_TO_CHAR_TIMESTAMP_TEXT, "to_char", 0, [Some(1), None]),
    (pg_sys::F_TIMESTAMPTZ_PL_INTERVAL, "plus", 0, [Some(1), None]),
    (pg_sys::F_TIMESTAMPTZ_MI_INTERVAL, "minus", 0, [Some(1), None]),
    (pg_sys::F_TIMESTAMPTZ_MI, "since", 0, [Some(1), None]),
    (pg_sys::F_TIMESTAMPTZ_MI, "until", 1, [Some(0), None]),
];

/// A call of one of [`FUNCTIONS`] with the time of a UUID.
pub struct MonotonicCall<'plan> {
    pub time: TimeCall<'plan>,
    rule: &'static str,
    pub argument: Expression<'plan>,
    zone: Expression<'plan>,
}

/// A comparison of such a call with a value.
pub struct MonotonicComparison<'plan> {
    pub call: MonotonicCall<'plan>,
    predicate: Predicate,
    pub value: Expression<'plan>,
}

impl<'plan> Parser<'plan> {
    pub fn monotonic_call(&self, result: Expression<'plan>) -> Option<MonotonicCall<'plan>> {
        let Call { function, arguments, .. } = result.operator_or_function()?;
        let of = |function: pg_sys::Oid| FUNCTIONS.iter().filter(move |(of, ..)| *of == function.to_u32());
        if of(function).next().is_none() || self.own_expressions().iter().any(|own| own.equals(result)) {
            return None;
        }
        let at = |arguments: &[Expression<'plan>], position: Option<usize>| match position {
            Some(position) => arguments.get(position).copied(),
            None => Some(text_constant("")),
        };
        let (time, rule, argument, zone, is_instant) = of(function).find_map(|(_, rule, time, [argument, zone])| {
            let (operand, argument) = (*arguments.get(*time)?, at(arguments, *argument)?);
            if let Some(time) = self.time_call(operand) {
                return Some((time, *rule, argument, at(arguments, *zone)?, true));
            }
            let Call { function, arguments: inner, .. } = operand.operator_or_function()?;
            let (_, _, time, [_, zone]) = of(function).find(|(_, rule, ..)| *rule == "timestamp")?;
            Some((self.time_call(*inner.get(*time)?)?, *rule, argument, at(inner, *zone)?, false))
        })?;
        // The zone must be the session's, or a constant: `UTC` or a name with a slash.
        let name = zone.text()?;
        if !name.is_empty() && (Zone::new(&name).is_none() || !(name.contains('/') || name == "UTC")) {
            return None;
        }
        let is_known = match (rule, argument.text()) {
            ("date_trunc", unit) => unit_named(&unit?).is_some(),
            // `extract(epoch FROM ...)` of a local time ignores the zone.
            ("extract", field) => field.is_some_and(|field| field == "year" || field == "epoch" && is_instant),
            ("to_char", format) => parts_of(&format?).is_some(),
            _ => argument.is_repeatable(),
        };
        is_known.then_some(MonotonicCall { time, rule, argument, zone })
    }
}

impl<'plan> MonotonicCall<'plan> {
    /// Parses a comparison of the call, which is the right argument if `is_mirrored`, with a value.
    pub fn parse_comparison(
        self,
        comparison: Call<'plan>,
        value: Expression<'plan>,
        is_mirrored: bool,
    ) -> Option<MonotonicComparison<'plan>> {
        let own = comparison.arguments[usize::from(is_mirrored)].type_oid();
        let (predicate, others) = Predicate::from_operator(comparison.callee, own, is_mirrored)?;
        let predicate = if self.rule == "until" { predicate.mirrored() } else { predicate };
        let is_of_text = self.rule == "to_char";
        if is_of_text && !(predicate == Predicate::Equal && is_deterministic(comparison.collation)) {
            return None;
        }
        let is_of_clock = [pg_sys::DATEOID, pg_sys::TIMESTAMPOID].contains(&others);
        let value = match own {
            own if own == others => value,
            pg_sys::TIMESTAMPTZOID if is_of_clock => call_of(PlannerFunction::TIME, &[value])?,
            _ if is_of_clock => value,
            _ => return None,
        };
        value.is_repeatable().then_some(MonotonicComparison { call: self, predicate, value })
    }
}

impl<'plan> MonotonicComparison<'plan> {
    /// Returns the length of the window, in microseconds with months of 30 days, if it is the same for each value.
    pub fn window_length(&self) -> Option<i64> {
        let argument = self.call.argument.text()?;
        let unit = match self.call.rule {
            "date" => "day",
            "date_trunc" => &*argument,
            "extract" if argument == "year" => "year",
            "to_char" => PARTS[parts_of(&argument)? - 1].3,
            _ => return None,
        };
        let (months, micros) = unit_named(unit).filter(|_| self.predicate == Predicate::Equal)?;
        Some(i64::from(months) * 30 * DAY + micros)
    }

    /// Returns the comparisons of the time that the clause requires: with the start of the window, with its end, or with both.
    pub fn ends(&self) -> Option<Vec<(Predicate, Expression<'plan>)>> {
        let end = |side: Side| {
            let (_, symbol) = SIDES.iter().find(|(known, _)| *known == side)?;
            let (names, call) = ([symbol, self.call.rule].map(text_constant), &self.call);
            let arguments =
                [names[0], names[1], self.value.deep_copy(), call.argument.deep_copy(), call.zone.deep_copy()];
            let end = call_of(PlannerFunction::BOUND, &arguments)?;
            Some((Predicate::Is(if side.is_lower() { Side::Since } else { Side::Before }), end))
        };
        self.predicate.sides().into_iter().map(end).collect()
    }
}

//! Monotonic functions of a time. A comparison with the result of such a function selects a window of time.
//!
//! ```text
//! uuidv7_time(id)::date = d       id >= uuid_time_bound('>=', 'date', d, ...) AND id < uuid_time_bound('<=', 'date', d, ...)
//!                                 AND uuid_recheck(the same)
//! ```
//!
//! The window may be too wide, but never too narrow, because the clause is rechecked. Its ends are computed from the first time at
//! which the function's result is at least the value ([`Edge::From`]) or greater ([`Edge::After`]); each function has a line in
//! [`Rule::local`] or [`Rule::instants`]. A local time is converted to instants with the least and the greatest offset of the zone
//! within two days, so that nonexistent midnights, and repeated hours or days, need no special treatment.

// Values are clamped before they are cast, and the C type of an offset differs between systems.
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::useless_conversion)]

use std::ffi::CString;

use pgrx::datum::AnyElement;
use pgrx::prelude::*;
use pgrx::{direct_function_call, pg_sys};

use super::Side;
use super::catalog::{PlannerFunction, btree_operator};
use super::clause::Comparison;
use super::expression::{Expression, call_of, text_constant};
use super::rewriter::Rewriter;
use super::time_call::TimeCall;
use crate::datum::{Text, Timestamptz};

const DAY: i64 = 86_400_000_000;
const HOUR: i64 = DAY / 24;

/// A function of a time. Its name is the first argument of `uuid_time_bound`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    /// `t::timestamp`, `t AT TIME ZONE zone`
    Timestamp,
    /// `t::date`
    Date,
    /// `date_trunc(unit, t)`
    Truncated,
    /// `date_bin(stride, t, origin)`
    Binned,
    /// `extract(year FROM t)`, `extract(epoch FROM t)`
    Extracted,
    /// `to_char(t, 'YYYY-MM')`
    Formatted,
    /// `t + interval`
    Plus,
    /// `t - interval`
    Minus,
    /// `t - origin`
    Since,
    /// `origin - t`, which is descending.
    Until,
}

const NAMES: [(Rule, &str); 10] = [
    (Rule::Timestamp, "timestamp"),
    (Rule::Date, "date"),
    (Rule::Truncated, "date_trunc"),
    (Rule::Binned, "date_bin"),
    (Rule::Extracted, "extract"),
    (Rule::Formatted, "to_char"),
    (Rule::Plus, "plus"),
    (Rule::Minus, "minus"),
    (Rule::Since, "since"),
    (Rule::Until, "until"),
];

/// A function of PostgreSQL, and the positions of its arguments: the time, the argument of the rule, and the zone.
type Wrapper = (u32, Rule, usize, Option<usize>, Option<usize>);

/// The functions of a `timestamptz`. Without a zone argument, they use the session's zone.
const OF_TIMESTAMPTZ: [Wrapper; 13] = [
    (pg_sys::F_TIMESTAMP_TIMESTAMPTZ, Rule::Timestamp, 0, None, None),
    (pg_sys::F_TIMEZONE_TEXT_TIMESTAMPTZ, Rule::Timestamp, 1, None, Some(0)),
    (pg_sys::F_DATE_TIMESTAMPTZ, Rule::Date, 0, None, None),
    (pg_sys::F_DATE_TRUNC_TEXT_TIMESTAMPTZ, Rule::Truncated, 1, Some(0), None),
    (pg_sys::F_DATE_TRUNC_TEXT_TIMESTAMPTZ_TEXT, Rule::Truncated, 1, Some(0), Some(2)),
    (pg_sys::F_DATE_BIN_INTERVAL_TIMESTAMPTZ_TIMESTAMPTZ, Rule::Binned, 1, Some(0), None),
    (pg_sys::F_EXTRACT_TEXT_TIMESTAMPTZ, Rule::Extracted, 1, Some(0), None),
    (pg_sys::F_DATE_PART_TEXT_TIMESTAMPTZ, Rule::Extracted, 1, Some(0), None),
    (pg_sys::F_TO_CHAR_TIMESTAMPTZ_TEXT, Rule::Formatted, 0, Some(1), None),
    (pg_sys::F_TIMESTAMPTZ_PL_INTERVAL, Rule::Plus, 0, Some(1), None),
    (pg_sys::F_TIMESTAMPTZ_MI_INTERVAL, Rule::Minus, 0, Some(1), None),
    (pg_sys::F_TIMESTAMPTZ_MI, Rule::Since, 0, Some(1), None),
    (pg_sys::F_TIMESTAMPTZ_MI, Rule::Until, 1, Some(0), None),
];

/// The functions of a `timestamp`, which is a local time in a zone.
const OF_TIMESTAMP: [Wrapper; 6] = [
    (pg_sys::F_DATE_TIMESTAMP, Rule::Date, 0, None, None),
    (pg_sys::F_DATE_TRUNC_TEXT_TIMESTAMP, Rule::Truncated, 1, Some(0), None),
    (pg_sys::F_DATE_BIN_INTERVAL_TIMESTAMP_TIMESTAMP, Rule::Binned, 1, Some(0), None),
    (pg_sys::F_EXTRACT_TEXT_TIMESTAMP, Rule::Extracted, 1, Some(0), None),
    (pg_sys::F_DATE_PART_TEXT_TIMESTAMP, Rule::Extracted, 1, Some(0), None),
    (pg_sys::F_TO_CHAR_TIMESTAMP_TEXT, Rule::Formatted, 0, Some(1), None),
];

/// The units of `date_trunc`, each as months and microseconds.
const UNITS: [(&str, i64, i64); 12] = [
    ("microseconds", 0, 1),
    ("milliseconds", 0, 1000),
    ("second", 0, 1_000_000),
    ("minute", 0, 60_000_000),
    ("hour", 0, HOUR),
    ("day", 0, DAY),
    ("week", 0, 7 * DAY),
    ("month", 1, 0),
    ("quarter", 3, 0),
    ("year", 12, 0),
    ("decade", 120, 0),
    ("century", 1200, 0),
];

/// A comparison with the result of a function of a UUID's time.
pub struct Wrapped<'plan> {
    pub time: TimeCall<'plan>,
    rule: Rule,
    pub comparison: Comparison,
    pub value: Expression<'plan>,
    argument: Option<Expression<'plan>>,
    zone: Expression<'plan>,
}

impl<'plan> Rewriter<'plan> {
    /// Parses a comparison with the result of such a function on either side.
    pub fn wrapped(
        &self,
        operator: pg_sys::Oid,
        left: Expression<'plan>,
        right: Expression<'plan>,
    ) -> Option<Wrapped<'plan>> {
        self.wrapped_on(operator, left, right, false).or_else(|| self.wrapped_on(operator, right, left, true))
    }

    fn wrapped_on(
        &self,
        operator: pg_sys::Oid,
        made: Expression<'plan>,
        value: Expression<'plan>,
        is_mirrored: bool,
    ) -> Option<Wrapped<'plan>> {
        let (function, arguments) = made.called()?;
        let of = |wrappers: &'static [Wrapper]| wrappers.iter().filter(move |wrapper| wrapper.0 == function);
        let is_wrapper = of(&OF_TIMESTAMPTZ).chain(of(&OF_TIMESTAMP)).next().is_some();
        if !is_wrapper || self.own_expressions().iter().any(|own| own.equals(made)) {
            return None;
        }
        let (time, rule, argument, zone, is_instant) = of(&OF_TIMESTAMPTZ)
            .find_map(|(_, rule, time, argument, zone)| {
                let time = self.time_call(*arguments.get(*time)?)?;
                Some((time, *rule, *argument, zone.map(|zone| arguments.get(zone)), true))
            })
            .or_else(|| {
                let (_, rule, time, argument, _) = of(&OF_TIMESTAMP).next()?;
                let (function, inner) = arguments.get(*time)?.called()?;
                let is_local = |wrapper: &&Wrapper| wrapper.0 == function && wrapper.1 == Rule::Timestamp;
                let (_, _, time, _, zone) = OF_TIMESTAMPTZ.iter().find(is_local)?;
                let time = self.time_call(*inner.get(*time)?)?;
                Some((time, *rule, *argument, zone.map(|zone| inner.get(zone)), false))
            })?;
        // The name of the zone must be a constant.
        let zone = match zone {
            None => text_constant(""),
            Some(zone) => *zone?,
        };
        let argument = match argument {
            None => None,
            Some(argument) => Some(*arguments.get(argument)?),
        };
        let name = zone.text()?;
        if !name.is_empty() && (Zone::new(&name).is_none() || !(name.contains('/') || name == "UTC")) {
            return None;
        }
        let is_known = match (rule, argument.and_then(|argument| argument.text())) {
            (Rule::Truncated, unit) => unit_named(&unit?).is_some(),
            // `extract(epoch FROM ...)` of a local time differs.
            (Rule::Extracted, field) => field.is_some_and(|field| field == "year" || field == "epoch" && is_instant),
            (Rule::Formatted, format) => parsed("", &format?).is_some(),
            _ => argument.is_none_or(|argument| argument.is_repeatable()),
        };
        let (strategy, others) = btree_operator(operator, made.type_oid(), is_mirrored)?;
        let comparison = match Comparison::from_strategy(strategy)? {
            Comparison::Side(side) if is_mirrored != (rule == Rule::Until) => Comparison::Side(side.mirrored()),
            comparison => comparison,
        };
        let is_of_equality = rule != Rule::Formatted || matches!(comparison, Comparison::Equal);
        let is_of_clock = [pg_sys::DATEOID, pg_sys::TIMESTAMPOID].contains(&others);
        let value = match made.type_oid() {
            own if own == others => value,
            pg_sys::TIMESTAMPTZOID if is_of_clock => call_of(PlannerFunction::TIME, time.function, &[value])?,
            _ if is_of_clock => value,
            _ => return None,
        };
        (is_known && is_of_equality && value.is_repeatable()).then_some(Wrapped {
            time,
            rule,
            comparison,
            value,
            argument,
            zone,
        })
    }
}

impl<'plan> Wrapped<'plan> {
    /// Returns the bound on the time for a result on this side of the value.
    pub fn bound(&self, side: Side) -> Option<Expression<'plan>> {
        let symbol = SIDES.iter().find(|(own, _)| *own == side)?.1;
        let rule = NAMES.iter().find(|(own, _)| *own == self.rule)?.1;
        let argument = self.argument.map_or_else(|| text_constant(""), Expression::copied);
        let arguments = [text_constant(symbol), text_constant(rule), self.value.copied(), argument, self.zone.copied()];
        call_of(PlannerFunction::BOUND, self.time.function, &arguments)
    }
}

const SIDES: [(Side, &str); 4] = [(Side::Before, "<"), (Side::Until, "<="), (Side::Since, ">="), (Side::After, ">")];

/// An end of a window of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Edge {
    /// The first time for which the function's result is the value or greater.
    From,
    /// The first time for which the result is greater.
    After,
}

/// Returns a bound on the times for which the comparison of a function's result with a value is true.
#[pg_extern(sql = false)]
fn uuid_time_bound(
    side: Text<'_>,
    rule: Text<'_>,
    value: AnyElement,
    argument: AnyElement,
    zone: Text<'_>,
    call: pg_sys::FunctionCallInfo,
) -> Timestamptz {
    if let Some(bound) = remembered(call) {
        return bound;
    }
    let symbol = side.label();
    let (edge, is_lower) = match &*symbol {
        "<" => (Edge::From, false),
        "<=" => (Edge::After, false),
        ">=" => (Edge::From, true),
        _ => (Edge::After, true),
    };
    let edges = || {
        let (rule, _) = NAMES.iter().find(|(_, name)| *name == rule.label())?;
        let zone = Zone::new(&zone.label())?;
        let value = Value::read(&value)?;
        let argument = Value::read(&argument)?;
        match rule.local(edge, &value, &argument, &zone) {
            Some((from, to)) => Some((zone.instants(from)?.0, zone.instants(to)?.1)),
            None => rule.instants(edge, &value, &argument, &zone),
        }
    };
    let bound = Timestamptz(match edges() {
        Some((first, last)) => {
            if is_lower {
                first
            } else {
                last
            }
        }
        None => {
            if is_lower {
                i64::MIN
            } else {
                i64::MAX
            }
        }
    });
    remember(call, bound);
    bound
}

/// The result for constant arguments, with the session's zone at that time, stored because a sequential scan calls the function
/// for each row.
struct Remembered {
    zone: *mut pg_sys::pg_tz,
    bound: Timestamptz,
}

#[allow(unsafe_code)]
fn remembered(call: pg_sys::FunctionCallInfo) -> Option<Timestamptz> {
    // SAFETY: PostgreSQL makes the call; `fn_extra` is null or was set by `remember`.
    let (found, zone) =
        unsafe { ((*(*call).flinfo).fn_extra.cast::<Remembered>().as_ref()?, pg_sys::session_timezone) };
    (found.zone == zone).then_some(found.bound)
}

#[allow(unsafe_code)]
fn remember(call: pg_sys::FunctionCallInfo, bound: Timestamptz) {
    // SAFETY: PostgreSQL makes the call. The memory exists as long as the reference to it.
    unsafe {
        let info = (*call).flinfo;
        if (0..5).all(|argument| pg_sys::get_fn_expr_arg_stable(info, argument)) {
            if (*info).fn_extra.is_null() {
                (*info).fn_extra = pg_sys::MemoryContextAlloc((*info).fn_mcxt, size_of::<Remembered>());
            }
            (*info).fn_extra.cast::<Remembered>().write(Remembered { zone: pg_sys::session_timezone, bound });
        }
    }
}

impl Rule {
    /// Returns the least and the greatest local time of an edge, or `None` if the rule does not depend on the local time.
    fn local(self, edge: Edge, value: &Value, argument: &Value, zone: &Zone) -> Option<(i64, i64)> {
        let after = i64::from(edge == Edge::After);
        let at = |local: i64| Some((local, local));
        match (self, value, argument) {
            (Rule::Timestamp, Value::Local(local), _) => at(local + after),
            (Rule::Date, Value::Local(local), _) => {
                let day = local.div_euclid(DAY);
                let is_within = local.rem_euclid(DAY) > 0;
                at((day + i64::from(edge == Edge::After || is_within)) * DAY)
            }
            (Rule::Truncated, value, Value::Text(unit)) => {
                let (months, micros) = unit_named(unit)?;
                let (from, to) = match value {
                    Value::Local(local) => (*local, *local),
                    // The fraction that was truncated is less than an hour.
                    Value::Instant(_) if (1..=HOUR).contains(&micros) => return None,
                    Value::Instant(instant) => {
                        let (least, greatest) = zone.offsets(*instant, *instant)?;
                        (instant + least, instant + greatest)
                    }
                    _ => return None,
                };
                let edge = |local: i64| {
                    let start = truncated(local, months, micros);
                    let is_edge = edge == Edge::From && start == local;
                    if is_edge { local } else { plus_months(start, months).saturating_add(micros) }
                };
                Some((edge(from), edge(to)))
            }
            (Rule::Binned, Value::Local(local), Value::Interval(stride)) => {
                Some((*local, local + stride.at_most()? + 1))
            }
            (Rule::Extracted, Value::Number(year), Value::Text(field)) if field == "year" => {
                let year = if edge == Edge::From { year.ceil() } else { year.floor() + 1.0 };
                at(start_of_month(year.clamp(1.0, 20_000.0) as i64, 0) * DAY)
            }
            (Rule::Formatted, Value::Text(text), Value::Text(format)) => {
                let (from, to) = parsed(text, format)??;
                at(if edge == Edge::From { from } else { to })
            }
            _ => None,
        }
    }

    /// Returns the least and the greatest instant of an edge.
    fn instants(self, edge: Edge, value: &Value, argument: &Value, zone: &Zone) -> Option<(i64, i64)> {
        let after = i64::from(edge == Edge::After);
        match (self, value, argument) {
            (Rule::Truncated, Value::Instant(instant), Value::Text(unit)) => {
                Some((*instant, instant + unit_named(unit)?.1))
            }
            (Rule::Binned, Value::Instant(instant), Value::Interval(stride)) => {
                Some((*instant, instant + stride.at_most()? + 1))
            }
            (Rule::Extracted, Value::Number(seconds), Value::Text(_)) => {
                // The error of a float8 is less than a microsecond.
                let micros = (seconds - UNIX_TO_POSTGRES_SECONDS as f64).clamp(-6e10, 3.4e11) * 1e6;
                Some((micros.floor() as i64 - 100, micros.ceil() as i64 + 100))
            }
            (Rule::Since | Rule::Until, Value::Interval(span), Value::Instant(other)) if is_unclamped(*other) => {
                let span = if self == Rule::Until { -span.compared() } else { span.compared() };
                let instant = clamped(i128::from(*other) + span) + after;
                Some((instant, instant))
            }
            (Rule::Plus | Rule::Minus, Value::Instant(result), Value::Interval(shift)) if is_unclamped(*result) => {
                let sign = if self == Rule::Plus { -1 } else { 1 };
                let (months, days) = (sign * i64::from(shift.0.month), sign * i64::from(shift.0.day));
                let micros = i128::from(sign) * i128::from(shift.0.time);
                if shift.0.month.unsigned_abs() > 12_000 || shift.0.day.unsigned_abs() > 4_000_000 {
                    return None;
                }
                let without = clamped(i128::from(*result) + micros);
                let instant = clamped(i128::from(plus_months(without, months)) + i128::from(days) * i128::from(DAY));
                if (months, days) == (0, 0) {
                    return Some((instant + after, instant + after));
                }
                // Each step may change the offset, and the day may be reduced to the end of the month.
                let (least, greatest) = zone.offsets(instant.min(without) - 4 * DAY, instant.max(without) + 4 * DAY)?;
                let slack = 2 * (greatest - least) + if months == 0 { 0 } else { 4 * DAY };
                Some((instant + after - slack, instant + after + slack))
            }
            _ => None,
        }
    }
}

/// The difference between the epochs of PostgreSQL and Unix.
const UNIX_TO_POSTGRES_SECONDS: i64 = 946_684_800;

/// A value that is compared with a time or added to it.
enum Value {
    /// A `date` or a `timestamp`.
    Local(i64),
    Instant(i64),
    /// Not NaN.
    Number(f64),
    Text(String),
    Interval(Span),
}

struct Span(pg_sys::Interval);

impl Span {
    /// Returns the interval's length as in PostgreSQL's comparison of intervals, with months of 30 days.
    fn compared(&self) -> i128 {
        let days = i128::from(self.0.month) * 30 + i128::from(self.0.day);
        days * i128::from(DAY) + i128::from(self.0.time)
    }

    /// Returns the interval's length in microseconds, if it has no months.
    fn at_most(&self) -> Option<i64> {
        i64::try_from(self.compared()).ok().filter(|length| self.0.month == 0 && (0..=YEARS_TO * DAY).contains(length))
    }
}

/// The years 83 to 12951, in days since 2000. They exceed the range of version 7, but not that of a `timestamptz`.
const YEARS_FROM: i64 = -700_000;
const YEARS_TO: i64 = 4_000_000;

fn clamped(micros: i128) -> i64 {
    micros.clamp(i128::from(YEARS_FROM * DAY), i128::from(YEARS_TO * DAY)) as i64
}

/// Whether this is not the result of clamping, from which an interval would lead to another time.
fn is_unclamped(micros: i64) -> bool {
    YEARS_FROM * DAY < micros && micros < YEARS_TO * DAY
}

impl Value {
    #[allow(unsafe_code)]
    fn read(value: &AnyElement) -> Option<Value> {
        let datum = value.datum();
        let whole = datum.value().cast_signed() as i64;
        let read = match value.oid() {
            pg_sys::DATEOID => Value::Local(clamped(i128::from(whole as i32) * i128::from(DAY))),
            pg_sys::TIMESTAMPOID => Value::Local(clamped(whole.into())),
            pg_sys::TIMESTAMPTZOID => Value::Instant(clamped(whole.into())),
            // SAFETY: the datum is of this type, according to the expression of the call.
            pg_sys::FLOAT8OID => Value::Number(unsafe { value.into::<f64>()? }),
            // SAFETY: likewise.
            pg_sys::NUMERICOID => Value::Number(unsafe {
                direct_function_call::<f64>(pg_sys::numeric_float8_no_overflow, &[Some(datum)])?
            }),
            // SAFETY: likewise.
            pg_sys::TEXTOID => {
                // SAFETY: likewise. Units, formats and formatted texts are short.
                let text = unsafe { value.into::<&[u8]>()? };
                Value::Text(str::from_utf8(text).ok().filter(|text| text.len() < 64)?.to_owned())
            }
            // SAFETY: likewise; an interval is passed by reference.
            pg_sys::INTERVALOID => Value::Interval(Span(unsafe { *datum.cast_mut_ptr::<pg_sys::Interval>() })),
            _ => return None,
        };
        Some(read).filter(|read| !matches!(read, Value::Number(number) if number.is_nan()))
    }
}

struct Zone(*mut pg_sys::pg_tz);

#[allow(unsafe_code)]
impl Zone {
    /// Returns the zone of this name, or the session's zone if there is no name.
    fn new(name: &str) -> Option<Zone> {
        let text = CString::new(name).ok()?;
        // SAFETY: PostgreSQL's zones exist as long as the backend; null means that there is no such zone.
        let zone = unsafe { if name.is_empty() { pg_sys::session_timezone } else { pg_sys::pg_tzset(text.as_ptr()) } };
        (!zone.is_null()).then_some(Zone(zone))
    }

    /// Returns the least and the greatest offset within two days of these instants.
    fn offsets(&self, from: i64, to: i64) -> Option<(i64, i64)> {
        /// More than the number of changes of the offset in any year.
        const CHANGES: usize = 200;

        let seconds = |micros: i64| micros.div_euclid(1_000_000) + UNIX_TO_POSTGRES_SECONDS;
        let (mut at, end) = (seconds(from - 2 * DAY), seconds(to + 2 * DAY));
        let (mut least, mut greatest) = (i64::MAX, i64::MIN);
        for _ in 0..CHANGES {
            let (mut before, mut after, mut change, mut is_summer) = (0, 0, 0, [0, 0]);
            // SAFETY: the function writes to these variables and reads the zone.
            let found = unsafe {
                let [one, other] = &mut is_summer;
                pg_sys::pg_next_dst_boundary(&at, &mut before, one, &mut change, &mut after, other, self.0)
            };
            let ends_here = found <= 0 || change > end;
            for offset in if ends_here { vec![before] } else { vec![before, after] } {
                let micros = i64::from(offset) * 1_000_000;
                (least, greatest) = (least.min(micros), greatest.max(micros));
            }
            if found < 0 {
                return None;
            }
            if ends_here {
                return Some((least, greatest));
            }
            at = change;
        }
        None
    }

    /// Returns the first and the last instant at which the local time can be this one, or can skip it.
    fn instants(&self, local: i64) -> Option<(i64, i64)> {
        let (least, greatest) = self.offsets(local, local)?;
        Some((local - greatest, local - least))
    }
}

fn unit_named(name: &str) -> Option<(i64, i64)> {
    UNITS.iter().find(|(unit, ..)| unit.eq_ignore_ascii_case(name)).map(|(_, months, micros)| (*months, *micros))
}

/// Returns the start of the unit that contains a time. The unit has this number of months or microseconds.
fn truncated(local: i64, months: i64, micros: i64) -> i64 {
    if months == 0 {
        // Weeks begin on Mondays; the first day of 2000 was a Saturday.
        let first = if micros == 7 * DAY { -5 * DAY } else { 0 };
        return local - (local - first).rem_euclid(micros);
    }
    let (year, month, _) = civil(local.div_euclid(DAY));
    // Centuries begin in the years 1, 101, 201.
    let since = if months == 1200 { 12 } else { 0 };
    let count = year * 12 + month - since;
    start_of_month(0, count - count.rem_euclid(months) + since) * DAY
}

/// Returns the time this number of months later, but not after the end of that month.
fn plus_months(local: i64, months: i64) -> i64 {
    if months == 0 {
        return local;
    }
    let (year, month, day) = civil(local.div_euclid(DAY));
    let (first, next) = (start_of_month(year, month + months), start_of_month(year, month + months + 1));
    (first + day).min(next - 1) * DAY + local.rem_euclid(DAY)
}

/// Returns the year, month and day of a day since 2000. Month and day are counted from 0.
fn civil(day: i64) -> (i64, i64, i64) {
    let mut year = 2000 + day.div_euclid(365).min(day.div_euclid(366));
    while start_of_month(year + 1, 0) <= day {
        year += 1;
    }
    let month = (1..12).rev().find(|month| start_of_month(year, *month) <= day).unwrap_or(0);
    (year, month, day - start_of_month(year, month))
}

/// Returns the first day of a month, in days since 2000. The month is counted from January of a year.
fn start_of_month(year: i64, month: i64) -> i64 {
    const BEFORE: [i64; 12] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

    let (year, month) = (year + month.div_euclid(12), month.rem_euclid(12));
    let leaps = |year: i64| year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    let is_leap = leaps(year) > leaps(year - 1);
    let days = (year - 2000) * 365 + leaps(year - 1) - leaps(1999);
    days + BEFORE[month as usize] + i64::from(is_leap && month > 1)
}

/// Returns the half-open range of times for which `to_char` with this format returns this text. Returns `None` if the format
/// contains more than the digits of a time down to some unit, and an empty range if the text does not match the format.
fn parsed(text: &str, format: &str) -> Option<Option<(i64, i64)>> {
    const PARTS: [(&str, usize); 6] = [("YYYY", 4), ("MM", 2), ("DD", 2), ("HH24", 2), ("MI", 2), ("SS", 2)];
    const LENGTHS: [i64; 6] = [0, 0, DAY, HOUR, HOUR / 60, HOUR / 3600];

    let (mut format, mut text) = (format, Some(text));
    let mut numbers = Vec::new();
    while !format.is_empty() {
        match PARTS.get(numbers.len()).and_then(|(part, digits)| Some((format.strip_prefix(part)?, *digits))) {
            Some((rest, digits)) => {
                format = rest;
                let split = text.and_then(|text| text.split_at_checked(digits));
                let number = split.filter(|(digits, _)| digits.bytes().all(|digit| digit.is_ascii_digit()));
                numbers.push(number.and_then(|(digits, _)| digits.parse::<i64>().ok()));
                text = number.map(|(_, rest)| rest);
            }
            None => {
                let separator = format.chars().next().filter(|separator| "-/.: ".contains(*separator))?;
                format = &format[1..];
                text = text.and_then(|text| text.strip_prefix(separator));
            }
        }
    }
    let last = numbers.len().checked_sub(1)?;
    let within = || {
        text.filter(|rest| rest.is_empty())?;
        let number = |part: usize, least: i64| numbers.get(part).copied().unwrap_or(Some(least));
        let (year, month, day) = (number(0, 0)?, number(1, 1)?, number(2, 1)?);
        let first = (start_of_month(year, month - 1) + day - 1) * DAY
            + number(3, 0)? * HOUR
            + number(4, 0)? * (HOUR / 60)
            + number(5, 0)? * (HOUR / 3600);
        let end = match last {
            0 => start_of_month(year + 1, 0) * DAY,
            1 => start_of_month(year, month) * DAY,
            part => first + LENGTHS[part],
        };
        Some((first, end))
    };
    Some(within())
}

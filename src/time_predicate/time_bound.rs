//! The SQL function that computes a bound on the times for which the comparison of a monotonic function with a value is true.
//!
//! Each bound comes from the function's rule in [`first_times`]: the first time at which the function's result is at least the
//! value, or exceeds it. A local time is converted to instants with the least and the greatest offset that the zone has within two
//! days of it, so that nonexistent midnights, and repeated hours or days, need no special treatment.

// Values are clamped before they are cast, and the C type of an offset differs between systems.
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::useless_conversion)]

use std::ffi::CString;

use pgrx::datum::AnyElement;
use pgrx::fcinfo::pg_func_extra;
use pgrx::prelude::*;
use pgrx::{direct_function_call, pg_sys};

use super::operators::Side;
use crate::datum::{Text, Timestamptz, UNIX_TO_POSTGRES_MICROS};
use crate::planner::planned::Expression;

pub const DAY: i64 = 86_400_000_000;
const HOUR: i64 = DAY / 24;

/// The names of the sides in calls of [`uuid_time_bound`].
pub const SIDES: [(Side, &str); 4] =
    [(Side::Before, "<"), (Side::Until, "<="), (Side::Since, ">="), (Side::After, ">")];

/// Units of `date_trunc`, each with its length in months and microseconds.
const UNITS: [(&str, i32, i64); 12] = [
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

/// Returns a bound on the times for which the comparison of a function's result with a value is true: a lower one for `>` and `>=`,
/// and an upper one for `<` and `<=`. Returns null for another side, and an infinite time for an unknown rule.
#[pg_extern(sql = false)]
pub fn uuid_time_bound(
    side: Text<'_>,
    rule: Text<'_>,
    value: AnyElement,
    argument: AnyElement,
    zone: Text<'_>,
    call: pg_sys::FunctionCallInfo,
) -> Option<Timestamptz> {
    // SAFETY: the function manager passes valid call information, in which only this function stores a value, of this type. The
    // session's time zone is set before any function is called.
    #[allow(unsafe_code)]
    let (mut site, session_zone) = unsafe { (pg_func_extra(call, || CallSite::new(call)), pg_sys::session_timezone) };
    let last = site.last.as_ref().filter(|last| site.has_constant_names && last.session_zone == session_zone);
    if let Some(last) = last.filter(|_| site.has_constant_values) {
        return Some(last.bound);
    }
    let values = Value::read(&value).zip(Value::read(&argument));
    if let Some(last) = last.filter(|last| last.values == values) {
        return Some(last.bound);
    }
    let (symbol, rule) = (side.label(), rule.label());
    let (side, _) = SIDES.iter().find(|(_, known)| *known == &*symbol)?;
    let first_times = |(value, argument): &(Value, Value)| {
        first_times(&rule, side.includes_instant(), value, argument, &Zone::new(&zone.label())?)
    };
    let bound = Timestamptz(match (values.as_ref().and_then(first_times), side.is_lower()) {
        (Some((first, _)), true) => first,
        (Some((_, last)), false) => last,
        (None, true) => i64::MIN,
        (None, false) => i64::MAX,
    });
    site.last = Some(Answer { session_zone, values, bound });
    Some(bound)
}

/// What is kept between the calls of a call site. A scan or a nested loop would otherwise compute the result for each row.
struct CallSite {
    /// Whether the side, the rule and the zone are constants. If they are, the last result is reused for equal values.
    has_constant_names: bool,
    /// Whether the value and the argument of the rule are constants. If they are not, they are compared, because PL/pgSQL changes
    /// the parameters of an expression between two calls.
    has_constant_values: bool,
    last: Option<Answer>,
}

/// A result, with what it depends on apart from the constants of the call.
struct Answer {
    session_zone: *mut pg_sys::pg_tz,
    values: Option<(Value, Value)>,
    bound: Timestamptz,
}

impl CallSite {
    #[allow(unsafe_code)]
    fn new(call: pg_sys::FunctionCallInfo) -> CallSite {
        // SAFETY: the function manager passes valid call information, whose expression is null or valid during the call.
        let expression = unsafe { Expression::from_ptr((*(*call).flinfo).fn_expr) };
        let arguments = expression.and_then(Expression::function).map_or(&[][..], |call| call.arguments);
        let are_constant =
            |numbers: &[usize]| numbers.iter().all(|n| arguments.get(*n).is_some_and(|one| one.is_constant()));
        CallSite {
            has_constant_names: are_constant(&[0, 1, 4]),
            has_constant_values: are_constant(&[2, 3]),
            last: None,
        }
    }
}

/// Applies a function's rule: returns the earliest and the latest instant that can be the first at which the function's result is
/// at least the value or, if `is_after`, exceeds it.
fn first_times(rule: &str, is_after: bool, value: &Value, argument: &Value, zone: &Zone) -> Option<(i64, i64)> {
    let after = i64::from(is_after);
    let start_of = |local: i64, name: &str| {
        let (months, micros) = unit_named(name)?;
        let start = truncated(local, name);
        Some(if !is_after && start == local { local } else { later(start, months, micros) })
    };
    let at = |local| zone.instants(local, local);
    match (rule, value, argument) {
        // `t::timestamp`, `t AT TIME ZONE zone`
        ("timestamp", Value::Local(local), _) => at(local + after),
        // `t::date`
        ("date", Value::Local(local), _) => at(start_of(*local, "day")?),
        // `date_trunc(unit, t)`
        ("date_trunc", Value::Local(local), Value::Text(unit)) => at(start_of(*local, unit)?),
        ("date_trunc", Value::Instant(instant), Value::Text(unit)) => match unit_named(unit)? {
            // The part that was truncated is shorter than the unit, which is at most an hour.
            (_, micros @ 1..=HOUR) => Some((*instant, instant + micros)),
            _ => {
                let (least, greatest) = zone.offsets(*instant, *instant)?;
                zone.instants(start_of(instant + least, unit)?, start_of(instant + greatest, unit)?)
            }
        },
        // `date_bin(stride, t, origin)`
        ("date_bin", Value::Local(local), Value::Interval(stride)) => {
            zone.instants(*local, local + greatest_length(stride)? + 1)
        }
        ("date_bin", Value::Instant(instant), Value::Interval(stride)) => {
            Some((*instant, instant + greatest_length(stride)? + 1))
        }
        // `extract(year FROM t)`
        ("extract", Value::Number(year), Value::Text(field)) if field == "year" => {
            let year = if is_after { year.floor() + 1.0 } else { year.ceil() };
            at(later(0, (year.clamp(1.0, 20_000.0) as i32 - 2000) * 12, 0))
        }
        // `extract(epoch FROM t)`; the rounding errors of float8 are less than 100 microseconds in total.
        ("extract", Value::Number(seconds), Value::Text(_)) => {
            let micros = (seconds - UNIX_TO_POSTGRES_SECONDS as f64).clamp(-6e10, 3.4e11) * 1e6;
            Some((micros.floor() as i64 - 100, micros.ceil() as i64 + 100))
        }
        // `to_char(t, 'YYYY-MM')`
        ("to_char", Value::Text(text), Value::Text(format)) => {
            let (from, to) = parsed(text, format)?;
            at(if is_after { to } else { from })
        }
        // `t - origin`, and `origin - t`, which is descending.
        ("since" | "until", Value::Interval(difference), Value::Instant(origin)) => {
            let micros = interval_cmp_value(difference);
            let micros = if rule == "until" { -micros } else { micros };
            let instant = clamped(i128::from(within_years(*origin)?) + micros) + after;
            Some((instant, instant))
        }
        // `t + interval`, `t - interval`
        ("plus" | "minus", Value::Instant(result), Value::Interval(shift)) => {
            if shift.months.unsigned_abs() > 12_000 || shift.days.unsigned_abs() > 4_000_000 {
                return None;
            }
            let sign = if rule == "plus" { -1 } else { 1 };
            let (months, days) = (sign * shift.months, i128::from(sign * shift.days));
            let without = clamped(i128::from(within_years(*result)?) + i128::from(sign) * i128::from(shift.micros));
            let without = within_years(without)?;
            let instant = clamped(i128::from(later(without, months, 0)) + days * i128::from(DAY));
            if (months, days) == (0, 0) {
                return Some((instant + after, instant + after));
            }
            // Adding months or days may change the offset, and adding months may reduce the day to the last of a month.
            let (least, greatest) = zone.offsets(instant.min(without) - 4 * DAY, instant.max(without) + 4 * DAY)?;
            let slack = 2 * (greatest - least) + if months == 0 { 0 } else { 4 * DAY };
            Some((instant + after - slack, instant + after + slack))
        }
        _ => None,
    }
}

const UNIX_TO_POSTGRES_SECONDS: i64 = UNIX_TO_POSTGRES_MICROS / 1_000_000;

/// The value with which a result is compared, or the argument of a rule.
#[derive(PartialEq)]
enum Value {
    /// A `date` or a `timestamp`.
    Local(i64),
    Instant(i64),
    /// A number other than NaN.
    Number(f64),
    Text(String),
    /// The empty text, in place of an argument that a rule does not have. Comparing two empty strings calls memcmp with dangling
    /// pointers, which may be slow.
    Nothing,
    Interval(Interval),
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Interval {
    months: i32,
    days: i32,
    micros: i64,
}

/// Returns an interval in microseconds, as PostgreSQL's function of this name does: with months of 30 days.
fn interval_cmp_value(interval: &Interval) -> i128 {
    let days = i128::from(interval.months) * 30 + i128::from(interval.days);
    days * i128::from(DAY) + i128::from(interval.micros)
}

/// Returns the length in microseconds of an interval without months that is neither negative nor too long.
fn greatest_length(interval: &Interval) -> Option<i64> {
    let length = i64::try_from(interval_cmp_value(interval)).ok()?;
    (interval.months == 0 && (0..=YEARS_TO * DAY).contains(&length)).then_some(length)
}

/// The years 83 to 12951, in days since 2000. They include all times of version 7 and are in the range of `timestamptz`.
pub const YEARS_FROM: i64 = -700_000;
pub const YEARS_TO: i64 = 4_000_000;

fn clamped(micros: i128) -> i64 {
    micros.clamp(i128::from(YEARS_FROM * DAY), i128::from(YEARS_TO * DAY)) as i64
}

/// Returns the time unless it may have been clamped. Adding an interval to a clamped time would give a wrong time.
fn within_years(micros: i64) -> Option<i64> {
    (YEARS_FROM * DAY < micros && micros < YEARS_TO * DAY).then_some(micros)
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
            // SAFETY: `AnyElement` takes the OID from the call's expression, so the datum is of this type. It is not null, because
            // the function is strict.
            pg_sys::FLOAT8OID => Value::Number(unsafe { value.into::<f64>()? }),
            // SAFETY: the datum is a `numeric`, which the function takes, and the function returns a `float8`.
            pg_sys::NUMERICOID => Value::Number(unsafe {
                direct_function_call::<f64>(pg_sys::numeric_float8_no_overflow, &[Some(datum)])?
            }),
            pg_sys::TEXTOID => {
                // SAFETY: the datum is a `text`, whose bytes live as long as the call.
                match unsafe { value.into::<&[u8]>()? } {
                    [] => Value::Nothing,
                    // Units, formats and formatted times are short.
                    text => Value::Text(str::from_utf8(text).ok().filter(|text| text.len() < 64)?.to_owned()),
                }
            }
            pg_sys::INTERVALOID => {
                // SAFETY: the datum is a pointer to an `Interval`, because the type is passed by reference with a fixed length.
                let pg_sys::Interval { time: micros, day: days, month: months } = unsafe { *datum.cast_mut_ptr() };
                Value::Interval(Interval { months, days, micros })
            }
            _ => return None,
        };
        Some(read).filter(|read| !matches!(read, Value::Number(number) if number.is_nan()))
    }
}

pub struct Zone(*mut pg_sys::pg_tz);

#[allow(unsafe_code)]
impl Zone {
    /// Returns the zone with the given name, or the session's zone if the name is empty.
    pub fn new(name: &str) -> Option<Zone> {
        let text = CString::new(name).ok()?;
        // SAFETY: PostgreSQL's zones exist as long as the backend; null means that there is no such zone.
        let zone = unsafe { if name.is_empty() { pg_sys::session_timezone } else { pg_sys::pg_tzset(text.as_ptr()) } };
        (!zone.is_null()).then_some(Zone(zone))
    }

    /// Returns the zone's least and greatest offset from two days before `from` to two days after `to`.
    fn offsets(&self, from: i64, to: i64) -> Option<(i64, i64)> {
        /// More than any zone's number of offset changes in a year.
        const CHANGES: usize = 200;

        let seconds = |micros: i64| micros.div_euclid(1_000_000) + UNIX_TO_POSTGRES_SECONDS;
        let (mut at, end) = (seconds(from - 2 * DAY), seconds(to + 2 * DAY));
        let (mut least, mut greatest) = (i64::MAX, i64::MIN);
        for _ in 0..CHANGES {
            let (mut before, mut after, mut change, mut is_summer) = (0, 0, 0, [0, 0]);
            // SAFETY: the function only reads the zone and writes to these variables.
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

    /// Returns the first and the last instant at which the local time can be within a range, or can skip part of the range.
    fn instants(&self, from: i64, to: i64) -> Option<(i64, i64)> {
        Some((from - self.offsets(from, from)?.1, to - self.offsets(to, to)?.0))
    }
}

pub fn unit_named(name: &str) -> Option<(i32, i64)> {
    UNITS.iter().find(|(unit, ..)| unit.eq_ignore_ascii_case(name)).map(|(_, months, micros)| (*months, *micros))
}

/// Returns the start of the unit that contains a local time, as `date_trunc` does.
#[allow(unsafe_code)]
fn truncated(local: i64, unit: &str) -> i64 {
    // SAFETY: the function takes a text and a timestamp, and returns a timestamp.
    let start = unsafe { direct_function_call(pg_sys::timestamp_trunc, &[unit.into_datum(), Some(local.into())]) };
    start.unwrap_or(local)
}

/// Adds months and microseconds to a local time in PostgreSQL's calendar.
#[allow(unsafe_code)]
fn later(local: i64, months: i32, micros: i64) -> i64 {
    let interval = pg_sys::Interval { time: micros, day: 0, month: months };
    let arguments = [Some(local.into()), Some((&raw const interval).into())];
    // SAFETY: the function takes a timestamp and an interval, and returns a timestamp.
    unsafe { direct_function_call(pg_sys::timestamp_pl_interval, &arguments) }.unwrap_or(local)
}

/// The parts of a `to_char` format, each with its number of digits, its value at the first instant of 2000, and its unit.
pub const PARTS: [(&str, usize, i64, &str); 6] = [
    ("YYYY", 4, 2000, "year"),
    ("MM", 2, 1, "month"),
    ("DD", 2, 1, "day"),
    ("HH24", 2, 0, "hour"),
    ("MI", 2, 0, "minute"),
    ("SS", 2, 0, "second"),
];

const SEPARATORS: [char; 5] = ['-', '/', '.', ':', ' '];

/// Returns the number of parts of a format, if it consists of all parts from the year down to some unit.
pub fn parts_of(format: &str) -> Option<usize> {
    let (mut rest, mut count) = (format, 0);
    for (part, ..) in PARTS {
        let Some(after) = rest.trim_start_matches(SEPARATORS).strip_prefix(part) else { break };
        (rest, count) = (after, count + 1);
    }
    (count > 0 && rest.trim_start_matches(SEPARATORS).is_empty()).then_some(count)
}

/// Returns the half-open range of the local times for which `to_char` returns the text, if there are any.
fn parsed(text: &str, format: &str) -> Option<(i64, i64)> {
    let digits = text.replace(SEPARATORS, "");
    let (mut rest, mut from, mut to) = (&*digits, 0, 0);
    for (_, count, least, unit) in &PARTS[..parts_of(format)?] {
        let (number, others) = rest.split_at_checked(*count)?;
        let (number, (months, micros)) = (number.parse::<i64>().ok()? - least, unit_named(unit)?);
        from = later(from, months * number as i32, micros * number);
        (to, rest) = (later(from, months, micros), others);
    }
    rest.is_empty().then_some((from, to))
}

//! The comparisons of UUIDs that are equivalent to comparisons of a UUID with a time, as `docs/time-predicates.md` defines them.
//! This file represents UUIDs as `u128`, to share no code with the extension or with `rfc9562`.
//!
//! An instant is a point between two UUIDs and equals neither. It lies immediately before its [`floor`].

use std::fmt;

/// A `timestamptz` in the server's representation: microseconds since 2000-01-01 00:00:00 UTC, or an infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Time(pub i64);

pub const NIL: u128 = 0;
pub const MAX: u128 = u128::MAX;

/// Whether a UUID has RFC 9562's variant and version 7.
pub fn is_version_7(uuid: u128) -> bool {
    uuid >> 76 & 15 == 7 && uuid >> 62 & 3 == 2
}

const UNIX_TO_2000: i64 = 946_684_800_000_000;
const DAY: i64 = 86_400_000_000;
/// The Julian day of 2000-01-01.
const JULIAN_2000: i64 = 2_451_545;

impl Time {
    pub const BEFORE_ALL: Time = Time(i64::MIN);
    pub const AFTER_ALL: Time = Time(i64::MAX);
    /// 4714-11-24 00:00:00 BC
    pub const FIRST: Time = Time(-211_813_488_000_000_000);
    /// 294276-12-31 23:59:59.999999
    pub const LAST: Time = Time(9_223_371_331_199_999_999);

    /// Returns the time `millis` milliseconds after 1970-01-01 00:00:00 UTC.
    pub const fn unix_millis(millis: i64) -> Time {
        Time(millis * 1000 - UNIX_TO_2000)
    }

    pub fn is_finite(self) -> bool {
        self != Time::BEFORE_ALL && self != Time::AFTER_ALL
    }

    /// Returns the time `micros` microseconds later, or this time if it is infinite or the later one would be out of range.
    #[must_use]
    pub fn plus(self, micros: i64) -> Time {
        let sum = Time(self.0.saturating_add(micros));
        if self.is_finite() && (Time::FIRST..=Time::LAST).contains(&sum) { sum } else { self }
    }

    #[must_use]
    pub fn next(self) -> Time {
        match self {
            Time::BEFORE_ALL => Time::FIRST,
            Time::LAST | Time::AFTER_ALL => Time::AFTER_ALL,
            Time(micros) => Time(micros + 1),
        }
    }

    /// Returns this time without a zone, as a clock that is `ahead` microseconds ahead of UTC shows it, with the date as a Julian
    /// day, which the server reads.
    pub fn on_clock(self, ahead: i64) -> String {
        match self {
            Time::BEFORE_ALL => "-infinity".to_owned(),
            Time::AFTER_ALL => "infinity".to_owned(),
            Time(micros) => {
                let (days, of_day) = ((micros + ahead).div_euclid(DAY), (micros + ahead).rem_euclid(DAY));
                let (seconds, fraction) = (of_day / 1_000_000, of_day % 1_000_000);
                let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
                format!("J{} {hour:02}:{minute:02}:{second:02}.{fraction:06}", JULIAN_2000 + days)
            }
        }
    }
}

/// Writes text that the server reads as this `timestamptz` in any time zone.
impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.on_clock(0), if self.is_finite() { "+00" } else { "" })
    }
}

pub fn text(uuid: u128) -> String {
    let hex = format!("{uuid:032x}");
    [&hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..]].join("-")
}

/// Returns the first UUID that is not before a time.
pub fn floor(time: Time) -> u128 {
    let millis = match time {
        Time::BEFORE_ALL => return NIL,
        Time::AFTER_ALL => return MAX,
        Time(micros) => -(-(i128::from(micros) + i128::from(UNIX_TO_2000))).div_euclid(1000),
    };
    match u128::try_from(millis) {
        Err(_) => NIL,
        Ok(millis) if millis >> 48 != 0 => MAX,
        Ok(millis) => millis << 80 | 7 << 76 | 0b10 << 62,
    }
}

pub fn floor_text(time: Time) -> String {
    text(floor(time))
}

/// An order comparison. The variants' commutators are the variants in reverse order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>=`
    GreaterOrEqual,
    /// `>`
    Greater,
}

const SIGNS: [&str; 4] = ["<", "<=", ">=", ">"];

impl Comparison {
    pub const ALL: [Comparison; 4] =
        [Comparison::Less, Comparison::LessOrEqual, Comparison::GreaterOrEqual, Comparison::Greater];

    /// Returns the operator whose left operand is the UUID.
    pub fn sign(self) -> &'static str {
        SIGNS[self as usize]
    }

    /// Returns the commutator, whose right operand is the UUID.
    pub fn commuted_sign(self) -> &'static str {
        SIGNS[3 - self as usize]
    }

    /// Returns the equivalent comparison with a UUID, and that UUID.
    pub fn with_uuid(self, time: Time) -> (Comparison, u128) {
        match self {
            Comparison::Less => (Comparison::Less, floor(time)),
            Comparison::LessOrEqual => (Comparison::Less, floor(time.next())),
            Comparison::GreaterOrEqual => (Comparison::GreaterOrEqual, floor(time)),
            Comparison::Greater => (Comparison::GreaterOrEqual, floor(time.next())),
        }
    }
}

/// One bound of a range: its time, and whether it is inclusive; `None` if omitted.
pub type End = Option<(Time, bool)>;

/// A `tstzrange`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    Empty,
    Between(End, End),
}

impl Range {
    /// Returns the range between two bounds, or `Empty` if the server considers it empty. `lower` must not exceed `upper`.
    pub fn new(lower: End, upper: End) -> Range {
        match (lower, upper) {
            (Some((a, with_a)), Some((b, with_b))) if a == b && !(with_a && with_b) => Range::Empty,
            _ => Range::Between(lower, upper),
        }
    }

    /// Whether the range is not empty and has at least one bound.
    pub fn is_proper(self) -> bool {
        self != Range::Empty && self != Range::Between(None, None)
    }

    /// Returns the first and the last UUID in the range. If the range contains no UUID, the former is greater than the latter.
    pub fn first_and_last(self) -> (u128, u128) {
        let Range::Between(lower, upper) = self else { return (MAX, NIL) };
        let first = lower.map_or(NIL, |end| lower_comparison(end).with_uuid(end.0).1);
        match upper.map(|end| upper_comparison(end).with_uuid(end.0).1) {
            None => (first, MAX),
            Some(NIL) => (MAX, NIL),
            Some(end) => (first, end - 1),
        }
    }
}

pub fn lower_comparison((_, included): (Time, bool)) -> Comparison {
    if included { Comparison::GreaterOrEqual } else { Comparison::Greater }
}

pub fn upper_comparison((_, included): (Time, bool)) -> Comparison {
    if included { Comparison::LessOrEqual } else { Comparison::Less }
}

/// Writes text that the server reads as this `tstzrange`.
impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Range::Between(lower, upper) = *self else { return f.write_str("empty") };
        let opening = if lower.is_some_and(|(_, included)| included) { '[' } else { '(' };
        let closing = if upper.is_some_and(|(_, included)| included) { ']' } else { ')' };
        let [lower, upper] = [lower, upper].map(|end| end.map_or_else(String::new, |(time, _)| format!("\"{time}\"")));
        write!(f, "{opening}{lower},{upper}{closing}")
    }
}

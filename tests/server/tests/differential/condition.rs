//! Conditions, written with times and with UUIDs, and their result for a row.

use server_tests::points::{
    self, Comparison, End, MAX, NIL, Range, Time, lower_comparison, range_text, upper_comparison,
};
use server_tests::random::Random;

use super::data::{self, Asked, Kind, Row, Times};

/// The placeholder of the UUID in a condition.
pub const ID: &str = "\u{1}";
/// The placeholder of its time, if a condition is on that in every way to write it.
pub const TIME: &str = "\u{2}";

const DAY: i64 = 86_400_000_000;

/// How a condition is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// By comparisons of the UUID with times.
    Time,
    /// By comparisons of UUIDs.
    Uuid,
    /// With comparisons of the time that a function reads from the UUID, which is null unless the version is 7.
    Call,
}

/// A condition on the UUID of a row and, in a join, on a row of `asked`.
#[derive(Clone, Debug)]
pub enum Condition {
    One(Atom),
    And(Vec<Condition>),
    Or(Vec<Condition>),
    Not(Box<Condition>),
}

/// A condition without parts.
#[derive(Clone, Debug)]
pub struct Atom {
    test: Test,
    /// Written with a time.
    by_time: String,
    /// Written with UUIDs.
    by_uuid: String,
    /// The condition on the time that a function returns, if it differs from that on the UUID.
    by_call: Option<String>,
    /// Whether both can be planned alike. The planner sees a null in a condition, but not inside an array; and a condition that
    /// is true or false for every UUID needs no index.
    comparable: bool,
    /// Its form, for the reader of a report.
    form: String,
}

/// The condition on a UUID.
#[derive(Clone, Debug)]
enum Test {
    Compare(Comparison, Value<Time>),
    Between {
        low: Value<Time>,
        high: Value<Time>,
        negated: bool,
    },
    Within(Value<Range>),
    /// `<@ ANY` of these.
    WithinAny(Vec<Option<Range>>),
    /// `<@` the multirange of these.
    WithinMultirange(Vec<Option<Range>>),
    /// With ANY of these, or ALL.
    CompareEach {
        comparison: Comparison,
        times: Option<Vec<Option<Time>>>,
        all: bool,
    },
    /// One of these, or null.
    OneOf(Vec<Option<Time>>),
    CompareUuid(Comparison, u128),
    /// Only the server knows, without rewriting.
    OfServer,
}

/// Known when the query is written, or a column of the row of `asked`.
#[derive(Clone, Copy, Debug)]
enum Value<T> {
    Known(Option<T>),
    OfAsked(fn(&Asked) -> Option<T>),
}

impl<T: Copy> Value<T> {
    fn get(self, asked: Option<&Asked>) -> Option<T> {
        match self {
            Value::Known(value) => value,
            Value::OfAsked(column) => asked.and_then(column),
        }
    }
}

/// How a time or a range is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spelling {
    Constant,
    Parameter,
    Stable,
    Subquery,
    Column,
}

impl Spelling {
    fn name(self) -> &'static str {
        match self {
            Spelling::Constant => "constant",
            Spelling::Parameter => "parameter",
            Spelling::Stable => "stable",
            Spelling::Subquery => "subquery",
            Spelling::Column => "column",
        }
    }
}

/// Generates conditions, and keeps what a query with them needs.
pub struct Writer<'a> {
    pub random: &'a mut Random,
    pub times: &'a Times,
    pub asked: &'a [Asked],
    pub rows: &'a [Row],
    /// Whether templates may be used.
    pub templates: bool,
    /// Whether there is a row of `asked`, named `a`.
    pub joined: bool,
    /// Whether parameters may be used.
    pub prepared: bool,
    /// Whether `<@` accepts multiranges.
    pub multiranges: bool,
    /// Whether `<@` accepts ranges of times without a zone.
    pub naive_ranges: bool,
    /// Type and value of each parameter, written as SQL.
    pub parameters: Vec<(&'static str, String)>,
    /// Settings that stable expressions read.
    pub settings: Vec<String>,
    /// Microseconds by which the session's time zone is ahead of UTC.
    pub zone: i64,
}

/// A time as written, and the UUIDs to compare with instead, written in the same way.
pub struct Spelled {
    value: Value<Time>,
    pub by_time: String,
    floor: String,
    floor_of_next: String,
    name: &'static str,
}

fn literal(value: Option<String>, of: &str) -> String {
    value.map_or_else(|| format!("NULL::{of}"), |value| format!("'{value}'::{of}"))
}

fn uuid_literal(uuid: u128) -> String {
    literal(Some(points::text(uuid)), "uuid")
}

impl Condition {
    /// As SQL, with the expression for the UUID, or with a call of it.
    pub fn spelled(&self, reading: Reading, id: &str, call: &str) -> String {
        self.written(&|atom| match reading {
            Reading::Uuid => atom.by_uuid.replace(ID, id),
            Reading::Call if !matches!(atom.test, Test::CompareUuid(..) | Test::OfServer) => {
                atom.by_call.as_ref().unwrap_or(&atom.by_time).replace(ID, call)
            }
            Reading::Time | Reading::Call => atom.by_time.replace(ID, id).replace(TIME, call),
        })
    }

    fn written(&self, atom: &impl Fn(&Atom) -> String) -> String {
        let join = |parts: &[Condition], with: &str| {
            let parts: Vec<String> = parts.iter().map(|part| format!("({})", part.written(atom))).collect();
            parts.join(with)
        };
        match self {
            Condition::One(one) => atom(one),
            Condition::And(parts) => join(parts, " AND "),
            Condition::Or(parts) => join(parts, " OR "),
            Condition::Not(part) => format!("NOT ({})", part.written(atom)),
        }
    }

    /// True, false or null.
    pub fn answer(&self, reading: Reading, id: Option<u128>, asked: Option<&Asked>) -> Option<bool> {
        match self {
            Condition::One(atom) => {
                let is_read = reading != Reading::Call || matches!(atom.test, Test::CompareUuid(..));
                match (id.filter(|id| is_read || points::is_version_7(*id)), atom.test.of_none()) {
                    (Some(id), None) => atom.test.answer(id, asked),
                    (None, None) => None,
                    (_, answer) => answer,
                }
            }
            Condition::And(parts) => all(parts.iter().map(|part| part.answer(reading, id, asked))),
            Condition::Or(parts) => any(parts.iter().map(|part| part.answer(reading, id, asked))),
            Condition::Not(part) => part.answer(reading, id, asked).map(|answer| !answer),
        }
    }

    /// Whether the plans of both ways to write it may be compared.
    pub fn is_comparable(&self) -> bool {
        match self {
            Condition::One(atom) => atom.comparable,
            Condition::And(parts) | Condition::Or(parts) => parts.iter().all(Condition::is_comparable),
            // NOT of = is <>, which is not indexable.
            Condition::Not(part) => part.is_comparable() && !part.has_equality(),
        }
    }

    fn has_equality(&self) -> bool {
        self.has(&|atom| atom.by_call.is_some())
    }

    /// Whether only the server knows its result.
    pub fn is_of_server(&self) -> bool {
        self.has(&|atom| matches!(atom.test, Test::OfServer))
    }

    fn has(&self, property: &impl Fn(&Atom) -> bool) -> bool {
        match self {
            Condition::One(atom) => property(atom),
            Condition::And(parts) | Condition::Or(parts) => parts.iter().any(|part| part.has(property)),
            Condition::Not(part) => part.has(property),
        }
    }

    /// Whether it contains an OR. From an OR over two tables, the planner extracts the part about one if its estimates favor
    /// that.
    pub fn has_or(&self) -> bool {
        match self {
            Condition::One(atom) => matches!(atom.test, Test::Between { negated: true, .. }),
            Condition::And(parts) => parts.iter().any(Condition::has_or),
            Condition::Or(_) | Condition::Not(_) => true,
        }
    }

    /// Its forms, and how they are combined.
    pub fn forms(&self) -> String {
        let join = |parts: &[Condition], with: &str| {
            let mut parts: Vec<String> = parts.iter().map(Condition::forms).collect();
            parts.sort();
            parts.dedup();
            format!("({})", parts.join(with))
        };
        match self {
            Condition::One(atom) => atom.form.clone(),
            Condition::And(parts) => join(parts, " and "),
            Condition::Or(parts) => join(parts, " or "),
            Condition::Not(part) => format!("not {}", part.forms()),
        }
    }
}

fn all(mut answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    answers
        .try_fold(Some(true), |so_far, answer| match answer {
            Some(false) => Err(()),
            None => Ok(None),
            Some(true) => Ok(so_far),
        })
        .unwrap_or(Some(false))
}

fn any(answers: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    all(answers.map(|answer| answer.map(|answer| !answer))).map(|answer| !answer)
}

impl Atom {
    pub fn of_server(written: String, form: String) -> Atom {
        Atom { test: Test::OfServer, by_time: written, by_uuid: String::new(), by_call: None, comparable: false, form }
    }
}

/// Whether a UUID's time equals this one: it is neither before nor after it.
fn is_at(id: u128, time: Time) -> bool {
    Comparison::GreaterOrEqual.holds_at(id, time) && Comparison::LessOrEqual.holds_at(id, time)
}

impl Test {
    /// ANY and ALL of no values, whose result is known for every UUID, and for null.
    fn of_none(&self) -> Option<bool> {
        match self {
            Test::CompareEach { times: Some(times), all, .. } if times.is_empty() => Some(*all),
            Test::WithinAny(ranges) if ranges.is_empty() => Some(false),
            _ => None,
        }
    }

    /// For a row with a UUID; every other condition is null for a row without one.
    fn answer(&self, id: u128, asked: Option<&Asked>) -> Option<bool> {
        match self {
            Test::Compare(comparison, time) => time.get(asked).map(|time| comparison.holds_at(id, time)),
            Test::Between { low, high, negated } => {
                let low = low.get(asked).map(|time| Comparison::GreaterOrEqual.holds_at(id, time));
                let high = high.get(asked).map(|time| Comparison::LessOrEqual.holds_at(id, time));
                all([low, high].into_iter()).map(|between| between != *negated)
            }
            Test::Within(range) => range.get(asked).map(|range| range.contains(id)),
            Test::WithinAny(ranges) | Test::WithinMultirange(ranges) => {
                any(ranges.iter().map(|range| range.map(|range| range.contains(id))))
            }
            Test::CompareEach { comparison, times, all: each } => {
                let times = times.as_ref()?.iter();
                let answers = times.map(|time| time.map(|time| comparison.holds_at(id, time)));
                if *each { all(answers) } else { any(answers) }
            }
            Test::OneOf(times) => any(times.iter().map(|time| time.map(|time| is_at(id, time)))),
            Test::CompareUuid(comparison, uuid) => Some(comparison.holds(id, *uuid)),
            Test::OfServer => unreachable!("see Condition::is_of_server"),
        }
    }
}

impl Writer<'_> {
    /// A condition: often a single form, so that a report names it, otherwise several combined.
    pub fn condition(&mut self) -> Condition {
        match self.random.below(10) {
            0..=4 => Condition::One(self.atom()),
            5 => Condition::Not(Box::new(self.nested(1))),
            _ => self.nested(2),
        }
    }

    fn nested(&mut self, depth: usize) -> Condition {
        if depth == 0 || self.random.percent(20) {
            return Condition::One(self.atom());
        }
        let count = 2 + self.random.below(2);
        match self.random.below(5) {
            0 => Condition::Not(Box::new(self.nested(depth - 1))),
            1 | 2 => Condition::Or((0..count).map(|_| self.nested(depth - 1)).collect()),
            _ => Condition::And((0..count).map(|_| self.nested(depth - 1)).collect()),
        }
    }

    fn atom(&mut self) -> Atom {
        if self.templates && self.random.percent(70) {
            return self.template();
        }
        match self.random.below(24) {
            20 | 21 => self.equal(),
            22 | 23 => self.one_of_times(),
            0..=7 => self.comparison(),
            8 | 9 => self.between(),
            10..=12 => self.range(),
            13 | 14 => self.range_of_two_times(),
            15 => self.each_time(),
            16 => self.any_range(),
            17 if self.multiranges => self.multirange(),
            18 if self.naive_ranges => self.naive_range(),
            19 if self.random.percent(30) => self.member(),
            _ => self.uuid(),
        }
    }

    fn spelling(&mut self) -> Spelling {
        let spelling = *self.random.pick(&[
            Spelling::Constant,
            Spelling::Constant,
            Spelling::Parameter,
            Spelling::Stable,
            Spelling::Subquery,
            Spelling::Column,
            Spelling::Column,
        ]);
        match spelling {
            Spelling::Parameter if !self.prepared => Spelling::Constant,
            Spelling::Column if !self.joined => Spelling::Subquery,
            spelling => spelling,
        }
    }

    fn parameter(&mut self, of: &'static str, value: String) -> String {
        self.parameters.push((of, value));
        format!("${}", self.parameters.len())
    }

    /// An expression whose value is known when the query starts.
    fn setting(&mut self, of: &str, value: Option<&str>) -> String {
        let name = format!("difference.v{}", self.settings.len());
        self.settings.push(format!("SET LOCAL {name} = '{}'", value.unwrap_or("")));
        format!("nullif(current_setting('{name}'), '')::{of}")
    }

    pub fn time(&mut self) -> Spelled {
        let spelling = self.spelling();
        let column = |which: &'static str| match which {
            "a" => Value::OfAsked(|asked: &Asked| asked.a),
            _ => Value::OfAsked(|asked: &Asked| asked.b),
        };
        let which = *self.random.pick(&["a", "b"]);
        if spelling == Spelling::Column {
            return Spelled {
                value: column(which),
                by_time: format!("a.{which}"),
                floor: format!("a.{which}_floor"),
                floor_of_next: format!("a.{which}_next"),
                name: spelling.name(),
            };
        }
        if spelling == Spelling::Subquery {
            let asked = self.random.pick(self.asked);
            let value = column(which).get(Some(asked));
            let of = |column: String| format!("(SELECT {column} FROM asked WHERE n = {})", asked.n);
            return Spelled {
                value: Value::Known(value),
                by_time: of(which.to_owned()),
                floor: of(format!("{which}_floor")),
                floor_of_next: of(format!("{which}_next")),
                name: spelling.name(),
            };
        }
        let mut time = if self.random.percent(4) { None } else { Some(self.times.near(self.random)) };
        // A date, or a time without a zone, in the session's time zone.
        let naive = time.filter(|time| time.is_finite() && *time != Time::FIRST && *time != Time::LAST);
        let naive =
            naive.filter(|_| spelling == Spelling::Stable && !self.templates && self.random.percent(40)).map(|exact| {
                if self.random.percent(50) {
                    return format!("timestamp '{}'", exact.on_clock(self.zone));
                }
                let midnight = Time(exact.0 - (exact.0 + self.zone).rem_euclid(DAY));
                time = Some(midnight);
                format!("date '{}'", midnight.on_clock(self.zone))
            });
        let shown = time.map(|time| time.to_string());
        let floor = time.map(|time| points::text(points::floor(time)));
        let next = time.map(|time| points::text(points::floor(time.next())));
        let name = if naive.is_some() { "without zone" } else { spelling.name() };
        let (by_time, floor, floor_of_next) = match spelling {
            Spelling::Parameter => (
                self.parameter("timestamptz", literal(shown, "timestamptz")),
                self.parameter("uuid", literal(floor, "uuid")),
                self.parameter("uuid", literal(next, "uuid")),
            ),
            Spelling::Stable => {
                let by_time = match time {
                    _ if naive.is_some() => naive.unwrap_or_default(),
                    Some(time) if time.is_finite() && time.plus(-7) != time && self.random.percent(50) => {
                        format!("(timestamptz '{}' + interval '7 microseconds')", time.plus(-7))
                    }
                    _ => self.setting("timestamptz", shown.as_deref()),
                };
                (by_time, self.setting("uuid", floor.as_deref()), self.setting("uuid", next.as_deref()))
            }
            _ => (literal(shown, "timestamptz"), literal(floor, "uuid"), literal(next, "uuid")),
        };
        Spelled { value: Value::Known(time), by_time, floor, floor_of_next, name }
    }

    /// The comparison with a UUID that is equivalent to one with a time.
    fn stands_for(&self, comparison: Comparison, time: &Spelled) -> String {
        let id = ID;
        match comparison {
            Comparison::Less => format!("{id} < {}", time.floor),
            Comparison::LessOrEqual => format!("{id} < {}", time.floor_of_next),
            Comparison::GreaterOrEqual => format!("{id} >= {}", time.floor),
            Comparison::Greater => format!("{id} >= {}", time.floor_of_next),
        }
    }

    fn comparison(&mut self) -> Atom {
        let comparison = *self.random.pick(&Comparison::ALL);
        let time = self.time();
        let id = ID;
        let by_time = if self.random.percent(30) {
            format!("{} {} {id}", time.by_time, comparison.commuted_sign())
        } else {
            format!("{id} {} {}", comparison.sign(), time.by_time)
        };
        Atom {
            by_call: None,
            comparable: true,
            test: Test::Compare(comparison, time.value),
            by_time,
            by_uuid: self.stands_for(comparison, &time),
            form: format!("{} {}", comparison.sign(), time.name),
        }
    }

    fn between(&mut self) -> Atom {
        let (low, high, negated) = (self.time(), self.time(), self.random.percent(30));
        let not = if negated { "NOT " } else { "" };
        let by_uuid = format!(
            "{} AND {}",
            self.stands_for(Comparison::GreaterOrEqual, &low),
            self.stands_for(Comparison::LessOrEqual, &high)
        );
        Atom {
            by_call: None,
            comparable: true,
            by_time: format!("{} {not}BETWEEN {} AND {}", ID, low.by_time, high.by_time),
            by_uuid: if negated { format!("NOT ({by_uuid})") } else { by_uuid },
            form: format!("{not}BETWEEN {} AND {}", low.name, high.name),
            test: Test::Between { low: low.value, high: high.value, negated },
        }
    }

    /// `=` or `<>` of the time that a function reads, or of a UUID that is neither earlier nor later.
    fn equal(&mut self) -> Atom {
        let (time, negated) = (self.time(), self.random.percent(20));
        let (not, sign) = if negated { ("NOT ", "<>") } else { ("", "=") };
        let by_call = if self.random.percent(30) {
            format!("{} {sign} {ID}", time.by_time)
        } else {
            format!("{ID} {sign} {}", time.by_time)
        };
        let by_uuid = format!(
            "{not}({} AND {})",
            self.stands_for(Comparison::GreaterOrEqual, &time),
            self.stands_for(Comparison::LessOrEqual, &time)
        );
        Atom {
            by_call: Some(by_call),
            // PostgreSQL does not use an index for <>.
            comparable: !negated,
            by_time: format!("{ID} {not}BETWEEN {} AND {}", time.by_time, time.by_time),
            by_uuid,
            form: format!("{sign} {}", time.name),
            test: Test::Between { low: time.value, high: time.value, negated },
        }
    }

    /// `IN`, and `= ANY` of an array.
    fn one_of_times(&mut self) -> Atom {
        let count = 1 + self.random.below(4);
        let times: Vec<Option<Time>> = (0..count)
            .map(|_| if self.random.percent(8) { None } else { Some(self.times.near(self.random)) })
            .collect();
        let literals: Vec<String> =
            times.iter().map(|time| literal(time.map(|time| time.to_string()), "timestamptz")).collect();
        let array = format!("ARRAY[{}]", literals.join(", "));
        let (by_call, name) = match self.random.below(3) {
            0 => (format!("{ID} IN ({})", literals.join(", ")), "constant"),
            1 if self.prepared => (format!("{ID} = ANY ({})", self.parameter("timestamptz[]", array)), "parameter"),
            _ => (format!("{ID} = ANY ({array})"), "constant"),
        };
        let each = |at: &dyn Fn(Time) -> String| {
            let parts = times.iter().map(|time| time.map_or("NULL".to_owned(), |time| format!("({})", at(time))));
            parts.collect::<Vec<_>>().join(" OR ")
        };
        let between = |time: Time| {
            let next = points::text(points::floor(time.next()));
            format!("{ID} >= '{}'::uuid AND {ID} < '{next}'::uuid", points::text(points::floor(time)))
        };
        Atom {
            by_call: Some(by_call),
            // For a parameter, the range from the first to the last is read.
            comparable: name == "constant" && times.iter().all(Option::is_some),
            by_time: each(&|time| format!("{ID} BETWEEN '{time}'::timestamptz AND '{time}'::timestamptz")),
            by_uuid: each(&between),
            form: format!("IN {name}"),
            test: Test::OneOf(times),
        }
    }

    /// `<@`, or `@>` with the operands exchanged.
    fn contained(&mut self, range: &str) -> String {
        if self.random.percent(30) { format!("{range} @> {}", ID) } else { format!("{} <@ {range}", ID) }
    }

    /// False for every UUID, null without one.
    fn no_uuid(&self) -> String {
        self.first_and_last(&uuid_literal(MAX), &uuid_literal(NIL))
    }

    /// True for every UUID, null without one.
    fn any_uuid(&self) -> String {
        format!("{} <= {}", ID, uuid_literal(MAX))
    }

    fn between_uuids(&self, range: Range) -> String {
        let Range::Between(lower, upper) = range else { return self.no_uuid() };
        let part = |end: End, comparison: fn((Time, bool)) -> Comparison| {
            let (comparison, uuid) = comparison(end?).with_uuid(end?.0);
            Some(format!("{} {} {}", ID, comparison.sign(), uuid_literal(uuid)))
        };
        let parts = [part(lower, lower_comparison), part(upper, upper_comparison)];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        if parts.is_empty() { self.any_uuid() } else { parts.join(" AND ") }
    }

    fn one_of(&self, ranges: &[Option<Range>]) -> String {
        let parts = ranges.iter().map(|range| range.map_or("NULL".to_owned(), |range| self.between_uuids(range)));
        let parts: Vec<String> = parts.map(|part| format!("({part})")).collect();
        if parts.is_empty() { self.no_uuid() } else { parts.join(" OR ") }
    }

    fn first_and_last(&self, first: &str, last: &str) -> String {
        format!("{id} >= {first} AND {id} <= {last}", id = ID)
    }

    fn range(&mut self) -> Atom {
        let spelling = self.spelling();
        if spelling == Spelling::Column {
            return Atom {
                by_call: None,
                comparable: true,
                test: Test::Within(Value::OfAsked(|asked| asked.r)),
                by_time: self.contained("a.r"),
                by_uuid: self.first_and_last("a.r_first", "a.r_last"),
                form: "<@ column".to_owned(),
            };
        }
        if spelling == Spelling::Subquery {
            let asked = self.random.pick(self.asked);
            let of = |column: &str| format!("(SELECT {column} FROM asked WHERE n = {})", asked.n);
            return Atom {
                by_call: None,
                comparable: true,
                test: Test::Within(Value::Known(asked.r)),
                by_time: self.contained(&of("r")),
                by_uuid: self.first_and_last(&of("r_first"), &of("r_last")),
                form: "<@ subquery".to_owned(),
            };
        }
        let range = if self.random.percent(4) { None } else { Some(data::range(self.random, self.times)) };
        let shown = range.map(|range| range.to_string());
        let ends = range.map(Range::first_and_last);
        let first = ends.map(|(first, _)| points::text(first));
        let last = ends.map(|(_, last)| points::text(last));
        let (by_time, by_uuid) = match spelling {
            Spelling::Parameter => {
                let by_time = self.parameter("tstzrange", literal(shown, "tstzrange"));
                let first = self.parameter("uuid", literal(first, "uuid"));
                let last = self.parameter("uuid", literal(last, "uuid"));
                (by_time, self.first_and_last(&first, &last))
            }
            Spelling::Stable => {
                let by_time = self.setting("tstzrange", shown.as_deref());
                let (first, last) = (self.setting("uuid", first.as_deref()), self.setting("uuid", last.as_deref()));
                (by_time, self.first_and_last(&first, &last))
            }
            _ => (literal(shown, "tstzrange"), range.map_or("NULL".to_owned(), |range| self.between_uuids(range))),
        };
        Atom {
            by_call: None,
            comparable: range.is_none_or(Range::is_proper),
            test: Test::Within(Value::Known(range)),
            by_time: self.contained(&by_time),
            by_uuid,
            form: format!("<@ {}", spelling.name()),
        }
    }

    /// `<@ tstzrange(low, high, bounds)`, with each time written in its own way.
    fn range_of_two_times(&mut self) -> Atom {
        let (first, second) = (self.time(), self.time());
        let (Value::Known(a), Value::Known(b)) = (first.value, second.value) else { return self.range() };
        // A null bound means unbounded.
        let ordered = match (a, b) {
            (Some(a), Some(b)) => a <= b,
            _ => true,
        };
        let (low, high, a, b) = if ordered { (first, second, a, b) } else { (second, first, b, a) };
        let bounds = *self.random.pick(&["[)", "[)", "[]", "(]", "()"]);
        let lower = a.map(|time| (time, bounds.starts_with('[')));
        let upper = b.map(|time| (time, bounds.ends_with(']')));
        let range = Range::new(lower, upper);
        let part = |end: End, spelled: &Spelled, comparison: fn((Time, bool)) -> Comparison| {
            end.map(|end| self.stands_for(comparison(end), spelled))
        };
        let parts = [part(lower, &low, lower_comparison), part(upper, &high, upper_comparison)];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let by_uuid = match range {
            Range::Empty => self.no_uuid(),
            Range::Between(..) if parts.is_empty() => self.any_uuid(),
            Range::Between(..) => parts.join(" AND "),
        };
        let by_time = self.contained(&format!("tstzrange({}, {}, '{bounds}')", low.by_time, high.by_time));
        Atom {
            by_call: None,
            // The range is a single value, known when both times are known; before that, a query can be planned better with only
            // one of them. For two subqueries, PostgreSQL computes the range, and may also read the partition for nulls.
            comparable: range.is_proper() && low.name == high.name && low.name != "subquery",
            test: Test::Within(Value::Known(Some(range))),
            by_time,
            by_uuid,
            form: format!("<@ tstzrange({}, {})", low.name, high.name),
        }
    }

    fn each_time(&mut self) -> Atom {
        let comparison = *self.random.pick(&Comparison::ALL);
        let count = self.random.below(4);
        let times: Option<Vec<Option<Time>>> = if self.random.percent(5) {
            None
        } else {
            Some(
                (0..count)
                    .map(|_| if self.random.percent(8) { None } else { Some(self.times.near(self.random)) })
                    .collect(),
            )
        };
        let array = |element: &dyn Fn(Time) -> String| {
            times.as_ref().map(|times| {
                let times =
                    times.iter().map(|time| time.map_or("NULL".to_owned(), |time| format!("\"{}\"", element(time))));
                format!("{{{}}}", times.collect::<Vec<_>>().join(","))
            })
        };
        let of_times = array(&|time| time.to_string());
        let of_uuids = array(&|time| points::text(comparison.with_uuid(time).1));
        let parameter = self.prepared && self.random.percent(50);
        let (by_time, by_uuid, name) = if parameter {
            (
                self.parameter("timestamptz[]", literal(of_times, "timestamptz[]")),
                self.parameter("uuid[]", literal(of_uuids, "uuid[]")),
                "parameter",
            )
        } else {
            (literal(of_times, "timestamptz[]"), literal(of_uuids, "uuid[]"), "constant")
        };
        let all = self.random.percent(30);
        let which = if all { "ALL" } else { "ANY" };
        let with_uuid = comparison.with_uuid(Time(0)).0.sign();
        Atom {
            by_call: None,
            // PostgreSQL does not let extensions rewrite ANY, so only members of a family are treated like comparisons of UUIDs.
            // tests/forms.rs tests which use an index.
            comparable: false,
            by_time: format!("{} {} {which} ({by_time})", ID, comparison.sign()),
            by_uuid: format!("{} {with_uuid} {which} ({by_uuid})", ID),
            form: format!("{} {which} {name}", comparison.sign()),
            test: Test::CompareEach { comparison, times, all },
        }
    }

    fn any_range(&mut self) -> Atom {
        let count = self.random.below(4);
        let ranges: Vec<Option<Range>> = (0..count)
            .map(|_| if self.random.percent(8) { None } else { Some(data::range(self.random, self.times)) })
            .collect();
        let elements = ranges.iter().map(|range| literal(range.map(|range| range.to_string()), "tstzrange"));
        let elements: Vec<String> = elements.collect();
        Atom {
            by_call: None,
            by_time: format!("{} <@ ANY (ARRAY[{}]::tstzrange[])", ID, elements.join(", ")),
            by_uuid: if ranges.is_empty() { "false".to_owned() } else { self.one_of(&ranges) },
            form: "<@ ANY constant".to_owned(),
            comparable: false,
            test: Test::WithinAny(ranges),
        }
    }

    fn multirange(&mut self) -> Atom {
        let count = self.random.below(4);
        let ranges: Vec<Option<Range>> = (0..count).map(|_| Some(data::range(self.random, self.times))).collect();
        let texts = ranges.iter().flatten().map(Range::to_string).filter(|text| text != "empty");
        let multirange = format!("{{{}}}", texts.collect::<Vec<_>>().join(","));
        let spelling = self.spelling();
        let (by_time, name) = match spelling {
            Spelling::Parameter => {
                (self.parameter("tstzmultirange", literal(Some(multirange), "tstzmultirange")), "parameter")
            }
            Spelling::Stable => (self.setting("tstzmultirange", Some(&multirange)), "stable"),
            _ => (literal(Some(multirange), "tstzmultirange"), "constant"),
        };
        Atom {
            by_call: None,
            // An index scan covers the range from the first to the last instant, not each range.
            comparable: false,
            by_time: self.contained(&by_time),
            by_uuid: self.one_of(&ranges),
            form: format!("<@ multirange {name}"),
            test: Test::WithinMultirange(ranges),
        }
    }

    /// A range of times without a zone, in the session's time zone.
    fn naive_range(&mut self) -> Atom {
        let (lower, upper) = data::ends(self.random, self.times);
        // In another time zone, these times do not exist.
        let last_of_all = |end: End| end.is_some_and(|(time, _)| time == Time::FIRST || time == Time::LAST);
        if last_of_all(lower) || last_of_all(upper) {
            return self.range();
        }
        let text = range_text(lower, upper, |time| time.on_clock(self.zone));
        let range = Range::new(lower, upper);
        Atom {
            by_call: None,
            comparable: range.is_proper(),
            by_time: self.contained(&literal(Some(text), "tsrange")),
            by_uuid: self.between_uuids(range),
            form: "<@ tsrange constant".to_owned(),
            test: Test::Within(Value::Known(Some(range))),
        }
    }

    /// The operators that complete the family, in which a time stands for a UUID.
    fn member(&mut self) -> Atom {
        let time = self.times.near(self.random);
        let (sign, comparison) = *self.random.pick(&[("<=|", Comparison::LessOrEqual), (">|", Comparison::Greater)]);
        let uuid = points::floor(time);
        Atom {
            by_call: None,
            // Users do not write them, so only their results matter.
            comparable: false,
            test: Test::CompareUuid(comparison, uuid),
            by_time: format!("{} {sign} {}", ID, literal(Some(time.to_string()), "timestamptz")),
            by_uuid: format!("{} {} {}", ID, comparison.sign(), uuid_literal(uuid)),
            form: format!("{sign} constant"),
        }
    }

    fn uuid(&mut self) -> Atom {
        let comparison = *self.random.pick(&Comparison::ALL);
        let uuid = self.times.uuid(self.random, Kind::Any);
        let text = format!("{} {} {}", ID, comparison.sign(), uuid_literal(uuid));
        Atom {
            by_call: None,
            comparable: true,
            test: Test::CompareUuid(comparison, uuid),
            by_time: text.clone(),
            by_uuid: text,
            form: format!("{} uuid", comparison.sign()),
        }
    }
}

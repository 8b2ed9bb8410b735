//! Conditions, written with times, with UUIDs, and with calls of functions that read times from UUIDs.

use server_tests::oracle::{self, Comparison, End, MAX, NIL, Range, Time, lower_comparison, upper_comparison};
use server_tests::random::Random;

use super::data::{self, Asked, Kind, Row, Times};

/// The placeholder for the UUID in a condition.
pub const ID: &str = "\u{1}";
/// The placeholder for the expression that reads the UUID's time.
pub const TIME: &str = "\u{2}";

const DAY: i64 = 86_400_000_000;

/// What the comparisons of a condition compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrittenWith {
    /// The UUID with times.
    Time,
    /// The UUID with UUIDs.
    Uuid,
    /// The time that a function reads from the UUID (null unless the version is 7) with times.
    Call,
}

/// A condition ("qual" in PostgreSQL's source) on the UUID of a row and, in a join, on a row of `asked`.
#[derive(Clone, Debug)]
pub enum Qual {
    One(Atom),
    And(Vec<Qual>),
    Or(Vec<Qual>),
    Not(Box<Qual>),
}

/// A simple condition.
#[derive(Clone, Debug, Default)]
pub struct Atom {
    by_time: String,
    by_uuid: String,
    /// The condition on the time that a function returns, if it is not `by_time` with the call in place of the UUID.
    by_call: Option<String>,
    /// Whether the conditions with times and with UUIDs can be planned alike. For example, they cannot if a null is inside an
    /// array, where the planner does not see it, or if the condition is true or false for every UUID and so needs no index.
    comparable: bool,
    /// Whether the condition compares the UUID with another UUID.
    uuid_only: bool,
    /// Whether the condition is written only with calls, so that its expected result is that of the server without rewriting.
    calls_only: bool,
    /// Whether the condition is `NOT BETWEEN`, which the planner treats as an OR.
    negated: bool,
    /// The form of the condition, as shown in a report.
    form: String,
}

/// Where a query has a time or a range from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Constant,
    Parameter,
    Stable,
    Subquery,
    Column,
}

impl Source {
    fn name(self) -> String {
        format!("{self:?}").to_lowercase()
    }
}

/// Generates conditions, and collects the parameters and settings that a query with them needs.
pub struct Writer<'a> {
    pub random: &'a mut Random,
    pub times: &'a Times,
    pub asked: &'a [Asked],
    pub rows: &'a [Row],
    pub templates: bool,
    /// Whether the query has a row of `asked`, named `a`.
    pub joined: bool,
    pub prepared: bool,
    /// The type and the value of each parameter, written as SQL.
    pub parameters: Vec<(&'static str, String)>,
    /// Settings that stable expressions read.
    pub settings: Vec<String>,
    /// Microseconds by which the session's time zone is ahead of UTC.
    pub zone: i64,
}

/// A time in a query, and the UUIDs to compare with instead, from the same source.
pub struct TimeOperand {
    /// The time, which may be null; `None` if the time is a column of a joined row of `asked`.
    value: Option<Option<Time>>,
    pub by_time: String,
    floor: String,
    floor_of_next: String,
    name: String,
}

impl TimeOperand {
    /// Returns the comparison with a UUID that is equivalent to the given comparison with the time.
    fn uuid_comparison(&self, comparison: Comparison) -> String {
        match comparison {
            Comparison::Less => format!("{ID} < {}", self.floor),
            Comparison::LessOrEqual => format!("{ID} < {}", self.floor_of_next),
            Comparison::GreaterOrEqual => format!("{ID} >= {}", self.floor),
            Comparison::Greater => format!("{ID} >= {}", self.floor_of_next),
        }
    }
}

fn literal(value: Option<String>, of: &str) -> String {
    value.map_or_else(|| format!("NULL::{of}"), |value| format!("'{value}'::{of}"))
}

fn uuid_literal(uuid: u128) -> String {
    literal(Some(oracle::text(uuid)), "uuid")
}

fn first_and_last(first: &str, last: &str) -> String {
    format!("{ID} >= {first} AND {ID} <= {last}")
}

/// Returns a condition that is false for every UUID and null for null.
fn no_uuid() -> String {
    first_and_last(&uuid_literal(MAX), &uuid_literal(NIL))
}

/// Combines the conditions for the bounds of a range. Without any, the result is true for every UUID and null for null.
fn both(ends: [Option<String>; 2]) -> String {
    let ends: Vec<String> = ends.into_iter().flatten().collect();
    if ends.is_empty() { format!("{ID} <= {}", uuid_literal(MAX)) } else { ends.join(" AND ") }
}

fn between_uuids(range: Range) -> String {
    let Range::Between(lower, upper) = range else { return no_uuid() };
    let part = |end: End, comparison: fn((Time, bool)) -> Comparison| {
        let (comparison, uuid) = comparison(end?).with_uuid(end?.0);
        Some(format!("{ID} {} {}", comparison.sign(), uuid_literal(uuid)))
    };
    both([part(lower, lower_comparison), part(upper, upper_comparison)])
}

fn any_of<T: Copy>(values: &[Option<T>], condition: impl Fn(T) -> String) -> String {
    let parts = values.iter().map(|value| value.map_or("NULL".to_owned(), |value| format!("({})", condition(value))));
    parts.collect::<Vec<_>>().join(" OR ")
}

impl Qual {
    /// Returns the condition as SQL, where `id` is the expression for the UUID and `call` that for its time.
    pub fn to_sql(&self, with: WrittenWith, id: &str, call: &str) -> String {
        self.join(&|atom| match with {
            WrittenWith::Uuid => atom.by_uuid.replace(ID, id),
            WrittenWith::Call if !atom.uuid_only && !atom.calls_only => {
                atom.by_call.as_ref().unwrap_or(&atom.by_time).replace(ID, call)
            }
            WrittenWith::Time | WrittenWith::Call => atom.by_time.replace(ID, id).replace(TIME, call),
        })
    }

    fn join(&self, atom: &impl Fn(&Atom) -> String) -> String {
        let join = |parts: &[Qual], with: &str| {
            let parts: Vec<String> = parts.iter().map(|part| format!("({})", part.join(atom))).collect();
            parts.join(with)
        };
        match self {
            Qual::One(one) => atom(one),
            Qual::And(parts) => join(parts, " AND "),
            Qual::Or(parts) => join(parts, " OR "),
            Qual::Not(part) => format!("NOT ({})", part.join(atom)),
        }
    }

    /// Whether the plans with times and with UUIDs may be compared.
    pub fn is_comparable(&self) -> bool {
        match self {
            Qual::One(atom) => atom.comparable,
            Qual::And(parts) | Qual::Or(parts) => parts.iter().all(Qual::is_comparable),
            // The negation of = is <>, which is not indexable.
            Qual::Not(part) => part.is_comparable() && !part.has_equality(),
        }
    }

    fn has_equality(&self) -> bool {
        self.has(&|atom| atom.by_call.is_some())
    }

    pub fn has_calls_only(&self) -> bool {
        self.has(&|atom| atom.calls_only)
    }

    fn has(&self, property: &impl Fn(&Atom) -> bool) -> bool {
        match self {
            Qual::One(atom) => property(atom),
            Qual::And(parts) | Qual::Or(parts) => parts.iter().any(|part| part.has(property)),
            Qual::Not(part) => part.has(property),
        }
    }

    /// Whether the condition contains an OR, or a NOT, which may become one. From an OR over two tables, the planner extracts the
    /// part about one of them if its estimates favor doing so.
    pub fn has_or(&self) -> bool {
        match self {
            Qual::One(atom) => atom.negated,
            Qual::And(parts) => parts.iter().any(Qual::has_or),
            Qual::Or(_) | Qual::Not(_) => true,
        }
    }

    /// Returns the forms of the simple conditions, combined like the conditions.
    pub fn forms(&self) -> String {
        let join = |parts: &[Qual], with: &str| {
            let mut parts: Vec<String> = parts.iter().map(Qual::forms).collect();
            parts.sort();
            parts.dedup();
            format!("({})", parts.join(with))
        };
        match self {
            Qual::One(atom) => atom.form.clone(),
            Qual::And(parts) => join(parts, " and "),
            Qual::Or(parts) => join(parts, " or "),
            Qual::Not(part) => format!("not {}", part.forms()),
        }
    }
}

impl Atom {
    fn new(form: String, by_time: String, by_uuid: String) -> Atom {
        Atom { form, by_time, by_uuid, comparable: true, ..Atom::default() }
    }

    pub fn with_calls_only(form: String, sql: String) -> Atom {
        Atom { comparable: false, calls_only: true, ..Atom::new(form, sql, String::new()) }
    }

    fn uuid(comparison: Comparison, uuid: u128) -> Atom {
        let sql = format!("{ID} {} {}", comparison.sign(), uuid_literal(uuid));
        let form = format!("{} uuid", comparison.sign());
        Atom { uuid_only: true, ..Atom::new(form, sql.clone(), sql) }
    }

    fn between(low: &TimeOperand, high: &TimeOperand, negated: bool) -> Atom {
        let not = if negated { "NOT " } else { "" };
        let form = format!("{not}BETWEEN {} AND {}", low.name, high.name);
        let by_time = format!("{ID} {not}BETWEEN {} AND {}", low.by_time, high.by_time);
        let (from, to) =
            (low.uuid_comparison(Comparison::GreaterOrEqual), high.uuid_comparison(Comparison::LessOrEqual));
        Atom { negated, ..Atom::new(form, by_time, format!("{not}({from} AND {to})")) }
    }
}

impl Writer<'_> {
    /// Generates a condition: in half of the cases a simple one, whose form a report can name, and otherwise a combination.
    pub fn condition(&mut self) -> Qual {
        match self.random.below(10) {
            0..=4 => Qual::One(self.atom()),
            5 => Qual::Not(Box::new(self.nested(1))),
            _ => self.nested(2),
        }
    }

    fn nested(&mut self, depth: usize) -> Qual {
        if depth == 0 || self.random.percent(20) {
            return Qual::One(self.atom());
        }
        let count = 2 + self.random.below(2);
        match self.random.below(5) {
            0 => Qual::Not(Box::new(self.nested(depth - 1))),
            1 | 2 => Qual::Or((0..count).map(|_| self.nested(depth - 1)).collect()),
            _ => Qual::And((0..count).map(|_| self.nested(depth - 1)).collect()),
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
            17 => self.multirange(),
            19 if self.random.percent(30) => self.member(),
            _ => self.uuid(),
        }
    }

    fn source(&mut self) -> Source {
        let source = *self.random.pick(&[
            Source::Constant,
            Source::Constant,
            Source::Parameter,
            Source::Stable,
            Source::Subquery,
            Source::Column,
            Source::Column,
        ]);
        match source {
            Source::Parameter if !self.prepared => Source::Constant,
            Source::Column if !self.joined => Source::Subquery,
            source => source,
        }
    }

    fn parameter(&mut self, of: &'static str, value: String) -> String {
        self.parameters.push((of, value));
        format!("${}", self.parameters.len())
    }

    /// Returns a value that is not a column as SQL, from a given source. A stable expression reads the value from a setting.
    fn value(&mut self, source: Source, value: Option<String>, of: &'static str) -> String {
        match source {
            Source::Parameter => self.parameter(of, literal(value, of)),
            Source::Stable => {
                let name = format!("difference.v{}", self.settings.len());
                self.settings.push(format!("SET LOCAL {name} = '{}'", value.unwrap_or_default()));
                format!("nullif(current_setting('{name}'), '')::{of}")
            }
            _ => literal(value, of),
        }
    }

    /// Returns the SQL that reads the column `{}` of `asked`, and the row if it is known; `None` if the source is no row.
    fn asked_column(&mut self, source: Source) -> Option<(String, Option<&Asked>)> {
        match source {
            Source::Column => Some(("a.{}".to_owned(), None)),
            Source::Subquery => {
                let asked = self.random.pick(self.asked);
                Some((format!("(SELECT {{}} FROM asked WHERE n = {})", asked.n), Some(asked)))
            }
            _ => None,
        }
    }

    pub fn time(&mut self) -> TimeOperand {
        let source = self.source();
        let columns: [(_, fn(&Asked) -> _); 2] = [("a", |asked| asked.a), ("b", |asked| asked.b)];
        let (column, value_of) = *self.random.pick(&columns);
        if let Some((sql, asked)) = self.asked_column(source) {
            let value = asked.map(value_of);
            let column = |suffix: &str| sql.replace("{}", &format!("{column}{suffix}"));
            let (by_time, floor, floor_of_next) = (column(""), column("_floor"), column("_next"));
            return TimeOperand { value, by_time, floor, floor_of_next, name: source.name() };
        }
        let mut time = self.random.null_or(4, |random| self.times.near(random));
        // PostgreSQL interprets a date or a timestamp without time zone in the session's time zone.
        let naive = time.filter(|time| time.is_finite() && *time != Time::FIRST && *time != Time::LAST);
        let naive =
            naive.filter(|_| source == Source::Stable && !self.templates && self.random.percent(40)).map(|exact| {
                if self.random.percent(50) {
                    return format!("timestamp '{}'", exact.on_clock(self.zone));
                }
                let midnight = Time(exact.0 - (exact.0 + self.zone).rem_euclid(DAY));
                time = Some(midnight);
                format!("date '{}'", midnight.on_clock(self.zone))
            });
        let name = if naive.is_some() { "without zone".to_owned() } else { source.name() };
        let by_time = match (naive, time) {
            (Some(naive), _) => naive,
            (None, Some(time))
                if source == Source::Stable && time.is_finite() && time.plus(-7) != time && self.random.percent(50) =>
            {
                format!("(timestamptz '{}' + interval '7 microseconds')", time.plus(-7))
            }
            _ => self.value(source, time.map(|time| time.to_string()), "timestamptz"),
        };
        let floor = self.value(source, time.map(oracle::floor_text), "uuid");
        let floor_of_next = self.value(source, time.map(|time| oracle::floor_text(time.next())), "uuid");
        TimeOperand { value: Some(time), by_time, floor, floor_of_next, name }
    }

    /// Returns `count` times, some of which may be null.
    fn times(&mut self, count: usize) -> Vec<Option<Time>> {
        (0..count).map(|_| self.random.null_or(8, |random| self.times.near(random))).collect()
    }

    fn comparison(&mut self) -> Atom {
        let comparison = *self.random.pick(&Comparison::ALL);
        let time = self.time();
        let by_time = if self.random.percent(30) {
            format!("{} {} {ID}", time.by_time, comparison.commuted_sign())
        } else {
            format!("{ID} {} {}", comparison.sign(), time.by_time)
        };
        let form = format!("{} {}", comparison.sign(), time.name);
        Atom::new(form, by_time, time.uuid_comparison(comparison))
    }

    fn between(&mut self) -> Atom {
        let (low, high, negated) = (self.time(), self.time(), self.random.percent(30));
        Atom::between(&low, &high, negated)
    }

    /// Generates `=` or `<>` for the time that a function reads, and the equivalent `BETWEEN` with equal bounds for the UUID.
    fn equal(&mut self) -> Atom {
        let (time, negated) = (self.time(), self.random.percent(20));
        let sign = if negated { "<>" } else { "=" };
        let by_call = if self.random.percent(30) {
            format!("{} {sign} {ID}", time.by_time)
        } else {
            format!("{ID} {sign} {}", time.by_time)
        };
        let form = format!("{sign} {}", time.name);
        // PostgreSQL does not use an index for <>.
        Atom { by_call: Some(by_call), comparable: !negated, form, ..Atom::between(&time, &time, negated) }
    }

    /// Generates `IN`, or `= ANY` of an array.
    fn one_of_times(&mut self) -> Atom {
        let count = 1 + self.random.below(4);
        let times = self.times(count);
        let literals = times.iter().map(|time| literal(time.map(|time| time.to_string()), "timestamptz"));
        let literals = literals.collect::<Vec<_>>().join(", ");
        let array = format!("ARRAY[{literals}]");
        let (by_call, name) = match self.random.below(3) {
            0 => (format!("{ID} IN ({literals})"), "constant"),
            1 if self.prepared => (format!("{ID} = ANY ({})", self.parameter("timestamptz[]", array)), "parameter"),
            _ => (format!("{ID} = ANY ({array})"), "constant"),
        };
        // With a parameter, an index scan covers the span of the times.
        let comparable = name == "constant" && times.iter().all(Option::is_some);
        let by_time = any_of(&times, |time| format!("{ID} BETWEEN '{time}'::timestamptz AND '{time}'::timestamptz"));
        let by_uuid = any_of(&times, |time| between_uuids(Range::new(Some((time, true)), Some((time, true)))));
        Atom { by_call: Some(by_call), comparable, ..Atom::new(format!("IN {name}"), by_time, by_uuid) }
    }

    /// Writes `<@`, or `@>` with the operands exchanged.
    fn contained(&mut self, range: &str) -> String {
        if self.random.percent(30) { format!("{range} @> {ID}") } else { format!("{ID} <@ {range}") }
    }

    fn range(&mut self) -> Atom {
        let source = self.source();
        let form = format!("<@ {}", source.name());
        if let Some((sql, _)) = self.asked_column(source) {
            let [range, first, last] = ["r", "r_first", "r_last"].map(|column| sql.replace("{}", column));
            return Atom::new(form, self.contained(&range), first_and_last(&first, &last));
        }
        let range = self.random.null_or(4, |random| data::range(random, self.times));
        let by_time = self.value(source, range.map(|range| range.to_string()), "tstzrange");
        let by_uuid = if source == Source::Constant {
            range.map_or("NULL".to_owned(), between_uuids)
        } else {
            let ends = range.map(Range::first_and_last);
            let first = self.value(source, ends.map(|(first, _)| oracle::text(first)), "uuid");
            first_and_last(&first, &self.value(source, ends.map(|(_, last)| oracle::text(last)), "uuid"))
        };
        let comparable = range.is_none_or(Range::is_proper);
        Atom { comparable, ..Atom::new(form, self.contained(&by_time), by_uuid) }
    }

    /// Generates `<@ tstzrange(low, high, bounds)`, with each time from a source of its own.
    fn range_of_two_times(&mut self) -> Atom {
        let (first, second) = (self.time(), self.time());
        let (Some(a), Some(b)) = (first.value, second.value) else { return self.range() };
        // A null bound makes the range unbounded on that side.
        let ordered = a.zip(b).is_none_or(|(a, b)| a <= b);
        let (low, high, a, b) = if ordered { (first, second, a, b) } else { (second, first, b, a) };
        let bounds = *self.random.pick(&["[)", "[)", "[]", "(]", "()"]);
        let lower = a.map(|time| (time, bounds.starts_with('[')));
        let upper = b.map(|time| (time, bounds.ends_with(']')));
        let range = Range::new(lower, upper);
        let by_uuid = if range == Range::Empty {
            no_uuid()
        } else {
            both([
                lower.map(|end| low.uuid_comparison(lower_comparison(end))),
                upper.map(|end| high.uuid_comparison(upper_comparison(end))),
            ])
        };
        let by_time = self.contained(&format!("tstzrange({}, {}, '{bounds}')", low.by_time, high.by_time));
        // The planner knows the range only if it knows both times, but can use a comparison with one of them. For two subqueries,
        // PostgreSQL computes the range and may also read the partition for nulls.
        let comparable = range.is_proper() && low.name == high.name && low.name != "subquery";
        let form = format!("<@ tstzrange({}, {})", low.name, high.name);
        Atom { comparable, ..Atom::new(form, by_time, by_uuid) }
    }

    fn each_time(&mut self) -> Atom {
        let comparison = *self.random.pick(&Comparison::ALL);
        let count = self.random.below(4);
        let times = if self.random.percent(5) { None } else { Some(self.times(count)) };
        let array = |element: &dyn Fn(Time) -> String| {
            let element = |time: &Option<Time>| time.map_or("NULL".to_owned(), |time| format!("\"{}\"", element(time)));
            times.as_ref().map(|times| format!("{{{}}}", times.iter().map(element).collect::<Vec<_>>().join(",")))
        };
        let of_times = array(&|time| time.to_string());
        let of_uuids = array(&|time| oracle::text(comparison.with_uuid(time).1));
        let parameter = self.prepared && self.random.percent(50);
        let source = if parameter { Source::Parameter } else { Source::Constant };
        let (by_time, by_uuid) =
            (self.value(source, of_times, "timestamptz[]"), self.value(source, of_uuids, "uuid[]"));
        let all = self.random.percent(30);
        let which = if all { "ALL" } else { "ANY" };
        let sign = comparison.sign();
        let with_uuid = comparison.with_uuid(Time(0)).0.sign();
        let atom = Atom::new(
            format!("{sign} {which} {}", source.name()),
            format!("{ID} {sign} {which} ({by_time})"),
            format!("{ID} {with_uuid} {which} ({by_uuid})"),
        );
        // With ANY, only operators that are members of a family are planned like comparisons of UUIDs. tests/server/tests/forms.rs
        // tests which conditions use an index.
        Atom { comparable: false, ..atom }
    }

    fn any_range(&mut self) -> Atom {
        let count = self.random.below(4);
        let ranges: Vec<Option<Range>> =
            (0..count).map(|_| self.random.null_or(8, |random| data::range(random, self.times))).collect();
        let elements = ranges.iter().map(|range| literal(range.map(|range| range.to_string()), "tstzrange"));
        let elements = elements.collect::<Vec<_>>().join(", ");
        let by_uuid = if ranges.is_empty() { "false".to_owned() } else { any_of(&ranges, between_uuids) };
        let by_time = format!("{ID} <@ ANY (ARRAY[{elements}]::tstzrange[])");
        Atom { comparable: false, ..Atom::new("<@ ANY constant".to_owned(), by_time, by_uuid) }
    }

    fn multirange(&mut self) -> Atom {
        let count = self.random.below(4);
        let ranges: Vec<Option<Range>> = (0..count).map(|_| Some(data::range(self.random, self.times))).collect();
        let texts = ranges.iter().flatten().map(Range::to_string).filter(|text| text != "empty");
        let multirange = format!("{{{}}}", texts.collect::<Vec<_>>().join(","));
        let source = match self.source() {
            Source::Subquery | Source::Column => Source::Constant,
            source => source,
        };
        let by_time = self.value(source, Some(multirange), "tstzmultirange");
        let by_uuid = if ranges.is_empty() { no_uuid() } else { any_of(&ranges, between_uuids) };
        let form = format!("<@ multirange {}", source.name());
        // An index scan covers the span of the ranges, not each range on its own.
        Atom { comparable: false, ..Atom::new(form, self.contained(&by_time), by_uuid) }
    }

    /// Generates a comparison with one of the operators that complete the family, in which a time represents its floor.
    fn member(&mut self) -> Atom {
        let time = self.times.near(self.random);
        let (sign, comparison) = *self.random.pick(&[("<=|", Comparison::LessOrEqual), (">|", Comparison::Greater)]);
        let by_time = format!("{ID} {sign} {}", literal(Some(time.to_string()), "timestamptz"));
        // Users do not write these operators in queries, so only their results are checked.
        Atom {
            comparable: false,
            form: format!("{sign} constant"),
            by_time,
            ..Atom::uuid(comparison, oracle::floor(time))
        }
    }

    fn uuid(&mut self) -> Atom {
        let comparison = *self.random.pick(&Comparison::ALL);
        Atom::uuid(comparison, self.times.uuid(self.random, Kind::Any))
    }
}

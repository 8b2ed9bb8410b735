//! Conditions on functions of the time, and on the text of a UUID. The expected result is that of the server without rewriting.

use server_tests::oracle;

use super::condition::{Atom, ID, TIME, Writer};
use super::data::Kind;

/// Pairs of a function of a row's time `{t}` and a value to compare it with, computed from a time `{v}`. Both can use a time `{w}`.
const WRAPPERS: [(&str, &str); 35] = [
    ("{t}::date", "{v}::date"),
    ("date({t})", "{v}::timestamp"),
    ("{t}::timestamp", "{v}::timestamp"),
    ("{t}::timestamp", "{v}::date"),
    ("({t} AT TIME ZONE '{zone}')", "({v} AT TIME ZONE '{zone}')"),
    ("({t} AT TIME ZONE '{zone}')::date", "({v} AT TIME ZONE '{zone}')::date"),
    ("date_trunc('{unit}', {t})", "date_trunc('{unit}', {v})"),
    ("date_trunc('{unit}', {t})", "{v}"),
    ("date_trunc('{unit}', {t})", "{v}::date"),
    ("date_trunc('{unit}', {t}, '{zone}')", "date_trunc('{unit}', {v}, '{zone}')"),
    ("date_trunc('{unit}', {t}, '{zone}')", "{v}"),
    ("date_trunc('{unit}', {t} AT TIME ZONE '{zone}')", "date_trunc('{unit}', {v} AT TIME ZONE '{zone}')"),
    ("date_trunc('{unit}', {t}::timestamp)", "{v}::timestamp"),
    ("date_bin('{stride}', {t}, {w})", "date_bin('{stride}', {v}, {w})"),
    ("date_bin('{stride}', {t}, {w})", "{v}"),
    ("date_bin('{stride}', {t}::timestamp, {w}::timestamp)", "date_bin('{stride}', {v}::timestamp, {w}::timestamp)"),
    ("extract(year FROM {t})", "extract(year FROM {v})"),
    ("extract(year FROM {t} AT TIME ZONE '{zone}')", "extract(year FROM {v} AT TIME ZONE '{zone}')"),
    ("date_part('year', {t})", "date_part('year', {v})"),
    ("extract(epoch FROM {t})", "extract(epoch FROM {v})"),
    ("extract(epoch FROM {t})", "round(extract(epoch FROM {v}))"),
    ("date_part('epoch', {t})", "date_part('epoch', {v})"),
    ("to_char({t}, '{format}')", "to_char({v}, '{format}')"),
    ("to_char({t} AT TIME ZONE '{zone}', '{format}')", "to_char({v} AT TIME ZONE '{zone}', '{format}')"),
    ("({t} + interval '{interval}')", "{v}"),
    ("({t} + interval '{interval}')", "({v} + interval '{interval}')"),
    ("({t} - interval '{interval}')", "{v}"),
    ("({t} - interval '{interval}')", "({v} - interval '{interval}')"),
    ("({t} - {w})", "({v} - {w})"),
    ("({w} - {t})", "({w} - {v})"),
    ("({w} - {t})", "interval '{interval}'"),
    // The following functions are not monotonic or depend on a local time, so they must not be rewritten.
    ("extract(month FROM {t})", "extract(month FROM {v})"),
    ("extract(epoch FROM {t}::timestamp)", "extract(epoch FROM {v}::timestamp)"),
    ("to_char({t}, 'Mon YYYY')", "to_char({v}, 'Mon YYYY')"),
    ("({t} AT TIME ZONE 'CEST')", "({v} AT TIME ZONE 'CEST')"),
];

/// Comparisons of the function `{f}` with one or two values.
const COMPARISONS: [&str; 14] = [
    "{f} = {x}",
    "{f} < {x}",
    "{f} <= {x}",
    "{f} >= {x}",
    "{f} > {x}",
    "{x} = {f}",
    "{x} <= {f}",
    "{x} > {f}",
    "{f} >= {x} AND {f} < {y}",
    "{f} BETWEEN {x} AND {y}",
    "{f} IN ({x}, {y})",
    "{f} = ANY (ARRAY[{x}, {y}, NULL])",
    "{f} <> {x}",
    "{f} IS NOT DISTINCT FROM {x}",
];

/// Conditions with the texts `{x}` and `{y}` of two UUIDs, or the beginning `{p}` of one.
const TEXTS: [&str; 21] = [
    "{id}::text = '{x}'",
    "'{x}' = {id}::varchar",
    "{id}::text IN ('{x}', '{y}', NULL)",
    "{id}::text = ANY ('{{x},{y}}')",
    "{id}::text = '{x}' COLLATE \"C\"",
    "{id}::text LIKE '{p}%'",
    "starts_with({id}::text, '{p}')",
    "{id}::text ^@ '{p}'",
    "{id} ^@ '{p}'",
    "{id} ^@ ('{p}' || '')",
    "uuid_encode({id}, '{form}') = uuid_encode('{u}', '{form}')",
    "uuid_encode({id}, '{form}') IN (uuid_encode('{u}', '{form}'), '{x}')",
    "'{x}' = uuid_encode({id}, '{form}')",
    // The following conditions are not rewritten.
    "{id}::text LIKE '{p}%{p}'",
    "{id}::text LIKE '{p}_%'",
    "{id}::text NOT LIKE '{p}%'",
    "{id}::text ILIKE '{p}%'",
    "{id}::text <> '{x}'",
    "{id}::text >= '{p}'",
    "upper({id}::text) = '{x}'",
    "uuid_encode({id}, '{form}') ^@ '{p}'",
];

/// The values of the other placeholders.
const CHOICES: [(&str, &[&str]); 5] = [
    (
        "{unit}",
        &["microseconds", "milliseconds", "second", "minute", "hour", "day", "week", "month", "quarter", "year"],
    ),
    ("{stride}", &["1 millisecond", "15 minutes", "7 hours", "1 day", "30 days 1 second"]),
    ("{format}", &["YYYY", "YYYY-MM", "YYYYMMDD", "YYYY-MM-DD HH24:MI", "YYYY-MM-DD HH24:MI:SS", "YYYY-MM-DD HH24h"]),
    (
        "{interval}",
        &["0", "1 microsecond", "-36 hours", "1 day", "1 month 2 days 3 hours", "-1 year", "31 days -1 second"],
    ),
    ("{form}", &["base32", "base58", "base64url", "hex", "urn", "braces", "decimal", "oid"]),
];

impl Writer<'_> {
    /// Generates a condition whose result only the server can determine.
    pub fn template(&mut self) -> Atom {
        let (form, mut sql) = if self.random.percent(70) {
            let (function, value) = *self.random.pick(&WRAPPERS);
            let other = value.replace("{v}", "{v2}");
            let comparison = *self.random.pick(&COMPARISONS);
            (
                format!("{comparison} of {function}"),
                comparison.replace("{f}", function).replace("{x}", value).replace("{y}", &other),
            )
        } else {
            let text = *self.random.pick(&TEXTS);
            (text.to_owned(), text.to_owned())
        };
        for (placeholder, choices) in CHOICES {
            sql = sql.replace(placeholder, self.random.pick(choices));
        }
        sql = sql.replace("{zone}", self.times.zone(self.random));
        for placeholder in ["{v}", "{v2}", "{w}"] {
            if sql.contains(placeholder) {
                // Some functions raise errors for times at the ends of the type's range.
                let time = self.time().by_time;
                let time = format!("least(greatest({time}, timestamptz '1000-01-01Z'), timestamptz '12000-01-01Z')");
                sql = sql.replace(placeholder, &time);
            }
        }
        let (x, y) = (self.text(), self.text());
        let prefix = x.get(..self.random.below(x.len() + 1)).unwrap_or_default();
        let uuid = oracle::text(self.uuid_of_row());
        for (placeholder, text) in [("{x}", x.as_str()), ("{y}", &y), ("{p}", prefix), ("{u}", &uuid)] {
            sql = sql.replace(placeholder, text);
        }
        Atom::with_calls_only(form, sql.replace("{t}", TIME).replace("{id}", ID))
    }

    /// Returns the text of a UUID, sometimes invalid, or in a form that PostgreSQL reads but does not write.
    fn text(&mut self) -> String {
        let text = oracle::text(self.uuid_of_row());
        match self.random.below(12) {
            0 => text.to_uppercase(),
            1 => text.replace('-', ""),
            2 => format!("{text}0"),
            3 => text.replacen('-', "_", 1),
            _ => text,
        }
    }

    fn uuid_of_row(&mut self) -> u128 {
        let of_row = if self.rows.is_empty() { None } else { self.random.pick(self.rows).id };
        of_row.filter(|_| self.random.percent(80)).unwrap_or_else(|| self.times.uuid(self.random, Kind::Any))
    }
}

//! Statements with a condition: queries and changes of the rows for which it is true, and their correct results.

use std::cmp::Reverse;

use server_tests::points;
use server_tests::random::Random;

use super::condition::{Condition, Reading};
use super::data::{Asked, Row};
use super::schema::Schema;
use Shape::*;

/// The maximum number of rows that queries for the newest rows return.
const NEWEST: usize = 7;

/// Returns the time of a row's UUID in milliseconds since 1970, if the version is 7.
fn millis(row: &Row) -> Option<u128> {
    row.id.filter(|id| points::is_version_7(*id)).map(|id| id >> 80)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Rows,
    Ordered,
    /// The times of the newest rows.
    Newest,
    /// The times of the oldest rows, including all that equal the last of them.
    Ties,
    /// The newest rows, with a second sort key.
    Page,
    /// All times, numbered in their order.
    Numbered,
    /// The least and the greatest time.
    Extremes,
    Count,
    Answers,
    Update,
    Delete,
    Join,
    LeftJoin,
    Exists,
    NotExists,
}

impl Shape {
    pub fn choose(random: &mut Random, schema: &Schema) -> Shape {
        let shape = *random.pick(&[
            Rows, Rows, Rows, Ordered, Newest, Ties, Page, Numbered, Extremes, Count, Answers, Update, Delete, Join,
            Join, LeftJoin, Exists, NotExists,
        ]);
        if shape.writes() && !schema.writable { Rows } else { shape }
    }

    pub fn writes(self) -> bool {
        matches!(self, Update | Delete)
    }

    /// Returns whether the query need not read all rows that satisfy the condition.
    pub fn is_cut_short(self) -> bool {
        self.is_first_of_order() || matches!(self, Exists | NotExists)
    }

    /// Returns whether the query needs some or all rows in the order of the time.
    pub fn is_first_of_order(self) -> bool {
        matches!(self, Newest | Ties | Page | Numbered | Extremes)
    }

    /// Returns whether the condition can use a row of `asked`.
    pub fn joins(self) -> bool {
        matches!(self, Join | LeftJoin | Exists | NotExists)
    }

    pub fn statement(self, schema: &Schema, condition: &str) -> String {
        let id = &schema.id;
        // The order ignores microseconds, so that rows of the same millisecond are equal.
        let time = if schema.reads_micros() { format!("uuidv7_time({id})") } else { schema.time() };
        match self {
            Rows => format!("SELECT k FROM t WHERE {condition}"),
            Ordered => format!("SELECT k FROM t WHERE {condition} ORDER BY {id}"),
            Newest => format!(
                "SELECT (extract(epoch FROM {time}) * 1000)::bigint FROM t WHERE {condition} ORDER BY {time} DESC NULLS LAST LIMIT {NEWEST}"
            ),
            Ties => format!(
                "SELECT (extract(epoch FROM {time}) * 1000)::bigint FROM t WHERE {condition} ORDER BY {time} FETCH FIRST {NEWEST} ROWS WITH TIES"
            ),
            Page => format!("SELECT k FROM t WHERE {condition} ORDER BY {time} DESC, k LIMIT {NEWEST}"),
            Numbered => format!(
                "SELECT row_number() OVER (ORDER BY {time}), (extract(epoch FROM {time}) * 1000)::bigint FROM t WHERE {condition}"
            ),
            Extremes => format!(
                "SELECT (extract(epoch FROM min({time})) * 1000)::bigint, (extract(epoch FROM max({time})) * 1000)::bigint
                 FROM t WHERE {condition}"
            ),
            Count => format!("SELECT count(*) FROM t WHERE {condition}"),
            Answers => format!("SELECT k, {condition} FROM t"),
            Update => format!("UPDATE t SET dev = dev WHERE {condition} RETURNING k"),
            Delete => format!("DELETE FROM t WHERE {condition} RETURNING k"),
            Join => format!("SELECT n, k FROM asked a JOIN t ON {condition}"),
            LeftJoin => format!("SELECT n, k FROM asked a LEFT JOIN t ON {condition}"),
            Exists => format!("SELECT n FROM asked a WHERE EXISTS (SELECT FROM t WHERE {condition})"),
            NotExists => format!("SELECT k FROM t WHERE NOT EXISTS (SELECT FROM asked a WHERE {condition})"),
        }
    }

    /// Returns the rows of the result, sorted, with columns separated by a vertical bar.
    pub fn expected(self, condition: &Condition, reading: Reading, rows: &[Row], asked: &[Asked]) -> Vec<String> {
        let holds = |row: &Row, asked: Option<&Asked>| condition.answer(reading, row.id, asked) == Some(true);
        let mut found: Vec<&Row> = rows.iter().filter(|row| holds(row, None)).collect();
        found.sort_unstable_by_key(|row| (millis(row).is_none(), millis(row)));
        let shown = |time: Option<u128>| time.map_or(String::new(), |time| time.to_string());
        let mut expected: Vec<String> = match self {
            Rows | Ordered | Update | Delete => found.iter().map(|row| row.k.to_string()).collect(),
            Newest => {
                found.sort_unstable_by_key(|row| Reverse(millis(row)));
                found.iter().take(NEWEST).map(|row| shown(millis(row))).collect()
            }
            Ties => {
                let last = found.get(NEWEST - 1).map(|row| millis(row));
                let after = found.iter().skip(NEWEST).take_while(|row| Some(millis(row)) == last);
                found.iter().take(NEWEST).chain(after).map(|row| shown(millis(row))).collect()
            }
            Numbered => (1..).zip(&found).map(|(number, row)| format!("{number}|{}", shown(millis(row)))).collect(),
            Page => {
                found.sort_unstable_by_key(|row| (millis(row).is_some(), Reverse(millis(row)), row.k));
                found.iter().take(NEWEST).map(|row| row.k.to_string()).collect()
            }
            Extremes => {
                let times = || found.iter().filter_map(|row| millis(row));
                vec![format!("{}|{}", shown(times().min()), shown(times().max()))]
            }
            Count => vec![found.len().to_string()],
            Answers => {
                let shown = |answer| match answer {
                    None => "",
                    Some(true) => "t",
                    Some(false) => "f",
                };
                rows.iter().map(|row| format!("{}|{}", row.k, shown(condition.answer(reading, row.id, None)))).collect()
            }
            Join | LeftJoin => {
                let of_one = |asked: &Asked| {
                    let of_one = rows.iter().filter(|row| holds(row, Some(asked)));
                    let mut of_one: Vec<String> = of_one.map(|row| format!("{}|{}", asked.n, row.k)).collect();
                    if of_one.is_empty() && self == LeftJoin {
                        of_one.push(format!("{}|", asked.n));
                    }
                    of_one
                };
                asked.iter().flat_map(of_one).collect()
            }
            Exists => {
                let some = asked.iter().filter(|asked| rows.iter().any(|row| holds(row, Some(asked))));
                some.map(|asked| asked.n.to_string()).collect()
            }
            NotExists => {
                let none = rows.iter().filter(|row| !asked.iter().any(|asked| holds(row, Some(asked))));
                none.map(|row| row.k.to_string()).collect()
            }
        };
        expected.sort();
        expected
    }
}

/// Returns planner settings that lead to other plans, and whether they discourage sequential scans.
pub fn planner_settings(random: &mut Random, debug_parallel_query: &str) -> (Vec<String>, bool) {
    let mut settings = Vec::new();
    let avoid_sequential = random.percent(60);
    if avoid_sequential {
        settings.push("SET LOCAL enable_seqscan = off".to_owned());
    }
    for name in ["enable_indexscan", "enable_indexonlyscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin"]
    {
        if random.percent(15) {
            settings.push(format!("SET LOCAL {name} = off"));
        }
    }
    if random.percent(8) {
        let values = ["parallel_setup_cost = 0", "parallel_tuple_cost = 0", "min_parallel_table_scan_size = 0"];
        settings.extend(values.map(|value| format!("SET LOCAL {value}")));
        settings.push("SET LOCAL min_parallel_index_scan_size = 0".to_owned());
    }
    if random.percent(3) {
        settings.push(format!("SET LOCAL {debug_parallel_query} = on"));
    }
    (settings, avoid_sequential)
}

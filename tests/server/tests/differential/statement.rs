//! Statements with a condition: queries and changes of the rows for which it is true.

use server_tests::random::Random;

use super::schema::Schema;
use Shape::*;

/// The limit of queries for the newest or the oldest rows.
const NEWEST: usize = 7;

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
    /// All times, numbered in order.
    Numbered,
    /// The least and the greatest time.
    Extremes,
    /// Groups, ordered by the time of the greatest key.
    Groups,
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
            Rows, Rows, Rows, Ordered, Newest, Ties, Page, Numbered, Extremes, Groups, Count, Answers, Update, Delete,
            Join, Join, LeftJoin, Exists, NotExists,
        ]);
        if shape.writes() && !schema.writable { Rows } else { shape }
    }

    pub fn writes(self) -> bool {
        matches!(self, Update | Delete)
    }

    /// Whether the query may end before it has read all rows that satisfy the condition.
    pub fn is_cut_short(self) -> bool {
        self.is_first_of_order() || matches!(self, Exists | NotExists)
    }

    /// Whether the query needs some or all rows sorted by time.
    pub fn is_first_of_order(self) -> bool {
        matches!(self, Newest | Ties | Page | Numbered | Extremes)
    }

    /// Whether the condition can use a row of `asked`.
    pub fn joins(self) -> bool {
        matches!(self, Join | LeftJoin | Exists | NotExists)
    }

    pub fn statement(self, schema: &Schema, condition: &str) -> String {
        let id = &schema.id;
        // The order ignores microseconds, so that rows of the same millisecond tie.
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
            Groups => format!(
                "SELECT dev, count(*) FROM t WHERE {condition} GROUP BY dev ORDER BY uuidv7_time(max({id})), dev"
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
}

/// Returns random planner settings, and whether they discourage sequential scans.
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

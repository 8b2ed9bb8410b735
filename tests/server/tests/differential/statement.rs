//! Statements with a condition: queries and changes of the rows for which it is true.

use server_tests::random::Random;

use super::data::Times;
use super::schema::Schema;
use StatementKind::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StatementKind {
    Reads,
    /// Returns the rows in an order that the statement determines, or needs rows sorted by time.
    Sorts,
    Writes,
    /// The condition can use a row of `asked`, as in the next two kinds.
    Joins,
    /// The query may end before it has read all rows that satisfy the condition.
    Exists,
    /// Only the rows are compared, as in the next kind.
    Nests,
    /// Compares the times of rows with each other.
    Combines,
}

/// Statements with a condition `{c}` on the UUID `{id}` and its time `{t}`. `k` is unique, but `dev` is not.
const STATEMENTS: [(StatementKind, &str); 37] = [
    (Reads, "SELECT k FROM t WHERE {c}"),
    (Reads, "SELECT k FROM t WHERE {c}"),
    (Reads, "SELECT k FROM t WHERE {c}"),
    (Reads, "SELECT k FROM t WHERE {c} ORDER BY {id}"),
    (Reads, "SELECT dev, count(*) FROM t WHERE {c} GROUP BY dev ORDER BY uuidv7_time(max({id})), dev"),
    (Reads, "SELECT count(*) FROM t WHERE {c}"),
    (Reads, "SELECT k, {c} FROM t"),
    (Sorts, "SELECT {t} FROM t WHERE {c}{o} ORDER BY {t} DESC NULLS LAST LIMIT 7"),
    (Sorts, "SELECT {t} FROM t WHERE {c}{o} ORDER BY {t} FETCH FIRST 7 ROWS WITH TIES"),
    (Sorts, "SELECT k FROM t WHERE {c}{o} ORDER BY {t} DESC, k LIMIT 7"),
    (Sorts, "SELECT row_number() OVER (ORDER BY {t}), {t} FROM t WHERE {c}{o} ORDER BY 1"),
    (Sorts, "SELECT min({t}), max({t}) FROM t WHERE {c}{o}"),
    (Sorts, "SELECT {t}, dev FROM t WHERE {c}{o} ORDER BY {t}{d}, dev{e}{l}"),
    (Sorts, "SELECT k FROM t WHERE {c}{o} ORDER BY {t}{d}, {id}{e}, dev, k{l}"),
    (Sorts, "SELECT dev, {t}, k FROM t WHERE {c}{o} ORDER BY dev{e}, {t}{d}, k{l}"),
    (Sorts, "SELECT DISTINCT ON ({t}) {t}, dev FROM t WHERE {c}{o} ORDER BY {t}{d}, dev{e}{l}"),
    (Sorts, "SELECT {t}, dev, count(*) FROM t WHERE {c}{o} GROUP BY 1, 2 ORDER BY {t}{d}, dev{e}{l}"),
    (Writes, "UPDATE t SET dev = dev WHERE {c} RETURNING k"),
    (Writes, "DELETE FROM t WHERE {c} RETURNING k"),
    (Joins, "SELECT n, k FROM asked a JOIN t ON {c}"),
    (Joins, "SELECT n, k FROM asked a JOIN t ON {c}"),
    (Joins, "SELECT n, k FROM asked a LEFT JOIN t ON {c}"),
    (Exists, "SELECT n FROM asked a WHERE EXISTS (SELECT FROM t WHERE {c})"),
    (Exists, "SELECT k FROM t WHERE NOT EXISTS (SELECT FROM asked a WHERE {c})"),
    (Nests, "SELECT n, (SELECT max({t}) FROM t WHERE {c}) FROM asked a"),
    (Nests, "SELECT n, l.* FROM asked a, LATERAL (SELECT {t}, dev FROM t WHERE {c} ORDER BY {t}{d}, dev{e} LIMIT 2) l"),
    (Nests, "SELECT y FROM asked a LEFT JOIN LATERAL (SELECT coalesce(n + k, 0) AS y FROM t WHERE {c}) l ON true"),
    (Nests, "SELECT l.* FROM asked LEFT JOIN LATERAL (SELECT coalesce(n, k) FROM t WHERE {t} IN ({v}, {w})) l ON true"),
    (Nests, "SELECT n, k FROM asked a LEFT JOIN t ON {t} IN (a.a, a.b) AND ({c})"),
    (Combines, "SELECT {t}, dev, count(*) FROM t WHERE {c} GROUP BY ROLLUP ({t}, dev)"),
    (Combines, "SELECT {t}, dev, count(*) FROM t WHERE {c} GROUP BY GROUPING SETS ((dev), ({t}, dev), ({t}))"),
    (Combines, "SELECT k, n FROM t JOIN {s} ON {j} WHERE {c}"),
    (Combines, "SELECT k, n FROM t LEFT JOIN {s} ON {j} AND ({c})"),
    (Combines, "SELECT k, n FROM {s} LEFT JOIN t ON {j} AND ({c}) WHERE other IS NOT NULL"),
    (Combines, "SELECT k FROM t WHERE ({c}) AND NOT EXISTS (SELECT FROM {s} WHERE {j})"),
    (Combines, "SELECT k, n FROM (SELECT * FROM t WHERE {c}) t FULL JOIN {s} ON {t} = other"),
    (Combines, "SELECT k FROM t WHERE {t} >= (SELECT min({t}) FROM t WHERE {c}) AND {t} IN (SELECT other FROM {s})"),
];

/// The values of the other placeholders.
const CHOICES: [(&str, &[&str]); 6] = [
    ("{d}", &["", " DESC", " DESC NULLS LAST", " NULLS FIRST"]),
    ("{e}", &["", " DESC", " DESC NULLS LAST", " NULLS FIRST"]),
    // Also rows without a UUID, or without a time.
    ("{o}", &["", " OR dev > 4"]),
    ("{l}", &["", "", " LIMIT 7", " OFFSET 5 LIMIT 20"]),
    (
        "{s}",
        &[
            "(SELECT k AS n, {t} AS other FROM t WHERE k < 9) s",
            "(SELECT max(k) AS n, {t} AS other FROM t WHERE dev = 1 GROUP BY {t}) s",
            "(SELECT k AS n, lag({t}) OVER (ORDER BY {t}, k) AS other FROM t WHERE dev = 2) s",
        ],
    ),
    (
        "{j}",
        &[
            "{t} = other",
            "{t} > other",
            "{t} IN (other, other + interval '1 ms')",
            "{t} >= other AND {t} < other + interval '1 day'",
            "{t}::date = other::date",
            "date_trunc('hour', {t}) = date_trunc('hour', other)",
            "date_trunc('hour', other) = {t}",
        ],
    ),
];

#[derive(Clone, Debug)]
pub struct Shape {
    kind: StatementKind,
    sql: String,
}

impl Shape {
    pub fn choose(random: &mut Random, schema: &Schema, times: &Times) -> Shape {
        let (kind, sql) = *random.pick(&STATEMENTS);
        let (kind, sql) = if kind == Writes && !schema.writable { STATEMENTS[0] } else { (kind, sql) };
        let mut sql = sql.to_owned();
        for (placeholder, choices) in CHOICES {
            sql = sql.replace(placeholder, random.pick(choices));
        }
        for placeholder in ["{v}", "{w}"] {
            sql = sql.replace(placeholder, &format!("timestamptz '{}'", times.anchor(random)));
        }
        let can_be_sampled = !["UNION ALL", "security barrier view", "foreign table"].contains(&schema.family);
        if kind != Writes && can_be_sampled && random.percent(8) {
            let sample = *random.pick(&["BERNOULLI (40)", "SYSTEM (60)"]);
            sql = sql.replace("FROM t ", &format!("FROM t TABLESAMPLE {sample} REPEATABLE (1) "));
        }
        Shape { kind, sql }
    }

    pub fn writes(&self) -> bool {
        self.kind == Writes
    }

    /// Whether the query may end before it has read all rows that satisfy the condition.
    pub fn is_cut_short(&self) -> bool {
        matches!(self.kind, Sorts | Exists)
    }

    /// Whether the rows are compared in the order in which the statement returns them.
    pub fn is_sorted(&self) -> bool {
        self.kind == Sorts
    }

    /// Whether the plans of the statement by time and by UUID are alike.
    pub fn has_comparable_plans(&self) -> bool {
        !matches!(self.kind, Nests | Combines) && !self.sql.contains(" OR ")
    }

    /// Whether the condition can use a row of `asked`.
    pub fn joins(&self) -> bool {
        matches!(self.kind, Joins | Exists | Nests)
    }

    pub fn statement(&self, schema: &Schema, condition: &str) -> String {
        // The order ignores microseconds, so that rows of the same millisecond tie.
        let time = if schema.reads_micros() { format!("uuidv7_time({})", schema.id) } else { schema.time() };
        self.sql.replace("{t}", &time).replace("{id}", &schema.id).replace("{c}", condition)
    }
}

/// Returns random planner settings, and whether they discourage sequential scans.
pub fn planner_settings(random: &mut Random, debug_parallel_query: &str) -> (Vec<String>, bool) {
    let mut settings = Vec::new();
    let avoid_sequential = random.percent(60);
    if avoid_sequential {
        settings.push("SET LOCAL enable_seqscan = off".to_owned());
    }
    let off = ["indexscan", "indexonlyscan", "bitmapscan", "hashjoin", "mergejoin", "nestloop", "sort", "hashagg"];
    let on = ["partitionwise_join", "partitionwise_aggregate"];
    for (name, value) in off.map(|name| (name, "off")).into_iter().chain(on.map(|name| (name, "on"))) {
        if random.percent(15) {
            settings.push(format!("SET LOCAL enable_{name} = {value}"));
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

//! Random schemas, rows and queries. Comparisons of UUIDs with times return the right rows, read no more than comparisons of
//! UUIDs do, and are estimated like comparisons of times.
//!
//! UUIDRFC_DIFFERENTIAL_SECONDS sets the duration of each test, and UUIDRFC_DIFFERENTIAL_SEED the first seed; each later case
//! has the next seed. `make differential` runs the tests for hours. Failures are printed as SQL that can be pasted into psql.

mod condition;
mod data;
mod estimate;
mod report;
mod schema;
mod statement;
mod template;

use std::cell::Cell;
use std::time::Instant;

use postgres::{Client, SimpleQueryMessage};
use server_tests::oracle::{self, Range};
use server_tests::plan::Plan;
use server_tests::random::{Random, first_seed, seconds};
use server_tests::{Cluster, progress, sql};

use condition::{Qual, Writer, WrittenWith};
use data::{Asked, Row, Times};
use report::Report;
use schema::{Extensions, Schema};
use statement::Shape;

const QUERIES_PER_SCHEMA: usize = 40;

/// The number of rows below which reading a whole index is as cheap as reading a part of it.
const FEW: usize = 100;

const SECONDS: u64 = 30;

/// Returns the rows of each statement, or the first error.
fn results(client: &mut Client, statements: &[String]) -> Result<Vec<Vec<String>>, postgres::Error> {
    let messages = client.simple_query(&statements.join(";\n"))?;
    let mut results = vec![Vec::new()];
    for message in messages {
        match message {
            SimpleQueryMessage::Row(row) => {
                let columns: Vec<&str> = (0..row.len()).map(|column| row.get(column).unwrap_or("")).collect();
                results.last_mut().expect("never empty").push(columns.join("|"));
            }
            SimpleQueryMessage::CommandComplete(_) => results.push(Vec::new()),
            _ => {}
        }
    }
    Ok(results)
}

fn script(statements: &[String]) -> String {
    statements.iter().map(|statement| format!("{statement};\n")).collect()
}

#[derive(Clone)]
struct Case {
    seed: u64,
    schema: Schema,
    rows: Vec<Row>,
    asked: Vec<Asked>,
}

fn quoted(value: Option<String>) -> String {
    value.map_or("NULL".to_owned(), |value| format!("'{value}'"))
}

impl Case {
    fn prepare(&self, client: &mut Client) {
        let statements = self.statements(true);
        if let Err(error) = results(client, &statements) {
            panic!("seed {}: {error:?}\n{}", self.seed, script(&statements));
        }
    }

    /// Returns the statements that create the schema `difference`, with or without the table of times and ranges.
    fn statements(&self, with_asked: bool) -> Vec<String> {
        let mut statements = vec![
            "DROP SCHEMA IF EXISTS difference, elsewhere CASCADE".to_owned(),
            "CREATE SCHEMA difference".to_owned(),
            "SET search_path = difference, public, pg_catalog".to_owned(),
            "CREATE TABLE data (k int, dev int, id uuid)".to_owned(),
        ];
        if !self.rows.is_empty() {
            let value = |row: &Row| format!("({}, {}, {})", row.k, row.dev, quoted(row.id.map(oracle::text)));
            let values: Vec<String> = self.rows.iter().map(value).collect();
            statements.push(format!("INSERT INTO data VALUES {}", values.join(", ")));
        }
        if with_asked {
            statements.push(
                "CREATE TABLE asked (n int, a timestamptz, a_floor uuid, a_next uuid, b timestamptz, b_floor uuid,
                     b_next uuid, r tstzrange, r_first uuid, r_last uuid)"
                    .to_owned(),
            );
            let values: Vec<String> = self.asked.iter().map(asked_values).collect();
            statements.push(format!("INSERT INTO asked VALUES {}", values.join(", ")));
        }
        statements.extend(self.schema.statements.iter().cloned());
        statements
    }

    /// Returns a script that reproduces a failure of the given kind with few rows.
    fn shrunk(&self, client: &mut Client, query: &Query, kind: &str, difference: String) -> String {
        let mut with = |rows: Vec<Row>| {
            let fewer = Case { rows, ..self.clone() };
            fewer.prepare(client);
            let mut failures = query.failures(client, &fewer).into_iter();
            failures.find(|(found, _)| found == kind).map(|(_, difference)| (fewer.rows, difference))
        };
        let (mut rows, mut shown) = (self.rows.clone(), difference);
        if kind.starts_with("rows") {
            let mut part = rows.len() / 2;
            while part > 0 {
                let mut from = 0;
                while from < rows.len() && rows.len() > part {
                    let mut fewer = rows.clone();
                    fewer.drain(from..(from + part).min(rows.len()));
                    match with(fewer) {
                        Some(fewer) => (rows, shown) = fewer,
                        None => from += part,
                    }
                }
                part = if part > 8 { part / 4 } else { part / 2 };
            }
        } else {
            // Plans are assumed to depend only on the number of rows.
            let mut fewer = [0, 20, FEW].into_iter().map(|count| rows.iter().copied().take(count).collect());
            (rows, shown) = fewer.find_map(&mut with).unwrap_or((self.rows.clone(), shown));
        }
        let least = Case { rows, ..self.clone() };
        self.prepare(client);
        let with_asked = query.first().contains("asked") || query.before.iter().any(|before| before.contains("asked"));
        let head = format!("-- seed {}: {}, {}", self.seed, self.schema.name, query.condition.forms());
        let begin = "BEGIN".to_owned();
        let statements =
            [&least.statements(with_asked)[..], &[begin], &query.before, std::slice::from_ref(query.first())];
        let comment = shown.replace('\n', "\n-- ");
        format!("{head}\n{}ROLLBACK;\n-- {comment}\n", script(&statements.concat()))
    }
}

fn asked_values(asked: &Asked) -> String {
    let time = |time: Option<oracle::Time>| {
        let floor = time.map(oracle::floor_text);
        let next = time.map(|time| oracle::floor_text(time.next()));
        format!("{}, {}, {}", quoted(time.map(|time| time.to_string())), quoted(floor), quoted(next))
    };
    let ends = asked.r.map(Range::first_and_last);
    let first = quoted(ends.map(|(first, _)| oracle::text(first)));
    let last = quoted(ends.map(|(_, last)| oracle::text(last)));
    let range = quoted(asked.r.map(|range| range.to_string()));
    format!("({}, {}, {}, {range}, {first}, {last})", asked.n, time(asked.a), time(asked.b))
}

/// One query of a case, in all its forms.
struct Query {
    shape: Shape,
    condition: Qual,
    /// Statements before the query, in its transaction.
    before: Vec<String>,
    /// The query by time, by call and by UUID, and then, for execution after `without_rewriting`, by UUID and by call. The last two
    /// determine the expected result, because core alone evaluates them.
    queries: [String; 5],
    without_rewriting: Vec<String>,
    /// Whether the result by call depends on which of two servers, the local or the foreign one, simplifies the condition.
    either_decides: bool,
    /// Whether sequential scans are discouraged, so that the planner uses one only if there is no other path.
    avoid_sequential: bool,
    /// Whether the plan by call has an index condition.
    by_index: Cell<bool>,
}

fn query(random: &mut Random, times: &Times, case: &Case, server: &Server) -> Query {
    let Case { schema, asked, rows, .. } = case;
    let shape = Shape::choose(random, schema, times);
    let (mut before, avoid_sequential) = statement::planner_settings(random, server.debug_parallel_query);
    let prepared = random.percent(40);
    let templates = random.percent(if times.are_of_zone() { 80 } else { 40 });
    let zone = if random.percent(20) { 19_800_000_000 } else { 0 };
    let mut writer = Writer {
        random,
        times,
        asked,
        rows,
        templates,
        joined: shape.joins(),
        prepared,
        parameters: Vec::new(),
        settings: Vec::new(),
        zone,
    };
    let condition = writer.condition();
    let (parameters, settings) = (writer.parameters, writer.settings);
    before.extend(settings);
    let call = schema.time();
    let has_calls_only = condition.has_calls_only();
    let zone = match zone {
        _ if has_calls_only => times.zone(random),
        0 => "UTC",
        _ => "<+0530>-05:30",
    };
    before.push(format!("SET LOCAL TimeZone = '{zone}'"));
    let query = |with| match with {
        // The condition has no form but that by call.
        WrittenWith::Time | WrittenWith::Uuid if has_calls_only => "SELECT".to_owned(),
        _ => shape.statement(schema, &condition.to_sql(with, &schema.id, &call)),
    };
    let mut queries =
        [WrittenWith::Time, WrittenWith::Call, WrittenWith::Uuid, WrittenWith::Uuid, WrittenWith::Call].map(query);
    // If a part of an OR follows from partition bounds or is constant, PostgreSQL 15 does not pass the values of the part's
    // subqueries to parallel workers. The workers nevertheless prune partitions by the values and may dereference a null pointer.
    let is_alternative = |one: &String| one.contains("(SELECT") && (one.contains(" OR ") || one.contains("NOT"));
    if queries.iter().any(is_alternative) {
        before.push("SET LOCAL max_parallel_workers_per_gather = 0".to_owned());
    }
    if !parameters.is_empty() {
        let mode = *random.pick(&["force_custom_plan", "force_generic_plan"]);
        before.push(format!("SET LOCAL plan_cache_mode = {mode}"));
        let (types, values): (Vec<&str>, Vec<String>) = parameters.into_iter().unzip();
        let names = ["by_time", "by_call", "by_uuid", "without_time", "computed"];
        for (name, query) in names.into_iter().zip(&mut queries) {
            before.push(format!("PREPARE {name} ({}) AS {query}", types.join(", ")));
            *query = format!("EXECUTE {name} ({})", values.join(", "));
        }
        // An execution in another time zone creates the plan.
        if has_calls_only && !shape.writes() {
            let other = times.zone(random);
            before.extend([format!("SET LOCAL TimeZone = '{other}'"), queries[1].clone()]);
            before.push(format!("SET LOCAL TimeZone = '{zone}'"));
        }
    }
    let statement = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    before.extend(statement(schema.before_query));
    let mut without_rewriting = vec!["RESET ROLE".to_owned(), "SET LOCAL uuidrfc.enable_time_rewrite = off".to_owned()];
    without_rewriting.extend([schema.without_rewriting, schema.before_query].into_iter().filter_map(statement));
    let either_decides =
        server.simplifies_ranges && schema.family == "foreign table" && condition.forms().contains("<@");
    Query {
        shape,
        condition,
        before,
        queries,
        without_rewriting,
        either_decides,
        avoid_sequential,
        by_index: Cell::new(false),
    }
}

struct Server {
    extensions: Extensions,
    debug_parallel_query: &'static str,
    /// Whether core's support function of `<@` turns `time <@ 'empty'` into false and `time <@ '(,)'` into true even if the time is
    /// null (from PostgreSQL 17 on).
    simplifies_ranges: bool,
}

impl Query {
    /// Returns the query that a report shows.
    fn first(&self) -> &String {
        &self.queries[usize::from(self.condition.has_calls_only())]
    }

    /// Returns the statements of a transaction that is rolled back, and the positions of eight of them: the five queries of
    /// `queries`, and EXPLAIN of the first three.
    fn statements(&self) -> (Vec<String>, Vec<usize>) {
        let explain = "EXPLAIN (ANALYZE, FORMAT JSON, COSTS OFF, TIMING OFF, SUMMARY OFF)";
        let mut statements = vec!["BEGIN".to_owned()];
        statements.extend(self.before.iter().cloned());
        let plans = self.queries[..3].iter().map(|statement| format!("{explain} {statement}"));
        let mut places = Vec::new();
        for statement in self.queries.iter().cloned().chain(plans) {
            statements.push("SAVEPOINT before".to_owned());
            if (3..5).contains(&places.len()) {
                statements.extend(self.without_rewriting.iter().cloned());
            }
            places.push(statements.len());
            statements.extend([statement, "ROLLBACK TO before".to_owned()]);
        }
        statements.extend(["ROLLBACK".to_owned(), "DEALLOCATE ALL".to_owned()]);
        (statements, places)
    }

    /// Returns the kinds of the query's failures, each with the expected and the actual result.
    fn failures(&self, client: &mut Client, case: &Case) -> Vec<(String, String)> {
        let (statements, places) = self.statements();
        let results = match results(client, &statements) {
            Ok(results) => results,
            Err(error) => {
                let Some(said) = error.as_db_error().map(ToString::to_string) else {
                    panic!("seed {}: {error:?}\n{}{}", case.seed, script(&case.statements(true)), script(&statements));
                };
                sql::run(client, "ROLLBACK; DEALLOCATE ALL");
                return vec![(format!("error: {said}"), said)];
            }
        };
        let of = |place: usize| &results[places[place]];
        let [_, by_call, by_uuid, ..] = &self.queries;
        let mut failures = Vec::new();

        for (place, oracle, kind) in [(0, 3, "rows"), (1, 4, "rows by call"), (2, 3, "rows by UUID")] {
            let is_by_call = oracle == 4;
            if self.condition.has_calls_only() && !is_by_call || self.either_decides && is_by_call {
                continue;
            }
            let [mut found, mut expected] = [of(place).clone(), of(oracle).clone()];
            if !self.shape.is_sorted() {
                found.sort();
                expected.sort();
            }
            if found != expected {
                let missing: Vec<&String> = expected.iter().filter(|row| !found.contains(row)).collect();
                let surplus: Vec<&String> = found.iter().filter(|row| !expected.contains(row)).collect();
                let difference = format!(
                    "expected {} rows, found {}; missing {missing:?}, not expected {surplus:?}\nwith UUIDs: {by_uuid}\nby call: {by_call}",
                    expected.len(),
                    found.len(),
                );
                failures.push((kind.to_owned(), difference));
            }
        }

        let plan = |place: usize| Plan::read(&of(place).join("\n"));
        self.by_index.set(plan(6).accesses().values().any(|access| access.by_condition));
        let forms = self.condition.forms();
        let known_later =
            ["parameter", "stable", "without zone", "subquery", "column"].iter().any(|kind| forms.contains(kind));
        // Behind a policy, only leakproof conditions can use an index, and tstzrange() is not leakproof.
        let leaks = case.schema.hidden_dev.is_some() && forms.contains("tstzrange(");
        let by_estimate = self.shape.joins() && self.condition.has_or() || !self.shape.has_comparable_plans();
        if !self.condition.is_comparable() || by_estimate || leaks || case.schema.constants_only && known_later {
            return failures;
        }
        let plan_by_uuid = plan(7);
        let uuid_accesses = plan_by_uuid.accesses();
        for (suffix, by_time) in [("", plan(5)), (" by call", plan(6))] {
            let time_accesses = by_time.accesses();
            // Conditions on calls filter out keys of other versions, so that a query with LIMIT may read more rows.
            let mut seen = case.rows.iter().filter(|row| case.schema.shows(row));
            let only_version_7 = seen.all(|row| row.id.is_none_or(oracle::is_version_7));
            let is_cut_short = self.shape.is_cut_short() && !only_version_7;
            // Functions of ranges, and operators between a timestamptz and a timestamp or a date, are not leakproof.
            let is_barred =
                case.schema.hidden_dev.is_some() && (forms.contains("<@") || forms.contains("without zone"));
            // The complement of a range of microseconds is not a range of milliseconds.
            let is_negated = case.schema.reads_micros() && forms.contains("not ");
            if !suffix.is_empty() && (is_cut_short || is_barred || is_negated || case.schema.constants_only) {
                continue;
            }
            for (relation, with_time) in time_accesses.iter().filter(|(relation, _)| *relation != "asked") {
                let with_uuid = uuid_accesses.get(relation).copied().unwrap_or_default();
                let kind = if with_time.executed && !with_uuid.executed {
                    "reads more"
                } else if self.shape.is_sorted() {
                    // Reading an index in the requested order, without a condition, may be cheaper.
                    continue;
                } else if self.avoid_sequential
                    && with_time.sequential
                    && !with_uuid.sequential
                    && with_uuid.by_condition
                {
                    "sequential scan"
                } else if self.avoid_sequential
                    && with_uuid.by_condition
                    && with_time.executed
                    && !with_time.by_condition
                    && case.rows.len() >= FEW
                {
                    "no index condition"
                } else {
                    continue;
                };
                let plans = format!(
                    "{relation}: by time\n{:#}\nby UUID: {by_uuid}\n{:#}\nby call: {by_call}",
                    by_time.0, plan_by_uuid.0,
                );
                failures.push((format!("{kind}{suffix}"), plans));
                break;
            }
        }
        failures
    }
}

const SETTINGS: [(&str, &str); 3] = [("autovacuum", "off"), ("TimeZone", "UTC"), ("jit", "off")];

#[test]
fn rows_and_plans() {
    let cluster = Cluster::started("differential", &SETTINGS);
    let mut client = cluster.connect();
    sql::run(&mut client, "CREATE ROLE reader; SET client_min_messages = warning; SET statement_timeout = '60s'");
    let server = server(&cluster, &mut client);
    let (start, first) = (Instant::now(), first_seed());
    let mut report = Report::default();
    let (mut seed, mut queries, mut templates, mut by_index) = (first, 0, 0, 0);
    while start.elapsed() < seconds(SECONDS) {
        let mut random = Random::new(seed);
        let times = Times::new(&mut random);
        let schema = schema::make(&mut random, &times, server.extensions);
        let mut rows = data::rows(&mut random, &times, &schema);
        rows.retain(|row| !schema.only_version_7 || row.id.is_none_or(oracle::is_version_7));
        let asked = data::asked(&mut random, &times);
        let case = Case { seed, schema, rows, asked };
        case.prepare(&mut client);
        for _ in 0..QUERIES_PER_SCHEMA {
            let query = query(&mut random, &times, &case, &server);
            for (kind, difference) in query.failures(&mut client, &case) {
                let form = match query.condition {
                    Qual::One(_) => query.condition.forms(),
                    _ => "several".to_owned(),
                };
                report.failure(format!("{kind}: {form} of {}", case.schema.family), || {
                    case.shrunk(&mut client, &query, &kind, difference)
                });
            }
            queries += 1;
            if query.condition.has_calls_only() {
                templates += 1;
                by_index += usize::from(query.by_index.get());
            }
        }
        seed += 1;
    }
    let tried = format!(
        "{queries} queries of {} schemas, seeds {first} to {}; {templates} with functions of the time or texts, {by_index} of which used an index",
        seed - first,
        seed - 1
    );
    progress(&format!("{tried}: rows and plans compared"));
    report.close("rows-and-plans", queries, &tried);
    assert!(by_index * 10 > templates, "{tried}");
}

#[test]
fn estimates() {
    let cluster = Cluster::started("estimates", &SETTINGS);
    let mut client = cluster.connect();
    sql::run(&mut client, "SET client_min_messages = warning");
    let (start, first) = (Instant::now(), first_seed());
    let mut report = Report::default();
    let (mut seed, mut windows) = (first, 0);
    while start.elapsed() < seconds(SECONDS) {
        windows += estimate::Population::make(seed).check(&mut client, &mut report);
        seed += 1;
    }
    let tried = format!("{windows} windows of {} tables, seeds {first} to {}", seed - first, seed - 1);
    progress(&format!("{tried}: estimates compared"));
    report.close("estimates", windows, &tried);
}

fn server(cluster: &Cluster, client: &mut Client) -> Server {
    let has = |client: &mut Client, name: &str| {
        sql::value(client, &format!("SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = '{name}')"))
    };
    let (btree_gist, loopback) = (has(client, "btree_gist"), has(client, "postgres_fdw"));
    if btree_gist {
        sql::run(client, "CREATE EXTENSION btree_gist");
    }
    if loopback {
        let options = cluster.create_loopback(client);
        sql::run(
            client,
            &format!(
                "CREATE SERVER informed FOREIGN DATA WRAPPER postgres_fdw OPTIONS ({options}, extensions 'uuidrfc');
                 CREATE USER MAPPING FOR PUBLIC SERVER informed"
            ),
        );
    }
    let major = cluster.installation().major();
    Server {
        extensions: Extensions { btree_gist, loopback },
        debug_parallel_query: if major < 16 { "force_parallel_mode" } else { "debug_parallel_query" },
        simplifies_ranges: major >= 17,
    }
}

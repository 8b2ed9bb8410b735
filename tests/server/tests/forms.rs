//! Whether each form of a condition uses an index, prunes partitions and is estimated within a factor of two.

use postgres::Client;
use server_tests::plan::Plan;
use server_tests::{Cluster, progress, sql};

const SCHEMA: &str = include_str!("../forms.sql");
const PARTITIONED: [&str; 4] = ["part", "document_part", "child", "everything"];

/// What the planner can do with a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Support {
    by_index: bool,
    /// Whether partitions are pruned during planning, and whether during execution, if there are any.
    pruned: Option<[bool; 2]>,
    /// Whether the estimated number of rows is between half and twice the actual one, if the planner can evaluate the times.
    /// (Otherwise, that would depend on chance.)
    estimated: Option<bool>,
}

/// The support if the planner knows the times.
const KNOWN: Support = Support { by_index: true, pruned: Some([true, false]), estimated: Some(true) };
/// The support if the planner can evaluate the times only for an estimate.
const STABLE: Support = Support { by_index: true, pruned: Some([false, true]), estimated: Some(true) };
/// The support if the times become known during execution.
const UNKNOWN: Support = Support { by_index: true, pruned: Some([false, true]), estimated: None };

/// Relations, and the support for each of some conditions on them, mostly for the ten days that end 35 days ago, with the letters
/// and parameters of [`planned`]. All rows except those of the first and the last twenty days lie between {o} and {r}. The groups
/// are those of the table in docs/time-predicates.md.
const FORMS: [(&[&str], Support, &[&str]); 12] = [
    (
        &["visit", "part"],
        KNOWN,
        &[
            "id >= {t} AND id < {u}",
            "id > {t} AND id <= {u}",
            "{t} <= id AND {u} > id",
            "id BETWEEN {t} AND {u}",
            "id NOT BETWEEN {o} AND {r}",
            "NOT (id < {u})",
            "id > {x}::uuid AND id < {u}",
            "id <@ tstzrange({t}, {u})",
            "NOT (id <@ tstzrange({o}, {r}))",
            "id >= ANY (ARRAY[{t}, {u}])",
            "id <= ANY (ARRAY[{t}, {u}])",
            "id <@ ANY (ARRAY[tstzrange({t}, {u})])",
            "id <@ 'empty'::tstzrange",
            "id >= {u} AND id < {t}",
            "uuidv7_time(id) >= {t} AND uuidv7_time(id) < {u}",
        ],
    ),
    (
        &["visit", "part"],
        STABLE,
        &[
            "id >= now() - interval '40 days'",
            "id >= current_date - 40",
            "id >= localtimestamp - interval '40 days'",
            "id <@ tstzrange(now() - interval '40 days', now())",
            "id <@ ANY (ARRAY[tstzrange(now() - interval '40 days', now()), NULL])",
            "uuidv7_time(id) >= now() - interval '40 days'",
        ],
    ),
    (
        &["visit", "part"],
        UNKNOWN,
        &[
            "id >= $1 AND id < $2",
            "id <@ $6",
            "id <@ tstzrange($1, $2)",
            "id <@ ANY (ARRAY[$6, $6])",
            "id >= (SELECT a FROM shift)",
            "id <@ (SELECT period FROM shift LIMIT 1)",
            "id <@ tstzrange((SELECT a FROM shift), {u})",
            "id >= s.a AND id < s.b",
            "id <@ s.period",
            "id <@ ANY (ARRAY[s.period, NULL])",
        ],
    ),
    (
        &["visit", "part"],
        Support { pruned: Some([true, true]), ..UNKNOWN },
        &["id >= (SELECT a FROM shift) AND id < {u}"],
    ),
    (&["visit", "part"], Support { estimated: Some(false), ..KNOWN }, &["id <@ tstzmultirange(tstzrange({t}, {u}))"]),
    (
        &["visit", "part"],
        Support { by_index: false, pruned: Some([false, false]), estimated: Some(false) },
        &["uuid_extract_time(id) >= {t}", "id >= clock_timestamp() - interval '40 days'"],
    ),
    (&["everything", "child"], KNOWN, &["id >= {t} AND id < {u}", "id <@ tstzrange({t}, {u})"]),
    (&["everything"], UNKNOWN, &["id >= $1 AND id < $2", "id <@ (SELECT period FROM shift)"]),
    (&["document_part"], KNOWN, &["(d->>'id')::uuid >= {t} AND (d->>'id')::uuid < {u}"]),
    (&["document_part"], UNKNOWN, &["(d->>'id')::uuid >= $1 AND (d->>'id')::uuid < $2"]),
    // The last of these relations is foreign, and its condition is evaluated by the other server.
    (&["recent_by_uuid", "recent_by_time", "far"], KNOWN, &["id >= {t} AND id < {u}", "id <@ tstzrange({t}, {u})"]),
    (&["brin"], KNOWN, &["id <@ tstzrange({t}, {u})"]),
];

const PLANNED: &str = "VERBOSE, FORMAT JSON";
const EXECUTED: &str = "ANALYZE, FORMAT JSON, TIMING OFF, SUMMARY OFF";

/// Pairs of a letter and the text that replaces it in conditions.
type Letters = [Vec<String>];

fn letters(client: &mut Client) -> Vec<Vec<String>> {
    sql::value::<Vec<String>>(client, LETTERS).chunks(2).map(<[String]>::to_vec).collect()
}

/// Returns the support for a query, which joins the relation to `shift s` if the condition refers to `s`.
fn support(client: &mut Client, letters: &Letters, relation: &str, condition: &str) -> Support {
    let join = if condition.contains("s.") { "shift s, " } else { "" };
    let select = format!("SELECT 1 FROM {join}{relation}");
    sql::run(client, "SET enable_seqscan = off");
    let (plan, mut by_index) = planned(client, &select, condition, letters, PLANNED);
    sql::run(client, "RESET enable_seqscan");
    let remote = plan.all("Remote SQL");
    by_index |= !remote.is_empty() && remote.iter().all(|query| query.contains("WHERE"));

    let (plan, _) = planned(client, &select, condition, letters, EXECUTED);
    let accesses = plan.accesses();
    let partitions = accesses.iter().filter(|(name, _)| name.ends_with(|last: char| last.is_ascii_digit()));
    let unread = partitions.clone().filter(|(_, access)| !access.executed).count();
    let removed: usize =
        plan.all("Subplans Removed").iter().map(|number| number.parse::<usize>().expect("a number")).sum();
    let pruned = [partitions.count() + removed < 12, removed + unread > 0];
    let is_unknown = ["$", "SELECT", "s."].iter().any(|unknown| condition.contains(unknown));
    let (expected, actual) = (plan.rows(), plan.actual_rows());
    // The planner expects at least one row.
    let estimated = (!is_unknown).then_some(expected <= 2.0 * actual.max(1.0) && actual <= 2.0 * expected);
    Support { by_index, pruned: PARTITIONED.contains(&relation).then_some(pruned), estimated }
}

#[test]
fn planner_support() {
    let cluster = Cluster::started("forms", &[("autovacuum", "off"), ("TimeZone", "UTC"), ("jit", "off")]);
    let mut client = cluster.connect();
    sql::run(&mut client, SCHEMA);
    cluster.create_loopback(&mut client);
    let letters = letters(&mut client);
    let indexes =
        "CREATE FOREIGN TABLE far (id uuid) SERVER loopback OPTIONS (table_name 'visit', use_remote_estimate 'true');
         CREATE INDEX ON recent_by_uuid (id) WHERE id >= uuidv7_floor({t});
         CREATE INDEX ON recent_by_time (id) WHERE id >= {t};
         ANALYZE; SET plan_cache_mode = force_generic_plan";
    sql::run(&mut client, &substituted(indexes, &letters));
    let mut unexpected = Vec::new();
    for (relations, expected, conditions) in FORMS {
        for (relation, condition) in
            relations.iter().flat_map(|relation| conditions.iter().map(move |of| (relation, of)))
        {
            let expected = Support { pruned: expected.pruned.filter(|_| PARTITIONED.contains(relation)), ..expected };
            let found = support(&mut client, &letters, relation, condition);
            if found != expected {
                unexpected.push(format!("{relation}, {condition}: {found:?}, not {expected:?}"));
            }
        }
    }
    assert!(unexpected.is_empty(), "{unexpected:#?}");
}

const BESIDE: &str = include_str!("../beside.sql");

/// A query for the letters in tests/server/forms.txt and in the forms above, with the texts that replace them.
const LETTERS: &str = "
    SELECT array_agg(part ORDER BY letter, place) FROM
        (SELECT date_trunc('day', now() - interval '45 days') AS t, date_trunc('day', now() - interval '35 days') AS u) times,
        LATERAL (SELECT id, uuidv7_time(id) AS c FROM made WHERE id >= t + interval '5 days' ORDER BY id LIMIT 1) one,
        LATERAL (VALUES
            ('t', quote_literal(t) || '::timestamptz'), ('u', quote_literal(u) || '::timestamptz'),
            ('o', quote_literal(now() - interval '340 days') || '::timestamptz'),
            ('r', quote_literal(now() - interval '20 days') || '::timestamptz'),
            ('d', quote_literal(t::date)), ('e', quote_literal(u::date)), ('m', quote_literal(to_char(t, 'YYYY-MM'))),
            ('y', extract(year FROM t)::text), ('s', extract(epoch FROM t)::text), ('f', extract(epoch FROM u)::text),
            ('x', quote_literal(id)), ('c', quote_literal(c) || '::timestamptz'), ('p', quote_literal(left(id::text, 9)))
        ) letters (letter, value), unnest(ARRAY[letter, value]) WITH ORDINALITY parts (part, place)";

fn substituted(text: &str, letters: &Letters) -> String {
    letters.iter().fold(text.to_owned(), |text, letter| text.replace(&format!("{{{}}}", letter[0]), &letter[1]))
}

/// Returns the plan of a form (a query, or a condition to add to `select`), and whether the plan reads all tables but
/// `shift` by index conditions or, with a LIMIT, in the order of an index. $6 is the range from {t} to {u}.
fn planned(client: &mut Client, select: &str, form: &str, letters: &Letters, explain: &str) -> (Plan, bool) {
    let is_query = ["SELECT", "WITH", "UPDATE", "DELETE"].contains(&form.split(' ').next().unwrap_or_default());
    let query = if is_query { form.to_owned() } else { format!("{select} WHERE {form}") };
    let query = substituted(&query, letters);
    let value = |name: &str| &letters.iter().find(|letter| letter[0] == name).expect("a letter")[1];
    let (t, u, d, x) = (value("t"), value("u"), value("d"), value("x"));
    let statements = format!(
        "BEGIN; PREPARE form (timestamptz, timestamptz, date, timestamptz[], uuid, tstzrange) AS {query};
         EXPLAIN ({explain}) EXECUTE form ({t}, {u}, {d}, ARRAY[{t}, {u}], {x}, tstzrange({t}, {u})); DEALLOCATE form; ROLLBACK"
    );
    let plan = Plan::from_statements(client, &statements);
    let nodes = plan.all("Node Type");
    let (is_first, is_sorted) = (nodes.iter().any(|node| node == "Limit"), nodes.iter().any(|node| node == "Sort"));
    let by_index = plan
        .accesses()
        .iter()
        .filter(|(name, _)| *name != "shift")
        .all(|(_, access)| !access.sequential && if is_first { !is_sorted } else { access.by_condition });
    (plan, by_index)
}

#[test]
fn beside_a_timestamptz_column() {
    let cluster = Cluster::started("beside", &[("autovacuum", "off"), ("TimeZone", "UTC"), ("jit", "off")]);
    let mut client = cluster.connect();
    sql::run(&mut client, SCHEMA);
    sql::run(&mut client, BESIDE);
    sql::run(&mut client, "SET enable_seqscan = off");
    let letters = letters(&mut client);
    let (mut group, mut forms, mut by_key_only, mut unexpected) = ("", 0, 0, Vec::new());
    for line in include_str!("../forms.txt").lines().filter(|line| !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            group = name;
            continue;
        }
        let [key, column] = [("by_key", "on"), ("by_column", "off")].map(|(schema, rewrite)| {
            let set = format!("SET search_path = {schema}, public; SET uuidrfc.enable_time_rewrite = {rewrite}");
            sql::run(&mut client, &set);
            // Executes the statement, which must not fail.
            planned(&mut client, "SELECT k FROM item", line, &letters, EXECUTED);
            planned(&mut client, "SELECT k FROM item", line, &letters, PLANNED).1
        });
        forms += 1;
        by_key_only += usize::from(key && !column);
        if key != (group != "by no index") {
            unexpected.push(line);
        }
    }
    progress(&format!("{forms} forms, {by_key_only} of which use only the index of the key"));
    assert!(unexpected.is_empty(), "in the wrong group: {unexpected:#?}");
    assert!(by_key_only >= 70, "only {by_key_only} forms use the index of the key and not that of the column");
}

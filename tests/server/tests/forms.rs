//! Determines, by running each form of a condition, whether it uses an index, prunes partitions and is estimated within a factor of
//! two. The results are the table in docs/time-predicates.md.

use std::fs;
use std::path::Path;

use postgres::Client;
use server_tests::plan::Plan;
use server_tests::{Cluster, progress, sql};

const SCHEMA: &str = include_str!("../forms.sql");

/// Conditions, mostly for the ten days that end 35 days ago, with the letters and parameters of [`planned`]. All rows except those
/// of the first and the last twenty days lie between {o} and {r}.
const FORMS: [(&str, &str); 37] = [
    ("id >= constant AND id < constant", "id >= {t} AND id < {u}"),
    ("id > constant AND id <= constant", "id > {t} AND id <= {u}"),
    ("constant <= id AND constant > id", "{t} <= id AND {u} > id"),
    ("id BETWEEN constant AND constant", "id BETWEEN {t} AND {u}"),
    ("id NOT BETWEEN constant AND constant", "id NOT BETWEEN {o} AND {r}"),
    ("NOT (id < constant)", "NOT (id < {u})"),
    ("id >= $1 AND id < $2", "id >= $1 AND id < $2"),
    ("id >= now() - interval", "id >= now() - interval '40 days'"),
    ("id >= current_date - 40", "id >= current_date - 40"),
    ("id >= localtimestamp - interval", "id >= localtimestamp - interval '40 days'"),
    ("id >= (SELECT t ...)", "id >= (SELECT a FROM shift)"),
    ("id >= (SELECT t ...) AND id < constant", "id >= (SELECT a FROM shift) AND id < {u}"),
    ("id >= s.a AND id < s.b, of a join", "id >= s.a AND id < s.b"),
    ("id > uuid AND id < constant", "id > {x}::uuid AND id < {u}"),
    ("id <@ constant", "id <@ tstzrange({t}, {u})"),
    ("NOT (id <@ constant)", "NOT (id <@ tstzrange({o}, {r}))"),
    ("id <@ $1", "id <@ $6"),
    ("id <@ tstzrange($1, $2)", "id <@ tstzrange($1, $2)"),
    ("id <@ tstzrange(now() - interval, now())", "id <@ tstzrange(now() - interval '40 days', now())"),
    ("id <@ (SELECT period ...)", "id <@ (SELECT period FROM shift)"),
    ("id <@ tstzrange((SELECT t ...), constant)", "id <@ tstzrange((SELECT a FROM shift), {u})"),
    ("id <@ s.period, of a join", "id <@ s.period"),
    ("id <@ tstzmultirange", "id <@ tstzmultirange(tstzrange({t}, {u}))"),
    ("id <@ tsrange", "id <@ tsrange(({t})::timestamp, ({u})::timestamp)"),
    ("id <@ daterange", "id <@ daterange(({t})::date, ({u})::date)"),
    ("id >= ANY (timestamptz[])", "id >= ANY (ARRAY[{t}, {u}])"),
    ("id <= ANY (timestamptz[])", "id <= ANY (ARRAY[{t}, {u}])"),
    ("id <@ ANY (tstzrange[])", "id <@ ANY (ARRAY[tstzrange({t}, {u})])"),
    ("id <@ ANY ($1)", "id <@ ANY (ARRAY[$6, $6])"),
    (
        "id <@ ANY (ARRAY[tstzrange(now() - interval, ...)])",
        "id <@ ANY (ARRAY[tstzrange(now() - interval '40 days', now()), NULL])",
    ),
    ("id <@ ANY (array), of a join", "id <@ ANY (ARRAY[s.period, NULL])"),
    ("id <@ 'empty'", "id <@ 'empty'::tstzrange"),
    ("id >= constant AND id < an earlier one", "id >= {u} AND id < {t}"),
    ("uuidv7_time(id) >= constant AND uuidv7_time(id) < constant", "uuidv7_time(id) >= {t} AND uuidv7_time(id) < {u}"),
    ("uuidv7_time(id) >= now() - interval", "uuidv7_time(id) >= now() - interval '40 days'"),
    ("uuid_extract_time(id) >= constant", "uuid_extract_time(id) >= {t}"),
    ("id >= clock_timestamp() - interval", "id >= clock_timestamp() - interval '40 days'"),
];

/// Other relations, with the kinds of condition that a constraint, an index or a foreign server may support.
const RELATIONS: [(&str, &str, &str); 12] = [
    ("UNION ALL view, constants", "everything", "id >= {t} AND id < {u}"),
    ("UNION ALL view, parameters", "everything", "id >= $1 AND id < $2"),
    ("UNION ALL view, id <@ (SELECT ...)", "everything", "id <@ (SELECT period FROM shift)"),
    ("inheritance with CHECK, constants", "child", "id >= {t} AND id < {u}"),
    ("inheritance with CHECK, id <@ constant", "child", "id <@ tstzrange({t}, {u})"),
    ("expression of type uuid, constants", "document_part", "(d->>'id')::uuid >= {t} AND (d->>'id')::uuid < {u}"),
    ("expression of type uuid, parameters", "document_part", "(d->>'id')::uuid >= $1 AND (d->>'id')::uuid < $2"),
    ("partial index WHERE id >= uuidv7_floor(t)", "recent_by_uuid", "id >= {t} AND id < {u}"),
    ("partial index WHERE id >= t", "recent_by_time", "id <@ tstzrange({t}, {u})"),
    ("BRIN, uuid_minmax_ops", "brin", "id <@ tstzrange({t}, {u})"),
    ("foreign table, constants", "far", "id >= {t} AND id < {u}"),
    ("foreign table, id <@ constant", "far", "id <@ tstzrange({t}, {u})"),
];

fn yes(is: bool) -> &'static str {
    if is { "yes" } else { "no" }
}

const PLANNED: &str = "FORMAT JSON";
const EXECUTED: &str = "ANALYZE, FORMAT JSON, TIMING OFF, SUMMARY OFF";

/// Pairs of a letter and the text that replaces it in conditions.
type Letters = [Vec<String>];

fn letters(client: &mut Client) -> Vec<Vec<String>> {
    sql::value::<Vec<String>>(client, LETTERS).chunks(2).map(<[String]>::to_vec).collect()
}

/// Returns the beginning of a query on a relation, which is joined to `shift s` if the condition refers to `s`.
fn select(relation: &str, condition: &str) -> String {
    let join = if condition.contains("s.") { "shift s, " } else { "" };
    format!("SELECT 1 FROM {join}{relation}")
}

/// Whether a query with the condition reads the relation through an index when `enable_seqscan` is off.
fn by_index(client: &mut Client, letters: &Letters, relation: &str, condition: &str) -> bool {
    sql::run(client, "SET enable_seqscan = off");
    let (_, by_index) = planned(client, &select(relation, condition), condition, letters, PLANNED);
    sql::run(client, "RESET enable_seqscan");
    by_index
}

/// Whether partitions are pruned during planning, and whether during execution.
fn left_out(client: &mut Client, letters: &Letters, relation: &str, prefix: &str, condition: &str) -> (bool, bool) {
    let (plan, _) = planned(client, &select(relation, condition), condition, letters, EXECUTED);
    let partitions: Vec<_> = plan.accesses().into_iter().filter(|(name, _)| name.starts_with(prefix)).collect();
    let removed: usize =
        plan.all("Subplans Removed").iter().map(|number| number.parse::<usize>().expect("a number")).sum();
    let unread = partitions.iter().filter(|(_, access)| !access.executed).count();
    (partitions.len() + removed < 12, removed + unread > 0)
}

fn pruning((planned, started): (bool, bool)) -> String {
    let when_started = if started || !planned { yes(started) } else { "" };
    format!("{} | {when_started}", yes(planned))
}

/// Whether the estimated number of rows is between half and twice the actual one. For times that the planner does not know, the
/// answer would depend on chance, so none is given.
fn estimated(client: &mut Client, letters: &Letters, relation: &str, condition: &str) -> &'static str {
    if ["$", "SELECT", "s."].iter().any(|unknown| condition.contains(unknown)) {
        return "as for unknown times";
    }
    let (plan, _) = planned(client, &select(relation, condition), condition, letters, EXECUTED);
    let (expected, actual) = (plan.rows(), plan.actual_rows());
    // The planner expects at least one row.
    yes(expected <= 2.0 * actual.max(1.0) && actual <= 2.0 * expected)
}

fn table(client: &mut Client, loopback: bool) -> String {
    let letters = &letters(client);
    let indexes = "CREATE INDEX ON recent_by_uuid (id) WHERE id >= uuidv7_floor({t});
         CREATE INDEX ON recent_by_time (id) WHERE id >= {t};
         ANALYZE; SET plan_cache_mode = force_generic_plan";
    sql::run(client, &substituted(indexes, letters));
    let mut lines = vec![
        "| form | index condition | prunes when planned | prunes when it starts | estimated |".to_owned(),
        "|---|---|---|---|---|".to_owned(),
    ];
    for (form, condition) in FORMS {
        let query = substituted(&format!("SELECT 1 FROM shift s, visit WHERE {condition}"), letters);
        if !condition.contains('$')
            && let Err(error) = client.simple_query(&query)
        {
            let state = error.code().map_or("", |state| state.code());
            lines.push(format!("| `{form}` | error {state} | | | |"));
            continue;
        }
        let index = yes(by_index(client, letters, "visit", condition));
        let pruned = pruning(left_out(client, letters, "part", "part_", condition));
        let estimated = estimated(client, letters, "visit", condition);
        lines.push(format!("| `{form}` | {index} | {pruned} | {estimated} |"));
    }
    lines.push("| **other relations** | | | | |".to_owned());
    for (name, relation, condition) in RELATIONS {
        if relation == "far" && !loopback {
            continue;
        }
        let estimated = estimated(client, letters, relation, condition);
        let index = if relation == "far" {
            let verbose = "VERBOSE, FORMAT JSON";
            let (plan, _) = planned(client, &select(relation, condition), condition, letters, verbose);
            let sent = plan.all("Remote SQL");
            let is_sent = !sent.is_empty() && sent.iter().all(|sent| sent.contains("WHERE"));
            if is_sent { "sent to the server" } else { "no" }
        } else {
            yes(by_index(client, letters, relation, condition))
        };
        let pruned = match relation {
            "everything" => pruning(left_out(client, letters, relation, "part_", condition)),
            "child" | "document_part" => {
                pruning(left_out(client, letters, relation, &format!("{relation}_"), condition))
            }
            _ => " | ".to_owned(),
        };
        lines.push(format!("| {name} | {index} | {pruned} | {estimated} |"));
    }
    lines.join("\n")
}

#[test]
fn table_in_the_documentation() {
    let cluster = Cluster::started("forms", &[("autovacuum", "off"), ("TimeZone", "UTC"), ("jit", "off")]);
    let mut client = cluster.connect();
    sql::run(&mut client, SCHEMA);
    let available = "SELECT EXISTS (SELECT FROM pg_available_extensions WHERE name = 'postgres_fdw')";
    let loopback: bool = sql::value(&mut client, available);
    if loopback {
        cluster.create_loopback(&mut client);
        let table = "CREATE FOREIGN TABLE far (id uuid) SERVER loopback OPTIONS (table_name 'visit', use_remote_estimate 'true')";
        sql::run(&mut client, table);
    }
    let made = table(&mut client, loopback);
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/time-predicates.md");
    let page = fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    let printed = page.split_once("<!-- forms -->\n").and_then(|(_, rest)| rest.split_once("\n<!-- end of forms -->"));
    let printed = printed.map_or("", |(table, _)| table);
    assert!(made == printed, "the table of docs/time-predicates.md should be:\n\n{made}\n");
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

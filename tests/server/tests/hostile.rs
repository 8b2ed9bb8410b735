//! Hostile input: the extension's SQL functions are called with edge values of their argument types and with random values. The
//! functions are found in the catalog, so that new ones are covered at once. A function with an argument of a new type makes the
//! test fail until that type has values in edge_values.csv and hostile.sql.
//!
//! The calls are made on the server, in PL/pgSQL, which catches errors and distinguishes them.

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Instant;

use postgres::{Client, Row};
use rfc9562::name::{Hash, Namespace};
use rfc9562::other::System;
use rfc9562::text::Format;
use rfc9562::time::V7Layout;
use server_tests::faults::{Fault, Faults};
use server_tests::random::{Random, first_seed};
use server_tests::{Cluster, process, progress, sql};

/// A function of the extension that SQL can call.
#[derive(Debug)]
struct Function {
    /// The name and the argument types.
    signature: String,
    /// The name, quoted and qualified.
    name: String,
    arguments: Vec<String>,
    result: String,
    returns_set: bool,
    immutable: bool,
    leakproof: bool,
    aggregate: bool,
    variadic: bool,
}

impl Function {
    /// Returns a call as a scalar expression. If the function returns a set, the expression counts its rows, at most ten.
    fn call(&self, arguments: &str) -> String {
        let Function { name, .. } = self;
        // A variadic argument is passed as one array.
        let arguments = match arguments.rsplit_once(", ") {
            Some((others, last)) if self.variadic => &format!("{others}, VARIADIC {last}"),
            _ => arguments,
        };
        if self.returns_set {
            format!("(SELECT count(*) FROM (SELECT {name}({arguments}) LIMIT 10) made)")
        } else if self.aggregate {
            format!("(SELECT {name}({arguments}) FROM generate_series(1, 2))")
        } else {
            format!("{name}({arguments})")
        }
    }

    /// Returns a condition on the arguments `a1`, `a2`... under which a call is not made, because it would take seconds and much
    /// memory without testing more than shorter calls. A `uuid[]` has at most 67,108,862 elements.
    fn unless(&self) -> &'static str {
        if self.result.ends_with("[]") && self.arguments == ["bigint"] {
            "a1 BETWEEN 10000 AND 67108862"
        } else {
            "false"
        }
    }
}

/// Returns every function of the extension, except those that take `internal` or that return `void` or `trigger`.
fn functions(client: &mut Client) -> Vec<Function> {
    let query = "
        SELECT p.oid::regprocedure::text || coalesce(' of ' || for_any::text, '') COLLATE \"C\" AS signature,
               format('%I.%I', n.nspname, p.proname) AS name,
               ARRAY(SELECT format_type(CASE WHEN t = ANY (any_type) THEN for_any ELSE t END, NULL)
                     FROM unnest(p.proargtypes) WITH ORDINALITY AS a (t, place) ORDER BY place) AS arguments,
               format_type(CASE WHEN p.prorettype = ANY (any_type) THEN for_any ELSE p.prorettype END, NULL) AS result,
               p.proretset AS returns_set, p.provolatile = 'i' AS immutable,
               p.proleakproof AS leakproof, p.prokind = 'a' AS aggregate, p.provariadic <> 0 AS variadic
        FROM pg_depend d JOIN pg_proc p ON p.oid = d.objid JOIN pg_namespace n ON n.oid = p.pronamespace
        CROSS JOIN (SELECT '{anyelement,anynonarray,anyarray,anycompatiblenonarray}'::regtype[]::oid[]) AS polymorphic (any_type)
        -- A polymorphic function is listed once for each of several types.
        CROSS JOIN LATERAL unnest(CASE
            WHEN p.proname IN ('uuid_time_from', 'uuid_time_bound') THEN '{date,timestamp,timestamptz,interval,text,uuid}'
            WHEN 'anyarray'::regtype = ANY (p.proargtypes::oid[]) THEN '{timestamptz[],tstzrange[],uuid[]}'
            WHEN p.proargtypes::oid[] && any_type THEN '{text,bigint,bytea,uuid,interval}' ELSE ARRAY[NULL] END::regtype[]) AS concrete (for_any)
        WHERE d.classid = 'pg_proc'::regclass AND d.refclassid = 'pg_extension'::regclass AND d.deptype = 'e'
          AND d.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidrfc')
          AND 'internal'::regtype <> ALL (p.proargtypes::oid[]) AND p.prorettype <> ALL ('{void,trigger}'::regtype[])
        ORDER BY signature";
    let function = |row: &Row| Function {
        signature: row.get("signature"),
        name: row.get("name"),
        arguments: row.get("arguments"),
        result: row.get("result"),
        returns_set: row.get("returns_set"),
        immutable: row.get("immutable"),
        leakproof: row.get("leakproof"),
        aggregate: row.get("aggregate"),
        variadic: row.get("variadic"),
    };
    sql::rows(client, query).iter().map(function).collect()
}

/// SQL expressions for values, by type.
struct Values(BTreeMap<String, Vec<String>>);

impl Values {
    fn get(&self, ty: &str) -> &[String] {
        let base = if ty == "uuid_operand" { "uuid" } else { ty.strip_prefix("uuid_").unwrap_or(ty) };
        self.0.get(base).unwrap_or_else(|| panic!("there are no values of type {ty}, the type of an argument"))
    }
}

/// Returns the edge values of each type (its extremes, its special values, and values that functions treat specially), and for each
/// type an expression that returns random values.
fn prepare(client: &mut Client) -> (Values, Values) {
    let array = |names: &[&str]| format!("{{{}}}", names.join(","));
    let labels = [Format::NAMES, Namespace::NAMES, Hash::NAMES, V7Layout::NAMES, System::NAMES].concat();
    let statements = include_str!("../hostile.sql").replace("{labels}", &array(&labels));
    sql::run(client, &statements.replace("{formats}", &array(Format::NAMES)));
    let mut copy = client.copy_in("COPY hostile.edge FROM STDIN (FORMAT csv, HEADER)").expect("COPY begins");
    copy.write_all(include_bytes!("../edge_values.csv")).expect("edge values are sent");
    copy.finish().expect("edge values are read");
    let server = "coalesce(since, 0) <= current_setting('server_version_num')::integer";
    let [edges, random] = [("edge", server), ("random", "true")].map(|(table, condition)| {
        let query = format!(
            "SELECT type, array_agg(expression ORDER BY ctid) FROM hostile.{table} WHERE {condition} GROUP BY type"
        );
        Values(sql::rows(client, &query).iter().map(|row| (row.get(0), row.get(1))).collect())
    });
    (edges, random)
}

/// Statements that write seal keys, without which some functions could only raise errors. The keys need more memory than the
/// allocator's reserve can provide at once.
const SEAL_KEYS: &str = "
    COPY (SELECT n || ' ' || repeat(lpad(to_hex(n % 256), 2, '0'), 32) FROM generate_series(1, 400) n)
        TO PROGRAM 'umask 077; cat > seal_keys';
    SET uuidrfc.seal_key_file = 'seal_keys'";

/// The approximate maximum number of combinations of edge values with which a function is called. If there are more, some are
/// chosen at random.
const COMBINATIONS: usize = 4_000;

/// The approximate number of calls with random values in a session.
const RANDOM_CALLS: usize = 200_000;

/// Each of a statement's allocations up to this number fails in a run of its own, as does each in a random sample of the later
/// ones.
const FIRST_ALLOCATIONS: i32 = 200;

/// How an immutable function is called a second time.
#[derive(Clone, Copy)]
enum Again {
    /// With the same variables as the first time.
    WithVariables,
    /// With constants, for which the planner evaluates the call, and with other settings.
    WithConstants,
}

/// Returns a DO block that calls the function with each row of `rows`, whose columns are the arguments `a1`, `a2`... If `again` is
/// given, each call is repeated and must have the same result.
fn block(function: &Function, rows: &str, again: Option<Again>) -> String {
    let variables: Vec<String> = (1..=function.arguments.len()).map(|n| format!("r.a{n}")).collect();
    let variables = variables.join(", ");
    let first = function.call(&variables);
    let result = if function.returns_set { "bigint" } else { &function.result };
    // PostgreSQL writes extreme intervals as text that it cannot read.
    let has_constants = !function.arguments.is_empty() && !function.arguments.iter().any(|ty| ty == "interval");
    let second = match again {
        None => String::new(),
        // Settings are changed only here, because changing them takes longer than most calls.
        Some(Again::WithConstants) if has_constants => {
            let places: Vec<String> = function.arguments.iter().map(|ty| format!("%L::{ty}")).collect();
            let call = function.call(&places.join(", "));
            format!(
                "BEGIN
                     statement := format('SELECT {call}', {variables});
                 EXCEPTION WHEN OTHERS THEN RAISE 'of %: %', left(r::text, 500), SQLERRM; END;
                 PERFORM set_config('TimeZone', 'America/St_Johns', true), set_config('DateStyle', 'German, DMY', true);
                 BEGIN EXECUTE statement INTO y; EXCEPTION WHEN OTHERS THEN repeated := SQLSTATE; END;
                 PERFORM set_config('TimeZone', 'UTC', true), set_config('DateStyle', 'ISO', true);"
            )
        }
        Some(_) => format!("BEGIN y := {first}; EXCEPTION WHEN OTHERS THEN repeated := SQLSTATE; END;"),
    };
    let compare = if again.is_none() {
        ""
    } else {
        "IF y IS DISTINCT FROM x OR state IS DISTINCT FROM repeated THEN
             RAISE 'of %: % % and then % %', left(r::text, 500), x, state, y, repeated;
         END IF;"
    };
    format!(
        "DO $hostile$
         DECLARE r record; x {result}; y {result}; state text; repeated text; message text; statement text;
             calls bigint := 0; errors bigint := 0;
         BEGIN
             FOR r IN {rows} LOOP
                 x := NULL; y := NULL; state := NULL; repeated := NULL; calls := calls + 1;
                 BEGIN
                     x := {first};
                 EXCEPTION WHEN OTHERS THEN
                     GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT;
                     errors := errors + 1;
                     -- 55000: scope backend and unknown versions have no horizon. 42: a table of marks must have two columns.
                     IF state NOT LIKE '22%' AND state NOT LIKE '54%'
                         AND NOT (state = '55000' AND '{signature}' ~ 'uuidv7_(no_horizon|horizon|mark)')
                         AND NOT (state LIKE '42%' AND '{signature}' ~ 'uuidv7_(horizon|mark)[(]regclass') THEN
                         RAISE 'of %: % %', left(r::text, 500), state, message;
                     END IF;
                 END;
                 {second}
                 {compare}
             END LOOP;
             INSERT INTO hostile.outcome VALUES ('{signature}', calls, errors);
         END $hostile$",
        signature = function.signature.replace('\'', "''"),
    )
}

/// Returns a query for all combinations of the edge values and NULL or, if there are too many, for some of them.
fn edge_rows(function: &Function, edges: &Values) -> String {
    /// The number of combinations above which only [`SOME`] values of each argument are used.
    const TOO_MANY: usize = 1_000_000;
    const SOME: usize = 12;

    let all: usize = function.arguments.iter().map(|ty| edges.get(ty).len() + 1).product();
    let most = if all > TOO_MANY { SOME } else { usize::MAX };
    let mut combinations = 1;
    let mut tables = Vec::new();
    for (n, ty) in (1..).zip(&function.arguments) {
        let values = edges.get(ty);
        let count = most.min(values.len() + 1);
        combinations *= count;
        let values: String = values.iter().map(|value| format!(", (({value})::{ty})")).collect();
        tables.push(format!(
            "(SELECT v FROM (VALUES (NULL::{ty}){values}) s (v) ORDER BY random() LIMIT {count}) t{n} (a{n})"
        ));
    }
    if tables.is_empty() {
        return "SELECT 1".to_owned();
    }
    let part = COMBINATIONS as f64 / combinations as f64;
    let unless = function.unless();
    let tables = tables.join(", ");
    format!("SELECT * FROM (SELECT * FROM {tables} WHERE random() < {part}) edges WHERE ({unless}) IS NOT TRUE")
}

fn random_rows(function: &Function, random: &Values, calls: usize) -> String {
    let columns: Vec<String> =
        (1..).zip(&function.arguments).map(|(n, ty)| format!("{} AS a{n}", random.get(ty)[0])).collect();
    let columns = if columns.is_empty() { "n".to_owned() } else { columns.join(", ") };
    let unless = function.unless();
    format!("SELECT * FROM (SELECT {columns} FROM generate_series(1, {calls}) n OFFSET 0) random WHERE NOT ({unless})")
}

#[test]
fn no_input_is_an_internal_error_a_crash_or_a_leak() {
    // Autovacuum invalidates a backend's catalog caches and thereby changes how much memory the backend uses.
    let cluster = Cluster::started("hostile", &[("shared_preload_libraries", "uuidrfc"), ("autovacuum", "off")]);
    let mut client = cluster.connect();
    let seed = first_seed();
    let (edges, random) = prepare(&mut client);
    sql::run(&mut client, &format!("SELECT setseed({seed} % 1000 / 1000.0); SET TimeZone = 'UTC'"));
    sql::run(&mut client, SEAL_KEYS);
    let process = sql::process(&mut client);
    let functions = functions(&mut client);
    assert!(functions.len() > 50, "{functions:?}");

    let start = Instant::now();
    for function in &functions {
        let again = function.immutable.then_some(Again::WithConstants);
        sql::run(&mut client, &block(function, &edge_rows(function, &edges), again));
    }
    progress(&format!("edge values in {:.1?}", start.elapsed()));

    let each = RANDOM_CALLS / functions.len();
    // Calls each function `each` times, and returns the size of the backend's memory contexts in bytes and of its process in kB.
    let mut memory_after = |each: usize| -> (i64, i64) {
        for function in &functions {
            let again = function.immutable.then_some(Again::WithVariables);
            sql::run(&mut client, &block(function, &random_rows(function, &random, each), again));
        }
        let contexts = "SELECT sum(total_bytes)::bigint FROM pg_backend_memory_contexts";
        (sql::value(&mut client, contexts), process::kilobytes(process, "RssAnon"))
    };
    // The first round fills the caches.
    let before = memory_after(each / 10);
    let start = Instant::now();
    let after = memory_after(each);
    let (in_contexts, in_process) = (after.0 - before.0, after.1 - before.1);
    progress(&format!(
        "random values in {:.1?}; memory contexts grew by {in_contexts} bytes, the process by {in_process} kB",
        start.elapsed()
    ));
    assert!(in_contexts < 128 * 1024, "bytes in memory contexts: {} and then {}", before.0, after.0);
    // A leak of 16 bytes per call would be 8 MB.
    assert!(in_process < 6 * 1024, "kB of process {process}: {} and then {}", before.1, after.1);

    // In scope `server`, generators use a different code path.
    sql::run(&mut client, "SET uuidrfc.monotonic_scope = 'server'");
    for function in functions.iter().filter(|function| !function.immutable) {
        sql::run(&mut client, &block(function, &edge_rows(function, &edges), None));
        sql::run(&mut client, &block(function, &random_rows(function, &random, each / 10), None));
    }

    let outcome = "SELECT signature, sum(calls)::bigint, sum(errors)::bigint
        FROM hostile.outcome GROUP BY signature ORDER BY signature COLLATE \"C\"";
    let outcome = sql::rows(&mut client, outcome);
    assert_eq!(outcome.len(), functions.len());
    let mut total = 0;
    for (row, function) in outcome.iter().zip(&functions) {
        let (signature, calls, errors): (String, i64, i64) = (row.get(0), row.get(1), row.get(2));
        progress(&format!("{signature}: {calls} calls, {errors} errors"));
        assert!(calls > 0, "{signature} was not called");
        assert_eq!(signature, function.signature);
        // Error messages reveal values, so a leakproof function must not raise errors.
        assert!(!function.leakproof || errors == 0, "{signature} is labelled leakproof");
        total += calls;
    }
    progress(&format!("{total} calls of {} functions, seed {seed}", functions.len()));
    assert_unharmed(&cluster, &mut client, process);
}

/// Conditions in which AND and OR alternate on thousands of levels are evaluated, or fail at PostgreSQL's stack depth limit.
#[test]
fn deep_conditions_use_up_no_stack() {
    const LEVELS: usize = 2_500;
    let cluster = Cluster::started("deep", &[("shared_preload_libraries", "uuidrfc")]);
    let mut client = cluster.connect();
    let process = sql::process(&mut client);
    let deep = (0..LEVELS).fold("$2".to_owned(), |inner, level| {
        let combined = if level % 2 == 0 { "OR" } else { "AND" };
        format!("($1 > {level} {combined} {inner})")
    });
    sql::run(
        &mut client,
        &format!(
            "CREATE TABLE item (id uuid PRIMARY KEY DEFAULT uuidv7(), n int); INSERT INTO item (n) VALUES (1), (1000000);
             CREATE FUNCTION deep(int, boolean) RETURNS boolean IMMUTABLE LANGUAGE sql AS $$ SELECT {deep} $$"
        ),
    );
    let mut answered = 0;
    for stack in ["2MB", "6MB"] {
        sql::run(&mut client, &format!("SET max_stack_depth = '{stack}'"));
        for innermost in ["n > 5", "id >= timestamptz '2026-01-01'", "uuidv7_time(id) >= '2026-01-01'"] {
            // PostgreSQL inlines the function, so each call adds all levels of the body.
            let condition = format!("deep(n, deep(n, deep(n, {innermost})))");
            match client.query_one(&format!("SELECT count(*) FROM item WHERE {condition}"), &[]) {
                Ok(row) => {
                    assert_eq!(row.get::<_, i64>(0), 1, "{innermost}, {stack}");
                    answered += 1;
                }
                Err(error) => {
                    assert_eq!(sql::sqlstate_of(&error).as_deref(), Some("54001"), "{innermost}, {stack}: {error}");
                }
            }
        }
    }
    assert!(answered > 0, "no condition was answered");
    assert_unharmed(&cluster, &mut client, process);
}

/// Returns the values in a statement's result, or the SQLSTATE of its error.
fn answer(client: &mut Client, statement: &str) -> Result<Vec<Option<String>>, String> {
    let rows = sql::texts(client, statement)
        .map_err(|error| sql::sqlstate_of(&error).unwrap_or_else(|| panic!("{statement}: {error}")))?;
    Ok(rows.iter().flat_map(|row| (0..row.len()).map(|n| row.get(n).map(str::to_owned))).collect())
}

/// A session in which a statement's allocations fail, one at a time or all from a given one on.
struct Starved<'a> {
    client: &'a mut Client,
    faults: &'a Faults,
    process: i32,
    random: Random,
    failures: usize,
}

impl Starved<'_> {
    /// Checks that a statement fails for lack of memory, or returns the same result as with sufficient memory (any result if not
    /// `is_repeatable`). Each run is preceded by the statement that `before` returns for the number of the failing allocation.
    fn run(&mut self, statement: &str, is_repeatable: bool, before: impl Fn(i32) -> String) {
        sql::run(self.client, &before(0));
        let expected = answer(self.client, statement);
        for lasting in [false, true] {
            let mut n = 1;
            loop {
                sql::run(self.client, &before(n));
                let faults = [(Fault::Allocation, n), (Fault::AllLaterAllocations, lasting.into())];
                self.faults.inject(self.process, &faults);
                let found = answer(self.client, statement);
                let failed = self.faults.mend();
                match &found {
                    Err(state) if state == "53200" => assert!(failed, "{statement}: no allocation failed"),
                    Ok(_) if !is_repeatable => {
                        assert!(expected.is_ok(), "{statement}: allocation {n}, lasting: {lasting}");
                    }
                    _ => assert_eq!(found, expected, "{statement}: allocation {n}, lasting: {lasting}"),
                }
                if !failed {
                    break;
                }
                self.failures += 1;
                let skipped = if n < FIRST_ALLOCATIONS { 0 } else { self.random.between(0, 49) };
                n += 1 + i32::try_from(skipped).expect("a small number");
            }
        }
    }
}

/// Allocations fail in the queries of planned.sql, and in the extension's functions when called with some edge values, including
/// invalid ones.
#[test]
fn memory_that_is_out_is_an_error() {
    let settings = [("shared_preload_libraries", "uuidrfc"), ("autovacuum", "off"), ("jit", "off")];
    let (cluster, faults) = Cluster::started_behind("hostile-memory", &settings, Faults::in_front_of);
    let mut client = cluster.connect();
    sql::run(&mut client, "SET TimeZone = 'UTC'");
    sql::run(&mut client, SEAL_KEYS);
    let (edges, _) = prepare(&mut client);
    let (tables, questions) = include_str!("../planned.sql").split_once("\n\n").expect("tables, then questions");
    sql::run(&mut client, tables);
    let process = sql::process(&mut client);
    let functions = functions(&mut client);
    let seed = first_seed();
    let mut starved = Starved { client: &mut client, faults: &faults, process, random: Random::new(seed), failures: 0 };
    // A different path to the same file makes the session read the file again.
    let another_path =
        |n: i32| format!("SET uuidrfc.seal_key_file = '{}seal_keys'", if n % 2 == 0 { "./" } else { "././" });
    let mut calls = 0;
    for function in &functions {
        let values: Vec<&[String]> = function.arguments.iter().map(|ty| edges.get(ty)).collect();
        let (mut answered, mut refused) = (0, 0);
        for _ in 0..200 {
            let arguments: Vec<String> = (values.iter().zip(&function.arguments))
                .map(|(values, ty)| format!("({})::{ty}", starved.random.pick(values)))
                .collect();
            let unless = arguments.first().map_or("false".to_owned(), |first| function.unless().replace("a1", first));
            let statement = format!(
                "SET LOCAL statement_timeout = '200ms'; SELECT {} WHERE NOT ({unless})",
                function.call(&arguments.join(", "))
            );
            let counted = match answer(starved.client, &format!("BEGIN; {statement}; COMMIT")) {
                Ok(_) => &mut answered,
                Err(state) => {
                    sql::run(starved.client, "ROLLBACK");
                    if state == "57014" {
                        continue;
                    }
                    &mut refused
                }
            };
            if *counted < 3 {
                *counted += 1;
                calls += 1;
                let statement = format!("SELECT {} WHERE NOT ({unless})", function.call(&arguments.join(", ")));
                starved.run(&statement, function.immutable, another_path);
            }
            if answered == 3 && refused == 3 || function.arguments.is_empty() {
                break;
            }
        }
        assert!(answered + refused > 0, "{} was not called", function.signature);
    }
    progress(&format!(
        "{calls} calls of {} functions, {} failed allocations, seed {seed}",
        functions.len(),
        starved.failures
    ));
    starved.failures = 0;
    let questions: Vec<&str> = questions.lines().filter(|line| line.starts_with("SELECT")).collect();
    assert!(questions.len() > 30);
    for question in &questions {
        for statement in [format!("EXPLAIN (COSTS OFF) {question}"), (*question).to_owned()] {
            starved.run(&statement, true, another_path);
        }
    }
    progress(&format!("{} questions, {} failed allocations", questions.len(), starved.failures));
    assert_unharmed(&cluster, &mut client, process);
}

#[track_caller]
fn assert_unharmed(cluster: &Cluster, client: &mut Client, process: i32) {
    assert_eq!(sql::process(client), process);
    let log = cluster.log();
    for harm in ["terminated by signal", "PANIC", "panicked", "not properly shut down"] {
        assert!(!log.contains(harm), "the server's log has \"{harm}\"");
    }
}

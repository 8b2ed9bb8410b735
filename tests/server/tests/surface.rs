//! The SQL surface, told alike in each place that tells of it: the install script and the library it names, the catalog and
//! the documentation.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use object::Object;
use server_tests::{Cluster, sql};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder and of the folders in it, of one extension.
fn files(folder: &str, extension: &str) -> Vec<PathBuf> {
    let (mut paths, mut found) = (vec![repository().join(folder)], Vec::new());
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("the folder can be read");
            paths.extend(entries.map(|entry| entry.expect("it can be listed").path()));
        } else if path.extension().is_some_and(|of_path| of_path == extension) {
            found.push(path);
        }
    }
    found
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("the file can be read")
}

fn text_of(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| read(path)).collect()
}

#[track_caller]
fn assert_none<'a>(what: &str, symbols: impl Iterator<Item = &'a String>) {
    let symbols: Vec<_> = symbols.collect();
    assert!(symbols.is_empty(), "{what}: {symbols:?}");
}

/// PostgreSQL looks a symbol up when a function is created, but nobody tells of a function in Rust that SQL does not declare.
#[test]
fn the_scripts_name_what_the_library_exports() {
    let cluster = Cluster::started("symbols", &[]);
    let library: String =
        sql::value(&mut cluster.connect(), "SELECT setting || '/uuidrfc.so' FROM pg_config WHERE name = 'PKGLIBDIR'");
    let library = fs::read(library).expect("the library is installed");
    let library = object::File::parse(library.as_slice()).expect("it is a library");
    let exported: BTreeSet<String> = library
        .exports()
        .expect("its exported symbols")
        .iter()
        .filter_map(|export| std::str::from_utf8(export.name()).ok()?.strip_prefix("pg_finfo_").map(str::to_owned))
        .collect();
    assert!(exported.len() > 80, "{exported:?}");

    // A release's script is run with the library of a later one, too.
    let scripts = text_of(&files("sql", "sql"));
    let in_c = scripts.split("'MODULE_PATHNAME', '").skip(1);
    let declared: BTreeSet<String> = in_c.filter_map(|after| after.split('\'').next().map(str::to_owned)).collect();
    assert_none("declared in SQL, not exported by the library", declared.difference(&exported));
    assert_none("exported by the library, not declared in SQL", exported.difference(&declared));

    // Symbols by which the planner's side knows functions.
    let source = text_of(&files("src", "rs"));
    let known = source.split('"').filter(|literal| literal.ends_with("_wrapper") && !literal.starts_with('_'));
    let known: BTreeSet<String> = known.map(str::to_owned).collect();
    assert!(known.len() > 10, "{known:?}");
    assert_none("known in Rust, not declared in SQL", known.difference(&declared));
}

/// A function that users call, as the catalog has it.
#[derive(Debug)]
struct Function {
    signature: String,
    name: String,
    arguments: Vec<Argument>,
    result: String,
    labels: Labels,
}

#[derive(Debug)]
struct Argument {
    name: String,
    data_type: String,
    default: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
struct Labels {
    volatility: String,
    strict: bool,
    parallel: String,
    leakproof: bool,
}

/// All functions of the extension but those that users cannot or need not call: with an argument of type internal, or what
/// an operator, an operator family or an aggregate is made of, or what stands in plans or in another function, by its comment.
const CALLED_BY_USERS: &str = "
    SELECT p.oid::regprocedure::text AS signature, p.proname::text AS name,
           coalesce(p.proargnames, array_fill(''::text, ARRAY[p.pronargs::int])) AS names,
           ARRAY(SELECT format_type(type, NULL) FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY t (type, n) ORDER BY n) AS types,
           ARRAY(SELECT pg_get_function_arg_default(p.oid, n) FROM generate_series(1, p.pronargs) n ORDER BY n) AS defaults,
           pg_get_function_result(p.oid) AS result,
           CASE p.provolatile WHEN 'i' THEN 'IMMUTABLE' WHEN 's' THEN 'STABLE' ELSE 'VOLATILE' END AS volatility,
           p.proisstrict AS strict,
           CASE p.proparallel WHEN 's' THEN 'SAFE' WHEN 'r' THEN 'RESTRICTED' ELSE 'UNSAFE' END AS parallel,
           p.proleakproof AS leakproof
    FROM pg_depend member JOIN pg_proc p ON member.classid = 'pg_proc'::regclass AND p.oid = member.objid
    WHERE member.deptype = 'e' AND member.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidrfc')
        AND 'internal'::regtype <> ALL (p.proargtypes::oid[])
        AND obj_description(p.oid, 'pg_proc') !~ 'st(an|oo)ds? in plans|^implementation of '
        AND NOT EXISTS (
            SELECT FROM pg_depend part
            WHERE part.refclassid = 'pg_proc'::regclass AND part.refobjid = p.oid
                AND (part.classid IN ('pg_operator'::regclass, 'pg_amproc'::regclass)
                     OR part.objid IN (SELECT aggfnoid::oid FROM pg_aggregate WHERE part.classid = 'pg_proc'::regclass)))";

fn functions(cluster: &Cluster) -> Vec<Function> {
    let mut client = cluster.connect();
    let function = |row: &postgres::Row| {
        let names: Vec<String> = row.get("names");
        let types: Vec<String> = row.get("types");
        let defaults: Vec<Option<String>> = row.get("defaults");
        let arguments = names.into_iter().zip(types).zip(defaults);
        Function {
            signature: row.get("signature"),
            name: row.get("name"),
            arguments: arguments.map(|((name, data_type), default)| Argument { name, data_type, default }).collect(),
            result: row.get("result"),
            labels: Labels {
                volatility: row.get("volatility"),
                strict: row.get("strict"),
                parallel: row.get("parallel"),
                leakproof: row.get("leakproof"),
            },
        }
    };
    sql::rows(&mut client, CALLED_BY_USERS).iter().map(function).collect()
}

/// The name of a type that PostgreSQL shows for what documentation calls it.
fn type_name(documented: &str) -> &str {
    match documented {
        "int" => "integer",
        "timestamptz" => "timestamp with time zone",
        other => other,
    }
}

/// A row of a table of functions: `name(arguments)` in code, one or more of them; their result, in a table that has it; and the rest.
#[derive(Debug)]
struct Row {
    line: String,
    calls: Vec<(String, Vec<String>)>,
    results: Vec<String>,
    rest: String,
}

impl Row {
    fn read(line: &str, has_results: bool) -> Row {
        // A | of text|bytea is written \| within a table.
        let cells: Vec<String> =
            line.replace("\\|", "\u{1}").split('|').map(|cell| cell.trim().replace('\u{1}', "|")).collect();
        let mut calls: Vec<(String, Vec<String>)> = Vec::new();
        for code in cells[1].split('`').skip(1).step_by(2) {
            let call = code.strip_suffix(')').and_then(|code| code.split_once('('));
            let (name, arguments) = call.unwrap_or_else(|| panic!("no function of arguments: {line}"));
            let arguments = match arguments {
                "" => Vec::new(),
                "..." => calls.last().expect("arguments of the function before").1.clone(),
                arguments => arguments.split(", ").map(str::to_owned).collect(),
            };
            calls.push((name.to_owned(), arguments));
        }
        let results = if has_results { cells[2].split(", ").map(str::to_owned).collect() } else { Vec::new() };
        Row { line: line.to_owned(), calls, results, rest: cells[if has_results { 3 } else { 2 }..].join(" ") }
    }

    /// IMMUTABLE STRICT PARALLEL SAFE, unless it says another.
    fn labels(&self) -> Labels {
        let code: Vec<&str> = self.rest.split('`').skip(1).step_by(2).collect();
        let says = |label: &str| code.iter().any(|code| code.contains(label));
        let first_said =
            |labels: [&str; 2], other: &str| labels.into_iter().find(|label| says(label)).unwrap_or(other).to_owned();
        Labels {
            volatility: first_said(["VOLATILE", "STABLE"], "IMMUTABLE"),
            strict: !self.rest.contains("not `STRICT`"),
            parallel: first_said(["PARALLEL UNSAFE", "PARALLEL RESTRICTED"], "PARALLEL SAFE").replace("PARALLEL ", ""),
            leakproof: says("LEAKPROOF"),
        }
    }
}

/// `ns`, `uuid`, `ns uuid`, `name text|bytea`, `hash = 'sha256'`, `hash text = 'sha256'`.
fn describes(documented: &str, argument: &Argument) -> bool {
    let (documented, default) = match documented.split_once(" = ") {
        Some((documented, default)) => (documented, Some(default)),
        None => (documented, None),
    };
    let is_type = |types: &str| types.split('|').any(|documented| type_name(documented) == argument.data_type);
    let described = match documented.split_once(' ') {
        Some((name, types)) => name == argument.name && is_type(types),
        None => documented == argument.name || is_type(documented),
    };
    let default_of_argument = argument.default.as_deref().map(|text| text.split("::").next().unwrap_or(text));
    described && default == default_of_argument
}

/// Each table of functions names functions that exist, with the results and labels they have; and the reference names all.
#[test]
fn the_documentation_has_each_function_with_its_labels() {
    let cluster = Cluster::started("reference", &[]);
    let functions = functions(&cluster);
    assert!(functions.len() > 45, "{functions:#?}");
    let mut in_reference = BTreeSet::new();
    let (mut wrong, mut tables) = (Vec::new(), 0);
    for page in files("docs", "md") {
        let text = read(&page);
        let page = page.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut lines = text.lines();
        while let Some(head) = lines.by_ref().find(|line| line.starts_with("| function |")) {
            tables += 1;
            let has_results = head.matches('|').count() > 3;
            for line in lines.by_ref().skip(1).take_while(|line| line.starts_with('|')) {
                let row = Row::read(line, has_results);
                for (n, (name, arguments)) in row.calls.iter().enumerate() {
                    let result = row.results.get(n).or(row.results.first());
                    let described: Vec<&Function> = functions
                        .iter()
                        .filter(|function| {
                            function.name == *name
                                && function.arguments.len() == arguments.len()
                                && arguments
                                    .iter()
                                    .zip(&function.arguments)
                                    .all(|(text, argument)| describes(text, argument))
                        })
                        .collect();
                    if described.is_empty() {
                        wrong.push(format!(
                            "{page}: no such function for users: {name}{arguments:?} in\n    {}",
                            row.line
                        ));
                    }
                    for function in described {
                        if page == "reference.md" {
                            in_reference.insert(&function.signature);
                        }
                        if result.is_some_and(|result| type_name(result) != function.result.replace("SETOF", "setof")) {
                            wrong.push(format!(
                                "{page}: {} returns {}, not {result:?}",
                                function.signature, function.result
                            ));
                        }
                        if row.labels() != function.labels {
                            wrong.push(format!(
                                "{page}: {} is {:?}, not {:?}",
                                function.signature,
                                function.labels,
                                row.labels()
                            ));
                        }
                    }
                }
            }
        }
    }
    assert!(tables >= 4, "{tables} tables of functions");
    let missing = functions.iter().filter(|function| !in_reference.contains(&function.signature));
    wrong.extend(missing.map(|function| format!("docs/reference.md: no row has {}", function.signature)));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

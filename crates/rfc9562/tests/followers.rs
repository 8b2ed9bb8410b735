//! Places that repeat a list of this crate for their readers: documentation, comments in the catalog, tests in SQL.
//! Each must have the whole list, in its order. A failing test names the place and the text that belongs there.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use std::fs;
use std::path::PathBuf;

use rfc9562::name::{Hash, Hashspace, Namespace};
use rfc9562::other::System;
use rfc9562::text::Format;
use rfc9562::time::Layout;
use rfc9562::{Uuid, Variant};

fn repository() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// A file of the repository, with single spaces for all white space.
fn words(path: &str) -> String {
    let text = fs::read_to_string(repository().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The names, each in quotes, with commas between them and `before_last` before the last one.
fn listed(names: &[&str], quote: &str, before_last: &str) -> String {
    let (last, first) = names.split_last().unwrap();
    let quoted = |name: &&str| format!("{quote}{name}{quote}");
    format!("{}{before_last}{}", first.iter().map(quoted).collect::<Vec<_>>().join(", "), quoted(last))
}

/// The places that do not follow, each with the text that belongs there.
#[derive(Default)]
struct Missing(Vec<String>);

impl Missing {
    /// A file must have the words.
    fn unless_in(&mut self, path: &str, what: &str) {
        if !words(path).contains(what) {
            self.0.push(format!("{path} does not have:\n    {what}"));
        }
    }

    /// Some COMMENT of a function of this name must end in the words. (A function with other arguments has a COMMENT of
    /// its own.)
    fn unless_commented(&mut self, function: &str, what: &str) {
        let begin = format!("COMMENT ON FUNCTION {function}(");
        let mut comments = described().into_iter().flat_map(|text| {
            let comments = text.split(&begin).skip(1).filter_map(|after| after.split("';").next());
            comments.map(str::to_owned).collect::<Vec<_>>()
        });
        if !comments.any(|comment| comment.ends_with(what)) {
            self.0.push(format!("no comment of function {function}() ends in:\n    {what}"));
        }
    }

    fn none(self) {
        assert!(self.0.is_empty(), "{}", self.0.join("\n"));
    }
}

/// The sources that describe the extension's objects, without the scripts of releases.
fn described() -> Vec<String> {
    let mut paths = vec![repository().join("sql"), repository().join("src")];
    let mut texts = Vec::new();
    while let Some(path) = paths.pop() {
        let name = path.file_name().unwrap().to_string_lossy();
        if path.is_dir() {
            paths.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else if (name.ends_with(".sql") || name.ends_with(".rs")) && !name.starts_with("uuidrfc--") {
            texts.push(fs::read_to_string(&path).unwrap());
        }
    }
    texts
}

/// A small number as a word.
fn in_words(number: usize) -> &'static str {
    let words = "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen";
    words.split(' ').nth(number).unwrap()
}

#[test]
fn formats() {
    let mut missing = Missing::default();
    let comment = format!("in the format {}", listed(Format::NAMES, "", " or "));
    missing.unless_commented("uuid_encode", &comment);
    missing.unless_commented("uuid_decode", &comment);
    let hint = format!("HINT: Valid UUID formats are {}.", listed(Format::NAMES, "\"", ", and "));
    missing.unless_in("docs/text-forms.md", &hint);
    missing.unless_in("docs/start.md", &format!("[All {} forms]", in_words(Format::ALL.len())));
    missing.unless_in("tests/pg_regress/sql/text.sql", &format!("'{{{}}}'", Format::NAMES.join(",")));
    missing.unless_in("tests/server/tests/hostile.rs", &format!("(ARRAY[{}])", listed(Format::NAMES, "'", ", ")));
    missing.none();
}

/// The table of the forms, for users and in the module: name, example, width, order.
#[test]
fn table_of_formats() {
    let mut missing = Missing::default();
    let example: Uuid = "01890a5d-ac96-774b-bcce-b302099a8057".parse().unwrap();
    for format in Format::ALL {
        let text = format.encode(example);
        let [least, most] = [Uuid::NIL, Uuid::MAX].map(|uuid| format.encode(uuid).len());
        let order = if format.keeps_order() { "yes" } else { "no" };
        let width = |to: &str| if least == most { format!("{most}") } else { format!("{least}{to}{most}") };
        let row = format!("| `{}` | `{text}` | {} | {order} |", format.name(), width(" to "));
        missing.unless_in("docs/text-forms.md", &row);
        let row = format!("//! {} {text} {} {order} ", format.name(), width(".."));
        missing.unless_in("crates/rfc9562/src/text/mod.rs", &row);
    }
    missing.none();
}

/// The table of the systems of ids, for users: name, types, those that sort, what an id is carried over to, and whether back.
#[test]
fn systems() {
    let mut missing = Missing::default();
    missing.unless_commented("other_id_time", &format!("the system is {}", listed(System::NAMES, "", " or ")));
    let hint = format!("HINT: Valid id systems are {}.", listed(System::NAMES, "\"", ", and "));
    missing.unless_in("docs/other-ids.md", &hint);
    for system in System::ALL {
        let types = |types: Vec<&str>| if types.is_empty() { "none".to_owned() } else { types.join(", ") };
        let all = types(system.types().map(|ty| ty.name()).collect());
        let sorting = types(system.types().filter(|ty| system.sorts_as(*ty)).map(|ty| ty.name()).collect());
        let back = if system.is_lossless() { "yes" } else { "no" };
        let name = system.name();
        let row = format!("| `{name}` | {all} | {sorting} | {} | {back} |", system.version());
        missing.unless_in("docs/other-ids.md", &row);
        missing.unless_in("tests/crosscheck/other_ids.py", &format!("\"{name}\": "));
    }
    missing.none();
}

#[test]
fn hashes() {
    let mut missing = Missing::default();
    missing.unless_in("docs/name-based.md", &format!("The hashes are {};", listed(Hash::NAMES, "`", " and ")));
    missing.unless_in("docs/reference.md", &format!("{} hashes", in_words(Hash::ALL.len())));
    missing.unless_commented("uuid_hashspace", &format!("hash algorithm: {}", listed(Hashspace::NAMES, "", " or ")));
    for path in ["tests/pg_regress/sql/name_based.sql", "tests/pg_regress/sql/fields.sql"] {
        missing.unless_in(path, &format!("ARRAY[{}]", listed(Hashspace::NAMES, "'", ", ")));
    }
    for hashspace in Hashspace::ALL {
        missing.unless_in("tests/crosscheck/crosscheck.py", &format!("\": \"{}\",", hashspace.id()));
    }
    missing.none();
}

#[test]
fn namespaces() {
    let mut missing = Missing::default();
    missing.unless_commented("uuid_namespace", &format!("namespace {}", listed(Namespace::NAMES, "", " or ")));
    missing
        .unless_in("docs/name-based.md", &format!("the ID of namespace {} |", listed(Namespace::NAMES, "`", " or ")));
    for path in ["tests/pg_regress/sql/name_based.sql", "tests/pg_regress/sql/fields.sql"] {
        missing.unless_in(path, &format!("ARRAY[{}", listed(Namespace::NAMES, "'", ", ")));
    }
    missing.none();
}

#[test]
fn layouts() {
    let mut missing = Missing::default();
    missing.unless_commented("uuidv7_at", &format!("in layout {}", listed(Layout::NAMES, "", " or ")));
    missing.unless_in("docs/fields.md", &format!("in layout {} |", listed(Layout::NAMES, "`", " or ")));
    missing.none();
}

#[test]
fn variants() {
    let mut missing = Missing::default();
    let names = [0b000, 0b100, 0b110, 0b111].map(|bits: u128| Uuid::from_u128(bits << 61).variant().name());
    assert_eq!(names[1], Variant::Rfc9562.name());
    missing.unless_commented("uuid_extract_variant", &format!("variant of a UUID: {}", listed(&names, "", " or ")));
    missing.unless_in("docs/fields.md", &format!("`variant` ({})", listed(&names, "`", " or ")));
    missing.none();
}

/// The names from which the tests with hostile arguments draw.
#[test]
fn hostile_labels() {
    let mut missing = Missing::default();
    let mut all = Format::NAMES.to_vec();
    for name in [Namespace::NAMES, Hash::NAMES, Layout::NAMES, System::NAMES].concat() {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    let drawn = format!("(ARRAY[{}])[1 + (random() * {})::integer]", listed(&all, "'", ", "), all.len() - 1);
    missing.unless_in("tests/server/tests/hostile.rs", &drawn);
    missing.none();
}

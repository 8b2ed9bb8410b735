//! The SQL surface: the install script declares the functions that the library exports, and the reference names all objects.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use object::Object;
use server_tests::{Cluster, sql};

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)).expect("the file can be read")
}

/// PostgreSQL looks up a symbol when a function is created, but does not report a function in Rust that SQL does not declare.
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

    let script = read("sql/uuidrfc.sql");
    let in_c = script.split("'MODULE_PATHNAME', '").skip(1);
    let declared: BTreeSet<String> = in_c.filter_map(|after| after.split('\'').next().map(str::to_owned)).collect();
    assert_eq!(declared, exported, "what SQL declares, and what the library exports");
}

/// All functions of the extension except those that users cannot or need not call: functions with an argument of type internal,
/// support functions of operators, operator families and aggregates, and those that according to their comment are used in plans
/// or implement another function.
const CALLED_BY_USERS: &str = "
    SELECT DISTINCT p.proname::text
    FROM pg_depend member JOIN pg_proc p ON member.classid = 'pg_proc'::regclass AND p.oid = member.objid
    WHERE member.deptype = 'e' AND member.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'uuidrfc')
        AND 'internal'::regtype <> ALL (p.proargtypes::oid[])
        AND obj_description(p.oid, 'pg_proc') !~ 'used in plans|^implementation of '
        AND NOT EXISTS (
            SELECT FROM pg_depend part
            WHERE part.refclassid = 'pg_proc'::regclass AND part.refobjid = p.oid
                AND (part.classid IN ('pg_operator'::regclass, 'pg_amproc'::regclass)
                     OR part.objid IN (SELECT aggfnoid::oid FROM pg_aggregate WHERE part.classid = 'pg_proc'::regclass)))";

#[test]
fn the_reference_names_each_function() {
    let cluster = Cluster::started("reference", &[]);
    let names: Vec<String> = sql::column(&mut cluster.connect(), CALLED_BY_USERS);
    assert!(names.len() > 30, "{names:?}");
    let reference = read("docs/reference.md");
    let missing: Vec<_> = names.iter().filter(|name| !reference.contains(&format!("`{name}("))).collect();
    assert!(missing.is_empty(), "docs/reference.md lacks {missing:?}");
}

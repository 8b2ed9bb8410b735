//! The SQL surface: the reference documents all functions that users call.

use server_tests::{Cluster, sql};

/// A query for all functions of the extension except those that users cannot or need not call: functions with `internal`
/// arguments, support functions of operators, operator families and aggregates, and functions whose comments say that they are used
/// in plans or implement another function.
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
    let reference = include_str!("../../../docs/reference.md");
    let missing: Vec<_> = names.iter().filter(|name| !reference.contains(&format!("`{name}("))).collect();
    assert!(missing.is_empty(), "docs/reference.md lacks {missing:?}");
}

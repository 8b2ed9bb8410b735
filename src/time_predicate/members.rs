//! Adds the comparisons with a time to PostgreSQL's own operator families of `uuid`.
//!
//! The families in `pg_catalog` are not objects of the extension, so the added members are not dumped. CREATE EXTENSION adds them,
//! even during a restore. After `pg_upgrade`, which does not run CREATE EXTENSION, they are missing. Comparisons are then rewritten
//! to comparisons of UUIDs, and a warning tells the user what to do.

use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicBool, Ordering};

use pgrx::prelude::*;

use crate::error::{Failure, OrRaise, warn_of_missing_members};
use crate::planner::catalog::{UUID_FAMILY, lookup};
use crate::post_install;

/// The members that are added to all families; BRIN needs no others. `sql/uuidrfc.sql` explains them.
const ALL: &str = "
    OPERATOR 1 {schema}.< (pg_catalog.uuid, pg_catalog.timestamptz),
    OPERATOR 2 {schema}.<=| (pg_catalog.uuid, pg_catalog.timestamptz),
    OPERATOR 3 {schema}.=| (pg_catalog.uuid, pg_catalog.timestamptz),
    OPERATOR 4 {schema}.>= (pg_catalog.uuid, pg_catalog.timestamptz),
    OPERATOR 5 {schema}.>| (pg_catalog.uuid, pg_catalog.timestamptz)";

/// The other members of the btree family.
const BTREE: &str = ",
    FUNCTION 1 {schema}.uuid_cmp_timestamptz(pg_catalog.uuid, pg_catalog.timestamptz),
    OPERATOR 1 {schema}.<| (pg_catalog.timestamptz, pg_catalog.uuid),
    OPERATOR 2 {schema}.<= (pg_catalog.timestamptz, pg_catalog.uuid),
    OPERATOR 3 {schema}.=| (pg_catalog.timestamptz, pg_catalog.uuid),
    OPERATOR 4 {schema}.>=| (pg_catalog.timestamptz, pg_catalog.uuid),
    OPERATOR 5 {schema}.> (pg_catalog.timestamptz, pg_catalog.uuid),
    FUNCTION 1 {schema}.timestamptz_cmp_uuid(pg_catalog.timestamptz, pg_catalog.uuid),
    OPERATOR 1 {schema}.<| (pg_catalog.timestamptz, pg_catalog.timestamptz),
    OPERATOR 2 {schema}.<=| (pg_catalog.timestamptz, pg_catalog.timestamptz),
    OPERATOR 3 {schema}.=| (pg_catalog.timestamptz, pg_catalog.timestamptz),
    OPERATOR 4 {schema}.>=| (pg_catalog.timestamptz, pg_catalog.timestamptz),
    OPERATOR 5 {schema}.>| (pg_catalog.timestamptz, pg_catalog.timestamptz),
    FUNCTION 1 {schema}.timestamptz_cmp_as_uuid(pg_catalog.timestamptz, pg_catalog.timestamptz)";

/// Each family's OID, which is fixed in pg_opfamily.dat, its name, and the members that it gets in addition to [`ALL`].
const FAMILIES: [(pg_sys::Oid, &str, &str); 3] = [
    (UUID_FAMILY, "uuid_ops USING btree", BTREE),
    (pg_sys::Oid::from_u32(4081), "uuid_minmax_ops USING brin", ""),
    (pg_sys::Oid::from_u32(4614), "uuid_minmax_multi_ops USING brin", ""),
];

/// Adds the comparisons of `uuid` with `timestamptz` to PostgreSQL's own operator families of `uuid`, if they are missing. Adding
/// them fails with 42501 if the role is not a superuser. The extension's scripts end by calling this function, which then also
/// raises an error if other functions make calls ambiguous ([`post_install`]).
#[pg_extern(sql = false)]
#[allow(unsafe_code)]
fn uuid_ops_add_timestamptz(call: pg_sys::FunctionCallInfo) {
    // SAFETY: PostgreSQL passes the call with its `flinfo`.
    let schema = quoted_schema_of(unsafe { (*(*call).flinfo).fn_oid });
    for (family, name, members) in FAMILIES {
        if lookup::get_opfamily_member(family, pg_sys::UUIDOID, pg_sys::TIMESTAMPTZOID, 1) == pg_sys::InvalidOid {
            let statement = format!("ALTER OPERATOR FAMILY pg_catalog.{name} ADD {ALL}{members}");
            let statement = statement.split("{schema}").map(str::as_bytes).collect::<Vec<_>>().join(schema.as_slice());
            let statement = CString::new(statement).unwrap_or_default();
            Spi::connect_mut(|client| client.update(statement.as_c_str(), None, &[]).map(|_| ()))
                .map_err(Failure::Families)
                .or_raise();
        }
    }
    // SAFETY: a flag of PostgreSQL is read on PostgreSQL's only thread.
    if unsafe { pg_sys::creating_extension } {
        post_install::check();
    }
}

/// Returns the quoted name of a function's schema, in the database's encoding, which need not be UTF-8.
#[allow(unsafe_code)]
fn quoted_schema_of(function: pg_sys::Oid) -> Vec<u8> {
    // SAFETY: the function is being called, so its schema exists and the name is not null. Both strings are null-terminated.
    unsafe {
        let name = pg_sys::get_namespace_name(lookup::get_func_namespace(function));
        CStr::from_ptr(pg_sys::quote_identifier(name)).to_bytes().to_vec()
    }
}

/// Warns once per session that the members are missing, unless `pg_upgrade` is running.
#[allow(unsafe_code)]
pub fn warn_of_missing() {
    static WARNED: AtomicBool = AtomicBool::new(false);
    // SAFETY: a flag of PostgreSQL is read on PostgreSQL's only thread.
    if unsafe { pg_sys::IsBinaryUpgrade } || WARNED.swap(true, Ordering::Relaxed) {
        return;
    }
    warn_of_missing_members();
}

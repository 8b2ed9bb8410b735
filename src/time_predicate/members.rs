//! The comparisons with a time as members of PostgreSQL's own operator families of `uuid`.
//!
//! A family of `pg_catalog` is not an object of the extension, so these members are not dumped. CREATE EXTENSION adds them,
//! even during a restore. `pg_upgrade` does not run CREATE EXTENSION, so after it they are missing. Comparisons are then
//! rewritten to comparisons of UUIDs, and a warning tells the user what to do.

use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicBool, Ordering};

use pgrx::prelude::*;

use super::catalog::PlannerFunction;
use crate::completion;
use crate::error::{Failure, OrRaise, warn_of_missing_members};

/// The members of a btree family, which `sql/uuidrfc.sql` explains.
const BTREE: &str = "
    OPERATOR 1 {schema}.< (pg_catalog.uuid, pg_catalog.timestamptz),
    OPERATOR 2 {schema}.<=| (pg_catalog.uuid, pg_catalog.timestamptz),
    OPERATOR 3 {schema}.=| (pg_catalog.uuid, pg_catalog.timestamptz),
    OPERATOR 4 {schema}.>= (pg_catalog.uuid, pg_catalog.timestamptz),
    OPERATOR 5 {schema}.>| (pg_catalog.uuid, pg_catalog.timestamptz),
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

/// The members of a BRIN family, which needs only operators.
const BRIN: &str = "
    OPERATOR 1 {schema}.< (pg_catalog.uuid, pg_catalog.timestamptz),
    OPERATOR 2 {schema}.<=| (pg_catalog.uuid, pg_catalog.timestamptz),
    OPERATOR 3 {schema}.=| (pg_catalog.uuid, pg_catalog.timestamptz),
    OPERATOR 4 {schema}.>= (pg_catalog.uuid, pg_catalog.timestamptz),
    OPERATOR 5 {schema}.>| (pg_catalog.uuid, pg_catalog.timestamptz)";

/// The families by access method and name, with their members.
const FAMILIES: [(&str, &str, &str); 3] =
    [("btree", "uuid_ops", BTREE), ("brin", "uuid_minmax_ops", BRIN), ("brin", "uuid_minmax_multi_ops", BRIN)];

/// Adds the comparisons of `uuid` with `timestamptz` to PostgreSQL's own operator families of `uuid`, if they are missing. The
/// scripts of the extension end with a call of this function. Fails with 42501 if the role is not a superuser.
#[pg_extern(sql = false)]
#[allow(unsafe_code)]
fn uuid_ops_add_timestamptz() {
    let schema = quoted_schema();
    for (method, family, members) in FAMILIES {
        let missing = Spi::get_one_with_args::<bool>(
            "SELECT NOT EXISTS (
                 SELECT FROM pg_catalog.pg_amop
                 JOIN pg_catalog.pg_opfamily ON pg_opfamily.oid OPERATOR(pg_catalog.=) amopfamily
                 JOIN pg_catalog.pg_am ON pg_am.oid OPERATOR(pg_catalog.=) opfmethod
                 WHERE amname OPERATOR(pg_catalog.=) $1 AND opfname OPERATOR(pg_catalog.=) $2
                     AND opfnamespace OPERATOR(pg_catalog.=) 'pg_catalog'::pg_catalog.regnamespace::pg_catalog.oid
                     AND amoprighttype OPERATOR(pg_catalog.=) 'pg_catalog.timestamptz'::pg_catalog.regtype::pg_catalog.oid)",
            &[method.into(), family.into()],
        )
        .map_err(Failure::Catalogs)
        .or_raise();
        if missing == Some(true) {
            let statement = format!("ALTER OPERATOR FAMILY pg_catalog.{family} USING {method} ADD {members}");
            let statement = statement.split("{schema}").map(str::as_bytes).collect::<Vec<_>>().join(schema.as_slice());
            let statement = CString::new(statement).unwrap_or_default();
            Spi::connect_mut(|client| client.update(statement.as_c_str(), None, &[]).map(|_| ()))
                .map_err(Failure::Families)
                .or_raise();
        }
    }
    // SAFETY: reading a flag of PostgreSQL on its only thread.
    if unsafe { pg_sys::creating_extension } {
        completion::complete();
    }
}

/// Returns the schema of the extension, quoted, in the encoding of the database, which may not be UTF-8.
#[allow(unsafe_code)]
fn quoted_schema() -> Vec<u8> {
    let schema = Spi::get_one::<pg_sys::Oid>(
        "SELECT extnamespace FROM pg_catalog.pg_extension WHERE extname OPERATOR(pg_catalog.=) 'uuidrfc'",
    )
    .map_err(Failure::Catalogs)
    .or_raise()
    .unwrap_or(pg_sys::Oid::INVALID);
    // SAFETY: the functions accept any OID. PostgreSQL returns newly allocated strings, or null for a schema that does not exist.
    unsafe {
        let name = pg_sys::get_namespace_name(schema);
        if name.is_null() { Vec::new() } else { CStr::from_ptr(pg_sys::quote_identifier(name)).to_bytes().to_vec() }
    }
}

/// Warns once in a session that the members are missing, unless the extension's SQL objects are from an older release.
#[allow(unsafe_code)]
pub fn warn_of_missing(function: pg_sys::Oid) {
    static WARNED: AtomicBool = AtomicBool::new(false);
    // SAFETY: reading a flag of PostgreSQL on its only thread.
    if unsafe { pg_sys::IsBinaryUpgrade }
        || PlannerFunction::START_OF_RANGE.in_schema_of(function).is_none()
        || WARNED.swap(true, Ordering::Relaxed)
    {
        return;
    }
    warn_of_missing_members();
}

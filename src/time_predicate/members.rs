//! The comparisons with a time as members of PostgreSQL's own operator families of `uuid`.
//!
//! A family of `pg_catalog` is not an object of the extension, so these members are not dumped. CREATE EXTENSION adds them,
//! even during a restore. `pg_upgrade` does not run CREATE EXTENSION, so after it they are missing. Comparisons are then
//! rewritten to comparisons of UUIDs, and a warning tells the user what to do.

use std::ffi::{CStr, CString};
use std::sync::atomic::{AtomicBool, Ordering};

use pgrx::prelude::*;

use super::catalog::{PlannerFunction, UUID_FAMILY, lookup};
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

/// The families, with their OIDs, which are fixed in pg_opfamily.dat, and their members.
const FAMILIES: [(pg_sys::Oid, &str, &str); 3] = [
    (UUID_FAMILY, "uuid_ops USING btree", BTREE),
    (pg_sys::Oid::from_u32(4081), "uuid_minmax_ops USING brin", BRIN),
    (pg_sys::Oid::from_u32(4614), "uuid_minmax_multi_ops USING brin", BRIN),
];

/// Adds the comparisons of `uuid` with `timestamptz` to PostgreSQL's own operator families of `uuid`, if they are missing. The
/// scripts of the extension end with a call of this function. Fails with 42501 if the role is not a superuser.
#[pg_extern(sql = false)]
#[allow(unsafe_code)]
fn uuid_ops_add_timestamptz(call: pg_sys::FunctionCallInfo) {
    // SAFETY: PostgreSQL makes the call.
    let schema = quoted_schema_of(unsafe { (*(*call).flinfo).fn_oid });
    for (family, name, members) in FAMILIES {
        if lookup::get_opfamily_member(family, pg_sys::UUIDOID, pg_sys::TIMESTAMPTZOID, 1) == pg_sys::InvalidOid {
            let statement = format!("ALTER OPERATOR FAMILY pg_catalog.{name} ADD {members}");
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

/// Returns the quoted schema of a function, in the encoding of the database, which may not be UTF-8.
#[allow(unsafe_code)]
fn quoted_schema_of(function: pg_sys::Oid) -> Vec<u8> {
    // SAFETY: PostgreSQL returns newly allocated strings, because the schema of a function that is called exists.
    unsafe {
        let name = pg_sys::get_namespace_name(lookup::get_func_namespace(function));
        CStr::from_ptr(pg_sys::quote_identifier(name)).to_bytes().to_vec()
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

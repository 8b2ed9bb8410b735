//! What the scripts that create or update the extension end with, and plain SQL cannot say. PL/pgSQL could, but a database
//! may have dropped it.

use std::ffi::CStr;

use pgrx::pg_sys;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::*;
use pgrx::spi;

use crate::datum::raise;
use crate::encoding;

/// A function of the schema that is not ours, and the one of ours whose calls it would make ambiguous.
const AMBIGUOUS: &str = include_str!("../sql/ambiguous.sql");

/// Whether `uuid_time_ops` can skip, and what lets it.
#[cfg(any(feature = "pg18", feature = "pg19"))]
const CAN_SKIP: &str = "SELECT EXISTS (SELECT FROM pg_catalog.pg_amproc WHERE amproc::pg_catalog.oid
    OPERATOR(pg_catalog.=) 'uuid_time_skipsupport(internal)'::pg_catalog.regprocedure::pg_catalog.oid)";
#[cfg(any(feature = "pg18", feature = "pg19"))]
const LET_SKIP: &str =
    "ALTER OPERATOR FAMILY uuid_time_ops USING btree ADD FUNCTION 6 (uuid, uuid) uuid_time_skipsupport(internal)";

/// Declared, called and dropped by such a script, after all functions and operators are there.
#[pg_extern(sql = false)]
fn uuidrfc_complete() -> spi::Result<()> {
    // Where the server has skip scans. What was created before pg_upgrade brought it there lacks this.
    #[cfg(any(feature = "pg18", feature = "pg19"))]
    if Spi::get_one(CAN_SKIP)? == Some(false) {
        Spi::run(LET_SKIP)?;
    }
    let found = Spi::connect(|client| -> spi::Result<_> {
        let Some(row) = client.select(AMBIGUOUS, Some(1), &[])?.next() else { return Ok(None) };
        Ok(row.get(1)?.zip(row.get(2)?))
    })?;
    let Some((theirs, ours)) = found else { return Ok(()) };
    raise(
        ErrorReport::new(
            PgSqlErrorCode::ERRCODE_AMBIGUOUS_FUNCTION,
            format!("function {} exists, which would make calls of {} ambiguous", signature(theirs), signature(ours)),
            "uuidrfc",
        )
        .set_hint("Rename it, or create the extension in another schema."),
    )
}

/// Name and argument types of a function, fit to be shown in an error message.
#[allow(unsafe_code)]
fn signature(function: pg_sys::Oid) -> String {
    // SAFETY: PostgreSQL returns a string of its own, also for a function that does not exist.
    let text = unsafe { CStr::from_ptr(pg_sys::format_procedure(function)) };
    match text.to_str() {
        Ok(text) if text.is_ascii() || encoding::database_is_utf8() => text.to_owned(),
        _ => text.to_bytes().escape_ascii().to_string(),
    }
}

extension_sql_file!("../sql/completion.sql", name = "completion", finalize);

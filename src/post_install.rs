//! The last step of the scripts that create or update the extension: a check for ambiguous functions. The scripts call it through
//! `uuid_ops_add_timestamptz`, because plain SQL cannot raise an error and PL/pgSQL might not be installed.

use std::ffi::CStr;

use pgrx::pg_sys;
use pgrx::prelude::*;
use pgrx::spi;

use crate::encoding;
use crate::error::{Failure, OrRaise};

/// A query for functions in the extension's schema that make calls to the extension's functions ambiguous. Returns each such
/// function's OID and that of the extension's.
const AMBIGUOUS: &str = include_str!("ambiguous.sql");

/// Raises an error if [`AMBIGUOUS`] returns a row. Must be called after a script has created all functions and operators.
pub fn check() {
    let found = Spi::connect(|client| -> spi::Result<_> {
        let Some(row) = client.select(AMBIGUOUS, Some(1), &[])?.next() else { return Ok(None) };
        Ok(row.get(1)?.zip(row.get(2)?))
    });
    let Some((theirs, ours)) = found.map_err(Failure::Catalogs).or_raise() else { return };
    Failure::Ambiguous { theirs: signature(theirs), ours: signature(ours) }.raise()
}

/// Returns the name and the argument types of a function, escaped if an error message could not show them.
#[allow(unsafe_code)]
fn signature(function: pg_sys::Oid) -> String {
    // SAFETY: PostgreSQL returns a newly allocated string, even for a function that does not exist.
    let text = unsafe { CStr::from_ptr(pg_sys::format_procedure(function)) };
    encoding::displayed(text.to_bytes()).into_owned()
}

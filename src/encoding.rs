//! Converts SQL text from the database's encoding to UTF-8, so that a name hashes to the same UUID in every database.
//!
//! Only the conversions in `pg_catalog` are used, because name-based functions are IMMUTABLE, and a conversion from another schema
//! in the search path could change the UUID of a name.

use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_int};

use pgrx::pg_sys::{self, Oid};

use crate::error::Failure;
use crate::raw;

const UTF8: c_int = pg_sys::pg_enc::PG_UTF8.cast_signed();
const SQL_ASCII: c_int = pg_sys::pg_enc::PG_SQL_ASCII.cast_signed();

#[inline]
fn database_is_utf8() -> bool {
    raw::GetDatabaseEncoding() == UTF8
}

/// Returns text for an error message, up to the first invalid character, or escaped if the message could not show it.
pub fn displayed(text: &[u8]) -> Cow<'_, str> {
    if text.is_ascii() || database_is_utf8() {
        Cow::Borrowed(text.utf8_chunks().next().map_or("", |chunk| chunk.valid()))
    } else {
        Cow::Owned(text.escape_ascii().to_string())
    }
}

/// Converts text from the database's encoding to UTF-8. Returns the text itself, or a converted copy in the current memory context.
///
/// Raises errors for bytes that are not UTF-8 in an SQL_ASCII database (SQLSTATE 22021, `character_not_in_repertoire`), for
/// characters that Unicode lacks (22P05), and for encodings without a conversion (42883).
#[inline]
pub fn to_utf8(text: &[u8]) -> &[u8] {
    // Every server encoding is a superset of ASCII.
    if database_is_utf8() || text.is_ascii() { text } else { converted(text) }
}

/// Converts text to UTF-8 like PostgreSQL's `pg_do_encoding_conversion`, but with the conversion in `pg_catalog`.
#[cold]
#[allow(unsafe_code)]
fn converted(text: &[u8]) -> &[u8] {
    let encoding = raw::GetDatabaseEncoding();
    let length = c_int::try_from(text.len()).expect("text is shorter than 1 GB");
    if encoding == SQL_ASCII {
        // SAFETY: the slice is valid for the given length, and is only read.
        unsafe { pg_sys::pg_verify_mbstr(UTF8, text.as_ptr().cast::<c_char>(), length, false) };
        return text;
    }
    // SAFETY: called in a transaction, as the function's cache lookup requires.
    let function = unsafe { pg_sys::FindDefaultConversion(Oid::from(pg_sys::PG_CATALOG_NAMESPACE), encoding, UTF8) };
    if function == Oid::INVALID {
        // SAFETY: PostgreSQL returns a C string.
        let encoding = unsafe { CStr::from_ptr(pg_sys::GetDatabaseEncodingName()) }.to_string_lossy().into_owned();
        Failure::NoConversion { encoding }.raise()
    }
    let longest = text.len() * pg_sys::MAX_CONVERSION_GROWTH as usize + 1;
    // SAFETY: the function converts from the encoding to UTF-8. It reads text of the given length, and writes at most `longest`
    // bytes, of which only the last is zero. The memory lives as long as the call.
    unsafe {
        let converted = pg_sys::MemoryContextAllocHuge(pg_sys::CurrentMemoryContext, longest);
        pg_sys::OidFunctionCall6Coll(
            function,
            Oid::INVALID,
            encoding.into(),
            UTF8.into(),
            text.as_ptr().into(),
            converted.into(),
            length.into(),
            false.into(),
        );
        CStr::from_ptr(converted.cast()).to_bytes()
    }
}

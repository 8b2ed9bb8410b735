//! Converts SQL text to UTF-8 from the encoding of the database, so that a name hashes to the same UUID in every database.
//!
//! Only the conversions in `pg_catalog` are used, because functions of names are immutable, and another conversion in the search
//! path would change the UUID of a name.

use std::borrow::Cow;
use std::ffi::{CStr, c_char, c_int};

use pgrx::pg_sys::{self, Oid};

use crate::error::Failure;
use crate::raw;

const UTF8: c_int = pg_sys::pg_enc::PG_UTF8.cast_signed();
const SQL_ASCII: c_int = pg_sys::pg_enc::PG_SQL_ASCII.cast_signed();

#[inline]
pub fn database_is_utf8() -> bool {
    raw::GetDatabaseEncoding() == UTF8
}

/// Returns text in the encoding of the database as pieces of UTF-8. Text that is UTF-8 already is one borrowed piece; other text
/// is converted two kilobytes at a time.
///
/// Raises PostgreSQL's own errors: for bytes that are not UTF-8 in an SQL_ASCII database (SQLSTATE 22021,
/// `character_not_in_repertoire`), for characters that Unicode lacks (22P05), and for encodings without a conversion
/// (42883).
#[inline]
pub fn utf8_pieces(text: &[u8]) -> Pieces<'_> {
    // ASCII is the same in every encoding of a server.
    if database_is_utf8() || text.is_ascii() {
        return Pieces { rest: text, conversion: None };
    }
    match raw::GetDatabaseEncoding() {
        SQL_ASCII => {
            verify_utf8(text);
            Pieces { rest: text, conversion: None }
        }
        encoding => Pieces { rest: text, conversion: Some(Conversion::to_utf8(encoding)) },
    }
}

/// The iterator that [`utf8_pieces`] returns.
pub struct Pieces<'a> {
    rest: &'a [u8],
    conversion: Option<Conversion>,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    #[inline]
    fn next(&mut self) -> Option<Piece<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let Some(conversion) = &self.conversion else {
            return Some(Piece::AsItIs(std::mem::take(&mut self.rest)));
        };
        let (piece, used) = conversion.convert(self.rest);
        self.rest = &self.rest[used..];
        Some(Piece::Converted(piece))
    }
}

/// A piece of text in UTF-8.
#[expect(clippy::large_enum_variant, reason = "on the stack: a failed allocation of Rust's would end the server")]
pub enum Piece<'a> {
    /// The text itself, borrowed.
    AsItIs(&'a [u8]),
    Converted(Converted),
}

impl AsRef<[u8]> for Piece<'_> {
    #[inline]
    fn as_ref(&self) -> &[u8] {
        match self {
            Piece::AsItIs(bytes) => bytes,
            Piece::Converted(piece) => &piece.bytes[..piece.length],
        }
    }
}

pub struct Converted {
    bytes: [u8; PIECE * pg_sys::MAX_CONVERSION_GROWTH as usize + 1],
    length: usize,
}

/// One of PostgreSQL's conversions to UTF-8.
struct Conversion {
    function: Oid,
    encoding: c_int,
}

/// The number of bytes converted at once, which is more than any character has.
const PIECE: usize = 2 * 1024;

impl Conversion {
    #[cold]
    #[allow(unsafe_code)]
    fn to_utf8(encoding: c_int) -> Conversion {
        // SAFETY: reads a system cache, in a transaction.
        let function =
            unsafe { pg_sys::FindDefaultConversion(Oid::from(pg_sys::PG_CATALOG_NAMESPACE), encoding, UTF8) };
        if function == Oid::INVALID {
            Failure::NoConversion { encoding: database_encoding_name().into_owned() }.raise()
        }
        Conversion { function, encoding }
    }

    /// Converts the beginning of the text, which is not empty. Returns its UTF-8, and its length in the original text.
    fn convert(&self, text: &[u8]) -> (Converted, usize) {
        let text = &text[..text.len().min(PIECE)];
        let mut bytes = [0; _];
        // Without errors, the conversion stops before a character that the end of the piece cuts in two.
        let mut used = self.call(text, &mut bytes, true);
        if used == 0 {
            // The first character cannot be converted, so this call raises PostgreSQL's error.
            used = self.call(text, &mut bytes, false);
        }
        assert!(used > 0, "text was neither converted nor refused");
        // Neither text nor its conversion contains a zero.
        let length = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        (Converted { bytes, length }, used)
    }

    #[allow(unsafe_code)]
    fn call(&self, text: &[u8], piece: &mut [u8], stop_at_errors: bool) -> usize {
        let length = |bytes: &[u8]| c_int::try_from(bytes.len()).expect("a piece of text is short");
        // SAFETY: both ranges are valid for their length. The source is not written to, whatever its type says. The function is a
        // conversion from the encoding to UTF-8, which writes at most the number of bytes in the last argument.
        let used = unsafe {
            pg_sys::pg_do_encoding_conversion_buf(
                self.function,
                self.encoding,
                UTF8,
                text.as_ptr().cast_mut(),
                length(text),
                piece.as_mut_ptr(),
                length(piece),
                stop_at_errors,
            )
        };
        usize::try_from(used).unwrap_or(0)
    }
}

#[cold]
#[allow(unsafe_code)]
fn verify_utf8(text: &[u8]) {
    let length = c_int::try_from(text.len()).expect("text is shorter than 1 GB");
    // SAFETY: the range is valid for its length and only read.
    unsafe { pg_sys::pg_verify_mbstr(UTF8, text.as_ptr().cast::<c_char>(), length, false) };
}

#[allow(unsafe_code)]
fn database_encoding_name() -> Cow<'static, str> {
    // SAFETY: PostgreSQL returns a C string from a static table.
    unsafe { CStr::from_ptr(pg_sys::GetDatabaseEncodingName()) }.to_string_lossy()
}

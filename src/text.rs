//! UUIDs in other text forms, and back.

use pgrx::callconv::{Arg, ArgAbi};
use pgrx::pg_sys;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::pgrx_sql_entity_graph::metadata::{
    ArgumentError, ReturnsError, ReturnsRef, SqlMappingRef, SqlTranslatable, TypeOrigin,
};
use pgrx::prelude::*;
use rfc9562::Error;
use rfc9562::text::Format;

use crate::datum::{Uuid, raise};

/// SQL `text` as it is: bytes in the server's encoding. (pgrx's `&str` panics where they are not UTF-8.)
pub struct ServerText<'a>(&'a [u8]);

// SAFETY: SQL declares the argument as `text`, which is laid out as `bytea` is.
#[allow(unsafe_code)]
unsafe impl<'fcx> ArgAbi<'fcx> for ServerText<'fcx> {
    unsafe fn unbox_arg_unchecked(arg: Arg<'_, 'fcx>) -> Self {
        // SAFETY: a varlena datum. The bytes live as long as the call: its argument or a detoasted copy.
        let bytes = unsafe { arg.unbox_arg_using_from_datum() };
        ServerText(bytes.expect("the argument of a strict function is not null"))
    }
}

// SAFETY: the SQL type exists in every PostgreSQL.
#[allow(unsafe_code)]
unsafe impl SqlTranslatable for ServerText<'_> {
    const TYPE_IDENT: &'static str = pgrx::pgrx_resolved_type!(ServerText);
    const TYPE_ORIGIN: TypeOrigin = TypeOrigin::External;
    const ARGUMENT_SQL: Result<SqlMappingRef, ArgumentError> = Ok(SqlMappingRef::literal("text"));
    const RETURN_SQL: Result<ReturnsRef, ReturnsError> = Ok(ReturnsRef::One(SqlMappingRef::literal("text")));
}

/// How much of a text an error message shows: more than any text form has.
const QUOTED_CHARS: usize = 64;

impl ServerText<'_> {
    /// The text in quotes for an error message, which must be in the server's encoding: where that is UTF-8, as it was
    /// given, elsewhere with escapes for what is not ASCII.
    #[allow(unsafe_code)]
    fn quoted(&self) -> String {
        // SAFETY: reads a variable of the backend.
        let encoding = unsafe { pg_sys::GetDatabaseEncoding() };
        // A character of UTF-8 has 4 bytes at most: one that is cut in two is behind those shown.
        let head = &self.0[..self.0.len().min(4 * QUOTED_CHARS + 4)];
        let readable = if encoding.cast_unsigned() == pg_sys::pg_enc::PG_UTF8 {
            String::from_utf8_lossy(head).into_owned()
        } else {
            head.escape_ascii().to_string()
        };
        let shown: String = readable.chars().take(QUOTED_CHARS).collect();
        let rest = if shown.len() < readable.len() { "..." } else { "" };
        format!("\"{shown}{rest}\"")
    }
}

/// The text of a UUID in one of the formats of [`Format`].
#[pg_extern(immutable, strict, parallel_safe)]
fn uuid_encode(uuid: Uuid, format: ServerText<'_>) -> String {
    named(&format).encode(uuid.0)
}

/// The UUID of a text in one of the formats of [`Format`].
#[pg_extern(immutable, strict, parallel_safe)]
fn uuid_decode(text: ServerText<'_>, format: ServerText<'_>) -> Uuid {
    match named(&format).decode(text.0) {
        Ok(uuid) => Uuid(uuid),
        Err(error) => refuse(&error, &text),
    }
}

fn named(name: &ServerText<'_>) -> Format {
    Format::from_name(name.0).unwrap_or_else(|| unknown(name))
}

/// Reports with the text, which the core's errors do not hold.
#[cold]
fn refuse(error: &Error, text: &ServerText<'_>) -> ! {
    let mut report = ErrorReport::new(
        PgSqlErrorCode::ERRCODE_INVALID_TEXT_REPRESENTATION,
        format!("{error}: {}", text.quoted()),
        "uuid_decode",
    );
    if let Error::TextOverflow { .. } = error {
        report = report.set_detail("The number does not fit into 128 bits.");
    }
    raise(report)
}

#[cold]
fn unknown(name: &ServerText<'_>) -> ! {
    let names = Format::ALL.map(|format| format!("\"{}\"", format.name()));
    let [others @ .., last] = &names;
    raise(
        ErrorReport::new(
            PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
            format!("unrecognized UUID format: {}", name.quoted()),
            "uuidrfc",
        )
        .set_hint(format!("Valid formats are {}, and {last}.", others.join(", "))),
    )
}

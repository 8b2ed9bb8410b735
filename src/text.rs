//! UUIDs in other text forms, and back.

use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::*;
use rfc9562::DecodeError;
use rfc9562::text::Format;

use crate::datum::{OrReport, Text, Uuid, raise};

/// The text of a UUID in one of the formats of [`Format`].
#[pg_extern(immutable, strict, parallel_safe)]
fn uuid_encode(uuid: Uuid, format: Text<'_>) -> String {
    named(format).encode(uuid.0)
}

/// The UUID of a text in one of the formats of [`Format`].
#[pg_extern(immutable, strict, parallel_safe)]
fn uuid_decode(text: Text<'_>, format: Text<'_>) -> Uuid {
    let format = named(format);
    Uuid(format.decode(text.0).unwrap_or_else(|error| refuse(error, format, text)))
}

fn named(format: Text<'_>) -> Format {
    format.label().parse().or_report()
}

/// Reports with the format and the text, which the core's error does not hold.
#[cold]
fn refuse(error: DecodeError, format: Format, text: Text<'_>) -> ! {
    let shown = text.label();
    let rest = if text.is_cut_in_label() { "..." } else { "" };
    let report = ErrorReport::new(
        PgSqlErrorCode::ERRCODE_INVALID_TEXT_REPRESENTATION,
        format!("invalid input syntax for UUID in format \"{}\": \"{shown}{rest}\"", format.name()),
        "uuid_decode",
    );
    raise(match error {
        DecodeError::Syntax => report,
        DecodeError::Overflow => report.set_detail("The number does not fit into 128 bits."),
    })
}

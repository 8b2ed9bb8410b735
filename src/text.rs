//! UUIDs in other text forms, and back.

use pgrx::prelude::*;
use rfc9562::text::Format;

use crate::datum::{SqlUuid, Text};
use crate::error::{Failure, OrRaise};

/// The text of a UUID in one of the formats of [`Format`].
#[pg_extern(sql = false)]
fn uuid_encode(uuid: SqlUuid, format: Text<'_>) -> String {
    named(format).encode(uuid.0)
}

/// The UUID of a text in one of the formats of [`Format`].
#[pg_extern(sql = false)]
fn uuid_decode(text: Text<'_>, format: Text<'_>) -> SqlUuid {
    let format = named(format);
    let decoded = format.decode(text.0);
    SqlUuid(decoded.map_err(|cause| Failure::Decode { cause, format, text: text.shown() }).or_raise())
}

fn named(format: Text<'_>) -> Format {
    format.label().parse().or_raise()
}

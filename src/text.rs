//! Converts UUIDs to other text forms, and back.

use std::str::FromStr;

use pgrx::prelude::*;
use rfc9562::Error;
use rfc9562::text::Format;

use crate::datum::{Made, SqlUuid, Text};
use crate::error::{Failure, OrRaise};

/// Returns the text of a UUID in one of the formats of [`Format`].
#[pg_extern(sql = false)]
fn uuid_encode(uuid: SqlUuid, format: Text<'_>) -> Made {
    Made::text(&named::<Format>(format).encode(uuid.0))
}

/// Returns the UUID of a text in one of the formats of [`Format`].
#[pg_extern(sql = false)]
fn uuid_decode(text: Text<'_>, format: Text<'_>) -> SqlUuid {
    let format: Format = named(format);
    let decoded = format.decode(text.0);
    SqlUuid(decoded.map_err(|cause| Failure::Decode { cause, format, text: text.shown() }).or_raise())
}

/// Returns the format, hash algorithm or other enum value with this name.
pub fn named<T: FromStr<Err = Error>>(name: Text<'_>) -> T {
    let label = name.label();
    label.parse().map_err(|cause| Failure::UnknownName { cause, name: label.into_owned() }).or_raise()
}

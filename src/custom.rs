//! Version 8 of fields that the caller defines.

use pgrx::prelude::*;
use rfc9562::v8;

use crate::datum::{OrReport, Uuid};

/// The version 8 UUID of its three fields: 48, 12 and 62 bits. `uuid_inspect` reads them back.
#[pg_extern(name = "uuid_v8_pack", immutable, strict, parallel_safe)]
fn uuid_v8_of_fields(custom_a: i64, custom_b: i32, custom_c: i64) -> Uuid {
    // A negative number becomes one that is too large for any of the fields.
    let custom_b = i64::from(custom_b);
    Uuid(v8::from_fields(custom_a.cast_unsigned(), custom_b.cast_unsigned(), custom_c.cast_unsigned()).or_report())
}

//! Version 8 of fields that the caller defines.

use pgrx::prelude::*;
use rfc9562::v8;

use crate::datum::SqlUuid;
use crate::error::OrRaise;

/// The version 8 UUID of its three fields: 48, 12 and 62 bits. `uuid_inspect` reads them back.
#[pg_extern(sql = false)]
fn uuid_v8_of_fields(custom_a: i64, custom_b: i32, custom_c: i64) -> SqlUuid {
    // A negative number becomes too large for every field.
    let custom_b = i64::from(custom_b);
    SqlUuid(v8::from_fields(custom_a.cast_unsigned(), custom_b.cast_unsigned(), custom_c.cast_unsigned()).or_raise())
}

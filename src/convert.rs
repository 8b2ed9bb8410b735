//! Conversions between versions that hold the same fields.

use pgrx::prelude::*;
use rfc9562::v6;

use crate::datum::SqlUuid;
use crate::error::OrRaise;

/// The version 6 UUID of a version 1 UUID: the same fields in the order of time. Nothing is lost.
#[pg_extern(sql = false)]
fn uuid_v1_to_v6(uuid: SqlUuid) -> SqlUuid {
    SqlUuid(v6::from_v1(uuid.0).or_raise())
}

/// The version 1 UUID with the fields of a version 6 UUID. Nothing is lost.
#[pg_extern(sql = false)]
fn uuid_v6_to_v1(uuid: SqlUuid) -> SqlUuid {
    SqlUuid(v6::to_v1(uuid.0).or_raise())
}

//! The two UUIDs with a name of their own.

use pgrx::prelude::*;
use rfc9562::Uuid;

use crate::datum::SqlUuid;

/// All bits zero (RFC 9562, section 5.9).
#[pg_extern(sql = false)]
fn nil_uuid() -> SqlUuid {
    SqlUuid(Uuid::NIL)
}

/// All bits one (RFC 9562, section 5.10).
#[pg_extern(sql = false)]
fn max_uuid() -> SqlUuid {
    SqlUuid(Uuid::MAX)
}

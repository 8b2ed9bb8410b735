//! The two UUIDs with a name of their own.

use pgrx::prelude::*;

use crate::datum::Uuid;

/// All bits zero (RFC 9562, section 5.9).
#[pg_extern(immutable, strict, parallel_safe)]
fn nil_uuid() -> Uuid {
    Uuid(rfc9562::Uuid::NIL)
}

/// All bits one (RFC 9562, section 5.10).
#[pg_extern(immutable, strict, parallel_safe)]
fn max_uuid() -> Uuid {
    Uuid(rfc9562::Uuid::MAX)
}

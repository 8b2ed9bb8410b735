//! What is inside a UUID: its time, version and variant.

use pgrx::prelude::*;
use rfc9562::time;

use crate::datum::{Timestamptz, Uuid};

/// The time inside a version 1, 6 (to the microsecond) or 7 (to the millisecond) UUID.
#[pg_extern(immutable, strict, parallel_safe)]
fn uuid_extract_time(uuid: Uuid) -> Option<Timestamptz> {
    time::extract(uuid.0).map(Timestamptz::from)
}

/// As `uuid_extract_time`, with the sub-millisecond fraction of a version 7.
#[pg_extern(immutable, strict, parallel_safe)]
fn uuid_extract_time_us(uuid: Uuid) -> Option<Timestamptz> {
    time::extract_us(uuid.0).map(Timestamptz::from)
}

/// The version field, unless the variant is another than RFC 9562's.
#[pg_extern(immutable, strict, parallel_safe)]
fn uuid_extract_version(uuid: Uuid) -> Option<i16> {
    uuid.0.version().map(i16::from)
}

/// The name of the variant.
#[pg_extern(immutable, strict, parallel_safe)]
fn uuid_extract_variant(uuid: Uuid) -> &'static str {
    uuid.0.variant().name()
}

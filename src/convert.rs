//! From one version to another that says the same.

use pgrx::prelude::*;
use rfc9562::v6;

use crate::datum::{OrReport, Uuid};

/// The version 6 UUID that a version 1 UUID becomes when its time is put in order. Nothing is lost.
#[pg_extern(immutable, strict, parallel_safe)]
fn uuid_v1_to_v6(uuid: Uuid) -> Uuid {
    Uuid(v6::from_v1(uuid.0).or_report())
}

/// The version 1 UUID that a version 6 UUID came from, or could have.
#[pg_extern(immutable, strict, parallel_safe)]
fn uuid_v6_to_v1(uuid: Uuid) -> Uuid {
    Uuid(v6::to_v1(uuid.0).or_report())
}

//! The UUIDs at the ends of an instant: for partitions, and for comparing an id with a time.

use pgrx::prelude::*;
use rfc9562::{Error, v6, v7};

use crate::datum::{SqlUuid, Timestamptz};
use crate::error::OrRaise;

/// The smallest version 7 UUID of the millisecond.
#[pg_extern(sql = false)]
fn uuidv7_floor(time: Timestamptz) -> SqlUuid {
    SqlUuid(time.instant().ok_or(Error::TimestampOutOfRange { version: 7 }).and_then(v7::floor).or_raise())
}

/// The largest version 7 UUID of the millisecond.
#[pg_extern(sql = false)]
fn uuidv7_ceil(time: Timestamptz) -> SqlUuid {
    SqlUuid(time.instant().ok_or(Error::TimestampOutOfRange { version: 7 }).and_then(v7::ceil).or_raise())
}

/// The smallest version 6 UUID of the microsecond.
#[pg_extern(sql = false)]
fn uuidv6_floor(time: Timestamptz) -> SqlUuid {
    SqlUuid(time.instant().ok_or(Error::TimestampOutOfRange { version: 6 }).and_then(v6::floor).or_raise())
}

/// The largest version 6 UUID of the microsecond.
#[pg_extern(sql = false)]
fn uuidv6_ceil(time: Timestamptz) -> SqlUuid {
    SqlUuid(time.instant().ok_or(Error::TimestampOutOfRange { version: 6 }).and_then(v6::ceil).or_raise())
}

//! The UUIDs at the ends of an instant: for partitions, and for comparing an id with a time.

use pgrx::prelude::*;
use rfc9562::{Error, v6, v7};

use crate::datum::{SqlUuid, Timestamptz};
use crate::error::OrRaise;

/// Returns the first or the last UUID of a version at an instant.
macro_rules! boundary {
    ($name:ident, $version:literal, $end:path) => {
        #[pg_extern(sql = false)]
        fn $name(time: Timestamptz) -> SqlUuid {
            SqlUuid(time.instant().ok_or(Error::TimestampOutOfRange { version: $version }).and_then($end).or_raise())
        }
    };
}

// The smallest and the largest version 7 UUID of the millisecond, and version 6 UUID of the microsecond.
boundary!(uuidv7_floor, 7, v7::floor);
boundary!(uuidv7_ceil, 7, v7::ceil);
boundary!(uuidv6_floor, 6, v6::floor);
boundary!(uuidv6_ceil, 6, v6::ceil);

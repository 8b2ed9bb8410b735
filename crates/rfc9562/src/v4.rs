//! UUID version 4: 122 random bits (RFC 9562, section 5.4).

use crate::Uuid;

/// Returns the version 4 UUID with 122 random bits: 60 from the first argument, 62 from the second. Higher bits are ignored.
pub const fn from_random(first: u64, second: u64) -> Uuid {
    Uuid::stamped(4, first, second)
}

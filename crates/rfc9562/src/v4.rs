//! UUID version 4: 122 random bits (RFC 9562, section 5.4).

use crate::Uuid;

/// The version 4 UUID of these random octets; 6 of their 128 bits give way to version and variant.
pub const fn from_random(octets: [u8; 16]) -> Uuid {
    let random = Uuid::from_bytes(octets);
    Uuid::stamped(4, random.high_and_mid(), random.low())
}

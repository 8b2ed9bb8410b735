//! UUID version 4: 122 random bits (RFC 9562, section 5.4).

use crate::Uuid;

/// The version 4 UUID of 122 random bits: 60 of the first argument, 62 of the second. Higher bits are ignored.
///
/// ```
/// use rfc9562::v4;
///
/// let uuid = v4::from_random(0x919108f752d1320, 0x1bacf847db4148a8);
/// assert_eq!(uuid.to_string(), "919108f7-52d1-4320-9bac-f847db4148a8");
/// ```
pub const fn from_random(first: u64, second: u64) -> Uuid {
    Uuid::stamped(4, first, second)
}

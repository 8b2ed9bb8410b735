//! UUID version 8: custom (RFC 9562, section 5.8). It holds three fields of your own, or a name hashed by an algorithm
//! newer than those of versions 3 and 5.
//!
//! ```text
//!  0                   1                   2                   3
//!  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! |                           custom_a                            |
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! |          custom_a             |  ver  |       custom_b        |
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! |var|                       custom_c                            |
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! |                           custom_c                            |
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! ```

use crate::name::{Hash, Hashspace};
use crate::{Error, Uuid};

const CUSTOM_A_BITS: u32 = 48;
const CUSTOM_B_BITS: u32 = 12;
const CUSTOM_C_BITS: u32 = 62;

/// The version 8 UUID of three fields: custom_a of 48 bits, custom_b of 12, custom_c of 62. A larger number is an error.
pub const fn from_fields(custom_a: u64, custom_b: u64, custom_c: u64) -> Result<Uuid, Error> {
    if custom_a >> CUSTOM_A_BITS != 0 {
        return Err(Error::FieldOutOfRange { version: 8, field: "custom_a", bits: CUSTOM_A_BITS });
    }
    if custom_b >> CUSTOM_B_BITS != 0 {
        return Err(Error::FieldOutOfRange { version: 8, field: "custom_b", bits: CUSTOM_B_BITS });
    }
    if custom_c >> CUSTOM_C_BITS != 0 {
        return Err(Error::FieldOutOfRange { version: 8, field: "custom_c", bits: CUSTOM_C_BITS });
    }
    Ok(Uuid::stamped(8, custom_a << CUSTOM_B_BITS | custom_b, custom_c))
}

/// The fields custom_a, custom_b and custom_c of a version 8 UUID.
pub const fn fields(uuid: Uuid) -> (u64, u64, u64) {
    let high_and_mid = uuid.high_and_mid();
    (high_and_mid >> CUSTOM_B_BITS, high_and_mid & ((1 << CUSTOM_B_BITS) - 1), uuid.low())
}

/// The version 8 UUID of a name, given in pieces, in a namespace (RFC 9562, appendix B.2): the hash of both, cut to its
/// most significant 128 bits.
///
/// ```
/// use rfc9562::name::{Hash, Namespace};
/// use rfc9562::v8;
///
/// // RFC 9562, appendix B.2
/// let uuid = v8::from_name(Namespace::Dns.id(), ["www.example.com"], Hash::Sha256);
/// assert_eq!(uuid.to_string(), "5c146b14-3c52-8afd-938a-375d0df1fbf6");
/// ```
pub fn from_name<P: AsRef<[u8]>>(namespace: Uuid, name: impl IntoIterator<Item = P>, hash: Hash) -> Uuid {
    hash.uuid(8, &[namespace], name)
}

/// As [`from_name`], with the ID of the hash algorithm hashed before the namespace (draft-ietf-uuidrev-rfc4122bis-12,
/// section 6.5; dropped before the RFC was published).
pub fn from_name_in_hashspace<P: AsRef<[u8]>>(
    hashspace: Hashspace,
    namespace: Uuid,
    name: impl IntoIterator<Item = P>,
) -> Uuid {
    hashspace.hash().uuid(8, &[hashspace.id(), namespace], name)
}

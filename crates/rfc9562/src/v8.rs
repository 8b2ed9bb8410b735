//! UUID version 8: custom (RFC 9562, section 5.8). Its content is up to the implementation: here, a name hashed with a newer
//! algorithm than those of versions 3 and 5.

use crate::Uuid;
use crate::name::Hash;

/// Returns the version 8 UUID of a name in a namespace (RFC 9562, appendix B.2): the hash of both, truncated to its most
/// significant 128 bits.
///
/// ```
/// use rfc9562::name::{Hash, Namespace};
/// use rfc9562::v8;
///
/// // RFC 9562, appendix B.2
/// let uuid = v8::from_name(Namespace::Dns.id(), b"www.example.com", Hash::Sha256);
/// assert_eq!(uuid.to_string(), "5c146b14-3c52-8afd-938a-375d0df1fbf6");
/// ```
pub fn from_name(namespace: Uuid, name: &[u8], hash: Hash) -> Uuid {
    hash.definition().1(namespace, name)
}

//! UUID version 5: the SHA-1 hash of a namespace and a name in it (RFC 9562, section 5.5).

use crate::{Uuid, name};

/// Returns the version 5 UUID of a name in a namespace.
///
/// ```
/// use rfc9562::name::Namespace;
/// use rfc9562::v5;
///
/// // RFC 9562, appendix A.4
/// let uuid = v5::from_name(Namespace::Dns.id(), b"www.example.com");
/// assert_eq!(uuid.to_string(), "2ed6657d-e927-568b-95e1-2665a8aea6a2");
/// ```
pub fn from_name(namespace: Uuid, name: &[u8]) -> Uuid {
    name::from_digest::<5, sha1::Sha1>(namespace, name)
}

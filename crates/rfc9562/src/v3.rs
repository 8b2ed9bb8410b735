//! UUID version 3: the MD5 hash of a namespace and a name in it (RFC 9562, section 5.3).

use crate::{Uuid, name};

/// The version 3 UUID of a name, given in pieces, in a namespace.
///
/// ```
/// use rfc9562::name::Namespace;
/// use rfc9562::v3;
///
/// // RFC 9562, appendix A.2
/// let uuid = v3::from_name(Namespace::Dns.id(), ["www.example.com"]);
/// assert_eq!(uuid.to_string(), "5df41881-3aed-3515-88a7-2f4a814cf09e");
/// ```
pub fn from_name<P: AsRef<[u8]>>(namespace: Uuid, name: impl IntoIterator<Item = P>) -> Uuid {
    name::uuid_of_digest::<md5::Md5, P>(3, &[namespace], name)
}

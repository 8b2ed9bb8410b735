//! UUID version 3: the MD5 hash of a namespace and a name in it (RFC 9562, section 5.3).

use crate::{Uuid, name};

/// Returns the version 3 UUID of a name, given in pieces, in a namespace.
pub fn from_name<P: AsRef<[u8]>>(namespace: Uuid, name: impl IntoIterator<Item = P>) -> Uuid {
    name::from_digest::<md5::Md5, P>(3, namespace, name)
}

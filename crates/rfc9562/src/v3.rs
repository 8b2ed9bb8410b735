//! UUID version 3: the MD5 hash of a namespace and a name in it (RFC 9562, section 5.3).

use crate::{Uuid, name};

/// Returns the version 3 UUID of a name in a namespace.
pub fn from_name(namespace: Uuid, name: &[u8]) -> Uuid {
    name::from_digest::<3, md5::Md5>(namespace, name)
}

//! UUID version 5: the SHA-1 hash of a namespace and a name in it (RFC 9562, section 5.5).

use crate::{Uuid, name};

/// The version 5 UUID of a name, given in pieces, in a namespace.
pub fn from_name<P: AsRef<[u8]>>(namespace: Uuid, name: impl IntoIterator<Item = P>) -> Uuid {
    name::uuid_of_digest::<sha1::Sha1, P>(5, &[namespace], name)
}

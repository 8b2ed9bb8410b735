//! What name-based UUIDs are made of (RFC 9562, section 6.5): namespaces, hash algorithms, hashspaces, and the way from
//! a hash to a UUID, which versions 3, 5 and 8 share.
//!
//! A name comes in pieces, which are hashed one after the other as if they were one: `["www.example.com"]`, or as many
//! as its owner finds convenient. So a long name need not be in memory as a whole, nor twice.

use core::str::FromStr;

use sha2::digest::{Digest, ExtendableOutput, Update};

use crate::{Error, Uuid};

/// The namespace of fully qualified domain names (RFC 9562, section 6.6).
pub const NAMESPACE_DNS: Uuid = Uuid::from_u128(0x6ba7b810_9dad_11d1_80b4_00c04fd430c8);
/// The namespace of URLs (RFC 9562, section 6.6).
pub const NAMESPACE_URL: Uuid = Uuid::from_u128(0x6ba7b811_9dad_11d1_80b4_00c04fd430c8);
/// The namespace of ISO object identifiers (RFC 9562, section 6.6).
pub const NAMESPACE_OID: Uuid = Uuid::from_u128(0x6ba7b812_9dad_11d1_80b4_00c04fd430c8);
/// The namespace of X.500 distinguished names (RFC 9562, section 6.6).
pub const NAMESPACE_X500: Uuid = Uuid::from_u128(0x6ba7b814_9dad_11d1_80b4_00c04fd430c8);

const NAMESPACES: [(&str, Uuid); 4] =
    [("dns", NAMESPACE_DNS), ("url", NAMESPACE_URL), ("oid", NAMESPACE_OID), ("x500", NAMESPACE_X500)];

/// The well-known namespace called `dns`, `url`, `oid` or `x500`, in letters of either case.
pub fn namespace(name: &str) -> Result<Uuid, Error> {
    let found = NAMESPACES.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    found.map(|(_, id)| *id).ok_or_else(|| Error::UnknownName {
        kind: "namespace",
        name: name.to_owned(),
        known: &["dns", "url", "oid", "x500"],
    })
}

/// What [`namespace`] calls this UUID.
pub fn namespace_name(uuid: Uuid) -> Option<&'static str> {
    NAMESPACES.iter().find(|(_, id)| *id == uuid).map(|(name, _)| *name)
}

/// A hash algorithm of name-based UUIDs of version 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hash {
    /// SHA-224 (FIPS 180-4).
    Sha224,
    /// SHA-256 (FIPS 180-4).
    Sha256,
    /// SHA-384 (FIPS 180-4).
    Sha384,
    /// SHA-512 (FIPS 180-4).
    Sha512,
    /// SHA-512/224 (FIPS 180-4).
    Sha512_224,
    /// SHA-512/256 (FIPS 180-4).
    Sha512_256,
    /// SHA3-224 (FIPS 202).
    Sha3_224,
    /// SHA3-256 (FIPS 202).
    Sha3_256,
    /// SHA3-384 (FIPS 202).
    Sha3_384,
    /// SHA3-512 (FIPS 202).
    Sha3_512,
    /// SHAKE128 (FIPS 202). Its output has any length, of which longer ones continue shorter ones; so the 128 bits that
    /// a UUID takes are the same whichever length is asked for.
    Shake128,
    /// SHAKE256 (FIPS 202), likewise.
    Shake256,
}

impl Hash {
    /// All twelve, in the order of the hashspaces.
    pub const ALL: [Hash; 12] = [
        Hash::Sha224,
        Hash::Sha256,
        Hash::Sha384,
        Hash::Sha512,
        Hash::Sha512_224,
        Hash::Sha512_256,
        Hash::Sha3_224,
        Hash::Sha3_256,
        Hash::Sha3_384,
        Hash::Sha3_512,
        Hash::Shake128,
        Hash::Shake256,
    ];

    /// The names of [`Hash::ALL`].
    pub const NAMES: [&'static str; 12] = [
        "sha224",
        "sha256",
        "sha384",
        "sha512",
        "sha512_224",
        "sha512_256",
        "sha3_224",
        "sha3_256",
        "sha3_384",
        "sha3_512",
        "shake128",
        "shake256",
    ];

    /// The name in lower case, such as `sha512_256`.
    pub const fn name(self) -> &'static str {
        Hash::NAMES[self as usize]
    }

    /// The hashspace ID of the algorithm, by which UUIDs of different algorithms are kept apart and told from each other
    /// (draft-ietf-uuidrev-rfc4122bis-12, appendix "Some Hashspace IDs").
    pub const fn hashspace(self) -> Uuid {
        Uuid::from_u128(match self {
            Hash::Sha224 => 0x59031ca3_fbdb_47fb_9f6c_0f30e2e83145,
            Hash::Sha256 => 0x3fb32780_953c_4464_9cfd_e85dbbe9843d,
            Hash::Sha384 => 0xe6800581_f333_484b_8778_601ff2b58da8,
            Hash::Sha512 => 0x0fde22f2_e7ba_4fd1_9753_9c2ea88fa3f9,
            Hash::Sha512_224 => 0x003c2038_c4fe_4b95_a672_0c26c1b79542,
            Hash::Sha512_256 => 0x9475ad00_3769_4c07_9642_5e7383732306,
            Hash::Sha3_224 => 0x9768761f_ac5a_419e_a180_7ca239e8025a,
            Hash::Sha3_256 => 0x2034d66b_4047_4553_8f80_70e593176877,
            Hash::Sha3_384 => 0x872fb339_2636_4bdd_bda6_b6dc2a82b1b3,
            Hash::Sha3_512 => 0xa4920a5d_a8a6_426c_8d14_a6cafbe64c7b,
            Hash::Shake128 => 0x7ea218f6_629a_425f_9f88_7439d63296bb,
            Hash::Shake256 => 0x2e7fc6a4_2919_4edc_b0ba_7d7062ce4f0a,
        })
    }

    /// The algorithm that a hashspace ID stands for.
    pub fn of_hashspace(hashspace: Uuid) -> Result<Hash, Error> {
        let found = Hash::ALL.into_iter().find(|hash| hash.hashspace() == hashspace);
        found.ok_or(Error::UnknownHashspace { hashspace })
    }

    /// The UUID of this version whose other bits are the hash of the IDs, then of the name.
    pub(crate) fn uuid<P: AsRef<[u8]>>(self, version: u8, ids: &[Uuid], name: impl IntoIterator<Item = P>) -> Uuid {
        match self {
            Hash::Sha224 => uuid_of_digest::<sha2::Sha224, P>(version, ids, name),
            Hash::Sha256 => uuid_of_digest::<sha2::Sha256, P>(version, ids, name),
            Hash::Sha384 => uuid_of_digest::<sha2::Sha384, P>(version, ids, name),
            Hash::Sha512 => uuid_of_digest::<sha2::Sha512, P>(version, ids, name),
            Hash::Sha512_224 => uuid_of_digest::<sha2::Sha512_224, P>(version, ids, name),
            Hash::Sha512_256 => uuid_of_digest::<sha2::Sha512_256, P>(version, ids, name),
            Hash::Sha3_224 => uuid_of_digest::<sha3::Sha3_224, P>(version, ids, name),
            Hash::Sha3_256 => uuid_of_digest::<sha3::Sha3_256, P>(version, ids, name),
            Hash::Sha3_384 => uuid_of_digest::<sha3::Sha3_384, P>(version, ids, name),
            Hash::Sha3_512 => uuid_of_digest::<sha3::Sha3_512, P>(version, ids, name),
            Hash::Shake128 => uuid_of_xof::<shake::Shake128, P>(version, ids, name),
            Hash::Shake256 => uuid_of_xof::<shake::Shake256, P>(version, ids, name),
        }
    }
}

/// Of a name as [`Hash::name`] gives it, in letters of either case.
impl FromStr for Hash {
    type Err = Error;

    fn from_str(name: &str) -> Result<Hash, Error> {
        let found = Hash::ALL.into_iter().find(|hash| hash.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| Error::UnknownName { kind: "hash algorithm", name: name.to_owned(), known: &Hash::NAMES })
    }
}

/// The UUID of this version whose other bits are the most significant of the digest of the IDs, then of the name.
pub(crate) fn uuid_of_digest<D: Digest, P: AsRef<[u8]>>(
    version: u8,
    ids: &[Uuid],
    name: impl IntoIterator<Item = P>,
) -> Uuid {
    let mut digest = D::new();
    for id in ids {
        digest.update(id.as_bytes());
    }
    for piece in name {
        digest.update(piece);
    }
    let mut octets = [0; 16];
    // In bounds: MD5, the shortest, has 16 octets.
    octets.copy_from_slice(&digest.finalize()[..16]);
    with_version(version, octets)
}

fn uuid_of_xof<X: Default + Update + ExtendableOutput, P: AsRef<[u8]>>(
    version: u8,
    ids: &[Uuid],
    name: impl IntoIterator<Item = P>,
) -> Uuid {
    let mut xof = X::default();
    for id in ids {
        xof.update(id.as_bytes());
    }
    for piece in name {
        xof.update(piece.as_ref());
    }
    let mut octets = [0; 16];
    xof.finalize_xof_into(&mut octets);
    with_version(version, octets)
}

/// "The UUID version and variant then replace the respective bits" (RFC 9562, section 5.5).
const fn with_version(version: u8, octets: [u8; 16]) -> Uuid {
    let hash = Uuid::from_bytes(octets);
    Uuid::stamped(version, hash.high_and_mid(), hash.low())
}

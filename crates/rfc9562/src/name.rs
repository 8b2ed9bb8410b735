//! What name-based UUIDs are made of (RFC 9562, section 6.5): namespaces, hash algorithms, hashspaces, and the way from
//! a hash to a UUID, which versions 3, 5 and 8 share.
//!
//! A name comes in one or more pieces, which are hashed one after the other as if they were one: `["www.example.com"]`.
//! So a long name need not be in memory as a whole, nor twice.

use core::str::FromStr;

use sha2::digest::{Digest, ExtendableOutput, Update};

use crate::named::named;
use crate::{Error, Uuid};

named! {
    /// A well-known namespace (RFC 9562, section 6.6).
    pub enum Namespace, "namespace" {
        /// Fully qualified domain names.
        Dns = "dns",
        /// URLs.
        Url = "url",
        /// ISO object identifiers.
        Oid = "oid",
        /// X.500 distinguished names.
        X500 = "x500",
    }
}

impl Namespace {
    /// The namespace ID.
    pub const fn id(self) -> Uuid {
        Uuid::from_u128(match self {
            Namespace::Dns => 0x6ba7b810_9dad_11d1_80b4_00c04fd430c8,
            Namespace::Url => 0x6ba7b811_9dad_11d1_80b4_00c04fd430c8,
            Namespace::Oid => 0x6ba7b812_9dad_11d1_80b4_00c04fd430c8,
            Namespace::X500 => 0x6ba7b814_9dad_11d1_80b4_00c04fd430c8,
        })
    }

    /// The well-known namespace that a UUID is the ID of.
    pub fn from_id(id: Uuid) -> Option<Namespace> {
        Namespace::ALL.iter().copied().find(|namespace| namespace.id() == id)
    }
}

named! {
    /// A hash algorithm of name-based UUIDs of version 8.
    pub enum Hash, "hash algorithm" {
        /// SHA-224 (FIPS 180-4).
        Sha224 = "sha224",
        /// SHA-256 (FIPS 180-4).
        Sha256 = "sha256",
        /// SHA-384 (FIPS 180-4).
        Sha384 = "sha384",
        /// SHA-512 (FIPS 180-4).
        Sha512 = "sha512",
        /// SHA-512/224 (FIPS 180-4).
        Sha512_224 = "sha512_224",
        /// SHA-512/256 (FIPS 180-4).
        Sha512_256 = "sha512_256",
        /// SHA3-224 (FIPS 202).
        Sha3_224 = "sha3_224",
        /// SHA3-256 (FIPS 202).
        Sha3_256 = "sha3_256",
        /// SHA3-384 (FIPS 202).
        Sha3_384 = "sha3_384",
        /// SHA3-512 (FIPS 202).
        Sha3_512 = "sha3_512",
        /// SHAKE128 (FIPS 202). Its output can have any length, and longer ones begin with the shorter ones. So the 128
        /// bits that a UUID takes are the same for every length.
        Shake128 = "shake128",
        /// SHAKE256 (FIPS 202), in the same way.
        Shake256 = "shake256",
    }
}

impl Hash {
    /// The UUID of this version with the hash of the IDs and the name, in this order, as its other bits.
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

/// The ID of a hash algorithm, which keeps UUIDs of different algorithms apart (draft-ietf-uuidrev-rfc4122bis-12,
/// appendix "Some Hashspace IDs"). Some hash algorithms have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hashspace {
    hash: Hash,
    id: Uuid,
}

impl Hashspace {
    /// All that the draft has.
    pub const ALL: &'static [Hashspace] = &[
        Hashspace::new(Hash::Sha224, 0x59031ca3_fbdb_47fb_9f6c_0f30e2e83145),
        Hashspace::new(Hash::Sha256, 0x3fb32780_953c_4464_9cfd_e85dbbe9843d),
        Hashspace::new(Hash::Sha384, 0xe6800581_f333_484b_8778_601ff2b58da8),
        Hashspace::new(Hash::Sha512, 0x0fde22f2_e7ba_4fd1_9753_9c2ea88fa3f9),
        Hashspace::new(Hash::Sha512_224, 0x003c2038_c4fe_4b95_a672_0c26c1b79542),
        Hashspace::new(Hash::Sha512_256, 0x9475ad00_3769_4c07_9642_5e7383732306),
        Hashspace::new(Hash::Sha3_224, 0x9768761f_ac5a_419e_a180_7ca239e8025a),
        Hashspace::new(Hash::Sha3_256, 0x2034d66b_4047_4553_8f80_70e593176877),
        Hashspace::new(Hash::Sha3_384, 0x872fb339_2636_4bdd_bda6_b6dc2a82b1b3),
        Hashspace::new(Hash::Sha3_512, 0xa4920a5d_a8a6_426c_8d14_a6cafbe64c7b),
        Hashspace::new(Hash::Shake128, 0x7ea218f6_629a_425f_9f88_7439d63296bb),
        Hashspace::new(Hash::Shake256, 0x2e7fc6a4_2919_4edc_b0ba_7d7062ce4f0a),
    ];

    /// The names of the hash algorithms that have one, in the order of [`Hashspace::ALL`].
    pub const NAMES: &'static [&'static str] = &{
        let mut names = [""; Hashspace::ALL.len()];
        let mut place = 0;
        while place < names.len() {
            names[place] = Hashspace::ALL[place].hash.name();
            place += 1;
        }
        names
    };

    const fn new(hash: Hash, id: u128) -> Hashspace {
        Hashspace { hash, id: Uuid::from_u128(id) }
    }

    /// The hash algorithm.
    pub const fn hash(self) -> Hash {
        self.hash
    }

    /// The hashspace ID.
    pub const fn id(self) -> Uuid {
        self.id
    }

    /// The hashspace that a UUID is the ID of.
    pub fn from_id(id: Uuid) -> Result<Hashspace, Error> {
        let found = Hashspace::ALL.iter().copied().find(|hashspace| hashspace.id == id);
        found.ok_or(Error::UnknownHashspace { hashspace: id })
    }
}

/// Reads the name of its hash algorithm, in upper or lower case.
impl FromStr for Hashspace {
    type Err = Error;

    fn from_str(name: &str) -> Result<Hashspace, Error> {
        let found = Hashspace::ALL.iter().copied().find(|hashspace| hashspace.hash.name().eq_ignore_ascii_case(name));
        found.ok_or(Error::UnknownName { kind: "hash algorithm", known: Hashspace::NAMES })
    }
}

/// The UUID of this version with the most significant bits of a digest as its other bits: the digest of the IDs and the
/// name, in this order.
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

//! Name-based UUIDs (RFC 9562, section 6.5): namespaces, hash algorithms, and the conversion of hashes to UUIDs.

use sha2::digest::consts::U16;
use sha2::digest::{Digest, XofFixedWrapper};

use crate::Uuid;
use crate::named::named;

named! {
    /// A well-known namespace (RFC 9562, section 6.6).
    pub enum Namespace, "namespace";

    /// Returns the namespace ID.
    pub const fn id -> Uuid {
        /// Fully qualified domain names.
        Dns = "dns" => Uuid::from_u128(0x6ba7b810_9dad_11d1_80b4_00c04fd430c8),
        /// URLs.
        Url = "url" => Uuid::from_u128(0x6ba7b811_9dad_11d1_80b4_00c04fd430c8),
        /// ISO object identifiers.
        Oid = "oid" => Uuid::from_u128(0x6ba7b812_9dad_11d1_80b4_00c04fd430c8),
        /// X.500 distinguished names.
        X500 = "x500" => Uuid::from_u128(0x6ba7b814_9dad_11d1_80b4_00c04fd430c8),
    }
}

named! {
    /// A hash algorithm for name-based version 8 UUIDs: SHA-2 (FIPS 180-4), SHA-3 and SHAKE (FIPS 202).
    ///
    /// The output of SHAKE can have any length, but shorter outputs are prefixes of longer ones, so the length does not affect the
    /// first 128 bits.
    #[allow(missing_docs, reason = "the variants have the names of the algorithms")]
    pub enum Hash, "hash algorithm";

    /// Returns the algorithm's hashspace ID, and the function that hashes a name in a namespace.
    pub(crate) const fn definition -> (u128, FromName) {
        Sha224 = "sha224" => (0x59031ca3_fbdb_47fb_9f6c_0f30e2e83145, from_digest::<8, sha2::Sha224>),
        Sha256 = "sha256" => (0x3fb32780_953c_4464_9cfd_e85dbbe9843d, from_digest::<8, sha2::Sha256>),
        Sha384 = "sha384" => (0xe6800581_f333_484b_8778_601ff2b58da8, from_digest::<8, sha2::Sha384>),
        Sha512 = "sha512" => (0x0fde22f2_e7ba_4fd1_9753_9c2ea88fa3f9, from_digest::<8, sha2::Sha512>),
        Sha512_224 = "sha512_224" => (0x003c2038_c4fe_4b95_a672_0c26c1b79542, from_digest::<8, sha2::Sha512_224>),
        Sha512_256 = "sha512_256" => (0x9475ad00_3769_4c07_9642_5e7383732306, from_digest::<8, sha2::Sha512_256>),
        Sha3_224 = "sha3_224" => (0x9768761f_ac5a_419e_a180_7ca239e8025a, from_digest::<8, sha3::Sha3_224>),
        Sha3_256 = "sha3_256" => (0x2034d66b_4047_4553_8f80_70e593176877, from_digest::<8, sha3::Sha3_256>),
        Sha3_384 = "sha3_384" => (0x872fb339_2636_4bdd_bda6_b6dc2a82b1b3, from_digest::<8, sha3::Sha3_384>),
        Sha3_512 = "sha3_512" => (0xa4920a5d_a8a6_426c_8d14_a6cafbe64c7b, from_digest::<8, sha3::Sha3_512>),
        Shake128 = "shake128" => (0x7ea218f6_629a_425f_9f88_7439d63296bb, from_digest::<8, Xof<shake::Shake128>>),
        Shake256 = "shake256" => (0x2e7fc6a4_2919_4edc_b0ba_7d7062ce4f0a, from_digest::<8, Xof<shake::Shake256>>),
    }
}

/// A hash function whose output can have any length, with 128 bits of output.
type Xof<H> = XofFixedWrapper<H, U16>;

type FromName = fn(namespace: Uuid, name: &[u8]) -> Uuid;

impl Hash {
    /// Returns the algorithm's hashspace ID, which precedes the namespace in the last drafts (draft-ietf-uuidrev-rfc4122bis-12,
    /// appendix "Some Hashspace IDs").
    pub const fn hashspace(self) -> Uuid {
        Uuid::from_u128(self.definition().0)
    }
}

/// Hashes a namespace and a name, and turns the first 128 bits of the digest into a UUID: "The UUID version and variant then
/// replace the respective bits" (RFC 9562, section 5.5).
pub(crate) fn from_digest<const VERSION: u8, D: Digest>(namespace: Uuid, name: &[u8]) -> Uuid {
    let digest = D::new().chain_update(namespace.as_bytes()).chain_update(name).finalize();
    let mut bytes = [0; 16];
    // In bounds, because the shortest digest, MD5's, has 16 bytes.
    bytes.copy_from_slice(&digest[..16]);
    let hash = Uuid::from_bytes(bytes);
    Uuid::stamped(VERSION, hash.high_and_mid(), hash.low())
}

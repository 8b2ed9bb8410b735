//! The error types [`Error`] and, for decoding text, [`DecodeError`].

use crate::Uuid;
use crate::node::MAX_BITS;
use crate::seal::KEY_LENGTH;

/// The reason why a UUID cannot be generated or converted, or why an argument is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "the comments on the variants name the fields")]
pub enum Error {
    /// The instant is not representable in a UUID of this version (RFC 9562, section 6.1, "Length").
    #[error("timestamp out of range for UUID version {version}")]
    TimestampOutOfRange { version: u8 },
    /// More UUIDs of this version were requested than can be kept in order at the end of the timestamp's range, or within one given
    /// instant (RFC 9562, section 6.1, "Error Handling").
    #[error("too many UUIDs of version {version} for one timestamp")]
    SequenceExhausted { version: u8 },
    /// A name is not one of the known names of this kind, such as `namespace`.
    #[error("unrecognized {kind}")]
    UnknownName { kind: &'static str, known: &'static [&'static str] },
    /// The given UUID is not of the version that the function accepts.
    #[error("UUID \"{uuid}\" is not version {version}")]
    NotOfVersion { uuid: Uuid, version: u8 },
    /// The number of bits of a node is not between 1 and [`node::MAX_BITS`](crate::node::MAX_BITS).
    #[error("number of node bits must be between 1 and {MAX_BITS}")]
    NodeBits,
    /// A node's number, its ID, does not fit into its bits.
    #[error("node {id} does not fit into {bits} bits")]
    NodeId { id: u16, bits: u32 },
    /// A seal key's length is not [`seal::KEY_LENGTH`](crate::seal::KEY_LENGTH) bytes.
    #[error("seal key must be {KEY_LENGTH} bytes long")]
    KeyLength { length: usize },
}

/// The reason why text cannot be decoded as a UUID. The message for it names the form, which the caller knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// The text is not in the expected form.
    Syntax,
    /// The text is in the expected form, but its number needs more than 128 bits.
    Overflow,
}

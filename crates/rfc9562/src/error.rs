//! The error types [`Error`] and, for decoding text, [`DecodeError`].

use core::fmt;

use crate::Uuid;
use crate::node::MAX_BITS;
use crate::seal::KEY_LENGTH;

/// The reason why a UUID cannot be generated or converted, or why an argument is invalid.
///
/// Callers that map these errors to their own should match every variant, so that a new variant causes a compile error until it is
/// handled.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the comments on the variants name the fields")]
pub enum Error {
    /// The instant is not representable in a UUID of this version (RFC 9562, section 6.1, "Length").
    TimestampOutOfRange { version: u8 },
    /// More UUIDs of this version were requested than can be kept in order at the end of the timestamp's range, or within one given
    /// instant (RFC 9562, section 6.1, "Error Handling").
    SequenceExhausted { version: u8 },
    /// A name is not one of the known names of this kind, such as `namespace`.
    UnknownName { kind: &'static str, known: &'static [&'static str] },
    /// The given UUID is not of the version that the function accepts.
    NotOfVersion { uuid: Uuid, version: u8 },
    /// The number of bits of a node is not between 1 and [`node::MAX_BITS`](crate::node::MAX_BITS).
    NodeBits,
    /// A node's number, its ID, does not fit into its bits.
    NodeId { id: u16, bits: u32 },
    /// A seal key's length is not [`seal::KEY_LENGTH`](crate::seal::KEY_LENGTH) bytes.
    KeyLength { length: usize },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::TimestampOutOfRange { version } => {
                write!(f, "timestamp out of range for UUID version {version}")
            }
            Error::SequenceExhausted { version } => {
                write!(f, "too many UUIDs of version {version} for one timestamp")
            }
            Error::UnknownName { kind, .. } => write!(f, "unrecognized {kind}"),
            Error::NotOfVersion { uuid, version } => write!(f, "UUID \"{uuid}\" is not version {version}"),
            Error::NodeBits => write!(f, "number of node bits must be between 1 and {MAX_BITS}"),
            Error::NodeId { id, bits } => write!(f, "node {id} does not fit into {bits} bits"),
            Error::KeyLength { .. } => write!(f, "seal key must be {KEY_LENGTH} bytes long"),
        }
    }
}

impl core::error::Error for Error {}

/// The reason why text cannot be decoded as a UUID. The message for it names the form, which the caller knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// The text is not in the expected form.
    Syntax,
    /// The text is in the expected form, but its number needs more than 128 bits.
    Overflow,
}

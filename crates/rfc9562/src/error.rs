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
pub enum Error {
    /// The instant is not representable in a UUID of this version (RFC 9562, section 6.1, "Length").
    TimestampOutOfRange {
        /// The requested UUID version: 1, 6 or 7.
        version: u8,
    },
    /// More UUIDs were requested than can be kept in order at the end of the timestamp's range, or within one given instant (RFC
    /// 9562, section 6.1, "Error Handling").
    SequenceExhausted {
        /// The requested UUID version: 1, 6 or 7.
        version: u8,
    },
    /// The instant is not representable in a version 7 UUID of layout `draft-02`.
    LayoutTimestampOutOfRange,
    /// A name is not in the list of known names.
    UnknownName {
        /// The kind of name, such as `namespace`.
        kind: &'static str,
        /// The known names.
        known: &'static [&'static str],
    },
    /// A UUID is not of the version that the function accepts.
    NotOfVersion {
        /// The UUID given.
        uuid: Uuid,
        /// The version that the function accepts.
        version: u8,
    },
    /// The number of bits of a node is not between 1 and [`node::MAX_BITS`](crate::node::MAX_BITS).
    NodeBits,
    /// A node's number does not fit into its bits.
    NodeId {
        /// The node's number.
        id: u16,
        /// The number of bits given.
        bits: u32,
    },
    /// A seal key is not [`seal::KEY_LENGTH`](crate::seal::KEY_LENGTH) bytes long.
    KeyLength {
        /// The number of bytes given.
        length: usize,
    },
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
            Error::LayoutTimestampOutOfRange => {
                f.write_str("timestamp out of range for UUID version 7 of layout \"draft-02\"")
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

/// The reason why text cannot be decoded as a UUID.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecodeError {
    /// The text is not in the expected form.
    Syntax,
    /// The text is in the expected form, but its number needs more than 128 bits.
    Overflow,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DecodeError::Syntax => "invalid input syntax for UUID",
            DecodeError::Overflow => "the number does not fit into 128 bits",
        })
    }
}

impl core::error::Error for DecodeError {}

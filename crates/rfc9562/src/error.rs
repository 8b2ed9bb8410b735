//! The one error type of this crate.

use core::fmt;

use crate::Uuid;
use crate::text::Format;

/// What can be wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// The instant is not representable in a UUID of this version (RFC 9562, section 6.1, "Length").
    TimestampOutOfRange {
        /// The UUID version asked for: 1, 6 or 7.
        version: u8,
    },
    /// More UUIDs were asked for than are left in order at the end of the timestamp's range, or within one given
    /// instant (RFC 9562, section 6.1, "Error Handling").
    SequenceExhausted {
        /// The UUID version asked for: 1, 6 or 7.
        version: u8,
    },
    /// The text is none that the format has for a UUID.
    TextSyntax {
        /// The format it was read in.
        format: Format,
    },
    /// The text spells a number of more than 128 bits.
    TextOverflow {
        /// The format it was read in.
        format: Format,
    },
    /// The instant is not representable in a UUID of this layout.
    LayoutTimestampOutOfRange {
        /// The layout asked for: `draft-02`.
        layout: &'static str,
    },
    /// A number is too large for a UUID's field.
    FieldOutOfRange {
        /// The UUID version that has the field.
        version: u8,
        /// The field's name in the RFC.
        field: &'static str,
        /// How many bits the field has.
        bits: u32,
    },
    /// A name that is not in the list of those known.
    UnknownName {
        /// What the list is of, in the singular.
        kind: &'static str,
        /// The name given.
        name: String,
        /// The list.
        known: &'static [&'static str],
    },
    /// A UUID that is not the ID of a hash algorithm (draft-ietf-uuidrev-rfc4122bis-12, "Some Hashspace IDs").
    UnknownHashspace {
        /// The UUID given.
        hashspace: Uuid,
    },
    /// A conversion was given a UUID of another version than the one it converts.
    NotOfVersion {
        /// The UUID given.
        uuid: Uuid,
        /// The version that can be converted.
        version: u8,
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
            Error::TextSyntax { format } | Error::TextOverflow { format } => {
                write!(f, "invalid input syntax for UUID in format \"{}\"", format.name())
            }
            Error::LayoutTimestampOutOfRange { layout } => {
                write!(f, "timestamp out of range for UUID version 7 of layout \"{layout}\"")
            }
            Error::FieldOutOfRange { version, field, .. } => {
                write!(f, "{field} out of range for UUID version {version}")
            }
            Error::UnknownName { kind, name, .. } => write!(f, "unrecognized {kind}: \"{name}\""),
            Error::UnknownHashspace { hashspace } => write!(f, "unrecognized hashspace: \"{hashspace}\""),
            Error::NotOfVersion { uuid, version } => write!(f, "UUID \"{uuid}\" is not version {version}"),
        }
    }
}

impl core::error::Error for Error {}

//! The one error type of this crate.

use core::fmt;

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
        }
    }
}

impl core::error::Error for Error {}

//! The one error type of this crate.

use core::fmt;

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
        }
    }
}

impl core::error::Error for Error {}

//! What can be wrong with an id: [`IdError`].

use core::fmt;

use super::Type;
use crate::Uuid;

/// What can be wrong with an id, or with what is asked of its system. It does not name the system: the caller knows.
///
/// A caller that turns these into errors of its own should match all of them, so that a new one does not compile until
/// the caller knows it.
///
/// ```
/// use rfc9562::other::{IdError, System};
///
/// assert_eq!(System::Ulid.ids().of_text(b"81ARYZ6S41TSV4RRFFQ69G5FAV"), Err(IdError::Range));
/// assert_eq!(System::Ulid.ids().of_text(b"01ARYZ6S41TSV4RRFFQ69G5FA"), Err(IdError::Syntax));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdError {
    /// The text is none of the system's: a wrong length or a wrong character.
    Syntax,
    /// There are not as many octets as the system's ids have.
    Length {
        /// How many they have.
        expected: usize,
    },
    /// The number is larger than the system's ids are.
    Range,
    /// The time cannot be told, is none of the system's, or lies outside of what version 7 can hold.
    Time,
    /// Ids of the system are UUIDs of version 4, but not this one.
    NotVersion4 {
        /// The UUID given.
        uuid: Uuid,
    },
    /// Ids of the system are never of this type.
    NoType {
        /// The type.
        ty: Type,
    },
    /// Ids of the system do not sort by their time in a column of this type.
    Unsorted {
        /// The type.
        ty: Type,
    },
    /// They do, but not those of this time.
    UnsortedThen {
        /// The type.
        ty: Type,
    },
    /// The system says from when on its time counts.
    FixedEpoch,
    /// The epoch is not a whole millisecond, or lies outside of what version 7 can hold.
    Epoch,
    /// UUIDs that ids of the system were carried over to cannot be turned back.
    OneWay,
    /// No id of the system is carried over to this UUID.
    NotCarried {
        /// The UUID given.
        uuid: Uuid,
    },
}

impl fmt::Display for IdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IdError::Syntax => f.write_str("invalid input syntax for an id of this system"),
            IdError::Length { .. } => f.write_str("invalid input length for an id of this system"),
            IdError::Range => f.write_str("value out of range for an id of this system"),
            IdError::Time => f.write_str("timestamp out of range for ids of this system"),
            IdError::NotVersion4 { uuid } => write!(f, "UUID \"{uuid}\" is not version 4"),
            IdError::NoType { ty } => write!(f, "ids of this system are not of type {}", ty.name()),
            IdError::Unsorted { ty } => {
                write!(f, "ids of this system do not sort by their time as type {}", ty.name())
            }
            IdError::UnsortedThen { ty } => {
                write!(f, "ids of this system and this time do not sort as type {}", ty.name())
            }
            IdError::FixedEpoch => f.write_str("ids of this system have a fixed epoch"),
            IdError::Epoch => f.write_str("epoch out of range"),
            IdError::OneWay => f.write_str("UUIDs of ids of this system cannot be turned back"),
            IdError::NotCarried { uuid } => write!(f, "UUID \"{uuid}\" is not of an id of this system"),
        }
    }
}

impl core::error::Error for IdError {}

//! The 128 bits of a UUID: its bytes, the variant field and the version field (RFC 9562, sections 4, 4.1 and 4.2),
//! with the number of bits of each part:
//!
//! ```text
//! high (48) | ver (4) | mid (12) | var (2) | low (62)
//! ```

use core::fmt;

use crate::text::number::low_half;

/// A UUID: any 128 bits, ordered byte by byte, as in PostgreSQL.
///
/// ```
/// use rfc9562::Uuid;
///
/// let uuid: Uuid = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f".parse()?;
/// assert_eq!(uuid.version(), Some(7));
/// assert!(Uuid::NIL < uuid && uuid < Uuid::MAX);
/// # Ok::<(), rfc9562::DecodeError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Uuid([u8; 16]);

/// The variant field, the most significant bits of byte 8 (RFC 9562, section 4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// `0xx`: Network Computing System backward compatibility; includes the Nil UUID.
    Ncs,
    /// `10x`: the variant that RFC 9562 specifies.
    Rfc9562,
    /// `110`: Microsoft backward compatibility.
    Microsoft,
    /// `111`: reserved for the future; includes the Max UUID.
    Future,
}

impl Variant {
    /// Returns the variant's name in lower case: `ncs`, `rfc9562`, `microsoft` or `future`.
    pub const fn name(self) -> &'static str {
        match self {
            Variant::Ncs => "ncs",
            Variant::Rfc9562 => "rfc9562",
            Variant::Microsoft => "microsoft",
            Variant::Future => "future",
        }
    }
}

const MASK_12: u128 = (1 << 12) - 1;
const MASK_62: u128 = (1 << 62) - 1;

impl Uuid {
    /// All bits zero (RFC 9562, section 5.9).
    pub const NIL: Uuid = Uuid([0x00; 16]);
    /// All bits one (RFC 9562, section 5.10).
    pub const MAX: Uuid = Uuid([0xff; 16]);

    /// Returns the UUID with the given bytes, in network byte order.
    pub const fn from_bytes(bytes: [u8; 16]) -> Uuid {
        Uuid(bytes)
    }

    /// Returns the bytes, in network byte order.
    pub const fn as_bytes(&self) -> &[u8; 16] {
        &self.0
    }

    /// Returns the UUID whose bytes are the given number, most significant byte first.
    pub const fn from_u128(number: u128) -> Uuid {
        Uuid(number.to_be_bytes())
    }

    /// Returns the bytes, read as a big-endian number.
    pub const fn to_u128(self) -> u128 {
        u128::from_be_bytes(self.0)
    }

    /// Returns the variant field (RFC 9562, section 4.1).
    pub const fn variant(self) -> Variant {
        match self.0[8] >> 5 {
            0b000..=0b011 => Variant::Ncs,
            0b100 | 0b101 => Variant::Rfc9562,
            0b110 => Variant::Microsoft,
            _ => Variant::Future,
        }
    }

    /// Returns the version field, 0 to 15, or `None` if the variant is not `10x` (RFC 9562, section 4.2).
    pub const fn version(self) -> Option<u8> {
        match self.variant() {
            Variant::Rfc9562 => Some(self.0[6] >> 4),
            _ => None,
        }
    }

    /// Returns a UUID with the given version and RFC 9562's variant. Of the 60 bits of `high_and_mid`, 48 precede the version field
    /// and 12 follow it; the 62 bits of `low` follow the variant field. Higher bits are ignored.
    pub(crate) const fn stamped(version: u8, high_and_mid: u64, low: u64) -> Uuid {
        let high_and_mid = high_and_mid as u128;
        let high = (high_and_mid >> 12) << 80;
        let mid = (high_and_mid & MASK_12) << 64;
        Uuid::from_u128(high | (version as u128) << 76 | mid | 0b10 << 62 | low as u128 & MASK_62)
    }

    /// Returns the 60 bits around the version field, 48 before it and 12 after it, as one number.
    pub(crate) const fn high_and_mid(self) -> u64 {
        let number = self.to_u128();
        let high = low_half(number >> 80);
        let mid = low_half(number >> 64 & MASK_12);
        high << 12 | mid
    }

    /// Returns the 62 bits after the variant field.
    pub(crate) const fn low(self) -> u64 {
        low_half(self.to_u128() & MASK_62)
    }
}

impl fmt::Debug for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

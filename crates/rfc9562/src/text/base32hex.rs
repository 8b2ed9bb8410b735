//! The base 32 of RFC 4648, section 7, with an alphabet that keeps the order: 26 digits and six `=` of padding. The
//! unused bits of the last digit are zero. PostgreSQL 19's `encode(..., 'base32hex')` gives the same.
//!
//! Written in upper case. Aliases: lower case; no padding at all.

use data_encoding::{BASE32HEX, BASE32HEX_NOPAD};

use crate::{DecodeError, Uuid};

const PADDING: &[u8] = b"======";

pub(super) fn encode(uuid: Uuid) -> String {
    BASE32HEX.encode(uuid.as_bytes())
}

pub(super) fn decode(text: &[u8]) -> Result<Uuid, DecodeError> {
    let digits = text.strip_suffix(PADDING).unwrap_or(text);
    let mut digits = <[u8; 26]>::try_from(digits).map_err(|_| DecodeError::Syntax)?;
    digits.make_ascii_uppercase();
    let mut octets = [0; 16];
    match BASE32HEX_NOPAD.decode_mut(&digits, &mut octets) {
        Ok(_) => Ok(Uuid::from_bytes(octets)),
        Err(_) => Err(DecodeError::Syntax),
    }
}

//! The base 64 of RFC 4648, section 5, which is safe in URLs and file names: 22 digits without padding (section 3.2).
//! The unused bits of the last digit are zero. Its alphabet does not keep the order.
//!
//! No aliases.

use data_encoding::BASE64URL_NOPAD;

use crate::{DecodeError, Uuid};

pub(super) fn encode(uuid: Uuid) -> String {
    BASE64URL_NOPAD.encode(uuid.as_bytes())
}

pub(super) fn decode(text: &[u8]) -> Result<Uuid, DecodeError> {
    if text.len() != 22 {
        return Err(DecodeError::Syntax);
    }
    let mut octets = [0; 16];
    match BASE64URL_NOPAD.decode_mut(text, &mut octets) {
        Ok(_) => Ok(Uuid::from_bytes(octets)),
        Err(_) => Err(DecodeError::Syntax),
    }
}

//! The 128 bits as one decimal number (RFC 9562, section 4), alone or as the last arc of an object identifier, `2.25.`
//! and that number (ITU-T X.667, sections 7 and 8).
//!
//! No aliases: no sign, no leading zeros, which X.667 forbids in an object identifier too.

use crate::{DecodeError, Uuid};

const OID: &[u8] = b"2.25.";

pub(super) fn encode(uuid: Uuid) -> String {
    uuid.to_u128().to_string()
}

pub(super) fn decode(text: &[u8]) -> Result<Uuid, DecodeError> {
    match text {
        [b'0'] => return Ok(Uuid::NIL),
        [b'1'..=b'9', rest @ ..] if rest.iter().all(u8::is_ascii_digit) => (),
        _ => return Err(DecodeError::Syntax),
    }
    let mut number = 0_u128;
    for &byte in text {
        number = number
            .checked_mul(10)
            .and_then(|number| number.checked_add(u128::from(byte - b'0')))
            .ok_or(DecodeError::Overflow)?;
    }
    Ok(Uuid::from_u128(number))
}

pub(super) fn encode_oid(uuid: Uuid) -> String {
    format!("2.25.{}", uuid.to_u128())
}

pub(super) fn decode_oid(text: &[u8]) -> Result<Uuid, DecodeError> {
    text.strip_prefix(OID).ok_or(DecodeError::Syntax).and_then(decode)
}

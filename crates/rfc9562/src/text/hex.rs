//! Hexadecimal digits: `hex`, the form of RFC 9562, section 4, and `urn` and `braces` around that one.
//!
//! Written in lower case. Aliases: digits in upper or mixed case (RFC 9562, section 4), and so `urn:uuid:` (RFC 8141,
//! section 3.1).

use core::str::FromStr;

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};

use crate::{DecodeError, Uuid};

const URN: &[u8] = b"urn:uuid:";

/// Where the hyphens are in the 36 characters of RFC 9562, section 4.
const HYPHENS: [usize; 4] = [8, 13, 18, 23];

pub(super) fn encode(uuid: Uuid) -> String {
    HEXLOWER.encode(uuid.as_bytes())
}

pub(super) fn decode(text: &[u8]) -> Result<Uuid, DecodeError> {
    if text.len() != 32 {
        return Err(DecodeError::Syntax);
    }
    let mut octets = [0; 16];
    match HEXLOWER_PERMISSIVE.decode_mut(text, &mut octets) {
        Ok(_) => Ok(Uuid::from_bytes(octets)),
        Err(_) => Err(DecodeError::Syntax),
    }
}

pub(super) fn encode_urn(uuid: Uuid) -> String {
    format!("urn:uuid:{uuid}")
}

pub(super) fn decode_urn(text: &[u8]) -> Result<Uuid, DecodeError> {
    match text.split_at_checked(URN.len()) {
        Some((prefix, rest)) if prefix.eq_ignore_ascii_case(URN) => decode_hyphenated(rest),
        _ => Err(DecodeError::Syntax),
    }
}

pub(super) fn encode_braces(uuid: Uuid) -> String {
    format!("{{{uuid}}}")
}

pub(super) fn decode_braces(text: &[u8]) -> Result<Uuid, DecodeError> {
    match text {
        [b'{', inside @ .., b'}'] => decode_hyphenated(inside),
        _ => Err(DecodeError::Syntax),
    }
}

/// Reads the text form of RFC 9562, section 4, and no other: 8-4-4-4-12 hexadecimal digits in upper, lower or mixed
/// case. [`Format`](crate::text::Format) reads other forms.
///
/// ```
/// use rfc9562::{DecodeError, Uuid};
///
/// let uuid: Uuid = "F81D4FAE-7DEC-11D0-A765-00A0C91E6BF6".parse()?;
/// assert_eq!(uuid.to_string(), "f81d4fae-7dec-11d0-a765-00a0c91e6bf6");
/// assert_eq!("f81d4fae7dec11d0a76500a0c91e6bf6".parse::<Uuid>(), Err(DecodeError::Syntax));
/// # Ok::<(), DecodeError>(())
/// ```
impl FromStr for Uuid {
    type Err = DecodeError;

    fn from_str(text: &str) -> Result<Uuid, DecodeError> {
        decode_hyphenated(text.as_bytes())
    }
}

fn decode_hyphenated(text: &[u8]) -> Result<Uuid, DecodeError> {
    if text.len() != 36 || HYPHENS.iter().any(|&place| text[place] != b'-') {
        return Err(DecodeError::Syntax);
    }
    let mut digits = [0; 32];
    digits[..8].copy_from_slice(&text[..8]);
    digits[8..12].copy_from_slice(&text[9..13]);
    digits[12..16].copy_from_slice(&text[14..18]);
    digits[16..20].copy_from_slice(&text[19..23]);
    digits[20..].copy_from_slice(&text[24..]);
    decode(&digits)
}

//! Text forms of UUIDs other than the one of RFC 9562, section 4.
//!
//! ```text
//! format     example: 01890a5d-ac96-774b-bcce-b302099a8057                width  text order is UUID order
//! urn        urn:uuid:01890a5d-ac96-774b-bcce-b302099a8057                45     yes
//! braces     {01890a5d-ac96-774b-bcce-b302099a8057}                       38     yes
//! hex        01890a5dac96774bbcceb302099a8057                             32     yes
//! base32     01H455VB4PEX5VSKNK084SN02Q                                   26     yes
//! base32hex  064GKNDCIPRKNF6EMC10J6K0AS======                             32     yes
//! base58     1BzmjTFLHWXwiSK4y3H5iW                                       22     yes
//! base64url  AYkKXayWd0u8zrMCCZqAVw                                       22     no
//! decimal    2040782911132661522235942288014082135                        1..39  no
//! oid        2.25.2040782911132661522235942288014082135                   6..44  no
//! ```
//!
//! Text order is the order of the bytes: PostgreSQL's collation "C".
//!
//! Each UUID has one text in each format. A decoder takes that text and those aliases of it that its file names, and
//! nothing else: no white space, no sign, no missing digit, no number of more than 128 bits.

mod base32;
mod base32hex;
mod base58;
mod base64url;
mod decimal;
mod hex;

use core::str::FromStr;

use crate::{Error, Uuid};

/// A text form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// `urn:uuid:` and the form of RFC 9562, section 4 (there: "UUID URN").
    Urn,
    /// The form of RFC 9562, section 4, in curly braces, as Microsoft's tools write it.
    Braces,
    /// 32 hexadecimal digits in lower case.
    Hex,
    /// 26 digits of Crockford's base 32: the text of a ULID.
    Base32,
    /// RFC 4648, section 7, with padding: what PostgreSQL 19's `encode(..., 'base32hex')` gives.
    Base32hex,
    /// 22 digits of base 58 in Bitcoin's alphabet.
    Base58,
    /// RFC 4648, section 5, without padding.
    Base64url,
    /// The 128 bits as one number.
    Decimal,
    /// The object identifier below 2.25 (ITU-T X.667, section 8).
    Oid,
}

/// Why a text is no UUID.
enum Refusal {
    /// It is no text of the format.
    Syntax,
    /// It is, but the number needs more than 128 bits.
    Overflow,
}

impl Format {
    /// All formats.
    pub const ALL: [Format; 9] = [
        Format::Urn,
        Format::Braces,
        Format::Hex,
        Format::Base32,
        Format::Base32hex,
        Format::Base58,
        Format::Base64url,
        Format::Decimal,
        Format::Oid,
    ];

    /// The names in the order of [`Format::ALL`].
    pub const NAMES: [&str; 9] =
        ["urn", "braces", "hex", "base32", "base32hex", "base58", "base64url", "decimal", "oid"];

    /// The name, in lower case.
    pub const fn name(self) -> &'static str {
        Format::NAMES[self as usize]
    }

    /// Whether texts compare byte by byte as their UUIDs do.
    pub const fn keeps_order(self) -> bool {
        match self {
            Format::Urn | Format::Braces | Format::Hex | Format::Base32 | Format::Base32hex | Format::Base58 => true,
            Format::Base64url | Format::Decimal | Format::Oid => false,
        }
    }

    /// The one text of the UUID in this format: ASCII, at most 45 characters.
    pub fn encode(self, uuid: Uuid) -> String {
        match self {
            Format::Urn => hex::encode_urn(uuid),
            Format::Braces => hex::encode_braces(uuid),
            Format::Hex => hex::encode(uuid),
            Format::Base32 => base32::encode(uuid),
            Format::Base32hex => base32hex::encode(uuid),
            Format::Base58 => base58::encode(uuid),
            Format::Base64url => base64url::encode(uuid),
            Format::Decimal => decimal::encode(uuid),
            Format::Oid => decimal::encode_oid(uuid),
        }
    }

    /// The UUID of a text, which may be any bytes. An error is [`Error::TextSyntax`] or [`Error::TextOverflow`].
    pub fn decode(self, text: &[u8]) -> Result<Uuid, Error> {
        let decoded = match self {
            Format::Urn => hex::decode_urn(text),
            Format::Braces => hex::decode_braces(text),
            Format::Hex => hex::decode(text),
            Format::Base32 => base32::decode(text),
            Format::Base32hex => base32hex::decode(text),
            Format::Base58 => base58::decode(text),
            Format::Base64url => base64url::decode(text),
            Format::Decimal => decimal::decode(text),
            Format::Oid => decimal::decode_oid(text),
        };
        decoded.map_err(|refusal| match refusal {
            Refusal::Syntax => Error::TextSyntax { format: self },
            Refusal::Overflow => Error::TextOverflow { format: self },
        })
    }
}

/// Of a name in upper or lower case, as PostgreSQL's `encode` takes its names.
impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Format, Error> {
        let found = Format::ALL.into_iter().find(|format| format.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| Error::UnknownName { kind: "UUID format", name: name.to_owned(), known: &Format::NAMES })
    }
}

/// What [`digit_values`] holds for a byte that is no digit.
const NO_DIGIT: u8 = u8::MAX;

/// The digit that each byte stands for in an alphabet.
const fn digit_values(alphabet: &[u8]) -> [u8; 256] {
    let mut values = [NO_DIGIT; 256];
    let mut digit = 0;
    while digit < alphabet.len() {
        // No alphabet here has more than 58 digits.
        #[allow(clippy::cast_possible_truncation)]
        {
            values[alphabet[digit] as usize] = digit as u8;
        }
        digit += 1;
    }
    values
}

//! Text forms of UUIDs.
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
//! Text order is the order of bytes, as in PostgreSQL's collation "C".
//!
//! Each UUID has one text in each format. A decoder accepts that text and its aliases, such as hexadecimal text in upper case, but
//! no other text: no white space, no sign, no missing digit, no number of more than 128 bits.

pub(crate) mod encoding;
pub(crate) mod number;
pub mod typeid;

use core::fmt;
use core::str::FromStr;

use arrayvec::ArrayVec;

use crate::named::named;
use crate::{DecodeError, Uuid};
use encoding::{Encoding, Width};
use number::Number;

/// The maximum number of characters in the text of a UUID or of another system's ID.
pub const LONGEST: usize = 45;

named! {
    /// A text form.
    ///
    /// ```
    /// use rfc9562::Uuid;
    /// use rfc9562::text::Format;
    ///
    /// let format: Format = "base58".parse()?;
    /// let text = format.encode(Uuid::MAX);
    /// assert_eq!(&*text, b"YcVfxkQb6JRzqk5kF2tNLv");
    /// assert_eq!(format.decode(&text), Ok(Uuid::MAX));
    /// # Ok::<(), rfc9562::Error>(())
    /// ```
    pub enum Format, "UUID format";

    const fn form -> &'static Form {
        /// The form of RFC 9562, section 4, as a URN: with the prefix `urn:uuid:`, in either case (RFC 8141, section 3.1).
        Urn = "urn" => &Form {
            encodings: &[Encoding { before: "urn:uuid:", folds_before: true, ..HYPHENATED }],
            rule: "\"urn:uuid:\" and 32 hexadecimal digits, with hyphens as in 8-4-4-4-12",
        },
        /// The form of RFC 9562, section 4, in curly braces, as in Microsoft's tools.
        Braces = "braces" => &Form {
            encodings: &[Encoding { before: "{", after: "}", ..HYPHENATED }],
            rule: "32 hexadecimal digits, with hyphens as in 8-4-4-4-12, in curly braces",
        },
        /// 32 hexadecimal digits in lower case. Alias: upper case.
        Hex = "hex" => &Form {
            encodings: &[Encoding::new(&encoding::HEX, Width::Fixed(32))],
            rule: "32 hexadecimal digits without hyphens",
        },
        /// 26 digits of Crockford's base 32: the text of a ULID, which has no hyphens and no check symbols. Aliases: lower case,
        /// `I` and `L` for `1`, `O` for `0`.
        Base32 = "base32" => &Form {
            encodings: &[Encoding::new(&encoding::CROCKFORD_ALIASES, Width::Fixed(26))],
            rule: "26 digits of Crockford's base 32, which has no U",
        },
        /// RFC 4648, section 7, with padding, as in PostgreSQL 19's `encode(..., 'base32hex')`. Aliases: lower case; no padding.
        Base32hex = "base32hex" => &Form {
            encodings: &[Encoding { after: "======", ..BASE32HEX_NOPAD }, BASE32HEX_NOPAD],
            rule: "26 digits from 0 to 9 and A to V, optionally followed by \"======\"",
        },
        /// 22 digits of base 58 in Bitcoin's alphabet.
        ///
        /// Some encoders write no leading `1`, or one for each leading zero byte. Their texts represent the same numbers and can be
        /// read after being padded to 22 digits with leading `1`s.
        Base58 = "base58" => &Form {
            encodings: &[Encoding::new(&encoding::BASE58, Width::Fixed(22))],
            rule: "22 digits of Bitcoin's base 58, which has no 0, I, O or l, with leading 1s if the number is shorter",
        },
        /// RFC 4648, section 5, without padding.
        Base64url = "base64url" => &Form {
            encodings: &[Encoding { unused_bits: 4, ..Encoding::new(&encoding::BASE64URL, Width::Fixed(22)) }],
            rule: "22 digits of base 64 as in URLs, with - and _, without padding",
        },
        /// The 128 bits as one number (RFC 9562, section 4).
        Decimal = "decimal" => &Form { encodings: &[NUMBER], rule: "a number without a sign or leading zeros" },
        /// The object identifier below 2.25 (ITU-T X.667, sections 7 and 8).
        Oid = "oid" => &Form {
            encodings: &[Encoding { before: "2.25.", ..NUMBER }],
            rule: "\"2.25.\" and a number without leading zeros",
        },
    }
}

struct Form {
    /// Texts are written in the first encoding and read in any.
    encodings: &'static [Encoding],
    /// The end of "A text in this format is ..." in error messages.
    rule: &'static str,
}

/// The form of RFC 9562, section 4, with digits in either case.
pub(crate) const HYPHENATED: Encoding =
    Encoding { hyphens: 0b0011_1100, ..Encoding::new(&encoding::HEX, Width::Fixed(32)) };

const BASE32HEX_NOPAD: Encoding = Encoding { unused_bits: 2, ..Encoding::new(&encoding::BASE32HEX, Width::Fixed(26)) };

/// A decimal number. X.667 forbids leading zeros, both in the number alone and in an object identifier.
pub(crate) const NUMBER: Encoding = Encoding::new(&encoding::DECIMAL, Width::Unpadded(1, usize::MAX));

impl Format {
    /// Returns a description of valid texts, to complete "A text in this format is ...".
    pub const fn rule(self) -> &'static str {
        self.form().rule
    }

    /// Returns the text of the UUID in this format, in ASCII.
    pub fn encode(self, uuid: Uuid) -> ArrayVec<u8, LONGEST> {
        let mut text = ArrayVec::new();
        self.form().encodings[0].encode(Number::from(uuid.to_u128()), &mut text);
        text
    }

    /// Decodes text, which need not be UTF-8.
    pub fn decode(self, text: &[u8]) -> Result<Uuid, DecodeError> {
        decode_any(self.form().encodings, text).and_then(uuid)
    }
}

/// Decodes text by the first encoding whose syntax it matches.
pub(crate) fn decode_any(encodings: &[Encoding], text: &[u8]) -> Result<Number, DecodeError> {
    for encoding in encodings {
        match encoding.decode(text) {
            Err(DecodeError::Syntax) => (),
            decoded => return decoded,
        }
    }
    Err(DecodeError::Syntax)
}

fn uuid(number: Number) -> Result<Uuid, DecodeError> {
    if number.high == 0 { Ok(Uuid::from_u128(number.low)) } else { Err(DecodeError::Overflow) }
}

/// Reads only the text form of RFC 9562, section 4: 8-4-4-4-12 hexadecimal digits in upper, lower or mixed case. [`Format`] reads
/// the other forms.
impl FromStr for Uuid {
    type Err = DecodeError;

    fn from_str(text: &str) -> Result<Uuid, DecodeError> {
        HYPHENATED.decode(text.as_bytes()).and_then(uuid)
    }
}

/// Writes the text form of RFC 9562, section 4: 8-4-4-4-12 hexadecimal digits in lower case.
impl fmt::Display for Uuid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = ArrayVec::<u8, 36>::new();
        HYPHENATED.encode(Number::from(self.to_u128()), &mut text);
        f.write_str(str::from_utf8(&text).unwrap_or_default())
    }
}

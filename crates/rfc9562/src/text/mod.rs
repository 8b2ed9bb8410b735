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
//! Text order is the order of bytes, as in PostgreSQL's collation "C".
//!
//! Each UUID has one text in each format. A decoder accepts that text and the aliases that its file names, and nothing
//! else: no white space, no sign, no missing digit, no number of more than 128 bits.

pub(crate) mod alphabet;
mod base32;
mod base32hex;
mod base58;
mod base64url;
mod decimal;
mod hex;
pub mod typeid;

use crate::named::named;
use crate::{DecodeError, Uuid};

named! {
    /// A text form.
    ///
    /// ```
    /// use rfc9562::Uuid;
    /// use rfc9562::text::Format;
    ///
    /// let format: Format = "base58".parse()?;
    /// let text = format.encode(Uuid::MAX);
    /// assert_eq!(text, "YcVfxkQb6JRzqk5kF2tNLv");
    /// assert_eq!(format.decode(text.as_bytes()), Ok(Uuid::MAX));
    /// # Ok::<(), rfc9562::Error>(())
    /// ```
    pub enum Format, "UUID format", "rfc9562::text::Format" {
        /// `urn:uuid:` and the form of RFC 9562, section 4 (there: "UUID URN").
        Urn = "urn",
        /// The form of RFC 9562, section 4, in curly braces, as Microsoft's tools write it.
        Braces = "braces",
        /// 32 hexadecimal digits in lower case.
        Hex = "hex",
        /// 26 digits of Crockford's base 32: the text of a ULID.
        Base32 = "base32",
        /// RFC 4648, section 7, with padding: what PostgreSQL 19's `encode(..., 'base32hex')` gives.
        Base32hex = "base32hex",
        /// 22 digits of base 58 in Bitcoin's alphabet.
        Base58 = "base58",
        /// RFC 4648, section 5, without padding.
        Base64url = "base64url",
        /// The 128 bits as one number.
        Decimal = "decimal",
        /// The object identifier below 2.25 (ITU-T X.667, section 8).
        Oid = "oid",
    }
}

/// How a format works.
struct Form {
    keeps_order: bool,
    encode: fn(Uuid) -> String,
    decode: fn(&[u8]) -> Result<Uuid, DecodeError>,
}

impl Format {
    const fn form(self) -> Form {
        match self {
            Format::Urn => Form { keeps_order: true, encode: hex::encode_urn, decode: hex::decode_urn },
            Format::Braces => Form { keeps_order: true, encode: hex::encode_braces, decode: hex::decode_braces },
            Format::Hex => Form { keeps_order: true, encode: hex::encode, decode: hex::decode },
            Format::Base32 => Form { keeps_order: true, encode: base32::encode, decode: base32::decode },
            Format::Base32hex => Form { keeps_order: true, encode: base32hex::encode, decode: base32hex::decode },
            Format::Base58 => Form { keeps_order: true, encode: base58::encode, decode: base58::decode },
            Format::Base64url => Form { keeps_order: false, encode: base64url::encode, decode: base64url::decode },
            Format::Decimal => Form { keeps_order: false, encode: decimal::encode, decode: decimal::decode },
            Format::Oid => Form { keeps_order: false, encode: decimal::encode_oid, decode: decimal::decode_oid },
        }
    }

    /// Whether texts compare byte by byte as their UUIDs do.
    ///
    /// ```
    /// use rfc9562::text::Format;
    ///
    /// assert!(Format::Base32.keeps_order());
    /// assert!(!Format::Base64url.keeps_order());
    /// ```
    pub const fn keeps_order(self) -> bool {
        self.form().keeps_order
    }

    /// The one text of the UUID in this format: ASCII, at most 45 characters.
    ///
    /// ```
    /// use rfc9562::Uuid;
    /// use rfc9562::text::Format;
    ///
    /// let uuid: Uuid = "01890a5d-ac96-774b-bcce-b302099a8057".parse()?;
    /// assert_eq!(Format::Base32.encode(uuid), "01H455VB4PEX5VSKNK084SN02Q");
    /// # Ok::<(), rfc9562::DecodeError>(())
    /// ```
    pub fn encode(self, uuid: Uuid) -> String {
        (self.form().encode)(uuid)
    }

    /// The UUID of a text, which may be any bytes.
    ///
    /// ```
    /// use rfc9562::DecodeError;
    /// use rfc9562::text::Format;
    ///
    /// let uuid = Format::Base32.decode(b"01H455VB4PEX5VSKNK084SN02Q")?;
    /// assert_eq!(uuid.to_string(), "01890a5d-ac96-774b-bcce-b302099a8057");
    /// assert_eq!(Format::Base32.decode(b"01H455VB4PEX5VSKNK084SN02"), Err(DecodeError::Syntax));
    /// # Ok::<(), DecodeError>(())
    /// ```
    pub fn decode(self, text: &[u8]) -> Result<Uuid, DecodeError> {
        (self.form().decode)(text)
    }
}

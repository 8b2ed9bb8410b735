//! TypeIDs (<https://github.com/jetify-com/typeid>, specification 0.3.0): a UUID prefixed with the name of its type.
//!
//! ```text
//! user_01h455vb4pex5vsknk084sn02q
//! ---- --------------------------
//! prefix         suffix
//! ```
//!
//! - prefix: up to 63 letters `a` to `z` and underscores, beginning and ending with a letter. If the prefix is empty, there is
//!   no separator
//! - separator: the last underscore
//! - suffix: the 128 bits as 26 digits of Crockford's base 32 in lower case, the first of which is at most 7. There are no aliases:
//!   neither upper case, nor `o` for `0`, nor hyphens
//!
//! Any UUID can be a suffix. TypeIDs with the same prefix, compared byte by byte, are in the order of their UUIDs.

use arrayvec::ArrayVec;

use super::encoding::{CROCKFORD_LOWER, Encoding, Width, append};
use super::number::Number;
use crate::{DecodeError, Uuid};

/// A violated rule of the specification, as a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Rule(&'static str);

const LONGEST_PREFIX: usize = 63;
const SUFFIX_LENGTH: usize = 26;
/// The maximum number of characters in a TypeID.
pub const LONGEST: usize = LONGEST_PREFIX + 1 + SUFFIX_LENGTH;

static SUFFIX: Encoding = Encoding::new(&CROCKFORD_LOWER, Width::Fixed(SUFFIX_LENGTH));

/// Encodes a prefix, which may be empty, and a UUID as a TypeID, in ASCII.
///
/// ```
/// use rfc9562::text::typeid;
///
/// let uuid = "01890a5d-ac96-774b-bcce-b302099a8057".parse().unwrap();
/// assert_eq!(&*typeid::encode(b"user", uuid)?, b"user_01h455vb4pex5vsknk084sn02q");
/// assert_eq!(&*typeid::encode(b"", uuid)?, b"01h455vb4pex5vsknk084sn02q");
/// assert_eq!(typeid::decode(b"user_01h455vb4pex5vsknk084sn02q")?, ("user", uuid));
/// # Ok::<(), typeid::Rule>(())
/// ```
pub fn encode(prefix: &[u8], uuid: Uuid) -> Result<ArrayVec<u8, LONGEST>, Rule> {
    let prefix = check_prefix(prefix)?;
    let mut text = ArrayVec::new();
    if !prefix.is_empty() {
        append(&mut text, prefix.as_bytes());
        append(&mut text, b"_");
    }
    SUFFIX.encode(Number::from(uuid.to_u128()), &mut text);
    Ok(text)
}

/// Decodes a TypeID into its prefix and its UUID. The text need not be UTF-8.
pub fn decode(text: &[u8]) -> Result<(&str, Uuid), Rule> {
    let (prefix, suffix) = match text.iter().rposition(|byte| *byte == b'_') {
        Some(0) => return Err(Rule("A TypeID without a prefix has no underscore.")),
        Some(underscore) => (&text[..underscore], &text[underscore + 1..]),
        None => (&[][..], text),
    };
    let prefix = check_prefix(prefix)?;
    if suffix.len() != SUFFIX_LENGTH {
        // A UUID in place of a TypeID is a frequent mistake.
        return Err(match str::from_utf8(text).is_ok_and(|text| text.parse::<Uuid>().is_ok()) {
            true => Rule("This is a UUID, not a TypeID."),
            false if prefix.is_empty() => {
                Rule("A TypeID is a prefix, an underscore, and a suffix of 26 characters, or that suffix alone.")
            }
            false => Rule("A suffix has 26 characters."),
        });
    }
    match SUFFIX.decode(suffix) {
        Ok(Number { high: 0, low }) => Ok((prefix, Uuid::from_u128(low))),
        Err(DecodeError::Syntax) => {
            Err(Rule("A suffix contains only the digits 0 to 9 and the letters a to z except i, l, o and u."))
        }
        _ => Err(Rule("A suffix begins with a digit from 0 to 7.")),
    }
}

/// Returns the prefix as text, or the rule that it violates.
pub fn check_prefix(prefix: &[u8]) -> Result<&str, Rule> {
    if prefix.len() > LONGEST_PREFIX {
        return Err(Rule("A prefix has at most 63 characters."));
    }
    let prefix = str::from_utf8(prefix)
        .ok()
        .filter(|prefix| prefix.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'_')))
        .ok_or(Rule("A prefix contains only the letters a to z and underscores."))?;
    if prefix.starts_with('_') || prefix.ends_with('_') {
        return Err(Rule("A prefix neither begins nor ends with an underscore."));
    }
    Ok(prefix)
}

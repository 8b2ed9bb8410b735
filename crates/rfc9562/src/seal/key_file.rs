//! Key files: the current key, with which UUIDs are sealed, and older keys for unsealing, each with an ID.
//!
//! ```text
//! # since 2027
//! 2 603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4
//! # 2026
//! 1 2b7e151628aed2a6abf7158809cf4f3cef4359d8d580aa4f7f036d6f04fc6a94
//! ```
//!
//! A line consists of an ID from 0 to 2147483647, white space, and a key of 64 hexadecimal digits. Blank lines and lines that
//! begin with `#` are ignored. The first key is the current one.

use alloc::vec::Vec;

use data_encoding::HEXLOWER_PERMISSIVE;
use zeroize::Zeroizing;

use super::{KEY_LENGTH, Sealer};

/// The prepared keys of a key file.
///
/// ```
/// use rfc9562::seal::Keys;
///
/// let text = format!("2 {}\n1 {}\n", "b2".repeat(32), "b1".repeat(32));
/// let keys = Keys::parse(text.as_bytes())?;
/// assert!(keys.by_id(1).is_some() && keys.by_id(3).is_none());
/// # Ok::<(), rfc9562::seal::KeyFileError>(())
/// ```
#[derive(Debug)]
pub struct Keys {
    /// At least one.
    all: Vec<(i32, Sealer)>,
}

/// An error in a key file. It contains no part of the file's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyFileError {
    /// The line with this number, starting at 1, is invalid.
    #[error("Line {0} does not consist of an ID from 0 to {last} and {digits} hexadecimal digits.",
        last = i32::MAX, digits = 2 * KEY_LENGTH)]
    Malformed(usize),
    /// The line with this number repeats the ID of an earlier one.
    #[error("Line {0} repeats the ID of an earlier line.")]
    Repeated(usize),
    /// There is no key.
    #[error("The file contains no key.")]
    Empty,
    /// There is not enough memory for the keys.
    #[error("There is not enough memory for the keys.")]
    OutOfMemory,
}

impl Keys {
    /// Parses a key file, in ASCII or any encoding that extends it.
    pub fn parse(text: &[u8]) -> Result<Keys, KeyFileError> {
        let lines = (1..).zip(text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii));
        let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with(b"#"));
        // There is room for all keys from the start: reallocating the vector would leave copies of them in memory.
        let mut all: Vec<(i32, Sealer)> = Vec::new();
        all.try_reserve_exact(lines.clone().count()).map_err(|_| KeyFileError::OutOfMemory)?;
        for (number, line) in lines {
            let (id, sealer) = entry(line).ok_or(KeyFileError::Malformed(number))?;
            if all.iter().any(|(other, _)| *other == id) {
                return Err(KeyFileError::Repeated(number));
            }
            all.push((id, sealer));
        }
        if all.is_empty() { Err(KeyFileError::Empty) } else { Ok(Keys { all }) }
    }

    /// Returns the current key, with which UUIDs are sealed.
    pub fn current(&self) -> &Sealer {
        &self.all[0].1
    }

    /// Returns the key with the given ID.
    pub fn by_id(&self, id: i32) -> Option<&Sealer> {
        self.all.iter().find(|(other, _)| *other == id).map(|(_, sealer)| sealer)
    }
}

fn entry(line: &[u8]) -> Option<(i32, Sealer)> {
    let end = line.iter().position(u8::is_ascii_whitespace)?;
    let (id, digits) = (&line[..end], line[end..].trim_ascii_start());
    if !id.iter().all(u8::is_ascii_digit) || digits.len() != 2 * KEY_LENGTH {
        return None;
    }
    let mut key = Zeroizing::new([0; KEY_LENGTH]);
    HEXLOWER_PERMISSIVE.decode_mut(digits, &mut *key).ok()?;
    Some((str::from_utf8(id).ok()?.parse().ok()?, Sealer::new(&*key).ok()?))
}

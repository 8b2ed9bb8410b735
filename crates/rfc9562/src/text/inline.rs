//! Text without heap allocation.

use core::fmt;
use core::ops::Deref;

/// ASCII text of at most `N` bytes, stored inline.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct InlineText<const N: usize> {
    /// The text, followed by zeros, so that comparing the whole array compares the texts.
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> InlineText<N> {
    /// Returns the text as bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Appends `length` bytes for the caller to fill with ASCII. Returns an empty slice if there is no room for them.
    pub(crate) fn room(&mut self, length: usize) -> &mut [u8] {
        let room = self.bytes.get_mut(self.length..self.length + length).unwrap_or_default();
        self.length += room.len();
        room
    }

    /// Appends the bytes if there is room for them and they are ASCII. Returns whether they were appended.
    pub(crate) fn push(&mut self, ascii: &[u8]) -> bool {
        let room = self.bytes.get_mut(self.length..self.length + ascii.len()).filter(|_| ascii.is_ascii());
        match room {
            Some(room) => {
                room.copy_from_slice(ascii);
                self.length += ascii.len();
                true
            }
            None => false,
        }
    }
}

impl<const N: usize> Default for InlineText<N> {
    fn default() -> InlineText<N> {
        InlineText { bytes: [0; N], length: 0 }
    }
}

impl<const N: usize> Deref for InlineText<N> {
    type Target = str;

    fn deref(&self) -> &str {
        // Only ASCII was appended.
        str::from_utf8(self.as_bytes()).unwrap_or_default()
    }
}

impl<const N: usize> fmt::Write for InlineText<N> {
    /// Appends the text. Returns an error and appends nothing if there is no room for the whole text or if it is not ASCII.
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.push(text.as_bytes()) { Ok(()) } else { Err(fmt::Error) }
    }
}

impl<const N: usize> fmt::Display for InlineText<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self)
    }
}

impl<const N: usize> fmt::Debug for InlineText<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl<const N: usize> PartialEq<&str> for InlineText<N> {
    fn eq(&self, other: &&str) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

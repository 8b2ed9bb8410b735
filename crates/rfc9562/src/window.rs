//! Windows of time, as ranges of UUIDs.
//!
//! An instant is a point between two UUIDs and equals neither. It lies immediately before the first version 7 UUID that is not
//! earlier ([`v7::lower_bound`]), so a version 7 UUID's [time](crate::time::extract) sets its position. Any other UUID's
//! bytes determine its position among the version 7 UUIDs. So every instant divides the 2^128 UUIDs into two sets that are
//! contiguous in the order of bytes and hence in an index:
//!
//! ```text
//!  Nil UUID                 lower_bound(t)                                        Max UUID
//!  |------ before(t) ------|---------------------------- since(t) ---------------------|
//!  |---------------- until(t) ---------------|------------------ after(t) -------------|
//!                                            lower_bound(t + 1 microsecond)
//! ```
//!
//! "Until t" means "before the next instant", and "after t" means "since the next instant". Instants are whole microseconds, as
//! in PostgreSQL.

use crate::instant::UnixMicros;
use crate::{Uuid, v7};

/// A possibly empty range of UUIDs in the order of bytes.
///
/// ```
/// use rfc9562::time::UnixMicros;
/// use rfc9562::v7;
/// use rfc9562::window::Window;
///
/// let t = UnixMicros(1_645_557_742_000_000);
/// let made = v7::floor(t)?;
/// assert!(Window::since(t).contains(made) && !Window::before(t).contains(made));
/// # Ok::<(), rfc9562::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    first: u128,
    last: u128,
}

impl Window {
    /// Every UUID.
    pub const ALL: Window = Window { first: u128::MIN, last: u128::MAX };
    /// No UUID: `first` is greater than `last`.
    pub const EMPTY: Window = Window { first: u128::MAX, last: u128::MIN };

    /// Returns the UUIDs earlier than an instant.
    #[inline]
    pub const fn before(time: UnixMicros) -> Window {
        match v7::lower_bound(time).to_u128().checked_sub(1) {
            Some(last) => Window { first: u128::MIN, last },
            None => Window::EMPTY,
        }
    }

    /// Returns the UUIDs not later than an instant: those before the next microsecond.
    #[inline]
    pub const fn until(time: UnixMicros) -> Window {
        Window::before(next(time))
    }

    /// Returns the UUIDs not earlier than an instant.
    #[inline]
    pub const fn since(time: UnixMicros) -> Window {
        Window { first: v7::lower_bound(time).to_u128(), last: u128::MAX }
    }

    /// Returns the UUIDs later than an instant: those since the next microsecond.
    #[inline]
    pub const fn after(time: UnixMicros) -> Window {
        Window::since(next(time))
    }

    /// Returns the UUIDs whose text has the given prefix. The text is the hyphenated form in lower case, as in PostgreSQL.
    ///
    /// ```
    /// use rfc9562::window::Window;
    ///
    /// let window = Window::from_text_prefix(b"019e372a-7");
    /// assert_eq!(window.first().to_string(), "019e372a-7000-0000-0000-000000000000");
    /// assert_eq!(window.last().to_string(), "019e372a-7fff-ffff-ffff-ffffffffffff");
    /// assert!(Window::from_text_prefix(b"019E").is_empty());
    /// ```
    pub fn from_text_prefix(prefix: &[u8]) -> Window {
        let (mut first, mut bits) = (0_u128, 0);
        for (at, byte) in prefix.iter().enumerate() {
            let digit = match (at, byte) {
                (8 | 13 | 18 | 23, b'-') => continue,
                (8 | 13 | 18 | 23 | 36.., _) => return Window::EMPTY,
                (_, b'0'..=b'9') => byte - b'0',
                (_, b'a'..=b'f') => byte - b'a' + 10,
                _ => return Window::EMPTY,
            };
            bits += 4;
            first |= u128::from(digit) << (128 - bits);
        }
        Window { first, last: first | u128::MAX.checked_shr(bits).unwrap_or(0) }
    }

    /// Returns the UUIDs in both windows.
    pub fn intersection(self, other: Window) -> Window {
        let (first, last) = (self.first.max(other.first), self.last.min(other.last));
        if first <= last { Window { first, last } } else { Window::EMPTY }
    }

    /// Whether the window contains a UUID.
    #[inline]
    pub const fn contains(self, uuid: Uuid) -> bool {
        let number = uuid.to_u128();
        self.first <= number && number <= self.last
    }

    /// Whether the window contains no UUID.
    pub const fn is_empty(self) -> bool {
        self.first > self.last
    }

    /// Returns the smallest UUID, or the Max UUID if the window is empty.
    pub const fn first(self) -> Uuid {
        Uuid::from_u128(self.first)
    }

    /// Returns the largest UUID, or the Nil UUID if the window is empty.
    pub const fn last(self) -> Uuid {
        Uuid::from_u128(self.last)
    }
}

/// Returns the next microsecond, or the given one if it is the last.
const fn next(time: UnixMicros) -> UnixMicros {
    UnixMicros(time.0.saturating_add(1))
}

//! Instants and the two timestamp fields of RFC 9562, section 6.1: Gregorian (versions 1 and 6) and Unix (version 7).
//!
//! All arithmetic is on integers, and leap seconds are excluded, as in POSIX time and PostgreSQL.

pub use crate::instant::UnixMicros;
use crate::named::named;
use crate::{Uuid, gregorian, v1, v6, v7, v7_draft_02};

/// Returns the time inside a UUID, to the microsecond for versions 1 and 6 and to the millisecond for version 7, or `None` for any
/// other version. The 100 ns ticks of versions 1 and 6 are truncated to microseconds.
///
/// ```
/// use rfc9562::Uuid;
/// use rfc9562::time::{self, UnixMicros};
///
/// let uuid: Uuid = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f".parse()?;
/// assert_eq!(time::extract(uuid), Some(UnixMicros(1_645_557_742_000_000)));
/// assert_eq!(time::extract_us(uuid), Some(UnixMicros(1_645_557_742_000_797)));
/// assert_eq!(time::extract(Uuid::NIL), None);
/// # Ok::<(), rfc9562::DecodeError>(())
/// ```
pub const fn extract(uuid: Uuid) -> Option<UnixMicros> {
    match uuid.version() {
        Some(1) => Some(gregorian::time_from_tick(v1::tick(uuid))),
        Some(6) => Some(gregorian::time_from_tick(v6::tick(uuid))),
        Some(7) => Some(v7::time(uuid)),
        _ => None,
    }
}

/// Returns the time like [`extract`], but reads the 12 bits after the version field of a version 7 UUID as a binary fraction of
/// its millisecond (RFC 9562, section 6.2, method 3), to the microsecond; see [`v7::time_us`](crate::v7::time_us).
///
/// A UUID does not show whether its generator stored a fraction there. This crate and PostgreSQL 18 store one.
pub const fn extract_us(uuid: Uuid) -> Option<UnixMicros> {
    match uuid.version() {
        Some(7) => Some(v7::time_us(uuid)),
        _ => extract(uuid),
    }
}

named! {
    /// A layout that version 7 has or had.
    pub enum V7Layout, "layout";

    const fn time -> fn(Uuid) -> UnixMicros {
        /// The layout of RFC 9562 and of all drafts since draft-peabody-dispatch-new-uuid-format-03: milliseconds.
        Rfc9562 = "rfc9562" => v7::time,
        /// The layout of draft-peabody-dispatch-new-uuid-format-02: seconds and a binary fraction.
        Draft02 = "draft-02" => v7_draft_02::time,
    }
}

/// Returns the time like [`extract`], but reads a version 7 UUID in the given layout (in draft-02, to the microsecond).
pub fn extract_as(uuid: Uuid, layout: V7Layout) -> Option<UnixMicros> {
    match uuid.version() {
        Some(7) => Some(layout.time()(uuid)),
        _ => extract(uuid),
    }
}

//! The order of UUIDs by the time inside them.
//!
//! The order is that of the pair ([`time::extract`], bytes): UUIDs without a time come first, and the others are ordered by time
//! and, at equal times, by bytes. This is a total order in which UUIDs are equal only if their bytes are.
//!
//! The time is that of [`time::extract`]: the microsecond for versions 1 and 6, and the first microsecond of the millisecond for
//! version 7. So ten ticks of version 1 or 6 share a time, and a version 7 UUID precedes those of versions 1 and 6 in the other 999
//! microseconds of its millisecond.
//!
//! Within a version other than 1, the order is that of the bytes: versions 6 and 7 begin with the time, and the others have none.

use core::cmp::Ordering;

use crate::instant::UnixMicros;
use crate::text::number::low_half;
use crate::{Uuid, gregorian, time, v7};

/// The last UUID in the order: the greatest version 7 UUID.
pub const LAST: Uuid = v7::from_parts(v7::MAX_TICK, u64::MAX);

/// Compares two UUIDs in the order of time.
///
/// ```
/// use rfc9562::{Uuid, time_order};
///
/// let of_2004: Uuid = "58e0a7d7-eebc-11d8-9669-0800200c9a66".parse()?;
/// let of_2022: Uuid = "017f22e2-79b0-7cc3-98c4-dc0c0c07398f".parse()?;
/// assert!(of_2004 > of_2022);
/// assert!(time_order::compare(of_2004, of_2022).is_lt());
/// # Ok::<(), rfc9562::DecodeError>(())
/// ```
#[inline]
pub fn compare(a: Uuid, b: Uuid) -> Ordering {
    match (a.version(), b.version()) {
        (Some(one), Some(other)) if one == other && one != 1 => a.cmp(&b),
        _ => time::extract(a).cmp(&time::extract(b)).then_with(|| a.cmp(&b)),
    }
}

/// The number of positions that [`abbreviate`] reserves for each millisecond: the largest with which all times of version 7 fit
/// into 63 bits. 17,385 are used.
const POSITIONS_PER_MILLI: u64 = 31_404;

/// The number of bits by which [`abbreviate`] distinguishes version 7 UUIDs of one millisecond: the 12 of `rand_a` and the first
/// 2 of `rand_b`.
const VERSION_7_BITS: u32 = 14;

const GREGORIAN_TO_UNIX_MILLIS: u64 = (gregorian::TO_UNIX_MICROS / 1_000).cast_unsigned();
const TIMED: u64 = 1 << 63;

/// Abbreviates a UUID to 64 bits. Of two UUIDs, the one with the smaller abbreviation comes first; if the abbreviations are equal,
/// the UUIDs themselves must be compared.
///
/// ```text
/// 0, first 63 bits of the UUID                                                            carries no time
/// 1, milliseconds since 1582-10-15 * 31404 + position within the millisecond (63 bits)    carries time
///
///    position   0              version 1 or 6 at the millisecond's first microsecond, sorting before version 7
///               1 ..= 16384    version 7, by `rand_a` and the first 2 bits of `rand_b`
///           16385              version 1 or 6 at the millisecond's first microsecond, sorting after version 7
///           16386 ..= 17384    version 1 or 6 at the other 999 microseconds
/// ```
///
/// A backend inserts at most about a thousand rows per millisecond, so most UUIDs have a tick of their own, and few abbreviations
/// are equal.
#[inline]
pub const fn abbreviate(uuid: Uuid) -> u64 {
    // The 63 bits suffice up to version 7's last millisecond. (The range of versions 1 and 6 ends earlier.)
    const {
        let last_milli = GREGORIAN_TO_UNIX_MILLIS + v7::MAX_MILLIS;
        assert!(last_milli < (TIMED - POSITIONS_PER_MILLI) / POSITIONS_PER_MILLI);
    }
    let (time, position) = match (uuid.version(), time::extract(uuid)) {
        (_, None) => return low_half(uuid.to_u128() >> 64) >> 1,
        (Some(7), Some(time)) => {
            let rand_a = v7::tick(uuid) & 0xfff;
            let rand_b_bits = VERSION_7_BITS - 12;
            (time, 1 + (rand_a << rand_b_bits | uuid.low() >> (62 - rand_b_bits)))
        }
        (_, Some(time)) => {
            let micro = since_1582(time) % 1_000;
            // Before 1970 there is no version 7 UUID, so any boundary preserves the order.
            let first_version_7 = v7::from_parts((time.0 / 1_000).cast_unsigned() << 12, 0);
            let before_version_7 = micro == 0 && uuid.to_u128() < first_version_7.to_u128();
            (time, if before_version_7 { 0 } else { 1 + (1 << VERSION_7_BITS) + micro })
        }
    };
    TIMED | (since_1582(time) / 1_000 * POSITIONS_PER_MILLI + position)
}

/// Returns the microseconds since 1582-10-15, the earliest time that a UUID can contain.
const fn since_1582(time: UnixMicros) -> u64 {
    // Cannot overflow: the last time, which is of version 7, is less than 2^48 ms after 1970, and both summands have fewer than
    // 60 bits.
    (time.0 + gregorian::TO_UNIX_MICROS).cast_unsigned()
}

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

/// The number of places that [`abbreviate`] reserves for each millisecond.
const PLACES_PER_MILLI: u64 = 31_404;

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
/// 1, milliseconds since 1582-10-15 * 31404 + place within the millisecond (63 bits)       carries time
///
///    place      0              version 1 or 6 at the millisecond's first microsecond, sorting before version 7
///               1 ..= 16384    version 7, by `rand_a` and the first 2 bits of `rand_b`
///           16385              version 1 or 6 at the millisecond's first microsecond, sorting after version 7
///           16386 ..= 17384    version 1 or 6 at the other 999 microseconds
/// ```
///
/// A backend generates at most a few thousand UUIDs per millisecond, so few abbreviations are equal.
///
/// ```
/// use rfc9562::time_order::abbreviate;
/// use rfc9562::{Uuid, v7};
///
/// assert!(abbreviate(Uuid::MAX) < abbreviate(v7::from_parts(0, 0)));
/// assert!(abbreviate(v7::from_parts(1, 0)) < abbreviate(v7::from_parts(2, 0)));
/// ```
#[inline]
pub const fn abbreviate(uuid: Uuid) -> u64 {
    // The 63 bits suffice up to version 7's last millisecond. (The range of versions 1 and 6 ends earlier.)
    const {
        let last_milli = GREGORIAN_TO_UNIX_MILLIS + v7::MAX_MILLIS;
        assert!(last_milli < (TIMED - PLACES_PER_MILLI) / PLACES_PER_MILLI);
    }
    let (time, place) = match (uuid.version(), time::extract(uuid)) {
        (_, None) => return leading_bytes(uuid) >> 1,
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
    TIMED | (since_1582(time) / 1_000 * PLACES_PER_MILLI + place)
}

/// Returns the microseconds since 1582-10-15, the earliest time that a UUID can contain.
const fn since_1582(time: UnixMicros) -> u64 {
    // Cannot overflow: the last time, which is of version 7, is less than 2^48 ms after 1970, and both summands have fewer than
    // 60 bits.
    (time.0 + gregorian::TO_UNIX_MICROS).cast_unsigned()
}

#[allow(clippy::cast_possible_truncation)]
const fn leading_bytes(uuid: Uuid) -> u64 {
    (uuid.to_u128() >> 64) as u64
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use proptest::prelude::*;

    use super::*;
    use crate::{v1, v6};

    /// The last millisecond of versions 1 and 6, counted from 1582-10-15.
    const LAST_GREGORIAN_MILLI: u64 = v6::MAX_TICK / 10_000;

    /// Compares by the definition of the order.
    fn oracle(a: Uuid, b: Uuid) -> Ordering {
        (time::extract(a), a).cmp(&(time::extract(b), b))
    }

    /// Generates UUIDs of all versions and variants, many of them close to one another or to an end of their version's range.
    fn any_uuid() -> impl Strategy<Value = Uuid> {
        let gregorian_1970 = gregorian::TO_UNIX_MICROS.cast_unsigned() * 10;
        let tick = prop_oneof![
            any::<u64>(),
            0..40_u64,
            v6::MAX_TICK - 40..=v6::MAX_TICK,
            // Around 1970 and around the beginning of a millisecond of 2026.
            gregorian_1970 - 40..gregorian_1970 + 40,
            (gregorian_1970 + 17_700_000_000_000_000 - 40)..(gregorian_1970 + 17_700_000_000_000_000 + 40),
        ];
        let fraction = prop_oneof![Just(0), Just(0xfff), 0..0x1000_u64];
        let milli = prop_oneof![
            any::<u64>(),
            0..3_u64,
            1_769_999_999_999..1_770_000_000_002_u64,
            (LAST_GREGORIAN_MILLI - GREGORIAN_TO_UNIX_MILLIS - 1)
                ..(LAST_GREGORIAN_MILLI - GREGORIAN_TO_UNIX_MILLIS + 3),
            v7::MAX_MILLIS - 2..=v7::MAX_MILLIS,
        ];
        let low = prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), 0..3_u64, Just(1 << 60)];
        prop_oneof![
            any::<u128>().prop_map(Uuid::from_u128),
            prop_oneof![Just(Uuid::NIL), Just(Uuid::MAX), Just(LAST)],
            (tick.clone(), low.clone()).prop_map(|(tick, low)| v1::from_parts(tick, low)),
            (tick, low.clone()).prop_map(|(tick, low)| v6::from_parts(tick, low)),
            (milli, fraction, low.clone())
                .prop_map(|(milli, fraction, low)| v7::from_parts(milli << 12 | fraction, low)),
            (any::<u8>(), 0..16_u128, 0..4_u128, low).prop_map(|(first, version, variant, low)| {
                let low = u128::from(low >> 2);
                Uuid::from_u128(u128::from(first) << 120 | version << 76 | variant << 62 | low)
            }),
        ]
    }

    fn pair() -> impl Strategy<Value = (Uuid, Uuid)> {
        prop_oneof![
            (any_uuid(), any_uuid()),
            (any_uuid(), -3..=3_i128).prop_map(|(uuid, step)| {
                (uuid, Uuid::from_u128(uuid.to_u128().wrapping_add(step.cast_unsigned())))
            }),
            in_one_millisecond(),
        ]
    }

    /// Generates two UUIDs of version 1, 6 or 7 in the same or adjacent milliseconds. In half of the cases, a version 1 UUID's
    /// bytes usually sort before a version 7 UUID's.
    fn in_one_millisecond() -> impl Strategy<Value = (Uuid, Uuid)> {
        // At the beginning of these milliseconds, the low 32 bits of the tick, a version 1 UUID's first bytes, have just wrapped.
        let small_time_low = (0..v6::MAX_TICK >> 32).prop_map(|high| (high << 32).div_ceil(10_000));
        let milli = prop_oneof![small_time_low, 0..=LAST_GREGORIAN_MILLI];
        let micro = prop_oneof![4 => Just(0), 1 => 0..3_u64, 1 => 997..1_003_u64];
        let finer = prop_oneof![Just(0), Just(0xfff), 0..0x1000_u64];
        let low = prop_oneof![any::<u64>(), Just(0), Just(u64::MAX)];
        let one = (prop::sample::select(&[1, 6, 7]), micro, finer, low);
        (milli, prop::array::uniform2(one)).prop_map(|(milli, two)| {
            let [a, b] = two.map(|(version, micro, finer, low)| {
                let micro = milli * 1_000 + micro;
                let tick = (micro * 10 + finer % 10).min(v6::MAX_TICK);
                match version {
                    1 => v1::from_parts(tick, low),
                    6 => v6::from_parts(tick, low),
                    _ => v7::from_parts((micro / 1_000).saturating_sub(GREGORIAN_TO_UNIX_MILLIS) << 12 | finer, low),
                }
            });
            (a, b)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4_000))]

        #[test]
        fn is_the_order_of_time_then_bytes((a, b) in pair()) {
            prop_assert_eq!(compare(a, b), oracle(a, b));
        }

        #[test]
        fn abbreviations_never_contradict((a, b) in pair()) {
            match abbreviate(a).cmp(&abbreviate(b)) {
                Ordering::Equal => {}
                unequal => prop_assert_eq!(unequal, oracle(a, b)),
            }
        }

        #[test]
        fn first_and_last_are_the_ends(uuid in any_uuid()) {
            prop_assert!(compare(Uuid::NIL, uuid).is_le());
            prop_assert!(compare(uuid, LAST).is_le());
        }
    }

    /// Checks the table of [`abbreviate`] for a millisecond in which a version 1 UUID's bytes sort before those of version 7 UUIDs.
    #[test]
    fn every_place_of_a_millisecond_is_in_its_order() {
        let before = (32_400_000_u64 << 32..).find(|tick| tick % 10_000 == 0).expect("within a millisecond");
        let version_1 = v1::from_parts(before, 0);
        let version_6 = v6::from_parts(before, 0);
        let milli = time::extract(version_1).expect("carries time").0.cast_unsigned() / 1_000;
        let places = |bits: u64| v7::from_parts(milli << 12 | bits >> 2, bits << 60);
        let mut in_order = vec![version_1];
        in_order.extend((0..1 << VERSION_7_BITS).map(places));
        in_order.push(version_6);
        in_order.extend((1..1_000).map(|micro| v6::from_parts(before + micro * 10, 0)));
        in_order.push(v7::from_parts((milli + 1) << 12, 0));
        assert!(in_order.is_sorted_by(|a, b| oracle(*a, *b).is_lt()));
        assert!(in_order.is_sorted_by(|a, b| abbreviate(*a) < abbreviate(*b)));
    }
}

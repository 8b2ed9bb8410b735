//! UUIDs in the order of the time inside them.
//!
//! The order is that of the pair ([`time::extract`], bytes): UUIDs without a time come first, the others are ordered by time
//! and, within one instant, by bytes. It is a total order in which UUIDs are equal only if their bytes are.
//!
//! Instants are those of [`time::extract`]: a microsecond for versions 1 and 6, and for version 7 the first microsecond of its
//! millisecond. So ten ticks of version 1 share an instant, and a version 7 UUID precedes UUIDs of versions 1 and 6 that were
//! generated later in the same millisecond.
//!
//! Within one version, except version 1, the order is that of the bytes: the bytes of versions 6 and 7 begin with the time, and
//! other versions contain no time.

use core::cmp::Ordering;

use crate::instant::UnixMicros;
use crate::{Uuid, gregorian, time, v1, v6, v7};

/// The first UUID of the order.
pub const FIRST: Uuid = Uuid::NIL;

/// The last UUID of the order: the greatest version 7.
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

/// The number of positions per millisecond in [`abbreviate`].
const PLACES_PER_MILLI: u64 = 31_404;

/// The number of bits by which [`abbreviate`] distinguishes version 7 UUIDs of one millisecond: the 12 of `rand_a` and the first
/// 2 of `rand_b`.
const VERSION_7_BITS: u32 = 14;

const GREGORIAN_TO_UNIX_MILLIS: u64 = (gregorian::TO_UNIX_MICROS / 1_000).cast_unsigned();
const TIMED: u64 = 1 << 63;

/// Abbreviates a UUID to 64 bits in the same order, so a lesser abbreviation means a lesser UUID. If abbreviations are equal,
/// the UUIDs must be compared.
///
/// ```text
/// 0, first 63 bits of the UUID                                                            carries no time
/// 1, milliseconds since 1582-10-15 * 31404 + place within the millisecond (63 bits)       carries time
///
///    place      0              version 1 or 6 at the millisecond's first microsecond, bytes before any version 7
///               1 ..= 16384    version 7, by `rand_a` and the first 2 bits of `rand_b`
///           16385              version 1 or 6 at the millisecond's first microsecond, bytes after any version 7
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
    // The last position, because only version 7 has the greatest 48-bit millisecond.
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
            // Before 1970 there is no version 7 UUID, so any UUID can be used here.
            let first_version_7 = v7::from_parts((time.0 / 1_000).cast_unsigned() << 12, 0);
            let before_version_7 = micro == 0 && uuid.to_u128() < first_version_7.to_u128();
            (time, if before_version_7 { 0 } else { 1 + (1 << VERSION_7_BITS) + micro })
        }
    };
    TIMED | (since_1582(time) / 1_000 * PLACES_PER_MILLI + place)
}

/// Returns the microseconds since 1582-10-15, when the time of versions 1 and 6 begins; no UUID contains an earlier time.
const fn since_1582(time: UnixMicros) -> u64 {
    // Cannot overflow: the greatest time is that of version 7, 2^48 ms after 1970, and both summands have less than 60
    // bits.
    (time.0 + gregorian::TO_UNIX_MICROS).cast_unsigned()
}

#[allow(clippy::cast_possible_truncation)]
const fn leading_bytes(uuid: Uuid) -> u64 {
    (uuid.to_u128() >> 64) as u64
}

/// Bytes 8 to 15 of the first and of the last UUID that begin with the same bytes 0 to 7 and contain a time.
const LOW_FIRST: u64 = 0b10 << 62;
const LOW_LAST: u64 = LOW_FIRST | ((1 << 62) - 1);

/// Returns the next UUID, or `None` for [`LAST`].
pub fn next(uuid: Uuid) -> Option<Uuid> {
    let number = uuid.to_u128();
    let Some(time) = time::extract(uuid) else {
        return match number.checked_add(1).map(Uuid::from_u128) {
            // Skip the UUIDs with the same leading bytes that contain a time, if there are any.
            Some(next) if time::extract(next).is_some() => Some(joined(leading_bytes(next), LOW_LAST + 1)),
            Some(next) => Some(next),
            None => first_at(inhabited_from(0)?),
        };
    };
    if low_half(uuid) < LOW_LAST {
        return Some(Uuid::from_u128(number + 1));
    }
    let here = since_1582(time);
    let leading = leading_bytes(uuid);
    runs_at(here)
        .filter(|run| leading < run.last)
        .map(|run| run.first.max(leading + 1))
        .min()
        .map(|next| joined(next, LOW_FIRST))
        .or_else(|| first_at(inhabited_from(here + 1)?))
}

/// Returns the previous UUID, or `None` for [`FIRST`].
pub fn previous(uuid: Uuid) -> Option<Uuid> {
    let number = uuid.to_u128();
    let Some(time) = time::extract(uuid) else {
        return number.checked_sub(1).map(Uuid::from_u128).map(|previous| match time::extract(previous) {
            Some(_) => joined(leading_bytes(previous), LOW_FIRST - 1),
            None => previous,
        });
    };
    if low_half(uuid) > LOW_FIRST {
        return Some(Uuid::from_u128(number - 1));
    }
    let here = since_1582(time);
    let leading = leading_bytes(uuid);
    runs_at(here)
        .filter(|run| leading > run.first)
        .map(|run| run.last.min(leading - 1))
        .max()
        .map(|previous| joined(previous, LOW_LAST))
        .or_else(|| match here.checked_sub(1) {
            Some(before) => last_at(inhabited_until(before)),
            None => Some(Uuid::MAX),
        })
}

/// The UUIDs of one instant with bytes 0 to 7 from `first` to `last`.
struct Run {
    first: u64,
    last: u64,
}

/// The last microsecond since 1582 in which versions 1 and 6 have ticks.
const LAST_GREGORIAN_MICRO: u64 = v6::MAX_TICK / 10;
/// The last microsecond since 1582 with version 7 UUIDs.
const LAST_MICRO: u64 = (GREGORIAN_TO_UNIX_MILLIS + v7::MAX_MILLIS) * 1_000;

/// Returns all UUIDs at a microsecond since 1582: ten ticks of versions 1 and 6 and, at a whole millisecond, 2^12 fractions of
/// the millisecond in version 7.
fn runs_at(micro: u64) -> impl Iterator<Item = Run> {
    let ticks = micro * 10..micro * 10 + 10;
    let gregorian = ticks
        .filter(|tick| *tick <= v6::MAX_TICK)
        .flat_map(|tick| [v1::from_parts(tick, 0), v6::from_parts(tick, 0)])
        .map(leading_bytes)
        .map(|leading| Run { first: leading, last: leading });
    let unix = (micro / 1_000).checked_sub(GREGORIAN_TO_UNIX_MILLIS).filter(|_| micro.is_multiple_of(1_000));
    let version_7 = unix.map(|milli| {
        let first = leading_bytes(v7::from_parts(milli << 12, 0));
        Run { first, last: first | 0xfff }
    });
    gregorian.chain(version_7)
}

/// Returns the first microsecond since 1582, from `micro` on, at which there are UUIDs.
fn inhabited_from(micro: u64) -> Option<u64> {
    let from = if micro <= LAST_GREGORIAN_MICRO { micro } else { micro.next_multiple_of(1_000) };
    (from <= LAST_MICRO).then_some(from)
}

/// Returns the last microsecond since 1582, up to `micro`, at which there are UUIDs.
fn inhabited_until(micro: u64) -> u64 {
    if micro <= LAST_GREGORIAN_MICRO { micro } else { (micro - micro % 1_000).max(LAST_GREGORIAN_MICRO) }
}

fn first_at(micro: u64) -> Option<Uuid> {
    runs_at(micro).map(|run| run.first).min().map(|leading| joined(leading, LOW_FIRST))
}

fn last_at(micro: u64) -> Option<Uuid> {
    runs_at(micro).map(|run| run.last).max().map(|leading| joined(leading, LOW_LAST))
}

#[allow(clippy::cast_possible_truncation)]
const fn low_half(uuid: Uuid) -> u64 {
    uuid.to_u128() as u64
}

const fn joined(leading: u64, low: u64) -> Uuid {
    Uuid::from_u128((leading as u128) << 64 | low as u128)
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use proptest::prelude::*;

    use super::*;

    /// Compares by the definition of the order.
    fn oracle(a: Uuid, b: Uuid) -> Ordering {
        (time::extract(a), a).cmp(&(time::extract(b), b))
    }

    /// UUIDs of all versions and variants, many of them close to one another and to the ends of each version's range.
    fn any_uuid() -> impl Strategy<Value = Uuid> {
        let gregorian_1970 = gregorian::TO_UNIX_MICROS.cast_unsigned() * 10;
        let tick = prop_oneof![
            any::<u64>(),
            0..40_u64,
            v6::MAX_TICK - 40..=v6::MAX_TICK,
            // Around 1970 and one whole millisecond of 2026.
            gregorian_1970 - 40..gregorian_1970 + 40,
            (gregorian_1970 + 17_700_000_000_000_000 - 40)..(gregorian_1970 + 17_700_000_000_000_000 + 40),
        ];
        let fraction = prop_oneof![Just(0), Just(0xfff), 0..0x1000_u64];
        let milli = prop_oneof![
            any::<u64>(),
            0..3_u64,
            1_769_999_999_999..1_770_000_000_002_u64,
            (LAST_GREGORIAN_MICRO / 1_000 - GREGORIAN_TO_UNIX_MILLIS - 1)
                ..(LAST_GREGORIAN_MICRO / 1_000 - GREGORIAN_TO_UNIX_MILLIS + 3),
            v7::MAX_MILLIS - 2..=v7::MAX_MILLIS,
        ];
        let low = prop_oneof![any::<u64>(), Just(0), Just(u64::MAX), 0..3_u64, Just(1 << 60)];
        prop_oneof![
            any::<u128>().prop_map(Uuid::from_u128),
            prop_oneof![Just(Uuid::NIL), Just(Uuid::MAX), Just(FIRST), Just(LAST)],
            (tick.clone(), low.clone()).prop_map(|(tick, low)| v1::from_parts(tick, low)),
            (tick, low.clone()).prop_map(|(tick, low)| v6::from_parts(tick, low)),
            (milli, fraction, low.clone())
                .prop_map(|(milli, fraction, low)| v7::from_parts(milli << 12 | fraction, low)),
            // Every version and variant around the same few bytes.
            (any::<u8>(), 0..16_u64, 0..4_u64, low).prop_map(|(first, version, variant, low)| joined(
                u64::from(first) << 56 | version << 12,
                variant << 62 | low >> 2
            )),
        ]
    }

    /// A UUID, and either one of its neighbors or any other UUID.
    fn pair() -> impl Strategy<Value = (Uuid, Uuid)> {
        prop_oneof![
            (any_uuid(), any_uuid()),
            (any_uuid(), -3..=3_i128).prop_map(|(uuid, step)| {
                (uuid, Uuid::from_u128(uuid.to_u128().wrapping_add(step.cast_unsigned())))
            }),
            any_uuid().prop_map(|uuid| (uuid, next(uuid).unwrap_or(uuid))),
            in_one_millisecond(),
        ]
    }

    /// Two UUIDs of any versions with a time, in the same millisecond or in adjacent ones. Half of the milliseconds contain a
    /// version 1 UUID whose bytes are less than those of all version 7 UUIDs.
    fn in_one_millisecond() -> impl Strategy<Value = (Uuid, Uuid)> {
        // At these ticks, the low 32 bits, which are the first bytes of a version 1 UUID, wrap around.
        let small_time_low = (0..v6::MAX_TICK >> 32).prop_map(|high| ((high << 32) / 10).next_multiple_of(1_000));
        let any_time = (0..=LAST_MICRO / 1_000).prop_map(|milli| milli * 1_000);
        let milli = prop_oneof![small_time_low, any_time];
        let micro = prop_oneof![4 => Just(0), 1 => 0..3_u64, 1 => 997..1_003_u64];
        let low = prop_oneof![any::<u64>(), Just(LOW_FIRST), Just(LOW_LAST)];
        let one = (micro, any::<prop::sample::Index>(), prop_oneof![Just(0), Just(u64::MAX), any::<u64>()], low);
        (milli, prop::array::uniform2(one)).prop_map(|(milli, two)| {
            let [a, b] = two.map(|(micro, run, within, low)| {
                let runs: Vec<_> = runs_at(milli + micro).collect();
                let Some(run) = runs.get(run.index(runs.len().max(1))) else { return FIRST };
                let leading = run.first + within % (run.last - run.first + 1);
                joined(leading, low & LOW_LAST | LOW_FIRST)
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
            prop_assert!(compare(FIRST, uuid).is_le());
            prop_assert!(compare(uuid, LAST).is_le());
        }

        #[test]
        fn nothing_lies_between_a_uuid_and_the_next((a, b) in pair()) {
            if let Some(next) = next(a) {
                prop_assert_eq!(oracle(a, next), Ordering::Less);
                prop_assert!(oracle(b, a).is_le() || oracle(next, b).is_le(), "{} < {} < {}", a, b, next);
                prop_assert_eq!(previous(next), Some(a));
            } else {
                prop_assert_eq!(a, LAST);
            }
        }

        #[test]
        fn next_undoes_previous(uuid in any_uuid()) {
            match previous(uuid) {
                Some(previous) => prop_assert_eq!(next(previous), Some(uuid)),
                None => prop_assert_eq!(uuid, FIRST),
            }
        }
    }

    #[test]
    fn steps_from_version_to_version_within_an_instant() {
        // 2026-02-02 02:40:00 UTC, a whole millisecond: ten ticks of version 1, ten of version 6 and all of version 7.
        let micro = since_1582(UnixMicros(1_770_000_000_000_000));
        let mut uuid = first_at(micro).expect("versions 1, 6 and 7 reach the year 2026");
        let mut versions = [0; 8];
        loop {
            versions[usize::from(uuid.version().expect("carries time"))] += 1;
            // Go to the last UUID with the same leading bytes, then one further.
            let following = next(joined(leading_bytes(uuid), LOW_LAST)).expect("not the last");
            assert_eq!(oracle(uuid, following), Ordering::Less);
            uuid = following;
            if time::extract(uuid) != Some(UnixMicros(1_770_000_000_000_000)) {
                break;
            }
        }
        assert_eq!(versions, [0, 10, 0, 0, 0, 0, 10, 4096]);
        assert_eq!(time::extract(uuid), Some(UnixMicros(1_770_000_000_000_001)));
    }

    /// Checks the table in the documentation of [`abbreviate`], for a millisecond in which the bytes of a version 1 UUID sort
    /// before those of any version 7 UUID.
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

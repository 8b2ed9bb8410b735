//! The order of UUIDs by the time inside them, and their abbreviations, against the definition.

use core::cmp::Ordering;

use proptest::prelude::*;
use rfc9562::time_order::{LAST, abbreviate, compare};
use rfc9562::{Uuid, time, v1, v6, v7};

/// The milliseconds from 1582-10-15 to 1970-01-01.
const GREGORIAN_TO_UNIX_MILLIS: u64 = 12_219_292_800_000;
/// The last millisecond of version 7, counted from 1582-10-15.
const LAST_VERSION_7_MILLI: u64 = GREGORIAN_TO_UNIX_MILLIS + (v7::MAX_TICK >> 12);
/// The last millisecond of versions 1 and 6, counted from 1582-10-15.
const LAST_GREGORIAN_MILLI: u64 = v6::MAX_TICK / 10_000;

/// Compares by the definition of the order.
fn oracle(a: Uuid, b: Uuid) -> Ordering {
    (time::extract(a), a).cmp(&(time::extract(b), b))
}

/// Generates milliseconds since 1582-10-15, many of them at the beginning or the end of a version's range.
fn milli() -> impl Strategy<Value = u64> {
    // At the beginning of these milliseconds, the low 32 bits of the tick, a version 1 UUID's first bytes, have just wrapped, so
    // the UUID's bytes usually sort before those of version 7.
    let small_time_low = (0..v6::MAX_TICK >> 32).prop_map(|high| (high << 32).div_ceil(10_000));
    prop_oneof![
        4 => small_time_low,
        4 => 0..=LAST_GREGORIAN_MILLI,
        1 => 0..3_u64,
        1 => GREGORIAN_TO_UNIX_MILLIS - 3..GREGORIAN_TO_UNIX_MILLIS + 3,
        1 => LAST_GREGORIAN_MILLI - 3..LAST_GREGORIAN_MILLI + 3,
        1 => LAST_VERSION_7_MILLI - 3..=LAST_VERSION_7_MILLI,
    ]
}

/// Generates UUIDs of version 1, 6 or 7 in the millisecond, or in one beside it.
fn in_milli(milli: u64) -> impl Strategy<Value = Uuid> {
    let micro = prop_oneof![4 => Just(0), 1 => 0..3_u64, 1 => 997..1_003_u64];
    let finer = prop_oneof![Just(0), Just(0xfff), 0..0x1000_u64];
    let low = prop_oneof![any::<u64>(), Just(0), Just(u64::MAX)];
    (prop::sample::select(&[1, 6, 7]), micro, finer, low).prop_map(move |(version, micro, finer, low)| {
        let micro = milli * 1_000 + micro;
        let tick = (micro * 10 + finer % 10).min(v6::MAX_TICK);
        match version {
            1 => v1::from_parts(tick, low),
            6 => v6::from_parts(tick, low),
            _ => v7::from_parts((micro / 1_000).saturating_sub(GREGORIAN_TO_UNIX_MILLIS) << 12 | finer, low),
        }
    })
}

/// Generates UUIDs of all versions and variants.
fn any_uuid() -> impl Strategy<Value = Uuid> {
    prop_oneof![
        any::<u128>().prop_map(Uuid::from_u128),
        prop_oneof![Just(Uuid::NIL), Just(Uuid::MAX), Just(LAST)],
        milli().prop_flat_map(in_milli),
        (any::<u8>(), 0..16_u128, 0..4_u128, any::<u64>()).prop_map(|(first, version, variant, low)| {
            let low = u128::from(low >> 2);
            Uuid::from_u128(u128::from(first) << 120 | version << 76 | variant << 62 | low)
        }),
    ]
}

fn pair() -> impl Strategy<Value = (Uuid, Uuid)> {
    prop_oneof![
        (any_uuid(), any_uuid()),
        (any_uuid(), -3..=3_i128)
            .prop_map(|(uuid, step)| { (uuid, Uuid::from_u128(uuid.to_u128().wrapping_add(step.cast_unsigned()))) }),
        milli().prop_flat_map(|milli| (in_milli(milli), in_milli(milli))),
    ]
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
    in_order.extend((0..1 << 14).map(places));
    in_order.push(version_6);
    in_order.extend((1..1_000).map(|micro| v6::from_parts(before + micro * 10, 0)));
    in_order.push(v7::from_parts((milli + 1) << 12, 0));
    assert!(in_order.is_sorted_by(|a, b| oracle(*a, *b).is_lt()));
    assert!(in_order.is_sorted_by(|a, b| abbreviate(*a) < abbreviate(*b)));
}

//! Windows of time, compared with the time inside the UUIDs.

use proptest::prelude::*;
use rfc9562::time::{UnixMicros, extract};
use rfc9562::window::Window;
use rfc9562::{Error, Uuid, v6, v7};

/// The last microsecond of version 7's last millisecond.
const LAST_MICRO: i64 = ((1 << 48) - 1) * 1_000 + 999;

/// Generates any instant, often one near an end of version 7's range or of a millisecond.
fn instant() -> impl Strategy<Value = UnixMicros> {
    let near = |micros: i64| (micros - 2_500..=micros + 2_500).boxed();
    prop_oneof![
        any::<i64>(),
        0..=LAST_MICRO,
        near(0),
        near(LAST_MICRO),
        (0i64..1 << 48, -1i64..=1).prop_map(|(ms, off)| ms * 1_000 + off),
        Just(i64::MIN),
        Just(i64::MAX),
    ]
    .prop_map(UnixMicros)
}

/// Generates any version 7 UUID, in half of the cases one of a millisecond near the instant.
fn uuid_near(time: UnixMicros) -> impl Strategy<Value = Uuid> {
    let millis = time.0.div_euclid(1_000).clamp(2, (1 << 48) - 3).cast_unsigned();
    let near = (millis - 2..=millis + 2, 0u64..1 << 12).prop_map(|(ms, fraction)| ms << 12 | fraction);
    (prop_oneof![near, 0..=v7::MAX_TICK], any::<u64>()).prop_map(|(tick, rand_b)| v7::from_parts(tick, rand_b))
}

fn instant_and_uuid() -> impl Strategy<Value = (UnixMicros, Uuid)> {
    instant().prop_flat_map(|time| (Just(time), uuid_near(time)))
}

proptest! {
    #[test]
    fn version_7_is_placed_by_its_time((time, uuid) in instant_and_uuid()) {
        let of = extract(uuid).expect("version 7 has a time");
        prop_assert_eq!(Window::before(time).contains(uuid), of < time);
        prop_assert_eq!(Window::until(time).contains(uuid), of <= time);
        prop_assert_eq!(Window::since(time).contains(uuid), of >= time);
        prop_assert_eq!(Window::after(time).contains(uuid), of > time);
    }

    #[test]
    fn every_value_is_on_one_side(time in instant(), number in any::<u128>()) {
        let uuid = Uuid::from_u128(number);
        prop_assert_ne!(Window::before(time).contains(uuid), Window::since(time).contains(uuid));
        prop_assert_ne!(Window::until(time).contains(uuid), Window::after(time).contains(uuid));
        prop_assert!(!Window::before(time).contains(uuid) || Window::until(time).contains(uuid), "before is until");
    }

    #[test]
    fn until_is_before_the_next_instant(time in instant(), number in any::<u128>()) {
        let (uuid, next) = (Uuid::from_u128(number), UnixMicros(time.0.saturating_add(1)));
        prop_assert_eq!(Window::until(time).contains(uuid), Window::before(next).contains(uuid));
        prop_assert_eq!(Window::after(time).contains(uuid), Window::since(next).contains(uuid));
    }

    #[test]
    fn bounds_ascend_with_time(a in instant(), b in instant()) {
        let (a, b) = (a.min(b), a.max(b));
        prop_assert!(v7::lower_bound(a) <= v7::lower_bound(b));
    }

    #[test]
    fn intersection_is_both(a in instant(), b in instant(), number in any::<u128>()) {
        let uuid = Uuid::from_u128(number);
        let (since, before) = (Window::since(a), Window::before(b));
        let both = since.intersection(before);
        prop_assert_eq!(both.contains(uuid), since.contains(uuid) && before.contains(uuid));
        prop_assert_eq!(both.is_empty(), both == Window::EMPTY);
        prop_assert_eq!(both.first() <= uuid && uuid <= both.last(), both.contains(uuid));
    }

    #[test]
    fn floor_and_ceil_enclose_version_7((time, uuid) in instant_and_uuid()) {
        match (v7::floor(time), v7::ceil(time)) {
            (Ok(floor), Ok(ceil)) => {
                prop_assert_eq!((floor.version(), ceil.version()), (Some(7), Some(7)));
                let millisecond = UnixMicros(time.0.div_euclid(1_000) * 1_000);
                prop_assert_eq!(floor <= uuid && uuid <= ceil, extract(uuid) == Some(millisecond));
                prop_assert_eq!((extract(floor), extract(ceil)), (Some(millisecond), Some(millisecond)));
            }
            (floor, ceil) => {
                let error = Err(Error::TimestampOutOfRange { version: 7 });
                prop_assert_eq!((&floor, &ceil), (&error, &error));
                prop_assert!(time.0 < 0 || time.0 > LAST_MICRO);
            }
        }
    }

    #[test]
    fn floor_and_ceil_enclose_version_6(tick in 0..=v6::MAX_TICK, off in -11i64..=11, low in any::<u64>()) {
        let uuid = v6::from_parts(tick, low);
        let time = UnixMicros(extract(uuid).expect("version 6 has a time").0 + off / 10);
        if let (Ok(floor), Ok(ceil)) = (v6::floor(time), v6::ceil(time)) {
            prop_assert_eq!((floor.version(), ceil.version()), (Some(6), Some(6)));
            prop_assert_eq!(floor <= uuid && uuid <= ceil, extract(uuid) == Some(time));
        }
    }
}

#[test]
fn ends_of_the_range() {
    let some = |text: &str| Ok(text.parse().unwrap());
    let out = |version| Err(Error::TimestampOutOfRange { version });

    assert_eq!(v7::floor(UnixMicros(0)), some("00000000-0000-7000-8000-000000000000"));
    assert_eq!(v7::floor(UnixMicros(-1)), out(7));
    assert_eq!(v7::ceil(UnixMicros(LAST_MICRO)), some("ffffffff-ffff-7fff-bfff-ffffffffffff"));
    assert_eq!(v7::ceil(UnixMicros(LAST_MICRO + 1)), out(7));

    let first_v6 = UnixMicros(-12_219_292_800_000_000);
    let last_v6 = UnixMicros(first_v6.0 + 115_292_150_460_684_697);
    assert_eq!(v6::floor(first_v6), some("00000000-0000-6000-8000-000000000000"));
    assert_eq!(v6::floor(UnixMicros(first_v6.0 - 1)), out(6));
    assert_eq!(v6::ceil(last_v6), some("ffffffff-ffff-6fff-bfff-ffffffffffff"));
    assert_eq!(v6::ceil(UnixMicros(last_v6.0 + 1)), out(6));

    for time in [i64::MIN, -1_000].map(UnixMicros) {
        assert_eq!(v7::lower_bound(time), Uuid::NIL);
    }
    assert_eq!(Ok(v7::lower_bound(UnixMicros(-999))), v7::floor(UnixMicros(0)));
    for time in [LAST_MICRO + 1, i64::MAX].map(UnixMicros) {
        assert_eq!(v7::lower_bound(time), Uuid::MAX);
    }
    assert_eq!(v7::lower_bound(UnixMicros(LAST_MICRO)), Uuid::MAX);

    // An instant a millisecond or more before 1970 precedes all UUIDs, and one past the beginning of the last millisecond follows
    // all but the Max UUID.
    for (time, first) in [(i64::MIN, Uuid::NIL), (-1_000, Uuid::NIL), (LAST_MICRO, Uuid::MAX), (i64::MAX, Uuid::MAX)] {
        let time = UnixMicros(time);
        assert_eq!((Window::since(time).first(), Window::since(time).last()), (first, Uuid::MAX));
        assert!(!Window::before(time).contains(first));
        assert!(!Window::since(time).is_empty(), "the Max UUID at least");
    }
}

//! Reading and writing the time fields.

use std::time::Duration;

use proptest::prelude::*;
use rfc9562::time::{UnixMicros, extract, extract_us};
use rfc9562::{Error, Uuid, v1, v6, v7};

const FIRST_V6: i64 = -12_219_292_800_000_000;
const LAST_V6: i64 = 103_072_857_660_684_697;
const LAST_V7: i64 = 281_474_976_710_655_999;

/// RFC 9562 (section 6.2, method 3) rounds the fraction down. For a given instant, this crate rounds it up.
#[test]
fn a_microsecond_comes_back_however_it_was_rounded() {
    for us in 0..1_000_u64 {
        for fraction in [us * 4_096 / 1_000, (us * 4_096).div_ceil(1_000)] {
            let uuid = v7::from_parts(1_700_000_000_123 << 12 | fraction, 0);
            assert_eq!(extract_us(uuid), Some(UnixMicros(1_700_000_000_123_000 + us.cast_signed())), "{fraction}");
        }
    }
    let last = v7::from_parts(1_700_000_000_123 << 12 | 4_095, 0);
    assert_eq!(extract_us(last), Some(UnixMicros(1_700_000_000_123_999)), "the last tick stays in its millisecond");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100_000) })]

    #[test]
    fn v7_holds_every_microsecond_of_its_range(us in 0..=LAST_V7) {
        let uuid = v7::from_parts(v7::tick_from_time(UnixMicros(us)).unwrap(), 0);
        prop_assert_eq!(extract_us(uuid), Some(UnixMicros(us)));
        prop_assert_eq!(extract(uuid), Some(UnixMicros(us / 1_000 * 1_000)));
    }

    #[test]
    fn v6_and_v1_hold_every_microsecond_of_their_range(us in FIRST_V6..=LAST_V6) {
        let tick = v6::tick_from_time(UnixMicros(us)).unwrap();
        prop_assert_eq!(extract(v6::from_parts(tick, 0)), Some(UnixMicros(us)));
        prop_assert_eq!(extract(v1::from_parts(tick, 0)), Some(UnixMicros(us)));
    }

    #[test]
    fn a_clock_reads_back_to_its_microsecond_or_the_next(ns in 0..u64::MAX) {
        let clock = Duration::from_nanos(ns);
        let micros = i64::try_from(clock.as_micros()).unwrap();
        let read = extract_us(v7::from_parts(v7::tick_from_clock(clock).unwrap(), 0)).unwrap().0;
        prop_assert!(read == micros || read == micros + 1, "{} read as {}", micros, read);
        prop_assert_eq!(read / 1_000, micros / 1_000, "never another millisecond");
        let of_v6 = extract(v6::from_parts(v6::tick_from_clock(clock).unwrap(), 0)).unwrap();
        prop_assert_eq!(of_v6.0, micros);
    }

    #[test]
    fn a_tick_and_its_clock_agree(tick in 0..1_u64 << 60) {
        let clock = v7::clock_from_tick(tick);
        prop_assert_eq!(v7::tick_from_clock(clock), Ok(tick));
        if let Some(before) = clock.checked_sub(Duration::from_nanos(1)) {
            prop_assert_eq!(v7::tick_from_clock(before), Ok(tick - 1), "the first nanosecond of the tick");
        }
    }
}

#[test]
fn the_ends_of_the_ranges() {
    let error = |version| Err(Error::TimestampOutOfRange { version });
    assert_eq!(v7::tick_from_time(UnixMicros(0)), Ok(0));
    assert_eq!(v7::tick_from_time(UnixMicros(-1)), error(7));
    assert_eq!(v7::tick_from_time(UnixMicros(LAST_V7)).map(|tick| tick >> 12), Ok((1 << 48) - 1));
    assert_eq!(v7::tick_from_time(UnixMicros(LAST_V7 + 1)), error(7));
    assert_eq!(v6::tick_from_time(UnixMicros(FIRST_V6)), Ok(0));
    assert_eq!(v6::tick_from_time(UnixMicros(FIRST_V6 - 1)), error(6));
    assert_eq!(v6::tick_from_time(UnixMicros(LAST_V6)), Ok(v6::MAX_TICK / 10 * 10));
    assert_eq!(v6::tick_from_time(UnixMicros(LAST_V6 + 1)), error(6));
    for us in [i64::MIN, i64::MAX] {
        assert_eq!(v7::tick_from_time(UnixMicros(us)), error(7));
        assert_eq!(v6::tick_from_time(UnixMicros(us)), error(6));
    }
    assert_eq!(v7::tick_from_clock(Duration::MAX), error(7));
    assert_eq!(v6::tick_from_clock(Duration::MAX), error(6));
    // The last microsecond of version 6 has six of its ten ticks.
    let last_of_v6 = Duration::from_micros(LAST_V6.cast_unsigned()) + Duration::from_nanos(599);
    assert_eq!(v6::tick_from_clock(last_of_v6), Ok(v6::MAX_TICK));
    assert_eq!(v6::tick_from_clock(last_of_v6 + Duration::from_nanos(1)), error(6));
    let end_of_v7 = Duration::from_millis(1 << 48);
    assert_eq!(v7::tick_from_clock(end_of_v7), error(7));
    assert_eq!(v7::tick_from_clock(end_of_v7 - Duration::from_nanos(1)), Ok(v7::MAX_TICK));
}

/// RFC 9562, section 6.2, method 3: 0.4567 of a millisecond is 1870 of 4096.
#[test]
fn the_fraction_of_the_rfc() {
    let clock = Duration::new(1_672_576_496, 123_456_700);
    assert_eq!(v7::tick_from_clock(clock), Ok(1_672_576_496_123 << 12 | 0x74e));
}

#[test]
fn other_versions_and_variants_have_no_time() {
    for byte_6 in 0..=255_u8 {
        for byte_8 in 0..=255_u8 {
            let mut bytes = [0x5a; 16];
            (bytes[6], bytes[8]) = (byte_6, byte_8);
            let timed = byte_8 >> 6 == 0b10 && matches!(byte_6 >> 4, 1 | 6 | 7);
            let uuid = Uuid::from_bytes(bytes);
            assert_eq!((extract(uuid).is_some(), extract_us(uuid).is_some()), (timed, timed));
        }
    }
    assert_eq!((extract(Uuid::NIL), extract(Uuid::MAX)), (None, None));
}

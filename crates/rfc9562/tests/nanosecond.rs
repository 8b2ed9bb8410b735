//! Version 6 and 7 UUIDs from shared nanoseconds sort correctly, even among those from a `Sequence`.

use core::time::Duration;

use proptest::prelude::*;
use rfc9562::nanosecond::{after_v6, after_v7, position_v6, position_v7};
use rfc9562::sequence::Sequence;
use rfc9562::time::extract_us;
use rfc9562::{v6, v7};

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300_000) })]

    #[test]
    fn a_later_nanosecond_is_a_greater_uuid(nanos in 0..u64::MAX, step in 1..1_000_u64, random: u64, after: u64) {
        let later = nanos.saturating_add(step);
        prop_assume!(later > nanos);
        let (a, b) = (position_v7(nanos, random).unwrap(), position_v7(later, after).unwrap());
        prop_assert!(v7::at(a) < v7::at(b));
        let (a, b) = (position_v6(nanos, random).unwrap(), position_v6(later, after).unwrap());
        prop_assert!(v6::at(a) < v6::at(b));
    }

    #[test]
    fn sessions_come_and_go(clock in 0..u64::MAX >> 1, random: u64, after: u64) {
        // The generator switches from its own sequence to the shared nanoseconds and back, while the clock stands still.
        let now = Duration::from_nanos(clock);
        for version in [7, 6] {
            let mut own = Sequence::new(version);
            let tick = if version == 7 { v7::tick_from_clock(now).unwrap() } else { v6::tick_from_clock(now).unwrap() };
            let first = own.next(tick, random).unwrap();
            let nanos = if version == 7 { after_v7(own.last_tick().unwrap()) } else { after_v6(own.last_tick().unwrap()) };
            prop_assert!((1..=245).contains(&(nanos - clock)), "{} ns later", nanos - clock);
            let shared = if version == 7 { position_v7(nanos, after) } else { position_v6(nanos, after) }.unwrap();
            prop_assert!((shared.tick, shared.tail) > (first.tick, first.tail));
            own.skip_past(shared.tick);
            own.skip_past(tick);
            let last = own.next(tick, random).unwrap();
            prop_assert!((last.tick, last.tail) > (shared.tick, shared.tail));
        }
    }

    #[test]
    fn its_time_is_that_of_the_nanosecond(nanos in 0..u64::MAX, random: u64) {
        let micros = i64::try_from(nanos / 1_000).unwrap();
        let position = position_v7(nanos, random).unwrap();
        let read = extract_us(v7::at(position)).unwrap().0;
        prop_assert!(read == micros || read == micros + 1);
        let position = position_v6(nanos, random).unwrap();
        prop_assert_eq!(extract_us(v6::at(position)).unwrap().0, micros);
    }
}

#[test]
fn every_nanosecond_of_a_millisecond_in_turn() {
    let mut last = None;
    for nanos in 1_700_000_000_000_000_000..1_700_000_000_001_000_000_u64 {
        let position = position_v7(nanos, nanos).unwrap();
        let place = (position.tick, position.tail >> 54);
        assert!(last.is_none_or(|last| place > last), "{nanos}");
        last = Some(place);
    }
}

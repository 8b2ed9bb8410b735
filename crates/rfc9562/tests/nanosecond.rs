//! A nanosecond of its own orders a value among all others, in every version.

#![allow(missing_docs, clippy::unwrap_used)]

use proptest::prelude::*;
use rfc9562::nanosecond::{position_v6, position_v7};
use rfc9562::time::extract_us;
use rfc9562::{v6, v7};

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300_000) })]

    #[test]
    fn a_later_nanosecond_is_a_greater_uuid(nanos in 0..u64::MAX, step in 1..1_000_u64, random: u64, after: u64) {
        let later = nanos.saturating_add(step);
        prop_assume!(later > nanos);
        let (a, b) = (position_v7(nanos, random).unwrap(), position_v7(later, after).unwrap());
        prop_assert!(v7::from_parts(a.tick, a.tail) < v7::from_parts(b.tick, b.tail));
        let (a, b) = (position_v6(nanos, random).unwrap(), position_v6(later, after).unwrap());
        prop_assert!(v6::from_parts(a.tick, v6::random_node(a.tail)) < v6::from_parts(b.tick, v6::random_node(b.tail)));
    }

    #[test]
    fn its_time_is_that_of_the_nanosecond(nanos in 0..u64::MAX, random: u64) {
        let micros = i64::try_from(nanos / 1_000).unwrap();
        let position = position_v7(nanos, random).unwrap();
        let read = extract_us(v7::from_parts(position.tick, position.tail)).unwrap().0;
        prop_assert!(read == micros || read == micros - 1);
        let position = position_v6(nanos, random).unwrap();
        prop_assert_eq!(extract_us(v6::from_parts(position.tick, position.tail)).unwrap().0, micros);
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

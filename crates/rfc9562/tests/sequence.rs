//! Properties of the order of generated UUIDs, over random histories of a simulated clock.

use fastrand::Rng;
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use rfc9562::sequence::{CallCounter, MAX_TICK, Sequence};
use rfc9562::{Error, Uuid, Variant, v1, v6, v7};

/// A year in ticks of 100 ns, the shorter of the two units.
const YEAR: u64 = 366 * 86_400 * 10_000_000;
/// The minimum number of UUIDs in a tick: the counter's 16,384 minus the largest seed.
const VALUES_PER_TICK: u64 = 16_384 - 8_191;

/// What the clock does before a UUID is generated.
#[derive(Clone, Debug)]
enum Clock {
    /// The clock shows the same tick for the given number of UUIDs.
    Stands(u32),
    Forward(u64),
    Back(u64),
    /// The clock jumps to the given number of ticks before the last possible one.
    NearTheEnd(u64),
}

fn clock() -> impl Strategy<Value = Clock> {
    prop_oneof![
        500 => (1..4_u32).prop_map(Clock::Stands),
        1 => (8_000..40_000_u32).prop_map(Clock::Stands),
        200 => (0..4_u64).prop_map(Clock::Forward),
        100 => (0..YEAR).prop_map(Clock::Forward),
        50 => (0..MAX_TICK).prop_map(Clock::Forward),
        200 => (0..4_u64).prop_map(Clock::Back),
        100 => (0..YEAR).prop_map(Clock::Back),
        50 => (0..MAX_TICK).prop_map(Clock::Back),
        10 => (0..4_u64).prop_map(Clock::NearTheEnd),
    ]
}

/// Generates the UUIDs of a history and checks each.
struct Observer {
    sequence: Sequence,
    random: Rng,
    previous: Option<(u64, Uuid, Uuid)>,
    /// The last tick at which the clock was ahead of the sequence, and the number of UUIDs generated since.
    followed: u64,
    since_followed: u64,
}

impl Observer {
    fn make(&mut self, now: u64) -> Result<(), TestCaseError> {
        if self.previous.is_none_or(|(tick, ..)| now > tick) {
            (self.followed, self.since_followed) = (now, 0);
        }
        let before = self.sequence;
        let position = match self.sequence.next(now, self.random.u64(..)) {
            Ok(position) => position,
            Err(error) => {
                // An error occurs only at the end of the range and leaves the sequence unchanged.
                prop_assert_eq!(error, Error::SequenceExhausted { version: 7 });
                prop_assert_eq!(self.previous.unwrap().0, MAX_TICK);
                prop_assert_eq!(self.sequence, before);
                return Ok(());
            }
        };
        self.since_followed += 1;

        let tick = position.tick;
        prop_assert!(tick >= now, "behind the clock");
        prop_assert!(
            tick - self.followed <= self.since_followed / VALUES_PER_TICK,
            "{} ticks ahead of the clock after {} values",
            tick - self.followed,
            self.since_followed
        );
        prop_assert!(position.tail < 1 << 62);

        let (of_v7, of_v6, of_v1) = (v7::at(position), v6::at(position), v1::at(position));
        for (uuid, version) in [(of_v7, 7), (of_v6, 6), (of_v1, 1)] {
            prop_assert_eq!((uuid.variant(), uuid.version()), (Variant::Rfc9562, Some(version)));
        }
        prop_assert_eq!((v7::tick(of_v7), v6::tick(of_v6), v1::tick(of_v1)), (tick, tick, tick));
        if let Some((_, previous_v7, previous_v6)) = self.previous {
            prop_assert!(of_v7 > previous_v7, "v7 {of_v7} after {previous_v7}");
            prop_assert!(of_v6 > previous_v6, "v6 {of_v6} after {previous_v6}");
        }
        self.previous = Some((tick, of_v7, of_v6));
        Ok(())
    }
}

fn over_histories<S: Strategy>(count: u32, histories: &S, property: impl Fn(S::Value) -> Result<(), TestCaseError>) {
    let config = Config { cases: count, failure_persistence: None, ..Config::default() };
    if let Err(failure) = TestRunner::new(config).run(histories, property) {
        panic!("{failure}");
    }
}

#[test]
fn every_value_is_greater_than_the_one_before() {
    let histories = (0..=MAX_TICK, any::<u64>(), prop::collection::vec(clock(), 1..10));
    over_histories(1_000_000, &histories, |(start, seed, history)| {
        let mut now = start;
        let (sequence, random) = (Sequence::new(7), Rng::with_seed(seed));
        let mut observer = Observer { sequence, random, previous: None, followed: 0, since_followed: 0 };
        observer.make(now)?;
        for step in history {
            let values = match step {
                Clock::Stands(values) => values,
                Clock::Forward(ticks) => {
                    now = now.saturating_add(ticks).min(MAX_TICK);
                    1
                }
                Clock::Back(ticks) => {
                    now = now.saturating_sub(ticks);
                    1
                }
                Clock::NearTheEnd(ticks) => {
                    now = MAX_TICK - ticks;
                    1
                }
            };
            for _ in 0..values {
                observer.make(now)?;
            }
        }
        Ok(())
    });
}

#[test]
fn the_last_tick_ends_in_an_error() {
    for version in [6, 7] {
        let mut sequence = Sequence::new(version);
        let mut made = 0;
        let error = loop {
            match sequence.next(MAX_TICK, 0) {
                Ok(_) => made += 1,
                Err(error) => break error,
            }
        };
        assert_eq!((made, error.clone()), (16_384, Error::SequenceExhausted { version }));
        assert_eq!(sequence.next(0, 0), Err(error), "it does not wrap");
    }
}

#[test]
fn a_clock_past_the_range_is_an_error_and_changes_nothing() {
    let mut sequence = Sequence::new(7);
    sequence.next(5, 0).unwrap();
    let before = sequence;
    assert_eq!(sequence.next(MAX_TICK + 1, 0), Err(Error::TimestampOutOfRange { version: 7 }));
    assert_eq!(sequence, before);
}

/// Another source has taken positions in the sequence's tick, a later one or an earlier one.
#[test]
fn a_sequence_goes_on_after_the_ticks_it_passes() {
    for (passed, next) in [(5, 6), (7, 8), (4, 5)] {
        let mut sequence = Sequence::new(7);
        let before = sequence.next(5, 0).unwrap();
        sequence.skip_past(passed);
        let after = sequence.next(5, 0).unwrap();
        assert_eq!(after.tick, next, "after passing {passed}");
        assert!(v7::at(before) < v7::at(after));
    }
}

#[test]
fn a_call_counter_takes_every_tick_of_the_range_and_none_past_it() {
    let mut counter = CallCounter::new(7);
    for tick in [0, MAX_TICK] {
        assert_eq!(counter.next(tick, 0).map(|position| position.tick), Ok(tick));
    }
    let before = counter;
    for tick in [MAX_TICK + 1, MAX_TICK + 2, u64::MAX] {
        assert_eq!(counter.next(tick, 0), Err(Error::TimestampOutOfRange { version: 7 }));
        assert_eq!(counter, before, "an error changes nothing");
    }
}

#[test]
fn a_new_tick_seeds_the_counter_below_its_guard_bit_and_the_random_tail_is_fresh() {
    let mut sequence = Sequence::new(7);
    let first = sequence.next(1, u64::MAX).unwrap();
    assert_eq!(first.tail, 8_191 << 48 | 0xffff_ffff_ffff);
    let second = sequence.next(1, 0x1234).unwrap();
    assert_eq!(second.tail, 8_192 << 48 | 0x1234);
}

#[test]
fn a_call_counter_begins_with_29_random_bits() {
    let mut counter = CallCounter::new(7);
    assert_eq!(counter.next(1, u64::MAX).unwrap().tail, ((1 << 29) - 1) << 32 | 0xffff_ffff);
    assert_eq!(counter.next(1, 0x1234).unwrap().tail, 1 << 29 << 32 | 0x1234);
}

#[test]
fn equal_instants_keep_the_order_of_their_calls_whatever_comes_between() {
    let calls = (any::<u64>(), prop::collection::vec(0..4_u64, 2..64));
    over_histories(100_000, &calls, |(seed, ticks)| {
        let mut counter = CallCounter::new(7);
        let mut random = Rng::with_seed(seed);
        let mut last = [None; 4];
        for tick in ticks {
            let position = counter.next(tick, random.u64(..)).unwrap();
            prop_assert_eq!(position.tick, tick, "time as given");
            let (uuid, of_v6) = (v7::at(position), v6::at(position));
            let slot = &mut last[usize::try_from(tick).unwrap()];
            if let Some((previous, previous_v6)) = *slot {
                prop_assert!(uuid > previous && of_v6 > previous_v6);
            }
            *slot = Some((uuid, of_v6));
        }
        Ok(())
    });
}

/// Makes as many calls as the greatest seed allows, more than 2^29, which takes some seconds with optimization.
#[test]
fn a_call_counter_that_is_full_is_seeded_anew_but_not_within_one_instant() {
    let mut counter = CallCounter::new(7);
    counter.next(1, u64::MAX).unwrap();
    let mut calls = 1_u64;
    let error = loop {
        match counter.next(1, 0) {
            Ok(_) => calls += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(calls, (1 << 29) + 1);
    assert_eq!(error, Error::SequenceExhausted { version: 7 });
    assert_eq!(counter.next(2, 7).unwrap().tail, 7);
}

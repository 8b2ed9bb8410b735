//! Random choices from a seed. UUIDRFC_DIFFERENTIAL_SEED sets the first seed, and UUIDRFC_DIFFERENTIAL_SECONDS the time of each
//! test.

use std::time::Duration;

fn from_environment(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Err(_) => default,
        Ok(value) => value.parse().unwrap_or_else(|error| panic!("{name}={value}: {error}")),
    }
}

/// Returns the time for which a test makes random choices, by default `default` seconds.
pub fn seconds(default: u64) -> Duration {
    Duration::from_secs(from_environment("UUIDRFC_DIFFERENTIAL_SECONDS", default))
}

/// Returns the first seed, which is the same in every run by default.
pub fn first_seed() -> u64 {
    from_environment("UUIDRFC_DIFFERENTIAL_SEED", 1)
}

/// The generator SplitMix64, which is small and yields the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        // The seed is mixed, because seeds that differ by the increment would otherwise yield the same numbers, shifted by one.
        Random(Random(seed).bits())
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub fn bytes(&mut self) -> u128 {
        u128::from(self.bits()) << 64 | u128::from(self.bits())
    }

    /// Returns a number less than `end`, which must not be 0.
    pub fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).expect("usize has 64 bits at most");
        usize::try_from(self.bits() % end).expect("less than a usize")
    }

    /// Returns a number from `first` to `last`, inclusive.
    pub fn between(&mut self, first: i64, last: i64) -> i64 {
        let span = u64::try_from(last - first).expect("first is not after last") + 1;
        first + i64::try_from(self.bits() % span).expect("less than the span")
    }

    pub fn percent(&mut self, percent: u64) -> bool {
        self.bits() % 100 < percent
    }

    /// Returns `None` with a probability of `percent` %, and the result of `make` otherwise.
    pub fn null_or<T>(&mut self, percent: u64, make: impl FnOnce(&mut Random) -> T) -> Option<T> {
        if self.percent(percent) { None } else { Some(make(self)) }
    }

    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }
}

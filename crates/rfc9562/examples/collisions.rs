//! Collisions between UUIDs of many nodes: `cargo run --release -p rfc9562 --example collisions`.
//!
//! 10,000 nodes each generate 10 million version 7 UUIDs per second, with one exact clock, for a day. These 8.64 * 10^15 UUIDs
//! are too many for one machine. Two UUIDs can be equal only if their ticks are equal (in scope `server`, their nanoseconds).
//! Collisions in different ticks are therefore independent, and short windows spread over the day are a sample of the day. With
//! all random bits, no feasible sample would have a collision, so the runs use fewer bits; everything else is the generator's own
//! arithmetic. The results are scaled to the whole day and all bits.
//!
//! The clock is virtual: each node generates a UUID every 100 ns, starting in the first 100 ns of each window.

use std::time::{Duration, Instant};

use fastrand::Rng;
use rfc9562::sequence::Sequence;
use rfc9562::{nanosecond, v7};

const NODES: usize = 10_000;
const RATE: u64 = 10_000_000;
const PERIOD: u64 = 1_000_000_000 / RATE;
const DAY: f64 = 86_400.0;
const DAY_NANOS: u64 = 86_400_000_000_000;
/// The length of a window in nanoseconds: exactly 64 ticks.
const WINDOW: u64 = 15_625;
/// 2026-01-01 in nanoseconds since 1970.
const START: u64 = 1_767_225_600_000_000_000;

/// Runs all nodes through the given number of windows, spread over the day. `make` gets the node, the clock and a random word,
/// and returns a UUID as a number. Returns the number of UUIDs, and the number of those that equal an earlier one.
fn run(windows: u64, rng: &mut Rng, mut make: impl FnMut(usize, u64, u64) -> u128) -> (u64, u64) {
    let (mut count, mut collisions) = (0, 0);
    // UUIDs of different windows do not collide.
    let mut made = Vec::new();
    for window in 0..windows {
        // Each window starts with a millisecond, and hence with a tick.
        let begin = START + DAY_NANOS / windows * window / 1_000_000 * 1_000_000;
        made.clear();
        for node in 0..NODES {
            let mut clock = begin + rng.u64(..) % PERIOD;
            while clock < begin + WINDOW {
                made.push(make(node, clock, rng.u64(..)));
                clock += PERIOD;
            }
        }
        made.sort_unstable();
        collisions += made.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
        count += made.len() as u64;
    }
    (count, collisions)
}

/// Returns the expected number of collisions in `seconds` seconds. Two UUIDs of different nodes in one slot of time are equal
/// with probability 2^-bits. The result assumes that all slots contain the same number of UUIDs and that collisions are rare.
fn expected(seconds: f64, slots_per_second: f64, bits: i32) -> f64 {
    let per_slot = 1e4 * 1e7 / slots_per_second;
    let pairs = per_slot * per_slot / 2.0 * (1.0 - 1.0 / 1e4);
    seconds * slots_per_second * pairs * 0.5_f64.powi(bits)
}

/// The predicted and the observed collisions of all runs of a scope.
#[derive(Default)]
struct Sum {
    predicted: f64,
    observed: u64,
}

impl Sum {
    /// Adds a run and prints it as a line.
    fn add(
        &mut self,
        scope: &str,
        bits: i32,
        windows: u64,
        slots_per_second: f64,
        (count, observed): (u64, u64),
        start: Instant,
    ) {
        let predicted = expected((windows * WINDOW) as f64 / 1e9, slots_per_second, bits);
        let took = start.elapsed();
        println!("{scope:<14} {bits:>11}  {windows:>7} {count:>13}  {predicted:>9.1}  {observed:>8}    ({took:.1?})");
        self.predicted += predicted;
        self.observed += observed;
    }

    /// Prints the expected collisions of the whole day with all bits: by the formula, and scaled by the ratio of observed to
    /// predicted collisions.
    fn day(&self, what: &str, slots_per_second: f64, bits: i32) {
        let predicted = expected(DAY, slots_per_second, bits);
        let observed = self.observed as f64;
        let scaled = predicted * observed / self.predicted;
        println!(
            "{what}: {predicted:.1} predicted, {scaled:.2} +- {:.2} by what was observed",
            scaled / observed.sqrt()
        );
    }
}

fn main() {
    const TICKS: f64 = 4_096_000.0;
    const NANOS: f64 = 1e9;
    let mut rng = Rng::with_seed(9562);
    let keep = |random: u64, bits: i32| random & !((1 << 48) - 1) | random & ((1 << bits) - 1);
    println!("{NODES} nodes, {RATE} UUIDs a second each, one exact clock, windows of 64 ticks spread over a day\n");
    println!("scope          random bits  windows         UUIDs  predicted  observed");
    let mut backend = Sum::default();
    for (bits, windows) in [(8, 8), (12, 16), (16, 32), (20, 64), (22, 64), (24, 256)] {
        let start = Instant::now();
        let mut sequences = vec![Sequence::new(7); NODES];
        let made = run(windows, &mut rng, |node, nanos, random| {
            let tick = v7::tick_from_clock(Duration::from_nanos(nanos)).expect("a time of this century");
            let position = sequences[node].next(tick, keep(random, bits)).expect("a time of this century");
            v7::at(position).to_u128()
        });
        backend.add("backend", 13 + bits, windows, TICKS, made, start);
    }
    let mut server = Sum::default();
    for (bits, windows) in [(14, 8), (17, 16), (20, 32), (23, 64)] {
        let start = Instant::now();
        let made = run(windows, &mut rng, |_, nanos, random| {
            let position = nanosecond::position_v7(nanos, random & ((1 << bits) - 1)).expect("a time of this century");
            v7::at(position).to_u128()
        });
        server.add("server", bits, windows, NANOS, made, start);
    }
    println!("\nof the whole day, {:.3e} UUIDs with all their random bits, collisions:", 1e11 * DAY);
    backend.day("scope backend, 61 bits in ticks of 1/4096 ms", TICKS, 61);
    server.day("scope server, 54 bits in nanoseconds", NANOS, 54);
}

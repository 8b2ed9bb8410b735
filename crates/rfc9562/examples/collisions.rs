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

/// Runs a generator with fewer random bits, given with the number of windows, and prints a line for each run. `generator` gets a
/// number of bits, and returns a function as for [`run`]. Returns the predicted and the observed collisions of all runs.
fn observe<G: FnMut(usize, u64, u64) -> u128>(
    scope: &str,
    slots_per_second: f64,
    runs: &[(i32, u64)],
    rng: &mut Rng,
    generator: impl Fn(i32) -> G,
) -> (f64, f64) {
    let (mut all_predicted, mut all_observed) = (0.0, 0.0);
    for &(bits, windows) in runs {
        let start = Instant::now();
        let (count, observed) = run(windows, rng, generator(bits));
        let predicted = expected((windows * WINDOW) as f64 / 1e9, slots_per_second, bits);
        let took = start.elapsed();
        println!("{scope:<14} {bits:>11}  {windows:>7} {count:>13}  {predicted:>9.1}  {observed:>8}    ({took:.1?})");
        all_predicted += predicted;
        all_observed += observed as f64;
    }
    (all_predicted, all_observed)
}

/// Prints the expected collisions of the whole day with all bits: by the formula, and scaled by the ratio of observed to predicted
/// collisions.
fn print_day(what: &str, slots_per_second: f64, bits: i32, (predicted, observed): (f64, f64)) {
    let of_day = expected(DAY, slots_per_second, bits);
    let scaled = of_day * observed / predicted;
    println!("{what}: {of_day:.1} predicted, {scaled:.2} +- {:.2} by what was observed", scaled / observed.sqrt());
}

fn main() {
    const TICKS: f64 = 4_096_000.0;
    const NANOS: f64 = 1e9;
    let mut rng = Rng::with_seed(9562);
    println!("{NODES} nodes, {RATE} UUIDs a second each, one exact clock, windows of 64 ticks spread over a day\n");
    println!("scope          random bits  windows         UUIDs  predicted  observed");
    let runs = [(21, 8), (25, 16), (29, 32), (33, 64), (35, 64), (37, 256)];
    let backend = observe("backend", TICKS, &runs, &mut rng, |bits| {
        let mut sequences = vec![Sequence::new(7); NODES];
        // The first 13 random bits, above 48 others, seed the counter.
        let kept = !((1 << 48) - 1) | ((1 << (bits - 13)) - 1);
        move |node, nanos, random| {
            let tick = v7::tick_from_clock(Duration::from_nanos(nanos)).expect("a time of this century");
            v7::at(sequences[node].next(tick, random & kept).expect("a time of this century")).to_u128()
        }
    });
    let runs = [(14, 8), (17, 16), (20, 32), (23, 64)];
    let server = observe("server", NANOS, &runs, &mut rng, |bits| {
        move |_, nanos, random| {
            let position = nanosecond::position_v7(nanos, random & ((1 << bits) - 1)).expect("a time of this century");
            v7::at(position).to_u128()
        }
    });
    println!("\nof the whole day, {:.3e} UUIDs with all their random bits, collisions:", 1e11 * DAY);
    print_day("scope backend, 61 bits in ticks of 1/4096 ms", TICKS, 61, backend);
    print_day("scope server, 54 bits in nanoseconds", NANOS, 54, server);
}

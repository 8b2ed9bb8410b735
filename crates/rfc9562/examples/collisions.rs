//! How many UUIDs of many nodes collide: `cargo run --release -p rfc9562 --example collisions`.
//!
//! 10,000 nodes make 10 million version 7 UUIDs a second each, by one exact clock, for a day: 8.64 * 10^15. No machine
//! makes them all. Two UUIDs can only be equal if their ticks are (or, in scope `server`, their nanoseconds), so ticks
//! are independent of each other, and a run of some ticks shows what all have in common. And with 48 random bits no run
//! that a machine can make sees a collision, so the runs keep fewer of them; everything else is the generator's own
//! arithmetic, and the formula that they agree with is then evaluated for all bits and the whole day.
//!
//! The clock is virtual: each node makes a UUID every 100 ns, beginning at a random nanosecond.

use std::time::{Duration, Instant};

use rfc9562::sequence::Sequence;
use rfc9562::{nanosecond, v7};

const NODES: usize = 10_000;
const RATE: u64 = 10_000_000;
const PERIOD: u64 = 1_000_000_000 / RATE;
const DAY: f64 = 86_400.0;
/// 2026-01-01 in nanoseconds since 1970.
const START: u64 = 1_767_225_600_000_000_000;

/// SplitMix64: good enough to draw lots, and the same on every run.
struct Lots(u64);

impl Lots {
    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }
}

/// A run of all nodes for so many microseconds. `make` is given the node, the clock and a random word, and returns a
/// UUID as a number. How many UUIDs there were, and how many equalled one before.
fn run(micros: u64, lots: &mut Lots, mut make: impl FnMut(usize, u64, u64) -> u128) -> (u64, u64) {
    let mut clocks: Vec<u64> = (0..NODES).map(|_| START + lots.draw() % PERIOD).collect();
    let (mut count, mut collisions) = (0, 0);
    // UUIDs of different ticks do not meet. 125 microseconds are 512 ticks, exactly.
    let mut made = Vec::new();
    let end = START + micros * 1_000;
    let mut step_end = START;
    while step_end < end {
        step_end = end.min(step_end + 125_000);
        made.clear();
        for (node, clock) in clocks.iter_mut().enumerate() {
            while *clock < step_end {
                made.push(make(node, *clock, lots.draw()));
                *clock += PERIOD;
            }
        }
        made.sort_unstable();
        collisions += made.windows(2).filter(|pair| pair[0] == pair[1]).count() as u64;
        count += made.len() as u64;
    }
    (count, collisions)
}

/// The collisions to expect in so many seconds: pairs of UUIDs of different nodes in one slot of time, each of which
/// is equal with probability 2^-bits. Exact for slots that all have the same share, and as long as collisions are rare.
fn expected(seconds: f64, slots_per_second: f64, bits: i32) -> f64 {
    let per_slot = 1e4 * 1e7 / slots_per_second;
    let pairs = per_slot * per_slot / 2.0 * (1.0 - 1.0 / 1e4);
    seconds * slots_per_second * pairs * 0.5_f64.powi(bits)
}

fn main() {
    let mut lots = Lots(9562);
    let keep = |random: u64, bits: i32| random & !((1 << 48) - 1) | random & ((1 << bits) - 1);
    println!("{NODES} nodes, {RATE} UUIDs a second each, one exact clock\n");
    println!("scope          random bits  time simulated         UUIDs  predicted  observed");
    for (bits, micros) in [(8, 125), (12, 250), (16, 500), (20, 1_000), (22, 1_000)] {
        let start = Instant::now();
        let mut sequences = vec![Sequence::new(7); NODES];
        let (count, observed) = run(micros, &mut lots, |node, nanos, random| {
            let tick = v7::tick_of_clock(Duration::from_nanos(nanos)).expect("a time of this century");
            let position = sequences[node].next(tick, keep(random, bits)).expect("a time of this century");
            v7::from_parts(position.tick, position.tail).to_u128()
        });
        line(
            "backend",
            13 + bits,
            micros,
            count,
            expected(micros as f64 / 1e6, 4_096_000.0, 13 + bits),
            observed,
            start,
        );
    }
    for (bits, micros) in [(14, 125), (17, 250), (20, 500)] {
        let start = Instant::now();
        let (count, observed) = run(micros, &mut lots, |_, nanos, random| {
            let position = nanosecond::position_v7(nanos, random & ((1 << bits) - 1)).expect("a time of this century");
            v7::from_parts(position.tick, position.tail).to_u128()
        });
        line("server", bits, micros, count, expected(micros as f64 / 1e6, 1e9, bits), observed, start);
    }
    println!("\nof the whole day, {:.3e} UUIDs with all their random bits, to be expected:", 1e11 * DAY);
    println!("scope backend, 61 bits in ticks of 1/4096 ms: {:.1} collisions", expected(DAY, 4_096_000.0, 61));
    println!("scope server,  54 bits in nanoseconds:        {:.1} collisions", expected(DAY, 1e9, 54));
}

fn line(scope: &str, bits: i32, micros: u64, count: u64, predicted: f64, observed: u64, start: Instant) {
    let took = start.elapsed();
    println!("{scope:<14} {bits:>11}  {micros:>11} us {count:>13}  {predicted:>9.1}  {observed:>8}    ({took:.1?})");
}

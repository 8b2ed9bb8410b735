//! Benchmarks of the crate without a server: `cargo bench -p rfc9562`.
//!
//! The clock is simulated, so that a tick passes for every few values, and a counter replaces randomness.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use rfc9562::name::Namespace;
use rfc9562::seal::Sealer;
use rfc9562::sequence::Sequence;
use rfc9562::text::Format;
use rfc9562::{Uuid, nanosecond, time, v1, v5, v6, v7};

fn main() {
    divan::main();
}

const VALUES: usize = 1_000;

/// Runs a generator a thousand times with a clock that moves 25 ns for each value.
fn generate(bencher: Bencher<'_, '_>, mut next: impl FnMut(Duration, u64) -> Uuid) {
    let mut nanos = 1_700_000_000_000_000_000_u64;
    bencher.counter(ItemsCount::new(VALUES)).bench_local(|| {
        for _ in 0..VALUES {
            nanos += 25;
            black_box(next(Duration::from_nanos(nanos), nanos.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        }
    });
}

#[divan::bench]
fn generate_v7(bencher: Bencher<'_, '_>) {
    let mut sequence = Sequence::new(7);
    generate(bencher, |clock, random| v7::at(sequence.next(v7::tick_from_clock(clock).unwrap(), random).unwrap()));
}

#[divan::bench]
fn generate_v6(bencher: Bencher<'_, '_>) {
    let mut sequence = Sequence::new(6);
    generate(bencher, |clock, random| v6::at(sequence.next(v6::tick_from_clock(clock).unwrap(), random).unwrap()));
}

#[divan::bench]
fn generate_v1(bencher: Bencher<'_, '_>) {
    let mut sequence = Sequence::new(6);
    generate(bencher, |clock, random| v1::at(sequence.next(v6::tick_from_clock(clock).unwrap(), random).unwrap()));
}

#[divan::bench]
fn generate_v7_of_a_nanosecond(bencher: Bencher<'_, '_>) {
    generate(bencher, |clock, random| {
        let nanos = u64::try_from(clock.as_nanos()).unwrap();
        let position = nanosecond::position_v7(nanos, random).unwrap();
        v7::at(position)
    });
}

const SAMPLE: Uuid = Uuid::from_u128(0x017f22e2_79b0_7cc3_98c4_dc0c0c07398f);

#[divan::bench]
fn extract_time() -> Option<time::UnixMicros> {
    time::extract(black_box(SAMPLE))
}

#[divan::bench(args = [18, 256, 65_536])]
fn name_v5(bencher: Bencher<'_, '_>, length: usize) {
    let name = vec![b'n'; length];
    let dns = Namespace::Dns.id();
    bencher.bench(|| v5::from_name(dns, black_box(&name)));
}

#[divan::bench(args = Format::NAMES)]
fn encode(bencher: Bencher<'_, '_>, name: &str) {
    let format: Format = name.parse().unwrap();
    bencher.bench(|| format.encode(black_box(SAMPLE)));
}

#[divan::bench(args = Format::NAMES)]
fn decode(bencher: Bencher<'_, '_>, name: &str) {
    let format: Format = name.parse().unwrap();
    let text = format.encode(SAMPLE);
    bencher.bench(|| format.decode(black_box(text.as_bytes())));
}

#[divan::bench]
fn sealer_of_key() -> Sealer {
    Sealer::new(black_box(&[0x2a; 32])).unwrap()
}

#[divan::bench]
fn seal(bencher: Bencher<'_, '_>) {
    let sealer = sealer_of_key();
    bencher.bench(|| sealer.seal(black_box(SAMPLE)));
}

#[divan::bench]
fn unseal(bencher: Bencher<'_, '_>) {
    let sealer = sealer_of_key();
    let sealed = sealer.seal(SAMPLE).unwrap();
    bencher.bench(|| sealer.unseal(black_box(sealed)));
}

/// FF1 of the crate `fpe`, which supports any radix and length.
#[divan::bench]
fn seal_by_fpe(bencher: Bencher<'_, '_>) {
    use fpe::ff1::{FF1, FlexibleNumeralString};

    let ff1 = FF1::<aes::Aes256>::new(&[0x2a; 32], 2).unwrap();
    let bits = FlexibleNumeralString::from(vec![1; 122]);
    bencher.bench(|| ff1.encrypt(&[], black_box(&bits)));
}

//! Random and mutated texts for the decoders: a short run with the other tests, and a long one by `make fuzz`.
//!
//! `FUZZ_INPUTS` and `FUZZ_SEED` change the size and the start of the long run.

mod splitmix64;
mod text_oracle;

use std::time::Instant;

use rfc9562::Uuid;
use rfc9562::text::Format;
use splitmix64::Lots;
use text_oracle::{ALPHABETS, Verdicts, check};

#[test]
fn short() {
    let verdicts = run(0, 100_000, |_, _| ());
    assert!(verdicts.accepted > 20_000 && verdicts.overflow > 2_000, "{verdicts:?}");
}

#[test]
#[ignore = "takes minutes: make fuzz"]
fn long() {
    let number = |name, default| match std::env::var(name) {
        Ok(value) => value.parse().unwrap_or_else(|_| panic!("{name} is no number: {value}")),
        Err(_) => default,
    };
    let inputs = number("FUZZ_INPUTS", 100_000_000);
    let seed = number("FUZZ_SEED", 1);
    let start = Instant::now();
    println!("{inputs} texts, each for {} decoders, from seed {seed}", Format::ALL.len());
    let verdicts = run(seed, inputs, |done, verdicts| {
        if done % 10_000_000 == 0 || done == inputs {
            println!("{done:>12} texts {:>6.0} s  {verdicts:?}", start.elapsed().as_secs_f64());
        }
    });
    assert!(verdicts.accepted > 0 && verdicts.syntax > 0 && verdicts.overflow > 0);
}

fn run(seed: u64, inputs: u64, mut report: impl FnMut(u64, &Verdicts)) -> Verdicts {
    let mut random = Random(Lots(seed));
    let mut total = Verdicts::default();
    let mut text = Vec::new();
    for done in 1..=inputs {
        write_text(&mut random, &mut text);
        let verdicts = check(&text);
        total.accepted += verdicts.accepted;
        total.syntax += verdicts.syntax;
        total.overflow += verdicts.overflow;
        report(done, &total);
    }
    total
}

/// The alphabets from which texts are made.
struct Random(Lots);

impl Random {
    fn next(&mut self) -> u64 {
        self.0.draw()
    }

    /// A number below the bound, which is small.
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("below a usize")
    }

    fn byte(&mut self) -> u8 {
        self.next().to_be_bytes()[0]
    }

    fn of(&mut self, bytes: &[u8]) -> u8 {
        bytes[self.below(bytes.len())]
    }
}

fn alphabet(random: &mut Random) -> &'static [u8] {
    ALPHABETS[random.below(ALPHABETS.len())]
}

fn write_text(random: &mut Random, text: &mut Vec<u8>) {
    text.clear();
    match random.below(16) {
        0 => {
            for _ in 0..random.below(64) {
                text.push(random.byte());
            }
        }
        // Digits of one alphabet, in the width of some format: numbers on both sides of 128 bits.
        1 => {
            let alphabet = alphabet(random);
            let width = Format::ALL[random.below(Format::ALL.len())].encode(Uuid::MAX).len();
            for _ in 0..width {
                text.push(random.of(alphabet));
            }
        }
        _ => {
            let format = Format::ALL[random.below(Format::ALL.len())];
            text.extend_from_slice(format.encode(uuid(random)).as_bytes());
            for _ in 0..random.below(4) {
                mutate(random, text);
            }
        }
    }
}

/// Often near one end of the range, where forms have leading zeros and where they overflow.
fn uuid(random: &mut Random) -> Uuid {
    let number = u128::from(random.next()) << 64 | u128::from(random.next());
    let small = number >> random.below(128);
    Uuid::from_u128(match random.below(4) {
        0 => small,
        1 => !small,
        _ => number,
    })
}

fn mutate(random: &mut Random, text: &mut Vec<u8>) {
    let place = random.below(text.len() + 1);
    let byte = match random.below(4) {
        0 => random.byte(),
        1 => random.of(b" -+=_:.{}0oOiIlL\0\n"),
        _ => {
            let alphabet = alphabet(random);
            random.of(alphabet)
        }
    };
    let Some(there) = text.get(place).copied() else {
        text.push(byte);
        return;
    };
    match random.below(10) {
        0 => text.insert(place, byte),
        1 => drop(text.remove(place)),
        2 => text[place] = byte,
        3 => text[place] = there ^ b' ',
        4 => text[place] = there.wrapping_add(1),
        5 => text.make_ascii_uppercase(),
        6 => text.make_ascii_lowercase(),
        7 => text.truncate(text.len() - place.min(6)),
        8 => text.swap(0, place),
        // A larger first digit, after a prefix if there is one.
        _ => {
            let first = if text.starts_with(b"2.25.") { 5 } else { 0 };
            if let Some(digit) = text.get_mut(first) {
                *digit = byte;
            }
        }
    }
}

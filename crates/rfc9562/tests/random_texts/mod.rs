//! Random texts and changes of them, for readers of texts: a short run among the tests, and a long one by `make fuzz`.
//!
//! `FUZZ_INPUTS` and `FUZZ_SEED` change the size and the start of the long run.

#[path = "../splitmix64/mod.rs"]
mod splitmix64;

use std::fmt::Debug;
use std::time::Instant;

use splitmix64::Lots;

/// Random choices.
#[derive(Debug)]
pub struct Random(Lots);

impl Random {
    /// 64 random bits.
    pub fn next(&mut self) -> u64 {
        self.0.draw()
    }

    /// A number below the bound, which is small.
    pub fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).expect("below a usize")
    }

    /// Any octet.
    pub fn byte(&mut self) -> u8 {
        self.next().to_be_bytes()[0]
    }

    /// One of these.
    pub fn of<T: Copy>(&mut self, these: &[T]) -> T {
        these[self.below(these.len())]
    }
}

/// Draws so many texts from a seed. `one` draws and judges a text, and counts its verdicts; `report` gets the counts after each.
pub fn run<V: Default>(
    seed: u64,
    inputs: u64,
    mut one: impl FnMut(&mut Random, &mut V),
    mut report: impl FnMut(u64, &V),
) -> V {
    let mut random = Random(Lots(seed));
    let mut total = V::default();
    for done in 1..=inputs {
        one(&mut random, &mut total);
        report(done, &total);
    }
    total
}

/// The long run of what takes so many times as long as a text for the decoders.
pub fn long<V: Debug + Default>(times_as_long: u64, one: impl FnMut(&mut Random, &mut V)) -> V {
    let number = |name, default| match std::env::var(name) {
        Ok(value) => value.parse().unwrap_or_else(|_| panic!("{name} is no number: {value}")),
        Err(_) => default,
    };
    let inputs = number("FUZZ_INPUTS", 100_000_000) / times_as_long;
    let seed = number("FUZZ_SEED", 1);
    let start = Instant::now();
    println!("{inputs} texts from seed {seed}");
    run(seed, inputs, one, |done, total| {
        if done % (inputs / 10).max(1) == 0 {
            println!("{done:>12} texts {:>6.0} s  {total:?}", start.elapsed().as_secs_f64());
        }
    })
}

/// Changes a text in one place, or in its case. What comes in is mostly a digit of an alphabet, or a mark.
pub fn mutate(random: &mut Random, text: &mut Vec<u8>, alphabets: &[&[u8]], marks: &[u8]) {
    let byte = match random.below(4) {
        0 => random.byte(),
        1 => random.of(marks),
        _ => {
            let alphabet = random.of(alphabets);
            random.of(alphabet)
        }
    };
    let place = random.below(text.len() + 1);
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

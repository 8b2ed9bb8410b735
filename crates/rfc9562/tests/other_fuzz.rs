//! Random and mutated texts for the readers of other systems' ids, in two sizes: a short run among the tests, and by `make fuzz`
//! a long one.
//!
//! `FUZZ_INPUTS` and `FUZZ_SEED` change the size and the start of the long run.

mod other_oracle;
mod splitmix64;

use std::time::Instant;

use other_oracle::{ALPHABETS, check, shape};
use rfc9562::other::{IdError, System};
use splitmix64::Lots;

#[test]
fn short() {
    let [accepted, refused, range] = run(0, 20_000, |_, _| ());
    assert!(accepted > 20_000 && refused > 100_000 && range > 1_000, "{accepted} {refused} {range}");
}

#[test]
#[ignore = "takes minutes: make fuzz"]
fn long() {
    let number = |name, default| match std::env::var(name) {
        Ok(value) => value.parse().unwrap_or_else(|_| panic!("{name} is no number: {value}")),
        Err(_) => default,
    };
    let inputs = number("FUZZ_INPUTS", 100_000_000) / 20;
    let seed = number("FUZZ_SEED", 1);
    let start = Instant::now();
    println!("{inputs} texts, each for {} systems, from seed {seed}", System::ALL.len());
    let verdicts = run(seed, inputs, |done, verdicts| {
        if done % 1_000_000 == 0 || done == inputs {
            println!("{done:>12} texts {:>6.0} s  {verdicts:?}", start.elapsed().as_secs_f64());
        }
    });
    assert!(verdicts.iter().all(|count| *count > 0));
}

/// How many texts were accepted, refused, and too large.
fn run(seed: u64, inputs: u64, mut report: impl FnMut(u64, &[u64; 3])) -> [u64; 3] {
    let mut random = Random(Lots(seed));
    let mut total = [0; 3];
    for done in 1..=inputs {
        let text = text(&mut random);
        for &system in System::ALL {
            total[match check(system, &text) {
                None => 0,
                Some(IdError::Range) => 2,
                Some(_) => 1,
            }] += 1;
        }
        report(done, &total);
    }
    total
}

struct Random(Lots);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.0.draw() % bound as u64).expect("below a usize")
    }

    fn byte(&mut self) -> u8 {
        match self.below(4) {
            0 => self.0.draw().to_be_bytes()[0],
            1 => b" -+=_.~x{}0oOiIlL\0\n"[self.below(19)],
            _ => {
                let alphabet = ALPHABETS[self.below(ALPHABETS.len())];
                alphabet[self.below(alphabet.len())]
            }
        }
    }
}

fn text(random: &mut Random) -> Vec<u8> {
    let system = System::ALL[random.below(System::ALL.len())];
    let (time, rest) = (random.0.draw(), u128::from(random.0.draw()) << 64 | u128::from(random.0.draw()));
    let (time, rest) = (time >> random.below(64), rest >> random.below(128));
    let (time, rest) = if random.below(4) == 0 { (!time, !rest) } else { (time, rest) };
    let mut text = shape(system, time, rest).into_bytes();
    if random.below(16) == 0 {
        let alphabet = ALPHABETS[random.below(ALPHABETS.len())];
        text.iter_mut().for_each(|byte| *byte = alphabet[random.below(alphabet.len())]);
    }
    for _ in 0..random.below(4) {
        let place = random.below(text.len() + 1);
        let byte = random.byte();
        let Some(there) = text.get(place).copied() else {
            text.push(byte);
            continue;
        };
        match random.below(9) {
            0 => text.insert(place, byte),
            1 => drop(text.remove(place)),
            2 => text[place] = byte,
            3 => text[place] = there ^ b' ',
            4 => text[place] = there.wrapping_add(1),
            5 => text.make_ascii_uppercase(),
            6 => text.make_ascii_lowercase(),
            7 => text.swap(0, place),
            _ => text[0] = byte,
        }
    }
    text
}

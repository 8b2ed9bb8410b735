//! Random and mutated texts for the readers of other systems' ids.

mod other_oracle;
mod random_texts;

use other_oracle::{ALPHABETS, check, shape};
use random_texts::{Random, mutate};
use rfc9562::other::{IdError, System};

#[test]
fn short() {
    let [accepted, refused, range] = random_texts::run(0, 20_000, one, |_, _| ());
    assert!(accepted > 20_000 && refused > 100_000 && range > 1_000, "{accepted} {refused} {range}");
}

#[test]
#[ignore = "takes minutes: make fuzz"]
fn long() {
    let verdicts = random_texts::long(20, one);
    assert!(verdicts.iter().all(|count| *count > 0));
}

/// Gives a text to the reader of every system: how many accepted it, refused it, and found it too large.
fn one(random: &mut Random, total: &mut [u64; 3]) {
    let text = text(random);
    for &system in System::ALL {
        total[match check(system, &text) {
            None => 0,
            Some(IdError::Range) => 2,
            Some(_) => 1,
        }] += 1;
    }
}

fn text(random: &mut Random) -> Vec<u8> {
    let system = random.of(System::ALL);
    let (time, rest) = (random.next(), u128::from(random.next()) << 64 | u128::from(random.next()));
    let (time, rest) = (time >> random.below(64), rest >> random.below(128));
    let (time, rest) = if random.below(4) == 0 { (!time, !rest) } else { (time, rest) };
    let mut text = shape(system, time, rest).into_bytes();
    if random.below(16) == 0 {
        let alphabet = random.of(&ALPHABETS);
        text.iter_mut().for_each(|byte| *byte = random.of(alphabet));
    }
    for _ in 0..random.below(4) {
        mutate(random, &mut text, &ALPHABETS, b" -+=_.~x{}0oOiIlL\0\n");
    }
    text
}

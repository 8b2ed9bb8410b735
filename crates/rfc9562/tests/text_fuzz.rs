//! Random and mutated texts for the decoders.

mod random_texts;
mod text_oracle;

use random_texts::{Random, mutate};
use rfc9562::Uuid;
use rfc9562::text::Format;
use text_oracle::{ALPHABETS, Verdicts, check};

#[test]
fn short() {
    let verdicts = random_texts::run(0, 100_000, one, |_, _| ());
    assert!(verdicts.accepted > 20_000 && verdicts.overflow > 2_000, "{verdicts:?}");
}

#[test]
#[ignore = "takes minutes: make fuzz"]
fn long() {
    let verdicts = random_texts::long(1, one);
    assert!(verdicts.accepted > 0 && verdicts.syntax > 0 && verdicts.overflow > 0);
}

/// Gives a text to every decoder.
fn one(random: &mut Random, total: &mut Verdicts) {
    let verdicts = check(&text(random));
    total.accepted += verdicts.accepted;
    total.syntax += verdicts.syntax;
    total.overflow += verdicts.overflow;
}

fn text(random: &mut Random) -> Vec<u8> {
    match random.below(16) {
        0 => (0..random.below(64)).map(|_| random.byte()).collect(),
        // Digits of one alphabet, in the width of some format: numbers on both sides of 128 bits.
        1 => {
            let alphabet = random.of(&ALPHABETS);
            let width = random.of(Format::ALL).encode(Uuid::MAX).len();
            (0..width).map(|_| random.of(alphabet)).collect()
        }
        _ => {
            let mut text = random.of(Format::ALL).encode(uuid(random)).into_bytes();
            for _ in 0..random.below(4) {
                mutate(random, &mut text, &ALPHABETS, b" -+=_:.{}0oOiIlL\0\n");
            }
            text
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

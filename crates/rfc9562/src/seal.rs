//! Hides the time of version 7 UUIDs from anyone without the key, by a keyed permutation of the 122 bits other than version
//! and variant. Without the key, a sealed UUID is indistinguishable from a random version 4 UUID.
//!
//! ```text
//! high (48) | ver 7 (4) | mid (12) | var (2) | low (62)
//! A: the first 61 bits of high, mid and low; B: the last 61 bits of low
//! 10 rounds: A, B  <-  B, (A + F(round, B)) mod 2^61
//! high (48) | ver 4 (4) | mid (12) | var (2) | low (62), from A and B
//! ```
//!
//! The construction is FF1 of NIST SP 800-38G with AES-256, radix 2, numeral strings of length 122 and an empty tweak. With these
//! parameters, its steps (section 5, algorithm 7) are as follows:
//!
//! - 1, 2: the halves have `u = v = 61` bits, so each fits into one 64-bit word
//! - 3: `b = ceil(61 / 8) = 8` bytes hold a half
//! - 4: `d = 4 * ceil(b / 4) + 4 = 12` bytes of a round's output are added to a half
//! - 5: the block `P` encodes the parameters and is the same for all UUIDs
//! - 6: the block `Q` of a round is 7 zero bytes, the round and the 8 bytes of a half; `R` is the CBC-MAC of `P || Q`; because `P`
//!   never changes, each round needs only one AES call
//!
//! AES only encrypts, even for unsealing.

mod key_file;

use core::fmt;

use aes::Aes256Enc;
use aes::cipher::consts::U16;
use aes::cipher::{Block, BlockCipherEncBackend, BlockCipherEncClosure, BlockCipherEncrypt, BlockSizeUser, KeyInit};
use zeroize::Zeroizing;

use crate::{Error, Uuid};

pub use key_file::{KeyFileError, Keys};

/// The length of a key in bytes.
pub const KEY_LENGTH: usize = 32;

/// A prepared key, which is wiped from memory when dropped and does not appear in `Debug` output.
pub struct Sealer {
    aes: Aes256Enc,
    /// The state of the CBC-MAC after `P`.
    chain: Zeroizing<u128>,
}

/// The number of rounds of the Feistel network (SP 800-38G, algorithm 7, step 6).
const ROUNDS: u8 = 10;

/// The number of bits in a half.
const HALF: u32 = 61;
const MASK: u64 = (1 << HALF) - 1;

/// The block `P`: version, method, addition; the radix in 3 bytes; the number of rounds; the length of the left half; the lengths
/// of the whole and of the tweak in 4 bytes each (SP 800-38G, algorithm 7, step 5).
const P: [u8; 16] = [1, 2, 1, 0, 0, 2, ROUNDS, 61, 0, 0, 0, 122, 0, 0, 0, 0];

impl Sealer {
    /// Prepares a key, which must consist of [`KEY_LENGTH`] random bytes.
    pub fn new(key: &[u8]) -> Result<Sealer, Error> {
        let aes = Aes256Enc::new_from_slice(key).map_err(|_| Error::KeyLength { length: key.len() })?;
        let mut chain = P.into();
        aes.encrypt_block(&mut chain);
        Ok(Sealer { aes, chain: Zeroizing::new(u128::from_be_bytes(chain.into())) })
    }

    /// Seals a version 7 UUID as a version 4 UUID. The mapping is one-to-one.
    pub fn seal(&self, uuid: Uuid) -> Result<Uuid, Error> {
        let (a, b) = self.run(Direction::Seal, halves(uuid, 7)?);
        Ok(joined(4, a, b))
    }

    /// Returns the version 7 UUID that was sealed as the given version 4 UUID. If the latter was not sealed with this key, the
    /// result is arbitrary.
    pub fn unseal(&self, uuid: Uuid) -> Result<Uuid, Error> {
        let (a, b) = self.run(Direction::Unseal, halves(uuid, 4)?);
        Ok(joined(7, a, b))
    }

    fn run(&self, direction: Direction, mut halves: (u64, u64)) -> (u64, u64) {
        self.aes.encrypt_with_backend(Rounds { direction, halves: &mut halves, chain: *self.chain });
        halves
    }
}

#[derive(Clone, Copy)]
enum Direction {
    Seal,
    Unseal,
}

/// The ten rounds, run in a single call into AES. With a call for each block, AES would load its round keys into the processor's
/// registers each time, which takes four times as long as encrypting the block.
struct Rounds<'a> {
    direction: Direction,
    halves: &'a mut (u64, u64),
    chain: u128,
}

impl BlockSizeUser for Rounds<'_> {
    type BlockSize = U16;
}

impl BlockCipherEncClosure for Rounds<'_> {
    #[inline(always)]
    fn call<Aes: BlockCipherEncBackend<BlockSize = U16>>(self, aes: &Aes) {
        // Returns the number that a round adds to a half; 61 bits of the sum are kept. Because 2^61 divides 2^64, the last 8 of
        // the number's 12 bytes suffice, and sums may wrap.
        let of_round = |round: u8, half: u64| {
            let q = u128::from(round) << 64 | u128::from(half);
            let mut block: Block<Aes256Enc> = (self.chain ^ q).to_be_bytes().into();
            aes.encrypt_block((&mut block).into());
            let [_, _, _, _, word @ .., _, _, _, _]: [u8; 16] = block.into();
            u64::from_be_bytes(word)
        };
        let (mut a, mut b) = *self.halves;
        match self.direction {
            Direction::Seal => {
                for round in 0..ROUNDS {
                    (a, b) = (b, a.wrapping_add(of_round(round, b)) & MASK);
                }
            }
            Direction::Unseal => {
                for round in (0..ROUNDS).rev() {
                    (a, b) = (b.wrapping_sub(of_round(round, a)) & MASK, a);
                }
            }
        }
        *self.halves = (a, b);
    }
}

fn halves(uuid: Uuid, version: u8) -> Result<(u64, u64), Error> {
    if uuid.version() != Some(version) {
        return Err(Error::NotOfVersion { uuid, version });
    }
    let (high_and_mid, low) = (uuid.high_and_mid(), uuid.low());
    // `low` has one bit more than a half.
    Ok((high_and_mid << 1 | low >> HALF, low & MASK))
}

fn joined(version: u8, a: u64, b: u64) -> Uuid {
    Uuid::stamped(version, a >> 1, (a & 1) << HALF | b)
}

impl fmt::Debug for Sealer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sealer").finish_non_exhaustive()
    }
}

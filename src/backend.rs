//! What a backend has and the core has not: a clock, randomness, and the state of its generators.
//!
//! State is per backend and lives in memory that starts zeroed, so loading the library does nothing. A process forked
//! from one that generated (a library in `shared_preload_libraries`) sees another process id and starts anew.

use std::cell::UnsafeCell;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use pgrx::pg_sys;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::*;
use rfc9562::sequence::{Ordinal, Sequence};
use zeroize::{Zeroize, Zeroizing};

use crate::datum::{raise, report};

/// What a backend remembers between calls.
pub struct Generator {
    /// The process this state belongs to; 0 before first use.
    process: i32,
    entropy: Entropy,
    /// Of [`crate::generate`]'s v7.
    pub v7: Sequence,
    /// Of v6 and v1, which are two spellings of the same sequence.
    pub gregorian: Sequence,
    /// Of v7 stamped with a given instant.
    pub v7_at: Ordinal,
    /// Of v6 stamped with a given instant.
    pub v6_at: Ordinal,
}

impl Generator {
    const fn new() -> Generator {
        Generator {
            process: 0,
            entropy: Entropy::new(),
            v7: Sequence::new(7),
            gregorian: Sequence::new(6),
            v7_at: Ordinal::new(7),
            v6_at: Ordinal::new(6),
        }
    }

    /// 64 fresh random bits.
    #[inline]
    pub fn random(&mut self) -> Result<u64, Failure> {
        self.entropy.take()
    }

    /// 128 fresh random bits.
    #[inline]
    pub fn random_pair(&mut self) -> Result<(u64, u64), Failure> {
        Ok((self.entropy.take()?, self.entropy.take()?))
    }
}

struct PerBackend(UnsafeCell<Generator>);

// SAFETY: PostgreSQL's backends run SQL functions on one thread only, and this static is private to this file.
#[allow(unsafe_code)]
unsafe impl Sync for PerBackend {}

static GENERATOR: PerBackend = PerBackend(UnsafeCell::new(Generator::new()));

/// Runs with this backend's generator.
#[inline]
#[allow(unsafe_code)]
pub fn with_generator<T>(run: impl FnOnce(&mut Generator) -> T) -> T {
    // SAFETY: the backend has one thread, `run` receives no way back into this function (it is given the core and this
    // file only), and no signal handler of PostgreSQL calls SQL functions. So the borrow is unique.
    let generator = unsafe { &mut *GENERATOR.0.get() };
    // SAFETY: PostgreSQL sets its process id at the start of each process, before any SQL runs.
    let process = unsafe { pg_sys::MyProcPid };
    if generator.process != process {
        generator.entropy.wipe();
        *generator = Generator { process, ..Generator::new() };
    }
    run(generator)
}

/// Why a generator cannot generate. Nothing was handed out and no state changed but discarded randomness.
#[derive(Debug)]
pub enum Failure {
    /// The core refused.
    Core(rfc9562::Error),
    /// The operating system gave no randomness.
    Entropy(getrandom::Error),
    /// The clock shows a time before 1970.
    Clock,
}

impl From<rfc9562::Error> for Failure {
    fn from(error: rfc9562::Error) -> Failure {
        Failure::Core(error)
    }
}

impl Failure {
    /// Reports to PostgreSQL with SQLSTATE 58000 (`system_error`), or as the core's errors are.
    #[cold]
    pub fn report(self) -> ! {
        let message = match self {
            Failure::Core(error) => report(&error),
            Failure::Entropy(error) => {
                format!("could not obtain randomness from the operating system: {error}")
            }
            Failure::Clock => "the system clock shows a time before 1970-01-01".to_owned(),
        };
        raise(ErrorReport::new(PgSqlErrorCode::ERRCODE_SYSTEM_ERROR, message, "uuidrfc"))
    }
}

/// The time of the system's clock since 1970-01-01 00:00:00 UTC.
#[inline]
pub fn clock() -> Result<Duration, Failure> {
    SystemTime::now().duration_since(UNIX_EPOCH).map_err(|_| Failure::Clock)
}

/// Words of randomness bought at a time: 4 KiB.
const WORDS: usize = 512;

/// Randomness bought in bulk: each block is the ChaCha20 key stream of a key that the operating system gave for this
/// block alone and that is forgotten at once. Words handed out are wiped, so what a backend's memory holds tells
/// nothing of UUIDs it made (RFC 9562, section 6.9).
struct Entropy {
    words: [u64; WORDS],
    /// How many words are left; those behind them are used up and zero. (So zeroed memory means "none left".)
    left: usize,
}

impl Entropy {
    const fn new() -> Entropy {
        Entropy { words: [0; WORDS], left: 0 }
    }

    #[inline]
    fn take(&mut self) -> Result<u64, Failure> {
        if self.left == 0 {
            self.refill()?;
        }
        // `left` is within the block: it starts at its length and is counted down to 0.
        self.left = (self.left - 1) % WORDS;
        let slot = &mut self.words[self.left];
        let word = *slot;
        slot.zeroize();
        Ok(word)
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> Result<(), Failure> {
        let mut key = Zeroizing::new([0; 32]);
        getrandom::fill(&mut *key).map_err(Failure::Entropy)?;
        let mut stream = Zeroizing::new([0; WORDS * size_of::<u64>()]);
        // The key stream is added to zeros. The nonce may be constant: no key is used twice.
        ChaCha20::new((&*key).into(), &Default::default()).apply_keystream(&mut *stream);
        let (words, _) = stream.as_chunks();
        for (word, octets) in self.words.iter_mut().zip(words) {
            *word = u64::from_ne_bytes(*octets);
        }
        self.left = WORDS;
        Ok(())
    }

    fn wipe(&mut self) {
        self.words.zeroize();
        self.left = 0;
    }
}

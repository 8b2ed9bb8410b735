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
    /// Of the v7 of draft-02 stamped with a given instant.
    pub v7_draft_02_at: Ordinal,
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
            v7_draft_02_at: Ordinal::new(7),
            v6_at: Ordinal::new(6),
        }
    }

    /// 64 fresh random bits.
    #[inline]
    pub fn random(&mut self) -> Result<u64, Failure> {
        self.entropy.take().map(u64::from_ne_bytes)
    }

    /// 128 fresh random bits.
    #[inline]
    pub fn random_octets(&mut self) -> Result<[u8; 16], Failure> {
        self.entropy.take()
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

const BLOCK: usize = 4096;

/// Randomness bought in bulk: each block is the ChaCha20 key stream of a key that the operating system gave for this
/// block alone and that is forgotten at once. Octets handed out are wiped, so what a backend's memory holds tells
/// nothing of UUIDs it made (RFC 9562, section 6.9).
struct Entropy {
    /// Octets before `used` are zero.
    block: [u8; BLOCK],
    /// How many octets of the block are used up, counted from its end so that zeroed memory means "none left".
    left: usize,
}

impl Entropy {
    const fn new() -> Entropy {
        Entropy { block: [0; BLOCK], left: 0 }
    }

    #[inline]
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Failure> {
        if self.left < N {
            self.refill()?;
        }
        let mut octets = [0; N];
        let start = BLOCK - self.left;
        let source = &mut self.block[start..start + N];
        octets.copy_from_slice(source);
        source.zeroize();
        self.left -= N;
        Ok(octets)
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> Result<(), Failure> {
        let mut key = Zeroizing::new([0; 32]);
        getrandom::fill(&mut *key).map_err(Failure::Entropy)?;
        self.wipe();
        // The key stream is added to zeros. The nonce may be constant: no key is used twice.
        ChaCha20::new((&*key).into(), &Default::default()).apply_keystream(&mut self.block);
        self.left = BLOCK;
        Ok(())
    }

    fn wipe(&mut self) {
        self.block.zeroize();
        self.left = 0;
    }
}

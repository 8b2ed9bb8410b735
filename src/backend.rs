//! What a backend has and the core has not: a clock, randomness, and the state of its generators.
//!
//! State is per backend and lives in memory that starts zeroed, so loading the library does nothing. A process forked
//! from one that generated (a library in `shared_preload_libraries`) sees another process id and starts anew.

use std::cell::UnsafeCell;
use std::io;
use std::time::Duration;

use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use pgrx::pg_sys;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::*;
use rfc9562::sequence::{Ordinal, Position, Sequence};
use rfc9562::{nanosecond, v6, v7};
use zeroize::{Zeroize, Zeroizing};

use crate::datum::{raise, report};
use crate::server_scope;

/// What a backend remembers between calls.
pub struct Generator {
    /// The process this state belongs to; 0 before first use.
    process: i32,
    entropy: Entropy,
    /// Of v7.
    v7: Sequence,
    /// Of v6 and v1, which are two spellings of the same sequence.
    gregorian: Sequence,
    /// The last nanosecond that a value of scope `server` took here; 0 once the session goes on by itself.
    shared: u64,
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
            shared: 0,
            v7_at: Ordinal::new(7),
            v7_draft_02_at: Ordinal::new(7),
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
    // SAFETY: the backend has one thread, `run` never calls `with_generator` again (it reaches only the core, this file and
    // server_scope), and no signal handler of PostgreSQL calls SQL functions. So the borrow is unique.
    let generator = unsafe { &mut *GENERATOR.0.get() };
    // SAFETY: PostgreSQL sets its process id at the start of each process, before any SQL runs.
    let process = unsafe { pg_sys::MyProcPid };
    if generator.process != process {
        generator.entropy.wipe();
        *generator = Generator { process, ..Generator::new() };
    }
    run(generator)
}

impl Generator {
    /// The place of the next v7.
    #[inline]
    pub fn next_v7(&mut self) -> Result<Position, Failure> {
        let random = self.random()?;
        let now = clock()?;
        if server_scope::is_on() {
            return Ok(nanosecond::position_v7(self.take(now, 1)?, random)?);
        }
        self.go_on_alone()?;
        Ok(self.v7.next(v7::tick_of_clock(now)?, random)?)
    }

    /// The place of the next v6 or v1.
    #[inline]
    pub fn next_gregorian(&mut self) -> Result<Position, Failure> {
        let random = self.random()?;
        let now = clock()?;
        if server_scope::is_on() {
            return Ok(nanosecond::position_v6(self.take(now, 1)?, random)?);
        }
        self.go_on_alone()?;
        Ok(self.gregorian.next(v6::tick_of_clock(now)?, random)?)
    }

    /// Fills a slice with the next v7, all by one reading of the clock.
    #[inline]
    pub fn fill_v7(&mut self, values: &mut [[u8; 16]]) -> Result<(), Failure> {
        let now = clock()?;
        let mut nanos = if server_scope::is_on() {
            Some(self.take(now, values.len() as u64)?)
        } else {
            self.go_on_alone()?;
            None
        };
        let tick = v7::tick_of_clock(now)?;
        for value in values {
            let random = self.random()?;
            let position = match &mut nanos {
                Some(nanos) => {
                    *nanos += 1;
                    nanosecond::position_v7(*nanos - 1, random)?
                }
                None => self.v7.next(tick, random)?,
            };
            *value = *v7::at(position).as_bytes();
        }
        Ok(())
    }

    /// Takes so many nanoseconds in a row of all sessions', after the session's own values, and returns the first.
    #[inline]
    fn take(&mut self, now: Duration, count: u64) -> Result<u64, Failure> {
        let mut now = u64::try_from(now.as_nanos()).map_err(|_| rfc9562::Error::TimestampOutOfRange { version: 7 })?;
        if self.shared == 0 {
            now = now
                .max(self.v7.last_tick().map_or(0, nanosecond::after_v7))
                .max(self.gregorian.last_tick().map_or(0, nanosecond::after_v6));
        }
        let first = server_scope::take(now, count)?;
        self.shared = first + (count - 1);
        Ok(first)
    }

    /// After values of scope `server`, the session's own come after them.
    #[inline]
    fn go_on_alone(&mut self) -> Result<(), Failure> {
        if self.shared != 0 {
            let last = Duration::from_nanos(self.shared);
            self.v7.pass(v7::tick_of_clock(last)?);
            self.gregorian.pass(v6::tick_of_clock(last)?);
            self.shared = 0;
        }
        Ok(())
    }
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
    /// Order across the server was asked for, without the shared memory for it.
    #[cfg(not(any(feature = "pg17", feature = "pg18", feature = "pg19")))]
    NotPreloaded,
    /// A file of server scope could not be read or written.
    Mark { name: &'static str, cause: io::Error },
}

impl From<rfc9562::Error> for Failure {
    fn from(error: rfc9562::Error) -> Failure {
        Failure::Core(error)
    }
}

impl Failure {
    /// Reports to PostgreSQL: the core's errors as the core's, the system's with SQLSTATE 58000 (`system_error`) or a
    /// closer one.
    #[cold]
    pub fn report(self) -> ! {
        let error = |code, message: String| ErrorReport::new(code, message, "uuidrfc");
        raise(match self {
            Failure::Core(error) => report(&error),
            Failure::Entropy(cause) => error(
                PgSqlErrorCode::ERRCODE_SYSTEM_ERROR,
                format!("could not obtain randomness from the operating system: {cause}"),
            ),
            Failure::Clock => error(
                PgSqlErrorCode::ERRCODE_SYSTEM_ERROR,
                "the system clock shows a time before 1970-01-01".to_owned(),
            ),
            #[cfg(not(any(feature = "pg17", feature = "pg18", feature = "pg19")))]
            Failure::NotPreloaded => error(
                PgSqlErrorCode::ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                "uuidrfc must be loaded via \"shared_preload_libraries\" for uuidrfc.monotonic_scope = 'server'"
                    .to_owned(),
            )
            .set_hint("Add uuidrfc to shared_preload_libraries and restart the server, or use PostgreSQL 17 or later."),
            Failure::Mark { name, cause } => {
                let code = match cause.kind() {
                    io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => PgSqlErrorCode::ERRCODE_DISK_FULL,
                    io::ErrorKind::InvalidData => PgSqlErrorCode::ERRCODE_DATA_CORRUPTED,
                    io::ErrorKind::OutOfMemory => PgSqlErrorCode::ERRCODE_OUT_OF_MEMORY,
                    _ => PgSqlErrorCode::ERRCODE_IO_ERROR,
                };
                let report = error(code, format!("could not keep a mark in file \"{name}\": {cause}"))
                    .set_detail("The order of UUIDs across the server depends on it, after a crash or a promotion.");
                match cause.kind() {
                    io::ErrorKind::InvalidData => report.set_hint(
                        "Restore the file. Or remove it, if the clock is ahead of all UUIDs that were made: order begins there anew.",
                    ),
                    _ => report,
                }
            }
        })
    }
}

/// The time of the system's clock since 1970-01-01 00:00:00 UTC. Read as the standard library does, but for its arithmetic,
/// which costs a quarter of what a UUID does.
#[inline]
#[allow(unsafe_code)]
pub fn clock() -> Result<Duration, Failure> {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a timespec. The call cannot fail: this clock exists on every system.
    unsafe { libc::clock_gettime(libc::CLOCK_REALTIME, &mut now) };
    match (u64::try_from(now.tv_sec), u32::try_from(now.tv_nsec)) {
        (Ok(seconds), Ok(nanos)) => Ok(Duration::new(seconds, nanos)),
        _ => Err(Failure::Clock),
    }
}

/// Words of randomness bought at a time: 4 KiB.
const WORDS: usize = 512;

/// Words that a backend buys first: 256 octets, which the operating system gives in one piece.
const FIRST_WORDS: usize = 32;

/// Randomness bought in bulk: each block is the ChaCha20 key stream of a key that the operating system gave for this
/// block alone and that is forgotten at once. Words handed out are wiped, so what a backend's memory holds tells
/// nothing of UUIDs it made (RFC 9562, section 6.9).
///
/// The first block is small and comes from the operating system as it is. Many sessions make no more than a few UUIDs, and
/// to begin with ChaCha20, which asks what the processor can do, takes tens of microseconds in a virtual machine.
struct Entropy {
    /// Whether the first block was bought.
    begun: bool,
    words: [u64; WORDS],
    /// How many words are left; those behind them are used up and zero. (So zeroed memory means "none left".)
    left: usize,
}

impl Entropy {
    const fn new() -> Entropy {
        Entropy { begun: false, words: [0; WORDS], left: 0 }
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
        if self.begun {
            let bought = buy(&mut self.words);
            wipe_stack();
            bought?;
            self.left = WORDS;
        } else {
            let first = &mut self.words[..FIRST_WORDS];
            getrandom::fill(bytemuck::cast_slice_mut(first)).map_err(Failure::Entropy)?;
            self.left = FIRST_WORDS;
            self.begun = true;
        }
        Ok(())
    }

    fn wipe(&mut self) {
        self.words.zeroize();
        self.left = 0;
    }
}

/// Fills a block of zeros with the key stream of a new key.
#[inline(never)]
fn buy(words: &mut [u64; WORDS]) -> Result<(), Failure> {
    let mut key = Zeroizing::new([0; 32]);
    getrandom::fill(&mut *key).map_err(Failure::Entropy)?;
    // The key stream is added to what is there: zeros, since all words are used up. The nonce may be constant: no key is
    // used twice.
    ChaCha20::new((&*key).into(), &Default::default()).apply_keystream(bytemuck::cast_slice_mut(words));
    Ok(())
}

/// Wipes the stack that [`buy`] used, when called right after it from the same function. The key was wiped where it was
/// kept, but its moves and the registers that were spilt have left copies of it below.
#[inline(never)]
fn wipe_stack() {
    let mut stack = [0_u64; 512];
    stack.zeroize();
    std::hint::black_box(&stack);
}

//! A backend's UUID generators, with their clock and random bits.
//!
//! Their state is a static with a constant initial value, so loading the library initializes nothing. A process that inherits used
//! state (with `shared_preload_libraries`) finds its parent's process ID there, and resets the state.

use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::time::Duration;

use aes::cipher::{BlockCipherEncrypt, KeyInit};
use aes::{Aes256, Block};
use pgrx::pg_sys;
use rfc9562::sequence::{CallCounter, Position, Sequence};
use rfc9562::{Uuid, nanosecond, v4, v6, v7};
use zeroize::{Zeroize, Zeroizing};

use crate::error::Failure;
use crate::{horizon, node, server_scope};

/// The state that a backend keeps between calls.
pub struct Generator {
    /// The ID of the process to which this state belongs; 0 before the first use.
    process: i32,
    entropy: Entropy,
    v7: Sequence,
    /// The sequence that versions 6 and 1 share, because they have the same fields.
    gregorian: Sequence,
    /// The last nanosecond that this session took in scope `server`; 0 if it took none or has since generated a UUID in scope
    /// `backend`.
    last_of_server: u64,
    /// Counts the calls of `uuidv7_at`, and of `uuidv7` with an interval.
    pub v7_at: CallCounter,
    /// Counts the calls of `uuidv6_at`.
    pub v6_at: CallCounter,
}

impl Generator {
    const fn new() -> Generator {
        Generator {
            process: 0,
            entropy: Entropy::new(),
            v7: Sequence::new(7),
            gregorian: Sequence::new(6),
            last_of_server: 0,
            v7_at: CallCounter::new(7),
            v6_at: CallCounter::new(6),
        }
    }

    /// Returns 64 fresh random bits for a version 7 UUID, with the server's node inserted if it has one.
    #[inline]
    pub fn random_v7(&mut self) -> Result<u64, Failure> {
        let random = self.entropy.next_word()?;
        Ok(node::configured().map_or(random, |node| node.in_v7(random)))
    }

    /// Returns 64 fresh random bits for a version 6 or version 1 UUID, with the server's node inserted if it has one.
    #[inline]
    pub fn random_gregorian(&mut self) -> Result<u64, Failure> {
        let random = self.entropy.next_word()?;
        Ok(node::configured().map_or(random, |node| node.in_gregorian(random)))
    }

    #[inline]
    pub fn next_v4(&mut self) -> Result<Uuid, Failure> {
        Ok(v4::from_random(self.entropy.next_word()?, self.entropy.next_word()?))
    }

    /// Returns the next version 7 position. Always inlined, because the result would otherwise pass through memory.
    #[inline(always)]
    pub fn next_v7(&mut self) -> Result<Position, Failure> {
        let now = now()?;
        let random = self.random_v7()?;
        if server_scope::is_on() {
            horizon::hold()?;
            return Ok(nanosecond::position_v7(self.reserve(now, 1)?, random)?);
        }
        self.leave_server_scope()?;
        Ok(self.v7.next(v7::tick_from_clock(now)?, random)?)
    }

    #[inline]
    pub fn next_gregorian(&mut self) -> Result<Position, Failure> {
        let now = now()?;
        let random = self.random_gregorian()?;
        if server_scope::is_on() {
            return Ok(nanosecond::position_v6(self.reserve(now, 1)?, random)?);
        }
        self.leave_server_scope()?;
        Ok(self.gregorian.next(v6::tick_from_clock(now)?, random)?)
    }

    /// Fills a slice with the next version 7 UUIDs. Reads the clock once.
    #[inline]
    pub fn fill_v7(&mut self, values: &mut [MaybeUninit<[u8; 16]>]) -> Result<(), Failure> {
        let now = now()?;
        let mut nanos = if server_scope::is_on() {
            horizon::hold()?;
            Some(self.reserve(now, values.len() as u64)?)
        } else {
            self.leave_server_scope()?;
            None
        };
        let tick = v7::tick_from_clock(now)?;
        let node = node::configured();
        for value in values {
            let random = self.entropy.next_word()?;
            let random = node.map_or(random, |node| node.in_v7(random));
            let position = match &mut nanos {
                Some(nanos) => {
                    *nanos += 1;
                    nanosecond::position_v7(*nanos - 1, random)?
                }
                None => self.v7.next(tick, random)?,
            };
            value.write(*v7::at(position).as_bytes());
        }
        Ok(())
    }

    /// Reserves `count` consecutive nanoseconds of scope `server`, later than this session's UUIDs of scope `backend`, and returns
    /// the first.
    #[inline]
    fn reserve(&mut self, now: Duration, count: u64) -> Result<u64, Failure> {
        let mut now = u64::try_from(now.as_nanos()).map_err(|_| rfc9562::Error::TimestampOutOfRange { version: 7 })?;
        if self.last_of_server == 0 {
            now = now
                .max(self.v7.last_tick().map_or(0, nanosecond::after_v7))
                .max(self.gregorian.last_tick().map_or(0, nanosecond::after_v6));
        }
        let first = server_scope::reserve(now, count)?;
        self.last_of_server = first + (count - 1);
        Ok(first)
    }

    /// Makes the session's sequences continue after its last UUID of scope `server`.
    #[inline]
    fn leave_server_scope(&mut self) -> Result<(), Failure> {
        if self.last_of_server != 0 {
            let last = Duration::from_nanos(self.last_of_server);
            self.v7.skip_past(v7::tick_from_clock(last)?);
            self.gregorian.skip_past(v6::tick_from_clock(last)?);
            self.last_of_server = 0;
        }
        Ok(())
    }
}

struct PerBackend(UnsafeCell<Generator>);

// SAFETY: only `with_generator` accesses the static, and only PostgreSQL's thread calls that function.
#[allow(unsafe_code)]
unsafe impl Sync for PerBackend {}

static GENERATOR: PerBackend = PerBackend(UnsafeCell::new(Generator::new()));

#[inline]
#[allow(unsafe_code)]
pub fn with_generator<T>(run: impl FnOnce(&mut Generator) -> Result<T, Failure>) -> Result<T, Failure> {
    // SAFETY: the borrow is unique: the backend has one thread, PostgreSQL's signal handlers call no SQL functions, and `run` calls
    // only code in the crate `rfc9562`, this file, node, server_scope and horizon, none of which calls this function.
    let generator = unsafe { &mut *GENERATOR.0.get() };
    // SAFETY: PostgreSQL sets the variable at the start of each process, before any SQL runs, and does not change it later.
    let process = unsafe { pg_sys::MyProcPid };
    if generator.process != process {
        *generator = Generator { process, ..Generator::new() };
    }
    run(generator)
}

/// Returns the system clock's time since 1970-01-01 00:00:00 UTC. Should be called before other work, because the processor
/// completes all earlier instructions before it reads its time-stamp counter. The arithmetic of the standard library's `SystemTime`
/// would take a quarter as long as generating a UUID.
#[inline]
#[allow(unsafe_code)]
fn now() -> Result<Duration, Failure> {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer points to a timespec. The call cannot fail, because this clock exists on every system.
    unsafe { libc::clock_gettime(libc::CLOCK_REALTIME, &mut now) };
    match (u64::try_from(now.tv_sec), u32::try_from(now.tv_nsec)) {
        (Ok(seconds), Ok(nanos)) => Ok(Duration::new(seconds, nanos)),
        _ => Err(Failure::Clock),
    }
}

/// The number of random words in a block (4 KiB).
const WORDS: usize = 512;

/// The number of words in a backend's first block: 256 bytes, which a single `getrandom(2)` call returns in full.
const FIRST_WORDS: usize = 32;

/// Random words, drawn in blocks. Each block after the first is a key stream of AES-256 in counter mode; its key comes from the
/// operating system, is used for this block only, and is then wiped. A word is wiped when it is used, so that a backend's memory
/// does not contain the random words of past UUIDs (RFC 9562, section 6.9).
///
/// The first block is small and comes directly from the operating system, because many sessions generate only a few UUIDs, and
/// the first use of AES queries the processor's features, which takes tens of microseconds in a virtual machine.
struct Entropy {
    /// Whether the first block has been drawn.
    begun: bool,
    words: [u64; WORDS],
    /// The number of unused words, which come first in `words`. All words after them are zero.
    left: usize,
}

impl Entropy {
    const fn new() -> Entropy {
        Entropy { begun: false, words: [0; WORDS], left: 0 }
    }

    #[inline]
    fn next_word(&mut self) -> Result<u64, Failure> {
        if self.left == 0 {
            self.refill()?;
        }
        // `left` is at most `WORDS`, so the remainder changes nothing, but makes a bounds check unnecessary.
        self.left = (self.left - 1) % WORDS;
        let stored = &mut self.words[self.left];
        let word = *stored;
        stored.zeroize();
        Ok(word)
    }

    #[cold]
    #[inline(never)]
    fn refill(&mut self) -> Result<(), Failure> {
        if self.begun {
            let drawn = draw(&mut self.words);
            // The frames of `draw` and of the AES code take less than 4 KiB.
            wipe_traces::<512>();
            drawn?;
            self.left = WORDS;
        } else {
            let first = &mut self.words[..FIRST_WORDS];
            getrandom::fill(bytemuck::cast_slice_mut(first)).map_err(Failure::Entropy)?;
            self.left = FIRST_WORDS;
            self.begun = true;
        }
        Ok(())
    }
}

/// Fills a block of zeros with the key stream of a new key.
#[inline(never)]
fn draw(words: &mut [u64; WORDS]) -> Result<(), Failure> {
    let mut key = Zeroizing::new([0; 32]);
    getrandom::fill(&mut *key).map_err(Failure::Entropy)?;
    // The counter may start at 0 for each key, because no key is used twice.
    for (count, block) in (0..).zip(words.chunks_exact_mut(2)) {
        block[0] = count;
    }
    let (blocks, _) = Block::slice_as_chunks_mut(bytemuck::cast_slice_mut(words));
    Aes256::new((&*key).into()).encrypt_blocks(blocks);
    Ok(())
}

/// Wipes the vector registers and `WORDS` words of the stack below the caller's frame. Code that wipes its keys may still leave
/// copies on the stack and in registers, whose contents may be saved to memory later.
#[inline(never)]
pub fn wipe_traces<const WORDS: usize>() {
    let stack = [0_u64; WORDS];
    std::hint::black_box(&stack);
    clear_vector_registers();
}

/// Clears the vector registers, in which the AES code holds keys.
#[allow(unsafe_code)]
fn clear_vector_registers() {
    macro_rules! clear {
        ($($line:literal),+) => {
            // SAFETY: the processor has these instructions, and they change only registers that `clobber_abi` declares.
            unsafe { std::arch::asm!($($line,)+ clobber_abi("C"), options(nomem, nostack)) }
        };
    }
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") {
            clear!(
                ".irp r, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
                "vpxord zmm\\r, zmm\\r, zmm\\r",
                ".endr"
            );
        }
        if std::arch::is_x86_feature_detected!("avx") {
            clear!("vzeroall");
        } else {
            clear!(".irp r, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15", "pxor xmm\\r, xmm\\r", ".endr");
        }
    }
    // The caller-saved registers, and the upper halves of v8 to v15, whose lower halves are callee-saved.
    #[cfg(target_arch = "aarch64")]
    clear!(
        ".irp r, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31",
        "movi v\\r\\().2d, #0",
        ".endr",
        ".irp r, 8, 9, 10, 11, 12, 13, 14, 15",
        "mov v\\r\\().d[1], xzr",
        ".endr"
    );
}

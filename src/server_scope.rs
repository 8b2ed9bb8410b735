//! Order across the whole server: `uuidrfc.monotonic_scope = 'server'`.
//!
//! All backends share two atomic words. `last` is the latest nanosecond that a value took; each value takes one of its
//! own, the clock's or the one after `last`, by compare-and-swap and without a lock. `limit` is a high-water mark that
//! stands in a file of the data directory before any nanosecond up to it is taken (RFC 9562, section 6.3), so that what
//! comes after a crash is greater than what came before, also with a clock set back. A mark is written for seconds in
//! advance, by whichever backend reaches the end of the one before.
//!
//! The file is not replicated. A standby that is promoted knows when the old primary committed what it replayed last, and
//! goes on after that. It knows as long as it runs; so where the library is preloaded, a background worker of the standby
//! writes it down in a file of its own.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use pgrx::bgworkers::{BackgroundWorker, BackgroundWorkerBuilder, BgWorkerStartTime, SignalWakeFlags};
use pgrx::pg_sys::Datum;
use pgrx::prelude::*;
use pgrx::{GucContext, GucFlags, GucRegistry, GucSetting};
use rfc9562::Error;

use crate::backend::{Failure, clock};
use crate::datum::Timestamptz;

/// What `uuidrfc.monotonic_scope` can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PostgresGucEnum)]
pub enum Scope {
    #[name = c"backend"]
    Backend,
    #[name = c"server"]
    Server,
}

static SCOPE: GucSetting<Scope> = GucSetting::<Scope>::new(Scope::Backend);

/// Whether this session's values are ordered among those of all sessions.
#[inline]
pub fn is_on() -> bool {
    SCOPE.get() == Scope::Server
}

/// Defines the setting, and asks for what must be asked for before the server starts: shared memory, and a standby's
/// background worker.
#[allow(unsafe_code)]
pub fn initialize() {
    GucRegistry::define_enum_guc(
        c"uuidrfc.monotonic_scope",
        c"Sets among which values UUIDs of versions 1, 6 and 7 are strictly increasing.",
        c"\"backend\" orders the values of each session, \"server\" those of all sessions that set it.",
        &SCOPE,
        GucContext::Suset,
        GucFlags::default(),
    );
    // SAFETY: reading a flag of PostgreSQL on its only thread.
    if unsafe { pg_sys::process_shared_preload_libraries_in_progress } {
        shared::preload();
        // Only these servers replay what another server did.
        if ["standby.signal", "recovery.signal"].iter().any(|file| Path::new(file).exists()) {
            BackgroundWorkerBuilder::new("uuidrfc replay marker")
                .set_library("uuidrfc")
                .set_function("uuidrfc_mark_replay")
                .enable_shmem_access(None)
                // Also where no session may connect before recovery ends.
                .set_start_time(BgWorkerStartTime::PostmasterStart)
                // After an error, or a crash of another process; having done its work, it is not started again.
                .set_restart_time(Some(Duration::from_secs(1)))
                .load();
        }
    }
}

/// The background worker's work: writes down what is replayed, until recovery ends and the mark stands for it.
#[allow(unsafe_code)]
#[pg_guard]
// SAFETY: no other function of the server or its libraries has this name.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn uuidrfc_mark_replay(_argument: Datum) {
    const PAUSE: Duration = Duration::from_millis(500);
    BackgroundWorker::attach_signal_handlers(SignalWakeFlags::SIGTERM);
    let mut marked = 0;
    let mut mark = || {
        let replayed = last_replayed();
        if replayed > marked {
            Mark::open(REPLAYED).and_then(|mut mark| mark.raise(replayed)).unwrap_or_else(|failure| failure.report());
            marked = replayed;
        }
    };
    while RecoveryInProgress() {
        mark();
        if !BackgroundWorker::wait_latch(Some(PAUSE)) {
            mark();
            // SAFETY: ends this process. With 1 it is started again, unless the server ends.
            unsafe { pg_sys::proc_exit(1) }
        }
    }
    shared::get().and_then(|shared| raise_limit(shared, 0)).unwrap_or_else(|failure| failure.report());
}

/// What all backends share.
#[derive(Debug, Default)]
struct Shared {
    /// The latest nanosecond since 1970 that was taken.
    last: AtomicU64,
    /// The nanosecond that may not be reached yet; 0 before the file was read.
    limit: AtomicU64,
    /// Whether the limit was set while this server was a standby.
    of_standby: AtomicBool,
}

#[allow(unsafe_code)]
unsafe extern "C-unwind" {
    /// Whether this server is a standby, or recovers. Without the `sigsetjmp` that pgrx puts around it; it raises no error,
    /// and neither does the next.
    safe fn RecoveryInProgress() -> bool;

    /// When, by the clock of the server that did, the transaction was committed that was replayed last; 2000-01-01 if this
    /// server has replayed none since it was started.
    safe fn GetLatestXTime() -> pg_sys::TimestampTz;
}

/// Takes so many nanoseconds in a row, none before this one, and returns the first.
#[inline]
pub fn take(now: u64, count: u64) -> Result<u64, Failure> {
    let shared = shared::get()?;
    loop {
        let last = shared.last.load(Ordering::Relaxed);
        let first = now.max(last.saturating_add(1));
        let Some(end) = first.checked_add(count - 1).filter(|end| *end < END) else {
            return Err(Error::TimestampOutOfRange { version: 7 }.into());
        };
        if end >= shared.limit.load(Ordering::Acquire) || is_promoted(shared) {
            raise_limit(shared, end)?;
        } else if shared.last.compare_exchange_weak(last, end, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
            return Ok(first);
        }
    }
}

/// Whether this server was a standby when its limit was set, and is none any more.
#[inline]
fn is_promoted(shared: &Shared) -> bool {
    shared.of_standby.load(Ordering::Acquire) && !RecoveryInProgress()
}

/// The file of the high-water mark, in the data directory, which is every backend's working directory.
const HIGH_WATER_MARK: &str = "uuidrfc.high_water_mark";

/// The file of the latest commit, by its server's clock, that this server has replayed.
const REPLAYED: &str = "uuidrfc.replayed";

/// How far ahead of the clock a mark is written: after a crash, and after a restart, time starts at the most so far ahead.
const AHEAD: u64 = 2_000_000_000;

/// How far ahead of use, where that is ahead of the clock anyway: ten million values. Were it as far as the other, each of
/// many restarts in a row would carry time further away from the clock.
const AHEAD_OF_USE: u64 = 10_000_000;

/// No nanosecond from here on is taken: in the year 2262.
const END: u64 = 1 << 63;

#[cold]
#[inline(never)]
fn raise_limit(shared: &Shared, end: u64) -> Result<(), Failure> {
    let mut mark = Mark::open(HIGH_WATER_MARK)?;
    let begins = shared.limit.load(Ordering::Acquire) == 0 || is_promoted(shared);
    if end < shared.limit.load(Ordering::Acquire) && !begins {
        return Ok(()); // Another backend raised it meanwhile.
    }
    let of_standby = RecoveryInProgress();
    let begin = match (begins, of_standby) {
        (false, _) => 0,
        (true, true) => mark.value,
        (true, false) => mark.value.max(after_replay()?),
    };
    let now = clock().map_or(0, |now| u64::try_from(now.as_nanos()).unwrap_or(END));
    let limit = now.saturating_add(AHEAD).max(end.max(begin).saturating_add(AHEAD_OF_USE)).min(END);
    mark.raise(limit)?;
    // In this order: nobody may take a nanosecond below the mark that was found, nor, by a limit of a standby, one that
    // does not come after what was replayed.
    if of_standby {
        shared.of_standby.store(true, Ordering::Release);
    }
    shared.last.fetch_max(begin, Ordering::Relaxed);
    shared.limit.fetch_max(limit, Ordering::Release);
    if !of_standby {
        shared.of_standby.store(false, Ordering::Release);
    }
    Ok(())
}

/// A nanosecond after all that transactions took which this server replayed; long past if it replayed none. They took
/// theirs before they were committed, and no further than [`AHEAD`] of a clock that was right.
fn after_replay() -> Result<u64, Failure> {
    let replayed = match Path::new(REPLAYED).exists() {
        true => Mark::open(REPLAYED)?.value.max(last_replayed()),
        false => last_replayed(),
    };
    Ok(if replayed == 0 { 0 } else { replayed.saturating_add(AHEAD) })
}

/// When what this server replayed last was committed, in nanoseconds since 1970; 0 if it replayed nothing since it was
/// started.
fn last_replayed() -> u64 {
    match GetLatestXTime() {
        0 => 0,
        time => {
            u64::try_from(Timestamptz(time).saturated().0).map_or(0, |micros| micros.saturating_mul(1_000).min(END))
        }
    }
}

/// A file that holds a nanosecond, this process's alone until it is dropped.
struct Mark {
    name: &'static str,
    file: File,
    value: u64,
}

impl Mark {
    fn open(name: &'static str) -> Result<Mark, Failure> {
        let open = || {
            let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(name)?;
            // Released when the file is closed, also by the kernel, whatever ends this process.
            file.lock()?;
            let mut text = String::new();
            file.read_to_string(&mut text)?;
            let value = match text.as_str() {
                "" => 0,
                text => parse(text).ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "invalid contents"))?,
            };
            Ok(Mark { name, file, value })
        };
        open().map_err(|cause| Failure::Mark { name, cause })
    }

    /// Writes it, unless it is higher already, and flushes it with its name in the data directory. It is written in either
    /// case: whoever wrote what is there may have failed to flush it, and a second flush alone would not.
    fn raise(&mut self, value: u64) -> Result<(), Failure> {
        self.value = self.value.max(value);
        // 21 octets at the start of the file: within one sector, which a disk writes whole or not at all, as PostgreSQL
        // trusts for its control file.
        let text = format!("{:020}\n", self.value);
        self.file
            .rewind()
            .and_then(|()| self.file.write_all(text.as_bytes()))
            .and_then(|()| self.file.sync_data())
            .and_then(|()| File::open(".")?.sync_all())
            .map_err(|cause| Failure::Mark { name: self.name, cause })
    }
}

fn parse(text: &str) -> Option<u64> {
    let digits = text.strip_suffix('\n')?;
    let mark =
        (digits.len() == 20 && digits.bytes().all(|octet| octet.is_ascii_digit())).then(|| digits.parse().ok())?;
    mark.filter(|mark| *mark <= END)
}

/// Before PostgreSQL 17, memory that all backends share must be asked for while the server starts.
#[cfg(not(any(feature = "pg17", feature = "pg18", feature = "pg19")))]
mod shared {
    use std::sync::atomic::{AtomicBool, Ordering};

    use pgrx::prelude::*;
    use pgrx::{PgAtomic, pg_shmem_init, shmem::AssertPGRXSharedMemory};

    use super::Shared;
    use crate::backend::Failure;

    // SAFETY: no other shared memory has this name.
    #[allow(unsafe_code)]
    static SHARED: PgAtomic<AssertPGRXSharedMemory<Shared>> = unsafe { PgAtomic::new(c"uuidrfc") };

    /// Set while the server starts, and inherited by every backend.
    static PRELOADED: AtomicBool = AtomicBool::new(false);

    pub fn preload() {
        pg_shmem_init!(SHARED = fresh());
        PRELOADED.store(true, Ordering::Relaxed);
    }

    #[allow(unsafe_code)]
    fn fresh() -> AssertPGRXSharedMemory<Shared> {
        // SAFETY: two atomic words mean the same in every process.
        unsafe { AssertPGRXSharedMemory::new(Shared::default()) }
    }

    #[inline]
    pub fn get() -> Result<&'static Shared, Failure> {
        if PRELOADED.load(Ordering::Relaxed) { Ok(SHARED.get()) } else { Err(Failure::NotPreloaded) }
    }
}

/// From PostgreSQL 17 on, memory that all backends share can be had at any time, by name.
#[cfg(any(feature = "pg17", feature = "pg18", feature = "pg19"))]
mod shared {
    use std::ffi::c_void;
    use std::sync::atomic::{AtomicPtr, Ordering};

    use pgrx::prelude::*;

    use super::Shared;
    use crate::backend::Failure;

    static ATTACHED: AtomicPtr<Shared> = AtomicPtr::new(std::ptr::null_mut());

    pub fn preload() {}

    #[inline]
    #[allow(unsafe_code)]
    pub fn get() -> Result<&'static Shared, Failure> {
        let mut shared = ATTACHED.load(Ordering::Relaxed);
        if shared.is_null() {
            shared = attach();
        }
        // SAFETY: the segment holds a `Shared` that was initialized before its name was known, and stays mapped until
        // the process ends.
        Ok(unsafe { &*shared })
    }

    #[cold]
    #[allow(unsafe_code)]
    fn attach() -> *mut Shared {
        // From PostgreSQL 19 on, the caller may pass an argument on.
        unsafe extern "C-unwind" fn initialize(segment: *mut c_void, #[cfg(feature = "pg19")] _: *mut c_void) {
            // SAFETY: the segment has the size asked for and is aligned for any type.
            unsafe { segment.cast::<Shared>().write(Shared::default()) };
        }
        let mut found = false;
        // SAFETY: called on the backend's only thread, in a C function that PostgreSQL called; the guard is for an
        // error, of memory that is out.
        let shared = unsafe {
            pg_sys::panic::pgrx_extern_c_guard(|| {
                pg_sys::GetNamedDSMSegment(
                    c"uuidrfc".as_ptr(),
                    size_of::<Shared>(),
                    Some(initialize),
                    &mut found,
                    #[cfg(feature = "pg19")]
                    std::ptr::null_mut(),
                )
            })
        };
        let shared = shared.cast::<Shared>();
        ATTACHED.store(shared, Ordering::Relaxed);
        shared
    }
}

//! Order across the whole server: `uuidrfc.monotonic_scope = 'server'`.
//!
//! All backends share a few atomic words. `last` is the latest nanosecond that a value took; each value takes one of its
//! own, the clock's or the one after `last`, by compare-and-swap and without a lock. `limit` is a high-water mark: it is on
//! disk before any nanosecond below it is handed out (RFC 9562, section 6.3), so that what comes after a crash is greater
//! than what came before, also with a clock set back. A mark is written for seconds in advance, by whichever backend
//! reaches the end of the one before.
//!
//! Values are made here by functions without a guard, so nothing on the way to one panics or allocates memory, which Rust
//! would end the server for when there is none.
//!
//! The file is not replicated. A standby that is promoted knows when the old primary committed what it replayed last, and
//! goes on after that. It knows as long as it runs; so where the library is preloaded, a background worker of the standby
//! writes it down in a file of its own.

use std::ffi::{CStr, c_int, c_long};
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::mem::offset_of;
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
        // A session may load the library first in a parallel operation. Without this flag, PostgreSQL would not take over
        // what was set before, say in postgresql.conf, and the session would have no order across the server.
        GucFlags::from_bits_retain(pg_sys::GUC_ALLOW_IN_PARALLEL.cast_signed()),
    );
    // SAFETY: reading a flag of PostgreSQL on its only thread.
    if unsafe { pg_sys::process_shared_preload_libraries_in_progress } {
        shared::preload();
        // Only these servers replay what another server did. Where that cannot be told, a worker too many ends by itself.
        if ["standby.signal", "recovery.signal"].iter().any(|file| Path::new(file).try_exists().unwrap_or(true)) {
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
    let mut mark_replayed = || {
        let replayed = last_replayed();
        if replayed > marked {
            // While a session reads the file, it is left for the next time.
            if let Some(mut mark) = Mark::open(&REPLAYED).unwrap_or_else(|failure| failure.report()) {
                mark.raise(replayed).unwrap_or_else(|failure| failure.report());
                marked = replayed;
            }
        }
    };
    while RecoveryInProgress() {
        mark_replayed();
        if !BackgroundWorker::wait_latch(Some(PAUSE)) {
            mark_replayed();
            // SAFETY: ends this process. With 1 it is started again, unless the server ends.
            unsafe { pg_sys::proc_exit(1) }
        }
    }
    shared::get().and_then(|shared| raise_limit(shared, 0)).unwrap_or_else(|failure| failure.report());
}

/// The name under which the processes of a server find what they share. Two builds of the library can run in one server,
/// when its package was upgraded and old sessions live on. A [`Shared`] of another layout gets another name, `uuidrfc 2`,
/// so that neither misreads the other. (Their sessions then have no common order until the server is restarted.)
const SHARED_NAME: &CStr = c"uuidrfc";

/// Layout 1, the one of 0.1.0 and of all versions since.
const _: () = assert!(
    size_of::<Shared>() == 24
        && offset_of!(Shared, last) == 0
        && offset_of!(Shared, limit) == 8
        && offset_of!(Shared, of_standby) == 16
);

/// What all backends share.
#[derive(Debug, Default)]
#[repr(C)]
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

    /// Commit time, on the primary's clock, of the last transaction replayed; 2000-01-01 if this server has replayed none
    /// since it was started.
    safe fn GetLatestXTime() -> pg_sys::TimestampTz;

    // Without the guard of pgrx's bindings: an error leaves by longjmp.
    fn WaitLatch(latch: *mut pg_sys::Latch, events: c_int, timeout: c_long, wait_event: u32) -> c_int;
    fn ResetLatch(latch: *mut pg_sys::Latch);
    fn ProcessInterrupts();
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

/// A file in the data directory, which is every process's working directory.
#[derive(Debug)]
struct MarkFile {
    name: &'static str,
    /// What it is called until it has contents.
    new: &'static str,
}

/// The file of the high-water mark.
const HIGH_WATER_MARK: MarkFile = MarkFile { name: "uuidrfc.high_water_mark", new: "uuidrfc.high_water_mark.new" };

/// The file of the latest commit, by its server's clock, that this server has replayed.
const REPLAYED: MarkFile = MarkFile { name: "uuidrfc.replayed", new: "uuidrfc.replayed.new" };

/// How far ahead of the clock a mark is written: after a crash, and after a restart, time starts at the most so far ahead.
const AHEAD: u64 = 2_000_000_000;

/// Step used while `last` is already ahead of the clock: 10 ms, ten million values. With the step of 2 s every restart
/// would move time another 2 s ahead.
const AHEAD_OF_USE: u64 = 10_000_000;

/// No nanosecond from here on is taken: in the year 2262.
const END: u64 = 1 << 63;

/// Returns when the limit is above `end`. While another process writes the mark, the statement waits as PostgreSQL does: it
/// shows as wait event `Extension`, and it can be cancelled, which leaves by longjmp over the caller's frames.
#[cold]
#[inline(never)]
#[allow(unsafe_code)]
fn raise_limit(shared: &Shared, end: u64) -> Result<(), Failure> {
    const EVENTS: c_int = (pg_sys::WL_LATCH_SET | pg_sys::WL_TIMEOUT | pg_sys::WL_EXIT_ON_PM_DEATH).cast_signed();
    const MILLISECOND: c_long = 1;
    while !try_to_raise_limit(shared, end)? {
        // SAFETY: PostgreSQL's usual loop around a latch, and its CHECK_FOR_INTERRUPTS, in a process that has a latch. No
        // frame between here and PostgreSQL owns anything: no file is open, and a generator is whole between two values.
        unsafe {
            WaitLatch(pg_sys::MyLatch, EVENTS, MILLISECOND, pg_sys::PG_WAIT_EXTENSION);
            ResetLatch(pg_sys::MyLatch);
            if pg_sys::InterruptPending != 0 {
                ProcessInterrupts();
            }
        }
    }
    Ok(())
}

/// Raises the limit unless it is above `end`. `false` if another process holds a file.
fn try_to_raise_limit(shared: &Shared, end: u64) -> Result<bool, Failure> {
    if end < shared.limit.load(Ordering::Acquire) && !is_promoted(shared) {
        return Ok(true); // Another backend raised it meanwhile.
    }
    let Some(mut mark) = Mark::open(&HIGH_WATER_MARK)? else { return Ok(false) };
    // Read once: recovery can end at any moment, and then the next call has to see that it did.
    let of_standby = RecoveryInProgress();
    let limit = shared.limit.load(Ordering::Acquire);
    let begins = limit == 0 || shared.of_standby.load(Ordering::Acquire) && !of_standby;
    if end < limit && !begins {
        return Ok(true);
    }
    let begin = match (begins, of_standby) {
        (false, _) => 0,
        (true, true) => mark.value,
        (true, false) => match after_replay()? {
            Some(after_replay) => mark.value.max(after_replay),
            None => return Ok(false),
        },
    };
    let now = clock().map_or(0, |now| u64::try_from(now.as_nanos()).unwrap_or(END));
    let limit = now.saturating_add(AHEAD).max(end.max(begin).saturating_add(AHEAD_OF_USE)).min(END);
    mark.raise(limit)?;
    // The order of these stores matters: `last` must be past the recovered mark before `limit` admits anyone, and
    // `of_standby` may be cleared only once `limit` covers what was replayed.
    if of_standby {
        shared.of_standby.store(true, Ordering::Release);
    }
    shared.last.fetch_max(begin, Ordering::Relaxed);
    shared.limit.fetch_max(limit, Ordering::Release);
    if !of_standby {
        shared.of_standby.store(false, Ordering::Release);
    }
    Ok(true)
}

/// A nanosecond later than any that a replayed transaction used; 0 if none was replayed. A value is made before its commit
/// and at most [`AHEAD`] past the primary's clock, so commit time + [`AHEAD`] is enough, if that clock was right. `None` if
/// another process holds the file.
fn after_replay() -> Result<Option<u64>, Failure> {
    let marked = match Mark::find(&REPLAYED) {
        Ok(mark) => mark.value,
        Err(cause) if cause.kind() == ErrorKind::NotFound => 0,
        Err(cause) if cause.kind() == ErrorKind::WouldBlock => return Ok(None),
        Err(cause) => return Err(Failure::Mark { name: REPLAYED.name, cause }),
    };
    let replayed = marked.max(last_replayed());
    Ok(Some(if replayed == 0 { 0 } else { replayed.saturating_add(AHEAD) }))
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
    /// 20 digits and a line feed, at the start of the file: within one sector, which a disk writes whole or not at all, as
    /// PostgreSQL trusts for its control file.
    const LENGTH: usize = 21;

    /// The file, made if there is none; `None` if another process holds it.
    fn open(file: &MarkFile) -> Result<Option<Mark>, Failure> {
        let found = Mark::find(file).or_else(|cause| match cause.kind() {
            ErrorKind::NotFound => Mark::create(file),
            _ => Err(cause),
        });
        match found {
            Ok(mark) => Ok(Some(mark)),
            Err(cause) if cause.kind() == ErrorKind::WouldBlock => Ok(None),
            Err(cause) => Err(Failure::Mark { name: file.name, cause }),
        }
    }

    /// The file as it is. Of the errors, [`ErrorKind::NotFound`] and [`ErrorKind::WouldBlock`] are none: there is no file,
    /// or another process holds it.
    fn find(&MarkFile { name, .. }: &MarkFile) -> io::Result<Mark> {
        let mut file = OpenOptions::new().read(true).write(true).open(name)?;
        // Released when the file is closed, also by the kernel, whatever ends this process.
        file.try_lock()?;
        // One octet more than it should have is enough of a wrong file.
        let mut text = [0; Mark::LENGTH + 1];
        let mut length = 0;
        loop {
            match file.read(&mut text[length..])? {
                0 => break,
                more => length += more,
            }
        }
        let value = Mark::value_of(&text[..length]).ok_or(ErrorKind::InvalidData)?;
        Ok(Mark { name, file, value })
    }

    /// A new file that holds 0. It gets its name when it has its contents, and is locked before: a file that is found empty
    /// has lost its contents.
    fn create(&MarkFile { name, new }: &MarkFile) -> io::Result<Mark> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(new)?;
        file.try_lock()?;
        // Another process may have made it meanwhile; what was just opened may be that very file.
        if Path::new(name).try_exists()? {
            // Nobody needs it any more, and whoever removed it first did the same.
            let _ = fs::remove_file(new);
            return Err(ErrorKind::WouldBlock.into());
        }
        file.set_len(0)?;
        let mut mark = Mark { name, file, value: 0 };
        mark.write()?;
        fs::rename(new, name)?;
        Ok(mark)
    }

    /// Raises the mark to `value`, never lowers it, and syncs file and directory. It is rewritten even when unchanged: an
    /// earlier fsync may have failed, and after that the kernel reports success for pages it dropped.
    fn raise(&mut self, value: u64) -> Result<(), Failure> {
        self.value = self.value.max(value);
        self.write().and_then(|()| sync_directory()).map_err(|cause| Failure::Mark { name: self.name, cause })
    }

    fn write(&mut self) -> io::Result<()> {
        let mut text = [0; Mark::LENGTH];
        writeln!(&mut text[..], "{:020}", self.value)?;
        self.file.rewind()?;
        self.file.write_all(&text)?;
        self.file.sync_data()
    }

    fn value_of(text: &[u8]) -> Option<u64> {
        let (b'\n', digits) = text.split_last()? else { return None };
        let digits = str::from_utf8(digits).ok()?;
        let is_mark = digits.len() == Mark::LENGTH - 1 && digits.bytes().all(|octet| octet.is_ascii_digit());
        let value = if is_mark { digits.parse().ok()? } else { return None };
        (value <= END).then_some(value)
    }
}

/// Makes the name of a new file outlast a crash. As PostgreSQL, it takes no offence at a file system that cannot do so for
/// a directory.
fn sync_directory() -> io::Result<()> {
    match File::open(".")?.sync_all() {
        Err(cause) if matches!(cause.raw_os_error(), Some(libc::EBADF | libc::EINVAL)) => Ok(()),
        result => result,
    }
}

/// Before PostgreSQL 17, memory that all backends share must be asked for while the server starts.
#[cfg(not(any(feature = "pg17", feature = "pg18", feature = "pg19")))]
mod shared {
    use std::sync::atomic::{AtomicBool, Ordering};

    use pgrx::{PgAtomic, pg_shmem_init, shmem::AssertPGRXSharedMemory};

    use super::{SHARED_NAME, Shared};
    use crate::backend::Failure;

    // SAFETY: no other shared memory has this name.
    #[allow(unsafe_code)]
    static SHARED: PgAtomic<AssertPGRXSharedMemory<Shared>> = unsafe { PgAtomic::new(SHARED_NAME) };

    /// Set while the server starts, when the memory is there, and inherited by every backend.
    static PRELOADED: AtomicBool = AtomicBool::new(false);

    pub fn preload() {
        pg_shmem_init!(SHARED = fresh());
    }

    /// Called where PostgreSQL hands the memory out.
    #[allow(unsafe_code)]
    fn fresh() -> AssertPGRXSharedMemory<Shared> {
        PRELOADED.store(true, Ordering::Relaxed);
        // SAFETY: atomic values, and nothing that is of one process only.
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

    use super::{SHARED_NAME, Shared};
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
                    SHARED_NAME.as_ptr(),
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

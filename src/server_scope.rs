//! Strict order across all sessions of a server: `uuidrfc.monotonic_scope = 'server'`.
//!
//! All backends share a few atomic words. `last` is the latest nanosecond that a UUID took. Each UUID takes its own nanosecond, the
//! later of the clock's and the one after `last`, by lock-free compare-and-swap. `limit` is a high-water mark: it is written to
//! disk before any nanosecond below it is used (RFC 9562, section 6.3), so that UUIDs generated after a crash are greater than
//! those generated before, even if the clock is set back. The backend that reaches the mark raises it, usually to two seconds ahead
//! of the clock.
//!
//! Functions without a guard generate UUIDs, so the code that they reach in this file neither panics nor uses Rust's allocator.
//!
//! The mark's file is not replicated. A promoted standby continues after the commit time of the last transaction that it replayed.
//! PostgreSQL keeps this time only in memory, so if the library is preloaded, a background worker of the standby writes the time to
//! another file.

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
use pgrx::{GucContext, GucEnum, GucFlags, GucRegistry, GucSetting};
use rfc9562::Error;

use crate::datum::Timestamptz;
use crate::error::{Failure, OrRaise};
use crate::raw;

/// The values of `uuidrfc.monotonic_scope`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PostgresGucEnum)]
pub enum Scope {
    #[name = c"backend"]
    Backend,
    #[name = c"server"]
    Server,
}

static SCOPE: GucSetting<Scope> = GucSetting::<Scope>::new(Scope::Backend);

/// Whether this session is in scope `server`.
#[inline]
#[allow(unsafe_code)]
pub fn is_on() -> bool {
    // SAFETY: the number is read on PostgreSQL's only thread, which alone changes it. (`get` would check the thread, which takes an
    // eighth as long as generating a UUID.)
    unsafe { *SCOPE.as_ptr() == Scope::Server.to_ordinal() }
}

/// Defines the setting. If the library is being preloaded, also requests shared memory (before PostgreSQL 17) and, on a standby,
/// the background worker, which cannot be requested later.
#[allow(unsafe_code)]
pub fn initialize() {
    GucRegistry::define_enum_guc(
        c"uuidrfc.monotonic_scope",
        c"Sets the scope within which UUIDs of versions 1, 6 and 7 are strictly increasing.",
        c"\"backend\" orders the values of each session; \"server\" orders those of all sessions that set it.",
        &SCOPE,
        GucContext::Suset,
        // A session may first load the library in a parallel operation. Without this flag, PostgreSQL would then not apply the
        // configured value, and the session would remain in scope `backend`.
        GucFlags::from_bits_retain(pg_sys::GUC_ALLOW_IN_PARALLEL.cast_signed()),
    );
    // SAFETY: the flag is read on PostgreSQL's only thread.
    if unsafe { pg_sys::process_shared_preload_libraries_in_progress } {
        shared::preload();
        // Only a server with one of these files needs the worker. If their existence cannot be determined, the worker is started,
        // too; if it is not needed, it exits by itself.
        if ["standby.signal", "recovery.signal"].iter().any(|file| Path::new(file).try_exists().unwrap_or(true)) {
            BackgroundWorkerBuilder::new("uuidrfc replay marker")
                .set_library("uuidrfc")
                .set_function("uuidrfc_mark_replay")
                .enable_shmem_access(None)
                // The worker is started even if the server accepts no connections during recovery.
                .set_start_time(BgWorkerStartTime::PostmasterStart)
                // The worker is restarted after an error and after another process has crashed, but not once it has finished.
                .set_restart_time(Some(Duration::from_secs(1)))
                .load();
        }
    }
}

/// Runs the background worker. During recovery, it writes the time of the last replayed commit to a file; afterward, it raises the
/// high-water mark above this time.
#[allow(unsafe_code)]
#[pg_guard]
// SAFETY: no other function of the server or its libraries has this name.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn uuidrfc_mark_replay(_argument: Datum) {
    const PAUSE: Duration = Duration::from_millis(500);
    BackgroundWorker::attach_signal_handlers(SignalWakeFlags::SIGTERM);
    let mut written = 0;
    let mut write_replayed = || {
        let replayed = last_replayed();
        if replayed > written {
            // If a session has locked the file, the time is written in the next round.
            if let Some(mut file) = HighWaterMark::open(&REPLAYED).or_raise() {
                file.raise(replayed).or_raise();
                written = replayed;
            }
        }
    };
    while raw::RecoveryInProgress() {
        write_replayed();
        if !BackgroundWorker::wait_latch(Some(PAUSE)) {
            write_replayed();
            // SAFETY: the call ends this process. After exit code 1, PostgreSQL restarts the worker unless the server is shutting
            // down.
            unsafe { pg_sys::proc_exit(1) }
        }
    }
    shared::get().and_then(|shared| raise_limit(shared, None)).or_raise();
}

/// The name by which the processes of a server find their shared memory. If the package is upgraded while old sessions continue,
/// two builds of the library run in one server. If the layout of [`Shared`] changes, the name must change as well (to `uuidrfc 2`),
/// because neither build may misread the other's memory. (Their sessions then have no common order until the server is restarted.)
const SHARED_NAME: &CStr = c"uuidrfc";

const _: () = assert!(
    size_of::<Shared>() == 24
        && offset_of!(Shared, last) == 0
        && offset_of!(Shared, limit) == 8
        && offset_of!(Shared, of_standby) == 16
);

#[derive(Debug, Default)]
#[repr(C)]
struct Shared {
    /// The latest nanosecond taken, counted from 1970.
    last: AtomicU64,
    /// The first nanosecond that may not be taken yet; 0 before the file is read.
    limit: AtomicU64,
    /// Whether the limit was set while this server was a standby.
    of_standby: AtomicBool,
}

/// Reserves `count` consecutive nanoseconds, later than `last` and not earlier than `now`, and returns the first.
#[inline]
pub fn reserve(now: u64, count: u64) -> Result<u64, Failure> {
    let shared = shared::get()?;
    loop {
        let last = shared.last.load(Ordering::Relaxed);
        let first = now.max(last.saturating_add(1));
        let Some(end) = first.checked_add(count - 1).filter(|end| *end < END) else {
            return Err(Error::TimestampOutOfRange { version: 7 }.into());
        };
        if end >= shared.limit.load(Ordering::Acquire) || is_promoted(shared) {
            raise_limit(shared, Some(Wanted { now, end }))?;
        } else if shared.last.compare_exchange_weak(last, end, Ordering::Release, Ordering::Relaxed).is_ok() {
            // Release, because of the horizon: a process that reads this value of `last` also sees that the slot is held.
            return Ok(first);
        }
    }
}

/// Returns a reference to the latest nanosecond taken, which may have been taken before this server was started or promoted.
pub fn last_taken() -> Result<&'static AtomicU64, Failure> {
    let shared = shared::get()?;
    if shared.limit.load(Ordering::Acquire) == 0 || is_promoted(shared) {
        raise_limit(shared, None)?;
    }
    Ok(&shared.last)
}

/// Whether this server was a standby when its limit was set, and is no longer one.
#[inline]
fn is_promoted(shared: &Shared) -> bool {
    shared.of_standby.load(Ordering::Acquire) && !raw::RecoveryInProgress()
}

/// The names of a file in the data directory, which is every server process's working directory.
#[derive(Debug)]
struct FileName {
    name: &'static str,
    /// The file's temporary name, until it has contents.
    new: &'static str,
}

const HIGH_WATER_MARK: FileName = FileName { name: "uuidrfc.high_water_mark", new: "uuidrfc.high_water_mark.new" };

/// The file with the time, on the primary's clock, of the latest commit that this server has replayed.
const REPLAYED: FileName = FileName { name: "uuidrfc.replayed", new: "uuidrfc.replayed.new" };

/// How far ahead of the clock the mark is raised, in nanoseconds. After a restart, UUIDs can be this far ahead of the clock.
const AHEAD: u64 = 2_000_000_000;

/// How far the mark is raised above UUIDs that are already ahead of the clock: 10 ms, or ten million UUIDs. With [`AHEAD`] instead,
/// every restart would put UUIDs another 2 s ahead.
const AHEAD_OF_USE: u64 = 10_000_000;

/// The first nanosecond that is never taken, in the year 2262.
const END: u64 = 1 << 63;

/// The nanoseconds that a session is about to take.
#[derive(Clone, Copy)]
struct Wanted {
    /// The later of the clock's nanosecond and the one after the session's UUIDs of scope `backend`.
    now: u64,
    /// The last of these nanoseconds.
    end: u64,
}

/// Ensures that the limit is above the wanted nanoseconds or, if none are wanted, that there is a limit. In the latter case, the
/// limit does not depend on this server's clock, so that a wrong clock has no effect unless a UUID is generated.
///
/// While another process writes the mark, the statement waits, with the wait event `Extension`. If the statement is canceled, the
/// error is raised by longjmp, so the caller's frames must own nothing.
#[cold]
#[inline(never)]
#[allow(unsafe_code)]
fn raise_limit(shared: &Shared, wanted: Option<Wanted>) -> Result<(), Failure> {
    const EVENTS: c_int = (pg_sys::WL_LATCH_SET | pg_sys::WL_TIMEOUT | pg_sys::WL_EXIT_ON_PM_DEATH).cast_signed();
    const MILLISECOND: c_long = 1;
    while !try_to_raise_limit(shared, wanted)? {
        // SAFETY: this process has a latch, and the loop is PostgreSQL's usual one of WaitLatch, ResetLatch and
        // CHECK_FOR_INTERRUPTS. No frame between here and PostgreSQL owns anything: no file is open, and the generators are
        // consistent between two UUIDs.
        unsafe {
            raw::WaitLatch(pg_sys::MyLatch, EVENTS, MILLISECOND, pg_sys::PG_WAIT_EXTENSION);
            raw::ResetLatch(pg_sys::MyLatch);
            raw::check_for_interrupts();
        }
    }
    Ok(())
}

/// Like [`raise_limit`], but returns `false` instead of waiting if another process has locked a file.
fn try_to_raise_limit(shared: &Shared, wanted: Option<Wanted>) -> Result<bool, Failure> {
    let is_enough = |limit: u64| limit > wanted.map_or(0, |wanted| wanted.end);
    if is_enough(shared.limit.load(Ordering::Acquire)) && !is_promoted(shared) {
        return Ok(true); // Another backend raised it in the meantime.
    }
    let Some(mut mark) = HighWaterMark::open(&HIGH_WATER_MARK)? else { return Ok(false) };
    // Read only once, because recovery can end at any moment. If it ends after this read, the next call notices.
    let of_standby = raw::RecoveryInProgress();
    let is_first_use = shared.limit.load(Ordering::Acquire) == 0;
    let is_promotion = shared.of_standby.load(Ordering::Acquire) && !of_standby;
    // The nanoseconds up to this one may have been taken before this server was started, or by its primary.
    let taken = if is_first_use || is_promotion {
        let after_replay = if of_standby { Some(0) } else { after_replay()? };
        let Some(after_replay) = after_replay else { return Ok(false) };
        mark.value.max(after_replay)
    } else if is_enough(shared.limit.load(Ordering::Acquire)) {
        return Ok(true);
    } else {
        0
    };
    let limit = match wanted {
        Some(Wanted { now, end }) => now.saturating_add(AHEAD).max(end.max(taken).saturating_add(AHEAD_OF_USE)),
        None => taken.max(1), // 0 would mean that no limit is set.
    };
    let limit = limit.min(END);
    mark.raise(limit)?;
    // The order of these stores matters: `last` must have reached the recovered mark before `limit` admits a nanosecond, and
    // `of_standby` may be cleared only once `limit` is above every replayed commit.
    if of_standby {
        shared.of_standby.store(true, Ordering::Release);
    }
    shared.last.fetch_max(taken, Ordering::Relaxed);
    shared.limit.fetch_max(limit, Ordering::Release);
    if !of_standby {
        shared.of_standby.store(false, Ordering::Release);
    }
    Ok(true)
}

/// Returns a nanosecond later than any that a replayed transaction used, or 0 if no transaction was replayed. A UUID is generated
/// before its transaction commits, and is at most [`AHEAD`] ahead of the primary's clock, so the commit time plus [`AHEAD`]
/// suffices if that clock was right. Returns `None` if another process has locked the file.
fn after_replay() -> Result<Option<u64>, Failure> {
    let written = match HighWaterMark::find(&REPLAYED) {
        Ok(file) => file.value,
        Err(cause) if cause.kind() == ErrorKind::NotFound => 0,
        Err(cause) if cause.kind() == ErrorKind::WouldBlock => return Ok(None),
        Err(cause) => return Err(Failure::File { name: REPLAYED.name, cause }),
    };
    let replayed = written.max(last_replayed());
    Ok(Some(if replayed == 0 { 0 } else { replayed.saturating_add(AHEAD) }))
}

/// Returns the commit time of the last transaction that this server has replayed since it was started, in nanoseconds since 1970; 0
/// if there is none or its time is out of range.
fn last_replayed() -> u64 {
    match raw::GetLatestXTime() {
        0 => 0,
        time => {
            let micros = u64::try_from(Timestamptz(time).saturated().0).ok();
            micros.and_then(|micros| micros.checked_mul(1_000)).filter(|nanos| *nanos < END).unwrap_or(0)
        }
    }
}

/// An open file that contains a mark in nanoseconds. The file is locked until the structure is dropped.
struct HighWaterMark {
    name: &'static str,
    file: File,
    value: u64,
}

impl HighWaterMark {
    /// The file's length: 20 digits and a line feed. They are within one sector, which a disk writes whole or not at all;
    /// PostgreSQL's control file relies on this as well.
    const LENGTH: usize = 21;

    /// Opens and locks the file, and creates it if necessary. Returns `None` if another process has locked it.
    fn open(file: &FileName) -> Result<Option<HighWaterMark>, Failure> {
        let found = HighWaterMark::find(file).or_else(|cause| match cause.kind() {
            ErrorKind::NotFound => HighWaterMark::create(file),
            _ => Err(cause),
        });
        match found {
            Ok(mark) => Ok(Some(mark)),
            Err(cause) if cause.kind() == ErrorKind::WouldBlock => Ok(None),
            Err(cause) => Err(Failure::File { name: file.name, cause }),
        }
    }

    /// Opens and locks an existing file. [`ErrorKind::NotFound`] and [`ErrorKind::WouldBlock`] are not failures: the file does not
    /// exist, or another process has locked it.
    fn find(&FileName { name, .. }: &FileName) -> io::Result<HighWaterMark> {
        let mut file = OpenOptions::new().read(true).write(true).open(name)?;
        // The lock is released when the file is closed, which the kernel does at the latest when this process ends.
        file.try_lock()?;
        // One byte more than expected is read, to detect a file that is too long.
        let mut text = [0; HighWaterMark::LENGTH + 1];
        let mut length = 0;
        loop {
            match file.read(&mut text[length..])? {
                0 => break,
                more => length += more,
            }
        }
        let value = HighWaterMark::parse(&text[..length]).ok_or(ErrorKind::InvalidData)?;
        Ok(HighWaterMark { name, file, value })
    }

    /// Creates the file with a mark of 0, and locks it. The file gets its name only after its contents, because an empty file would
    /// be regarded as damaged.
    fn create(&FileName { name, new }: &FileName) -> io::Result<HighWaterMark> {
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(new)?;
        file.try_lock()?;
        // Another process may have created the file in the meantime.
        if Path::new(name).try_exists()? {
            // The temporary file is no longer needed, and another process may have removed it already.
            let _ = fs::remove_file(new);
            return Err(ErrorKind::WouldBlock.into());
        }
        file.set_len(0)?;
        let mut mark = HighWaterMark { name, file, value: 0 };
        mark.write()?;
        fs::rename(new, name)?;
        Ok(mark)
    }

    /// Raises the mark to `value`, unless the mark is higher, and syncs the file and the directory. The mark is rewritten even if
    /// it is unchanged, because after a failed fsync, the kernel reports success for pages that it has dropped.
    fn raise(&mut self, value: u64) -> Result<(), Failure> {
        self.value = self.value.max(value);
        self.write().and_then(|()| sync_directory()).map_err(|cause| Failure::File { name: self.name, cause })
    }

    fn write(&mut self) -> io::Result<()> {
        let mut text = [0; HighWaterMark::LENGTH];
        writeln!(&mut text[..], "{:020}", self.value)?;
        self.file.rewind()?;
        self.file.write_all(&text)?;
        self.file.sync_data()
    }

    fn parse(text: &[u8]) -> Option<u64> {
        let (b'\n', digits) = text.split_last()? else { return None };
        let digits = str::from_utf8(digits).ok()?;
        let is_number = digits.len() == HighWaterMark::LENGTH - 1 && digits.bytes().all(|byte| byte.is_ascii_digit());
        let value = if is_number { digits.parse().ok()? } else { return None };
        (value <= END).then_some(value)
    }
}

/// Makes the name of a new file durable. Like PostgreSQL, this function accepts a file system that cannot flush a directory.
fn sync_directory() -> io::Result<()> {
    match File::open(".")?.sync_all() {
        Err(cause) if matches!(cause.raw_os_error(), Some(libc::EBADF | libc::EINVAL)) => Ok(()),
        result => result,
    }
}

/// Before PostgreSQL 17, shared memory can be requested only while the server starts.
#[cfg(not(named_dsm))]
mod shared {
    use std::sync::atomic::{AtomicBool, Ordering};

    use pgrx::{PgAtomic, pg_shmem_init, shmem::AssertPGRXSharedMemory};

    use super::{SHARED_NAME, Shared};
    use crate::error::Failure;

    // SAFETY: no other shared memory has this name.
    #[allow(unsafe_code)]
    static SHARED: PgAtomic<AssertPGRXSharedMemory<Shared>> = unsafe { PgAtomic::new(SHARED_NAME) };

    /// Whether there is shared memory. Set while the server starts, and inherited by every backend.
    static PRELOADED: AtomicBool = AtomicBool::new(false);

    pub fn preload() {
        pg_shmem_init!(SHARED = fresh());
    }

    /// Returns the initial contents. Called when the server allocates shared memory.
    #[allow(unsafe_code)]
    fn fresh() -> AssertPGRXSharedMemory<Shared> {
        PRELOADED.store(true, Ordering::Relaxed);
        // SAFETY: the memory contains atomic values, and nothing that belongs to one process only.
        unsafe { AssertPGRXSharedMemory::new(Shared::default()) }
    }

    #[inline]
    pub fn get() -> Result<&'static Shared, Failure> {
        if PRELOADED.load(Ordering::Relaxed) { Ok(SHARED.get()) } else { Err(Failure::NotPreloaded) }
    }
}

/// From PostgreSQL 17 on, shared memory can be requested at any time, by name.
#[cfg(named_dsm)]
mod shared {
    use std::ffi::c_void;
    use std::sync::atomic::{AtomicPtr, Ordering};

    use pgrx::prelude::*;

    use super::{SHARED_NAME, Shared};
    use crate::error::Failure;

    static ATTACHED: AtomicPtr<Shared> = AtomicPtr::new(std::ptr::null_mut());

    pub fn preload() {}

    #[inline]
    #[allow(unsafe_code)]
    pub fn get() -> Result<&'static Shared, Failure> {
        let mut shared = ATTACHED.load(Ordering::Relaxed);
        if shared.is_null() {
            shared = attach();
        }
        // SAFETY: the segment holds a `Shared`, which was initialized before other processes could find the segment; the segment
        // remains mapped until the process ends.
        Ok(unsafe { &*shared })
    }

    #[cold]
    #[allow(unsafe_code)]
    fn attach() -> *mut Shared {
        // From PostgreSQL 19 on, the callback has a second argument, for data from the caller.
        unsafe extern "C-unwind" fn initialize(segment: *mut c_void, #[cfg(named_dsm_argument)] _: *mut c_void) {
            // SAFETY: the segment has the requested size and is aligned for any type.
            unsafe { segment.cast::<Shared>().write(Shared::default()) };
        }
        let mut found = false;
        // SAFETY: called on PostgreSQL's only thread, in a C function that PostgreSQL called. If memory runs out, the guard raises
        // the error by longjmp; the callers' frames own nothing.
        let shared = unsafe {
            pg_sys::panic::pgrx_extern_c_guard(|| {
                pg_sys::GetNamedDSMSegment(
                    SHARED_NAME.as_ptr(),
                    size_of::<Shared>(),
                    Some(initialize),
                    &mut found,
                    #[cfg(named_dsm_argument)]
                    std::ptr::null_mut(),
                )
            })
        };
        let shared = shared.cast::<Shared>();
        ATTACHED.store(shared, Ordering::Relaxed);
        shared
    }
}

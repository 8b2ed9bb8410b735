//! PostgreSQL functions without pgrx's wrappers, for SQL functions without a guard and for generating UUIDs.
//!
//! pgrx's bindings call `sigsetjmp` before each function, to turn PostgreSQL's errors into Rust panics. This takes as long as
//! reading the clock, and a panic must not leave a function without a guard. Where neither matters, the bindings are used. No other
//! file declares PostgreSQL functions.
#![allow(unsafe_code)]

use std::cell::UnsafeCell;
use std::ffi::{c_char, c_int, c_long, c_void};
use std::mem::MaybeUninit;
use std::ptr;

use pgrx::pg_sys::{self, Datum, FunctionCallInfo};
use pgrx::{PgLogLevel, PgSqlErrorCode};

// Functions that raise no error, unless a comment says otherwise.
unsafe extern "C-unwind" {
    pub safe fn GetDatabaseEncoding() -> c_int;

    pub safe fn RecoveryInProgress() -> bool;

    /// Returns the commit time, on the primary's clock, of the last transaction that this server has replayed since it was
    /// started; 2000-01-01 if there is none.
    pub safe fn GetLatestXTime() -> pg_sys::TimestampTz;

    pub safe fn ReadNextFullTransactionId() -> pg_sys::FullTransactionId;
    pub safe fn GetTopFullTransactionIdIfAny() -> pg_sys::FullTransactionId;
    /// Returns the ID of the process that runs a transaction; 0 if none does, for example because the transaction was prepared.
    pub safe fn BackendXidGetPid(transaction: pg_sys::TransactionId) -> c_int;

    pub safe fn ActiveSnapshotSet() -> bool;
    pub fn GetActiveSnapshot() -> pg_sys::Snapshot;

    pub safe fn stack_is_too_deep() -> bool;

    /// Returns the number of a column, or SPI_ERROR_NOATTRIBUTE.
    pub fn SPI_fnumber(row: pg_sys::TupleDesc, column: *const c_char) -> c_int;
    pub fn SPI_gettypeid(row: pg_sys::TupleDesc, column: c_int) -> pg_sys::Oid;
    /// Returns how a column is generated; 0 if it is not. Raises an error by longjmp if the catalogs cannot be read.
    pub fn get_attgenerated(table: pg_sys::Oid, column: pg_sys::AttrNumber) -> c_char;

    pub fn ResetLatch(latch: *mut pg_sys::Latch);

    /// Not called, but used as a function pointer, because tuplesort has a specialized sort for this comparator.
    #[cfg(unsigned_comparator)]
    pub fn ssup_datum_unsigned_cmp(a: Datum, b: Datum, sort: pg_sys::SortSupport) -> c_int;
}

// Functions that raise errors by longjmp, over all frames up to PostgreSQL's handler. No frame in between may own anything; the
// SAFETY comment of each call must show that none does.
unsafe extern "C-unwind" {
    pub fn palloc(size: usize) -> *mut c_void;
    pub fn pg_detoast_datum_packed(datum: *mut pg_sys::varlena) -> *mut pg_sys::varlena;

    pub fn heap_modify_tuple_by_cols(
        tuple: pg_sys::HeapTuple,
        row: pg_sys::TupleDesc,
        count: c_int,
        columns: *const c_int,
        values: *const Datum,
        nulls: *const bool,
    ) -> pg_sys::HeapTuple;

    /// Must be called in a transaction.
    pub fn TransactionIdIsInProgress(transaction: pg_sys::TransactionId) -> bool;

    pub fn WaitLatch(latch: *mut pg_sys::Latch, events: c_int, timeout: c_long, wait_event: u32) -> c_int;
    fn ProcessInterrupts();

    pub fn DirectFunctionCall2Coll(
        function: pg_sys::PGFunction,
        collation: pg_sys::Oid,
        first: Datum,
        second: Datum,
    ) -> Datum;
    pub fn DirectFunctionCall5Coll(
        function: pg_sys::PGFunction,
        collation: pg_sys::Oid,
        first: Datum,
        second: Datum,
        third: Datum,
        fourth: Datum,
        fifth: Datum,
    ) -> Datum;
    /// Returns `timestamptz + interval`, with months and days added in the session's time zone.
    pub fn timestamptz_pl_interval(call: FunctionCallInfo) -> Datum;
    /// Returns `in_range(timestamptz, timestamptz, interval, boolean, boolean)`.
    pub fn in_range_timestamptz_interval(call: FunctionCallInfo) -> Datum;
}

unsafe extern "C-unwind" {
    fn errstart(level: c_int, domain: *const c_char) -> bool;
    fn errcode(code: c_int) -> c_int;
    fn errmsg_internal(format: *const c_char, ...) -> c_int;
    fn errdetail_internal(format: *const c_char, ...) -> c_int;
    fn errhint(format: *const c_char, ...) -> c_int;
    fn errfinish(file: *const c_char, line: c_int, function: *const c_char);
    safe fn geterrcode() -> c_int;
}

/// Reports like PostgreSQL's macro ereport. Allocates only in PostgreSQL's `ErrorContext`.
///
/// # Safety
/// The caller's frames must own nothing, because errors are raised by longjmp.
pub unsafe fn report(level: PgLogLevel, code: PgSqlErrorCode, message: &str, detail: Option<&str>, hint: Option<&str>) {
    const TEXT: *const c_char = c"%.*s".as_ptr();
    let length = |text: &str| c_int::try_from(text.len()).unwrap_or(c_int::MAX);
    // SAFETY: the macro makes the same calls. The format takes the length and the address of a text; the texts are copied.
    unsafe {
        if errstart(level as c_int, ptr::null()) {
            errcode(code as c_int);
            errmsg_internal(TEXT, length(message), message.as_ptr());
            if let Some(detail) = detail {
                errdetail_internal(TEXT, length(detail), detail.as_ptr());
            }
            if let Some(hint) = hint {
                errhint(TEXT, length(hint), hint.as_ptr());
            }
            errfinish(c"error.rs".as_ptr(), 0, c"uuidrfc".as_ptr());
        }
    }
}

/// The copy of a caught error for pgrx's guard. It contains only the level and the SQLSTATE, which are all that pgrx needs. Copying
/// the rest would allocate memory; if memory had just run out, this would raise another error, which the next guard would copy, and
/// so on until PostgreSQL's error stack overflowed. The error itself remains in PostgreSQL, which raises it again after the guard.
struct CopiedError(UnsafeCell<MaybeUninit<pg_sys::ErrorData>>);

// SAFETY: PostgreSQL's errors are caught on PostgreSQL's only thread.
unsafe impl Sync for CopiedError {}

static COPIED_ERROR: CopiedError = CopiedError(UnsafeCell::new(MaybeUninit::zeroed()));

/// Replaces PostgreSQL's `CopyErrorData` through a linker option in build.rs.
// SAFETY: the linker resolves the name only in this library, and the directive below hides it from others.
#[unsafe(no_mangle)]
extern "C-unwind" fn __wrap_CopyErrorData() -> *mut pg_sys::ErrorData {
    let copy = COPIED_ERROR.0.get().cast::<pg_sys::ErrorData>();
    // SAFETY: only PostgreSQL's thread uses the copy, and zeroed memory is a valid `ErrorData` (numbers and null pointers).
    unsafe {
        (*copy).elevel = PgLogLevel::ERROR as c_int;
        (*copy).sqlerrcode = geterrcode();
    }
    copy
}

/// Replaces PostgreSQL's `FreeErrorData`. Does nothing, because nothing was allocated.
// SAFETY: as for the function above, the name is hidden from other libraries.
#[unsafe(no_mangle)]
extern "C-unwind" fn __wrap_FreeErrorData(_: *mut pg_sys::ErrorData) {}

/// Replaces the C library's function that registers thread-local destructors and ends the process if memory runs out. No destructor
/// is needed, because PostgreSQL's only thread lasts as long as the process.
// SAFETY: as for the functions above, the name is hidden from other libraries.
#[unsafe(no_mangle)]
extern "C" fn __wrap___cxa_thread_atexit_impl(_: *mut c_void, _: *mut c_void, _: *mut c_void) -> c_int {
    0
}

std::arch::global_asm!(
    ".hidden __wrap_CopyErrorData",
    ".hidden __wrap_FreeErrorData",
    ".hidden __wrap___cxa_thread_atexit_impl"
);

/// Checks for interrupts like PostgreSQL's macro CHECK_FOR_INTERRUPTS.
///
/// # Safety
/// The caller's frames must own nothing, because the error of a canceled statement is raised by longjmp.
#[inline]
pub unsafe fn check_for_interrupts() {
    // SAFETY: a flag of this process is read; the rest is the caller's contract.
    unsafe {
        if pg_sys::InterruptPending != 0 {
            ProcessInterrupts();
        }
    }
}

//! `uuidv7_horizon()`: the bound below which this server's version 7 UUIDs are settled, so that a reader of rows below it misses
//! none.
//!
//! **Every version 7 UUID below the horizon that `uuidv7()`, `uuidv7_array` or `uuidv7_touch` generated in scope `server` belongs
//! to a transaction that has ended and, if it committed, is visible in the statement's snapshot.**
//!
//! The crate `horizon` contains the protocol and its proof. The protocol's requirements are met as follows:
//!
//! - *The last value taken* is `last` in the shared memory of scope `server`. Only read-modify-write operations change it.
//! - *A slot for each writer*: one for each `PGPROC` of a backend. A backend runs one transaction at a time, and a `PGPROC` serves
//!   one backend at a time. Parallel workers are part of their leader's transaction: they use the leader's slot, and the leader
//!   waits for them to end before it ends the transaction.
//! - *Held before the first value*: the generators call [`hold`] before they take a nanosecond for version 7.
//! - *Settled after others see the end*: PostgreSQL calls the callbacks with `XACT_EVENT_COMMIT` and `XACT_EVENT_ABORT` after it
//!   has removed the transaction from the `ProcArray`, from which snapshots are computed. (A crash prevents these calls, but then
//!   shared memory is initialized again.) Another library's callback may commit on other servers, as Citus's does. Values are
//!   therefore released by [`release_values`], after all callbacks.
//! - *What a snapshot sees*: transactions are identified by their 64-bit IDs, and each snapshot lists the top-level transactions in
//!   progress, regardless of the number of subtransactions. A transaction without an ID has written nothing.
//! - *Prepared transactions* are stored before their slots are cleared. Those that this server found at startup or promotion are
//!   not stored; they are recognized by their IDs, which are less than any assigned since, and are assumed to hold all values. See
//!   [`Memory::begin`].
//! - *All writers participate*: the memory exists only if the library is preloaded, and then every session uses this library, even
//!   if another version has been installed since the server started. UUIDs of sessions in scope `backend` are not covered.
//!
//! All calls in a statement must return the same horizon. With two horizons, one scan could skip a row between them, and another
//! could read rows beyond that row. The horizon is therefore stored in the snapshot; see [`horizon_in_snapshot`].

use std::ffi::{CStr, CString, c_void};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use ::horizon::{GivenUp, History, Prepared, Slot, Snapshot, Table, horizon};
use pgrx::pg_sys::{self, TransactionId, XactEvent};
use pgrx::prelude::*;
use pgrx::{PgSharedMemoryInitialization, pg_shmem_init, spi};
use rfc9562::{Uuid, nanosecond, v7};

use crate::datum::{SqlUuid, Text, uuid_value};
use crate::error::{Failure, OrRaise};
use crate::raw::{BackendXidGetPid, GetTopFullTransactionIdIfAny, ReadNextFullTransactionId, RecoveryInProgress};
use crate::unguarded_function::unguarded_function;
use crate::{raw, server_scope};

/// If the library is being preloaded, requests shared memory and registers callbacks for the end of transactions. All processes
/// inherit both.
#[allow(unsafe_code)]
pub fn initialize() {
    // SAFETY: the flag is read on PostgreSQL's only thread.
    if unsafe { pg_sys::process_shared_preload_libraries_in_progress } {
        pg_shmem_init!(HORIZON = ());
        // SAFETY: called on PostgreSQL's only thread. The callbacks live as long as the library, which is never unloaded.
        unsafe {
            pg_sys::RegisterXactCallback(Some(transaction_event), std::ptr::null_mut());
            pg_sys::RegisterResourceReleaseCallback(Some(release_values), std::ptr::null_mut());
        }
    }
}

/// The name of the shared memory. While the server runs, no other version of the library uses the memory; see above.
const NAME: &CStr = c"uuidrfc horizon";

static HORIZON: Horizon = Horizon(AtomicPtr::new(std::ptr::null_mut()));

/// The address of the shared memory; null if the library was not preloaded.
struct Horizon(AtomicPtr<Header>);

/// The beginning of the shared memory, followed by slots, histories and entries for prepared transactions.
#[derive(Debug, Default)]
#[repr(C, align(64))]
struct Header {
    slots: usize,
    entries: usize,
    /// The transaction ID that [`Memory::begin`] stores; 0 until then.
    begun: AtomicU64,
    given_up: GivenUp,
    #[cfg(not(named_dsm))]
    scope: server_scope::Shared,
}

/// The parts of the shared memory.
#[derive(Clone, Copy)]
struct Memory {
    begun: &'static AtomicU64,
    /// A slot for each `PGPROC` that a backend can have, in the order of `allProcs`.
    slots: &'static [Slot],
    histories: &'static [History],
    prepared: Table<'static>,
}

/// The number of spare entries, for ended transactions that some snapshot may still see as in progress. If no entry is free, the
/// entries of all ended transactions are given up.
const SPARE_ENTRIES: usize = 1_000;

#[allow(unsafe_code)]
fn backends() -> usize {
    // SAFETY: the settings are read on PostgreSQL's only thread. In PostgreSQL 14, libraries request shared memory before
    // `MaxBackends`, their sum, is computed.
    #[cfg(not(early_max_backends))]
    let backends = unsafe {
        pg_sys::MaxConnections
            + pg_sys::autovacuum_max_workers
            + 1
            + pg_sys::max_worker_processes
            + pg_sys::max_wal_senders
    };
    // SAFETY: the variable has been computed by now and is read on PostgreSQL's only thread.
    #[cfg(early_max_backends)]
    let backends = unsafe { pg_sys::MaxBackends };
    usize::try_from(backends).unwrap_or(0)
}

/// Returns the number of entries: one for each transaction that can be prepared, one for each backend, and [`SPARE_ENTRIES`].
#[allow(unsafe_code)]
fn entry_count() -> usize {
    // SAFETY: the setting is read on PostgreSQL's only thread.
    match usize::try_from(unsafe { pg_sys::max_prepared_xacts }) {
        Ok(0) | Err(_) => 0,
        Ok(prepared) => prepared + backends() + SPARE_ENTRIES,
    }
}

fn size(slots: usize, entries: usize) -> usize {
    size_of::<Header>() + slots * (size_of::<Slot>() + size_of::<History>()) + entries * size_of::<Prepared>()
}

#[allow(unsafe_code)]
impl PgSharedMemoryInitialization for Horizon {
    type Value = ();

    unsafe fn on_shmem_request(&'static self) {
        // SAFETY: pgrx calls this function when shared memory may be requested.
        unsafe { pg_sys::RequestAddinShmemSpace(size(backends(), entry_count()) + align_of::<Header>()) };
    }

    unsafe fn on_shmem_startup(&'static self, (): ()) {
        let (slots, entries) = (backends(), entry_count());
        let size = size(slots, entries);
        let mut found = false;
        // SAFETY: called by the postmaster after it has created shared memory, before it starts any other process.
        let memory = unsafe { pg_sys::ShmemInitStruct(NAME.as_ptr(), size, &mut found) }.cast::<Header>();
        assert!(memory.is_aligned(), "shared memory is not aligned");
        if !found {
            // SAFETY: the memory has the requested size and, as was checked, the alignment of `Header`, and no other process uses
            // it yet. Zeroed slots, histories and entries are valid.
            unsafe {
                memory.cast::<u8>().write_bytes(0, size);
                memory.write(Header { slots, entries, ..Header::default() });
            }
        }
        self.0.store(memory, Ordering::Relaxed);
        // SAFETY: the memory is initialized, and exists as long as the server.
        #[cfg(not(named_dsm))]
        server_scope::share(unsafe { &(*memory).scope });
    }
}

impl Memory {
    #[allow(unsafe_code)]
    fn get() -> Option<Memory> {
        let start = HORIZON.0.load(Ordering::Relaxed);
        // SAFETY: `start` is null or points to the memory that `on_shmem_startup` initialized, which exists as long as the process
        // does. After the header, this memory contains only atomic words. Each array is aligned for its type, because the sizes of
        // `Header` and `Slot` are multiples of 64 bytes, and that of `History` is a multiple of 8.
        unsafe {
            let header = start.as_ref()?;
            let slots = start.add(1).cast::<Slot>();
            let histories = slots.add(header.slots).cast::<History>();
            let entries = histories.add(header.slots).cast::<Prepared>();
            Some(Memory {
                begun: &header.begun,
                slots: std::slice::from_raw_parts(slots, header.slots),
                histories: std::slice::from_raw_parts(histories, header.slots),
                prepared: Table {
                    entries: std::slice::from_raw_parts(entries, header.entries),
                    given_up: &header.given_up,
                },
            })
        }
    }

    /// At the first call after recovery, stores a transaction ID greater than those of all transactions that had been prepared when
    /// recovery ended. A transaction in progress that has a smaller ID and belongs to no backend is one of these, has an entry, or
    /// holds no values.
    fn begin(&self) {
        if self.begun.load(Ordering::Relaxed) == 0 && !RecoveryInProgress() {
            let next = ReadNextFullTransactionId().value;
            let _ = self.begun.compare_exchange(0, next, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Returns the slot and history of a process's transaction, or `None` for a process that runs no transactions.
    #[allow(unsafe_code)]
    fn slot(&self, process: *mut pg_sys::PGPROC) -> Option<(&'static Slot, &'static History)> {
        if process.is_null() {
            return None;
        }
        // SAFETY: every `PGPROC` is an element of this array.
        let number = unsafe { process.offset_from((*pg_sys::ProcGlobal).allProcs) };
        let number = usize::try_from(number).ok()?;
        self.slots.get(number).zip(self.histories.get(number))
    }
}

/// Whether [`hold`] has nothing to do, because this process's transaction holds its slot or the horizon is not available.
static HOLDS: AtomicBool = AtomicBool::new(false);

/// Holds the slot of this process's transaction. Must be called before a nanosecond of scope `server` is taken for a version 7
/// UUID.
#[inline]
pub fn hold() -> Result<(), Failure> {
    if HOLDS.load(Ordering::Relaxed) { Ok(()) } else { hold_first() }
}

#[cold]
#[inline(never)]
#[allow(unsafe_code)]
fn hold_first() -> Result<(), Failure> {
    if let Some(memory) = Memory::get() {
        // SAFETY: the variables are read on PostgreSQL's only thread. A parallel worker's leader outlives the worker.
        let (own, leader) = unsafe { (pg_sys::MyProc, pg_sys::MyProc.as_ref().map(|own| own.lockGroupLeader)) };
        if let Some((slot, _)) = memory.slot(leader.filter(|leader| !leader.is_null()).unwrap_or(own)) {
            memory.begin();
            slot.hold(server_scope::last_taken()?);
        }
    }
    HOLDS.store(true, Ordering::Relaxed);
    Ok(())
}

/// The entry that this process has claimed for the transaction that it is preparing, or [`NO_ENTRY`].
static CLAIMED_ENTRY: AtomicUsize = AtomicUsize::new(NO_ENTRY);

const NO_ENTRY: usize = usize::MAX;

/// Handles the end or the preparation of a transaction of this process. This function and [`release_values`] have no guard, because
/// they are called for every transaction. They do not panic, and only [`claim_entry`], which has a guard, raises errors.
#[allow(unsafe_code)]
unsafe extern "C-unwind" fn transaction_event(event: XactEvent::Type, _argument: *mut c_void) {
    if event == XactEvent::XACT_EVENT_PRE_COMMIT {
        return;
    }
    let Some(memory) = Memory::get() else { return };
    // A session's first transaction ends before its first statement begins, so this function is called before any statement.
    memory.begin();
    // SAFETY: the variable is read on PostgreSQL's only thread. In a parallel worker, this slot is never held.
    let Some((slot, _)) = memory.slot(unsafe { pg_sys::MyProc }) else { return };
    let entry = || memory.prepared.entries.get(CLAIMED_ENTRY.swap(NO_ENTRY, Ordering::Relaxed));
    match event {
        XactEvent::XACT_EVENT_COMMIT => HAS_ENDED.store(slot.first().is_some(), Ordering::Relaxed),
        XactEvent::XACT_EVENT_ABORT => {
            HAS_ENDED.store(slot.first().is_some(), Ordering::Relaxed);
            if let Some(entry) = entry() {
                entry.release();
            }
        }
        // If there are no entries, no transaction can be prepared: PostgreSQL itself raises an error.
        XactEvent::XACT_EVENT_PRE_PREPARE if !memory.prepared.entries.is_empty() => return claim_entry(),
        XactEvent::XACT_EVENT_PREPARE => {
            // Both exist: an entry was claimed, and a prepared transaction has an ID.
            if let Some((entry, transaction)) = entry().zip(transaction()) {
                entry.keep(slot, transaction);
            }
        }
        XactEvent::XACT_EVENT_PARALLEL_COMMIT | XactEvent::XACT_EVENT_PARALLEL_ABORT => {}
        _ => return,
    }
    HOLDS.store(false, Ordering::Relaxed);
}

fn transaction() -> Option<u64> {
    Some(GetTopFullTransactionIdIfAny().value).filter(|id| *id != 0)
}

/// Whether this process's transaction has ended and holds values that have not been released yet.
static HAS_ENDED: AtomicBool = AtomicBool::new(false);

/// Releases the values of a transaction that has ended. PostgreSQL calls this function whenever it releases resources; at the end
/// of a transaction, it does so after all transaction callbacks, while the transaction still has its ID.
#[allow(unsafe_code)]
unsafe extern "C-unwind" fn release_values(
    _phase: pg_sys::ResourceReleasePhase::Type,
    is_commit: bool,
    _is_top_level: bool,
    _argument: *mut c_void,
) {
    if HAS_ENDED.load(Ordering::Relaxed) {
        HAS_ENDED.store(false, Ordering::Relaxed);
        // SAFETY: the variable is read on PostgreSQL's only thread.
        if let Some((slot, history)) = Memory::get().and_then(|memory| memory.slot(unsafe { pg_sys::MyProc })) {
            slot.settle(history, transaction().filter(|_| is_commit));
        }
    }
}

/// Claims an entry for the transaction that is about to be prepared. Raises an error if no entry is free and none can be freed.
#[allow(unsafe_code)]
#[pg_guard]
extern "C-unwind" fn claim_entry() {
    let Some(memory) = Memory::get() else { return };
    let entries = memory.prepared.entries;
    let next = ReadNextFullTransactionId().value;
    // SAFETY: called in a transaction. A null pointer stands for all tables.
    let oldest = unsafe { pg_sys::GetOldestNonRemovableTransactionId(std::ptr::null_mut()) };
    let oldest = full(next, oldest);
    let kept = || entries.iter().filter_map(|entry| Some((entry, entry.kept()?.0)));
    for (entry, transaction) in kept().filter(|&(_, transaction)| transaction < oldest) {
        // Every snapshot sees that the transaction has ended.
        entry.forget(transaction);
    }
    let claim = || entries.iter().position(Prepared::claim);
    let claimed = claim().or_else(|| {
        for (entry, transaction) in kept() {
            if !is_in_progress(low(transaction)) {
                memory.prepared.give_up(entry);
            }
        }
        claim()
    });
    CLAIMED_ENTRY.store(claimed.ok_or(Failure::TooManyPrepared).or_raise(), Ordering::Relaxed);
}

/// Whether a transaction, which must be one of the last two billion, is in progress.
#[allow(unsafe_code)]
fn is_in_progress(transaction: TransactionId) -> bool {
    // SAFETY: called in a transaction, as the function requires. If memory runs out, an error is raised by longjmp, but no frame
    // from here to PostgreSQL owns anything.
    unsafe { raw::TransactionIdIsInProgress(transaction) }
}

/// Returns the 64-bit ID of a transaction, which must be one of the two billion before `next`.
fn full(next: u64, id: TransactionId) -> u64 {
    next.saturating_sub(u64::from(low(next).into_inner().wrapping_sub(id.into_inner())))
}

/// Returns the low 32 bits of a 64-bit ID. PostgreSQL's own lists contain IDs in this form.
#[allow(clippy::cast_possible_truncation)]
fn low(transaction: u64) -> TransactionId {
    TransactionId::from(transaction as u32)
}

struct Active<'a> {
    /// Every transaction before this one had ended when the snapshot was taken.
    begin: u64,
    /// Neither this transaction nor any later one had ended when the snapshot was taken.
    end: u64,
    next: u64,
    /// The transactions from `begin` to `end` that were in progress when the snapshot was taken.
    in_progress: &'a [TransactionId],
}

impl Snapshot for Active<'_> {
    fn sees(&self, transaction: u64) -> bool {
        transaction < self.begin || transaction < self.end && !self.in_progress.contains(&low(transaction))
    }

    fn sees_all_ended(&self, last: u64) -> bool {
        let ends_later = |&id: &TransactionId| full(self.next, id) > last || is_in_progress(id);
        last < self.begin || last < self.end && self.in_progress.iter().all(ends_later)
    }
}

/// Returns an error if the horizon is available but does not cover this session's UUIDs.
#[inline]
pub fn require_covered() -> Result<(), Failure> {
    if server_scope::is_on() || HORIZON.0.load(Ordering::Relaxed).is_null() {
        Ok(())
    } else {
        Err(Failure::HorizonOutOfScope)
    }
}

unguarded_function!(uuidv7_horizon, || SqlUuid(horizon_of_statement().or_raise_unguarded()));

fn horizon_of_statement() -> Result<Uuid, Failure> {
    if RecoveryInProgress() {
        return Err(Failure::HorizonOnStandby);
    }
    // Checked before the scope, because on PostgreSQL 16 and earlier, `uuidv7()` fails in scope `server` without preloading.
    let memory = Memory::get().ok_or(Failure::HorizonNotPreloaded)?;
    if !server_scope::is_on() {
        return Err(Failure::HorizonOutOfScope);
    }
    if is_task_of_citus() {
        return Err(Failure::HorizonOnShard);
    }
    let nanos = horizon_in_snapshot(|snapshot| {
        memory.begin();
        let last = server_scope::last_taken()?;
        if finds_unknown(memory, snapshot) {
            return Ok(0);
        }
        Ok(horizon(last, memory.slots, memory.histories, memory.prepared, snapshot))
    })?;
    smallest(nanos)
}

/// Whether Citus has sent the current query from another server, for a shard.
#[allow(unsafe_code)]
fn is_task_of_citus() -> bool {
    // SAFETY: the setting is null or a C string, and is read on PostgreSQL's only thread.
    unsafe {
        let name = pg_sys::application_name;
        !name.is_null() && CStr::from_ptr(name).to_bytes().starts_with(b"citus_internal ")
    }
}

fn smallest(nanos: u64) -> Result<Uuid, Failure> {
    Ok(v7::at(nanosecond::position_v7(nanos, 0)?))
}

/// Raises `cannot compute the horizon` for SQL code, with the given detail.
#[pg_extern(sql = false)]
fn uuidv7_no_horizon(detail: Text<'_>) -> SqlUuid {
    Failure::UnknownHorizon { detail: detail.shown() }.raise()
}

/// Returns a server's least mark in a table, as seen by the calling statement. PostgreSQL raises an error if the table lacks a
/// column `node` or `horizon`, or if the role may not read these columns.
#[pg_extern(sql = false)]
#[allow(unsafe_code)]
fn uuidv7_stored_mark(marks: pg_sys::Oid, node: Text<'_>) -> Option<SqlUuid> {
    // SAFETY: called in a transaction. The functions accept any OID, and return null or a C string in the call's memory context.
    let [schema, table] =
        unsafe { [pg_sys::get_namespace_name(pg_sys::get_rel_namespace(marks)), pg_sys::get_rel_name(marks)] };
    let name = if table.is_null() {
        CString::new(format!("\"{marks}\"")).unwrap_or_default()
    } else {
        // SAFETY: because the table exists, both names are C strings, and so is the result.
        unsafe { CStr::from_ptr(pg_sys::quote_qualified_identifier(schema, table)) }.to_owned()
    };
    let condition = b"WHERE node OPERATOR(pg_catalog.=) $1 ORDER BY 1 LIMIT 1\0".as_slice();
    let statement = [b"SELECT horizon::pg_catalog.uuid FROM", name.to_bytes(), condition].join(&b' ');
    let (statement, mut ty, mut node) = (statement.as_ptr().cast(), pg_sys::TEXTOID, node.0.into_datum()?);
    Spi::connect(|_| {
        // SAFETY: the statement ends in a zero byte, and its one parameter has a type and a value. A read-only statement uses the
        // snapshot of the calling statement; a newer mark would cover rows that this snapshot does not see.
        unsafe { pg_sys::SPI_execute_with_args(statement, 1, &raw mut ty, &raw mut node, std::ptr::null(), true, 1) };
        // SAFETY: the statement's result has one column, of type uuid. The value is copied.
        unsafe {
            let (rows, mut is_null) = (pg_sys::SPI_tuptable.as_ref().filter(|_| pg_sys::SPI_processed > 0)?, false);
            let mark = pg_sys::SPI_getbinval(*rows.vals, rows.tupdesc, 1, &raw mut is_null);
            (!is_null).then(|| SqlUuid(uuid_value(mark)))
        }
    })
}

/// Whether the snapshot lists a transaction in progress whose values are not known, because it was already prepared when this
/// server started or was promoted.
fn finds_unknown(memory: Memory, snapshot: &Active<'_>) -> bool {
    let begun = memory.begun.load(Ordering::Relaxed);
    if memory.prepared.entries.is_empty() || snapshot.begin >= begun {
        return false;
    }
    snapshot.in_progress.iter().any(|&id| {
        let transaction = full(snapshot.next, id);
        let is_kept = |entry: &Prepared| entry.kept().is_some_and(|(kept, _)| kept == transaction);
        // A prepared transaction belongs to no backend.
        transaction < begun && BackendXidGetPid(id) == 0 && !memory.prepared.entries.iter().any(is_kept)
    })
}

/// Returns the horizon of the active snapshot. The first call computes the horizon and stores it in the snapshot. A snapshot exists
/// as long as its statement or cursor, and a STABLE function uses the snapshot of the statement that calls it.
///
/// PostgreSQL uses the field `snapXactCompletionCount` only in the static structures in which it computes snapshots. In copies, the
/// field is 0 and never read, and an active snapshot is always a copy. (`build.rs` lists the PostgreSQL versions for which this was
/// checked.)
#[allow(unsafe_code)]
fn horizon_in_snapshot(compute: impl FnOnce(&Active<'_>) -> Result<u64, Failure>) -> Result<u64, Failure> {
    if !raw::ActiveSnapshotSet() {
        return Err(Failure::HorizonOfSnapshot);
    }
    // SAFETY: an active snapshot exists until the function returns, and belongs to this process.
    let snapshot = unsafe { &mut *raw::GetActiveSnapshot() };
    if snapshot.snapshot_type != pg_sys::SnapshotType::SNAPSHOT_MVCC || snapshot.takenDuringRecovery || !snapshot.copied
    {
        return Err(Failure::HorizonOfSnapshot);
    }
    if snapshot.snapXactCompletionCount == 0 {
        let in_progress: &[TransactionId] = match snapshot.xcnt as usize {
            0 => &[],
            // SAFETY: the array has this length.
            count => unsafe { std::slice::from_raw_parts(snapshot.xip, count) },
        };
        let next = ReadNextFullTransactionId().value;
        let active = Active { begin: full(next, snapshot.xmin), end: full(next, snapshot.xmax), next, in_progress };
        // 0 would mean that no horizon is stored. As a horizon, 1 is equivalent, because no value is less than 1.
        let horizon = compute(&active)?.max(1);
        snapshot.snapXactCompletionCount = horizon;
    }
    Ok(snapshot.snapXactCompletionCount)
}

/// Lists the transactions that hold values: those of processes by process ID, and prepared ones by transaction ID. If `first_value`
/// is null, the transaction's values are unknown, and it is assumed to hold all values.
#[pg_extern(sql = false)]
#[allow(unsafe_code, clippy::type_complexity)] // The type names the columns.
fn uuidv7_horizon_transactions() -> TableIterator<
    'static,
    (name!(pid, Option<i32>), name!(transaction, Option<TransactionId>), name!(first_value, Option<SqlUuid>)),
> {
    if RecoveryInProgress() {
        Failure::HorizonOnStandby.raise();
    }
    let Some(memory) = Memory::get() else { Failure::HorizonNotPreloaded.raise() };
    memory.begin();
    let value = |first| SqlUuid(smallest(first).or_raise());
    let open = memory.slots.iter().enumerate().filter_map(|(number, slot)| {
        let first = slot.first()?;
        // SAFETY: the array has an element for each slot, as long as PostgreSQL runs. Another backend may have taken over the slot
        // since it was read; no harm is done, because the ID is only displayed.
        let process = unsafe { (*(*pg_sys::ProcGlobal).allProcs.add(number)).pid };
        (process != 0).then(|| (Some(process), None, Some(value(first))))
    });
    let mut rows: Vec<_> = open.collect();
    let begun = memory.begun.load(Ordering::Relaxed);
    let next = ReadNextFullTransactionId().value;
    for id in prepared_transactions().map_err(Failure::Catalogs).or_raise() {
        let kept = memory.prepared.entries.iter().filter_map(Prepared::kept);
        match kept.into_iter().find(|&(transaction, _)| low(transaction) == id) {
            Some((_, first)) => rows.push((None, Some(id), Some(value(first)))),
            None if full(next, id) < begun => rows.push((None, Some(id), None)),
            None => {}
        }
    }
    TableIterator::new(rows)
}

fn prepared_transactions() -> spi::Result<Vec<TransactionId>> {
    Spi::connect(|client| {
        let rows = client.select("SELECT transaction FROM pg_catalog.pg_prepared_xact()", None, &[])?;
        rows.filter_map(|row| row.get(1).transpose()).collect()
    })
}

//! `uuidv7_horizon()`: which version 7 UUIDs of this server are settled, so that a reader of `id < uuidv7_horizon()` loses
//! nothing.
//!
//! **Every version 7 that `uuidv7()` or `uuidv7_array` made in scope `server` and that is less than the horizon
//! belongs to a transaction that has ended, and if it committed, the snapshot of the statement sees it.**
//!
//! The crate `horizon` has the protocol and its proof. What it asks for, and how PostgreSQL gives it:
//!
//! - *The last value taken* is the word that scope `server` shares, where every change is a read-modify-write.
//! - *A slot for each writer* is one for each `PGPROC` of a backend. A backend runs one transaction after the other, and
//!   a `PGPROC` serves one backend after the other. Parallel workers are part of their leader's transaction: they hold the leader's slot, and the
//!   leader waits for the end of its workers before it ends the transaction.
//! - *Held before the first value*: [`hold`], on the way to every value.
//! - *Settled after others see the end*: PostgreSQL calls `XACT_EVENT_COMMIT` and `XACT_EVENT_ABORT` after it took the transaction out of
//!   the array that snapshots are made of, on every way out but a crash; after a crash, shared memory begins anew.
//! - *What a snapshot sees*: transactions are numbered by their 64-bit ids, and those of the top level are listed in each
//!   snapshot, however many subtransactions there are. A transaction without an id has written nothing.
//! - *A prepared transaction* is kept before its slot is cleared. Those that this server found when it started or was promoted were
//!   prepared by a server whose memory is gone. They are known by their ids, which are less than any given out since,
//!   and what they hold is not known: everything. See [`Memory::begin`].
//! - *All writers take part*: the memory is there only where the library is preloaded, and then every session has this library,
//!   whatever was installed since the server started. Sessions that are not in scope `server` do not take part.
//!
//! A statement must have one horizon, however often and wherever it asks: with two, a row between them could be passed over
//! by one scan while another reads beyond it. So the horizon is stored in the snapshot; see [`remembered`].

use std::ffi::{CStr, c_void};
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};

use ::horizon::{GivenUp, History, Prepared, Slot, Snapshot, Table, horizon};
use pgrx::pg_sys::{self, TransactionId, XactEvent};
use pgrx::prelude::*;
use pgrx::{PgSharedMemoryInitialization, pg_shmem_init, spi};
use rfc9562::{Uuid, nanosecond, v7};

use crate::bare_function::bare_function;
use crate::datum::SqlUuid;
use crate::error::{Failure, NoHorizon, OrRaise};
use crate::raw::{BackendXidGetPid, GetTopFullTransactionIdIfAny, ReadNextFullTransactionId, RecoveryInProgress};
use crate::{raw, server_scope};

/// While the server starts: asks for shared memory, and to be told of the end of transactions. Processes inherit both.
#[allow(unsafe_code)]
pub fn initialize() {
    // SAFETY: called on PostgreSQL's only thread; the callback lives as long as the library, which is never unloaded.
    unsafe {
        if pg_sys::process_shared_preload_libraries_in_progress {
            pg_shmem_init!(HORIZON = ());
            pg_sys::RegisterXactCallback(Some(transaction_event), std::ptr::null_mut());
        }
    }
}

/// The memory, where its name is that of its layout. It is found by no other library: see the top of the file.
const NAME: &CStr = c"uuidrfc horizon";

static HORIZON: Horizon = Horizon(AtomicPtr::new(std::ptr::null_mut()));

/// Where the memory begins; null in a server that did not preload the library.
struct Horizon(AtomicPtr<Header>);

/// The memory's beginning. Slots, histories and places follow.
#[derive(Debug)]
#[repr(C, align(64))]
struct Header {
    slots: usize,
    places: usize,
    /// See [`Memory::begin`]; 0 if recovery did not end yet.
    begun: AtomicU64,
    given_up: GivenUp,
}

/// What [`Header`] is the beginning of.
#[derive(Clone, Copy)]
struct Memory {
    begun: &'static AtomicU64,
    /// Of each `PGPROC` that can be a backend's, in PostgreSQL's order.
    slots: &'static [Slot],
    histories: &'static [History],
    prepared: Table<'static>,
}

/// How many ended transactions can keep their places, because some snapshot does not see their end, before they are given
/// up.
const SPARE_PLACES: usize = 1_000;

/// How many backends there can be at a time.
#[allow(unsafe_code)]
fn backends() -> usize {
    // SAFETY: settings of PostgreSQL, read on its only thread. PostgreSQL 14 asks for memory before it adds them up.
    #[cfg(not(early_max_backends))]
    let backends = unsafe {
        pg_sys::MaxConnections
            + pg_sys::autovacuum_max_workers
            + 1
            + pg_sys::max_worker_processes
            + pg_sys::max_wal_senders
    };
    // SAFETY: a setting of PostgreSQL, which it has computed by now, read on its only thread.
    #[cfg(early_max_backends)]
    let backends = unsafe { pg_sys::MaxBackends };
    usize::try_from(backends).unwrap_or(0)
}

/// How many places for prepared transactions: for those that are open, for one that each backend may be about to prepare,
/// and for those that have ended.
#[allow(unsafe_code)]
fn places() -> usize {
    // SAFETY: a setting of PostgreSQL, read on its only thread.
    match usize::try_from(unsafe { pg_sys::max_prepared_xacts }) {
        Ok(0) | Err(_) => 0,
        Ok(prepared) => prepared + backends() + SPARE_PLACES,
    }
}

fn size(slots: usize, places: usize) -> usize {
    size_of::<Header>() + slots * (size_of::<Slot>() + size_of::<History>()) + places * size_of::<Prepared>()
}

#[allow(unsafe_code)]
impl PgSharedMemoryInitialization for Horizon {
    type Value = ();

    unsafe fn on_shmem_request(&'static self) {
        // SAFETY: called when PostgreSQL is asked for shared memory.
        unsafe { pg_sys::RequestAddinShmemSpace(size(backends(), places()) + align_of::<Header>()) };
    }

    unsafe fn on_shmem_startup(&'static self, (): ()) {
        let (slots, places) = (backends(), places());
        let size = size(slots, places);
        let mut found = false;
        // SAFETY: called by the postmaster when it has made shared memory, before it has any other process. The
        // memory is as large as asked for, and aligned to the line of a cache, as `Header` is. Zeros are what all but the
        // header begin with.
        unsafe {
            let memory = pg_sys::ShmemInitStruct(NAME.as_ptr(), size, &mut found).cast::<Header>();
            assert!(memory.is_aligned(), "shared memory is not aligned");
            if !found {
                memory.cast::<u8>().write_bytes(0, size);
                memory.write(Header { slots, places, begun: AtomicU64::new(0), given_up: GivenUp::default() });
            }
            self.0.store(memory, Ordering::Relaxed);
        }
    }
}

impl Memory {
    #[allow(unsafe_code)]
    fn get() -> Option<Memory> {
        let start = HORIZON.0.load(Ordering::Relaxed);
        // SAFETY: null, or what `on_shmem_startup` made: it stays as long as the process. All that is behind the header is
        // atomic words, and each array begins where its type may: what is before it is a multiple of 64 bytes, or of 8.
        unsafe {
            let header = start.as_ref()?;
            let slots = start.add(1).cast::<Slot>();
            let histories = slots.add(header.slots).cast::<History>();
            let places = histories.add(header.slots).cast::<Prepared>();
            Some(Memory {
                begun: &header.begun,
                slots: std::slice::from_raw_parts(slots, header.slots),
                histories: std::slice::from_raw_parts(histories, header.slots),
                prepared: Table {
                    places: std::slice::from_raw_parts(places, header.places),
                    given_up: &header.given_up,
                },
            })
        }
    }

    /// Unless that is done: notes a transaction id that is greater than those of all transactions which this server found
    /// prepared when its recovery ended. Every id below that is in progress and of no backend belongs to one of them,
    /// or to one that was prepared since and holds nothing, or is kept.
    fn begin(&self) {
        if self.begun.load(Ordering::Relaxed) == 0 && !RecoveryInProgress() {
            let next = ReadNextFullTransactionId().value;
            let _ = self.begun.compare_exchange(0, next, Ordering::Relaxed, Ordering::Relaxed);
        }
    }

    /// Slot and history of the transaction that this process takes part in. None in processes that run no transactions.
    #[allow(unsafe_code)]
    fn slot(&self, process: *mut pg_sys::PGPROC) -> Option<(&'static Slot, &'static History)> {
        if process.is_null() {
            return None;
        }
        // SAFETY: processes are entries of one array.
        let number = unsafe { process.offset_from((*pg_sys::ProcGlobal).allProcs) };
        let number = usize::try_from(number).ok()?;
        self.slots.get(number).zip(self.histories.get(number))
    }
}

/// Whether this process's transaction holds its values, or there is nobody who would ask.
static HOLDS: AtomicBool = AtomicBool::new(false);

/// To be called before a version 7 takes its nanosecond of all sessions'.
#[inline]
pub fn hold() -> Result<(), Failure> {
    if HOLDS.load(Ordering::Relaxed) { Ok(()) } else { hold_first() }
}

#[cold]
#[inline(never)]
#[allow(unsafe_code)]
fn hold_first() -> Result<(), Failure> {
    if let Some(memory) = Memory::get() {
        // SAFETY: PostgreSQL's own variables, on its only thread. A parallel worker's leader outlives it.
        let process = unsafe {
            match pg_sys::MyProc.as_ref() {
                Some(process) if !process.lockGroupLeader.is_null() => process.lockGroupLeader,
                _ => pg_sys::MyProc,
            }
        };
        if let Some((slot, _)) = memory.slot(process) {
            memory.begin();
            slot.hold(server_scope::last_taken()?);
        }
    }
    HOLDS.store(true, Ordering::Relaxed);
    Ok(())
}

/// The place that this process has claimed for the transaction that it prepares, or [`NO_PLACE`].
static PLACE: AtomicUsize = AtomicUsize::new(NO_PLACE);

const NO_PLACE: usize = usize::MAX;

/// Called by PostgreSQL in each process when a transaction ends or is prepared. Only what is done before it is prepared can
/// raise an error.
#[allow(unsafe_code)]
#[pg_guard]
unsafe extern "C-unwind" fn transaction_event(event: XactEvent::Type, _argument: *mut c_void) {
    let Some(memory) = Memory::get() else { return };
    // A session's first transaction ends before its first statement.
    memory.begin();
    // SAFETY: PostgreSQL's own variable. Of a parallel worker this is a slot that nobody holds.
    let Some((slot, history)) = memory.slot(unsafe { pg_sys::MyProc }) else { return };
    let transaction = || Some(GetTopFullTransactionIdIfAny().value).filter(|id| *id != 0);
    let place = || memory.prepared.places.get(PLACE.swap(NO_PLACE, Ordering::Relaxed));
    match event {
        // A transaction has its id until the end of its callbacks.
        XactEvent::XACT_EVENT_COMMIT => slot.settle(history, transaction()),
        XactEvent::XACT_EVENT_ABORT => {
            slot.settle(history, None);
            if let Some(place) = place() {
                place.release();
            }
        }
        // Without places, PostgreSQL says that no transaction can be prepared.
        XactEvent::XACT_EVENT_PRE_PREPARE if !memory.prepared.places.is_empty() => return claim_place(memory),
        XactEvent::XACT_EVENT_PREPARE => {
            // There are both: a place was claimed, and a prepared transaction has an id.
            if let Some((place, transaction)) = place().zip(transaction()) {
                place.keep(slot, transaction);
            }
        }
        XactEvent::XACT_EVENT_PARALLEL_COMMIT | XactEvent::XACT_EVENT_PARALLEL_ABORT => {}
        _ => return,
    }
    HOLDS.store(false, Ordering::Relaxed);
}

#[allow(unsafe_code)]
fn claim_place(memory: Memory) {
    let places = memory.prepared.places;
    let next = ReadNextFullTransactionId().value;
    // SAFETY: called in a transaction; null is for all tables.
    let oldest = unsafe { pg_sys::GetOldestNonRemovableTransactionId(std::ptr::null_mut()) };
    let oldest = full(next, oldest);
    let kept = || places.iter().filter_map(|place| Some((place, place.kept()?.0)));
    for (place, transaction) in kept().filter(|&(_, transaction)| transaction < oldest) {
        // Every snapshot has seen its end.
        place.forget(transaction);
    }
    let claim = || places.iter().position(Prepared::claim);
    let claimed = claim().or_else(|| {
        for (place, transaction) in kept() {
            if !is_in_progress(low(transaction)) {
                memory.prepared.give_up(place);
            }
        }
        claim()
    });
    PLACE.store(claimed.ok_or(Failure::TooManyPrepared).or_raise(), Ordering::Relaxed);
}

/// Whether a transaction of the two billion before the next one has not ended yet.
#[allow(unsafe_code)]
fn is_in_progress(transaction: TransactionId) -> bool {
    // SAFETY: called in a transaction, which the function needs to know the oldest snapshot. If memory is out, it leaves by longjmp:
    // no frame from here to PostgreSQL owns anything.
    unsafe { raw::TransactionIdIsInProgress(transaction) }
}

/// The 64-bit id of a transaction among the two billion before the next one.
fn full(next: u64, id: TransactionId) -> u64 {
    next.saturating_sub(u64::from(low(next).into_inner().wrapping_sub(id.into_inner())))
}

/// The id that PostgreSQL's own lists have.
#[allow(clippy::cast_possible_truncation)]
fn low(transaction: u64) -> TransactionId {
    TransactionId::from(transaction as u32)
}

/// A snapshot of PostgreSQL's.
struct Active<'a> {
    /// Every transaction before has ended.
    begin: u64,
    /// No transaction from here on has.
    end: u64,
    next: u64,
    /// Between them, those that have not.
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

bare_function!(uuidv7_horizon, || SqlUuid(horizon_of_statement().or_raise_unguarded()));

fn horizon_of_statement() -> Result<Uuid, Failure> {
    if RecoveryInProgress() {
        return Err(NoHorizon::Standby.into());
    }
    if !server_scope::is_on() {
        return Err(NoHorizon::Scope.into());
    }
    let memory = Memory::get().ok_or(NoHorizon::NotPreloaded)?;
    let nanos = remembered(|snapshot| {
        memory.begin();
        let last = server_scope::last_taken()?;
        if finds_unknown(memory, snapshot) {
            return Ok(0);
        }
        Ok(horizon(last, memory.slots, memory.histories, memory.prepared, snapshot))
    })?;
    smallest(nanos)
}

/// The smallest version 7 of this nanosecond.
fn smallest(nanos: u64) -> Result<Uuid, Failure> {
    Ok(v7::at(nanosecond::position_v7(nanos, 0)?))
}

/// Whether a transaction is open for the snapshot that this server found prepared: what it holds is not known.
fn finds_unknown(memory: Memory, snapshot: &Active<'_>) -> bool {
    let begun = memory.begun.load(Ordering::Relaxed);
    if memory.prepared.places.is_empty() || snapshot.begin >= begun {
        return false;
    }
    snapshot.in_progress.iter().any(|&id| {
        let transaction = full(snapshot.next, id);
        let is_kept = |place: &Prepared| place.kept().is_some_and(|(kept, _)| kept == transaction);
        // One that is prepared is of no backend.
        transaction < begun && BackendXidGetPid(id) == 0 && !memory.prepared.places.iter().any(is_kept)
    })
}

/// The horizon of the statement's snapshot: computed when it is first asked for, and the same from then on.
///
/// It is kept in the snapshot itself, which lives as long as its statement (or cursor), and which functions that are STABLE
/// share with the statement that calls them. There, `snapXactCompletionCount` has a meaning only in the structures that PostgreSQL
/// makes snapshots in, over and over; copies have 0, and nothing reads it in them. An active snapshot is always a copy. (`build.rs`
/// names the servers of which that was checked.)
#[allow(unsafe_code)]
fn remembered(compute: impl FnOnce(&Active<'_>) -> Result<u64, Failure>) -> Result<u64, Failure> {
    if !raw::ActiveSnapshotSet() {
        return Err(NoHorizon::Snapshot.into());
    }
    // SAFETY: there is an active snapshot, and it stays until the function returns. It is this process's own.
    let snapshot = unsafe { &mut *raw::GetActiveSnapshot() };
    if snapshot.snapshot_type != pg_sys::SnapshotType::SNAPSHOT_MVCC || snapshot.takenDuringRecovery || !snapshot.copied
    {
        return Err(NoHorizon::Snapshot.into());
    }
    if snapshot.snapXactCompletionCount == 0 {
        let in_progress: &[TransactionId] = match snapshot.xcnt as usize {
            0 => &[],
            // SAFETY: a snapshot lists so many.
            count => unsafe { std::slice::from_raw_parts(snapshot.xip, count) },
        };
        let next = ReadNextFullTransactionId().value;
        let active = Active { begin: full(next, snapshot.xmin), end: full(next, snapshot.xmax), next, in_progress };
        // Not 0, which stands for none. No value is less than 2.
        let horizon = compute(&active)?.max(1);
        snapshot.snapXactCompletionCount = horizon;
    }
    Ok(snapshot.snapXactCompletionCount)
}

/// The transactions that hold values: of processes, and prepared ones by their id. First value null: not known, that is, all.
#[pg_extern(sql = false)]
#[allow(clippy::type_complexity)] // Names of columns.
fn uuidv7_horizon_transactions() -> TableIterator<
    'static,
    (name!(pid, Option<i32>), name!(transaction, Option<TransactionId>), name!(first_value, Option<SqlUuid>)),
> {
    if RecoveryInProgress() {
        Failure::from(NoHorizon::Standby).raise();
    }
    let Some(memory) = Memory::get() else { Failure::from(NoHorizon::NotPreloaded).raise() };
    memory.begin();
    let value = |first| SqlUuid(smallest(first).or_raise());
    let open = memory.slots.iter().enumerate().filter_map(|(number, slot)| {
        let first = slot.first()?;
        Some((Some(process_id(number)?), None, Some(value(first))))
    });
    let mut rows: Vec<_> = open.collect();
    let begun = memory.begun.load(Ordering::Relaxed);
    let next = ReadNextFullTransactionId().value;
    for id in prepared_transactions().map_err(Failure::Catalogs).or_raise() {
        let kept = memory.prepared.places.iter().filter_map(Prepared::kept);
        match kept.into_iter().find(|&(transaction, _)| low(transaction) == id) {
            Some((_, first)) => rows.push((None, Some(id), Some(value(first)))),
            None if full(next, id) < begun => rows.push((None, Some(id), None)),
            None => {}
        }
    }
    TableIterator::new(rows)
}

/// The process of the backend with this slot, if one runs. It need not be the one whose slot was read: it is a number to be shown.
#[allow(unsafe_code)]
fn process_id(number: usize) -> Option<i32> {
    if number >= backends() {
        return None;
    }
    // SAFETY: PostgreSQL has an entry for each backend that there can be, and keeps them as long as it runs.
    let process = unsafe { (*(*pg_sys::ProcGlobal).allProcs.add(number)).pid };
    (process != 0).then_some(process)
}

fn prepared_transactions() -> spi::Result<Vec<TransactionId>> {
    Spi::connect(|client| {
        let rows = client.select("SELECT transaction FROM pg_catalog.pg_prepared_xact()", None, &[])?;
        let ids = rows.filter_map(|row| row.get::<TransactionId>(1).transpose());
        ids.collect()
    })
}

//! The horizon below which the values that transactions take from a sequence are settled.
//!
//! Values ascend, and each is taken once. The rows that contain the values become visible when their transactions commit, which may
//! happen in any order. A reader needs a *horizon* for its snapshot: **every value less than the horizon was taken by a transaction
//! that has ended, and if that transaction committed, the snapshot sees it.** Then the reader can read all rows below the horizon,
//! and no row will ever be added below it.
//!
//! The state consists of atomic words in memory that processes share. Neither writers nor readers take locks or wait.
//!
//! # The protocol
//!
//! A **writer** has a [`Slot`], which it uses for one transaction at a time:
//! 1. Before the first value of a transaction, it calls [`Slot::hold`], which sets the slot's `first` to the successor of the
//!    last value that any writer has taken. Then it takes values, each with a read-modify-write of the last value (`Release`).
//! 2. After the transaction has ended and others see its end, the writer calls [`Slot::settle`]. If the transaction committed,
//!    `settle` writes `(transaction, first)` to the slot's [`History`] and the transaction to the slot's `newest`. In any case,
//!    it then clears `first`.
//!
//! A **reader** takes a snapshot, then calls [`horizon`], which reads the last value taken (`Acquire`); then, for each slot,
//! `first`, `newest`, and the history if the snapshot does not see `newest`; then the [`Prepared`] transactions. The horizon is
//! the least of the last value's successor, every `first` that is held, and every `first` of an ended transaction that the
//! snapshot does not see.
//!
//! # Why it is correct
//!
//! Let `v` be a value less than the horizon and `T` the transaction that took it.
//!
//! *`T` is in the slot before `v` is taken.* The slot is written before the value in program order, and taking the value is a
//! release operation. The reader has read a last value that is `v` or later, and all changes to the last value are
//! read-modify-write operations, which continue the release sequence. So the reader's load of `first` sees `T`'s store or a later
//! one. `T`'s `first` is not greater than `v`, because `first` is the successor of a value that was taken before `v`.
//!
//! *The reader saw `T`'s `first`*: then the horizon is not greater than `first`, hence not greater than `v`, a contradiction.
//!
//! *The reader saw a later store*: `T` has ended. If `T` did not commit, there is nothing to prove. If it did, its entry in the
//! history and `newest` were stored before `first` was cleared, and the reader reads both after `first`. The transactions of one
//! slot that a snapshot sees are a **prefix**: each ended before the next one began, so a reader that sees the end of one sees
//! the ends of those before it. `newest` is `T` or a later transaction of the slot.
//! - If the snapshot sees `newest`, it sees `T`.
//! - If not, [`History::first_unseen`] takes the latest entry that the snapshot sees. If `T` is the entry's transaction or an
//!   earlier one, the snapshot sees `T`. If `T` is a later one, the result is not greater than `T`'s `first`, because a slot's
//!   values of `first` ascend, as the last value does: a contradiction.
//!
//! The history discards entries (it keeps the latest eight, and ever fewer of the older ones), and an entry that is overwritten
//! while it is read is treated as discarded. The latest remaining entry that the snapshot sees may then be an earlier one, so the
//! horizon may be lower, but is still correct.
//!
//! A transaction that is **prepared** no longer has a slot. [`Prepared::keep`] stores it in a table before the slot is cleared, so
//! a reader that missed the transaction in the slot finds it in the table. The transaction limits the horizon until the snapshot
//! sees its end, whichever session ends it. Its entry may be freed once every snapshot sees its end. If no entry is free, other
//! ended transactions lose their entries, too, and two words represent these transactions: their greatest number and their least
//! `first` ([`Table::give_up`]). Let `T` be one of them. A reader that no longer finds `T` in its entry reads a number that is not
//! less than `T`, and only then determines which transactions have ended, `T` among them. So if the snapshot does not see `T`, then
//! [`Snapshot::sees_all_ended`] is false, and the horizon is not greater than `T`'s `first`.
//!
//! Several processes, such as PostgreSQL's parallel workers, may share one transaction and its slot. The first process sets
//! `first`, and the others find, with a read-modify-write, a `first` that is not greater than any of their values.
//!
//! # On replicas
//!
//! A transaction `M` can store a horizon in a *mark*, a row of a table. Let `T` be a transaction that committed a value below the
//! mark. `M`'s snapshot saw `T`, and a database logs a commit before others see it, so `T`'s commit precedes `M`'s in the log. A
//! replica applies commits in the order of the log. So a reader that sees the mark on the replica sees `T`, and no transaction that
//! is applied later has a value below the mark.
//!
//! A reader of several databases needs a mark from each. It sees all rows of a database below that database's mark, and the rows of
//! all databases below the least mark.
//!
//! The horizon of a database in which no values are taken does not advance. Before such a database stores a mark, it takes a value
//! for which no slot is held. No row contains that value, so the proof still holds.
//!
//! # Limitations
//!
//! The horizon may be less than a previous one, because a writer can be slow between reading the last value and holding its slot.
//! Both horizons are correct, and so is the greatest horizon returned for any earlier snapshot.
//!
//! The horizon of an old snapshot is low if the snapshot does not see all transactions that the two words represent. The words
//! lower the horizon of a new snapshot only if a transaction up to the greatest number ends between the snapshot and the call.
//!
//! `tests/model.rs` explores every interleaving of a few transactions with a limited number of preemptions, under these memory
//! orderings. It finds an error in each of seven faulty variants of the protocol.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

#[cfg(feature = "model")]
pub use loom::sync::atomic::{AtomicU64, Ordering};
#[cfg(not(feature = "model"))]
pub use std::sync::atomic::{AtomicU64, Ordering};

/// The transactions that a reader's snapshot sees. Transactions are numbered in the order in which they begin to write, and
/// numbers are never reused; 0 means no transaction.
pub trait Snapshot {
    /// Whether the transaction had ended when the snapshot was taken.
    fn sees(&self, transaction: u64) -> bool;

    /// Whether the snapshot sees every transaction up to `last` that has ended, including those that ended after the snapshot
    /// was taken.
    fn sees_all_ended(&self, last: u64) -> bool;
}

/// The bound if no transaction holds a value: greater than all values.
pub const NOTHING: u64 = u64::MAX;

/// The transactions of one writer: the open one, and the latest that committed with a value.
///
/// Zeroed memory is a slot without any transactions.
#[derive(Debug, Default)]
#[repr(C, align(64))]
pub struct Slot {
    /// A lower bound of the open transaction's values; 0 if the slot is not held.
    first: AtomicU64,
    /// The latest committed transaction with a value; 0 before the first.
    newest: AtomicU64,
    /// The number of committed transactions with a value. Only the writer reads it.
    ended: AtomicU64,
}

impl Slot {
    /// Holds the slot, given the last value taken. Must be called before a transaction takes its first value; further calls for
    /// the transaction change nothing.
    pub fn hold(&self, last: &AtomicU64) {
        let first = last.load(Ordering::Relaxed) + 1;
        let _ = self.first.compare_exchange(0, first, Ordering::AcqRel, Ordering::Acquire);
    }

    /// Returns a lower bound of the values of the open transaction, if it holds any.
    pub fn first(&self) -> Option<u64> {
        Some(self.first.load(Ordering::Acquire)).filter(|first| *first != 0)
    }

    /// Releases the slot of a transaction whose end others see. `committed` is its number if the transaction wrote something and
    /// committed.
    pub fn settle(&self, history: &History, committed: Option<u64>) {
        let Some(first) = self.first() else { return };
        if let Some(transaction) = committed {
            let number = self.ended.load(Ordering::Relaxed) + 1;
            history.add(number, transaction, first);
            self.ended.store(number, Ordering::Relaxed);
            self.newest.store(transaction, Ordering::Release);
        }
        self.first.store(0, Ordering::Release);
    }

    /// Returns a lower bound of the values of the slot's transactions that are open or that the snapshot does not see.
    fn bound(&self, history: &History, snapshot: &impl Snapshot) -> u64 {
        let open = self.first().unwrap_or(NOTHING);
        match self.newest.load(Ordering::Acquire) {
            0 => open,
            newest if snapshot.sees(newest) => open,
            _ => open.min(history.first_unseen(snapshot)),
        }
    }
}

/// The number of entries in a level. A level contains the latest transactions whose numbers end in the same number of zero bits.
/// (In the last level, the numbers end in at least as many zero bits, and every other one may be missing.)
const PER_LEVEL: usize = if cfg!(feature = "model") { 1 } else { 4 };

/// The number of levels. With 20, the oldest remaining entry is some millions of transactions old.
const LEVELS: usize = if cfg!(feature = "model") { 2 } else { 20 };

/// Committed transactions of one slot: the latest eight, and ever fewer of the older ones.
///
/// Zeroed memory is an empty history.
#[derive(Debug)]
#[repr(C)]
pub struct History([Ended; PER_LEVEL * LEVELS]);

/// The `number`-th transaction of the slot that committed with a value.
#[derive(Debug, Default)]
#[repr(C)]
struct Ended {
    /// 0 if the entry is empty or the other words are being written.
    number: AtomicU64,
    transaction: AtomicU64,
    first: AtomicU64,
}

impl Default for History {
    fn default() -> History {
        History(std::array::from_fn(|_| Ended::default()))
    }
}

impl History {
    fn add(&self, number: u64, transaction: u64, first: u64) {
        let level = (number.trailing_zeros() as usize).min(LEVELS - 1);
        let position = (number >> (level + 1)) % PER_LEVEL as u64;
        let entry = &self.0[level * PER_LEVEL + usize::try_from(position).unwrap_or(0)];
        entry.number.store(0, Ordering::Relaxed);
        // A reader that sees one of these stores also sees the 0 or a number that is stored later.
        entry.transaction.store(transaction, Ordering::Release);
        entry.first.store(first, Ordering::Release);
        entry.number.store(number, Ordering::Release);
    }

    /// Returns the `first` of the earliest transaction that the snapshot does not see. If that is unknown, returns the `first` of
    /// an earlier transaction, or 0.
    fn first_unseen(&self, snapshot: &impl Snapshot) -> u64 {
        let entries = || self.0.iter().filter_map(Ended::read);
        let seen = entries().filter(|&(_, transaction, _)| snapshot.sees(transaction)).max();
        let next = seen.map_or(1, |(number, ..)| number + 1);
        let unseen = entries().find(|&(number, ..)| number == next);
        unseen.or(seen).map_or(0, |(.., first)| first)
    }
}

impl Ended {
    /// Returns the number, the transaction and its `first`, unless the entry is empty or being written.
    fn read(&self) -> Option<(u64, u64, u64)> {
        let number = self.number.load(Ordering::Acquire);
        let transaction = self.transaction.load(Ordering::Acquire);
        let first = self.first.load(Ordering::Acquire);
        (number != 0 && number == self.number.load(Ordering::Relaxed)).then_some((number, transaction, first))
    }
}

/// An entry for a prepared transaction. Zeroed memory is a free entry.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Prepared {
    /// 0 if the entry is free, [`CLAIMED`] if it is about to be used.
    transaction: AtomicU64,
    first: AtomicU64,
}

const CLAIMED: u64 = u64::MAX;

impl Prepared {
    /// Claims the entry if it is free, and returns whether it was.
    pub fn claim(&self) -> bool {
        self.transaction.compare_exchange(0, CLAIMED, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Releases a claimed entry.
    pub fn release(&self) {
        self.transaction.store(0, Ordering::Release);
    }

    /// Moves the open transaction of a slot to this entry. The transaction must have been prepared, and the entry must be claimed.
    /// If the transaction holds no values, the entry is released instead.
    pub fn keep(&self, slot: &Slot, transaction: u64) {
        let Some(first) = slot.first() else { return self.release() };
        self.first.store(first, Ordering::Release);
        self.transaction.store(transaction, Ordering::Release);
        slot.first.store(0, Ordering::Release);
    }

    /// Returns the entry's transaction, which may have ended, and a lower bound of the transaction's values.
    pub fn kept(&self) -> Option<(u64, u64)> {
        let transaction = self.transaction.load(Ordering::Acquire);
        let first = self.first.load(Ordering::Acquire);
        // An entry that is being overwritten holds no transaction. If the reader's snapshot does not see the end of the previous
        // transaction, `GivenUp` represents that transaction.
        let is_kept =
            transaction != 0 && transaction != CLAIMED && transaction == self.transaction.load(Ordering::Acquire);
        is_kept.then_some((transaction, first))
    }

    /// Frees the entry if it still holds the transaction. Every present and future snapshot must see the transaction's end, unless
    /// [`GivenUp`] represents the transaction.
    pub fn forget(&self, transaction: u64) {
        let _ = self.transaction.compare_exchange(transaction, 0, Ordering::AcqRel, Ordering::Relaxed);
    }
}

/// The prepared transactions: their entries, and the words that represent those whose entries were given up.
#[derive(Clone, Copy, Debug)]
pub struct Table<'a> {
    /// The entries, free or in use.
    pub entries: &'a [Prepared],
    /// The words that represent the transactions whose entries were given up.
    pub given_up: &'a GivenUp,
}

/// Two words that represent the ended transactions whose entries were given up. Zeroed memory represents none.
#[derive(Debug, Default)]
#[repr(C)]
pub struct GivenUp {
    /// The greatest of these transactions' numbers.
    last: AtomicU64,
    /// The bitwise complement of their least `first`.
    first: AtomicU64,
}

impl Table<'_> {
    /// Frees the entry of a transaction that has ended, but whose end some snapshot may not see.
    pub fn give_up(&self, entry: &Prepared) {
        let Some((transaction, first)) = entry.kept() else { return };
        self.given_up.first.fetch_max(!first, Ordering::AcqRel);
        self.given_up.last.fetch_max(transaction, Ordering::AcqRel);
        entry.forget(transaction);
    }

    /// Returns a lower bound of the values of prepared transactions whose end the snapshot does not see.
    fn bound(&self, snapshot: &impl Snapshot) -> u64 {
        let kept = self.entries.iter().filter_map(Prepared::kept);
        let unseen = kept.filter(|&(transaction, _)| !snapshot.sees(transaction));
        let bound = unseen.map(|(_, first)| first).min().unwrap_or(NOTHING);
        // The words are read after the entries, so they represent any transaction whose entry was given up before it was read.
        if snapshot.sees_all_ended(self.given_up.last.load(Ordering::Acquire)) {
            bound
        } else {
            bound.min(!self.given_up.first.load(Ordering::Acquire))
        }
    }
}

/// Returns the horizon of a snapshot, given the last value taken, the slots with their histories, and the prepared transactions.
pub fn horizon(
    last: &AtomicU64,
    slots: &[Slot],
    histories: &[History],
    prepared: Table<'_>,
    snapshot: &impl Snapshot,
) -> u64 {
    let end = last.load(Ordering::Acquire) + 1;
    let slots = slots.iter().zip(histories).map(|(slot, history)| slot.bound(history, snapshot));
    let bound = slots.min().unwrap_or(NOTHING);
    // The table is read after the slots, so a transaction that moves from a slot to the table is not missed.
    end.min(bound).min(prepared.bound(snapshot))
}

//! Explores, with loom and a limited number of preemptions, every interleaving of a few transactions and one reader under the
//! protocol's memory orderings.
//!
//! Run by `make crates-test`: `cargo test --package horizon --features model --test model`.

#![allow(clippy::unwrap_used)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex as Unscheduled;

use horizon::{AtomicU64, GivenUp, History, Ordering, Prepared, Slot, Snapshot, Table, horizon};
use loom::sync::{Arc, Mutex};
use loom::thread;

/// The beginning of the message of each assertion on a horizon.
const WRONG: &str = "wrong horizon";

#[derive(Default)]
struct Transactions {
    running: Vec<u64>,
    begun: u64,
}

/// A snapshot: the transactions that were running, and the number of the first one that had not begun.
struct Taken<'a> {
    running: Vec<u64>,
    end: u64,
    of: &'a Database,
}

impl Snapshot for Taken<'_> {
    fn sees(&self, transaction: u64) -> bool {
        transaction < self.end && !self.running.contains(&transaction)
    }

    fn sees_all_ended(&self, last: u64) -> bool {
        let trusts_numbers = self.of.variant == Variant::SeesTheEndOfAllThatHadBegun;
        let transactions = self.of.transactions.lock().unwrap();
        let ends_later =
            |transaction: &u64| *transaction > last || trusts_numbers || transactions.running.contains(transaction);
        last < self.end && self.running.iter().all(ends_later)
    }
}

/// The documented protocol or a faulty variant of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Variant {
    AsDescribed,
    HeldAfterTheValue,
    ClearedBeforeTheHistoryHasIt,
    NoHistory,
    PreparedAfterTheSlot,
    NothingStandsForWhatWasGivenUp,
    SeesTheEndOfAllThatHadBegun,
    SettledBeforeItIsLogged,
}

/// A record of the log that replicas apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Record {
    /// The commit of a transaction with this value.
    Commit(u64),
    /// A mark with this horizon.
    Mark(u64),
}

struct Database {
    last: AtomicU64,
    slots: [Slot; 2],
    histories: [History; 2],
    entries: [Prepared; 1],
    given_up: GivenUp,
    transactions: Mutex<Transactions>,
    /// The values taken, each with its transaction and whether the transaction commits.
    rows: Unscheduled<Vec<(u64, u64, bool)>>,
    variant: Variant,
}

impl Database {
    fn new(variant: Variant) -> Arc<Database> {
        Arc::new(Database {
            last: AtomicU64::new(10),
            slots: Default::default(),
            histories: Default::default(),
            entries: Default::default(),
            given_up: GivenUp::default(),
            transactions: Mutex::default(),
            rows: Unscheduled::default(),
            variant,
        })
    }

    fn table(&self) -> Table<'_> {
        Table { entries: &self.entries, given_up: &self.given_up }
    }

    fn begin(&self) -> u64 {
        let mut transactions = self.transactions.lock().unwrap();
        transactions.begun += 1;
        let transaction = transactions.begun;
        transactions.running.push(transaction);
        transaction
    }

    fn end(&self, transaction: u64) {
        self.transactions.lock().unwrap().running.retain(|running| *running != transaction);
    }

    fn take(&self) -> u64 {
        self.last.fetch_add(1, Ordering::Release) + 1
    }

    fn value(&self, writer: usize) -> u64 {
        if self.variant == Variant::HeldAfterTheValue {
            let value = self.take();
            // The slot gets the same `first` as if it had been held before the value was taken.
            self.slots[writer].hold(&AtomicU64::new(value - 1));
            value
        } else {
            self.slots[writer].hold(&self.last);
            self.take()
        }
    }

    fn transaction(&self, writer: usize, commits: bool) {
        let value = self.value(writer);
        let transaction = self.begin();
        self.rows.lock().unwrap().push((value, transaction, commits));
        self.end(transaction);
        let (slot, history) = (&self.slots[writer], &self.histories[writer]);
        if self.variant == Variant::ClearedBeforeTheHistoryHasIt {
            slot.settle(history, None);
            slot.hold(&AtomicU64::new(value - 1));
        }
        let committed = commits && self.variant != Variant::NoHistory;
        slot.settle(history, committed.then_some(transaction));
    }

    fn prepare(&self, writer: usize) -> u64 {
        let value = self.value(writer);
        let transaction = self.begin();
        self.rows.lock().unwrap().push((value, transaction, true));
        assert!(self.entries[0].claim());
        if self.variant == Variant::PreparedAfterTheSlot {
            let copy = Slot::default();
            copy.hold(&AtomicU64::new(value - 1));
            self.slots[writer].settle(&self.histories[writer], None);
            self.entries[0].keep(&copy, transaction);
        } else {
            self.entries[0].keep(&self.slots[writer], transaction);
        }
        transaction
    }

    fn snapshot(&self) -> Taken<'_> {
        let transactions = self.transactions.lock().unwrap();
        Taken { running: transactions.running.clone(), end: transactions.begun + 1, of: self }
    }

    fn horizon(&self, snapshot: &Taken<'_>) -> u64 {
        horizon(&self.last, &self.slots, &self.histories, self.table(), snapshot)
    }

    /// Computes the horizon of a new snapshot and checks its guarantee.
    fn read(&self) {
        let snapshot = self.snapshot();
        let horizon = self.horizon(&snapshot);
        // No value that is taken later is below the horizon, so all values below it can be checked now. (No other thread is
        // scheduled while the rows are locked.)
        let rows = self.rows.lock().unwrap();
        for value in 11..horizon {
            let row = rows.iter().find(|(row, ..)| *row == value);
            let Some(&(_, transaction, committed)) = row else { panic!("{WRONG} {horizon}: {value} has no row yet") };
            assert!(
                !committed || snapshot.sees(transaction),
                "{WRONG} {horizon}: {value} of {transaction} is not visible"
            );
        }
    }

    /// Asserts that a new snapshot's horizon is greater than all values. No transaction with values may be open.
    fn assert_all(&self) {
        assert_eq!(self.horizon(&self.snapshot()), self.last.load(Ordering::Relaxed) + 1, "{WRONG}");
    }
}

fn explore(preemptions: usize, run: impl Fn() + Sync + Send + 'static) {
    let mut model = loom::model::Builder::new();
    model.preemption_bound = Some(preemptions);
    model.check(run);
}

fn spawn<T: 'static>(
    database: &Arc<Database>,
    run: impl FnOnce(&Arc<Database>) -> T + 'static,
) -> thread::JoinHandle<T> {
    let database = Arc::clone(database);
    thread::spawn(move || run(&database))
}

/// Lets one writer commit twice and another once, while the reader computes a horizon.
fn committing(variant: Variant) {
    explore(2, move || {
        let database = Database::new(variant);
        let writers = [(0, 2), (1, 1)].map(|(writer, times)| {
            spawn(&database, move |database| (0..times).for_each(|_| database.transaction(writer, true)))
        });
        database.read();
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        database.assert_all();
    });
}

fn ending(variant: Variant) {
    explore(4, move || {
        let database = Database::new(variant);
        let writer = spawn(&database, |database| database.transaction(0, true));
        database.read();
        writer.join().unwrap();
    });
}

/// Lets one writer end so many transactions that its history discards entries.
fn forgetting(variant: Variant) {
    explore(2, move || {
        let database = Database::new(variant);
        let writer = spawn(&database, |database| (0..5).for_each(|n| database.transaction(0, n != 2)));
        database.read();
        writer.join().unwrap();
    });
}

/// Lets two processes take values for one transaction.
fn sharing(variant: Variant) {
    explore(2, move || {
        let database = Database::new(variant);
        let leader = spawn(&database, |database| {
            let worker = spawn(database, |database| database.value(0));
            let values = [database.value(0), worker.join().unwrap()];
            let transaction = database.begin();
            database.rows.lock().unwrap().extend(values.map(|value| (value, transaction, true)));
            database.end(transaction);
            database.slots[0].settle(&database.histories[0], Some(transaction));
        });
        database.read();
        leader.join().unwrap();
    });
}

/// Prepares a transaction, ends it and gives up its entry, while an earlier transaction that holds nothing continues.
fn preparing(variant: Variant) {
    explore(3, move || {
        let database = Database::new(variant);
        database.begin();
        let writer = spawn(&database, move |database| {
            let transaction = database.prepare(0);
            database.end(transaction);
            if variant == Variant::NothingStandsForWhatWasGivenUp {
                database.entries[0].forget(transaction);
            } else {
                database.table().give_up(&database.entries[0]);
            }
        });
        database.read();
        writer.join().unwrap();
        database.assert_all();
    });
}

/// Lets a writer commit while another process takes a value, without a row, and stores a mark. A replica applies a prefix of the
/// log, so the commit of each value below the mark must precede the mark.
fn marking(variant: Variant) {
    explore(3, move || {
        let database = Database::new(variant);
        let log = Arc::new(Mutex::new(Vec::new()));
        let writer = {
            let log = Arc::clone(&log);
            spawn(&database, move |database| {
                let value = database.value(0);
                let transaction = database.begin();
                let log_it = || log.lock().unwrap().push(Record::Commit(value));
                if variant != Variant::SettledBeforeItIsLogged {
                    log_it();
                }
                database.end(transaction);
                database.slots[0].settle(&database.histories[0], Some(transaction));
                if variant == Variant::SettledBeforeItIsLogged {
                    log_it();
                }
            })
        };
        database.take();
        let horizon = database.horizon(&database.snapshot());
        log.lock().unwrap().push(Record::Mark(horizon));
        writer.join().unwrap();
        let log = log.lock().unwrap();
        let later = log.iter().skip_while(|record| **record != Record::Mark(horizon));
        for record in later {
            assert!(
                !matches!(record, Record::Commit(value) if *value < horizon),
                "{WRONG} {horizon}: followed by {record:?}"
            );
        }
    });
}

#[test]
fn as_described_every_horizon_is_right() {
    ending(Variant::AsDescribed);
    committing(Variant::AsDescribed);
    forgetting(Variant::AsDescribed);
    sharing(Variant::AsDescribed);
    preparing(Variant::AsDescribed);
}

#[test]
fn a_mark_is_right_on_replicas() {
    marking(Variant::AsDescribed);
}

#[test]
fn nearby_protocols_are_wrong() {
    let fails = |what: fn(Variant), variant: Variant| {
        let panic = catch_unwind(AssertUnwindSafe(|| what(variant))).expect_err("no interleaving is wrong");
        let message = panic.downcast_ref::<String>().map_or("", String::as_str);
        assert!(message.contains(WRONG), "{variant:?}: {message}");
    };
    fails(ending, Variant::HeldAfterTheValue);
    fails(ending, Variant::ClearedBeforeTheHistoryHasIt);
    fails(ending, Variant::NoHistory);
    fails(preparing, Variant::PreparedAfterTheSlot);
    fails(preparing, Variant::NothingStandsForWhatWasGivenUp);
    fails(preparing, Variant::SeesTheEndOfAllThatHadBegun);
    fails(marking, Variant::SettledBeforeItIsLogged);
}

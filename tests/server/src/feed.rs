//! A table to which many sessions write and from which some read by the key, and the rows that the readers got.

use std::collections::HashSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use postgres::Client;
use rfc9562::Uuid;

use crate::load::{Address, Phase, Sessions};
use crate::random::Random;
use crate::uuids::{Id, stream};
use crate::{Cluster, sql};

/// The settings that a horizon requires, followed by those that other functions of this file need.
pub const SETTINGS: [(&str, &str); 5] = [
    ("shared_preload_libraries", "uuidrfc"),
    ("uuidrfc.monotonic_scope", "server"),
    ("max_prepared_transactions", "50"),
    ("wal_level", "logical"),
    ("max_connections", "80"),
];

/// The table. All of its partitions, which are scanned one after another, must be read up to the same horizon.
const TABLES: &str = "
    CREATE TABLE outbox (id uuid PRIMARY KEY DEFAULT uuidv7(), what text) PARTITION BY HASH (id);
    CREATE TABLE outbox_0 PARTITION OF outbox FOR VALUES WITH (MODULUS 3, REMAINDER 0);
    CREATE TABLE outbox_1 PARTITION OF outbox FOR VALUES WITH (MODULUS 3, REMAINDER 1);
    CREATE TABLE outbox_2 PARTITION OF outbox FOR VALUES WITH (MODULUS 3, REMAINDER 2);
    CREATE TABLE source (what text);
    CREATE FUNCTION pass_on() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO outbox (what) VALUES (NEW.what); RETURN NULL; END $$;
    CREATE TRIGGER pass_on AFTER INSERT ON source FOR EACH ROW EXECUTE FUNCTION pass_on();
    CREATE FUNCTION slow(pause float) RETURNS text LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_sleep(pause); RETURN 'slow'; END $$";

/// The parameters of a run.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// The number of writing sessions.
    pub writers: u64,
    /// The minimum number of rows written.
    pub rows: usize,
    /// The minimum duration.
    pub time: Duration,
    /// The maximum number of rows of one statement.
    pub most: i64,
    /// The maximum pause between the statements of a session, in milliseconds.
    pub pause: i64,
    /// The number of times that a backend or the postmaster is killed.
    pub crashes: usize,
    pub seed: u64,
}

/// The method of a reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// All rows after the last one.
    Naive,
    /// The rows below the horizon.
    Horizon,
    /// The rows below the horizon, several times in a transaction with one snapshot: `REPEATABLE READ` or `SERIALIZABLE`.
    OneSnapshot,
    /// The rows below the horizon, with a cursor that stays open for a while.
    Cursor,
}

/// The result of a reader.
#[derive(Debug)]
pub struct Follower {
    pub reading: Reading,
    /// The number of queries.
    pub polls: usize,
    /// Committed rows that the reader did not get.
    pub lost: usize,
    /// Rows that the reader got more than once.
    pub twice: usize,
    /// Rows that the reader got although they were never committed.
    pub never: usize,
}

/// The results of a run.
#[derive(Debug)]
pub struct Outcome {
    pub rows: usize,
    pub followers: Vec<Follower>,
}

struct Running<'a> {
    load: Load,
    address: Address,
    sessions: Sessions,
    rows: AtomicUsize,
    cluster: &'a Cluster,
}

/// Creates the table, and runs all writers and readers to the end.
pub fn run(cluster: &Cluster, load: Load, readings: &[Reading]) -> Outcome {
    let mut client = cluster.connect();
    sql::run(&mut client, TABLES);
    // The only expected errors are those of a server that was killed, shuts down or starts.
    let is_expected: fn(&str) -> bool = match load.crashes {
        0 => |_| false,
        _ => |state| state.is_empty() || state.starts_with("57P"),
    };
    let sessions = Sessions::new(load.pause, is_expected);
    let running =
        Running { load, address: Address::new(cluster.config()), sessions, rows: AtomicUsize::new(0), cluster };
    let got = thread::scope(|scope| {
        let running = &running;
        let followers: Vec<_> = readings.iter().map(|&reading| scope.spawn(move || running.follow(reading))).collect();
        let writers: Vec<_> = (0..load.writers).map(|number| scope.spawn(move || running.write(number))).collect();
        let ending = scope.spawn(|| running.sessions.end_prepared(&running.address, running.random(1_000)));
        running.wait_and_crash();
        running.sessions.advance(Phase::NoTransactionBegins);
        writers.into_iter().for_each(|writer| writer.join().expect("a writer"));
        running.sessions.advance(Phase::NoneIsPrepared);
        ending.join().expect("the ending of prepared transactions");
        running.sessions.advance(Phase::AllIsSettled);
        followers.into_iter().map(|follower| follower.join().expect("a follower")).collect::<Vec<_>>()
    });
    let mut committed = HashSet::new();
    stream(&mut cluster.connect(), "SELECT id FROM outbox", |id| {
        committed.insert(id);
    })
    .expect("the rows can be read");
    let followers = readings.iter().zip(got).map(|(&reading, (polls, ids))| {
        let distinct: HashSet<Uuid> = ids.iter().copied().collect();
        Follower {
            reading,
            polls,
            lost: committed.difference(&distinct).count(),
            twice: ids.len() - distinct.len(),
            never: distinct.difference(&committed).count(),
        }
    });
    Outcome { rows: committed.len(), followers: followers.collect() }
}

impl Running<'_> {
    fn random(&self, of: u64) -> Random {
        Random::new(self.load.seed * 1_000 + of)
    }

    fn write(&self, number: u64) {
        let add = |rows| _ = self.rows.fetch_add(rows, Ordering::Relaxed);
        self.sessions.write(&self.address, self.random(number), |random| self.transaction(random), add);
    }

    /// Returns the statements of a random transaction, and the number of rows that it adds.
    fn transaction(&self, random: &mut Random) -> (Vec<String>, usize) {
        let mut statements = vec!["BEGIN".to_owned()];
        if random.percent(20) {
            // The transaction gets an ID before its first value.
            statements.push("INSERT INTO source SELECT WHERE false; SELECT pg_current_xact_id()".to_owned());
        }
        let mut rows = 0;
        for _ in 0..random.between(1, 4) {
            let many = random.between(1, self.load.most);
            let (statement, added) = match random.below(9) {
                0 | 1 => ("INSERT INTO outbox (what) VALUES ('one')".to_owned(), 1),
                2 => (format!("INSERT INTO outbox (what) SELECT 'some' FROM generate_series(1, {many})"), many),
                3 => (format!("INSERT INTO outbox SELECT unnest(uuidv7_array({many})), 'unnested'"), many),
                4 => (format!("INSERT INTO outbox SELECT id, 'array' FROM unnest(uuidv7_array({many})) id"), many),
                5 => ("INSERT INTO source VALUES ('by a trigger'), ('by a trigger')".to_owned(), 2),
                6 => (format!("COPY outbox (what) FROM PROGRAM 'yes copied | head -n {many}'"), many),
                // Time passes between the generation of the value and the insertion of its row.
                7 => (format!("INSERT INTO outbox SELECT uuidv7(), slow({})", random.between(0, self.load.pause) as f64 / 1e3), 1),
                _ => ("DO $$ DECLARE made uuid := uuidv7(); BEGIN PERFORM pg_sleep(0.001); INSERT INTO outbox VALUES (made, 'later'); END $$".to_owned(), 1),
            };
            let added = usize::try_from(added).unwrap_or(0);
            if random.percent(15) {
                statements.push("SELECT uuidv7()".to_owned());
            } else if self.sessions.add(&mut statements, statement, random) {
                rows += added;
            }
        }
        let end = self.sessions.end(random, true);
        let adds = if end == "ROLLBACK" { 0 } else { rows };
        statements.push(end);
        (statements, adds)
    }

    fn wait_and_crash(&self) {
        let (start, mut random) = (Instant::now(), self.random(1_001));
        for crash in 0..=self.load.crashes {
            let parts = u32::try_from(self.load.crashes).unwrap_or(0) + 1;
            let part = self.load.time / parts;
            let goal = self.load.rows * (crash + 1) / (self.load.crashes + 1);
            let begun = Instant::now();
            while begun.elapsed() < part || self.rows.load(Ordering::Relaxed) < goal {
                assert!(start.elapsed() < Duration::from_secs(3_600) + self.load.time, "the writers write nothing");
                thread::sleep(Duration::from_millis(20));
            }
            if crash == self.load.crashes {
                break;
            }
            if crash % 2 == 0 {
                let process: i32 = sql::value(
                    &mut self.address.connect(),
                    &format!(
                        "SELECT pid FROM pg_stat_activity WHERE datname = 'postgres' AND pid <> pg_backend_pid() OFFSET {} LIMIT 1",
                        random.below(10)
                    ),
                );
                self.cluster.kill(process);
                // The server needs some time to notice.
                thread::sleep(Duration::from_millis(300));
            } else {
                self.cluster.kill_postmaster();
                self.cluster.start();
            }
            drop(self.address.connect());
        }
    }

    /// Reads until no rows are left, and returns the number of polls and the rows.
    fn follow(&self, reading: Reading) -> (usize, Vec<Uuid>) {
        let mut random = self.random(2_000 + reading as u64);
        let (mut polls, mut got) = (0, Vec::new());
        let mut client = self.address.connect();
        loop {
            let is_settled = self.sessions.has_come(Phase::AllIsSettled);
            let before = got.len();
            let result = poll(&mut client, reading, &mut random, &mut got);
            polls += 1;
            match result {
                Ok(()) if is_settled && got.len() == before => return (polls, got),
                Ok(()) => {}
                Err(error) => {
                    self.sessions.assert_expected(&error);
                    client = self.address.connect();
                }
            }
            if random.percent(30) {
                thread::sleep(Duration::from_millis(random.bits() % 10));
            }
        }
    }
}

/// Reads the next rows. Rows read before an error are included.
fn poll(
    client: &mut Client,
    reading: Reading,
    random: &mut Random,
    got: &mut Vec<Uuid>,
) -> Result<(), postgres::Error> {
    let query = |got: &[Uuid]| {
        let last = got.last().copied().unwrap_or(Uuid::NIL);
        let below = if reading == Reading::Naive { "" } else { "AND id < uuidv7_horizon()" };
        format!("SELECT id FROM outbox WHERE id > '{last}' {below} ORDER BY id")
    };
    let read = |client: &mut Client, query: &str, got: &mut Vec<Uuid>| {
        let rows = client.query(query, &[])?;
        got.extend(rows.iter().map(|row| row.get::<_, Id>(0).0));
        Ok(rows.len())
    };
    let is_limited = random.percent(50);
    let limit = if is_limited { format!(" LIMIT {}", random.between(1, 20_000)) } else { String::new() };
    match reading {
        Reading::Naive | Reading::Horizon => _ = read(client, &(query(got) + &limit), got)?,
        Reading::OneSnapshot => {
            client.batch_execute(random.pick(&[
                "BEGIN ISOLATION LEVEL REPEATABLE READ",
                "BEGIN ISOLATION LEVEL SERIALIZABLE",
                "BEGIN ISOLATION LEVEL SERIALIZABLE READ ONLY",
            ]))?;
            if random.percent(50) {
                // The snapshot is older than the first request for a horizon.
                client.batch_execute("SELECT FROM outbox LIMIT 1")?;
                thread::sleep(Duration::from_millis(random.bits() % 30));
            }
            for _ in 0..random.between(1, 4) {
                read(client, &(query(got) + &limit), got)?;
            }
            client.batch_execute("COMMIT")?;
        }
        Reading::Cursor => {
            client.batch_execute(&format!("BEGIN; DECLARE feed CURSOR FOR {}", query(got)))?;
            while read(client, "FETCH 1000 FROM feed", got)? > 0 {
                thread::sleep(Duration::from_millis(random.bits() % 3));
                // A later snapshot has another horizon.
                client.batch_execute("SELECT uuidv7_horizon()")?;
            }
            client.batch_execute("COMMIT")?;
        }
    }
    Ok(())
}

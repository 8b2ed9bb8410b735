//! A table whose rows are inserted, updated and deleted, and copies of it that readers maintain by its feed of changes, on this
//! server and on others.

#![allow(clippy::cast_possible_wrap, reason = "there are a few servers")]

use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use postgres::{Client, Config, NoTls};
use rfc9562::Uuid;

use crate::random::Random;
use crate::sql;
use crate::uuids::Id;

/// The table, the tombstones of its deleted rows, the feed that combines both, and the marks, as in docs/feeds.md.
pub const TABLES: &str = "
    CREATE TABLE marks (node text PRIMARY KEY, horizon uuid NOT NULL);
    CREATE TABLE doc (id bigint PRIMARY KEY, version bigint NOT NULL, changed uuid NOT NULL);
    CREATE INDEX ON doc (changed);
    CREATE TRIGGER touch BEFORE INSERT OR UPDATE ON doc FOR EACH ROW EXECUTE FUNCTION uuidv7_touch('changed');
    CREATE TABLE doc_deleted (changed uuid PRIMARY KEY, id bigint NOT NULL);
    CREATE TRIGGER touch BEFORE INSERT ON doc_deleted FOR EACH ROW EXECUTE FUNCTION uuidv7_touch('changed');
    CREATE FUNCTION doc_delete() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN INSERT INTO doc_deleted (id) VALUES (OLD.id); RETURN OLD; END $$;
    CREATE TRIGGER bury BEFORE DELETE ON doc FOR EACH ROW EXECUTE FUNCTION doc_delete();
    CREATE VIEW doc_changes AS
        SELECT changed, id, version FROM doc UNION ALL SELECT changed, id, NULL FROM doc_deleted";

/// The address of the server, which changes with a promotion.
#[derive(Debug)]
pub struct Address(Mutex<Config>);

impl Address {
    /// The address of a server.
    pub fn new(config: Config) -> Address {
        Address(Mutex::new(config))
    }

    /// Directs clients to another server.
    pub fn change(&self, config: Config) {
        *self.0.lock().expect("nobody panicked") = config;
    }

    /// A connection, as soon as the server accepts it.
    fn connect(&self) -> Client {
        let start = Instant::now();
        loop {
            let config = self.0.lock().expect("nobody panicked").clone();
            match config.connect(NoTls) {
                Ok(client) => return client,
                Err(error) => assert!(start.elapsed() < Duration::from_secs(180), "{error:?}"),
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// A server with writers.
#[derive(Clone, Copy, Debug)]
pub struct Writable<'a> {
    /// Its name in the table of marks.
    pub node: &'a str,
    /// Its address.
    pub address: &'a Address,
    /// The expression that computes its mark.
    pub mark: &'a str,
}

/// The statement that stores this expression as the mark of a server.
pub fn set_mark(node: &str, mark: &str) -> String {
    format!("INSERT INTO marks VALUES ('{node}', {mark}) ON CONFLICT (node) DO UPDATE SET horizon = EXCLUDED.horizon")
}

/// A mark according to `pg_stat_activity`.
pub const BY_ACTIVITY: &str = "uuidv7_mark_by_activity((SELECT horizon FROM marks WHERE node = 'main'))";

/// A reader, which maintains a copy.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    /// Its name in the report.
    pub name: &'a str,
    /// The server from which it reads.
    pub address: &'a Address,
    /// The condition in addition to `changed > $last`; empty for a naive reader.
    pub below: Option<&'a str>,
}

/// The workload.
#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// The number of writing sessions on each server.
    pub writers: u64,
    /// The longest pause, in milliseconds.
    pub pause: i64,
    /// Whether some transactions are prepared.
    pub prepares: bool,
    /// The seed of all random choices.
    pub seed: u64,
}

/// The result of a reader.
#[derive(Debug)]
pub struct Copy {
    /// Its name.
    pub name: String,
    /// The number of statements.
    pub polls: usize,
    /// The number of statements for which the horizon was not known.
    pub refused: usize,
    /// The number of rows that the copy lacks, has in an earlier state, or has in addition to those of the table.
    pub stale: usize,
    /// The states that it read, and those that it should have read.
    pub states: States,
}

/// States of rows by the time of their commit, since the beginning of the run. Each was read after some time; of a stale row, the last
/// state was not read. States of prepared transactions are missing. The debug format is that of the latency.
pub struct States(pub Vec<(Duration, Option<Duration>)>);

impl States {
    /// The time from the commit of a state to its reading: median, 90th and 99th percentile, and maximum.
    pub fn latency(&self) -> [Duration; 4] {
        let mut latencies: Vec<Duration> = self.0.iter().filter_map(|&(_, read_after)| read_after).collect();
        latencies.sort_unstable();
        let quantile = |percent: usize| latencies.get(latencies.len().saturating_sub(1) * percent / 100);
        [50, 90, 99, 100].map(|percent| quantile(percent).copied().unwrap_or_default())
    }
}

impl fmt::Debug for States {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.latency().fmt(formatter)
    }
}

/// Runs writers and readers until `events` returns. The first result is the final number of rows.
pub fn run(load: Load, servers: &[Writable<'_>], readers: &[Reader<'_>], events: impl FnOnce()) -> (usize, Vec<Copy>) {
    let start = Instant::now();
    let running = Running {
        load,
        servers,
        phase: Phase::default(),
        version: AtomicI64::new(0),
        gid: AtomicU32::new(0),
        ids: AtomicI64::new(0),
        commits: Mutex::default(),
    };
    let copies = thread::scope(|scope| {
        let running = &running;
        let reading: Vec<_> = readers.iter().map(|reader| scope.spawn(move || running.read(reader))).collect();
        let marking: Vec<_> = servers.iter().map(|server| scope.spawn(move || running.mark(server))).collect();
        let writing: Vec<_> = (0..servers.len())
            .flat_map(|server| (0..load.writers).map(move |number| (server, number)))
            .map(|(server, number)| scope.spawn(move || running.write(server, number)))
            .collect();
        let ending: Vec<_> = servers.iter().map(|server| scope.spawn(move || running.end_prepared(server))).collect();
        events();
        running.phase.advance(Phase::NO_TRANSACTION_BEGINS);
        writing.into_iter().for_each(|writer| writer.join().expect("a writer"));
        running.phase.advance(Phase::NONE_IS_PREPARED);
        ending.into_iter().for_each(|ending| ending.join().expect("who ends prepared transactions"));
        // Marks continue until all rows are below the marks that readers see.
        let last =
            servers.iter().map(|server| sql::value::<Id>(&mut server.address.connect(), "SELECT uuidv7()")).max();
        for reader in readers {
            let nodes: Vec<_> = servers.iter().map(|server| format!("'{}'", server.node)).collect();
            let marked = format!(
                "SELECT count(*) FROM marks WHERE node IN ({}) AND horizon > '{}'",
                nodes.join(", "),
                last.expect("a server").0
            );
            let mut client = reader.address.connect();
            crate::wait_until("the marks have arrived", || {
                usize::try_from(sql::value::<i64>(&mut client, &marked)) == Ok(servers.len())
            });
        }
        running.phase.advance(Phase::ALL_IS_SETTLED);
        let copies: Vec<_> = reading.into_iter().map(|reader| reader.join().expect("a reader")).collect();
        marking.into_iter().for_each(|marking| marking.join().expect("who marks"));
        copies
    });
    let mut rows = HashMap::new();
    for server in servers {
        let of_server = sql::rows(&mut server.address.connect(), "SELECT id, version FROM doc");
        rows.extend(of_server.iter().map(|row| (row.get::<_, i64>(0), row.get::<_, i64>(1))));
    }
    let commits = running.commits.into_inner().expect("nobody panicked");
    let copies = readers.iter().zip(copies).map(|(reader, got)| got.judge(reader.name, &rows, &commits, start));
    (rows.len(), copies.collect())
}

/// The state shared by all threads.
#[derive(Debug, Default)]
struct Phase(Mutex<u8>, Condvar);

impl Phase {
    const NO_TRANSACTION_BEGINS: u8 = 1;
    const NONE_IS_PREPARED: u8 = 2;
    const ALL_IS_SETTLED: u8 = 3;

    fn advance(&self, to: u8) {
        *self.0.lock().expect("nobody panicked") = to;
        self.1.notify_all();
    }

    fn has_come(&self, phase: u8) -> bool {
        *self.0.lock().expect("nobody panicked") >= phase
    }

    /// Waits for this time, or until this phase begins.
    fn wait(&self, phase: u8, pause: Duration) {
        let guard = self.0.lock().expect("nobody panicked");
        drop(self.1.wait_timeout_while(guard, pause, |now| *now < phase));
    }
}

struct Running<'a> {
    load: Load,
    servers: &'a [Writable<'a>],
    phase: Phase,
    /// The next state of any row.
    version: AtomicI64,
    gid: AtomicU32,
    ids: AtomicI64,
    /// The time at which each state was committed.
    commits: Mutex<HashMap<i64, Instant>>,
}

/// The only errors allowed are those of a server that was killed, is starting, is not promoted yet, or cannot compute the horizon.
#[track_caller]
fn assert_expected(error: &postgres::Error) -> bool {
    let state = sql::sqlstate_of(error).unwrap_or_default();
    let is_unknown = ["55000", "0A000"].contains(&state.as_str());
    let is_expected = state.is_empty() || state.starts_with("57P") || ["25006", "40001"].contains(&state.as_str());
    assert!(is_unknown || is_expected, "{error:?}");
    is_unknown
}

struct Got {
    copy: HashMap<i64, i64>,
    read: Vec<(i64, Instant)>,
    polls: usize,
    refused: usize,
}

impl Got {
    fn judge(self, name: &str, rows: &HashMap<i64, i64>, commits: &HashMap<i64, Instant>, start: Instant) -> Copy {
        let wrong = rows.iter().filter(|(id, version)| self.copy.get(id) != Some(version));
        // Of a deleted row, the copy has the last state but one.
        let surplus = self.copy.iter().filter(|(id, _)| !rows.contains_key(id));
        let stale: Vec<i64> = wrong.chain(surplus).map(|(_, version)| *version).collect();
        let read = self.read.iter().map(|&(version, read)| (version, Some(read)));
        let states = read.chain(stale.iter().map(|&version| (version, None))).filter_map(|(version, read)| {
            let commit = *commits.get(&version)?;
            Some((commit - start, read.map(|read| read.saturating_duration_since(commit))))
        });
        Copy {
            name: name.to_owned(),
            polls: self.polls,
            refused: self.refused,
            stale: stale.len(),
            states: States(states.collect()),
        }
    }
}

impl Running<'_> {
    fn pause(&self, random: &mut Random) {
        thread::sleep(Duration::from_millis(random.between(0, self.load.pause).cast_unsigned()));
    }

    fn read(&self, reader: &Reader<'_>) -> Got {
        let mut got = Got { copy: HashMap::new(), read: Vec::new(), polls: 0, refused: 0 };
        let below = reader.below.map(|below| format!("AND changed < {below}")).unwrap_or_default();
        let mut last = Uuid::NIL;
        let mut client = reader.address.connect();
        loop {
            // Read before the statement begins.
            let is_settled = self.phase.has_come(Phase::ALL_IS_SETTLED);
            let statement = format!(
                "SELECT changed, id, version FROM doc_changes WHERE changed > '{last}' {below} ORDER BY changed"
            );
            got.polls += 1;
            match client.query(&statement, &[]) {
                Ok(rows) => {
                    let now = Instant::now();
                    for row in &rows {
                        let (Id(changed), id, version) = (row.get(0), row.get(1), row.get::<_, Option<i64>>(2));
                        assert!(last < changed, "{} read {changed} once more", reader.name);
                        last = changed;
                        match version {
                            Some(version) => {
                                got.copy.insert(id, version);
                                got.read.push((version, now));
                            }
                            None => _ = got.copy.remove(&id),
                        }
                    }
                    if is_settled {
                        return got;
                    }
                }
                Err(error) => {
                    if assert_expected(&error) {
                        got.refused += 1;
                        thread::sleep(Duration::from_millis(20));
                    } else {
                        client = reader.address.connect();
                    }
                }
            }
            self.phase.wait(Phase::ALL_IS_SETTLED, Duration::from_millis(10));
        }
    }

    fn mark(&self, server: &Writable<'_>) {
        let statement = set_mark(server.node, server.mark);
        let mut client = server.address.connect();
        while !self.phase.has_come(Phase::ALL_IS_SETTLED) {
            if let Err(error) = client.batch_execute(&statement)
                && !assert_expected(&error)
            {
                client = server.address.connect();
            }
            self.phase.wait(Phase::ALL_IS_SETTLED, Duration::from_millis(20));
        }
    }

    fn write(&self, server: usize, number: u64) {
        let address = self.servers[server].address;
        let mut random = Random::new(self.load.seed * 1_000 + server as u64 * 100 + number);
        let mut client = address.connect();
        while !self.phase.has_come(Phase::NO_TRANSACTION_BEGINS) {
            let (statements, versions) = self.transaction(server, &mut random);
            let mut result = Ok(());
            for statement in &statements {
                result = client.batch_execute(statement);
                if result.is_err() {
                    break;
                }
                if random.percent(40) {
                    self.pause(&mut random);
                }
            }
            match result {
                Ok(()) => {
                    let now = Instant::now();
                    self.commits
                        .lock()
                        .expect("nobody panicked")
                        .extend(versions.into_iter().map(|version| (version, now)));
                }
                Err(error) => {
                    assert!(!assert_expected(&error), "{error:?}");
                    client = address.connect();
                }
            }
        }
    }

    /// A random transaction, and the states that it commits. Rows are locked in the order of their ids.
    fn transaction(&self, server: usize, random: &mut Random) -> (Vec<String>, Vec<i64>) {
        let (mut statements, mut versions) = (vec!["BEGIN".to_owned()], Vec::new());
        let [step, first] = [self.servers.len(), server].map(|n| i64::try_from(n).expect("few servers"));
        let (id_of, newest) = (|n: i64| n * step + first, self.ids.load(Ordering::Relaxed));
        let mut ids: Vec<i64> = (0..random.between(1, 4)).map(|_| id_of(random.between(0, newest))).collect();
        ids.sort_unstable();
        for id in ids {
            let version = self.version.fetch_add(1, Ordering::Relaxed);
            let statement = match random.below(10) {
                0..3 => {
                    let id = id_of(self.ids.fetch_add(1, Ordering::Relaxed) + 1);
                    format!("INSERT INTO doc (id, version) VALUES ({id}, {version})")
                }
                3 => format!("DELETE FROM doc WHERE id = {id}"),
                _ => format!("UPDATE doc SET version = {version} WHERE id = {id}"),
            };
            match random.below(6) {
                0 => statements.extend(["SAVEPOINT s".to_owned(), statement, "ROLLBACK TO s".to_owned()]),
                1 => statements.extend(["SAVEPOINT s".to_owned(), statement, "RELEASE s".to_owned()]),
                _ => statements.push(statement),
            }
            versions.push(version);
        }
        let end = match random.below(20) {
            0..3 => "ROLLBACK".to_owned(),
            3 if self.load.prepares => {
                format!("PREPARE TRANSACTION 'changes {}'", self.gid.fetch_add(1, Ordering::Relaxed))
            }
            _ => "COMMIT".to_owned(),
        };
        if end != "COMMIT" {
            versions.clear();
        }
        statements.push(end);
        (statements, versions)
    }

    /// Ends the transactions prepared by others, including those before a crash.
    fn end_prepared(&self, server: &Writable<'_>) {
        let mut random = Random::new(self.load.seed + 7);
        let mut client = server.address.connect();
        loop {
            // Read before the prepared transactions.
            let is_over = self.phase.has_come(Phase::NONE_IS_PREPARED);
            match client.query("SELECT gid FROM pg_prepared_xacts", &[]) {
                Ok(rows) if is_over && rows.is_empty() => return,
                Ok(rows) => {
                    for row in &rows {
                        self.pause(&mut random);
                        let end = if random.percent(70) { "COMMIT" } else { "ROLLBACK" };
                        if let Err(error) = client.batch_execute(&format!("{end} PREPARED '{}'", row.get::<_, &str>(0)))
                        {
                            // The next connection tries again.
                            assert_expected(&error);
                        }
                    }
                }
                Err(error) => {
                    assert_expected(&error);
                    client = server.address.connect();
                }
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
}

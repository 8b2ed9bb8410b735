//! A table whose rows are inserted, updated and deleted, and copies that consumers maintain from the table's feed of changes, on
//! the same server or on others.

#![allow(clippy::cast_possible_wrap, reason = "there are a few servers")]

use std::collections::HashMap;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rfc9562::Uuid;

use crate::load::{Address, Load, Phase, Sessions};
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
    CREATE TRIGGER record_delete BEFORE DELETE ON doc FOR EACH ROW EXECUTE FUNCTION doc_delete();
    CREATE VIEW doc_changes AS
        SELECT changed, id, version FROM doc UNION ALL SELECT changed, id, NULL FROM doc_deleted";

#[derive(Clone, Copy, Debug)]
pub struct Writable<'a> {
    /// The server's name in the table of marks.
    pub node: &'a str,
    pub address: &'a Address,
    pub mark: &'a str,
}

/// Returns the statement that sets the mark of `node` to the expression `mark`.
pub fn set_mark(node: &str, mark: &str) -> String {
    format!("INSERT INTO marks VALUES ('{node}', {mark}) ON CONFLICT (node) DO UPDATE SET horizon = EXCLUDED.horizon")
}

/// The horizon of a consumer that needs the mark of `main`.
pub const MARKED: Option<&str> = Some("(SELECT uuidv7_horizon('doc', 'marks', 'main'))");

pub const BY_ACTIVITY: &str = "uuidv7_mark_by_activity((SELECT horizon FROM marks WHERE node = 'main'))";

#[derive(Clone, Copy, Debug)]
pub struct Consumer<'a> {
    pub name: &'a str,
    pub address: &'a Address,
    /// The exclusive upper bound of `changed`, in SQL; `None` for a naive consumer, whose only condition is `changed > $last`.
    pub below: Option<&'a str>,
}

/// The statistics of a consumer and its copy.
#[derive(Debug)]
pub struct Copy {
    pub name: String,
    /// The number of statements sent, including those that failed.
    pub polls: usize,
    /// The number of statements that failed because the horizon could not be determined.
    pub refused: usize,
    /// The number of rows that are missing from the copy, outdated in it, or no longer in the table.
    pub stale: usize,
    /// The states that the consumer read, and the last states of stale rows.
    pub states: States,
}

/// Two durations for each state that was read, and for the last state of each stale row: from the start of the run to the commit,
/// and from the commit to the reading (`None` for a stale row). States committed by prepared transactions are omitted.
pub struct States(pub Vec<(Duration, Option<Duration>)>);

impl States {
    /// Returns the median, the 90th and 99th percentiles, and the maximum of the time from a state's commit to its reading.
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

/// Runs writers until `events` returns, and consumers until all rows are below the marks. Returns the final number of rows and the
/// result of each consumer.
pub fn run(
    load: Load,
    servers: &[Writable<'_>],
    consumers: &[Consumer<'_>],
    events: impl FnOnce(),
) -> (usize, Vec<Copy>) {
    let start = Instant::now();
    let documents = Documents {
        servers,
        sessions: Sessions::new(load, is_expected),
        version: AtomicI64::new(0),
        ids: AtomicI64::new(0),
        commits: Mutex::default(),
    };
    // Waits until every consumer sees marks later than a UUID generated after the last transaction.
    let marks_have_arrived = || {
        let last =
            servers.iter().map(|server| sql::value::<Id>(&mut server.address.connect(), "SELECT uuidv7()")).max();
        for consumer in consumers {
            let nodes: Vec<_> = servers.iter().map(|server| format!("'{}'", server.node)).collect();
            let marked = format!(
                "SELECT count(*) FROM marks WHERE node IN ({}) AND horizon > '{}'",
                nodes.join(", "),
                last.expect("a server").0
            );
            let mut client = consumer.address.connect();
            crate::wait_until("the marks have arrived", || {
                usize::try_from(sql::value::<i64>(&mut client, &marked)) == Ok(servers.len())
            });
        }
    };
    let copies = thread::scope(|scope| {
        let documents = &documents;
        for server in servers {
            scope.spawn(move || documents.mark(server));
        }
        let consumers = consumers.iter().map(|consumer| move || documents.read(consumer));
        let writers = (0..servers.len())
            .flat_map(|server| (0..load.writers).map(move |number| move || documents.write(server, number)));
        let addresses: Vec<&Address> = servers.iter().map(|server| server.address).collect();
        documents.sessions.run(consumers, writers, &addresses, events, marks_have_arrived)
    });
    let mut rows = HashMap::new();
    for server in servers {
        let of_server = sql::rows(&mut server.address.connect(), "SELECT id, version FROM doc");
        rows.extend(of_server.iter().map(|row| (row.get::<_, i64>(0), row.get::<_, i64>(1))));
    }
    let commits = documents.commits.into_inner().expect("nobody panicked");
    let copies = consumers.iter().zip(copies).map(|(consumer, got)| got.judge(consumer.name, &rows, &commits, start));
    (rows.len(), copies.collect())
}

/// The table on all servers, and the sessions that write to it and read it.
struct Documents<'a> {
    servers: &'a [Writable<'a>],
    sessions: Sessions,
    /// The number of the next state, counted over all rows.
    version: AtomicI64,
    ids: AtomicI64,
    /// The time of each state's commit, by the state's number.
    commits: Mutex<HashMap<i64, Instant>>,
}

/// Whether a SQLSTATE (empty if the server reported none) means a serialization failure, or a server that was killed, is starting
/// or has not been promoted yet.
fn is_expected(state: &str) -> bool {
    state.is_empty() || state.starts_with("57P") || ["25006", "40001"].contains(&state)
}

/// Whether an error says that the horizon cannot be determined.
fn is_unknown(error: &postgres::Error) -> bool {
    ["55000", "0A000"].contains(&sql::sqlstate_of(error).unwrap_or_default().as_str())
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
        // Rows deleted from the table may remain in the copy.
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

impl Documents<'_> {
    fn read(&self, consumer: &Consumer<'_>) -> Got {
        let mut got = Got { copy: HashMap::new(), read: Vec::new(), polls: 0, refused: 0 };
        let below = consumer.below.map(|below| format!("AND changed < {below}")).unwrap_or_default();
        let mut last = Uuid::NIL;
        got.polls = self.sessions.poll(consumer.address, Phase::AllIsSettled, |client| {
            self.sessions.wait(Duration::from_millis(10));
            let statement = format!(
                "SELECT changed, id, version FROM doc_changes WHERE changed > '{last}' {below} ORDER BY changed"
            );
            let rows = match client.query(&statement, &[]) {
                Err(error) if is_unknown(&error) => {
                    got.refused += 1;
                    thread::sleep(Duration::from_millis(20));
                    return Ok(false);
                }
                result => result?,
            };
            let now = Instant::now();
            for row in &rows {
                let (Id(changed), id, version) = (row.get(0), row.get(1), row.get::<_, Option<i64>>(2));
                assert!(last < changed, "{} read {changed} once more", consumer.name);
                last = changed;
                match version {
                    Some(version) => {
                        got.copy.insert(id, version);
                        got.read.push((version, now));
                    }
                    None => _ = got.copy.remove(&id),
                }
            }
            Ok(true)
        });
        got
    }

    fn mark(&self, server: &Writable<'_>) {
        let statement = set_mark(server.node, server.mark);
        self.sessions.poll(server.address, Phase::AllIsSettled, |client| {
            self.sessions.wait(Duration::from_millis(20));
            match client.batch_execute(&statement) {
                Err(error) if !is_unknown(&error) => Err(error),
                _ => Ok(true),
            }
        });
    }

    fn write(&self, server: usize, number: u64) {
        let random = self.sessions.random(server as u64 * 100 + number);
        let commit = |versions: Vec<i64>| {
            let now = Instant::now();
            let mut commits = self.commits.lock().expect("nobody panicked");
            commits.extend(versions.into_iter().map(|version| (version, now)));
        };
        self.sessions.write(self.servers[server].address, random, |random| self.transaction(server, random), commit);
    }

    /// Returns the statements of a random transaction, which lock rows in the order of their IDs to avoid deadlocks, and the
    /// numbers of the states that the transaction may commit.
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
            self.sessions.add(&mut statements, statement, random);
            versions.push(version);
        }
        let end = self.sessions.end(random);
        if end != "COMMIT" {
            versions.clear();
        }
        statements.push(end);
        (statements, versions)
    }
}

//! A table to which many sessions write while others read it by its key, and the rows that the readers lose or read twice.

use std::collections::HashSet;
use std::thread;
use std::time::Duration;

use postgres::Client;
use rfc9562::Uuid;

use crate::load::{Address, Load, Phase, Sessions};
use crate::random::Random;
use crate::uuids::{Id, stream};
use crate::{Cluster, SERVER_SCOPE, sql};

/// The settings that a horizon requires, followed by others that the tests need.
pub const SETTINGS: [(&str, &str); 6] = [
    SERVER_SCOPE[0],
    SERVER_SCOPE[1],
    ("max_prepared_transactions", "50"),
    ("wal_level", "logical"),
    ("max_connections", "80"),
    ("hot_standby_feedback", "on"),
];

/// The partitions of `outbox` are scanned one after another, but must all be read up to the same horizon.
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

/// How a reader polls for rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Polling {
    /// All rows after the last one that it read.
    Naive,
    /// The rows below the horizon.
    Horizon,
    /// The rows below the horizon, in a transaction with one snapshot: `REPEATABLE READ` or `SERIALIZABLE`.
    OneSnapshot,
    /// The rows below the horizon, with a cursor that stays open for a while.
    Cursor,
}

/// The statistics of a reader.
#[derive(Debug)]
pub struct Follower {
    pub polling: Polling,
    /// The number of polls, each of which executes one or more queries.
    pub polls: usize,
    /// Committed rows that the reader did not get.
    pub lost: usize,
    /// Rows that the reader got more than once.
    pub twice: usize,
    /// Rows that the reader got although they were never committed.
    pub never: usize,
}

#[derive(Debug)]
pub struct Outcome {
    pub rows: usize,
    pub followers: Vec<Follower>,
}

/// The table, and the sessions that write to it and read it.
struct Outbox {
    address: Address,
    sessions: Sessions,
    pause: i64,
    most: i64,
}

/// Creates the tables, runs writers, whose statements insert up to `most` rows, until `events` returns, and runs readers until no
/// rows are left.
pub fn run(cluster: &Cluster, load: Load, most: i64, pollings: &[Polling], events: impl FnOnce()) -> Outcome {
    sql::run(&mut cluster.connect(), TABLES);
    // The only expected errors are those of a server that was killed, is shutting down or is starting.
    let is_expected = |state: &str| state.is_empty() || state.starts_with("57P");
    let sessions = Sessions::new(load, is_expected);
    let outbox = &Outbox { address: Address::new(cluster.config()), sessions, pause: load.pause, most };
    let readers = pollings.iter().map(|&polling| move || outbox.follow(polling));
    let writers = (0..load.writers).map(|number| move || outbox.write(number));
    let got = outbox.sessions.run(readers, writers, &[&outbox.address], events, || {});
    let mut committed = HashSet::new();
    stream(&mut cluster.connect(), "SELECT id FROM outbox", |id| {
        committed.insert(id);
    })
    .expect("the rows can be read");
    let followers = pollings.iter().zip(got).map(|(&polling, (polls, ids))| {
        let distinct: HashSet<Uuid> = ids.iter().copied().collect();
        Follower {
            polling,
            polls,
            lost: committed.difference(&distinct).count(),
            twice: ids.len() - distinct.len(),
            never: distinct.difference(&committed).count(),
        }
    });
    Outcome { rows: committed.len(), followers: followers.collect() }
}

impl Outbox {
    fn write(&self, number: u64) {
        self.sessions.write(&self.address, self.sessions.random(number), |random| (self.transaction(random), ()), drop);
    }

    fn transaction(&self, random: &mut Random) -> Vec<String> {
        let mut statements = vec!["BEGIN".to_owned()];
        if random.percent(20) {
            // The transaction gets an ID before it generates its first UUID.
            statements.push("INSERT INTO source SELECT WHERE false; SELECT pg_current_xact_id()".to_owned());
        }
        for _ in 0..random.between(1, 4) {
            let many = random.between(1, self.most);
            let statement = match random.below(9) {
                0 | 1 => "INSERT INTO outbox (what) VALUES ('one')".to_owned(),
                2 => format!("INSERT INTO outbox (what) SELECT 'some' FROM generate_series(1, {many})"),
                3 => format!("INSERT INTO outbox SELECT unnest(uuidv7_array({many})), 'unnested'"),
                4 => format!("INSERT INTO outbox SELECT id, 'array' FROM unnest(uuidv7_array({many})) id"),
                5 => "INSERT INTO source VALUES ('by a trigger'), ('by a trigger')".to_owned(),
                6 => format!("COPY outbox (what) FROM PROGRAM 'yes copied | head -n {many}'"),
                // Time passes between the generation of the UUID and the insertion of the row.
                7 => format!("INSERT INTO outbox SELECT uuidv7(), slow({})", random.between(0, self.pause) as f64 / 1e3),
                _ => "DO $$ DECLARE made uuid := uuidv7(); BEGIN PERFORM pg_sleep(0.001); INSERT INTO outbox VALUES (made, 'later'); END $$".to_owned(),
            };
            if random.percent(15) {
                statements.push("SELECT uuidv7()".to_owned());
            } else {
                self.sessions.add(&mut statements, statement, random);
            }
        }
        statements.push(self.sessions.end(random));
        statements
    }

    /// Reads until no rows are left. Returns the number of polls and the keys in the order in which they were read.
    fn follow(&self, polling: Polling) -> (usize, Vec<Uuid>) {
        let (mut random, mut got) = (self.sessions.random(2_000 + polling as u64), Vec::new());
        let polls = self.sessions.poll(&self.address, Phase::AllIsSettled, |client| {
            if random.percent(30) {
                thread::sleep(Duration::from_millis(random.bits() % 10));
            }
            let before = got.len();
            poll(client, polling, &mut random, &mut got)?;
            Ok(got.len() == before)
        });
        (polls, got)
    }
}

/// Appends the keys of the next rows to `got`, including those read before an error.
fn poll(
    client: &mut Client,
    polling: Polling,
    random: &mut Random,
    got: &mut Vec<Uuid>,
) -> Result<(), postgres::Error> {
    let query = |got: &[Uuid]| {
        let last = got.last().copied().unwrap_or(Uuid::NIL);
        let below = if polling == Polling::Naive { "" } else { "AND id < uuidv7_horizon()" };
        format!("SELECT id FROM outbox WHERE id > '{last}' {below} ORDER BY id")
    };
    let read = |client: &mut Client, query: &str, got: &mut Vec<Uuid>| {
        let rows = client.query(query, &[])?;
        got.extend(rows.iter().map(|row| row.get::<_, Id>(0).0));
        Ok(rows.len())
    };
    let is_limited = random.percent(50);
    let limit = if is_limited { format!(" LIMIT {}", random.between(1, 20_000)) } else { String::new() };
    match polling {
        Polling::Naive | Polling::Horizon => _ = read(client, &(query(got) + &limit), got)?,
        Polling::OneSnapshot => {
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
        Polling::Cursor => {
            client.batch_execute(&format!("BEGIN; DECLARE feed CURSOR FOR {}", query(got)))?;
            while read(client, "FETCH 1000 FROM feed", got)? > 0 {
                thread::sleep(Duration::from_millis(random.bits() % 3));
                // The horizon of this later snapshot must not affect the cursor.
                client.batch_execute("SELECT uuidv7_horizon()")?;
            }
            client.batch_execute("COMMIT")?;
        }
    }
    Ok(())
}

//! Sessions that write while transactions are prepared and servers are killed and promoted.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

use postgres::{Client, Config, NoTls};

use crate::random::Random;
use crate::{Cluster, sql, wait_until};

/// The connection parameters of a server, which a promotion can change.
#[derive(Debug)]
pub struct Address(Mutex<Config>);

impl Address {
    pub fn new(config: Config) -> Address {
        Address(Mutex::new(config))
    }

    /// Directs clients to another server.
    pub fn change(&self, config: Config) {
        *self.0.lock().expect("nobody panicked") = config;
    }

    /// Returns a connection as soon as the server accepts one.
    pub fn connect(&self) -> Client {
        let mut client = None;
        wait_until("the server accepts connections", || {
            let config = self.0.lock().expect("nobody panicked").clone();
            client = config.connect(NoTls).ok();
            client.is_some()
        });
        client.expect("a connection")
    }
}

/// The phases of a run, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    Writing,
    NoTransactionBegins,
    NoneIsPrepared,
    AllIsSettled,
}

#[derive(Clone, Copy, Debug)]
pub struct Load {
    /// The number of writing sessions on each server.
    pub writers: u64,
    /// The maximum pause between the statements of a session, in milliseconds.
    pub pause: i64,
    pub seed: u64,
}

/// The state that the sessions of a run share.
#[derive(Debug)]
pub struct Sessions {
    load: Load,
    /// Whether an error with this SQLSTATE is expected. The SQLSTATE is empty if the server did not report the error.
    is_expected: fn(&str) -> bool,
    phase: (Mutex<Phase>, Condvar),
    prepared: AtomicU32,
}

impl Sessions {
    pub fn new(load: Load, is_expected: fn(&str) -> bool) -> Sessions {
        let phase = (Mutex::new(Phase::Writing), Condvar::new());
        Sessions { load, is_expected, phase, prepared: AtomicU32::new(0) }
    }

    /// Returns the random choices of a session.
    pub fn random(&self, session: u64) -> Random {
        Random::new(self.load.seed * 1_000 + session)
    }

    fn advance(&self, to: Phase) {
        *self.phase.0.lock().expect("nobody panicked") = to;
        self.phase.1.notify_all();
    }

    fn has_come(&self, phase: Phase) -> bool {
        *self.phase.0.lock().expect("nobody panicked") >= phase
    }

    /// Waits for a duration, or until everything is settled, whichever comes first.
    pub fn wait(&self, pause: Duration) {
        let guard = self.phase.0.lock().expect("nobody panicked");
        drop(self.phase.1.wait_timeout_while(guard, pause, |now| *now < Phase::AllIsSettled));
    }

    #[track_caller]
    fn assert_expected(&self, error: &postgres::Error) {
        assert!((self.is_expected)(&sql::sqlstate_of(error).unwrap_or_default()), "{error:?}");
    }

    fn pause(&self, random: &mut Random) {
        thread::sleep(Duration::from_millis(random.between(0, self.load.pause).cast_unsigned()));
    }

    /// Adds a statement to a transaction, sometimes within a savepoint.
    pub fn add(&self, statements: &mut Vec<String>, statement: String, random: &mut Random) {
        let end = match random.below(6) {
            0 => "ROLLBACK TO s",
            1 => "RELEASE s",
            _ => return statements.push(statement),
        };
        statements.extend(["SAVEPOINT s".to_owned(), statement, end.to_owned()]);
    }

    pub fn end(&self, random: &mut Random) -> String {
        match random.below(20) {
            0..3 => "ROLLBACK".to_owned(),
            3 => format!("PREPARE TRANSACTION 'number {}'", self.prepared.fetch_add(1, Ordering::Relaxed)),
            _ => "COMMIT".to_owned(),
        }
    }

    /// Runs transactions until [`Phase::NoTransactionBegins`]. `transaction` returns the statements of a transaction and a value
    /// that is passed to `ended` if all of them succeed.
    pub fn write<T>(
        &self,
        address: &Address,
        mut random: Random,
        transaction: impl Fn(&mut Random) -> (Vec<String>, T),
        ended: impl Fn(T),
    ) {
        let mut client = address.connect();
        while !self.has_come(Phase::NoTransactionBegins) {
            let (statements, report) = transaction(&mut random);
            let result = statements.iter().try_for_each(|statement| {
                client.batch_execute(statement)?;
                if random.percent(35) {
                    self.pause(&mut random);
                }
                Ok(())
            });
            match result {
                Ok(()) => ended(report),
                Err(error) => {
                    self.assert_expected(&error);
                    client = address.connect();
                }
            }
        }
    }

    /// Calls `query` until a call that began in the phase `until` or later returns true, and returns the number of calls.
    /// Reconnects after an expected error.
    pub fn poll(
        &self,
        address: &Address,
        until: Phase,
        mut query: impl FnMut(&mut Client) -> Result<bool, postgres::Error>,
    ) -> usize {
        let (mut client, mut polls) = (address.connect(), 0);
        loop {
            // The phase is read before the query, whose result may lack rows that are committed after the query begins.
            let has_come = self.has_come(until);
            polls += 1;
            match query(&mut client) {
                Ok(true) if has_come => return polls,
                Ok(_) => {}
                Err(error) => {
                    self.assert_expected(&error);
                    client = address.connect();
                }
            }
        }
    }

    /// Ends the transactions that other sessions prepared, including those prepared before a crash.
    fn end_prepared(&self, address: &Address, mut random: Random) {
        self.poll(address, Phase::NoneIsPrepared, |client| {
            thread::sleep(Duration::from_millis(20));
            let rows = client.query("SELECT gid FROM pg_prepared_xacts", &[])?;
            for row in &rows {
                self.pause(&mut random);
                let end = if random.percent(70) { "COMMIT" } else { "ROLLBACK" };
                match client.batch_execute(&format!("{end} PREPARED '{}'", row.get::<_, &str>(0))) {
                    Err(error) if !is_busy(&error) => return Err(error),
                    _ => {}
                }
            }
            Ok(rows.is_empty())
        });
    }

    /// Runs readers and writers, and ends prepared transactions on `servers`. New transactions begin until `events` returns;
    /// `settled` is called when all have ended. Returns the results of the readers, which read until `settled` has returned.
    pub fn run<T: Send>(
        &self,
        readers: impl IntoIterator<Item: FnOnce() -> T + Send>,
        writers: impl IntoIterator<Item: FnOnce() + Send>,
        servers: &[&Address],
        events: impl FnOnce(),
        settled: impl FnOnce(),
    ) -> Vec<T> {
        thread::scope(|scope| {
            let readers: Vec<_> = readers.into_iter().map(|reader| scope.spawn(reader)).collect();
            let writers: Vec<_> = writers.into_iter().map(|writer| scope.spawn(writer)).collect();
            let enders = servers.iter().map(|address| scope.spawn(|| self.end_prepared(address, self.random(999))));
            let enders: Vec<_> = enders.collect();
            events();
            self.advance(Phase::NoTransactionBegins);
            writers.into_iter().for_each(|writer| writer.join().expect("a writer"));
            self.advance(Phase::NoneIsPrepared);
            enders.into_iter().for_each(|ender| ender.join().expect("the end of prepared transactions"));
            settled();
            self.advance(Phase::AllIsSettled);
            readers.into_iter().map(|reader| reader.join().expect("a reader")).collect()
        })
    }
}

/// Kills a backend after half the given time, kills the postmaster at the end, and starts the server again.
pub fn crash(cluster: &Cluster, time: Duration) {
    thread::sleep(time / 2);
    let other = "SELECT pid FROM pg_stat_activity
                 WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() ORDER BY random() LIMIT 1";
    cluster.kill(sql::value(&mut cluster.connect(), other));
    // The postmaster needs some time to notice. Until then, it accepts connections.
    thread::sleep(Duration::from_millis(500));
    wait_until("the server has recovered", || cluster.config().connect(NoTls).is_ok());
    thread::sleep(time / 2);
    cluster.kill_postmaster();
    cluster.start();
}

/// Whether an error says that a prepared transaction is busy: the session that prepared it still waits for the standby.
fn is_busy(error: &postgres::Error) -> bool {
    sql::sqlstate_of(error).as_deref() == Some("55000")
}

//! The feeds of `make demo`: of new rows on one server, and of changes on a server and its standby, each compared with readers
//! without a horizon. If an argument names a file, the states in the feeds of changes are written to it, for `play/pictures.py` to
//! draw. The file has a line for each reader: the number of stale rows and, for each state, the milliseconds from the start to the
//! commit and from the commit to the reading (`-` if the state was not read).

use std::fmt::Write;
use std::thread::sleep;
use std::time::Duration;

use server_tests::changes::{self, Consumer, MARKED, Writable};
use server_tests::feed::{self, Polling};
use server_tests::load::{Address, Load};
use server_tests::{Cluster, sql};

const TIME: Duration = Duration::from_secs(10);

fn main() {
    let cluster = Cluster::started("feed", &feed::SETTINGS);
    new_rows(&cluster);
    let states = changed_rows(&cluster);
    if let Some(file) = std::env::args().nth(1) {
        std::fs::write(file, states).expect("the file can be written");
    }
}

fn new_rows(cluster: &Cluster) {
    let load = Load { writers: 16, pause: 30, seed: 1 };
    println!("{} writers for {TIME:?}, with pauses up to {} ms, savepoints and rollbacks", load.writers, load.pause);
    let outcome = feed::run(cluster, load, 3, &[Polling::Naive, Polling::Horizon], || sleep(TIME));
    for follower in &outcome.followers {
        let condition = match follower.polling {
            Polling::Naive => "id > $last",
            _ => "id > $last AND id < uuidv7_horizon()",
        };
        println!(
            "    WHERE {condition:36}  {} of {} rows lost, {} read twice",
            follower.lost, outcome.rows, follower.twice
        );
        let is_right = (follower.lost, follower.twice) == (0, 0);
        assert_eq!(is_right, follower.polling != Polling::Naive, "{follower:?}");
    }
}

fn changed_rows(cluster: &Cluster) -> String {
    let load = Load { writers: 8, pause: 20, seed: 1 };
    sql::run(&mut cluster.connect(), changes::TABLES);
    let standby = cluster.standby("feed-standby");
    standby.start();
    let (writable, follower) = (Address::new(cluster.config()), Address::new(standby.config()));
    let server = Writable { node: "main", address: &writable, mark: "uuidv7_mark()" };
    let consumers = [
        Consumer { name: "changed > $last", address: &writable, below: None },
        Consumer {
            name: "changed > $last AND changed < uuidv7_horizon()",
            address: &writable,
            below: Some("uuidv7_horizon()"),
        },
        Consumer { name: "changed > $last, on a standby", address: &follower, below: None },
        Consumer {
            name: "... AND changed < (SELECT uuidv7_horizon('doc', 'marks', 'main'))",
            address: &follower,
            below: MARKED,
        },
    ];
    println!("{} writers insert, update and delete for {TIME:?}; four readers keep a copy of the table", load.writers);
    let (rows, copies) = changes::run(load, &[server], &consumers, || sleep(TIME));
    let mut states = String::new();
    for (copy, consumer) in copies.iter().zip(&consumers) {
        let [half, most, nearly_all, _] = copy.states.latency().map(|latency| latency.as_millis());
        println!(
            "    WHERE {:57} {} of {rows} rows stale; read {half}, {most}, {nearly_all} ms after the commit (quantiles 50, 90, 99 %)",
            copy.name, copy.stale
        );
        assert_eq!(copy.stale > 0, consumer.below.is_none(), "{copy:?}");
        write!(states, "{} ", copy.stale).expect("a string");
        for (commit, read_after) in &copy.states.0 {
            let read_after = read_after.map_or_else(|| "-".to_owned(), |time| time.as_millis().to_string());
            write!(states, "{} {read_after} ", commit.as_millis()).expect("a string");
        }
        states.push('\n');
    }
    states
}

//! Makes many version 7 UUIDs from many connections at the same time, and says whether one occurs twice:
//! `make uniqueness`.
//!
//! Each connection's UUIDs ascend. So merging the connections shows every duplicate, whatever the number, with memory
//! for a few thousand UUIDs of each connection.
//!
//! `COUNT` and `CONNECTIONS` in the environment set the numbers; the server is a new one of the private installation.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use postgres::Client;
use rfc9562::{Uuid, v7};
use server_tests::{Cluster, progress, uuids};

/// UUIDs in a parcel, and how many parcels wait for the merge before the connection waits.
const PARCEL: usize = 8_192;
const PARCELS: usize = 4;

fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.replace('_', "").parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")),
        Err(_) => default,
    }
}

fn main() {
    let connections = setting("CONNECTIONS", 16).clamp(1, 50);
    let each = setting("COUNT", 1_000_000_000) / connections;
    let cluster = Cluster::started("uniqueness", &[]);
    println!("{} version 7 UUIDs from {connections} connections", grouped(each * connections));
    let start = Instant::now();
    let merge = thread::scope(|scope| {
        let streams = (0..connections).map(|_| {
            let (sender, receiver) = sync_channel(PARCELS);
            let connection = cluster.connect();
            scope.spawn(move || generate(connection, each, &sender));
            Stream { receiver, parcel: Vec::new(), place: 0 }
        });
        merge(streams.collect(), start)
    });
    let took = start.elapsed().as_secs_f64();
    let (rate, expected) = (merge.count as f64 / took, merge.pairs as f64 * 0.5_f64.powi(61));
    println!(
        "{} UUIDs in {took:.1} s, {rate:.0} a second: {} duplicates",
        grouped(merge.count),
        grouped(merge.duplicates)
    );
    println!(
        "{} ticks of 244 ns; {} pairs of UUIDs shared one: {expected:.1e} duplicates were to be expected",
        grouped(merge.ticks),
        grouped(merge.pairs)
    );
    println!("most memory of this program: {}", most_memory());
    assert_eq!(merge.count, each * connections, "UUIDs are missing");
    if merge.duplicates > 0 {
        std::process::exit(1);
    }
}

/// Sends a connection's UUIDs, each made by a call of its own.
fn generate(mut connection: Client, count: u64, sender: &SyncSender<Vec<Uuid>>) {
    let mut parcel = Vec::with_capacity(PARCEL);
    // The series in the select list streams; in FROM it would first be stored as a whole.
    let query = format!("SELECT uuidv7() FROM (SELECT generate_series(1, {count})) series");
    uuids::stream(&mut connection, &query, |uuid| {
        parcel.push(uuid);
        if parcel.len() == PARCEL {
            let full = std::mem::replace(&mut parcel, Vec::with_capacity(PARCEL));
            sender.send(full).expect("the merge takes all");
        }
    })
    .unwrap_or_else(|error| panic!("{query}: {error:?}"));
    sender.send(parcel).expect("the merge takes all");
}

/// What comes from one connection.
struct Stream {
    receiver: Receiver<Vec<Uuid>>,
    parcel: Vec<Uuid>,
    place: usize,
}

impl Stream {
    fn next(&mut self) -> Option<Uuid> {
        while self.place == self.parcel.len() {
            self.parcel = self.receiver.recv().ok()?;
            self.place = 0;
        }
        self.place += 1;
        Some(self.parcel[self.place - 1])
    }
}

#[derive(Default)]
struct Merge {
    count: u64,
    duplicates: u64,
    /// Different timestamps.
    ticks: u64,
    /// Pairs of UUIDs with the same timestamp.
    pairs: u64,
}

/// Takes all UUIDs in ascending order, checking each connection's.
fn merge(mut streams: Vec<Stream>, start: Instant) -> Merge {
    let mut merge = Merge::default();
    let mut heads: Vec<Option<Uuid>> = streams.iter_mut().map(Stream::next).collect();
    let mut last: Option<Uuid> = None;
    let mut in_tick = 0;
    let mut told = start;
    // Looking at each of a few dozen is as fast as any other way to the least.
    while let Some((least, uuid)) =
        (0..).zip(&heads).filter_map(|(n, head)| head.map(|head| (n, head))).min_by_key(|(_, head)| *head)
    {
        let next = streams[least].next();
        if let Some(next) = next {
            assert!(next > uuid, "connection {least}: {next} came after {uuid}");
        }
        heads[least] = next;
        assert_eq!(uuid.version(), Some(7), "{uuid}");
        if last == Some(uuid) {
            merge.duplicates += 1;
            println!("{uuid} occurs twice");
        }
        in_tick = if last.is_some_and(|last| v7::tick(last) == v7::tick(uuid)) { in_tick + 1 } else { 0 };
        merge.ticks += u64::from(in_tick == 0);
        merge.pairs += in_tick;
        merge.count += 1;
        last = Some(uuid);
        if merge.count % (1 << 20) == 0 && told.elapsed() > Duration::from_secs(10) {
            told = Instant::now();
            progress(&format!("{} after {:.0} s", grouped(merge.count), start.elapsed().as_secs_f64()));
        }
    }
    merge
}

/// 1234567 as 1,234,567.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    groups.join(",")
}

fn most_memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("unknown");
    most.trim().to_owned()
}

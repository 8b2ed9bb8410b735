//! Servers that a test starts, misuses and throws away, and code that several tests share.
//!
//! A [`Cluster`] is a PostgreSQL cluster with a server of its own, without a network address. It lives under the
//! private home of `scripts/private-postgres` and is gone when the value is dropped, also when the test failed. [`sql`]
//! asks servers questions, [`uuids`] reads generated UUIDs in bulk and judges their order, [`clock`] and [`faults`] are
//! between a server and its operating system: a clock that the test sets, and faults. [`points`] says what comparisons
//! of UUIDs with times must answer, [`plan`] reads plans, [`random`] chooses by a seed. [`feed`] and [`changes`] are tables that many
//! write and others follow.
//!
//! The tests run by `make server-test`, which builds and installs the extension first and names the installation in
//! `UUIDRFC_PG_CONFIG`.

pub mod changes;
pub mod clock;
mod cluster;
pub mod faults;
pub mod feed;
pub mod plan;
pub mod points;
pub mod random;
pub mod sql;
pub mod uuids;

pub use cluster::{Cluster, Installation, Shutdown};

use std::io::Write;
use std::time::{Duration, Instant};

/// How long a test waits for something that must come. A slow machine must pass, a server that hangs must fail.
const PATIENCE: Duration = Duration::from_secs(180);

/// Waits until `done` is true. Panics, and says what was missing, if that takes longer than any machine needs.
#[track_caller]
pub fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < PATIENCE, "waited {PATIENCE:?} in vain until {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Prints a line at once, however the tests run: libtest holds back only the output of the print macros.
pub fn progress(line: &str) {
    // If standard error is closed, there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "    {line}");
}

/// Panics with the lines that only one of two texts has, or if equal lines are in another order.
#[track_caller]
pub fn assert_same_lines(what: &str, found: &[&str], expected: &[&str]) {
    let missing = expected.iter().filter(|line| !found.contains(line)).map(|line| format!("- {line}\n"));
    let surplus = found.iter().filter(|line| !expected.contains(line)).map(|line| format!("+ {line}\n"));
    assert!(found == expected, "{what} differs:\n{}", missing.chain(surplus).collect::<String>());
}

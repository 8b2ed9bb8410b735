//! Servers that a test starts, misuses and throws away, and what several tests ask of them.
//!
//! A [`Cluster`] is a PostgreSQL cluster with a server of its own, without a network address. It lives under the
//! private home of `scripts/private-postgres` and is gone when the value is dropped, also when the test failed.
//! [`sql`] asks servers questions, [`uuids`] reads generated UUIDs in bulk and judges their order, [`clock`] and
//! [`faults`] stand between a server and its operating system: a clock that the test sets, and what can fail.
//! [`points`] says what comparisons of UUIDs with times must answer, [`plan`] reads plans, [`random`] chooses by a seed.
//!
//! The tests run by `make server-test`, which builds and installs the extension first and names the installation in
//! `UUIDRFC_PG_CONFIG`.

pub mod clock;
mod cluster;
pub mod faults;
pub mod plan;
pub mod points;
pub mod random;
pub mod sql;
pub mod uuids;

pub use cluster::{Cluster, Shutdown};

use std::io::Write;
use std::time::{Duration, Instant};

/// How long a test waits for something that must come. A slow machine is not a fault, a server that hangs is.
const PATIENCE: Duration = Duration::from_secs(180);

/// Waits until `done` says so, and panics with what was waited for when that takes longer than any machine needs.
#[track_caller]
pub fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < PATIENCE, "waited {PATIENCE:?} in vain until {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A line that is seen at once, whichever way the tests run: libtest holds back only what the print macros write.
pub fn progress(line: &str) {
    // Nobody to tell when standard error is closed.
    let _ = writeln!(std::io::stderr(), "    {line}");
}

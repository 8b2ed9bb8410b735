//! Servers that a test starts and removes, and code that several tests share.
//!
//! A [`Cluster`] is a PostgreSQL cluster whose server, by default, does not listen on TCP. Its files, in the private directory of
//! `scripts/private-postgres`, are removed when the cluster is dropped, even if the test failed. [`sql`] runs statements, [`uuids`]
//! reads generated UUIDs in bulk and checks their order, [`clock`] and [`faults`] interpose between a server and its operating
//! system, [`oracle`] defines the UUIDs that are equivalent to times in comparisons, [`plan`] reads plans, [`process`] reads the
//! memory of a server's process, [`random`] makes random choices from a seed, and [`feed`] and [`changes`] test feeds under
//! [`load`].
//!
//! The tests are run by `make server-test`, which first builds and installs the extension and names the installation in
//! `UUIDRFC_PG_CONFIG`.

pub mod changes;
pub mod clock;
mod cluster;
pub mod faults;
pub mod feed;
pub mod load;
pub mod oracle;
pub mod plan;
pub mod process;
pub mod random;
pub mod sql;
pub mod uuids;

pub use cluster::{Cluster, Installation, Shutdown};

use std::io::Write;
use std::time::{Duration, Instant};

/// The settings of a server whose sessions all generate UUIDs in one order.
pub const SERVER_SCOPE: [(&str, &str); 2] =
    [("shared_preload_libraries", "uuidrfc"), ("uuidrfc.monotonic_scope", "server")];

/// The maximum time that a test waits for a condition, long enough for a slow machine.
const PATIENCE: Duration = Duration::from_secs(180);

/// Waits until `done` returns true. If that takes longer than `PATIENCE`, panics with `what`, a description of the condition.
#[track_caller]
pub fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < PATIENCE, "waited {PATIENCE:?} in vain until {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Writes a line to standard error directly, because libtest captures the output of the print macros.
pub fn progress(line: &str) {
    // A failure to write to standard error cannot be reported.
    let _ = writeln!(std::io::stderr(), "    {line}");
}

/// Panics unless two texts have the same lines in the same order. The message shows the lines that only one of them contains.
#[track_caller]
pub fn assert_same_lines<A: AsRef<str>, B: AsRef<str>>(what: &str, found: &[A], expected: &[B]) {
    let [found, expected]: [Vec<&str>; 2] =
        [found.iter().map(AsRef::as_ref).collect(), expected.iter().map(AsRef::as_ref).collect()];
    let missing = expected.iter().filter(|line| !found.contains(line)).map(|line| format!("- {line}\n"));
    let surplus = found.iter().filter(|line| !expected.contains(line)).map(|line| format!("+ {line}\n"));
    assert!(found == expected, "{what} differs:\n{}", missing.chain(surplus).collect::<String>());
}

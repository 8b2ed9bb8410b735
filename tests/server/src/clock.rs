//! A server's clock, which tests set with libfaketime.

use std::fs;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::Cluster;

/// The system's clock, shifted or stopped. A new setting takes effect when a process of the server next reads the clock.
#[derive(Debug)]
pub struct FakeClock {
    file: PathBuf,
}

impl FakeClock {
    /// Interposes a clock, which shows the system's time until it is set, in a server that is not yet started.
    pub fn in_front_of(cluster: &mut Cluster) -> FakeClock {
        let clock = FakeClock { file: cluster.dir().join("clock") };
        clock.shift(0);
        cluster.preload(&libfaketime());
        cluster.set_environment("FAKETIME_TIMESTAMP_FILE", clock.file.to_string_lossy());
        cluster.set_environment("FAKETIME_NO_CACHE", "1");
        // The time of a stopped clock is written in seconds since 1970.
        cluster.set_environment("FAKETIME_FMT", "%s");
        // The server's waits use the monotonic clock, which is left unchanged.
        cluster.set_environment("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        clock
    }

    /// Makes the clock show the system's time plus a number of seconds.
    pub fn shift(&self, seconds: i64) {
        self.set(&format!("{seconds:+}"));
    }

    /// Stops the clock at the system's time, rounded down to a second, plus a number of seconds.
    pub fn freeze(&self, seconds: i64) {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("the system's clock shows a time after 1970");
        let now = i64::try_from(now.as_secs()).expect("seconds since 1970");
        self.set(&format!("{}", now + seconds));
    }

    /// Replaces the file atomically, because the server may be reading it.
    fn set(&self, setting: &str) {
        let new = self.file.with_extension("new");
        fs::write(&new, format!("{setting}\n"))
            .and_then(|()| fs::rename(&new, &self.file))
            .expect("the clock can be set");
    }
}

fn libfaketime() -> String {
    let candidates = fs::read_dir("/usr/lib").expect("/usr/lib can be read").filter_map(Result::ok);
    let library = candidates.map(|entry| entry.path().join("faketime/libfaketime.so.1")).find(|path| path.exists());
    library.expect("libfaketime is installed (Debian's package `faketime`)").to_string_lossy().into_owned()
}

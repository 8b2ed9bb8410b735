//! A server for this run alone: its own cluster under the private home, without a network address, removed afterwards.
//! The operating system does not cache its files, since that would hide what little memory costs.

use std::error::Error;
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use postgres::Client;
use server_tests::{Cluster, Installation, Shutdown};

use crate::settings::Settings;

/// A running server; dropping it removes the cluster.
pub struct Server {
    cluster: Cluster,
    /// Dropped after the cluster, because the server's processes are in it.
    _cgroup: Option<Cgroup>,
    /// The version, in the server's words.
    pub version: String,
    /// What keeps the operating system from caching the server's files.
    pub memory: Memory,
}

/// How the operating system's cache is avoided.
#[derive(Clone, Copy)]
pub enum Memory {
    /// `debug_io_direct`, PostgreSQL 16 and later.
    DirectIo,
    /// A control group that limits the server, with the cached pages of its files, to this many bytes.
    Limited(u64),
    /// Not at all: neither is available.
    Unlimited,
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Memory::DirectIo => {
                write!(f, "data files read and written past the operating system's cache (`debug_io_direct = data`)")
            }
            Memory::Limited(bytes) => write!(
                f,
                "the server with the operating system's cache of its files limited to {} MB by a control group",
                bytes >> 20
            ),
            Memory::Unlimited => write!(
                f,
                "the operating system caches files in the machine's whole memory, which hides what is measured here: \
                 take PostgreSQL 16 or later, or root"
            ),
        }
    }
}

impl Server {
    /// A new cluster of the server that `settings` name, started.
    pub fn create(settings: &Settings) -> Result<Server, Box<dyn Error>> {
        let installation = Installation::of(&settings.pg_config);
        let shared_buffers = megabytes(&settings.shared_buffers)? << 20;
        let (memory, cgroup) = if installation.major() >= 16 {
            (Memory::DirectIo, None)
        } else {
            let limit = settings.memory.unwrap_or(shared_buffers + shared_buffers / 16 + SERVER_ITSELF);
            match Cgroup::create(limit) {
                Some(cgroup) => (Memory::Limited(limit), Some(cgroup)),
                None => (Memory::Unlimited, None),
            }
        };
        let mut cluster = Cluster::of(&installation, "locality", &[]);
        cluster.configure(&[
            ("shared_buffers", &settings.shared_buffers),
            ("effective_cache_size", &settings.shared_buffers),
            ("autovacuum", "off"),
            ("max_wal_size", "16GB"),
            ("checkpoint_timeout", "1h"),
            ("jit", "off"),
            ("synchronize_seqscans", "off"),
            ("max_parallel_workers_per_gather", "0"),
        ]);
        if matches!(memory, Memory::DirectIo) {
            cluster.configure(&[("debug_io_direct", "data")]);
        }
        if let Some(cgroup) = &cgroup {
            cluster.set_control_group(&cgroup.folder);
        }
        cluster.start();
        let mut server = Server { cluster, _cgroup: cgroup, version: String::new(), memory };
        let mut client = server.connect()?;
        server.version = client.query_one("SELECT split_part(version(), ' on ', 1)", &[])?.get(0);
        client
            .batch_execute("CREATE EXTENSION uuidrfc; CREATE EXTENSION pgstattuple; CREATE EXTENSION pg_walinspect")?;
        Ok(server)
    }

    /// A new connection.
    pub fn connect(&self) -> Result<Client, postgres::Error> {
        self.cluster.config().connect(postgres::NoTls)
    }

    /// Restarts with nothing cached, neither by the server nor (for these files of the cluster) by the operating
    /// system.
    pub fn restart_cold(&mut self, files: &[String]) -> Result<(), Box<dyn Error>> {
        self.cluster.stop(Shutdown::Fast);
        for file in files {
            // Advises the kernel that the file's pages are not needed.
            let file = self.cluster.data().join(file);
            let advised = Command::new("dd")
                .arg(format!("if={}", file.display()))
                .args(["iflag=nocache", "count=0", "status=none"])
                .status()?;
            if !advised.success() {
                return Err(format!("dd of {} failed", file.display()).into());
            }
        }
        self.cluster.start();
        Ok(())
    }
}

/// The bytes that a server needs apart from shared buffers, what grows with them, and caches.
const SERVER_ITSELF: u64 = 24 << 20;

/// A control group of the kernel that limits memory, removed when dropped.
struct Cgroup {
    folder: PathBuf,
}

impl Cgroup {
    /// None if that is not available: it needs root, and a kernel that allows it at boot.
    fn create(limit: u64) -> Option<Cgroup> {
        let (parent, file) = if Path::new("/sys/fs/cgroup/memory/memory.limit_in_bytes").exists() {
            ("/sys/fs/cgroup/memory", "memory.limit_in_bytes")
        } else {
            let controllers = std::fs::read_to_string("/sys/fs/cgroup/cgroup.controllers").ok()?;
            controllers.split_whitespace().find(|controller| *controller == "memory")?;
            ("/sys/fs/cgroup", "memory.max")
        };
        let cgroup = Cgroup { folder: Path::new(parent).join(format!("uuidrfc-locality-{}", std::process::id())) };
        std::fs::create_dir(&cgroup.folder).ok()?;
        std::fs::write(cgroup.folder.join(file), limit.to_string()).ok()?;
        Some(cgroup)
    }
}

impl Drop for Cgroup {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir(&self.folder);
    }
}

/// The bytes of a setting like `16MB` or `1GB`.
fn megabytes(setting: &str) -> Result<u64, Box<dyn Error>> {
    let (number, unit) = setting.split_at(setting.find(|c: char| !c.is_ascii_digit()).unwrap_or(setting.len()));
    let number: u64 = number.parse()?;
    match unit.trim() {
        "MB" => Ok(number),
        "GB" => Ok(number << 10),
        _ => Err("SHARED_BUFFERS must be in MB or GB, as 16MB".into()),
    }
}

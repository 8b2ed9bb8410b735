//! A server for this run alone: its own cluster under the private home, without a network address, gone afterwards; and
//! with the operating system's cache of its files taken out, which would hide from a server with little memory what it
//! is missing.

use std::error::Error;
use std::fmt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use postgres::{Client, Config, NoTls};

use crate::settings::Settings;

const PORT: u16 = 5434;

/// A running server; dropping it removes the cluster.
pub struct Server {
    bin: PathBuf,
    data: PathBuf,
    sockets: PathBuf,
    options: String,
    cgroup: Option<Cgroup>,
    /// As the server says it.
    pub version: String,
    /// What keeps the operating system from caching the server's files.
    pub memory: Memory,
}

/// How the operating system's cache is taken out.
#[derive(Clone, Copy)]
pub enum Memory {
    /// `debug_io_direct`, PostgreSQL 16 and later.
    DirectIo,
    /// A control group that limits the server with all its files' pages to so many bytes.
    Limited(u64),
    /// Not at all: neither is to be had.
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
        let bin = PathBuf::from(output(Command::new(&settings.pg_config).arg("--bindir"))?);
        let major: u32 = output(Command::new(&settings.pg_config).arg("--version"))?
            .split([' ', '.'])
            .nth(1)
            .and_then(|major| major.parse().ok())
            .ok_or("pg_config tells no version")?;
        let home = PathBuf::from(output(Command::new("scripts/private-postgres").arg("home"))?);
        let shared_buffers = megabytes(&settings.shared_buffers)? << 20;
        let (memory, cgroup) = if major >= 16 {
            (Memory::DirectIo, None)
        } else {
            let limit = settings.memory.unwrap_or(shared_buffers + shared_buffers / 16 + SERVER_ITSELF);
            match Cgroup::create(limit) {
                Some(cgroup) => (Memory::Limited(limit), Some(cgroup)),
                None => (Memory::Unlimited, None),
            }
        };
        let sockets = home.join("sockets");
        let mut options = format!(
            "-c listen_addresses='' -c unix_socket_directories='{}' -c port={PORT} -c shared_buffers={} \
             -c autovacuum=off -c max_wal_size=16GB -c checkpoint_timeout=1h -c jit=off -c synchronize_seqscans=off \
             -c max_parallel_workers_per_gather=0 -c effective_cache_size={}",
            sockets.display(),
            settings.shared_buffers,
            settings.shared_buffers,
        );
        if matches!(memory, Memory::DirectIo) {
            options.push_str(" -c debug_io_direct=data");
        }
        let mut server = Server {
            data: home.join("clusters/locality"),
            bin,
            sockets,
            options,
            cgroup,
            version: String::new(),
            memory,
        };
        server.remove()?;
        let data = server.data.display().to_string();
        server.as_server_user(
            None,
            &["initdb", "-D", &data, "-U", "postgres", "-A", "trust", "--no-sync", "--locale=C.UTF-8", "-E", "UTF8"],
        )?;
        server.start()?;
        let mut client = server.connect()?;
        server.version = client.query_one("SELECT split_part(version(), ' on ', 1)", &[])?.get(0);
        client
            .batch_execute("CREATE EXTENSION uuidrfc; CREATE EXTENSION pgstattuple; CREATE EXTENSION pg_walinspect")?;
        Ok(server)
    }

    /// A new connection.
    pub fn connect(&self) -> Result<Client, postgres::Error> {
        Config::new().host_path(&self.sockets).port(PORT).user("postgres").dbname("postgres").connect(NoTls)
    }

    /// Restarts with nothing cached: not by the server, and not by the operating system of these files of the cluster.
    pub fn restart_cold(&mut self, files: &[String]) -> Result<(), Box<dyn Error>> {
        self.stop("fast")?;
        for file in files {
            // Advises the kernel that the file's pages are not needed.
            let file = self.data.join(file);
            output(Command::new("dd").arg(format!("if={}", file.display())).args([
                "iflag=nocache",
                "count=0",
                "status=none",
            ]))?;
        }
        self.start()
    }

    fn start(&self) -> Result<(), Box<dyn Error>> {
        let data = self.data.display().to_string();
        let log = self.data.join("server.log").display().to_string();
        self.as_server_user(
            self.cgroup.as_ref(),
            &["pg_ctl", "-D", &data, "-l", &log, "-w", "-s", "-o", &self.options, "start"],
        )
    }

    fn stop(&self, mode: &str) -> Result<(), Box<dyn Error>> {
        let data = self.data.display().to_string();
        self.as_server_user(None, &["pg_ctl", "-D", &data, "-m", mode, "-w", "-s", "stop"])
    }

    /// Runs a program of the server as the user it accepts; within the limit of memory, if it is to start there.
    fn as_server_user(&self, cgroup: Option<&Cgroup>, arguments: &[&str]) -> Result<(), Box<dyn Error>> {
        let mut command = Command::new("sh");
        let join =
            cgroup.map_or(String::new(), |cgroup| format!("echo $$ > '{}/cgroup.procs' && ", cgroup.folder.display()));
        command.arg("-c").arg(format!("{join}exec \"$@\"")).arg("sh");
        if is_root() {
            command.args(["runuser", "-u", "postgres", "--"]);
        }
        command.arg(self.bin.join(arguments[0])).args(&arguments[1..]).env_remove("RUST_BACKTRACE");
        // The server must not inherit a pipe, or reading it would wait for the server's end.
        command.stdout(std::process::Stdio::null());
        let status = command.status()?;
        if status.success() { Ok(()) } else { Err(format!("{} failed", arguments[0]).into()) }
    }

    fn remove(&self) -> std::io::Result<()> {
        match std::fs::remove_dir_all(&self.data) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Of a run that failed before, there may be nothing to stop.
        let _ = self.stop("immediate");
        let _ = self.remove();
    }
}

/// What a server needs beside shared buffers and what grows with them, and before any cache, in bytes.
const SERVER_ITSELF: u64 = 24 << 20;

/// A control group of the kernel that limits memory, removed when dropped.
struct Cgroup {
    folder: PathBuf,
}

impl Cgroup {
    /// None where that is not to be had: it needs root, and a kernel that is asked for it at boot.
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

fn is_root() -> bool {
    std::fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

/// What a command prints, if it succeeds.
fn output(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let output = command.stderr(std::process::Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{:?} failed", command.get_program()).into());
    }
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}

/// Of a setting like `16MB` or `1GB`.
fn megabytes(setting: &str) -> Result<u64, Box<dyn Error>> {
    let (number, unit) = setting.split_at(setting.find(|c: char| !c.is_ascii_digit()).unwrap_or(setting.len()));
    let number: u64 = number.parse()?;
    match unit.trim() {
        "MB" => Ok(number),
        "GB" => Ok(number << 10),
        _ => Err("SHARED_BUFFERS must be in MB or GB, as 16MB".into()),
    }
}

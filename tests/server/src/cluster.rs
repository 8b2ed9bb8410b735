//! One cluster of a test's own, and its server.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, Ordering};

use postgres::{Client, Config, NoTls};

use crate::wait_until;

/// A PostgreSQL cluster and its server, removed when dropped.
///
/// Every process of the server runs in the cluster's data folder, so that they are found by it.
#[derive(Debug)]
pub struct Cluster {
    /// Holds `data`, the server's `log`, and what a test puts beside them.
    dir: PathBuf,
    /// Names the server's socket.
    port: u16,
    /// Set in the server's environment.
    environment: Vec<(String, String)>,
}

/// How a server is told to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shutdown {
    /// Transactions are rolled back, a checkpoint is written.
    Fast,
    /// Nothing is written; the next start recovers.
    Immediate,
}

/// What the tests have from the Makefile and from `scripts/private-postgres`.
#[derive(Debug)]
struct Installation {
    script: PathBuf,
    home: PathBuf,
    bin: PathBuf,
}

fn installation() -> &'static Installation {
    static INSTALLATION: OnceLock<Installation> = OnceLock::new();
    INSTALLATION.get_or_init(|| {
        let pg_config = std::env::var_os("UUIDRFC_PG_CONFIG")
            .expect("UUIDRFC_PG_CONFIG must name the pg_config of a private installation; run `make server-test`");
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/private-postgres");
        Installation {
            home: PathBuf::from(output_of(Command::new(&script).arg("home")).trim_end()),
            bin: PathBuf::from(output_of(Command::new(pg_config).arg("--bindir")).trim_end()),
            script,
        }
    })
}

/// Each cluster has another port, which is the name of its socket: there is no network address.
fn unused_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let in_this_process = NEXT.fetch_add(1, Ordering::Relaxed);
    let process = u16::try_from(std::process::id() % 2_000).expect("below 2,000");
    10_000 + process * 25 + in_this_process
}

/// Runs a program to its end; standard output, or a panic that tells what it said.
fn output_of(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}\n{}", output.status, said(&output));
    String::from_utf8(output.stdout).unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

impl Cluster {
    /// A new cluster with these settings, its server not yet started. The name is for whoever looks at the files.
    pub fn new(name: &str, settings: &[(&str, &str)]) -> Cluster {
        let cluster = Cluster::without_data(name);
        output_of(cluster.server_program("initdb").arg("-D").arg(cluster.data()).args([
            "-U",
            "postgres",
            "-A",
            "trust",
            "--no-sync",
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
        ]));
        cluster.configure_address();
        // What is tested is never what a power failure leaves, and a server without load keeps still.
        cluster.configure(&[("fsync", "off"), ("max_connections", "60"), ("log_line_prefix", "%m [%p] %a ")]);
        // PostgreSQL 18 has a uuidv7() of its own, which a name that is not qualified must not mean here.
        cluster.configure(&[("search_path", "\"$user\", public, pg_catalog")]);
        cluster.configure(settings);
        cluster
    }

    /// A new cluster with these settings, its server started and the extension created in the database `postgres`.
    pub fn started(name: &str, settings: &[(&str, &str)]) -> Cluster {
        let cluster = Cluster::new(name, settings);
        cluster.start();
        crate::sql::run(&mut cluster.connect(), "CREATE EXTENSION uuidrfc");
        cluster
    }

    /// A physical copy of this running cluster, set up as its standby and not yet started.
    pub fn standby(&self, name: &str) -> Cluster {
        let standby = Cluster::without_data(name);
        output_of(
            standby
                .server_program("pg_basebackup")
                .arg("-h")
                .arg(installation().home.join("sockets"))
                .args(["-p", &self.port.to_string(), "-U", "postgres", "-D"])
                .arg(standby.data())
                .args(["--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync"]),
        );
        standby.configure_address();
        standby
    }

    fn without_data(name: &str) -> Cluster {
        let port = unused_port();
        let dir = installation().home.join("clusters").join(format!("test-{name}-{port}"));
        let cluster = Cluster { dir, port, environment: Vec::new() };
        output_of(cluster.as_server_user().arg("mkdir").arg(&cluster.dir));
        cluster
    }

    fn configure_address(&self) {
        self.configure(&[
            ("listen_addresses", ""),
            ("unix_socket_directories", &installation().home.join("sockets").to_string_lossy()),
            ("port", &self.port.to_string()),
        ]);
    }

    /// Adds settings that count from the server's next start on.
    pub fn configure(&self, settings: &[(&str, &str)]) {
        let path = self.data().join("postgresql.conf");
        let mut file = fs::OpenOptions::new().append(true).open(&path).expect("postgresql.conf can be written");
        for (name, value) in settings {
            writeln!(file, "{name} = '{value}'").expect("postgresql.conf can be written");
        }
    }

    /// Sets a variable in the environment of the server from its next start on.
    pub fn set_environment(&mut self, name: &str, value: impl Into<String>) {
        self.environment.push((name.to_owned(), value.into()));
    }

    /// Puts a library in front of the C library in every process of the server from its next start on.
    pub fn preload(&mut self, library: &str) {
        match self.environment.iter_mut().find(|(name, _)| name == "LD_PRELOAD") {
            Some((_, libraries)) => *libraries = format!("{libraries}:{library}"),
            None => self.set_environment("LD_PRELOAD", library),
        }
    }

    /// The folder of this cluster, which the server's user can reach, for files that a test shares with the server.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    fn data(&self) -> PathBuf {
        self.dir.join("data")
    }

    /// The start of a command line that runs as the user the server runs as.
    fn as_server_user(&self) -> Command {
        let mut command = Command::new(&installation().script);
        command.arg("run");
        command
    }

    fn server_program(&self, name: &str) -> Command {
        let mut command = self.as_server_user();
        command.arg(installation().bin.join(name));
        command
    }

    /// Starts the server and waits until it answers.
    pub fn start(&self) {
        let mut command = self.as_server_user();
        // A backtrace that the environment asks for would become part of error messages.
        command.args(["env", "-u", "RUST_BACKTRACE"]);
        command.args(self.environment.iter().map(|(name, value)| format!("{name}={value}")));
        command.arg(installation().bin.join("pg_ctl")).args(["-w", "-s", "-t", "180", "-l"]);
        command.arg(self.dir.join("log")).arg("-D").arg(self.data()).arg("start");
        // The server inherits what pg_ctl writes to, so a pipe would not end.
        let status = command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).status();
        let started = status.as_ref().is_ok_and(std::process::ExitStatus::success);
        assert!(started, "the server did not start: {status:?}\n{}", self.end_of_log());
    }

    /// Stops the server and waits for its end.
    pub fn stop(&self, how: Shutdown) {
        let mode = match how {
            Shutdown::Fast => "fast",
            Shutdown::Immediate => "immediate",
        };
        let mut command = self.server_program("pg_ctl");
        output_of(command.args(["-w", "-s", "-t", "180", "-m", mode, "-D"]).arg(self.data()).arg("stop"));
    }

    /// Sends SIGKILL to a process of this server.
    pub fn kill(&self, process: i32) {
        assert!(self.processes().contains(&process), "process {process} is not of this server");
        output_of(self.server_program("pg_ctl").args(["kill", "KILL", &process.to_string()]));
    }

    /// Sends SIGKILL to the postmaster and waits until the last of its orphans has noticed.
    pub fn kill_postmaster(&self) {
        let pid_file = fs::read_to_string(self.data().join("postmaster.pid")).expect("a running server has a PID file");
        let postmaster = pid_file.lines().next().and_then(|line| line.parse().ok());
        let postmaster = postmaster.expect("the PID file begins with the process id");
        self.kill(postmaster);
        wait_until("the processes of the killed postmaster are gone", || self.processes().is_empty());
        // As long as its parent has not asked how it ended, its process id stays, and the next server, which finds it
        // in the PID file, would not start.
        let entry = Path::new("/proc").join(postmaster.to_string());
        wait_until("the killed postmaster is reaped", || !entry.exists());
    }

    /// The process ids of the server that runs on this cluster.
    fn processes(&self) -> Vec<i32> {
        let data = self.data();
        let works_here = |process: &i32| fs::read_link(format!("/proc/{process}/cwd")).is_ok_and(|cwd| cwd == data);
        let entries = fs::read_dir("/proc").expect("/proc can be read");
        let processes = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        processes.filter(works_here).collect()
    }

    /// How to connect, as the superuser to the database `postgres` unless changed.
    pub fn config(&self) -> Config {
        let mut config = Config::new();
        config.host_path(installation().home.join("sockets")).port(self.port).user("postgres").dbname("postgres");
        config
    }

    /// The same as a connection string for the server's side (`CREATE SUBSCRIPTION`).
    pub fn connection_string(&self, database: &str) -> String {
        let sockets = installation().home.join("sockets");
        format!("host={} port={} user=postgres dbname={database}", sockets.display(), self.port)
    }

    /// A connection as the superuser to the database `postgres`.
    pub fn connect(&self) -> Client {
        self.connect_with(&self.config())
    }

    /// A connection as this user to this database.
    pub fn connect_as(&self, user: &str, database: &str) -> Client {
        self.connect_with(self.config().user(user).dbname(database))
    }

    fn connect_with(&self, config: &Config) -> Client {
        config
            .connect(NoTls)
            .unwrap_or_else(|error| panic!("connecting with {config:?}: {error:?}\n{}", self.end_of_log()))
    }

    /// Runs one of PostgreSQL's client programs as the superuser on a database; what it prints.
    pub fn client_program<S: AsRef<OsStr>>(&self, name: &str, database: &str, arguments: &[S]) -> String {
        output_of(self.client_command(name, database).args(arguments))
    }

    /// Runs a script with psql, up to the first error, which is a panic; what it prints, unaligned.
    pub fn psql(&self, database: &str, script: &Path) -> String {
        let mut command = self.client_command("psql", database);
        output_of(command.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-f"]).arg(script))
    }

    fn client_command(&self, name: &str, database: &str) -> Command {
        let mut command = Command::new(installation().bin.join(name));
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("PG") {
                command.env_remove(name);
            }
        }
        command.env("PGHOST", installation().home.join("sockets"));
        command.env("PGPORT", self.port.to_string()).env("PGUSER", "postgres").env("PGDATABASE", database);
        command
    }

    /// The whole log of the server.
    pub fn log(&self) -> String {
        fs::read(self.dir.join("log")).map_or_else(|_| String::new(), |log| String::from_utf8_lossy(&log).into_owned())
    }

    fn end_of_log(&self) -> String {
        let log = self.log();
        let lines: Vec<&str> = log.lines().collect();
        let end = lines[lines.len().saturating_sub(30)..].join("\n");
        format!("-- end of the server's log, {}:\n{end}", self.dir.join("log").display())
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.end_of_log());
        }
        let mut stop = self.server_program("pg_ctl");
        // Not running is as good; whatever is left is killed next.
        let _ = stop.args(["-w", "-s", "-m", "immediate", "-D"]).arg(self.data()).arg("stop").output();
        for process in self.processes() {
            let _ = self.server_program("pg_ctl").args(["kill", "KILL", &process.to_string()]).output();
        }
        let _ = fs::remove_dir_all(&self.dir);
    }
}

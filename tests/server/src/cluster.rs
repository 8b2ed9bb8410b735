//! A cluster that belongs to one test, and its server.

use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU16, Ordering};

use postgres::{Client, Config, NoTls};

use crate::{sql, wait_until};

/// A PostgreSQL cluster and its server.
///
/// The server's processes are recognized by their working directory, the cluster's data directory.
#[derive(Debug)]
pub struct Cluster {
    installation: Installation,
    /// The directory of the client programs.
    clients: PathBuf,
    /// The directory that contains `data`, the server's `log`, and the test's files.
    dir: PathBuf,
    port: u16,
    environment: Vec<(String, String)>,
}

/// A mode of `pg_ctl stop`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shutdown {
    /// Transactions are rolled back and a checkpoint is written.
    Fast,
    /// No checkpoint is written, and the next start performs crash recovery.
    Immediate,
}

/// A PostgreSQL installation that has the extension.
#[derive(Clone, Debug)]
pub struct Installation {
    pg_config: PathBuf,
    bin: PathBuf,
    major: u32,
}

impl Installation {
    /// Returns the installation to which a `pg_config` belongs.
    pub fn from_pg_config(pg_config: &Path) -> Installation {
        let version = output_of(Command::new(pg_config).arg("--version"));
        let digits = version.trim_start_matches("PostgreSQL ").split(|c: char| !c.is_ascii_digit()).next();
        Installation {
            bin: PathBuf::from(output_of(Command::new(pg_config).arg("--bindir")).trim_end()),
            major: digits.and_then(|digits| digits.parse().ok()).unwrap_or_else(|| panic!("no version: {version}")),
            pg_config: pg_config.to_owned(),
        }
    }

    /// Returns the installation of `UUIDRFC_PG_CONFIG`, which the Makefile sets.
    fn under_test() -> &'static Installation {
        static UNDER_TEST: OnceLock<Installation> = OnceLock::new();
        UNDER_TEST.get_or_init(|| {
            let pg_config = std::env::var_os("UUIDRFC_PG_CONFIG")
                .expect("UUIDRFC_PG_CONFIG must name the pg_config of a private installation; run `make server-test`");
            Installation::from_pg_config(Path::new(&pg_config))
        })
    }

    pub fn major(&self) -> u32 {
        self.major
    }
}

/// Returns a command for the script that determines where private files are and which user runs servers.
fn private_postgres() -> Command {
    Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/private-postgres"))
}

/// Returns the directory that contains clusters and sockets.
fn home() -> &'static Path {
    static HOME: OnceLock<PathBuf> = OnceLock::new();
    HOME.get_or_init(|| PathBuf::from(output_of(private_postgres().arg("home")).trim_end()))
}

fn sockets() -> PathBuf {
    home().join("sockets")
}

/// Returns the next of this process's 200 ports. By default, servers do not listen on TCP, but the port is part of a socket's name.
fn unused_port() -> u16 {
    static NEXT: AtomicU16 = AtomicU16::new(0);
    let in_this_process = NEXT.fetch_add(1, Ordering::Relaxed);
    let process = u16::try_from(std::process::id() % 250).expect("below 250");
    10_000 + process * 200 + in_this_process
}

/// Runs a program and returns its standard output. If the program fails, panics with all of its output.
fn output_of(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(output.status.success(), "{command:?}: {}\n{}", output.status, said(&output));
    String::from_utf8(output.stdout).unwrap_or_else(|error| panic!("{command:?}: {error}"))
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

impl Cluster {
    /// Creates a cluster with the given settings, without starting its server. The name makes the cluster's files easier to find.
    pub fn new(name: &str, settings: &[(&str, &str)]) -> Cluster {
        // Copying a cluster is ten times as fast as initdb. The template is not dropped: the next `make server-test` removes it.
        static TEMPLATE: OnceLock<Cluster> = OnceLock::new();
        let installation = Installation::under_test();
        let template = TEMPLATE.get_or_init(|| Cluster::from_initdb(installation, "template", &[]));
        let cluster = Cluster::without_data(installation, name);
        output_of(cluster.as_server_user().args(["cp", "-a"]).args([template.data(), cluster.data()]));
        cluster.configure_address();
        // No test simulates a power failure, so files need not be flushed to disk.
        cluster.configure(&[("fsync", "off"), ("max_connections", "60"), ("log_line_prefix", "%m [%p] %a ")]);
        // PostgreSQL 18 has its own uuidv7(), to which an unqualified name must not refer here.
        cluster.configure(&[("search_path", "\"$user\", public, pg_catalog")]);
        cluster.configure(settings);
        cluster
    }

    /// Creates a cluster with an installation's `initdb` and the given options. Only the server's address is configured.
    pub fn from_initdb(installation: &Installation, name: &str, initdb_options: &[&str]) -> Cluster {
        let cluster = Cluster::without_data(installation, name);
        let mut initdb = private_postgres();
        initdb.arg("initdb").arg(&installation.pg_config).arg(cluster.data()).args(initdb_options);
        output_of(&mut initdb);
        cluster.configure_address();
        cluster
    }

    /// Creates a cluster with the given settings, starts its server, and creates the extension in the database `postgres`.
    pub fn started(name: &str, settings: &[(&str, &str)]) -> Cluster {
        Cluster::started_behind(name, settings, |_| ()).0
    }

    /// Starts a cluster like [`Cluster::started`], but first calls `interpose`, such as [`Faults::in_front_of`], and also returns
    /// its result.
    ///
    /// [`Faults::in_front_of`]: crate::faults::Faults::in_front_of
    pub fn started_behind<T>(
        name: &str,
        settings: &[(&str, &str)],
        interpose: impl FnOnce(&mut Cluster) -> T,
    ) -> (Cluster, T) {
        let mut cluster = Cluster::new(name, settings);
        let interposed = interpose(&mut cluster);
        cluster.start();
        sql::run(&mut cluster.connect(), "CREATE EXTENSION uuidrfc");
        (cluster, interposed)
    }

    /// Creates a physical copy of the running cluster, configured as its standby and not yet started.
    pub fn standby(&self, name: &str) -> Cluster {
        let standby = Cluster::without_data(&self.installation, name);
        output_of(
            standby
                .server_program("pg_basebackup")
                .arg("-h")
                .arg(sockets())
                .args(["-p", &self.port.to_string(), "-U", "postgres", "-D"])
                .arg(standby.data())
                .args(["--write-recovery-conf", "--wal-method=stream", "--checkpoint=fast", "--no-sync"]),
        );
        standby.configure_address();
        standby
    }

    /// Transfers the contents of this stopped cluster to a new, stopped one, with the `pg_upgrade` of the new installation.
    pub fn upgrade_to(&self, new: &Cluster) {
        let mut upgrade = new.as_server_user();
        // pg_upgrade writes scripts for later use into the current directory.
        upgrade.args(["env", "-C"]).arg(&new.dir).arg(new.installation.bin.join("pg_upgrade"));
        for (end, cluster) in [("old", self), ("new", new)] {
            upgrade.arg(format!("--{end}-bindir")).arg(&cluster.installation.bin);
            upgrade.arg(format!("--{end}-datadir")).arg(cluster.data());
            upgrade.arg(format!("--{end}-port")).arg(cluster.port.to_string());
        }
        let output = upgrade.arg("--socketdir").arg(sockets()).args(["--username", "postgres"]).output();
        let output = output.unwrap_or_else(|error| panic!("{upgrade:?}: {error}"));
        if !output.status.success() {
            // pg_upgrade prints only the names of its logs.
            let logs = new.as_server_user().args(["grep", "-r", "", "--include=*.log"]).arg(new.data()).output();
            let logs = logs.map_or_else(|error| error.to_string(), |logs| said(&logs));
            panic!("{upgrade:?}: {}\n{}\n{logs}", output.status, said(&output));
        }
    }

    fn without_data(installation: &Installation, name: &str) -> Cluster {
        let port = unused_port();
        let cluster = Cluster {
            installation: installation.clone(),
            clients: installation.bin.clone(),
            dir: home().join("clusters").join(format!("test-{name}-{port}")),
            port,
            environment: Vec::new(),
        };
        output_of(cluster.as_server_user().arg("mkdir").arg(&cluster.dir));
        cluster
    }

    fn configure_address(&self) {
        self.configure(&[
            ("listen_addresses", ""),
            ("unix_socket_directories", &sockets().to_string_lossy()),
            ("port", &self.port.to_string()),
        ]);
    }

    pub fn installation(&self) -> &Installation {
        &self.installation
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Adds settings that take effect at the server's next start.
    pub fn configure(&self, settings: &[(&str, &str)]) {
        let path = self.data().join("postgresql.conf");
        let mut file = fs::OpenOptions::new().append(true).open(&path).expect("postgresql.conf can be written");
        for (name, value) in settings {
            writeln!(file, "{name} = '{value}'").expect("postgresql.conf can be written");
        }
    }

    /// Sets an environment variable of the server, as of its next start.
    pub fn set_environment(&mut self, name: &str, value: impl Into<String>) {
        self.environment.push((name.to_owned(), value.into()));
    }

    /// Preloads a library in every process of the server, as of its next start.
    pub fn preload(&mut self, library: &str) {
        self.set_environment("LD_PRELOAD", library);
    }

    /// Returns the cluster's directory, to which the server's user has access, for files that a test shares with the server.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Compiles the C file `name` to a library that the server can load.
    pub fn compile(&self, name: &str) -> String {
        let headers = output_of(Command::new(&self.installation.pg_config).arg("--includedir-server"));
        let library = self.dir.join(name).with_extension("so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let mut compile = Command::new("cc");
        compile.args(["-shared", "-fPIC", "-O1", "-I", headers.trim_end(), "-o"]).arg(&library).arg(source);
        output_of(&mut compile);
        library.to_string_lossy().into_owned()
    }

    pub fn data(&self) -> PathBuf {
        self.dir.join("data")
    }

    /// Uses the client programs of another installation instead of the server's.
    pub fn set_clients(&mut self, installation: &Installation) {
        self.clients = installation.bin.clone();
    }

    /// Returns a command that runs its arguments as the server's user.
    pub fn as_server_user(&self) -> Command {
        let mut command = private_postgres();
        command.arg("run");
        command
    }

    fn server_program(&self, name: &str) -> Command {
        let mut command = self.as_server_user();
        command.arg(self.installation.bin.join(name));
        command
    }

    /// Returns a command of `pg_ctl` for the server, without arguments.
    fn control(&self) -> Command {
        let mut command = private_postgres();
        command.arg("control").arg(&self.installation.pg_config).arg(self.data());
        command
    }

    /// Starts the server and waits until it answers.
    pub fn start(&self) {
        let mut command = self.control();
        command.args(self.environment.iter().map(|(name, value)| format!("{name}={value}")));
        command.arg("-l").arg(self.dir.join("log")).arg("start");
        // The server inherits pg_ctl's standard output, so a pipe would stay open.
        let status = command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).status();
        let started = status.as_ref().is_ok_and(std::process::ExitStatus::success);
        assert!(started, "the server did not start: {status:?}\n{}", self.end_of_log());
    }

    pub fn stop(&self, how: Shutdown) {
        let mode = match how {
            Shutdown::Fast => "fast",
            Shutdown::Immediate => "immediate",
        };
        output_of(self.control().args(["-m", mode, "stop"]));
    }

    pub fn restart(&self) {
        self.stop(Shutdown::Fast);
        self.start();
    }

    #[track_caller]
    pub fn promote(&self) {
        assert!(sql::value::<bool>(&mut self.connect(), "SELECT pg_promote(true, 180)"), "the standby is promoted");
    }

    /// Waits until every standby has replayed all WAL that the server has written.
    #[track_caller]
    pub fn wait_for_standbys(&self) {
        let replayed = "SELECT coalesce(bool_and(replay_lsn >= pg_current_wal_lsn()), false) FROM pg_stat_replication";
        let mut client = self.connect();
        wait_until("the standbys have replayed everything", || sql::value(&mut client, replayed));
    }

    pub fn kill(&self, process: i32) {
        assert!(self.processes().contains(&process), "process {process} does not belong to this server");
        output_of(self.control().args(["kill", "KILL", &process.to_string()]));
    }

    /// Sends SIGKILL to the postmaster and waits until its child processes have exited.
    pub fn kill_postmaster(&self) {
        let pid_file = fs::read_to_string(self.data().join("postmaster.pid")).expect("a running server has a PID file");
        let postmaster = pid_file.lines().next().and_then(|line| line.parse().ok());
        let postmaster = postmaster.expect("the PID file begins with the process id");
        self.kill(postmaster);
        wait_until("the processes of the killed postmaster are gone", || self.processes().is_empty());
        // The postmaster's process ID remains in use until its parent has waited for it. Until then, a new server would find the ID
        // in the PID file and refuse to start.
        let entry = Path::new("/proc").join(postmaster.to_string());
        wait_until("the killed postmaster is reaped", || !entry.exists());
    }

    fn processes(&self) -> Vec<i32> {
        let data = self.data();
        let works_here = |process: &i32| fs::read_link(format!("/proc/{process}/cwd")).is_ok_and(|cwd| cwd == data);
        let entries = fs::read_dir("/proc").expect("/proc can be read");
        let processes = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
        processes.filter(works_here).collect()
    }

    /// Returns parameters for connecting as the superuser to the database `postgres`.
    pub fn config(&self) -> Config {
        self.connection_string().parse().expect("a connection string")
    }

    /// Returns the same parameters as a string, for `CREATE SUBSCRIPTION`.
    pub fn connection_string(&self) -> String {
        format!("host={} port={} user=postgres dbname=postgres", sockets().display(), self.port)
    }

    /// Creates the foreign server `loopback`, which is this server itself, and returns its options.
    pub fn create_loopback(&self, client: &mut Client) -> String {
        let options = format!("host '{}', port '{}', dbname 'postgres'", sockets().display(), self.port);
        sql::run(
            client,
            &format!(
                "CREATE EXTENSION postgres_fdw;
                 CREATE SERVER loopback FOREIGN DATA WRAPPER postgres_fdw OPTIONS ({options});
                 CREATE USER MAPPING FOR PUBLIC SERVER loopback"
            ),
        );
        options
    }

    /// Connects as the superuser to the database `postgres`.
    pub fn connect(&self) -> Client {
        self.connect_with(&self.config())
    }

    pub fn connect_as(&self, user: &str, database: &str) -> Client {
        self.connect_with(self.config().user(user).dbname(database))
    }

    /// Runs a function in `count` connections concurrently and returns the results.
    pub fn in_connections<T: Send>(&self, count: usize, run: impl Fn(usize, Client) -> T + Sync) -> Vec<T> {
        let connections: Vec<Client> = (0..count).map(|_| self.connect()).collect();
        std::thread::scope(|scope| {
            let run = &run;
            let running = connections.into_iter().enumerate();
            let running: Vec<_> = running.map(|(n, connection)| scope.spawn(move || run(n, connection))).collect();
            running.into_iter().map(|one| one.join().expect("the connection's result")).collect()
        })
    }

    fn connect_with(&self, config: &Config) -> Client {
        config
            .connect(NoTls)
            .unwrap_or_else(|error| panic!("connecting with {config:?}: {error:?}\n{}", self.end_of_log()))
    }

    /// Runs one of PostgreSQL's client programs as the superuser on a database, and returns its output.
    pub fn client_program<S: AsRef<OsStr>>(&self, name: &str, database: &str, arguments: &[S]) -> String {
        output_of(self.client_command(name, database).args(arguments))
    }

    /// Runs a script in psql, with variables, and returns the lines of its unaligned output. Panics at the first error.
    pub fn psql(&self, database: &str, variables: &[String], script: &str) -> Vec<String> {
        let file = self.dir.join("script.sql");
        fs::write(&file, script).expect("the script can be written");
        let mut command = self.client_command("psql", database);
        command.args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-f"]).arg(file);
        for variable in variables {
            command.args(["-v", variable]);
        }
        output_of(&mut command).lines().map(str::to_owned).collect()
    }

    fn client_command(&self, name: &str, database: &str) -> Command {
        let mut command = Command::new(self.clients.join(name));
        self.name_to(&mut command).env("PGDATABASE", database);
        command
    }

    /// Sets libpq's environment variables for a program, so that it connects to this server as the superuser.
    pub fn name_to<'a>(&self, command: &'a mut Command) -> &'a mut Command {
        for (name, _) in std::env::vars_os() {
            if name.to_string_lossy().starts_with("PG") {
                command.env_remove(name);
            }
        }
        command.env("PGHOST", sockets()).env("PGPORT", self.port.to_string()).env("PGUSER", "postgres")
    }

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
        // The server may not be running. Remaining processes are killed next.
        let _ = self.control().args(["-m", "immediate", "stop"]).output();
        for process in self.processes() {
            let _ = self.control().args(["kill", "KILL", &process.to_string()]).output();
        }
        let _ = fs::remove_dir_all(&self.dir);
    }
}

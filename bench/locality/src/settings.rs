//! How much is measured: environment variables, which `make bench-locality` passes on.

use std::error::Error;
use std::path::PathBuf;
use std::str::FromStr;

/// The settings of a run.
pub struct Settings {
    /// `pg_config` of the server, the extension installed; the only argument of the command.
    pub pg_config: PathBuf,
    /// `ROWS`: rows in each table at the end.
    pub rows: u32,
    /// `FIT_ROWS`: rows in each table at the first halt, when its index still fits in `shared_buffers`.
    pub fit_rows: u32,
    /// `BATCH`: rows of an INSERT; each starts after a checkpoint.
    pub batch: u32,
    /// `SHARED_BUFFERS`, as the server's setting of this name.
    pub shared_buffers: String,
    /// `MEMORY`, such as `48MB`: bytes for the whole server, with the operating system's cache of its files, if a
    /// control group avoids that cache.
    pub memory: Option<u64>,
    /// `LOOKUPS`: rows looked up by key.
    pub lookups: u32,
    /// `OUT`: the directory for the results.
    pub out: PathBuf,
}

impl Settings {
    /// From the command's argument and the environment.
    pub fn from_environment() -> Result<Settings, Box<dyn Error>> {
        let pg_config = std::env::args_os().nth(1).ok_or("usage: locality PG_CONFIG")?.into();
        let batch = number("BATCH", 50_000)?;
        let fit_rows = number("FIT_ROWS", 2 * batch)?;
        let settings = Settings {
            pg_config,
            rows: number("ROWS", 800_000)?,
            fit_rows,
            batch,
            shared_buffers: text("SHARED_BUFFERS", "8MB"),
            memory: match text("MEMORY", "") {
                unset if unset.is_empty() => None,
                megabytes => Some(parsed::<u64>("MEMORY", megabytes.trim_end_matches("MB"))? << 20),
            },
            lookups: number("LOOKUPS", 500)?,
            out: text("OUT", "target/locality").into(),
        };
        if settings.batch == 0
            || [settings.rows, settings.fit_rows].iter().any(|rows| !rows.is_multiple_of(settings.batch))
        {
            return Err("ROWS and FIT_ROWS must be multiples of BATCH".into());
        }
        Ok(settings)
    }
}

fn text(name: &str, default: &str) -> String {
    std::env::var(name).ok().filter(|value| !value.is_empty()).unwrap_or_else(|| default.to_owned())
}

fn number(name: &str, default: u32) -> Result<u32, String> {
    match text(name, "") {
        unset if unset.is_empty() => Ok(default),
        value => parsed(name, &value),
    }
}

fn parsed<T: FromStr>(name: &str, value: &str) -> Result<T, String> {
    value.replace('_', "").parse().map_err(|_| format!("{name} is no number: {value}"))
}

//! One kind of key: its table grows batch by batch, with two halts at which it is read.

use std::error::Error;
use std::time::Instant;

use postgres::types::PgLsn;
use postgres::{Client, Row};
use serde_json::Value;

use crate::candidate::{Candidate, DAY, YEAR, YEAR_START};
use crate::server::Server;
use crate::settings::Settings;

/// All that was measured of one kind of key.
pub struct Measurement {
    /// Which.
    pub candidate: &'static Candidate,
    /// What each batch cost.
    pub batches: Vec<Batch>,
    /// At the first halt, where the index fits in shared buffers.
    pub fitting: Halt,
    /// At the end.
    pub outgrown: Halt,
}

/// What inserting a batch cost.
pub struct Batch {
    /// Rows in the table after it.
    pub rows: u32,
    /// Bytes of the index after it.
    pub index_size: i64,
    /// Rows inserted per second.
    pub rows_per_second: f64,
    /// WAL bytes per row, full-page images left out.
    pub wal_per_row: f64,
    /// Bytes of full-page images in WAL per row.
    pub images_per_row: f64,
    /// Pages of 8 KB read into shared buffers per row.
    pub read_per_row: f64,
    /// Pages in shared buffers that became dirty per row.
    pub dirtied_per_row: f64,
}

/// The index as it is, and what reading by it costs.
pub struct Halt {
    /// Rows in the table.
    pub rows: u32,
    /// Bytes.
    pub index_size: i64,
    /// Per cent of the leaf pages' room that is used.
    pub leaf_density: f64,
    /// Per cent of the leaf pages that are not in the order of keys.
    pub fragmentation: f64,
    /// One row by its key, with nothing cached before the first of many.
    pub lookup_cold: Cost,
    /// The same rows again.
    pub lookup_warm: Cost,
    /// The hundred newest rows, cold.
    pub newest: Cost,
    /// The rows of one day in the middle, cold.
    pub day: Cost,
}

/// What a query costs.
#[derive(Clone, Copy)]
pub struct Cost {
    /// Milliseconds.
    pub ms: f64,
    /// Pages touched in shared buffers, found there or not.
    pub pages: f64,
}

impl Measurement {
    /// Measures one kind of key, in a table that is dropped afterwards.
    pub fn run(
        candidate: &'static Candidate,
        server: &mut Server,
        settings: &Settings,
    ) -> Result<Measurement, Box<dyn Error>> {
        println!("\n==> {}", candidate.name);
        let mut client = server.connect()?;
        client.batch_execute(&format!(
            "DROP TABLE IF EXISTS keys; CREATE TABLE keys (id {} NOT NULL, created timestamptz NOT NULL); \
             CREATE UNIQUE INDEX keys_id ON keys ({})",
            candidate.column, candidate.index
        ))?;
        let mut batches = Vec::new();
        let mut fitting = None;
        for first in (1..=settings.rows).step_by(settings.batch as usize) {
            let last = first + settings.batch - 1;
            let batch = Batch::insert(candidate, &mut client, first, last, settings)?;
            println!(
                "    {:>10} rows, index {:>4} MB: {:>8.0} rows/s, {:>4.0} + {:>4.0} B of WAL and {:.3} pages read a row",
                batch.rows,
                batch.index_size >> 20,
                batch.rows_per_second,
                batch.wal_per_row,
                batch.images_per_row,
                batch.read_per_row
            );
            batches.push(batch);
            if last == settings.fit_rows {
                drop(client);
                fitting = Some(Halt::measure(candidate, server, last, settings)?);
                client = server.connect()?;
            }
        }
        drop(client);
        let outgrown = Halt::measure(candidate, server, settings.rows, settings)?;
        server.connect()?.batch_execute("DROP TABLE keys")?;
        Ok(Measurement { candidate, batches, fitting: fitting.ok_or("FIT_ROWS is more than ROWS")?, outgrown })
    }
}

impl Batch {
    fn insert(
        candidate: &Candidate,
        client: &mut Client,
        first: u32,
        last: u32,
        settings: &Settings,
    ) -> Result<Batch, Box<dyn Error>> {
        // So each batch pays for its own first changes of pages after a checkpoint.
        client.batch_execute("CHECKPOINT")?;
        let before: PgLsn = client.query_one("SELECT pg_current_wal_insert_lsn()", &[])?.get(0);
        let insert = candidate.insert(first, last, settings.rows);
        let start = Instant::now();
        let plan: Value =
            client.query_one(&format!("EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT json) {insert}"), &[])?.get(0);
        let seconds = start.elapsed().as_secs_f64();
        let wal = client.query_one(
            "SELECT sum(record_size)::float8, sum(fpi_size)::float8, pg_relation_size('keys_id')
             FROM pg_get_wal_stats($1, pg_current_wal_flush_lsn(), false)",
            &[&before],
        )?;
        let rows = f64::from(last - first + 1);
        let node = &plan[0]["Plan"];
        let per_row = |field: &str| node[field].as_f64().unwrap_or(f64::NAN) / rows;
        Ok(Batch {
            rows: last,
            index_size: wal.get(2),
            rows_per_second: rows / seconds,
            wal_per_row: wal.get::<_, f64>(0) / rows,
            images_per_row: wal.get::<_, f64>(1) / rows,
            read_per_row: per_row("Shared Read Blocks"),
            dirtied_per_row: per_row("Shared Dirtied Blocks"),
        })
    }
}

impl Halt {
    fn measure(
        candidate: &Candidate,
        server: &mut Server,
        rows: u32,
        settings: &Settings,
    ) -> Result<Halt, Box<dyn Error>> {
        println!("    reading at {rows} rows");
        let mut client = server.connect()?;
        // As autovacuum would do; it is off, because it runs at times of its own.
        client.batch_execute("VACUUM (ANALYZE) keys")?;
        client.batch_execute("CHECKPOINT")?;
        let index = client.query_one(
            "SELECT pg_relation_size('keys_id'), avg_leaf_density, leaf_fragmentation FROM pgstatindex('keys_id')",
            &[],
        )?;
        // Twice as many as needed, so that enough are left by chance.
        let percent = (200.0 * f64::from(settings.lookups) / f64::from(rows)).min(100.0);
        let sample = format!(
            "SELECT id::text FROM (SELECT id FROM keys TABLESAMPLE BERNOULLI ({percent}) OFFSET 0) s
             ORDER BY random() LIMIT {}",
            settings.lookups
        );
        let keys: Vec<String> = client.query(&sample, &[])?.iter().map(|row| row.get(0)).collect();
        let files = files(&mut client)?;
        drop(client);

        server.restart_cold(&files)?;
        let mut client = server.connect()?;
        let lookup_cold = lookups(&mut client, &keys, candidate)?;
        let lookup_warm = lookups(&mut client, &keys, candidate)?;
        drop(client);
        server.restart_cold(&files)?;
        let newest = query(&mut server.connect()?, &candidate.newest())?;
        server.restart_cold(&files)?;
        // A day in the middle of the rows that are there.
        let day_start = YEAR_START + YEAR * u64::from(rows) / u64::from(settings.rows) / 2 / DAY * DAY;
        let day = query(&mut server.connect()?, &candidate.of_day(day_start))?;
        Ok(Halt {
            rows,
            index_size: index.get(0),
            leaf_density: index.get(1),
            fragmentation: index.get(2),
            lookup_cold,
            lookup_warm,
            newest,
            day,
        })
    }
}

/// The files of the table and its index, by their paths in the cluster.
fn files(client: &mut Client) -> Result<Vec<String>, postgres::Error> {
    let rows = client.query(
        "SELECT pg_relation_filepath(oid) || CASE WHEN segment > 0 THEN '.' || segment ELSE '' END
         FROM pg_class, generate_series(0, pg_relation_size(oid) / (1 << 30)) segment
         WHERE relname IN ('keys', 'keys_id') AND pg_relation_size(oid) > segment * (1 << 30)",
        &[],
    )?;
    Ok(rows.iter().map(|row: &Row| row.get(0)).collect())
}

/// Looks each key up, and returns the cost of one.
fn lookups(client: &mut Client, keys: &[String], candidate: &Candidate) -> Result<Cost, Box<dyn Error>> {
    let kind = if candidate.key.is_some() { "uuid" } else { "bigint" };
    let find = client.prepare(&format!("SELECT created FROM keys WHERE id = $1::text::{kind}"))?;
    // The catalogs are not measured.
    client.query(&find, &[&if kind == "uuid" { "00000000-0000-0000-0000-000000000000" } else { "0" }])?;
    let pages_before = touched(client)?;
    let start = Instant::now();
    for key in keys {
        client.query_one(&find, &[key])?;
    }
    let ms = start.elapsed().as_secs_f64() * 1_000.0;
    let pages = touched(client)? - pages_before;
    let count = keys.len() as f64;
    Ok(Cost { ms: ms / count, pages: pages / count })
}

/// Pages of the table and its index touched so far, as this session has reported them.
fn touched(client: &mut Client) -> Result<f64, Box<dyn Error>> {
    // Counts are reported between transactions, at most once a second unless asked for.
    let force = "SELECT pg_stat_force_next_flush()";
    if client.query_one("SELECT to_regproc('pg_stat_force_next_flush') IS NULL", &[])?.get::<_, bool>(0) {
        std::thread::sleep(std::time::Duration::from_millis(1_100));
    } else {
        client.query(force, &[])?;
    }
    client.query("SELECT 1", &[])?;
    let row = client.query_one(
        "SELECT (heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::float8
         FROM pg_statio_all_tables WHERE relname = 'keys'",
        &[],
    )?;
    Ok(row.get(0))
}

/// Runs a query once.
fn query(client: &mut Client, sql: &str) -> Result<Cost, Box<dyn Error>> {
    let plan: Value =
        client.query_one(&format!("EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT json) {sql}"), &[])?.get(0);
    let node = &plan[0]["Plan"];
    let number = |value: &Value| value.as_f64().unwrap_or(f64::NAN);
    Ok(Cost {
        ms: number(&plan[0]["Execution Time"]),
        pages: number(&node["Shared Hit Blocks"]) + number(&node["Shared Read Blocks"]),
    })
}

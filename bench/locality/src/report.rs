//! The results as a page of Markdown.

use std::fmt::Write;
use std::time::Duration;

use crate::chart;
use crate::measurement::{Batch, Cost, Halt, Measurement};
use crate::server::Server;
use crate::settings::Settings;

/// What the batches of one phase cost together.
struct Phase {
    rows_per_second: f64,
    wal: f64,
    images: f64,
    read: f64,
    dirtied: f64,
}

impl Phase {
    /// From batches with the same number of rows.
    fn of(batches: &[Batch]) -> Phase {
        let count = batches.len() as f64;
        let mean = |value: fn(&Batch) -> f64| batches.iter().map(value).sum::<f64>() / count;
        Phase {
            rows_per_second: 1.0 / mean(|batch| 1.0 / batch.rows_per_second),
            wal: mean(|batch| batch.wal_per_row),
            images: mean(|batch| batch.images_per_row),
            read: mean(|batch| batch.read_per_row),
            dirtied: mean(|batch| batch.dirtied_per_row),
        }
    }

    /// While the index fits in memory.
    fn fitting(measurement: &Measurement, settings: &Settings) -> Phase {
        Phase::of(&measurement.batches[..(settings.fit_rows / settings.batch) as usize])
    }

    /// The last fifth.
    fn outgrown(measurement: &Measurement) -> Phase {
        let count = measurement.batches.len();
        Phase::of(&measurement.batches[count - count.div_ceil(5)..])
    }
}

/// The whole page.
pub fn page(measurements: &[Measurement], settings: &Settings, server: &Server, took: Duration) -> String {
    let mut page = String::new();
    write_page(&mut page, measurements, settings, server, took).expect("writing to a string does not fail");
    page
}

fn write_page(
    page: &mut String,
    measurements: &[Measurement],
    settings: &Settings,
    server: &Server,
    took: Duration,
) -> std::fmt::Result {
    writeln!(page, "# What the order of keys does to an index\n")?;
    writeln!(
        page,
        "Eight tables `(id, created)`, one after the other on one server. Each has another kind of key, with a \
         unique index on it, and {} rows in batches of {}. `shared_buffers = {}`. {} on {} cores; {}. Written by \
         `make bench-locality` in {} minutes. \"Core's class\" is the operator class that PostgreSQL itself has for \
         `uuid`, by octets. Times vary with the other load of the machine; bytes and pages hardly do. Compare only \
         rows of one table.\n",
        thousands(f64::from(settings.rows)),
        thousands(f64::from(settings.batch)),
        settings.shared_buffers,
        server.version,
        std::thread::available_parallelism().map_or(1, usize::from),
        server.memory,
        took.as_secs().div_ceil(60)
    )?;
    shown(page, measurements, settings)?;
    for chart in chart::CHARTS {
        writeln!(page, "![{}]({})\n", chart.title, chart.file)?;
    }

    writeln!(page, "## Inserting\n")?;
    writeln!(
        page,
        "\"Fits\" is the time until {} rows, when every index is smaller than shared buffers; \"outgrown\" is \
         the last fifth. The other columns are per row of the outgrown phase: bytes of WAL without full-page \
         images, and of these images; pages of 8 KB of table and index that were read into shared buffers, and \
         that became dirty there.\n",
        thousands(f64::from(settings.fit_rows))
    )?;
    writeln!(page, "| key | rows/s, fits | rows/s, outgrown | WAL B | image B | pages read | pages dirtied |")?;
    writeln!(page, "|---|---:|---:|---:|---:|---:|---:|")?;
    for measurement in measurements {
        let fitting = Phase::fitting(measurement, settings);
        let outgrown = Phase::outgrown(measurement);
        writeln!(
            page,
            "| {} | {} | {} | {:.0} | {:.0} | {:.3} | {:.3} |",
            measurement.candidate.name,
            thousands(fitting.rows_per_second),
            thousands(outgrown.rows_per_second),
            outgrown.wal,
            outgrown.images,
            outgrown.read,
            outgrown.dirtied
        )?;
    }

    writeln!(page, "\n## The index\n")?;
    writeln!(page, "| key | bytes a row | size, MB | leaf density, % | leaf fragmentation, % |")?;
    writeln!(page, "|---|---:|---:|---:|---:|")?;
    for measurement in measurements {
        let halt = &measurement.outgrown;
        let size = halt.index_size as f64;
        writeln!(
            page,
            "| {} | {:.1} | {:.1} | {:.1} | {:.1} |",
            measurement.candidate.name,
            size / f64::from(halt.rows),
            size / f64::from(1 << 20),
            halt.leaf_density,
            halt.fragmentation
        )?;
    }

    writeln!(
        page,
        "\n\
         Keys that ascend arrive at the right end of the index. There PostgreSQL leaves a page 90 % full when it \
         begins the next one; anywhere else it halves a full page. So a few v4 among v7 keys make the whole \
         index larger than v4 keys alone: v7 keys then arrive left of most v4 keys, where every page that they \
         fill is halved and never filled again. `uuid_time_ops` sorts the v4 keys before all others, so v7 keys \
         arrive at the end again."
    )?;

    writeln!(page, "\n## Reading\n")?;
    writeln!(
        page,
        "Milliseconds, and the touched pages in parentheses. A lookup is the mean of {} random rows by their \
         key, cold after a restart, and warm when the same rows are read again. The newest hundred rows and the \
         rows of one day of the year are read once, cold. If the index on the key does not know the time, these \
         are found by `created`, which has no index here; a second index could find them, at its own price.\n",
        settings.lookups
    )?;
    reading(page, "fits", measurements, |measurement| &measurement.fitting)?;
    writeln!(page)?;
    reading(page, "outgrown", measurements, |measurement| &measurement.outgrown)?;

    writeln!(
        page,
        "\n\
         ## How to repeat it\n\n\
         ```\n\
         make bench-locality                                                  # a few minutes\n\
         make bench-locality ROWS={} BATCH={} SHARED_BUFFERS={}    # as here\n\
         ```\n\n\
         `PG_CONFIG` chooses the server; `scripts/matrix in 18 make bench-locality` runs it on PostgreSQL 18 in \
         a Debian release that has it. `OUT` is the directory for page and charts (`target/locality`).\n\n\
         How it is measured: a row's time is drawn evenly from its share of one year. So the low bits of time, \
         with which a version 1 key begins and which wrap every 7 minutes, scatter as they do in a table that \
         grows for a long time. A batch is one `INSERT ... SELECT`, each after a checkpoint, so it writes a \
         full-page image of every page that it changes; the rate includes making the keys. `autovacuum` is off, \
         and `VACUUM (ANALYZE)` runs before reading. The operating system's cache is avoided: with much memory \
         it would hold the whole index, and hide what a larger one costs. On PostgreSQL 16 and later direct I/O \
         avoids it. Before 16 a control group limits the server's memory, cache included, to `MEMORY` (little more \
         than `SHARED_BUFFERS`), which needs root.",
        settings.rows, settings.batch, settings.shared_buffers
    )
}

/// The results, in sentences.
fn shown(page: &mut String, measurements: &[Measurement], settings: &Settings) -> std::fmt::Result {
    let named = |name: &str| measurements.iter().find(|measurement| measurement.candidate.name == name);
    let pairs = [
        ("v7", "v4"),
        ("v1, uuid_time_ops", "v1, core's class"),
        ("v6", "v1, core's class"),
        ("v7 + 10 % v4, uuid_time_ops", "v7 + 10 % v4"),
    ];
    for (one, other) in pairs {
        let (Some(one), Some(other)) = (named(one), named(other)) else { continue };
        let rate = |phase: fn(&Measurement, &Settings) -> Phase| {
            phase(one, settings).rows_per_second / phase(other, settings).rows_per_second
        };
        let wal = |measurement| {
            let phase = Phase::outgrown(measurement);
            phase.wal + phase.images
        };
        let size = one.outgrown.index_size as f64 / other.outgrown.index_size as f64;
        writeln!(
            page,
            "- **{} against {}:** {} times the rows per second while the index fits in memory, **{} times** once it has \
             outgrown it; {:.0} % of the WAL, {:.0} % of the index.",
            one.candidate.name,
            other.candidate.name,
            ratio(rate(Phase::fitting)),
            ratio(rate(|measurement, _| Phase::outgrown(measurement))),
            100.0 * wal(one) / wal(other),
            100.0 * size
        )?;
    }
    let pages = || measurements.iter().map(|measurement| measurement.outgrown.lookup_cold.pages);
    let fewest = format!("{:.1}", pages().fold(f64::INFINITY, f64::min));
    let most = format!("{:.1}", pages().fold(0.0, f64::max));
    let read = if fewest == most { most } else { format!("{fewest} to {most}") };
    writeln!(
        page,
        "- **Looking up random rows does not improve:** {read} pages of index and table, whichever the key.\n"
    )
}

fn reading(
    page: &mut String,
    phase: &str,
    measurements: &[Measurement],
    halt: fn(&Measurement) -> &Halt,
) -> std::fmt::Result {
    let rows = measurements.first().map_or(0, |measurement| halt(measurement).rows);
    writeln!(
        page,
        "| {phase}: {} rows | lookup, cold | lookup, warm | newest 100 | a day |",
        thousands(f64::from(rows))
    )?;
    writeln!(page, "|---|---:|---:|---:|---:|")?;
    for measurement in measurements {
        let Halt { lookup_cold, lookup_warm, newest, day, .. } = halt(measurement);
        write!(page, "| {} |", measurement.candidate.name)?;
        for Cost { ms, pages } in [lookup_cold, lookup_warm, newest, day] {
            write!(
                page,
                " {} ({}) |",
                milliseconds(*ms),
                if *pages < 10.0 { format!("{pages:.1}") } else { thousands(*pages) }
            )?;
        }
        writeln!(page)?;
    }
    Ok(())
}

fn milliseconds(ms: f64) -> String {
    if ms < 1.0 { format!("{ms:.3}") } else { format!("{ms:.1}") }
}

fn ratio(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.1}") } else { format!("{ratio:.0}") }
}

/// A whole number with commas between thousands.
fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let groups = digits.as_bytes().rchunks(3).rev().map(|group| String::from_utf8_lossy(group));
    groups.collect::<Vec<_>>().join(",")
}

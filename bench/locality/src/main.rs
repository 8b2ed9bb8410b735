//! What the order of keys does to a btree index: one table after another on a server of its own, each with another kind
//! of key, grown batch by batch until its index is several times the server's memory.
//!
//! `locality PG_CONFIG` measures, and writes `locality.md` and charts to the directory `OUT`. See [`settings`] for the
//! environment variables.

mod candidate;
mod chart;
mod measurement;
mod report;
mod server;
mod settings;

use std::error::Error;
use std::time::Instant;

use candidate::CANDIDATES;
use measurement::Measurement;
use server::Server;
use settings::Settings;

fn main() -> Result<(), Box<dyn Error>> {
    let settings = Settings::from_environment()?;
    let start = Instant::now();
    let mut server = Server::create(&settings)?;
    println!("==> {}; {}", server.version, server.memory);
    println!(
        "==> {} kinds of key, {} rows each in batches of {}, shared_buffers {}",
        CANDIDATES.len(),
        settings.rows,
        settings.batch,
        settings.shared_buffers
    );
    let measurements = CANDIDATES
        .iter()
        .map(|candidate| Measurement::run(candidate, &mut server, &settings))
        .collect::<Result<Vec<_>, _>>()?;
    std::fs::create_dir_all(&settings.out)?;
    chart::draw(&measurements, &settings, &server)?;
    let page = report::page(&measurements, &settings, &server, start.elapsed());
    let path = settings.out.join("locality.md");
    std::fs::write(&path, &page)?;
    println!("\n{page}\n==> also in {}, with charts beside it", path.display());
    Ok(())
}

//! All tests that start servers, in one program, because linking several would take longer.

mod backends;
mod changes;
mod clock;
#[path = "differential/main.rs"]
mod differential;
mod entropy;
mod extension;
mod faults;
mod forms;
mod hooks;
mod horizon;
mod hostile;
mod partition_ddl;
mod scope;
mod seal;
mod search_path;
mod surface;
mod upgrade;

#[test]
fn every_file_is_a_module() {
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests")).expect("the tests");
    for file in files {
        let path = file.expect("a file").path();
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        assert!(name == "server" || include_str!("server.rs").contains(&format!("mod {name};")), "{name}");
    }
}

//! Every public item of the crate has an example in its documentation; `cargo test` runs them all.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use std::fs;
use std::path::PathBuf;

#[test]
fn every_public_item_has_an_example() {
    let mut paths = vec![PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))];
    let (mut items, mut without) = (0, Vec::new());
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            paths.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let mut has_example = false;
        for line in fs::read_to_string(&path).unwrap().lines().map(str::trim) {
            if line.starts_with("///") || line.starts_with("#[") {
                has_example |= line.contains("```");
                continue;
            }
            if !line.contains('$')
                && ["pub const ", "pub fn ", "pub struct ", "pub enum ", "pub trait ", "pub type "]
                    .iter()
                    .any(|item| line.starts_with(item))
            {
                items += 1;
                if !has_example {
                    without.push(format!("{}: {line}", path.display()));
                }
            }
            has_example = false;
        }
    }
    assert!(items > 80, "only {items} items found");
    assert!(without.is_empty(), "without an example:\n{}", without.join("\n"));
}

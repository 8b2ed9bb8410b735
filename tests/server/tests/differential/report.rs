//! What failed, by kind: of each kind the first script that shows it.

use std::collections::BTreeMap;

/// How many kinds are printed as SQL; of the others only the line that names them.
const PRINTED: usize = 12;

#[derive(Debug, Default)]
pub struct Report {
    kinds: BTreeMap<String, Kind>,
}

#[derive(Debug)]
struct Kind {
    count: usize,
    script: String,
}

impl Report {
    /// The script can be pasted into psql; what was expected and found stands in its comments. It is made when this kind
    /// is new.
    pub fn failure(&mut self, kind: String, script: impl FnOnce() -> String) {
        self.kinds.entry(kind).or_insert_with(|| Kind { count: 0, script: script() }).count += 1;
    }

    /// Panics if anything failed.
    pub fn close(self, tried: &str) {
        if self.kinds.is_empty() {
            return;
        }
        let mut kinds: Vec<(&String, &Kind)> = self.kinds.iter().collect();
        kinds.sort_by_key(|(name, kind)| (name.len(), std::cmp::Reverse(kind.count)));
        for (name, kind) in kinds.iter().take(PRINTED) {
            eprintln!("\n-- {name}, {} times; the first:\n{}", kind.count, kind.script);
        }
        eprintln!("\nof {tried}:");
        for (name, kind) in &kinds {
            eprintln!("{:7} {name}", kind.count);
        }
        panic!("{} kinds of failure", kinds.len());
    }
}

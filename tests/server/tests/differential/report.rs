//! Kinds of failures, each with the first script that reproduces it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The number of kinds that are printed with their scripts. For the others, only a line is printed; the file has all scripts.
const PRINTED: usize = 8;

/// The number of kinds of failure that the test tolerates, in addition to one for every [`OFTEN`] cases. Of thousands of plans and
/// estimates, a few may be worse by chance, and a faster machine runs more cases. If the extension did not rewrite a condition,
/// tens of kinds would fail. Wrong rows and errors always make the test fail.
const LET_PASS: usize = 5;
const OFTEN: usize = 10_000;
const OF_PLANS: [&str; 4] = ["estimate beside", "reads more", "sequential scan", "no index condition"];

#[derive(Debug, Default)]
pub struct Report {
    kinds: BTreeMap<String, FailureKind>,
}

#[derive(Debug)]
struct FailureKind {
    count: usize,
    script: String,
}

impl Report {
    /// Records a failure. `script`, which is called only if the kind is new, returns a script that can be pasted into psql and has
    /// the expected and the actual result in its comments.
    pub fn failure(&mut self, kind: String, script: impl FnOnce() -> String) {
        self.kinds.entry(kind).or_insert_with(|| FailureKind { count: 0, script: script() }).count += 1;
    }

    /// Reports the failures. Panics if a query failed or returned wrong rows, or if there are too many kinds of worse plans
    /// or estimates.
    pub fn close(self, name: &str, cases: usize, tried: &str) {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../target/differential-{name}.sql"));
        // The file of an earlier run may not exist.
        let _ = fs::remove_file(&file);
        if self.kinds.is_empty() {
            return;
        }
        let mut kinds: Vec<(&String, &FailureKind)> = self.kinds.iter().collect();
        kinds.sort_by_key(|(name, kind)| (name.len(), std::cmp::Reverse(kind.count)));
        let scripts: Vec<String> = kinds
            .iter()
            .map(|(name, kind)| format!("-- {name}, {} times; the first:\n{}\n", kind.count, kind.script))
            .collect();
        fs::write(&file, scripts.join("\n")).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        eprintln!("\n{}", scripts[..scripts.len().min(PRINTED)].join("\n"));
        eprintln!("of {tried}, all in {}:", file.display());
        for (name, kind) in &kinds {
            eprintln!("{:7} {name}", kind.count);
        }
        let of_plans = |name: &str| OF_PLANS.iter().any(|start| name.starts_with(start));
        assert!(
            kinds.iter().all(|(name, _)| of_plans(name)) && kinds.len() <= LET_PASS + cases / OFTEN,
            "{} kinds of failure",
            kinds.len()
        );
    }
}

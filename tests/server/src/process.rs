//! The memory of a server's process, as Linux shows it.

use std::fs::{self, File};
use std::os::unix::fs::FileExt;

/// Returns a field of a process's status, such as `RssAnon`, in kB.
pub fn kilobytes(process: i32, what: &str) -> i64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("the process runs");
    let line =
        status.lines().find_map(|line| line.strip_prefix(what)?.strip_prefix(':')).expect("the status has the number");
    line.trim().trim_end_matches(" kB").parse().expect("a number of kB")
}

/// Returns the contents of the private, writable memory areas that `is_wanted` selects by their lines in the process's map.
pub fn memory(process: i32, mut is_wanted: impl FnMut(&str) -> bool) -> Vec<Vec<u8>> {
    let maps = fs::read_to_string(format!("/proc/{process}/maps")).expect("the map of a server's process");
    let memory = File::open(format!("/proc/{process}/mem")).expect("the memory of a server's process");
    let mut found = Vec::new();
    for line in maps.lines() {
        let mut fields = line.split_whitespace();
        let (range, mode) = (fields.next().expect("a range"), fields.next().expect("a mode"));
        if !is_wanted(line) || mode != "rw-p" {
            continue;
        }
        let (start, end) = range.split_once('-').expect("two addresses");
        let [start, end] = [start, end].map(|address| u64::from_str_radix(address, 16).expect("hexadecimal"));
        let mut part = vec![0; usize::try_from(end - start).expect("an address fits")];
        memory.read_exact_at(&mut part, start).expect("memory that is mapped");
        found.push(part);
    }
    assert!(!found.is_empty(), "{maps}");
    found
}

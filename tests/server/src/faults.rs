//! Faults of the operating system in one backend, injected by a library between the server and libc.

use std::fs;
use std::path::PathBuf;

use crate::Cluster;

/// The faults of a server. There are none until a method requests some, and each request replaces the previous one.
#[derive(Debug)]
pub struct Faults {
    /// A file that the server's processes map into memory; `faults.c` has the layout.
    file: PathBuf,
}

/// The bytes that [`Faults::know_randomness`] makes the operating system return: as many as in a key, in an order that occurs in no
/// lookup table in memory.
pub const KNOWN_RANDOMNESS: [u8; 32] = {
    let mut bytes = [160_u8; 32];
    let mut n = 1;
    while n < 32 {
        bytes[n] = bytes[n - 1].wrapping_add(101);
        n += 1;
    }
    bytes
};

// Values of `errno` on Linux.
pub const EIO: i32 = 5;
pub const ENOSPC: i32 = 28;
pub const ENOSYS: i32 = 38;
pub const ENOENT: i32 = 2;
pub const EINVAL: i32 = 22;

// The number of ints that `faults.c` reads, and their positions.
const NUMBERS: usize = 11;
const PROCESS: usize = 0;
const GETRANDOM_ERRNO: usize = 1;
const DEVICE_ERRNO: usize = 2;
const WRITE_ERRNO: usize = 3;
const DIRECTORY_ERRNO: usize = 4;
const KNOWN: usize = 5;
const AHEAD: usize = 6;
const ALLOCATION: usize = 7;
const RECOVERY: usize = 8;
const ALLOCATED: usize = 9;
const LASTING: usize = 10;

impl Faults {
    /// Interposes the library in a server that is not yet started.
    pub fn in_front_of(cluster: &mut Cluster) -> Faults {
        let library = cluster.compile("faults.c");
        let faults = Faults { file: cluster.dir().join("faults") };
        // The server's user needs write access, because the server's processes count in the file.
        fs::write(&faults.file, [0; 4 * NUMBERS]).expect("the faults can be written");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o666);
        fs::set_permissions(&faults.file, mode).expect("the faults can be shared");
        cluster.preload(&library);
        cluster.set_environment("UUIDRFC_FAULTS", faults.file.to_string_lossy());
        faults
    }

    /// Makes `getrandom`, and opening a random device, fail in a process with the given values of `errno`; 0 means no fault.
    pub fn fail_entropy(&self, process: i32, getrandom_errno: i32, device_errno: i32) {
        self.order(&[(PROCESS, process), (GETRANDOM_ERRNO, getrandom_errno), (DEVICE_ERRNO, device_errno)]);
    }

    /// Makes only the `n`th of a process's next allocations, counted from 1, fail. In that process, the extension's clock is
    /// `seconds` ahead.
    pub fn fail_allocation(&self, process: i32, n: i32, seconds: i32) {
        self.order(&[(PROCESS, process), (AHEAD, seconds), (ALLOCATION, n)]);
    }

    /// Makes the `n`th of a process's next allocations, counted from 1, and all later ones fail.
    pub fn exhaust_memory(&self, process: i32, n: i32) {
        self.order(&[(PROCESS, process), (ALLOCATION, n), (LASTING, 1)]);
    }

    /// Begins to count the allocations by the extension's own code in a process. In that process, the extension's clock is
    /// `seconds` ahead.
    pub fn count_allocations(&self, process: i32, seconds: i32) {
        self.order(&[(PROCESS, process), (AHEAD, seconds)]);
    }

    pub fn allocations(&self) -> i32 {
        self.number(ALLOCATED)
    }

    /// Lets the extension in a process see the end of recovery only after `times` checks. In that process, the extension's clock is
    /// `seconds` ahead.
    pub fn end_recovery(&self, process: i32, times: i32, seconds: i32) {
        self.order(&[(PROCESS, process), (AHEAD, seconds), (RECOVERY, times + 1)]);
    }

    /// Makes the extension's writes to files fail in a process, with `errno`.
    pub fn fail_write(&self, process: i32, errno: i32) {
        self.order(&[(PROCESS, process), (WRITE_ERRNO, errno)]);
    }

    /// Makes flushing a directory fail in a process, with `errno`.
    pub fn fail_directory_sync(&self, process: i32, errno: i32) {
        self.order(&[(PROCESS, process), (DIRECTORY_ERRNO, errno)]);
    }

    /// Makes the operating system always return [`KNOWN_RANDOMNESS`] to a process.
    pub fn know_randomness(&self, process: i32) {
        self.order(&[(PROCESS, process), (KNOWN, 1)]);
    }

    /// Ends all faults, and returns whether the allocation that was to fail was attempted.
    pub fn mend(&self) -> bool {
        let left = self.number(ALLOCATION);
        self.order(&[]);
        left == 0
    }

    fn number(&self, place: usize) -> i32 {
        let faults = fs::read(&self.file).expect("the faults can be read");
        i32::from_ne_bytes(*faults[4 * place..].first_chunk().expect("the file has all numbers"))
    }

    /// Writes numbers at their positions, and zeros elsewhere.
    fn order(&self, numbers: &[(usize, i32)]) {
        let mut faults = [0; NUMBERS];
        for (place, number) in numbers {
            faults[*place] = *number;
        }
        let bytes: Vec<u8> = faults.into_iter().flat_map(i32::to_ne_bytes).collect();
        // The file is written in place, because it is mapped.
        let file = fs::OpenOptions::new().write(true).open(&self.file);
        let written = file.and_then(|file| std::os::unix::fs::FileExt::write_all_at(&file, &bytes, 0));
        written.expect("the faults can be written");
    }
}

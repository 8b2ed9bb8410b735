//! Faults of the operating system in one backend, injected by a library between the server and libc.

use std::fs;
use std::path::PathBuf;

use crate::Cluster;

/// The faults of a server. There are none until some are injected.
#[derive(Debug)]
pub struct Faults {
    /// A file that the server's processes map into memory; `faults.c` has the layout.
    file: PathBuf,
}

/// The bytes that the operating system returns under [`Fault::KnownRandomness`]: as many as in a key, in an order that occurs in no
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

/// A fault. Its number is 0 if it does not occur.
#[derive(Clone, Copy, Debug)]
pub enum Fault {
    /// `getrandom` fails with this `errno`.
    Getrandom = 1,
    /// Opening a random device fails with this `errno`.
    RandomDevice,
    /// The extension's writes to files fail with this `errno`.
    Write,
    /// Flushing a directory fails with this `errno`.
    DirectorySync,
    /// If not 0, the operating system always returns [`KNOWN_RANDOMNESS`].
    KnownRandomness,
    /// The extension's clock is this many seconds ahead.
    ClockAhead,
    /// The allocation of this number fails. The next one is 1.
    Allocation,
    /// If not 0, all allocations after the one that fails also fail.
    AllLaterAllocations,
    /// The extension sees the end of recovery at the check of this number. The next one is 1.
    EndOfRecovery,
}

/// The position of the number of allocations by the extension's own code.
const ALLOCATED: usize = 10;

impl Faults {
    /// Interposes the library in a server that is not yet started.
    pub fn in_front_of(cluster: &mut Cluster) -> Faults {
        let library = cluster.compile("faults.c");
        let faults = Faults { file: cluster.dir().join("faults") };
        // The server's user needs write access, because the server's processes count in the file.
        fs::write(&faults.file, [0; 4 * (ALLOCATED + 1)]).expect("the faults can be written");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o666);
        fs::set_permissions(&faults.file, mode).expect("the faults can be shared");
        cluster.preload(&library);
        cluster.set_environment("UUIDRFC_FAULTS", faults.file.to_string_lossy());
        faults
    }

    /// Makes these faults, and no others, occur in a process, and counts the allocations by the extension's own code in it.
    pub fn inject(&self, process: i32, faults: &[(Fault, i32)]) {
        let mut numbers = [0; ALLOCATED + 1];
        numbers[0] = process;
        for (fault, number) in faults {
            numbers[*fault as usize] = *number;
        }
        let bytes: Vec<u8> = numbers.into_iter().flat_map(i32::to_ne_bytes).collect();
        // The file is written in place, because it is mapped.
        let file = fs::OpenOptions::new().write(true).open(&self.file);
        let written = file.and_then(|file| std::os::unix::fs::FileExt::write_all_at(&file, &bytes, 0));
        written.expect("the faults can be written");
    }

    pub fn allocations(&self) -> i32 {
        self.number(ALLOCATED)
    }

    /// Ends all faults, and returns whether the allocation that was to fail was attempted.
    pub fn mend(&self) -> bool {
        let left = self.number(Fault::Allocation as usize);
        self.inject(0, &[]);
        left == 0
    }

    fn number(&self, place: usize) -> i32 {
        let faults = fs::read(&self.file).expect("the faults can be read");
        i32::from_ne_bytes(*faults[4 * place..].first_chunk().expect("the file has all numbers"))
    }
}

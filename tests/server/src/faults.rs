//! Faults of the operating system in one backend. A library in C, between the server and the C library, makes them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Cluster;

/// The faults of one server. There is none until one is ordered, and one kind at a time.
#[derive(Debug)]
pub struct Faults {
    /// The server's processes map it; `faults.c` gives the layout.
    file: PathBuf,
}

/// The operating system's randomness if it is known, as long as a key: octets that no table has in this order.
pub const KNOWN_RANDOMNESS: [u8; 32] = {
    let mut octets = [160_u8; 32];
    let mut n = 1;
    while n < 32 {
        octets[n] = octets[n - 1].wrapping_add(101);
        n += 1;
    }
    octets
};

/// `errno` if a device does not answer.
pub const EIO: i32 = 5;
/// `errno` if the disk is full.
pub const ENOSPC: i32 = 28;
/// `errno` if the kernel does not have a system call.
pub const ENOSYS: i32 = 38;
/// `errno` if a file does not exist.
pub const ENOENT: i32 = 2;
/// `errno` if a file system cannot do something.
pub const EINVAL: i32 = 22;

impl Faults {
    /// Puts the library in front of a server that is not yet started.
    pub fn in_front_of(cluster: &mut Cluster) -> Faults {
        let library = cluster.dir().join("faults.so");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("faults.c");
        let compiled = Command::new("cc").args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).status();
        assert!(compiled.as_ref().is_ok_and(|status| status.success()), "cc: {compiled:?}");
        let faults = Faults { file: cluster.dir().join("faults") };
        // Every process counts down in this file.
        fs::write(&faults.file, [0; 40]).expect("the faults can be written");
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o666);
        fs::set_permissions(&faults.file, mode).expect("the faults can be shared");
        cluster.preload(&library.to_string_lossy());
        cluster.set_environment("UUIDRFC_FAULTS", faults.file.to_string_lossy());
        faults
    }

    /// In this process `getrandom` fails with an `errno`, and opening the devices of randomness with another; 0 for not.
    pub fn fail_entropy(&self, process: i32, getrandom_errno: i32, device_errno: i32) {
        self.order([process, getrandom_errno, device_errno, 0, 0, 0, 0, 0, 0, 0]);
    }

    /// In this process the n-th allocation from now on fails, counted from 1, and only that one.
    pub fn fail_allocation(&self, process: i32, n: i32) {
        self.fail_allocation_ahead(process, n, 0);
    }

    /// The same, while the clock shows this many seconds more to the extension in this process.
    pub fn fail_allocation_ahead(&self, process: i32, n: i32, seconds: i32) {
        self.order([process, 0, 0, 0, 0, 0, seconds, n, 0, 0]);
    }

    /// In this process the allocations that the extension's own code makes are counted from now on, while the clock shows so
    /// many seconds more to it.
    pub fn count_allocations(&self, process: i32, seconds: i32) {
        self.order([process, 0, 0, 0, 0, 0, seconds, 0, 0, 0]);
    }

    /// How many of them there were.
    pub fn allocations(&self) -> i32 {
        let faults = fs::read(&self.file).expect("the faults can be read");
        i32::from_ne_bytes(*faults.last_chunk().expect("ten numbers"))
    }

    /// In this process recovery has ended for the extension once it has asked so many times whether it goes on. The clock shows
    /// so many seconds more to it.
    pub fn end_recovery(&self, process: i32, times: i32, seconds: i32) {
        self.order([process, 0, 0, 0, 0, 0, seconds, 0, times + 1, 0]);
    }

    /// In this process the extension's writes to files fail with an `errno`.
    pub fn fail_write(&self, process: i32, errno: i32) {
        self.order([process, 0, 0, errno, 0, 0, 0, 0, 0, 0]);
    }

    /// In this process flushing a directory fails with an `errno`.
    pub fn fail_directory_sync(&self, process: i32, errno: i32) {
        self.order([process, 0, 0, 0, errno, 0, 0, 0, 0, 0]);
    }

    /// In this process the operating system gives [`KNOWN_RANDOMNESS`] and nothing else.
    pub fn know_randomness(&self, process: i32) {
        self.order([process, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
    }

    /// No faults any more. Returns whether the allocation that was to fail has failed; if not, there were fewer
    /// allocations.
    pub fn mend(&self) -> bool {
        let faults = fs::read(&self.file).expect("the faults can be read");
        self.order([0; 10]);
        faults[28..32] == [0; 4]
    }

    fn order(&self, faults: [i32; 10]) {
        let octets: Vec<u8> = faults.into_iter().flat_map(i32::to_ne_bytes).collect();
        // In place: the file is mapped.
        let file = fs::OpenOptions::new().write(true).open(&self.file);
        let written = file.and_then(|file| std::os::unix::fs::FileExt::write_all_at(&file, &octets, 0));
        written.expect("the faults can be written");
    }
}

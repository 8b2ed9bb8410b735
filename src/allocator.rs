//! The library's global allocator: `malloc`, and a reserve that is used if `malloc` fails.
//!
//! If Rust cannot allocate a `String` or a panic, it aborts the process, and PostgreSQL then terminates all sessions, whereas
//! PostgreSQL's own functions raise an error (53200). Memory whose size depends on a statement is therefore allocated by PostgreSQL
//! or with `try_reserve`. The other allocations are small or short-lived: messages, panics that carry an error, the planner's
//! short lists, the path and the contents of a key file. A reserve of 256 KiB serves these if `malloc` fails. Until then, it takes
//! up no physical memory. A statement that uses the reserve continues; if PostgreSQL then fails to allocate memory, its error
//! frees what the statement allocated.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, UnsafeCell};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use pgrx::prelude::*;

use crate::raw;

/// Allocates the library's thread-local variables, which are needed to raise errors. Otherwise, glibc would allocate their block at
/// the first use and abort the process if `malloc` failed. Raises an error (53200) if there is no memory.
///
/// # Safety
/// No frame up to PostgreSQL's handler may own anything, because the error is raised by longjmp.
#[allow(unsafe_code)]
pub unsafe fn allocate_thread_locals() {
    /// More bytes than glibc allocates for the block and for its entry in the dynamic thread vector.
    const ENOUGH: usize = 4096;

    thread_local!(static ONE_OF_THEM: Cell<bool> = const { Cell::new(false) });

    // The process has one thread, so nothing else takes the freed memory before the block is allocated from it. (free() returns
    // memory to the system only if more than 128 KiB is free.)
    // SAFETY: malloc returned the pointer that is freed. This frame owns nothing, and the caller guarantees the same of the other
    // frames.
    unsafe {
        let memory = libc::malloc(ENOUGH);
        if memory.is_null() {
            raw::report(PgLogLevel::ERROR, PgSqlErrorCode::ERRCODE_OUT_OF_MEMORY, "out of memory", None, None);
        }
        libc::free(std::hint::black_box(memory));
    }
    ONE_OF_THEM.set(true);
}

#[global_allocator]
static ALLOCATOR: WithReserve =
    WithReserve { is_taken: Mutex::new([false; CELLS]), cells: Cells(UnsafeCell::new([[0; CELL]; CELLS])) };

/// The size of a cell in bytes. An allocation from the reserve consists of one or more adjacent cells.
const CELL: usize = 64;
const CELLS: usize = 4096;
/// The maximum size of an allocation from the reserve. Larger ones might leave no room for reporting an error.
const LARGEST_PIECE: usize = 64 * 1024;

#[repr(align(64))]
struct Cells(UnsafeCell<[[u8; CELL]; CELLS]>);

struct WithReserve {
    /// Whether each cell is in use. (The lock is for threads that another library may start. Locking never allocates and, while the
    /// process has one thread, never waits.)
    is_taken: Mutex<[bool; CELLS]>,
    cells: Cells,
}

// SAFETY: cells are handed out under the lock, and only the owner of an allocation accesses its cells.
#[allow(unsafe_code)]
unsafe impl Sync for Cells {}

impl WithReserve {
    fn start(&self) -> *mut u8 {
        self.cells.0.get().cast()
    }

    fn has(&self, memory: *mut u8) -> bool {
        memory.addr().wrapping_sub(self.start().addr()) < CELL * CELLS
    }

    /// Takes the first run of free cells that is long enough. Returns null if there is none, or if the layout's size or alignment
    /// is too large.
    #[cold]
    fn take(&self, layout: Layout) -> *mut u8 {
        let cells = layout.size().div_ceil(CELL);
        if layout.size() > LARGEST_PIECE || layout.align() > CELL {
            return ptr::null_mut();
        }
        let mut is_taken = self.is_taken.lock().unwrap_or_else(PoisonError::into_inner);
        let mut free = 0;
        let last = is_taken.iter().position(|is_taken| {
            free = if *is_taken { 0 } else { free + 1 };
            free == cells
        });
        let Some(last) = last else { return ptr::null_mut() };
        let first = last + 1 - cells;
        is_taken[first..=last].fill(true);
        self.start().wrapping_add(first * CELL)
    }

    #[cold]
    fn give_back(&self, piece: *mut u8, layout: Layout) {
        let first = (piece.addr() - self.start().addr()) / CELL;
        let mut is_taken = self.is_taken.lock().unwrap_or_else(PoisonError::into_inner);
        is_taken[first..first + layout.size().div_ceil(CELL)].fill(false);
    }
}

// SAFETY: `System` fulfills the contract for its own allocations. An allocation from the reserve has at least the requested size
// and alignment, lies in static memory, and overlaps no other. Nothing here unwinds.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for WithReserve {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's contract.
        let memory = unsafe { System.alloc(layout) };
        if memory.is_null() { self.take(layout) } else { memory }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        if self.has(memory) {
            self.give_back(memory, layout);
        } else {
            // SAFETY: the caller's contract; allocations outside the reserve belong to `System`.
            unsafe { System.dealloc(memory, layout) }
        }
    }
}

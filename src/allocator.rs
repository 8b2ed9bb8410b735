//! The allocator of the Rust code: the C library's, with a reserve for when that one fails.
//!
//! Rust aborts the process when a `String` or a panic gets no memory, and PostgreSQL then terminates all sessions, whereas core's
//! functions fail with an error (53200). So memory whose size a statement determines comes from PostgreSQL. The other allocations
//! are small and short-lived: messages, panics that carry an error, the planner's lists. For these there is a reserve of 256 KiB,
//! which takes up no physical memory as long as `malloc` succeeds, because nothing touches its pages. A statement that uses the
//! reserve continues until it asks PostgreSQL for memory; then an error ends the statement and frees its memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::{Cell, UnsafeCell};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use pgrx::prelude::*;

use crate::raw;

/// Allocates the library's thread-local variables, some of which are used by panics that carry an error. glibc allocates
/// them in a separate block on first use, and aborts the process if `malloc` fails. Therefore, they are allocated when the
/// library is loaded, which raises an error (53200) if there is no memory.
///
/// # Safety
/// The error is raised by longjmp, over all frames up to PostgreSQL's handler.
#[allow(unsafe_code)]
pub unsafe fn allocate_thread_locals() {
    /// More than glibc allocates for that block and for its entry in the thread's table of blocks.
    const ENOUGH: usize = 4096;

    thread_local!(static ONE_OF_THEM: Cell<bool> = const { Cell::new(false) });

    // SAFETY: malloc and free are the C library's. The process has one thread, so nothing else can take the freed memory before
    // the block is allocated from it, and free() returns only more than 128 KiB to the system. This frame owns nothing.
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

/// The size of a cell in bytes. An allocation consists of one or more adjacent cells.
const CELL: usize = 64;
const CELLS: usize = 4096;
/// Larger allocations are not taken from the reserve, because they would leave no room in it for reporting the error.
const LARGEST_PIECE: usize = 64 * 1024;

#[repr(align(64))]
struct Cells(UnsafeCell<[[u8; CELL]; CELLS]>);

struct WithReserve {
    /// Whether each cell is in use. (A backend has one thread, so locking neither allocates nor waits. The lock is for the
    /// threads that another library may start.)
    is_taken: Mutex<[bool; CELLS]>,
    cells: Cells,
}

// SAFETY: a cell belongs to the caller that took it under the lock.
#[allow(unsafe_code)]
unsafe impl Sync for Cells {}

impl WithReserve {
    fn start(&self) -> *mut u8 {
        self.cells.0.get().cast()
    }

    fn has(&self, memory: *mut u8) -> bool {
        memory.addr().wrapping_sub(self.start().addr()) < CELL * CELLS
    }

    /// Takes the first run of free cells that is long enough. Returns null if there is none.
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

// SAFETY: `System` fulfills the contract for its own allocations. An allocation from the reserve has the requested size and
// alignment, lies in memory that lives as long as the process, and overlaps no other. Nothing here unwinds.
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

//! uuidrfc: RFC 9562 UUIDs for PostgreSQL.
//!
//! The crate `rfc9562` implements the RFC. This crate contains the SQL functions, which `sql/uuidrfc.sql` declares, and the planner
//! support.

use pgrx::GucFlags;
#[cfg(not(reserved_prefixes))]
use pgrx::pg_sys::EmitWarningsOnPlaceholders as reserve_prefix;
#[cfg(reserved_prefixes)]
use pgrx::pg_sys::MarkGUCPrefixReserved as reserve_prefix;
use pgrx::prelude::*;

mod allocator;
mod backend;
mod batch;
mod datum;
mod encoding;
mod error;
mod generate;
mod horizon;
mod inspect;
mod name_based;
mod node;
mod other;
mod planner;
mod post_install;
mod raw;
mod seal;
mod server_scope;
mod text;
mod time_ops;
mod time_predicate;
mod touch;
mod unguarded_function;

pg_module_magic!(name, version);

/// The flags that all settings have. A session may first load the library in a parallel operation. Without this flag, PostgreSQL would
/// then not apply the configured value, and the session would remain in scope `backend`, for example.
const SETTING_FLAGS: GucFlags = GucFlags::from_bits_retain(pg_sys::GUC_ALLOW_IN_PARALLEL.cast_signed());

/// Initializes the library. PostgreSQL calls this function when it loads the library, in a backend or while the server starts.
#[allow(unsafe_code)]
// SAFETY: PostgreSQL looks up this name in each library separately.
#[unsafe(no_mangle)]
pub extern "C-unwind" fn _PG_init() {
    // SAFETY: called by PostgreSQL on its only thread. This frame, the only one up to PostgreSQL, owns nothing.
    unsafe { allocator::allocate_thread_locals() };
    initialize();
}

#[allow(unsafe_code)]
#[pg_guard]
extern "C-unwind" fn initialize() {
    server_scope::initialize();
    horizon::initialize();
    node::initialize();
    seal::initialize();
    time_predicate::hook::initialize();
    // All settings have been defined; PostgreSQL now rejects any other setting with the prefix (version 14 only warns).
    // SAFETY: called while the library is being loaded, with a C string.
    unsafe { reserve_prefix(c"uuidrfc".as_ptr()) };
}

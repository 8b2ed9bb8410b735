//! uuidrfc: RFC 9562 UUIDs for PostgreSQL.
//!
//! The rules of the RFC live in the crate `rfc9562`; here is their SQL surface, one file per job a user has.

use pgrx::prelude::*;

mod backend;
mod batch;
mod constant;
mod datum;
mod generate;
mod inspect;

pg_module_magic!(name, version);

extension_sql_file!("../sql/comments.sql", name = "comments", finalize);

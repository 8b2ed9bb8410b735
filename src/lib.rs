//! uuidrfc: RFC 9562 UUIDs for PostgreSQL.
//!
//! The rules of the RFC live in the crate `rfc9562`; here is their SQL surface, one file per job a user has.

use pgrx::prelude::*;

mod aggregate;
mod backend;
mod constant;
mod datum;
mod domain;
mod generate;
mod inspect;
mod text;

pg_module_magic!(name, version);

extension_sql_file!("../sql/comments.sql", name = "comments", finalize);

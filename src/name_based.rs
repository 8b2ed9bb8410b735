//! UUIDs of names: versions 3, 5 and 8, and the names of namespaces and hash algorithms.
//!
//! Text and bytea have separate functions: text is hashed as UTF-8, bytea as it is.

use pgrx::prelude::*;
use rfc9562::name::Namespace;
use rfc9562::{v3, v5, v8};

use crate::datum::{Bytea, SqlUuid, Text};
use crate::text::named;

/// The version 3 UUID (MD5) of a text in a namespace.
#[pg_extern(sql = false)]
fn uuid_v3_of_text(ns: SqlUuid, name: Text<'_>) -> SqlUuid {
    SqlUuid(v3::from_name(ns.0, name.utf8_pieces()))
}

/// The version 3 UUID (MD5) of bytes in a namespace.
#[pg_extern(sql = false)]
fn uuid_v3_of_bytea(ns: SqlUuid, name: Bytea<'_>) -> SqlUuid {
    SqlUuid(v3::from_name(ns.0, [name.0]))
}

/// The version 5 UUID (SHA-1) of a text in a namespace.
#[pg_extern(sql = false)]
fn uuid_v5_of_text(ns: SqlUuid, name: Text<'_>) -> SqlUuid {
    SqlUuid(v5::from_name(ns.0, name.utf8_pieces()))
}

/// The version 5 UUID (SHA-1) of bytes in a namespace.
#[pg_extern(sql = false)]
fn uuid_v5_of_bytea(ns: SqlUuid, name: Bytea<'_>) -> SqlUuid {
    SqlUuid(v5::from_name(ns.0, [name.0]))
}

/// The version 8 UUID of a text in a namespace, by RFC 9562, appendix B.2.
#[pg_extern(sql = false)]
fn uuid_v8_of_text(ns: SqlUuid, name: Text<'_>, hash: Text<'_>) -> SqlUuid {
    SqlUuid(v8::from_name(ns.0, name.utf8_pieces(), named(hash)))
}

/// The version 8 UUID of bytes in a namespace, by RFC 9562, appendix B.2.
#[pg_extern(sql = false)]
fn uuid_v8_of_bytea(ns: SqlUuid, name: Bytea<'_>, hash: Text<'_>) -> SqlUuid {
    SqlUuid(v8::from_name(ns.0, [name.0], named(hash)))
}

/// The ID of the namespace called `dns`, `url`, `oid` or `x500`.
#[pg_extern(sql = false)]
fn uuid_namespace(name: Text<'_>) -> SqlUuid {
    SqlUuid(named::<Namespace>(name).id())
}

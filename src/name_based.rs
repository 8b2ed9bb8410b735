//! UUIDs of names: versions 3, 5 and 8, and the names of namespaces and hash algorithms.
//!
//! Text and bytea are functions of their own, since what a name's octets are is the caller's to say: text is hashed as
//! UTF-8, bytea as it is.

use pgrx::prelude::*;
use rfc9562::name::{Hashspace, Namespace};
use rfc9562::{v3, v5, v8};

use crate::datum::{Bytea, OrReport, Text, Uuid};

/// The version 3 UUID (MD5) of a text in a namespace.
#[pg_extern(name = "uuid_v3", immutable, strict, parallel_safe)]
fn uuid_v3_of_text(ns: Uuid, name: Text<'_>) -> Uuid {
    Uuid(v3::from_name(ns.0, name.utf8_pieces()))
}

/// The version 3 UUID (MD5) of octets in a namespace.
#[pg_extern(name = "uuid_v3", immutable, strict, parallel_safe)]
fn uuid_v3_of_bytea(ns: Uuid, name: Bytea<'_>) -> Uuid {
    Uuid(v3::from_name(ns.0, [name.0]))
}

/// The version 5 UUID (SHA-1) of a text in a namespace.
#[pg_extern(name = "uuid_v5", immutable, strict, parallel_safe)]
fn uuid_v5_of_text(ns: Uuid, name: Text<'_>) -> Uuid {
    Uuid(v5::from_name(ns.0, name.utf8_pieces()))
}

/// The version 5 UUID (SHA-1) of octets in a namespace.
#[pg_extern(name = "uuid_v5", immutable, strict, parallel_safe)]
fn uuid_v5_of_bytea(ns: Uuid, name: Bytea<'_>) -> Uuid {
    Uuid(v5::from_name(ns.0, [name.0]))
}

/// The version 8 UUID of a text in a namespace, by RFC 9562, appendix B.2.
#[pg_extern(name = "uuid_v8", immutable, strict, parallel_safe)]
fn uuid_v8_of_text(ns: Uuid, name: Text<'_>, hash: default!(Text<'_>, "'sha256'")) -> Uuid {
    Uuid(v8::from_name(ns.0, name.utf8_pieces(), hash.label().parse().or_report()))
}

/// The version 8 UUID of octets in a namespace, by RFC 9562, appendix B.2.
#[pg_extern(name = "uuid_v8", immutable, strict, parallel_safe)]
fn uuid_v8_of_bytea(ns: Uuid, name: Bytea<'_>, hash: default!(Text<'_>, "'sha256'")) -> Uuid {
    Uuid(v8::from_name(ns.0, [name.0], hash.label().parse().or_report()))
}

/// The version 8 UUID of a text in a namespace in a hashspace, by draft-ietf-uuidrev-rfc4122bis-12.
#[pg_extern(name = "uuid_v8_hashspace", immutable, strict, parallel_safe)]
fn uuid_v8_hashspace_of_text(hashspace: Uuid, ns: Uuid, name: Text<'_>) -> Uuid {
    let hashspace = Hashspace::of_id(hashspace.0).or_report();
    Uuid(v8::from_name_in_hashspace(hashspace, ns.0, name.utf8_pieces()))
}

/// The version 8 UUID of octets in a namespace in a hashspace, by draft-ietf-uuidrev-rfc4122bis-12.
#[pg_extern(name = "uuid_v8_hashspace", immutable, strict, parallel_safe)]
fn uuid_v8_hashspace_of_bytea(hashspace: Uuid, ns: Uuid, name: Bytea<'_>) -> Uuid {
    let hashspace = Hashspace::of_id(hashspace.0).or_report();
    Uuid(v8::from_name_in_hashspace(hashspace, ns.0, [name.0]))
}

/// The ID of the namespace called `dns`, `url`, `oid` or `x500`.
#[pg_extern(immutable, strict, parallel_safe)]
fn uuid_namespace(name: Text<'_>) -> Uuid {
    Uuid(name.label().parse::<Namespace>().or_report().id())
}

/// The hashspace ID of a hash algorithm.
#[pg_extern(immutable, strict, parallel_safe)]
fn uuid_hashspace(hash: Text<'_>) -> Uuid {
    Uuid(hash.label().parse::<Hashspace>().or_report().id())
}

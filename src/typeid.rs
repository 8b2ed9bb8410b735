//! TypeIDs: UUIDs as text with the name of a type.

use pgrx::prelude::*;
use rfc9562::text::typeid;

use crate::datum::{Made, SqlUuid, Text};
use crate::error::{Failure, OrRaise};

/// Returns the TypeID of a prefix, which may be empty, and a UUID.
#[pg_extern(sql = false)]
fn typeid_encode(prefix: Text<'_>, id: SqlUuid) -> Made {
    Made::text(&typeid::encode(prefix.0, id.0).map_err(|rule| bad_prefix(rule, prefix)).or_raise())
}

#[pg_extern(sql = false)]
fn typeid_decode(typeid: Text<'_>) -> SqlUuid {
    SqlUuid(decoded(typeid).1)
}

/// Returns the UUID of a TypeID with this prefix.
#[pg_extern(name = "typeid_decode", sql = false)]
fn typeid_decode_of(typeid: Text<'_>, prefix: Text<'_>) -> SqlUuid {
    typeid::check_prefix(prefix.0).map_err(|rule| bad_prefix(rule, prefix)).or_raise();
    let (found, uuid) = decoded(typeid);
    if found.as_bytes() != prefix.0 {
        Failure::OtherTypeIdPrefix { text: typeid.shown(), prefix: prefix.shown() }.raise()
    }
    SqlUuid(uuid)
}

#[pg_extern(sql = false)]
fn typeid_prefix(typeid: Text<'_>) -> Made {
    Made::text(decoded(typeid).0)
}

/// Used in plans in place of conditions on TypeIDs (src/time_predicate/inverse.rs), also for each element of an array. Returns
/// null for a text that is not a TypeID with the prefix.
#[pg_extern(sql = false)]
fn typeid_decode_or_null(typeid: Text<'_>, prefix: Text<'_>) -> Option<SqlUuid> {
    // PostgreSQL does not check for interrupts between the elements of an array.
    check_for_interrupts!();
    typeid::check_prefix(prefix.0).map_err(|rule| bad_prefix(rule, prefix)).or_raise();
    decode_with_prefix(typeid.0, prefix.0).map(SqlUuid)
}

fn decode_with_prefix(typeid: &[u8], prefix: &[u8]) -> Option<rfc9562::Uuid> {
    let (found, uuid) = typeid::decode(typeid).ok()?;
    (found.as_bytes() == prefix).then_some(uuid)
}

fn decoded(typeid: Text<'_>) -> (&str, rfc9562::Uuid) {
    typeid::decode(typeid.0).map_err(|rule| Failure::TypeId { rule, text: typeid.shown() }).or_raise()
}

#[cold]
fn bad_prefix(rule: typeid::Rule, prefix: Text<'_>) -> Failure {
    Failure::TypeIdPrefix { rule, prefix: prefix.shown() }
}

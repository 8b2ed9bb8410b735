//! Converts UUIDs to and from other text forms, among them TypeIDs, which can begin with the name of a type.

use std::str::FromStr;

use pgrx::prelude::*;
use rfc9562::text::{Format, typeid};
use rfc9562::{Error, Uuid};

use crate::datum::{ResultDatum, SqlUuid, Text};
use crate::error::{Failure, OrRaise};

#[pg_extern(sql = false)]
pub fn uuid_encode(uuid: SqlUuid, format: Text<'_>) -> ResultDatum {
    ResultDatum::bytes(&named::<Format>(format).encode(uuid.0))
}

#[pg_extern(sql = false)]
fn uuid_decode(text: Text<'_>, format: Text<'_>) -> SqlUuid {
    let format: Format = named(format);
    let decoded = format.decode(text.0);
    SqlUuid(decoded.map_err(|cause| Failure::Decode { cause, format, text: text.shown() }).or_raise())
}

#[pg_extern(sql = false)]
pub fn typeid_encode(prefix: Text<'_>, id: SqlUuid) -> ResultDatum {
    ResultDatum::bytes(&typeid::encode(prefix.0, id.0).map_err(|rule| bad_prefix(rule, prefix)).or_raise())
}

#[pg_extern(sql = false)]
fn typeid_decode(typeid: Text<'_>) -> SqlUuid {
    SqlUuid(decoded(typeid).1)
}

#[pg_extern(name = "typeid_decode", sql = false)]
fn typeid_decode_of(typeid: Text<'_>, prefix: Text<'_>) -> SqlUuid {
    check_prefix(prefix);
    let (found, uuid) = decoded(typeid);
    if found.as_bytes() != prefix.0 {
        let detail = format!("The prefix must be \"{}\".", prefix.shown());
        Failure::TypeId { detail, text: typeid.shown() }.raise()
    }
    SqlUuid(uuid)
}

#[pg_extern(sql = false)]
fn typeid_prefix(typeid: Text<'_>) -> ResultDatum {
    ResultDatum::bytes(decoded(typeid).0.as_bytes())
}

/// Returns the UUID of a TypeID, or null for a text that is not a TypeID with the prefix. Plans for conditions on TypeIDs call
/// this function.
#[pg_extern(sql = false)]
pub fn typeid_decode_or_null(typeid: Text<'_>, prefix: Text<'_>) -> Option<SqlUuid> {
    // Called for each element of an array (src/time_predicate/inverse.rs), with no check for interrupts in between.
    check_for_interrupts!();
    check_prefix(prefix);
    let (found, uuid) = typeid::decode(typeid.0).ok()?;
    (found.as_bytes() == prefix.0).then_some(SqlUuid(uuid))
}

fn decoded(typeid: Text<'_>) -> (&str, Uuid) {
    typeid::decode(typeid.0)
        .map_err(|rule| Failure::TypeId { detail: rule.to_string(), text: typeid.shown() })
        .or_raise()
}

fn check_prefix(prefix: Text<'_>) {
    typeid::check_prefix(prefix.0).map_err(|rule| bad_prefix(rule, prefix)).or_raise();
}

#[cold]
fn bad_prefix(rule: typeid::Rule, prefix: Text<'_>) -> Failure {
    Failure::TypeIdPrefix { rule, prefix: prefix.shown() }
}

/// Returns the format, the hash algorithm or another enum value with the given name, or raises an error.
pub fn named<T: FromStr<Err = Error>>(name: Text<'_>) -> T {
    let label = name.label();
    label.parse().map_err(|cause| Failure::UnknownName { cause, name: label.into_owned() }).or_raise()
}

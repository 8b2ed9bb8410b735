//! Reads the fields of UUIDs, converts between versions 1 and 6, and returns the Nil and Max UUIDs.

use pgrx::prelude::*;
use rfc9562::inspect::Fields;
use rfc9562::time::{self, V7Layout};
use rfc9562::{Uuid, v6};

use crate::datum::{ResultDatum, SqlUuid, Text, Timestamptz};
use crate::error::OrRaise;
use crate::text::named;
use crate::unguarded_function::unguarded_function;

unguarded_function!(uuid_extract_time, |uuid: Uuid| time::extract(uuid).map(Timestamptz::from));

unguarded_function!(uuidv7_time, |uuid: Uuid| {
    if uuid.version() == Some(7) { time::extract(uuid).map(Timestamptz::from) } else { None }
});

unguarded_function!(uuid_extract_time_us, |uuid: Uuid| time::extract_us(uuid).map(Timestamptz::from));

// As in PostgreSQL 18, only versions 1 and 7 are read.
unguarded_function!(uuid_extract_timestamp, |uuid: Uuid| {
    if uuid.version() == Some(6) { None } else { time::extract(uuid).map(Timestamptz::from) }
});

unguarded_function!(uuid_extract_version, |uuid: Uuid| uuid.version().map(i16::from));

/// Returns the time like `uuid_extract_time`, but reads a version 7 UUID in the given layout: `rfc9562` (to the millisecond) or
/// `draft-02` (to the microsecond).
#[pg_extern(sql = false)]
fn uuid_extract_time_as(uuid: SqlUuid, layout: Text<'_>) -> Option<Timestamptz> {
    time::extract_as(uuid.0, named::<V7Layout>(layout)).map(Timestamptz::from)
}

#[pg_extern(sql = false)]
fn uuid_extract_variant(uuid: SqlUuid) -> &'static str {
    uuid.0.variant().name()
}

#[pg_extern(sql = false)]
fn uuid_extract_clock_seq(uuid: SqlUuid) -> Option<i32> {
    matches!(uuid.0.version(), Some(1 | 6)).then(|| i32::from(v6::clock_seq(uuid.0)))
}

#[pg_extern(sql = false)]
fn uuid_extract_node(uuid: SqlUuid) -> Option<ResultDatum> {
    matches!(uuid.0.version(), Some(1 | 6)).then(|| ResultDatum::macaddr(v6::node(uuid.0)))
}

#[pg_extern(sql = false)]
fn uuid_inspect(uuid: SqlUuid) -> ResultDatum {
    ResultDatum::jsonb(Fields(uuid.0))
}

#[pg_extern(sql = false)]
fn uuid_v1_to_v6(uuid: SqlUuid) -> SqlUuid {
    SqlUuid(v6::from_v1(uuid.0).or_raise())
}

#[pg_extern(sql = false)]
fn uuid_v6_to_v1(uuid: SqlUuid) -> SqlUuid {
    SqlUuid(v6::to_v1(uuid.0).or_raise())
}

#[pg_extern(sql = false)]
fn nil_uuid() -> SqlUuid {
    SqlUuid(Uuid::NIL)
}

#[pg_extern(sql = false)]
fn max_uuid() -> SqlUuid {
    SqlUuid(Uuid::MAX)
}

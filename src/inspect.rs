//! What is inside a UUID: its time, version, variant and every other field.

use pgrx::JsonB;
use pgrx::pg_sys::Datum;
use pgrx::prelude::*;
use rfc9562::time::{self, Layout, UnixMicros};
use rfc9562::{inspect, v6};

use crate::bare_function::{Call, bare_function};
use crate::datum::{Macaddr, OrReport, Text, Timestamptz, Uuid};

// The time inside a version 1, 6 (to the microsecond) or 7 (to the millisecond) UUID.
bare_function!(uuid_extract_time_wrapper, pg_finfo_uuid_extract_time_wrapper, |call| {
    time_or_null(&call, time::extract(call.uuid(0)))
});

// As `uuid_extract_time`, with the sub-millisecond fraction of a version 7.
bare_function!(uuid_extract_time_us_wrapper, pg_finfo_uuid_extract_time_us_wrapper, |call| {
    time_or_null(&call, time::extract_us(call.uuid(0)))
});

// As PostgreSQL 18's: the time of a version 1 or 7, and of no other.
bare_function!(uuid_extract_timestamp_wrapper, pg_finfo_uuid_extract_timestamp_wrapper, |call| {
    let uuid = call.uuid(0);
    time_or_null(&call, if uuid.version() == Some(6) { None } else { time::extract(uuid) })
});

// The version field, unless the variant is another than RFC 9562's.
bare_function!(uuid_extract_version_wrapper, pg_finfo_uuid_extract_version_wrapper, |call| {
    match call.uuid(0).version() {
        Some(version) => Datum::from(i16::from(version)),
        None => call.null(),
    }
});

extension_sql!(
    r#"
CREATE FUNCTION uuid_extract_time(uuid uuid) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_time_wrapper';
CREATE FUNCTION uuid_extract_time_us(uuid uuid) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_time_us_wrapper';
CREATE FUNCTION uuid_extract_timestamp(uuid uuid) RETURNS timestamptz
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_timestamp_wrapper';
CREATE FUNCTION uuid_extract_version(uuid uuid) RETURNS smallint
    LANGUAGE c IMMUTABLE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuid_extract_version_wrapper';
"#,
    name = "extract"
);

/// # Safety
/// Called by PostgreSQL.
#[inline]
#[allow(unsafe_code)]
unsafe fn time_or_null(call: &Call, time: Option<UnixMicros>) -> Datum {
    match time {
        Some(time) => Datum::from(Timestamptz::from(time).0),
        // SAFETY: the caller's contract.
        None => unsafe { call.null() },
    }
}

/// As `uuid_extract_time`, with a version 7 read in the layout called `rfc9562` or `draft-02` (to the microsecond).
#[pg_extern(name = "uuid_extract_time", immutable, strict, parallel_safe)]
fn uuid_extract_time_as(uuid: Uuid, layout: Text<'_>) -> Option<Timestamptz> {
    let layout: Layout = layout.label().parse().or_report();
    time::extract_as(uuid.0, layout).map(Timestamptz::from)
}

/// The name of the variant.
#[pg_extern(immutable, strict, parallel_safe)]
fn uuid_extract_variant(uuid: Uuid) -> &'static str {
    uuid.0.variant().name()
}

/// The clock sequence of a version 1 or 6 UUID.
#[pg_extern(immutable, strict, parallel_safe)]
fn uuid_extract_clock_seq(uuid: Uuid) -> Option<i32> {
    matches!(uuid.0.version(), Some(1 | 6)).then(|| i32::from(v6::clock_seq(uuid.0)))
}

/// The node of a version 1 or 6 UUID.
#[pg_extern(immutable, strict, parallel_safe)]
fn uuid_extract_node(uuid: Uuid) -> Option<Macaddr> {
    matches!(uuid.0.version(), Some(1 | 6)).then(|| Macaddr(v6::node(uuid.0)))
}

/// Every field under its name in RFC 9562.
#[pg_extern(immutable, strict, parallel_safe)]
fn uuid_inspect(uuid: Uuid) -> JsonB {
    JsonB(serde_json::to_value(inspect::inspect(uuid.0)).expect("the fields are numbers and text under names"))
}

// Their bodies are bound when they are created, so that no search_path comes into them, and inlined into queries. The
// decoder is for tools that keep partitions by time and know an id as a value of its column and, in a partition's bound,
// as text.
extension_sql!(
    r#"
CREATE FUNCTION uuid_date_bin(stride interval, id uuid, origin timestamptz) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN date_bin(stride, uuid_extract_time(id), origin);
CREATE FUNCTION uuid_time_decoder(id uuid) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuid_extract_time(id);
CREATE FUNCTION uuid_time_decoder(id text) RETURNS timestamptz
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    RETURN uuid_extract_time(id::uuid);
"#,
    name = "time_in_sql",
    requires = ["extract"]
);

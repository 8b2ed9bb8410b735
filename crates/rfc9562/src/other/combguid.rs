//! COMBGUID (richardtallent/RT.Comb; NHibernate's `guid.comb`; Jimmy Nilsson, "The Cost of GUIDs as Primary Keys", 2002): a version 4
//! UUID of which 6 octets are a time.
//!
//! ```text
//! text               rrrrrrrr-rrrr-4rrr-vrrr-tttttttttttt   combguid-sql, -sql-datetime, -nhibernate: the time as it is
//!                    tttttttt-tttt-4rrr-vrrr-rrrrrrrrrrrr   combguid-postgresql, -postgresql-datetime: the time as it is
//!                                                           combguid-binary, -rtcomb1: its octets are 3, 2, 1, 0, 5, 4 of the text
//! time               |------------------ 48: Unix ms ------------------|   combguid-sql, -postgresql, -binary
//!                    |- 16: days since 1900 -|-- 32: units of the day --|   -datetime: 1/300 s; -nhibernate: 3.333333 ms
//!                    |- 16: days -|- 16: units -|4|- 12: units of the day -|   -rtcomb1: 1/300 s
//! ```
//!
//! Text: that of a UUID; either case is read. What sorts by its time in PostgreSQL is what begins with the time as it is. SQL Server
//! looks at the last six octets first, and .NET writes the first eight in another order.
//!
//! Nothing in an id tells its kind. Any version 4 UUID reads as one with Unix time, and its time means nothing if it is none.
//!
//! Slips: a `datetime` of SQL Server counts 1/300 s, not milliseconds. NHibernate divides the milliseconds of a day by 3.333333, so that its
//! count is ahead of 1/300 s by up to 2, and more than a day has of them in a day's last 9 ms; read as `datetime`, such ids are late
//! by up to 9 ms or refused. RT.Comb says that 48 bits of milliseconds last to the year 8419; they last to 10889. "Compatible with
//! UUIDv7" it calls what keeps the version 4.

use super::carried::Carried;
use super::clock::Clock;
use super::field::Field;
use super::ordereduuid;
use super::{Form, IdError, Layout, Parts, Type};
use crate::Uuid;

/// 1900-01-01.
const SQL_EPOCH: i64 = -25_567 * 86_400_000;
const DATETIME: Clock = Clock::daily(10_000_000, 3, SQL_EPOCH);
const DATETIME_FIELDS: &[Field] = &[Field::number("days", 16), Field::number("ticks", 32)];

pub(super) static POSTGRESQL: Layout = Layout {
    clock: Clock::milliseconds(1, 0),
    time: &[Field::number("timestamp", 48)],
    rest: &[Field::hex("random", 74)],
    types: &[Type::Uuid],
    octets: 0,
    sorts: true,
    sorted_text: 36,
    form: Form::Uuid { of: ordereduuid::of_uuid, to: ordereduuid::to_uuid },
    carried: Carried::Version7,
};

pub(super) static POSTGRESQL_DATETIME: Layout = Layout { clock: DATETIME, time: DATETIME_FIELDS, ..POSTGRESQL };

pub(super) static SQL: Layout =
    Layout { sorts: false, sorted_text: 0, form: Form::Uuid { of: time_last, to: to_time_last }, ..POSTGRESQL };

pub(super) static SQL_DATETIME: Layout = Layout { clock: DATETIME, time: DATETIME_FIELDS, ..SQL };

pub(super) static NHIBERNATE: Layout = Layout { clock: Clock::daily(3_333_333, 1, SQL_EPOCH), ..SQL_DATETIME };

pub(super) static BINARY: Layout =
    Layout { sorts: false, sorted_text: 0, form: Form::Uuid { of: binary, to: to_binary }, ..POSTGRESQL };

pub(super) static RTCOMB1: Layout =
    Layout { clock: DATETIME, time: DATETIME_FIELDS, form: Form::Uuid { of: rtcomb1, to: to_rtcomb1 }, ..BINARY };

const TIME_BITS: u32 = 48;
/// Of the last 62 bits, beside the time.
const LOW_REST_BITS: u32 = 14;

fn time_last(uuid: Uuid) -> Result<Parts, IdError> {
    ordereduuid::of_uuid(uuid)?;
    let rest = u128::from(uuid.high_and_mid()) << LOW_REST_BITS | u128::from(uuid.low() >> TIME_BITS);
    Ok(Parts { time: uuid.low() & ((1 << TIME_BITS) - 1), rest })
}

#[allow(clippy::cast_possible_truncation)]
fn to_time_last(parts: Parts) -> Uuid {
    let low = parts.rest as u64 & ((1 << LOW_REST_BITS) - 1);
    Uuid::stamped(4, (parts.rest >> LOW_REST_BITS) as u64, low << TIME_BITS | parts.time)
}

/// The UUID of the octets that .NET has for it, but for 6 and 7; and the other way round.
fn swapped(uuid: Uuid) -> Uuid {
    let mut octets = *uuid.as_bytes();
    octets[..4].reverse();
    octets[4..6].reverse();
    Uuid::from_bytes(octets)
}

fn binary(uuid: Uuid) -> Result<Parts, IdError> {
    ordereduuid::of_uuid(uuid)?;
    ordereduuid::of_uuid(swapped(uuid))
}

fn to_binary(parts: Parts) -> Uuid {
    swapped(ordereduuid::to_uuid(parts))
}

/// Without the `4`, which is a version in the wrong place.
fn rtcomb1(uuid: Uuid) -> Result<Parts, IdError> {
    let Parts { time, rest } = binary(uuid)?;
    let (days, high, four, low) = (time >> 32, time >> 16 & 0xffff, time >> 12 & 0xf, time & 0xfff);
    if four == 4 { Ok(Parts { time: days << 32 | high << 12 | low, rest }) } else { Err(IdError::Range) }
}

fn to_rtcomb1(parts: Parts) -> Uuid {
    let (days, high, low) = (parts.time >> 32, parts.time >> 12 & 0xffff, parts.time & 0xfff);
    to_binary(Parts { time: days << 32 | high << 16 | 4 << 12 | low, rest: parts.rest })
}

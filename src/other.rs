//! Ids of other systems: what is inside them, the UUIDs that they are carried over to, and the ends of a time.
//!
//! A function for each type that such ids have. `-infinity` as epoch is the system's own.

use pgrx::JsonB;
use pgrx::prelude::*;
use rfc9562::other::{Id, IdError, Ids, System, Type};
use rfc9562::time::UnixMicros;

use crate::datum::{Bytea, SqlUuid, Text, Timestamptz};
use crate::error::{Failure, OrRaise};

/// The ids that a call is about.
fn ids(system: Text<'_>, epoch: Timestamptz) -> Ids {
    let system: System = system.label().parse().or_raise();
    let ids = match epoch {
        Timestamptz(i64::MIN) => Ok(system.ids()),
        epoch => epoch.instant().ok_or(IdError::Epoch).and_then(|epoch| system.ids_since(epoch)),
    };
    ids.map_err(|cause| Failure::Id { cause, ids: system.ids(), given: String::new() }).or_raise()
}

/// A value that is an id.
trait Given: Copy {
    fn id(self, ids: Ids) -> Result<Id, IdError>;

    /// For a message.
    fn shown(self) -> String;
}

impl Given for Text<'_> {
    fn id(self, ids: Ids) -> Result<Id, IdError> {
        ids.of_text(self.0)
    }

    fn shown(self) -> String {
        Text::shown(self)
    }
}

impl Given for i64 {
    fn id(self, ids: Ids) -> Result<Id, IdError> {
        ids.of_bigint(self)
    }

    fn shown(self) -> String {
        self.to_string()
    }
}

impl Given for Bytea<'_> {
    fn id(self, ids: Ids) -> Result<Id, IdError> {
        ids.of_octets(self.0)
    }

    fn shown(self) -> String {
        let start: String = self.0.iter().take(24).map(|octet| format!("{octet:02x}")).collect();
        format!("\\x{start}{}", if self.0.len() > 24 { "..." } else { "" })
    }
}

impl Given for SqlUuid {
    fn id(self, ids: Ids) -> Result<Id, IdError> {
        ids.of_uuid(self.0)
    }

    fn shown(self) -> String {
        self.0.to_string()
    }
}

/// What is asked of the id that a value is.
fn read<G: Given, T>(given: G, system: Text<'_>, epoch: Timestamptz, ask: impl Fn(Id) -> Result<T, IdError>) -> T {
    let ids = ids(system, epoch);
    let answer = given.id(ids).and_then(ask);
    answer.map_err(|cause| Failure::Id { cause, ids, given: given.shown() }).or_raise()
}

fn time<G: Given>(id: G, system: Text<'_>, epoch: Timestamptz) -> Timestamptz {
    read(id, system, epoch, Id::time).into()
}

fn fields<G: Given>(id: G, system: Text<'_>, epoch: Timestamptz) -> JsonB {
    let fields = read(id, system, epoch, Id::fields);
    JsonB(serde_json::to_value(fields).expect("the fields are numbers and text under names"))
}

fn to_uuid<G: Given>(id: G, system: Text<'_>, epoch: Timestamptz) -> SqlUuid {
    SqlUuid(read(id, system, epoch, Id::to_uuid))
}

#[pg_extern(sql = false)]
fn other_id_time_of_text(id: Text<'_>, system: Text<'_>, epoch: Timestamptz) -> Timestamptz {
    time(id, system, epoch)
}

#[pg_extern(sql = false)]
fn other_id_time_of_bigint(id: i64, system: Text<'_>, epoch: Timestamptz) -> Timestamptz {
    time(id, system, epoch)
}

#[pg_extern(sql = false)]
fn other_id_time_of_bytea(id: Bytea<'_>, system: Text<'_>, epoch: Timestamptz) -> Timestamptz {
    time(id, system, epoch)
}

#[pg_extern(sql = false)]
fn other_id_time_of_uuid(id: SqlUuid, system: Text<'_>, epoch: Timestamptz) -> Timestamptz {
    time(id, system, epoch)
}

#[pg_extern(sql = false)]
fn other_id_fields_of_text(id: Text<'_>, system: Text<'_>, epoch: Timestamptz) -> JsonB {
    fields(id, system, epoch)
}

#[pg_extern(sql = false)]
fn other_id_fields_of_bigint(id: i64, system: Text<'_>, epoch: Timestamptz) -> JsonB {
    fields(id, system, epoch)
}

#[pg_extern(sql = false)]
fn other_id_fields_of_bytea(id: Bytea<'_>, system: Text<'_>, epoch: Timestamptz) -> JsonB {
    fields(id, system, epoch)
}

#[pg_extern(sql = false)]
fn other_id_fields_of_uuid(id: SqlUuid, system: Text<'_>, epoch: Timestamptz) -> JsonB {
    fields(id, system, epoch)
}

#[pg_extern(sql = false)]
fn other_id_to_uuid_of_text(id: Text<'_>, system: Text<'_>, epoch: Timestamptz) -> SqlUuid {
    to_uuid(id, system, epoch)
}

#[pg_extern(sql = false)]
fn other_id_to_uuid_of_bigint(id: i64, system: Text<'_>, epoch: Timestamptz) -> SqlUuid {
    to_uuid(id, system, epoch)
}

#[pg_extern(sql = false)]
fn other_id_to_uuid_of_bytea(id: Bytea<'_>, system: Text<'_>, epoch: Timestamptz) -> SqlUuid {
    to_uuid(id, system, epoch)
}

#[pg_extern(sql = false)]
fn other_id_to_uuid_of_uuid(id: SqlUuid, system: Text<'_>, epoch: Timestamptz) -> SqlUuid {
    to_uuid(id, system, epoch)
}

/// The id that a UUID was made of, as a value of a type.
fn back<T>(uuid: SqlUuid, system: Text<'_>, epoch: Timestamptz, made: impl Fn(Id) -> Result<T, IdError>) -> T {
    let ids = ids(system, epoch);
    let id = ids.of_carried(uuid.0).and_then(made);
    id.map_err(|cause| Failure::Id { cause, ids, given: uuid.shown() }).or_raise()
}

#[pg_extern(sql = false)]
fn uuid_to_other_id(uuid: SqlUuid, system: Text<'_>, epoch: Timestamptz) -> String {
    back(uuid, system, epoch, |id| Ok(id.text()))
}

#[pg_extern(sql = false)]
fn uuid_to_other_id_bigint(uuid: SqlUuid, system: Text<'_>, epoch: Timestamptz) -> i64 {
    back(uuid, system, epoch, Id::bigint)
}

#[pg_extern(sql = false)]
fn uuid_to_other_id_bytea(uuid: SqlUuid, system: Text<'_>, epoch: Timestamptz) -> Vec<u8> {
    back(uuid, system, epoch, Id::octets)
}

#[pg_extern(sql = false)]
fn uuid_to_other_id_uuid(uuid: SqlUuid, system: Text<'_>, epoch: Timestamptz) -> SqlUuid {
    SqlUuid(back(uuid, system, epoch, Id::uuid))
}

/// The smallest or the largest id of a time, if it sorts as a value of a type.
fn bound(
    time: Timestamptz,
    system: Text<'_>,
    epoch: Timestamptz,
    ty: Type,
    end: impl Fn(Ids, UnixMicros) -> Result<Id, IdError>,
) -> Id {
    let ids = ids(system, epoch);
    let id = time.instant().ok_or(IdError::Time).and_then(|time| end(ids, time)?.sorted_as(ty));
    id.map_err(|cause| Failure::Id { cause, ids, given: String::new() }).or_raise()
}

const SORTED: &str = "an id that sorts as a value of a type is one";

#[pg_extern(sql = false)]
fn other_id_floor(time: Timestamptz, system: Text<'_>, epoch: Timestamptz) -> String {
    bound(time, system, epoch, Type::Text, Ids::floor).text()
}

#[pg_extern(sql = false)]
fn other_id_floor_bigint(time: Timestamptz, system: Text<'_>, epoch: Timestamptz) -> i64 {
    bound(time, system, epoch, Type::Bigint, Ids::floor).bigint().expect(SORTED)
}

#[pg_extern(sql = false)]
fn other_id_floor_bytea(time: Timestamptz, system: Text<'_>, epoch: Timestamptz) -> Vec<u8> {
    bound(time, system, epoch, Type::Bytea, Ids::floor).octets().expect(SORTED)
}

#[pg_extern(sql = false)]
fn other_id_floor_uuid(time: Timestamptz, system: Text<'_>, epoch: Timestamptz) -> SqlUuid {
    SqlUuid(bound(time, system, epoch, Type::Uuid, Ids::floor).uuid().expect(SORTED))
}

#[pg_extern(sql = false)]
fn other_id_ceil(time: Timestamptz, system: Text<'_>, epoch: Timestamptz) -> String {
    bound(time, system, epoch, Type::Text, Ids::ceil).text()
}

#[pg_extern(sql = false)]
fn other_id_ceil_bigint(time: Timestamptz, system: Text<'_>, epoch: Timestamptz) -> i64 {
    bound(time, system, epoch, Type::Bigint, Ids::ceil).bigint().expect(SORTED)
}

#[pg_extern(sql = false)]
fn other_id_ceil_bytea(time: Timestamptz, system: Text<'_>, epoch: Timestamptz) -> Vec<u8> {
    bound(time, system, epoch, Type::Bytea, Ids::ceil).octets().expect(SORTED)
}

#[pg_extern(sql = false)]
fn other_id_ceil_uuid(time: Timestamptz, system: Text<'_>, epoch: Timestamptz) -> SqlUuid {
    SqlUuid(bound(time, system, epoch, Type::Uuid, Ids::ceil).uuid().expect(SORTED))
}

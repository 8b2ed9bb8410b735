//! The IDs of other systems: their fields, their conversion to and from UUIDs, and the first and the last ID of a time.
//!
//! An ID can be passed as any of its system's types. Functions that return an ID take the type of the result from an
//! argument, whose value is usually null. An epoch of `-infinity` denotes the system's own epoch.

use pgrx::prelude::*;
use pgrx::{AnyElement, pg_sys};
use rfc9562::other::{Id, IdError, Ids, System, Type};
use rfc9562::time::UnixMicros;

use crate::datum::{Bytea, ResultDatum, SqlUuid, Text, Timestamptz, base_type};
use crate::error::{Failure, OrRaise};
use crate::text::named;

fn ids(system: Text<'_>, epoch: Timestamptz) -> Ids {
    let system: System = named(system);
    let ids = match epoch {
        Timestamptz(i64::MIN) => Ok(system.ids()),
        epoch => epoch.instant().ok_or(IdError::Epoch).and_then(|epoch| system.ids_since(epoch)),
    };
    ids.map_err(|cause| Failure::Id { cause, ids: system.ids(), given: epoch.shown() }).or_raise()
}

#[derive(Clone, Copy)]
enum IdArgument<'call> {
    Text(Text<'call>),
    Bigint(i64),
    Bytea(Bytea<'call>),
    Uuid(SqlUuid),
}

impl IdArgument<'_> {
    /// Wraps an integer, bytea or uuid, or a value of a domain over one of them. Raises an error for other types.
    #[allow(unsafe_code)]
    fn new(value: AnyElement, ids: Ids) -> Self {
        // SAFETY: the value is not null, and is read as its base type.
        let given = unsafe {
            match base_type(value.oid()) {
                pg_sys::INT2OID => AnyElement::into::<i16>(&value).map(i64::from).map(IdArgument::Bigint),
                pg_sys::INT4OID => AnyElement::into::<i32>(&value).map(i64::from).map(IdArgument::Bigint),
                pg_sys::INT8OID => AnyElement::into(&value).map(IdArgument::Bigint),
                pg_sys::BYTEAOID => AnyElement::into(&value).map(IdArgument::Bytea),
                pg_sys::UUIDOID => AnyElement::into(&value).map(IdArgument::Uuid),
                _ => None,
            }
        };
        given.unwrap_or_else(|| Failure::IdType { ids, ty: value.oid() }.raise())
    }

    fn id(self, ids: Ids) -> Result<Id, IdError> {
        match self {
            IdArgument::Text(text) => ids.from_text(text.0),
            IdArgument::Bigint(number) => ids.from_bigint(number),
            IdArgument::Bytea(bytes) => ids.from_bytes(bytes.0),
            IdArgument::Uuid(uuid) => ids.from_uuid(uuid.0),
        }
    }

    fn shown(self) -> String {
        match self {
            IdArgument::Text(text) => text.shown(),
            IdArgument::Bigint(number) => number.to_string(),
            IdArgument::Bytea(Bytea(bytes)) => {
                let start: String = bytes.iter().take(24).map(|byte| format!("{byte:02x}")).collect();
                format!("\\x{start}{}", if bytes.len() > 24 { "..." } else { "" })
            }
            IdArgument::Uuid(uuid) => uuid.0.to_string(),
        }
    }

    /// Reads the value as an ID, and applies `ask` to the ID. Raises an error if either fails.
    fn read<T>(self, ids: Ids, ask: impl Fn(Id) -> Result<T, IdError>) -> T {
        let answer = self.id(ids).and_then(ask);
        answer.map_err(|cause| Failure::Id { cause, ids, given: self.shown() }).or_raise()
    }
}

/// Defines an SQL function of an ID in two forms: for IDs of type text, and for IDs of the other types.
macro_rules! reader {
    ($of_text:ident, $of_any:ident, |$id:ident| $answer:expr, $convert:expr, $result:ty) => {
        #[pg_extern(sql = false)]
        fn $of_text(id: Text<'_>, system: Text<'_>, epoch: Timestamptz) -> $result {
            let answer = IdArgument::Text(id).read(ids(system, epoch), |$id: Id| $answer);
            $convert(answer)
        }

        #[pg_extern(sql = false)]
        fn $of_any(id: AnyElement, system: Text<'_>, epoch: Timestamptz) -> $result {
            let ids = ids(system, epoch);
            let answer = IdArgument::new(id, ids).read(ids, |$id: Id| $answer);
            $convert(answer)
        }
    };
}

reader!(other_id_time_of_text, other_id_time_of_any, |id| id.time(), Timestamptz::from, Timestamptz);
reader!(other_id_fields_of_text, other_id_fields_of_any, |id| id.fields(), ResultDatum::jsonb, ResultDatum);
reader!(other_id_to_uuid_of_text, other_id_to_uuid_of_any, |id| id.convert_to_uuid(), SqlUuid, SqlUuid);

/// Returns the type of the result, which is that of the third argument and may be a domain, and the ID type that it represents.
#[allow(unsafe_code)]
fn result_type(ids: Ids, call: pg_sys::FunctionCallInfo) -> (pg_sys::Oid, Type) {
    // SAFETY: PostgreSQL makes the call, and the function has four arguments.
    let ty = unsafe { pgrx::pg_getarg_type(call, 2) };
    let of_id = match base_type(ty) {
        pg_sys::TEXTOID => Type::Text,
        pg_sys::INT8OID => Type::Bigint,
        pg_sys::BYTEAOID => Type::Bytea,
        pg_sys::UUIDOID => Type::Uuid,
        _ => Failure::IdType { ids, ty }.raise(),
    };
    (ty, of_id)
}

fn to_datum(id: Id, ty: Type) -> Result<ResultDatum, IdError> {
    match ty {
        Type::Text => Ok(ResultDatum::bytes(&id.to_text())),
        Type::Bigint => id.to_bigint().map(ResultDatum::bigint),
        Type::Bytea => id.to_bytes().map(|bytes| ResultDatum::bytes(&bytes)),
        Type::Uuid => id.to_uuid().map(ResultDatum::uuid),
    }
}

/// Defines a function that converts a value to an ID and returns the ID as a value of the third argument's type.
macro_rules! maker {
    ($name:ident, |$from:ident: $type:ty, $ids:ident, $ty:ident| $id:expr, $given:expr) => {
        #[pg_extern(sql = false)]
        fn $name(
            $from: Option<$type>,
            system: Option<Text<'_>>,
            _type: Option<AnyElement>,
            epoch: Option<Timestamptz>,
            call: pg_sys::FunctionCallInfo,
        ) -> Option<ResultDatum> {
            let ($from, $ids) = ($from?, ids(system?, epoch?));
            let (declared, $ty) = result_type($ids, call);
            let id = $id.and_then(|id| to_datum(id, $ty));
            let id = id.map_err(|cause| Failure::Id { cause, ids: $ids, given: $given }).or_raise();
            Some(id.check_domain(declared))
        }
    };
}

// The ID from which a UUID was converted.
maker!(uuid_to_other_id, |uuid: SqlUuid, ids, ty| ids.convert_from_uuid(uuid.0), uuid.0.to_string());

// The first and the last ID of a time. These functions raise an error if IDs of the type do not sort by time.
maker!(other_id_floor, |time: Timestamptz, ids, ty| bound(time, ty, |time| ids.floor(time)), String::new());
maker!(other_id_ceil, |time: Timestamptz, ids, ty| bound(time, ty, |time| ids.ceil(time)), String::new());

fn bound(time: Timestamptz, ty: Type, end: impl Fn(UnixMicros) -> Result<Id, IdError>) -> Result<Id, IdError> {
    end(time.instant().ok_or(IdError::Time)?)?.sorted_as(ty)
}

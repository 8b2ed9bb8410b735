//! Ids of the sixteen systems that RFC 9562, section 2.1, names, and of their relatives: read, asked by time, and carried
//! over to UUIDs and back.
//!
//! An id is two numbers: its time, as its system counts it, and the rest. The table of the systems (`systems.rs`) has the layout of
//! each, where that is from, and what is known to be wrong about it elsewhere. Reading, writing, bounds and conversion follow from it.
//! Ids are compared by their time and then by their rest: that is the order of their bytes, unless the table says otherwise.
//!
//! ```
//! use rfc9562::other::System;
//! use rfc9562::time::UnixMicros;
//!
//! let snowflake: System = "snowflake".parse()?;
//! let id = snowflake.ids().from_bigint(1_050_118_621_198_921_728).unwrap();
//! assert_eq!(id.time(), Ok(UnixMicros(1_539_202_764_211_000)));
//!
//! let uuid = id.to_carried().unwrap();
//! assert_eq!(rfc9562::time::extract(uuid), id.time().ok());
//! assert_eq!(snowflake.ids().from_carried(uuid), Ok(id));
//! # Ok::<(), rfc9562::Error>(())
//! ```

mod carried;
mod clock;
mod layout;
mod systems;

use core::fmt;

use crate::field::Object;
use crate::named::named;
use crate::text::number::{Number, low_half};
use crate::text::{LONGEST, Text};
use crate::time::UnixMicros;
use crate::{DecodeError, Uuid, v7};
use layout::{Layout, Parts};

named! {
    /// A system of ids, or one of its kinds where those cannot be told apart.
    pub enum System, "id system" {
        /// ULID.
        Ulid = "ulid",
        /// LexicalUUID of Twitter's Cassie, with its clock of microseconds.
        LexicalUuid = "lexicaluuid",
        /// Snowflake, as Twitter (X) makes it.
        Snowflake = "snowflake",
        /// Discord's snowflakes.
        Discord = "discord",
        /// Mastodon's snowflakes.
        Mastodon = "mastodon",
        /// LinkedIn's snowflakes.
        LinkedIn = "linkedin",
        /// pgEdge's snowflakes, for PostgreSQL.
        PgEdge = "pgedge",
        /// Boundary's Flake.
        Flake = "flake",
        /// Instagram's ShardingID.
        ShardingId = "shardingid",
        /// Segment's KSUID.
        Ksuid = "ksuid",
        /// Elasticflake, and Elasticsearch before 6.0.
        Elasticflake = "elasticflake",
        /// FlakeID: flake-idgen.
        FlakeId = "flakeid",
        /// Sonyflake, version 1.
        Sonyflake = "sonyflake",
        /// Sonyflake, version 2, with the widths and the unit that it has unless told.
        SonyflakeV2 = "sonyflake-v2",
        /// Laravel's orderedUuid.
        OrderedUuid = "ordereduuid",
        /// COMB GUID: milliseconds at the end, for SQL Server.
        CombSql = "combguid-sql",
        /// COMB GUID: SQL Server's `datetime` at the end, for SQL Server.
        CombSqlDatetime = "combguid-sql-datetime",
        /// COMB GUID: milliseconds at the beginning.
        CombPostgresql = "combguid-postgresql",
        /// COMB GUID: SQL Server's `datetime` at the beginning.
        CombPostgresqlDatetime = "combguid-postgresql-datetime",
        /// COMB GUID: milliseconds at the beginning of what .NET's `Guid.ToByteArray` gives.
        CombBinary = "combguid-binary",
        /// COMB GUID of NHibernate: `guid.comb`.
        CombNhibernate = "combguid-nhibernate",
        /// COMB GUID of RT.Comb 1.
        CombRtcomb1 = "combguid-rtcomb1",
        /// SID.
        Sid = "sid",
        /// Firebase's pushID.
        PushId = "pushid",
        /// XID.
        Xid = "xid",
        /// MongoDB's ObjectID.
        ObjectId = "objectid",
        /// CUID, the first version.
        Cuid = "cuid",
    }
}

/// A type of a database that holds ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Text, which every system has.
    Text,
    /// A number of 64 bits. PostgreSQL's has a sign: what is 2^63 or more is negative there.
    Bigint,
    /// Bytes.
    Bytea,
    /// 128 bits.
    Uuid,
}

impl Type {
    /// The name in SQL.
    pub const fn name(self) -> &'static str {
        match self {
            Type::Text => "text",
            Type::Bigint => "bigint",
            Type::Bytea => "bytea",
            Type::Uuid => "uuid",
        }
    }
}

impl System {
    /// The types that hold ids of the system, text first.
    pub fn types(self) -> impl Iterator<Item = Type> {
        [Type::Text].into_iter().chain(self.layout().types.iter().copied())
    }

    /// What ids of the system are as text, to follow "is written as".
    pub fn rule(self) -> &'static str {
        self.layout().rule
    }

    /// Whether ids of the system sort by their time in a column of the type; as text, byte by byte, as long as they have one
    /// length. Numbers that PostgreSQL's bigint has as negative ones do not sort.
    pub fn sorts_as(self, ty: Type) -> bool {
        let layout = self.layout();
        match ty {
            Type::Text => layout.sorted_text > 0,
            _ => layout.sorts && layout.types.contains(&ty),
        }
    }

    /// Whether a UUID that an id was carried over to can be turned back.
    pub fn is_lossless(self) -> bool {
        self.layout().carried.is_lossless()
    }

    /// The version of the UUIDs that ids are carried over to: 7 or 8.
    pub fn version(self) -> u8 {
        self.layout().carried.version()
    }

    /// Whether the epoch is an option of the generator.
    pub fn takes_epoch(self) -> bool {
        self.layout().clock.takes_epoch
    }

    /// The system's ids, their time counted from the system's own epoch.
    pub fn ids(self) -> Ids {
        Ids { system: self, epoch: self.layout().clock.epoch }
    }

    /// The system's ids, their time counted from this epoch: a whole millisecond of those that version 7 can hold.
    ///
    /// ```
    /// use rfc9562::other::{IdError, System};
    /// use rfc9562::time::UnixMicros;
    ///
    /// let since_2007 = System::ShardingId.ids_since(UnixMicros(1_180_656_000_000_000))?;
    /// let id = since_2007.from_bigint(1_856_634_658_674_967_553)?;
    /// assert_eq!(id.time(), Ok(UnixMicros(1_401_984_098_616_000)));
    /// assert_eq!(System::Ulid.ids_since(UnixMicros(0)), Err(IdError::FixedEpoch));
    /// # Ok::<(), IdError>(())
    /// ```
    pub fn ids_since(self, epoch: UnixMicros) -> Result<Ids, IdError> {
        if !self.takes_epoch() {
            return Err(IdError::FixedEpoch);
        }
        match u64::try_from(epoch.0) {
            Ok(micros) if micros % 1_000 == 0 && micros / 1_000 <= v7::MAX_MILLIS => {
                Ok(Ids { system: self, epoch: self.layout().clock.floored_epoch(epoch.0 / 1_000) })
            }
            _ => Err(IdError::Epoch),
        }
    }
}

/// The ids of a system that count their time from one epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ids {
    system: System,
    /// Milliseconds since 1970.
    epoch: i64,
}

#[allow(clippy::wrong_self_convention, reason = "these are constructors of ids; the receiver says of which")]
impl Ids {
    /// The system.
    pub fn system(self) -> System {
        self.system
    }

    fn id(self, parts: Parts) -> Result<Id, IdError> {
        Ok(Id { ids: self, parts: self.system.layout().check(parts)? })
    }

    fn from_number(self, number: impl Into<Number>) -> Result<Id, IdError> {
        self.id(self.system.layout().parts(number.into())?)
    }

    fn has(self, ty: Type) -> Result<&'static Layout, IdError> {
        let layout = self.system.layout();
        if layout.types.contains(&ty) { Ok(layout) } else { Err(IdError::NoType { ty }) }
    }

    /// The id of a text, which may be any bytes.
    pub fn from_text(self, text: &[u8]) -> Result<Id, IdError> {
        self.id(self.system.layout().decode(text)?)
    }

    /// The id of a number of 64 bits, which PostgreSQL's bigint has as a negative one from 2^63 on.
    pub fn from_bigint(self, number: i64) -> Result<Id, IdError> {
        self.has(Type::Bigint)?;
        self.from_number(u128::from(number.cast_unsigned()))
    }

    /// The id of these bytes.
    pub fn from_bytes(self, bytes: &[u8]) -> Result<Id, IdError> {
        let layout = self.has(Type::Bytea)?;
        if bytes.len() != layout.bytes {
            return Err(IdError::Length { expected: layout.bytes });
        }
        let mut number = [0; LONGEST_BYTES];
        number[LONGEST_BYTES - layout.bytes..].copy_from_slice(bytes);
        self.from_number(Number::from_be_bytes(number))
    }

    /// The id of 128 bits.
    pub fn from_uuid(self, uuid: Uuid) -> Result<Id, IdError> {
        self.has(Type::Uuid)?;
        self.from_number(uuid.to_u128())
    }

    /// The id that [`Id::to_carried`] gave this UUID for.
    pub fn from_carried(self, uuid: Uuid) -> Result<Id, IdError> {
        let layout = self.system.layout();
        let parts = layout.carried.back(layout, self.epoch, uuid)?;
        self.id(parts).map_err(|_| IdError::NotCarried { uuid })
    }

    /// The smallest id whose time the instant lies in, as long as that lasts: a second of an XID, ten milliseconds of a
    /// Sonyflake. (Of a system that counts nanoseconds, the first of the microsecond.)
    ///
    /// ```
    /// use rfc9562::other::System;
    /// use rfc9562::time::UnixMicros;
    ///
    /// let ids = System::ObjectId.ids();
    /// assert_eq!(ids.floor(UnixMicros(1_645_557_742_999_999))?.to_text(), "621537ee0000000000000000");
    /// assert_eq!(ids.ceil(UnixMicros(1_645_557_742_000_000))?.to_text(), "621537eeffffffffffffffff");
    /// # Ok::<(), rfc9562::other::IdError>(())
    /// ```
    pub fn floor(self, time: UnixMicros) -> Result<Id, IdError> {
        self.at(time, |(first, _), _| Parts { time: first, rest: 0 })
    }

    /// The largest of them.
    pub fn ceil(self, time: UnixMicros) -> Result<Id, IdError> {
        self.at(time, |(_, last), layout| Parts { time: last, rest: layout.rest_last() })
    }

    fn at(self, time: UnixMicros, parts: impl Fn((u64, u64), &Layout) -> Parts) -> Result<Id, IdError> {
        let layout = self.system.layout();
        let counts = layout.clock.counts(self.epoch, time).ok_or(IdError::Time)?;
        self.id(parts(counts, layout)).map_err(|_| IdError::Time)
    }

    /// The first and the last instant that an id can have, as ISO 8601 writes them; at most what [`UnixMicros`] has.
    pub fn range(self) -> [impl fmt::Display; 2] {
        let layout = self.system.layout();
        layout.clock.range(self.epoch, layout.time_last())
    }
}

/// An id of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id {
    ids: Ids,
    parts: Parts,
}

impl Id {
    fn layout(self) -> &'static Layout {
        self.ids.system.layout()
    }

    /// The time, rounded down to the microsecond.
    pub fn time(self) -> Result<UnixMicros, IdError> {
        self.layout().clock.micros(self.ids.epoch, self.parts.time).map(UnixMicros).ok_or(IdError::Time)
    }

    /// Every field, if the time is valid.
    pub fn fields(self) -> Result<Fields, IdError> {
        self.time().map(|_| Fields(self))
    }

    /// The UUID that the id is carried over to: of version 7 or 8, in the order of the ids, as [`System::version`] and
    /// [`System::is_lossless`] say.
    ///
    /// ```
    /// use rfc9562::other::System;
    ///
    /// let id = System::ObjectId.ids().from_text(b"621537ee0102030405060708")?;
    /// assert_eq!(id.to_carried()?.to_string(), "017f22e2-79b0-7000-8102-030405060708");
    /// assert_eq!(System::ObjectId.ids().from_carried(id.to_carried()?), Ok(id));
    /// # Ok::<(), rfc9562::other::IdError>(())
    /// ```
    pub fn to_carried(self) -> Result<Uuid, IdError> {
        let layout = self.layout();
        layout.carried.over(layout, self.ids.epoch, self.parts)
    }

    /// The one text that its system writes for it.
    pub fn to_text(self) -> Text<LONGEST> {
        self.layout().encode(self.parts)
    }

    /// As a number of 64 bits, which is negative from 2^63 on.
    pub fn to_bigint(self) -> Result<i64, IdError> {
        let number = self.ids.has(Type::Bigint)?.number(self.parts);
        Ok(low_half(number.low).cast_signed())
    }

    /// Its bytes.
    pub fn to_bytes(self) -> Result<Bytes, IdError> {
        let layout = self.ids.has(Type::Bytea)?;
        Ok(Bytes { bytes: layout.number(self.parts).to_be_bytes(), begin: LONGEST_BYTES - layout.bytes })
    }

    /// As the 128 bits that it is, which need not be a UUID as RFC 9562 has it.
    pub fn to_uuid(self) -> Result<Uuid, IdError> {
        Ok(Uuid::from_u128(self.ids.has(Type::Uuid)?.number(self.parts).low))
    }

    /// The id, if those that lie around it sort by their time in a column of the type.
    pub fn sorted_as(self, ty: Type) -> Result<Id, IdError> {
        if ty != Type::Text {
            self.ids.has(ty)?;
        }
        if !self.ids.system.sorts_as(ty) {
            return Err(IdError::Unsorted { ty });
        }
        let sorts = match ty {
            Type::Text => self.to_text().len() == self.layout().sorted_text,
            Type::Bigint => self.to_bigint()? >= 0,
            Type::Bytea | Type::Uuid => true,
        };
        if sorts { Ok(self) } else { Err(IdError::UnsortedThen { ty }) }
    }
}

const LONGEST_BYTES: usize = 24;

/// An id as bytes.
#[derive(Clone, Copy, Debug)]
pub struct Bytes {
    bytes: [u8; LONGEST_BYTES],
    begin: usize,
}

impl core::ops::Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.bytes[self.begin..]
    }
}

/// Everything in an id: its time as ISO 8601 writes it, to the unit that its system counts, and every field. Shown, it is a JSON
/// object.
#[derive(Clone, Copy, Debug)]
pub struct Fields(Id);

impl fmt::Display for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Fields(id) = *self;
        let layout = id.layout();
        Object::write(f, |object| {
            if let Some(time) = layout.clock.iso8601(id.ids.epoch, id.parts.time) {
                object.text("time", time)?;
            }
            object.fields(layout.time, u128::from(id.parts.time))?;
            object.fields(layout.rest, id.parts.rest)
        })
    }
}

/// Why a value is no id of a system, or cannot be converted. The system is not named, since the caller knows it.
///
/// Callers that turn these into errors of their own should match all of them, so that a new one does not compile until they
/// know it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdError {
    /// The text is none of the system's: a wrong length or a wrong character.
    Syntax,
    /// There are not as many bytes as the system's ids have.
    Length {
        /// How many they have.
        expected: usize,
    },
    /// The number is larger than the system's ids are.
    Range,
    /// The time is invalid, or out of the range of the system or of version 7.
    Time,
    /// Ids of the system are UUIDs of version 4, but not this one.
    NotVersion4 {
        /// The UUID given.
        uuid: Uuid,
    },
    /// Ids of the system are never of this type.
    NoType {
        /// The type.
        ty: Type,
    },
    /// Ids of the system do not sort by their time in a column of this type.
    Unsorted {
        /// The type.
        ty: Type,
    },
    /// They do, but not those of this time.
    UnsortedThen {
        /// The type.
        ty: Type,
    },
    /// The system's epoch is fixed.
    FixedEpoch,
    /// The epoch is not a whole millisecond, or lies outside of what version 7 can hold.
    Epoch,
    /// UUIDs that ids of the system were carried over to cannot be turned back.
    OneWay,
    /// No id of the system is carried over to this UUID.
    NotCarried {
        /// The UUID given.
        uuid: Uuid,
    },
}

impl fmt::Display for IdError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IdError::Syntax => f.write_str("invalid input syntax for an id of this system"),
            IdError::Length { .. } => f.write_str("invalid input length for an id of this system"),
            IdError::Range => f.write_str("value out of range for an id of this system"),
            IdError::Time => f.write_str("timestamp out of range for ids of this system"),
            IdError::NotVersion4 { uuid } => write!(f, "UUID \"{uuid}\" is not version 4"),
            IdError::NoType { ty } => write!(f, "ids of this system cannot be of type {}", ty.name()),
            IdError::Unsorted { ty } => {
                write!(f, "ids of this system do not sort by their time as type {}", ty.name())
            }
            IdError::UnsortedThen { ty } => {
                write!(f, "ids of this system and this time do not sort as type {}", ty.name())
            }
            IdError::FixedEpoch => f.write_str("ids of this system have a fixed epoch"),
            IdError::Epoch => f.write_str("epoch out of range"),
            IdError::OneWay => f.write_str("cannot convert a UUID back to an id of this system"),
            IdError::NotCarried { uuid } => write!(f, "UUID \"{uuid}\" was not converted from an id of this system"),
        }
    }
}

impl core::error::Error for IdError {}

impl From<DecodeError> for IdError {
    fn from(error: DecodeError) -> IdError {
        match error {
            DecodeError::Syntax => IdError::Syntax,
            DecodeError::Overflow => IdError::Range,
        }
    }
}

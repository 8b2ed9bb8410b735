//! IDs of the sixteen systems named in RFC 9562, section 2.1, and of similar systems: reading and writing, the first and the last
//! ID of a time, and conversion to and from UUIDs.
//!
//! An ID consists of two numbers: its time, in the unit of its system, and the rest. `systems.rs` contains the layout of each
//! system, from which reading, writing, bounds and conversion follow. IDs are ordered by time and then by rest. This is the order
//! of their bytes unless the layout says otherwise.
//!
//! ```
//! use rfc9562::other::System;
//! use rfc9562::time::UnixMicros;
//!
//! let snowflake: System = "snowflake".parse()?;
//! let id = snowflake.ids().from_bigint(1_050_118_621_198_921_728).unwrap();
//! assert_eq!(id.time(), Ok(UnixMicros(1_539_202_764_211_000)));
//!
//! let uuid = id.convert_to_uuid().unwrap();
//! assert_eq!(rfc9562::time::extract(uuid), id.time().ok());
//! assert_eq!(snowflake.ids().convert_from_uuid(uuid), Ok(id));
//! # Ok::<(), rfc9562::Error>(())
//! ```

mod clock;
mod conversion;
mod layout;
mod systems;

use core::fmt;
use core::time::Duration;

use arrayvec::ArrayVec;

use crate::field::Object;
use crate::instant::UnixMicros;
use crate::named::named;
use crate::text::LONGEST;
use crate::text::number::{Number, low_half};
use crate::{DecodeError, Uuid, v7};
use layout::{Conversion, Layout, Parts};

named! {
    /// A system of IDs, or a variant of a system if the IDs do not show their variant.
    #[allow(missing_docs, reason = "the layouts describe the systems")]
    pub enum System, "ID system";

    const fn layout -> &'static Layout {
        Ulid = "ulid" => &systems::ULID,
        LexicalUuid = "lexicaluuid" => &systems::LEXICAL_UUID,
        Snowflake = "snowflake" => &systems::SNOWFLAKE,
        Discord = "discord" => &systems::DISCORD,
        Mastodon = "mastodon" => &systems::MASTODON,
        LinkedIn = "linkedin" => &systems::LINKED_IN,
        PgEdge = "pgedge" => &systems::PG_EDGE,
        Flake = "flake" => &systems::FLAKE,
        ShardingId = "shardingid" => &systems::SHARDING_ID,
        Ksuid = "ksuid" => &systems::KSUID,
        Elasticflake = "elasticflake" => &systems::ELASTICFLAKE,
        FlakeId = "flakeid" => &systems::FLAKE_ID,
        Sonyflake = "sonyflake" => &systems::SONYFLAKE,
        SonyflakeV2 = "sonyflake-v2" => &systems::SONYFLAKE_V2,
        OrderedUuid = "ordereduuid" => &systems::ORDERED_UUID,
        CombSql = "combguid-sql" => &systems::COMB_SQL,
        CombSqlDatetime = "combguid-sql-datetime" => &systems::COMB_SQL_DATETIME,
        CombPostgresql = "combguid-postgresql" => &systems::COMB_POSTGRESQL,
        CombPostgresqlDatetime = "combguid-postgresql-datetime" => &systems::COMB_POSTGRESQL_DATETIME,
        CombBinary = "combguid-binary" => &systems::COMB_BINARY,
        CombNhibernate = "combguid-nhibernate" => &systems::COMB_NHIBERNATE,
        CombRtcomb1 = "combguid-rtcomb1" => &systems::COMB_RTCOMB1,
        Sid = "sid" => &systems::SID,
        PushId = "pushid" => &systems::PUSH_ID,
        Xid = "xid" => &systems::XID,
        ObjectId = "objectid" => &systems::OBJECT_ID,
        Cuid = "cuid" => &systems::CUID,
    }
}

/// A type of database column for IDs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Text, which every system has.
    Text,
    /// A 64-bit number. PostgreSQL's bigint is signed, so numbers from 2^63 on are negative.
    Bigint,
    /// Bytes.
    Bytea,
    /// 128 bits.
    Uuid,
}

impl Type {
    /// Returns the name of the type in SQL.
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
    /// Returns the types for IDs of the system, text first.
    pub fn types(self) -> impl Iterator<Item = Type> {
        [Type::Text].into_iter().chain(self.layout().types.iter().copied())
    }

    /// Returns a description of valid texts, to complete "Such an ID is written as ...".
    pub fn rule(self) -> &'static str {
        self.layout().rule
    }

    /// Whether IDs of the system sort by time in a column of the type. Texts do so only if they have the same length and are
    /// compared byte by byte. Numbers that are negative in PostgreSQL's bigint do not sort by time.
    pub fn sorts_as(self, ty: Type) -> bool {
        let layout = self.layout();
        match ty {
            Type::Text => layout.sorted_text > 0,
            _ => layout.sorts && layout.types.contains(&ty),
        }
    }

    /// Whether the UUIDs to which IDs are converted can be converted back.
    pub fn is_lossless(self) -> bool {
        matches!(self.layout().conversion, Conversion::Version7 | Conversion::Version8)
    }

    /// Whether the system's generators can be configured with an epoch.
    pub fn takes_epoch(self) -> bool {
        self.layout().clock.takes_epoch
    }

    /// Returns the unit of time, rounded down to the nanosecond.
    pub fn unit(self) -> Duration {
        self.layout().clock.unit()
    }

    /// Returns the system's IDs with the system's own epoch.
    pub fn ids(self) -> Ids {
        Ids { system: self, epoch: self.layout().clock.epoch }
    }

    /// Returns the system's IDs with the given epoch, which must be a whole millisecond that version 7 can represent. The epoch is
    /// rounded down to the system's unit.
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

/// The IDs of a system, with their epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ids {
    system: System,
    /// Milliseconds since 1970.
    epoch: i64,
}

#[allow(clippy::wrong_self_convention, reason = "these construct IDs of the system that the receiver names")]
impl Ids {
    /// Returns the system.
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
        if layout.types.contains(&ty) { Ok(layout) } else { Err(IdError::NoType(ty)) }
    }

    /// Parses an ID from text, which need not be UTF-8.
    pub fn from_text(self, text: &[u8]) -> Result<Id, IdError> {
        self.id(self.system.layout().decode(text)?)
    }

    /// Returns the ID with the given 64-bit number, which is negative from 2^63 on.
    pub fn from_bigint(self, number: i64) -> Result<Id, IdError> {
        self.has(Type::Bigint)?;
        self.from_number(u128::from(number.cast_unsigned()))
    }

    /// Returns the ID with the given bytes.
    pub fn from_bytes(self, bytes: &[u8]) -> Result<Id, IdError> {
        let layout = self.has(Type::Bytea)?;
        if bytes.len() != layout.bytes() {
            return Err(IdError::Length(layout.bytes()));
        }
        let mut number = [0; LONGEST_BYTES];
        number[LONGEST_BYTES - bytes.len()..].copy_from_slice(bytes);
        self.from_number(Number::from_be_bytes(number))
    }

    /// Returns the ID with the given 128 bits.
    pub fn from_uuid(self, uuid: Uuid) -> Result<Id, IdError> {
        self.has(Type::Uuid)?;
        self.from_number(uuid.to_u128())
    }

    /// Returns the ID for which [`Id::convert_to_uuid`] returns the given UUID.
    pub fn convert_from_uuid(self, uuid: Uuid) -> Result<Id, IdError> {
        let parts = self.system.layout().convert_back(self.epoch, uuid)?;
        self.id(parts).map_err(|_| IdError::NotConverted)
    }

    /// Returns the smallest ID whose unit of time contains the instant: a second for an XID, ten milliseconds for a Sonyflake.
    /// (If the system counts nanoseconds, this is the first ID of the microsecond.)
    ///
    /// ```
    /// use rfc9562::other::System;
    /// use rfc9562::time::UnixMicros;
    ///
    /// let ids = System::ObjectId.ids();
    /// assert_eq!(&*ids.floor(UnixMicros(1_645_557_742_999_999))?.to_text(), b"621537ee0000000000000000");
    /// assert_eq!(&*ids.ceil(UnixMicros(1_645_557_742_000_000))?.to_text(), b"621537eeffffffffffffffff");
    /// # Ok::<(), rfc9562::other::IdError>(())
    /// ```
    pub fn floor(self, time: UnixMicros) -> Result<Id, IdError> {
        self.at(time, |(first, _), _| Parts { time: first, rest: 0 })
    }

    /// Returns the largest ID whose unit of time contains the instant.
    pub fn ceil(self, time: UnixMicros) -> Result<Id, IdError> {
        self.at(time, |(_, last), layout| Parts { time: last, rest: layout.rest_last() })
    }

    fn at(self, time: UnixMicros, parts: impl Fn((u64, u64), &Layout) -> Parts) -> Result<Id, IdError> {
        let layout = self.system.layout();
        let counts = layout.clock.counts(self.epoch, time).ok_or(IdError::Time)?;
        self.id(parts(counts, layout)).map_err(|_| IdError::Time)
    }

    /// Returns the first and the last time of the IDs in ISO 8601, limited to the range of [`UnixMicros`].
    pub fn range(self) -> [impl fmt::Display; 2] {
        let layout = self.system.layout();
        layout.clock.range(self.epoch, layout.time_last())
    }
}

/// An ID of a system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id {
    ids: Ids,
    parts: Parts,
}

impl Id {
    fn layout(self) -> &'static Layout {
        self.ids.system.layout()
    }

    /// Returns the time, rounded down to the microsecond.
    pub fn time(self) -> Result<UnixMicros, IdError> {
        self.layout().clock.micros(self.ids.epoch, self.parts.time).map(UnixMicros).ok_or(IdError::Time)
    }

    /// Returns all fields, or an error if the time is invalid.
    pub fn fields(self) -> Result<IdFields, IdError> {
        self.time().map(|_| IdFields(self))
    }

    /// Converts the ID to a UUID of version 7 or 8. UUIDs are in the order of their IDs, at least if the IDs are of different
    /// milliseconds or the conversion is lossless ([`System::is_lossless`]).
    pub fn convert_to_uuid(self) -> Result<Uuid, IdError> {
        self.layout().convert(self.ids.epoch, self.parts)
    }

    /// Returns the text that the system writes for the ID, in ASCII.
    pub fn to_text(self) -> ArrayVec<u8, LONGEST> {
        self.layout().encode(self.parts)
    }

    /// Returns the ID as a 64-bit number, which is negative from 2^63 on.
    pub fn to_bigint(self) -> Result<i64, IdError> {
        let number = self.ids.has(Type::Bigint)?.number(self.parts);
        Ok(low_half(number.low).cast_signed())
    }

    /// Returns the bytes of the ID.
    pub fn to_bytes(self) -> Result<ArrayVec<u8, LONGEST_BYTES>, IdError> {
        let layout = self.ids.has(Type::Bytea)?;
        let bytes = layout.number(self.parts).to_be_bytes();
        Ok(ArrayVec::try_from(&bytes[LONGEST_BYTES - layout.bytes()..]).unwrap_or_default())
    }

    /// Returns the ID's 128 bits, which need not be a UUID of RFC 9562.
    pub fn to_uuid(self) -> Result<Uuid, IdError> {
        Ok(Uuid::from_u128(self.ids.has(Type::Uuid)?.number(self.parts).low))
    }

    /// Returns the ID, or an error if it does not sort by time in a column of the type.
    pub fn sorted_as(self, ty: Type) -> Result<Id, IdError> {
        if ty != Type::Text {
            self.ids.has(ty)?;
        }
        if !self.ids.system.sorts_as(ty) {
            return Err(IdError::Unsorted(ty));
        }
        let sorts = match ty {
            Type::Text => self.to_text().len() == self.layout().sorted_text,
            Type::Bigint => self.to_bigint()? >= 0,
            Type::Bytea | Type::Uuid => true,
        };
        if sorts { Ok(self) } else { Err(IdError::UnsortedThen(ty)) }
    }
}

/// The maximum number of bytes of an ID.
pub const LONGEST_BYTES: usize = 24;

/// The fields of an ID, and its time in ISO 8601 with the precision of its system, displayed as a JSON object.
#[derive(Clone, Copy, Debug)]
pub struct IdFields(Id);

impl fmt::Display for IdFields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let IdFields(id) = *self;
        let layout = id.layout();
        let mut object = Object::new(f);
        if let Some(time) = layout.clock.iso8601(id.ids.epoch, id.parts.time) {
            object.text("time", time)?;
        }
        object.fields(layout.time, u128::from(id.parts.time))?;
        object.fields(layout.rest, id.parts.rest)?;
        object.end()
    }
}

/// The reason why a value is not an ID or epoch of a system, or cannot be converted. The error does not name the system, which the
/// caller knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdError {
    /// The text is not in a form of the system's IDs.
    Syntax,
    /// The number of bytes differs from that of the system's IDs, which is given here.
    Length(usize),
    /// The number is too large for the system's IDs, or its fixed bits are wrong.
    Range,
    /// The time is invalid, or outside the range of the system or version 7.
    Time,
    /// IDs of the system are UUIDs of version 4, but this UUID is not.
    NotVersion4(Uuid),
    /// The system has no IDs of this type.
    NoType(Type),
    /// IDs of the system do not sort by time in a column of this type.
    Unsorted(Type),
    /// IDs of the system sort by time in a column of this type, but those of the given time do not.
    UnsortedThen(Type),
    /// The system's epoch is fixed.
    FixedEpoch,
    /// The epoch is not a whole millisecond, or is outside the range of version 7.
    Epoch,
    /// UUIDs converted from IDs of the system cannot be converted back.
    OneWay,
    /// No ID of the system is converted to the UUID.
    NotConverted,
}

impl From<DecodeError> for IdError {
    fn from(error: DecodeError) -> IdError {
        match error {
            DecodeError::Syntax => IdError::Syntax,
            DecodeError::Overflow => IdError::Range,
        }
    }
}

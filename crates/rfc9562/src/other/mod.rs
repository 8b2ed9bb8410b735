//! Ids of the sixteen systems that RFC 9562, section 2.1, names, and of their relatives: read, asked by time, and carried
//! over to UUIDs and back.
//!
//! An id is two numbers: its time, as its system counts it, and the rest. Each system has a file with its layout, where that
//! is from, and what is known to be wrong about it elsewhere. Ids are compared by their time and then by their rest: that is the
//! order of their octets, unless the system's file says otherwise.
//!
//! ```
//! use rfc9562::other::System;
//! use rfc9562::time::UnixMicros;
//!
//! let snowflake: System = "snowflake".parse()?;
//! let id = snowflake.ids().of_bigint(1_050_118_621_198_921_728).unwrap();
//! assert_eq!(id.time(), Ok(UnixMicros(1_539_202_764_211_000)));
//!
//! let uuid = id.to_uuid().unwrap();
//! assert_eq!(rfc9562::time::extract(uuid), id.time().ok());
//! assert_eq!(snowflake.ids().of_carried(uuid), Ok(id));
//! # Ok::<(), rfc9562::Error>(())
//! ```

mod carried;
mod clock;
mod combguid;
mod cuid;
mod digits;
mod elasticflake;
mod error;
mod field;
mod flake;
mod flakeid;
mod ksuid;
mod lexicaluuid;
mod objectid;
mod ordereduuid;
mod pushid;
mod shardingid;
mod sid;
mod snowflake;
mod sonyflake;
mod ulid;
mod xid;

use crate::named::named;
use crate::time::UnixMicros;
use crate::{Uuid, v7};
use carried::Carried;
use clock::Clock;
pub use error::IdError;
use field::Field;
pub use field::Fields;

named! {
    /// A system of ids, or one of its kinds where those cannot be told apart.
    ///
    /// ```
    /// use rfc9562::other::System;
    ///
    /// assert_eq!("ShardingID".parse(), Ok(System::ShardingId));
    /// ```
    pub enum System, "id system", "rfc9562::other::System" {
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
///
/// ```
/// use rfc9562::other::Type;
///
/// assert_eq!(Type::Bigint.name(), "bigint");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Type {
    /// Text, which every system has.
    Text,
    /// A number of 64 bits. PostgreSQL's has a sign: what is 2^63 or more is negative there.
    Bigint,
    /// Octets.
    Bytea,
    /// 128 bits.
    Uuid,
}

impl Type {
    /// The name in SQL.
    ///
    /// ```
    /// use rfc9562::other::Type;
    ///
    /// assert_eq!(Type::Bytea.name(), "bytea");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Type::Text => "text",
            Type::Bigint => "bigint",
            Type::Bytea => "bytea",
            Type::Uuid => "uuid",
        }
    }
}

/// An id without its system: the time as that counts it, and the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Parts {
    time: u64,
    rest: u128,
}

/// What makes a system.
struct Layout {
    clock: Clock,
    /// Of what the time consists, most significant first.
    time: &'static [Field],
    /// Of what the rest consists, most significant first.
    rest: &'static [Field],
    /// The types of the system's ids beside text.
    types: &'static [Type],
    /// How many octets an id has; 0 if it is text only.
    octets: usize,
    /// Whether ids of those types sort by their time.
    sorts: bool,
    /// How many characters texts have as long as they sort by their time; 0 if they do not.
    sorted_text: usize,
    form: Form,
    carried: Carried,
}

/// What an id is read from and written as. Where ids are numbers or octets, the time comes first in these, and then the rest.
#[derive(Clone, Copy)]
enum Form {
    /// A number of 64 bits, as text without zeros in front.
    Number,
    /// Text.
    Text { decode: fn(&[u8]) -> Result<Parts, IdError>, encode: fn(Parts) -> String },
    /// A UUID, or its text.
    Uuid { of: fn(Uuid) -> Result<Parts, IdError>, to: fn(Parts) -> Uuid },
}

impl Layout {
    fn time_last(&self) -> u64 {
        u64::try_from(field::last(self.time)).unwrap_or(u64::MAX)
    }

    fn rest_last(&self) -> u128 {
        field::last(self.rest)
    }

    /// The bits of the rest.
    fn rest_bits(&self) -> u32 {
        u128::BITS - self.rest_last().leading_zeros()
    }

    fn check(&self, parts: Parts) -> Result<Parts, IdError> {
        if parts.time <= self.time_last() && parts.rest <= self.rest_last() { Ok(parts) } else { Err(IdError::Range) }
    }

    /// Of the octets of an id, of which there are at most 24 and at least 8.
    fn of_octets(&self, octets: &[u8]) -> Parts {
        let mut all = [0; 24];
        all[24 - octets.len()..].copy_from_slice(octets);
        let (mut high, mut low) = ([0; 8], [0; 16]);
        high.copy_from_slice(&all[..8]);
        low.copy_from_slice(&all[8..]);
        match self.rest_bits() {
            128 => Parts { time: u64::from_be_bytes(high), rest: u128::from_be_bytes(low) },
            bits => split(u128::from_be_bytes(low), bits),
        }
    }

    /// Time and rest as one number of at most 128 bits.
    fn number(&self, parts: Parts) -> u128 {
        u128::from(parts.time) << self.rest_bits() | parts.rest
    }

    fn octets_of(&self, parts: Parts) -> Vec<u8> {
        let (high, low) = match self.rest_bits() {
            128 => (parts.time, parts.rest),
            _ => (0, self.number(parts)),
        };
        let all = [&high.to_be_bytes()[..], &low.to_be_bytes()].concat();
        all[24 - self.octets..].to_vec()
    }
}

/// The time above so many bits of the rest, of which there are 22 at the least and less than 128. No time is cut off: it has 64
/// bits at the most.
#[allow(clippy::cast_possible_truncation)]
const fn split(number: u128, rest_bits: u32) -> Parts {
    Parts { time: (number >> rest_bits) as u64, rest: number & ((1 << rest_bits) - 1) }
}

impl System {
    const fn layout(self) -> &'static Layout {
        match self {
            System::Ulid => &ulid::LAYOUT,
            System::LexicalUuid => &lexicaluuid::LAYOUT,
            System::Snowflake => &snowflake::TWITTER,
            System::Discord => &snowflake::DISCORD,
            System::Mastodon => &snowflake::MASTODON,
            System::LinkedIn => &snowflake::LINKEDIN,
            System::PgEdge => &snowflake::PGEDGE,
            System::Flake => &flake::LAYOUT,
            System::ShardingId => &shardingid::LAYOUT,
            System::Ksuid => &ksuid::LAYOUT,
            System::Elasticflake => &elasticflake::LAYOUT,
            System::FlakeId => &flakeid::LAYOUT,
            System::Sonyflake => &sonyflake::V1,
            System::SonyflakeV2 => &sonyflake::V2,
            System::OrderedUuid => &ordereduuid::LAYOUT,
            System::CombSql => &combguid::SQL,
            System::CombSqlDatetime => &combguid::SQL_DATETIME,
            System::CombPostgresql => &combguid::POSTGRESQL,
            System::CombPostgresqlDatetime => &combguid::POSTGRESQL_DATETIME,
            System::CombBinary => &combguid::BINARY,
            System::CombNhibernate => &combguid::NHIBERNATE,
            System::CombRtcomb1 => &combguid::RTCOMB1,
            System::Sid => &sid::LAYOUT,
            System::PushId => &pushid::LAYOUT,
            System::Xid => &xid::LAYOUT,
            System::ObjectId => &objectid::LAYOUT,
            System::Cuid => &cuid::LAYOUT,
        }
    }

    /// The types that hold ids of the system, text first.
    ///
    /// ```
    /// use rfc9562::other::{System, Type};
    ///
    /// assert!(System::Snowflake.types().eq([Type::Text, Type::Bigint]));
    /// ```
    pub fn types(self) -> impl Iterator<Item = Type> {
        [Type::Text].into_iter().chain(self.layout().types.iter().copied())
    }

    /// Whether ids of the system sort by their time in a column of the type; as text, byte by byte, as long as they have one
    /// length. Numbers that PostgreSQL's bigint has as negative ones do not sort.
    ///
    /// ```
    /// use rfc9562::other::{System, Type};
    ///
    /// assert!(System::Snowflake.sorts_as(Type::Bigint));
    /// assert!(!System::Snowflake.sorts_as(Type::Text));
    /// ```
    pub fn sorts_as(self, ty: Type) -> bool {
        let layout = self.layout();
        match ty {
            Type::Text => layout.sorted_text > 0,
            _ => layout.sorts && layout.types.contains(&ty),
        }
    }

    /// Whether a UUID that an id was carried over to can be turned back.
    ///
    /// ```
    /// use rfc9562::other::System;
    ///
    /// assert!(System::Snowflake.is_lossless() && !System::Ksuid.is_lossless());
    /// ```
    pub fn is_lossless(self) -> bool {
        self.layout().carried.is_lossless()
    }

    /// The version of the UUIDs that ids are carried over to: 7 or 8.
    ///
    /// ```
    /// use rfc9562::other::System;
    ///
    /// assert_eq!((System::Snowflake.version(), System::Ksuid.version()), (7, 8));
    /// ```
    pub fn version(self) -> u8 {
        self.layout().carried.version()
    }

    /// Whether the maker of the ids says when their time begins.
    ///
    /// ```
    /// use rfc9562::other::System;
    ///
    /// assert!(System::ShardingId.takes_epoch() && !System::Ulid.takes_epoch());
    /// ```
    pub fn takes_epoch(self) -> bool {
        self.layout().clock.takes_epoch
    }

    /// The system's ids, their time counted from the system's own epoch.
    ///
    /// ```
    /// use rfc9562::other::System;
    ///
    /// assert_eq!(System::Snowflake.ids().system(), System::Snowflake);
    /// ```
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
    /// let id = since_2007.of_bigint(1_856_634_658_674_967_553)?;
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
///
/// ```
/// use rfc9562::other::{IdError, System};
///
/// assert!(System::Xid.ids().of_text(b"9m4e2mr0ui3e8a215n4g").is_ok());
/// assert_eq!(System::Xid.ids().of_text(b"9m4e2mr0ui3e8a215n49"), Err(IdError::Syntax));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ids {
    system: System,
    /// Milliseconds since 1970.
    epoch: i64,
}

impl Ids {
    /// The system.
    ///
    /// ```
    /// use rfc9562::other::System;
    ///
    /// assert_eq!(System::Cuid.ids().system(), System::Cuid);
    /// ```
    pub fn system(self) -> System {
        self.system
    }

    fn id(self, parts: Parts) -> Result<Id, IdError> {
        Ok(Id { ids: self, parts: self.system.layout().check(parts)? })
    }

    fn has(self, ty: Type) -> Result<&'static Layout, IdError> {
        let layout = self.system.layout();
        if layout.types.contains(&ty) { Ok(layout) } else { Err(IdError::NoType { ty }) }
    }

    /// The id of a text, which may be any bytes.
    ///
    /// ```
    /// use rfc9562::other::System;
    ///
    /// let id = System::Sid.ids().of_text(b"1dlhi1gukvbi0-028q5cu4qnjff")?;
    /// assert_eq!(id.text(), "1645557742000123456-0081985529216486895");
    /// # Ok::<(), rfc9562::other::IdError>(())
    /// ```
    pub fn of_text(self, text: &[u8]) -> Result<Id, IdError> {
        let layout = self.system.layout();
        let parts = match layout.form {
            Form::Number => layout.of_octets(&digits::unpadded_decimal(text)?.to_be_bytes()),
            Form::Text { decode, .. } => decode(text)?,
            Form::Uuid { of, .. } => {
                let uuid = str::from_utf8(text).ok().and_then(|text| text.parse().ok());
                of(uuid.ok_or(IdError::Syntax)?)?
            }
        };
        self.id(parts)
    }

    /// The id of a number of 64 bits, which PostgreSQL's bigint has as a negative one from 2^63 on.
    ///
    /// ```
    /// use rfc9562::other::{IdError, System, Type};
    ///
    /// assert_eq!(System::ShardingId.ids().of_bigint(-1)?.text(), u64::MAX.to_string());
    /// assert_eq!(System::Snowflake.ids().of_bigint(-1), Err(IdError::Range));
    /// assert_eq!(System::Ulid.ids().of_bigint(1), Err(IdError::NoType { ty: Type::Bigint }));
    /// # Ok::<(), IdError>(())
    /// ```
    pub fn of_bigint(self, number: i64) -> Result<Id, IdError> {
        let layout = self.has(Type::Bigint)?;
        self.id(layout.of_octets(&number.to_be_bytes()))
    }

    /// The id of these octets.
    ///
    /// ```
    /// use rfc9562::other::{IdError, System};
    ///
    /// assert_eq!(System::ObjectId.ids().of_octets(&[0xff; 12])?.text(), "f".repeat(24));
    /// assert_eq!(System::ObjectId.ids().of_octets(b""), Err(IdError::Length { expected: 12 }));
    /// # Ok::<(), IdError>(())
    /// ```
    pub fn of_octets(self, octets: &[u8]) -> Result<Id, IdError> {
        let layout = self.has(Type::Bytea)?;
        if octets.len() != layout.octets {
            return Err(IdError::Length { expected: layout.octets });
        }
        self.id(layout.of_octets(octets))
    }

    /// The id of 128 bits.
    ///
    /// ```
    /// use rfc9562::other::System;
    ///
    /// let id = System::CombPostgresql.ids().of_uuid("017f22e2-79b0-4abc-8def-0123456789ab".parse()?)?;
    /// assert_eq!(id.to_uuid()?.to_string(), "017f22e2-79b0-7abc-8def-0123456789ab");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn of_uuid(self, uuid: Uuid) -> Result<Id, IdError> {
        let layout = self.has(Type::Uuid)?;
        let parts = match layout.form {
            Form::Number | Form::Text { .. } => layout.of_octets(uuid.as_bytes()),
            Form::Uuid { of, .. } => of(uuid)?,
        };
        self.id(parts)
    }

    /// The id that [`Id::to_uuid`] gave this UUID for.
    ///
    /// ```
    /// use rfc9562::Uuid;
    /// use rfc9562::other::{IdError, System};
    ///
    /// let id = System::Xid.ids().of_text(b"9m4e2mr0ui3e8a215n4g")?;
    /// assert_eq!(System::Xid.ids().of_carried(id.to_uuid()?), Ok(id));
    /// assert!(System::Xid.ids().of_carried(Uuid::NIL).is_err());
    /// assert_eq!(System::Ksuid.ids().of_carried(Uuid::NIL), Err(IdError::OneWay));
    /// # Ok::<(), IdError>(())
    /// ```
    pub fn of_carried(self, uuid: Uuid) -> Result<Id, IdError> {
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
    /// let id = System::ObjectId.ids().floor(UnixMicros(1_645_557_742_999_999))?;
    /// assert_eq!(id.text(), "621537ee0000000000000000");
    /// # Ok::<(), rfc9562::other::IdError>(())
    /// ```
    pub fn floor(self, time: UnixMicros) -> Result<Id, IdError> {
        self.at(time, |(first, _), _| Parts { time: first, rest: 0 })
    }

    /// The largest of them.
    ///
    /// ```
    /// use rfc9562::other::System;
    /// use rfc9562::time::UnixMicros;
    ///
    /// let id = System::ObjectId.ids().ceil(UnixMicros(1_645_557_742_000_000))?;
    /// assert_eq!(id.text(), "621537eeffffffffffffffff");
    /// # Ok::<(), rfc9562::other::IdError>(())
    /// ```
    pub fn ceil(self, time: UnixMicros) -> Result<Id, IdError> {
        self.at(time, |(_, last), layout| Parts { time: last, rest: layout.rest_last() })
    }

    fn at(self, time: UnixMicros, parts: impl Fn((u64, u64), &Layout) -> Parts) -> Result<Id, IdError> {
        let layout = self.system.layout();
        let counts = layout.clock.counts(self.epoch, time).ok_or(IdError::Time)?;
        self.id(parts(counts, layout)).map_err(|_| IdError::Time)
    }

    /// The first and the last instant that an id can have, as ISO 8601 writes them; at most what [`UnixMicros`] has.
    ///
    /// ```
    /// use rfc9562::other::System;
    ///
    /// let [first, last] = System::Ksuid.ids().range();
    /// assert_eq!((&*first, &*last), ("2014-05-13T16:53:20Z", "2150-06-19T23:21:35Z"));
    /// ```
    pub fn range(self) -> [String; 2] {
        let layout = self.system.layout();
        layout.clock.range(self.epoch, layout.time_last())
    }
}

/// An id of a system.
///
/// ```
/// use rfc9562::other::{IdError, System};
///
/// let id = System::Cuid.ids().of_text(b"cjld2cjxh0000qzrmn831i7rn")?;
/// assert_eq!(id.text(), "cjld2cjxh0000qzrmn831i7rn");
/// # Ok::<(), IdError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Id {
    ids: Ids,
    parts: Parts,
}

impl Id {
    fn layout(self) -> &'static Layout {
        self.ids.system.layout()
    }

    /// The time. What the system has of it beyond microseconds is cut off.
    ///
    /// ```
    /// use rfc9562::other::System;
    /// use rfc9562::time::UnixMicros;
    ///
    /// let id = System::Ksuid.ids().of_text(b"0ujtsYcgvSTl8PAuAdqWYSMnLOv")?;
    /// assert_eq!(id.time(), Ok(UnixMicros(1_507_608_047_000_000)));
    /// # Ok::<(), rfc9562::other::IdError>(())
    /// ```
    pub fn time(self) -> Result<UnixMicros, IdError> {
        self.layout().clock.micros(self.ids.epoch, self.parts.time).map(UnixMicros).ok_or(IdError::Time)
    }

    /// Everything in it, to be serialized as a map.
    ///
    /// ```
    /// use rfc9562::other::System;
    ///
    /// let id = System::Snowflake.ids().of_bigint(1_050_118_621_198_921_728)?;
    /// let fields = serde_json::to_value(id.fields()?)?;
    /// assert_eq!(fields["time"], "2018-10-10T20:19:24.211Z");
    /// assert_eq!(fields["worker"], 27);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn fields(self) -> Result<Fields, IdError> {
        let layout = self.layout();
        let time = layout.clock.iso8601(self.ids.epoch, self.parts.time).ok_or(IdError::Time)?;
        Ok(Fields::new(time, (layout.time, u128::from(self.parts.time)), (layout.rest, self.parts.rest)))
    }

    /// The UUID that the id is carried over to: of version 7 or 8, in the order of the ids, as [`System::version`] and
    /// [`System::is_lossless`] say.
    ///
    /// ```
    /// use rfc9562::other::System;
    ///
    /// let uuid = System::ObjectId.ids().of_text(b"621537ee0102030405060708")?.to_uuid()?;
    /// assert_eq!(uuid.to_string(), "017f22e2-79b0-7000-8102-030405060708");
    /// # Ok::<(), rfc9562::other::IdError>(())
    /// ```
    pub fn to_uuid(self) -> Result<Uuid, IdError> {
        let layout = self.layout();
        layout.carried.over(layout, self.ids.epoch, self.parts)
    }

    /// The one text that its system writes for it.
    ///
    /// ```
    /// use rfc9562::other::System;
    ///
    /// let id = System::Ulid.ids().of_text(b"01fwhe4ydg04hmasw9nf6yy093")?;
    /// assert_eq!(id.text(), "01FWHE4YDG04HMASW9NF6YY093");
    /// # Ok::<(), rfc9562::other::IdError>(())
    /// ```
    pub fn text(self) -> String {
        match self.layout().form {
            Form::Number => self.layout().number(self.parts).to_string(),
            Form::Text { encode, .. } => encode(self.parts),
            Form::Uuid { to, .. } => to(self.parts).to_string(),
        }
    }

    /// As a number of 64 bits, which is negative from 2^63 on.
    ///
    /// ```
    /// use rfc9562::other::System;
    ///
    /// let id = System::Discord.ids().of_text(b"175928847299117063")?;
    /// assert_eq!(id.bigint(), Ok(175_928_847_299_117_063));
    /// # Ok::<(), rfc9562::other::IdError>(())
    /// ```
    pub fn bigint(self) -> Result<i64, IdError> {
        let number = self.ids.has(Type::Bigint)?.number(self.parts);
        // Of 64 bits, all of them.
        #[allow(clippy::cast_possible_truncation)]
        Ok((number as u64).cast_signed())
    }

    /// Its octets.
    ///
    /// ```
    /// use rfc9562::other::System;
    ///
    /// let id = System::Flake.ids().of_text(b"8HFaDzqL3ULkWgRE8G")?;
    /// assert_eq!(id.octets()?, [0, 0, 1, 52, 212, 33, 45, 67, 16, 154, 221, 94, 14, 143, 0, 0]);
    /// # Ok::<(), rfc9562::other::IdError>(())
    /// ```
    pub fn octets(self) -> Result<Vec<u8>, IdError> {
        Ok(self.ids.has(Type::Bytea)?.octets_of(self.parts))
    }

    /// As the 128 bits that it is, which need not be a UUID as RFC 9562 has it.
    ///
    /// ```
    /// use rfc9562::other::System;
    ///
    /// let id = System::Ulid.ids().of_text(b"01ARYZ6S41TSV4RRFFQ69G5FAV")?;
    /// assert_eq!(id.uuid()?.to_string(), "01563df3-6481-d676-4c61-efb99302bd5b");
    /// # Ok::<(), rfc9562::other::IdError>(())
    /// ```
    pub fn uuid(self) -> Result<Uuid, IdError> {
        let layout = self.ids.has(Type::Uuid)?;
        Ok(match layout.form {
            Form::Number | Form::Text { .. } => Uuid::from_u128(layout.number(self.parts)),
            Form::Uuid { to, .. } => to(self.parts),
        })
    }

    /// The id, if those that lie around it sort by their time in a column of the type.
    ///
    /// ```
    /// use rfc9562::other::{IdError, System, Type};
    /// use rfc9562::time::UnixMicros;
    ///
    /// let late = System::ShardingId.ids().floor(UnixMicros(2_500_000_000_000_000))?;
    /// assert!(late.bigint()? < 0);
    /// assert_eq!(late.sorted_as(Type::Bigint), Err(IdError::UnsortedThen { ty: Type::Bigint }));
    /// assert_eq!(late.sorted_as(Type::Text), Err(IdError::Unsorted { ty: Type::Text }));
    /// # Ok::<(), IdError>(())
    /// ```
    pub fn sorted_as(self, ty: Type) -> Result<Id, IdError> {
        if ty != Type::Text {
            self.ids.has(ty)?;
        }
        if !self.ids.system.sorts_as(ty) {
            return Err(IdError::Unsorted { ty });
        }
        let sorts = match ty {
            Type::Text => self.text().len() == self.layout().sorted_text,
            Type::Bigint => self.bigint()? >= 0,
            Type::Bytea | Type::Uuid => true,
        };
        if sorts { Ok(self) } else { Err(IdError::UnsortedThen { ty }) }
    }
}

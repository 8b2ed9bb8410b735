//! The systems: of each, where its layout is from, what its ids are, and what is known to be wrong about it elsewhere ("slips").

use super::carried::Carried;
use super::clock::Clock;
use super::layout::{Layout, Piece, Text};
use super::{System, Type};
use crate::field::Field;
use crate::text::HYPHENATED;
use crate::text::encoding::{
    BASE32HEX_LOWER, BASE36, BASE62, BASE64URL, CROCKFORD, DECIMAL, Digits, Encoding, HEX, HEX_LOWER, Width,
};

impl System {
    pub(super) const fn layout(self) -> &'static Layout {
        match self {
            System::Ulid => &ULID,
            System::LexicalUuid => &LEXICAL_UUID,
            System::Snowflake => &SNOWFLAKE,
            System::Discord => &DISCORD,
            System::Mastodon => &MASTODON,
            System::LinkedIn => &LINKED_IN,
            System::PgEdge => &PG_EDGE,
            System::Flake => &FLAKE,
            System::ShardingId => &SHARDING_ID,
            System::Ksuid => &KSUID,
            System::Elasticflake => &ELASTICFLAKE,
            System::FlakeId => &FLAKE_ID,
            System::Sonyflake => &SONYFLAKE,
            System::SonyflakeV2 => &SONYFLAKE_V2,
            System::OrderedUuid => &ORDERED_UUID,
            System::CombSql => &COMB_SQL,
            System::CombSqlDatetime => &COMB_SQL_DATETIME,
            System::CombPostgresql => &COMB_POSTGRESQL,
            System::CombPostgresqlDatetime => &COMB_POSTGRESQL_DATETIME,
            System::CombBinary => &COMB_BINARY,
            System::CombNhibernate => &COMB_NHIBERNATE,
            System::CombRtcomb1 => &COMB_RTCOMB1,
            System::Sid => &SID,
            System::PushId => &PUSH_ID,
            System::Xid => &XID,
            System::ObjectId => &OBJECT_ID,
            System::Cuid => &CUID,
        }
    }
}

const UNIX_MILLIS: Clock = Clock::milliseconds(1, 0);

/// ULID (<https://github.com/ulid/spec>). The largest is `7ZZZZZZZZZZZZZZZZZZZZZZZZZ`. The specification has no aliases:
/// ulid/javascript refuses `I`, `L`, `O` and `U`, oklog/ulid's `Parse` makes something of them.
///
/// Within a millisecond some makers count the random part up. So what is lost on the way to version 7 is not its end, but the 6
/// bits that lie where version and variant do. Ids that were counted up stay in their order, but for a carry into those bits; the
/// 128 bits as they are are a `uuid` too.
///
/// Slip: the README of ulid/javascript shows `000XAL6S41ACTAV9WEVGEMMVR8`, with an `L`.
static ULID: Layout = Layout {
    clock: UNIX_MILLIS,
    time: &[Field::number("timestamp", 48)],
    rest: &[Field::hex("random", 80)],
    pieces: &[],
    types: &[Type::Bytea, Type::Uuid],
    bytes: 16,
    sorts: true,
    text: Text::Whole(&[Encoding::new(&CROCKFORD, Width::Fixed(26))]),
    sorted_text: 26,
    rule: "26 digits of Crockford's base 32, which has no I, L, O and U, in either case",
    carried: Carried::Version7InPlace,
};

/// LexicalUUID (twitter-archive/cassie, `types/LexicalUUID.scala`). Cassie reads hyphens anywhere and ignores what follows the 32nd
/// digit; here they are where it writes them, in 35 characters and not the 36 of a UUID.
///
/// The time is what the clock gave that Cassie was told to use. The one it has is read here: milliseconds times 1000, and one more
/// for each further id of the millisecond. Time and worker have signs there. A negative time is refused here, and of two ids of
/// one time the one with the negative worker comes last, as in the order of bytes.
static LEXICAL_UUID: Layout = Layout {
    clock: Clock::microseconds(1),
    time: &[Field::number("timestamp", 64)],
    rest: &[Field::hex("worker", 64)],
    text: Text::Whole(&[Encoding::new(&HEX, Width::Fixed(32)).in_groups(&[8, 4, 4, 16])]),
    sorted_text: 35,
    rule: "32 hexadecimal digits, with hyphens as in 8-4-4-16",
    carried: Carried::Version7,
    ..ULID
};

const NUMBER: Encoding = Encoding::new(&DECIMAL, Width::Unpadded(1, usize::MAX));

/// Snowflake, as Twitter (X) makes it (twitter-archive/snowflake, tag `snowflake-2010`): a number of 64 bits, of which the first
/// is 0. Text sorts among numbers of the same length only: Twitter's have 19 digits since 2018-05-25, Discord's since 2022-07-22.
///
/// Nothing in the number tells whose it is, nor from when on it counts. Slips: X prints `10765432100123456789`, which is above
/// 2^63 and no id. Twitter's ids below some 3 * 10^10 are older than Snowflake, have no time, and show the first seconds of the
/// epoch here.
static SNOWFLAKE: Layout = Layout {
    clock: Clock::milliseconds(1, 1_288_834_974_657).taking_epoch(),
    time: &[Field::number("timestamp", 41)],
    rest: &[Field::number("datacenter", 5), Field::number("worker", 5), Field::number("sequence", 12)],
    pieces: &[],
    types: &[Type::Bigint],
    bytes: 8,
    sorts: true,
    text: Text::Whole(&[NUMBER]),
    sorted_text: 0,
    rule: "a number without sign or leading zeros",
    carried: Carried::Version7,
};

/// Discord's. The number has no sign: as a bigint it will be negative from 2084 on.
static DISCORD: Layout = Layout {
    clock: Clock::milliseconds(1, 1_420_070_400_000),
    time: &[Field::number("timestamp", 42)],
    rest: &[Field::number("worker", 5), Field::number("process", 5), Field::number("increment", 12)],
    ..SNOWFLAKE
};

/// LinkedIn's, of which the last 22 bits are not documented. As a bigint they will be negative from 2039 on.
static LINKED_IN: Layout = Layout {
    clock: UNIX_MILLIS,
    time: &[Field::number("timestamp", 42)],
    rest: &[Field::hex("rest", 22)],
    ..SNOWFLAKE
};

/// pgEdge's. The counter was before the node until 2024-03-30; ids of both have the same time and order.
static PG_EDGE: Layout = Layout {
    clock: Clock::milliseconds(1, 1_672_531_200_000),
    rest: &[Field::number("node", 10), Field::number("counter", 12)],
    ..SNOWFLAKE
};

/// Mastodon's. They have the time of the transaction, rounded, and for posts from elsewhere the second when those were made with a
/// random millisecond.
static MASTODON: Layout = Layout {
    clock: UNIX_MILLIS,
    time: &[Field::number("timestamp", 48)],
    rest: &[Field::number("sequence", 16)],
    ..SNOWFLAKE
};

/// ShardingID (Instagram Engineering, "Sharding & IDs at Instagram"), made in PL/pgSQL; the sequence is taken modulo 1024.
///
/// Everyone who copied it has an epoch of their own. Slip: the article's prose says that the epoch is 2011-01-01. Its SQL has
/// 1314220021721, and only that fits the time of its example. As a bigint the number is negative from 2046-06-27 on.
static SHARDING_ID: Layout = Layout {
    clock: Clock::milliseconds(1, 1_314_220_021_721).taking_epoch(),
    rest: &[Field::number("shard", 13), Field::number("sequence", 10)],
    ..SNOWFLAKE
};

/// Sonyflake, version 1 (sony/sonyflake): the first bit is 0, and the sequence comes before the machine.
///
/// Nothing in the number tells version 1 from 2, nor from a start of one's own. A start is floored to 10 ms since 1970, as both
/// versions do. Widths and units other than these, which version 2 can be told to use, and what goes by the same name elsewhere
/// with the machine before the sequence (python-sonyflake-turbo) or in units of 1 ms (thedv91/sonyflake), are not read.
static SONYFLAKE: Layout = Layout {
    clock: Clock::milliseconds(10, 1_409_529_600_000).taking_epoch(),
    time: &[Field::number("timestamp", 39)],
    rest: &[Field::number("sequence", 8), Field::number("machine", 16)],
    ..SNOWFLAKE
};

static SONYFLAKE_V2: Layout = Layout { clock: Clock::milliseconds(10, 1_735_689_600_000).taking_epoch(), ..SONYFLAKE };

/// FlakeID (T-PWK/flake-idgen, `flake-id-gen.js`).
///
/// The epoch is an option of the generator, and the IDs do not contain it. Slip: the ids in the table of the README are of
/// 1971 if read as that says. The number has no sign: as a bigint it is negative from 2039-09-07 on, if it counts from 1970.
static FLAKE_ID: Layout = Layout {
    clock: UNIX_MILLIS.taking_epoch(),
    time: &[Field::number("timestamp", 42)],
    rest: &[Field::number("datacenter", 5), Field::number("worker", 5), Field::number("counter", 12)],
    types: &[Type::Bigint, Type::Bytea],
    text: Text::Whole(&[NUMBER, Encoding { before: "0x", ..Encoding::new(&HEX, Width::Fixed(16)) }]),
    rule: "a number without sign or leading zeros, or 0x and 16 hexadecimal digits",
    ..SNOWFLAKE
};

/// Flake (boundary/flake, `flake_util.erl`), in base 62, in which it sorts: 18 characters from 1975 to 2284. (Flake writes other
/// bases, too.) The worker is a network card's address, and stays in the UUID.
static FLAKE: Layout = Layout {
    time: &[Field::number("timestamp", 64)],
    rest: &[Field::hex("worker", 48), Field::number("sequence", 16)],
    text: Text::Whole(&[Encoding::new(&BASE62, Width::Unpadded(1, usize::MAX))]),
    sorted_text: 18,
    rule: "digits of base 62 without leading zeros",
    carried: Carried::Version7,
    ..ULID
};

/// KSUID (segmentio/ksuid, `ksuid.go`, `base62.go`): 160 bits. The largest is `aWgEPTl1tmebfsQzFP4bxwgy80V`.
///
/// Slip: the parser of segmentio/ksuid does not look whether a character is a digit, and reads some other texts as ids. They are
/// refused here. KsuidMs (svix), which has a fraction of the second in its first byte of payload, cannot be told from a KSUID and
/// is read as one.
static KSUID: Layout = Layout {
    clock: Clock::seconds(1_400_000_000),
    time: &[Field::number("timestamp", 32)],
    rest: &[Field::hex("payload", 128)],
    types: &[Type::Bytea],
    bytes: 20,
    text: Text::Whole(&[Encoding::new(&BASE62, Width::Fixed(27))]),
    sorted_text: 27,
    rule: "27 digits of base 62",
    carried: Carried::Version8Hashed,
    ..ULID
};

/// Elasticflake (ppearcy/elasticflake, `TimeBasedUUIDGenerator.java`), in the base 64 of RFC 4648, section 5, in which it does not
/// sort.
///
/// Elasticsearch made such ids before version 6.0. Since then the bytes come in another order, which is not read here: every text
/// of 20 digits is an id of some time, so look at the times before you believe them.
static ELASTICFLAKE: Layout = Layout {
    rest: &[Field::hex("munged_mac", 48), Field::number("sequence", 24)],
    types: &[Type::Bytea],
    bytes: 15,
    text: Text::Whole(&[Encoding::new(&BASE64URL, Width::Fixed(20))]),
    sorted_text: 0,
    rule: "20 digits of base 64 as in URLs, with - and _",
    carried: Carried::Version7,
    ..ULID
};

/// pushID (Firebase; firebase/firebase-js-sdk, `NextPushId.ts`), in an alphabet in the order of ASCII.
///
/// Any 20 such characters are an id of some time, and keys of a Firebase database can be anything: look at the times before you
/// believe them. Within a millisecond a client counts the random part up.
static PUSH_ID: Layout = Layout {
    rest: &[Field::hex("random", 72)],
    types: &[],
    bytes: 0,
    text: Text::Whole(&[Encoding::new(&PUSH_ID_DIGITS, Width::Fixed(20))]),
    sorted_text: 20,
    rule: "20 digits of Firebase's base 64, with - and _",
    carried: Carried::Version7,
    ..ULID
};

static PUSH_ID_DIGITS: Digits = Digits::new(b"-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz");

/// ObjectID (mongodb/specifications, `bson-objectid/objectid.md`). Older drivers take a text of 12 characters for the bytes.
///
/// The seconds have no sign. Slip: the specification says that they end on 2106-01-07, and in its tests, which is right, on
/// 2106-02-07. Before 2018 the 40 bits were 24 of a machine and 16 of a process.
static OBJECT_ID: Layout = Layout {
    clock: Clock::seconds(0),
    time: &[Field::number("timestamp", 32)],
    rest: &[Field::hex("process", 40), Field::number("counter", 24)],
    types: &[Type::Bytea],
    bytes: 12,
    text: Text::Whole(&[Encoding::new(&HEX, Width::Fixed(24))]),
    sorted_text: 24,
    rule: "24 hexadecimal digits",
    carried: Carried::Version7,
    ..ULID
};

/// XID (rs/xid, `id.go`): the bytes of an ObjectID, in the order of ASCII. Its last digit has one bit of the id, so it is `0` or
/// `g`. Slip: versions before 1.4.0, and the regular expression of the README, take any other.
static XID: Layout = Layout {
    rest: &[Field::hex("machine", 24), Field::number("pid", 16), Field::number("counter", 24)],
    text: Text::Whole(&[Encoding { unused_bits: 4, ..Encoding::new(&BASE32HEX_LOWER, Width::Fixed(20)) }]),
    sorted_text: 20,
    rule: "20 digits from 0 to 9 and a to v, the last one 0 or g",
    ..OBJECT_ID
};

/// SID (chilts/sid, `sid.go`). Of its four forms, the first is written. Its time has no leading zeros, and 19 digits since
/// 2001-09-09; times of fewer digits, which are of before SID, are refused. The last was Id until 2018-09. Slip: the README says
/// that there is one function, and shows four.
static SID: Layout = Layout {
    clock: Clock::nanoseconds(),
    time: &[Field::number("timestamp", 63)],
    rest: &[Field::number("random", 63)],
    types: &[],
    bytes: 0,
    text: Text::Halves(&[
        [Encoding::new(&DECIMAL, Width::Unpadded(19, 19)), sid(&DECIMAL, 19)],
        [Encoding::new(&HEX_LOWER, Width::Fixed(16)), sid(&HEX_LOWER, 16)],
        [Encoding::new(&BASE32HEX_LOWER, Width::Fixed(13)), sid(&BASE32HEX_LOWER, 13)],
        [Encoding::new(&SID_DIGITS, Width::Fixed(11)), sid(&SID_DIGITS, 11)],
    ]),
    sorted_text: 39,
    rule: "two numbers of the same width with a hyphen between them: 19 decimal digits, 16 hexadecimal, 13 of base 32 or 11 of base 64",
    carried: Carried::Version8Hashed,
    ..ULID
};

const fn sid(digits: &'static Digits, width: usize) -> Encoding {
    Encoding { before: "-", ..Encoding::new(digits, Width::Fixed(width)) }
}

static SID_DIGITS: Digits = Digits::new(b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~");

/// CUID, the first version (paralleldrive/cuid, `index.js`).
///
/// The time has 8 digits from 1972 to 2059-05-25, then 9, so the fields are counted from the end. Shorter ids, as those of before
/// 2013 are, are refused: they cannot be told from those of cuid2, which hold no time and of which some begin with `c`, too. (A
/// cuid2 that was asked to have 25 or 26 characters is indistinguishable.) Version 2.1.5 wrote some with a hyphen, which are
/// refused.
static CUID: Layout = Layout {
    time: &[Field::base36_number("timestamp", 9)],
    rest: &[Field::base36_number("counter", 4), Field::base36("fingerprint", 4), Field::base36("random", 8)],
    types: &[],
    bytes: 0,
    text: Text::Halves(&[[
        Encoding { before: "c", ..Encoding::new(&BASE36, Width::Unpadded(8, 9)) },
        Encoding::new(&BASE36, Width::Fixed(16)),
    ]]),
    sorted_text: 25,
    rule: "c and 24 digits of base 36 in lower case, from 2059 on 25",
    carried: Carried::Version8Hashed,
    ..ULID
};

/// orderedUuid (laravel/framework, `Str::orderedUuid`; ramsey/uuid, `CombGenerator` and `TimestampFirstCombCodec`): a version 4
/// UUID that begins with a time.
///
/// Slip: the documentation of ramsey/uuid says "microseconds", where the code keeps tens of them. Any version 4 UUID reads as one
/// of these, at a time between 1970 and 2059: the time of one that is none means nothing.
///
/// Time and randomness have 122 bits: version 8 holds all of them.
static ORDERED_UUID: Layout = Layout {
    clock: Clock::microseconds(10),
    rest: &[Field::hex("random_a", 12), Field::hex("random_b", 62)],
    carried: Carried::Version8,
    ..COMB_POSTGRESQL
};

/// COMB GUID (richardtallent/RT.Comb; NHibernate's `guid.comb`; Jimmy Nilsson, "The Cost of GUIDs as Primary Keys", 2002): a
/// version 4 UUID of which 6 bytes are a time. What sorts by its time in PostgreSQL is what begins with the time as it is. SQL
/// Server looks at the last six bytes first, and .NET writes the first eight in another order.
///
/// Nothing in an id tells its kind. Any version 4 UUID reads as one with Unix time, and its time means nothing if it is none.
///
/// Slips: RT.Comb says that 48 bits of milliseconds last to the year 8419; they last to 10889. "Compatible with UUIDv7" it calls
/// what keeps the version 4.
static COMB_POSTGRESQL: Layout = Layout {
    rest: &[Field::hex("random", 74)],
    pieces: &[Piece::time(48, 0), VERSION, Piece::rest(12, 62), VARIANT, Piece::rest(62, 0)],
    types: &[Type::Uuid],
    bytes: 0,
    text: Text::Whole(&[HYPHENATED]),
    sorted_text: 36,
    rule: "a UUID: 32 hexadecimal digits, with hyphens as in 8-4-4-4-12",
    carried: Carried::Version7,
    ..ULID
};

const VERSION: Piece = Piece::fixed(4, 4);
const VARIANT: Piece = Piece::fixed(2, 0b10);

/// The time at the end.
static COMB_SQL: Layout = Layout {
    pieces: &[Piece::rest(48, 26), VERSION, Piece::rest(12, 14), VARIANT, Piece::rest(14, 0), Piece::time(48, 0)],
    sorts: false,
    sorted_text: 0,
    ..COMB_POSTGRESQL
};

/// The bytes of the time in the order of .NET: 3, 2, 1, 0, 5, 4 of the text.
static COMB_BINARY: Layout = Layout {
    pieces: &[
        Piece::time(8, 16),
        Piece::time(8, 24),
        Piece::time(8, 32),
        Piece::time(8, 40),
        Piece::time(8, 0),
        Piece::time(8, 8),
        VERSION,
        Piece::rest(12, 62),
        VARIANT,
        Piece::rest(62, 0),
    ],
    ..COMB_SQL
};

/// 1900-01-01.
const SQL_EPOCH: i64 = -25_567 * 86_400_000;
/// A `datetime` of SQL Server, which counts 1/300 s, not milliseconds.
const DATETIME: Clock = Clock::daily(10_000_000, 3, SQL_EPOCH);
const DATETIME_FIELDS: &[Field] = &[Field::number("days", 16), Field::number("ticks", 32)];

static COMB_POSTGRESQL_DATETIME: Layout = Layout { clock: DATETIME, time: DATETIME_FIELDS, ..COMB_POSTGRESQL };

static COMB_SQL_DATETIME: Layout = Layout { clock: DATETIME, time: DATETIME_FIELDS, ..COMB_SQL };

/// NHibernate divides the milliseconds of a day by 3.333333, so that its count is ahead of 1/300 s by up to 2, and more than a day
/// has of them in a day's last 9 ms; read as `datetime`, such ids are late by up to 9 ms or refused.
static COMB_NHIBERNATE: Layout = Layout { clock: Clock::daily(3_333_333, 1, SQL_EPOCH), ..COMB_SQL_DATETIME };

/// As in .NET, with 16 bits of days and 28 of the day's 1/300 s, and a `4`, which is a version in the wrong place, before the last 12.
static COMB_RTCOMB1: Layout = Layout {
    pieces: &[
        Piece::time(8, 12),
        Piece::time(8, 20),
        Piece::time(8, 32),
        Piece::time(8, 40),
        Piece::time(8, 0),
        Piece::fixed(4, 4),
        Piece::time(4, 8),
        VERSION,
        Piece::rest(12, 62),
        VARIANT,
        Piece::rest(62, 0),
    ],
    clock: DATETIME,
    time: DATETIME_FIELDS,
    ..COMB_BINARY
};

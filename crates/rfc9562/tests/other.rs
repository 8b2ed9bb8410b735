//! IDs of other systems: vectors, ends of ranges, and properties. `tests/crosscheck/other_ids.py` compares the results for random
//! IDs, and for texts one edit away from valid ones, with those of Python.

use std::fs;

use proptest::prelude::*;
use rfc9562::other::{Id, IdError, Ids, System, Type};
use rfc9562::time::UnixMicros;
use rfc9562::{Uuid, v4, v7};

/// Columns: system; epoch in milliseconds since 1970, if not the system's own; type; id; SQLSTATE if invalid; time in microseconds
/// since 1970; fields; the UUID to which the ID is converted, if version 7 can represent its time; source. The times and fields
/// were compared with the sources, and the UUIDs were computed in Python.
const VECTORS: &str = include_str!("../../../tests/other_ids.csv");

#[derive(Debug, serde::Deserialize)]
struct Vector {
    system: String,
    epoch_ms: Option<i64>,
    r#type: String,
    id: String,
    sqlstate: Option<String>,
    unix_us: Option<i64>,
    fields: String,
    uuid: Option<String>,
    source: String,
}

impl Vector {
    fn ids(&self) -> Ids {
        let system: System = self.system.parse().unwrap();
        assert_eq!(system.name(), self.system);
        self.epoch_ms.map_or(system.ids(), |epoch| system.ids_since(UnixMicros(epoch * 1_000)).unwrap())
    }

    fn id(&self) -> Result<Id, IdError> {
        let ids = self.ids();
        match &*self.r#type {
            "text" => ids.from_text(self.id.as_bytes()),
            "bigint" => ids.from_bigint(self.id.parse().unwrap()),
            "bytea" => ids.from_bytes(&bytes(self.id.strip_prefix("\\x").unwrap())),
            "uuid" => ids.from_uuid(uuid(&self.id)),
            other => panic!("no type {other}"),
        }
    }
}

fn vectors() -> Vec<Vector> {
    csv::Reader::from_reader(VECTORS.as_bytes()).into_deserialize().map(|row| row.unwrap()).collect()
}

fn bytes(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).unwrap()).collect()
}

/// Parses a UUID, ignoring hyphens.
fn uuid(text: &str) -> Uuid {
    Uuid::from_u128(u128::from_str_radix(&text.replace('-', ""), 16).unwrap())
}

/// The page's table of the systems comes from the layouts. If it is out of date, this test writes it again, and fails.
#[test]
fn the_table_in_the_docs_is_up_to_date() {
    const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/other-ids.md");
    const BELOW_HEADINGS: &str = "\n|---|---|---|---|---|---|---|---|\n";
    let names = |types: Vec<Type>| match &*types {
        [] => "none".to_owned(),
        types => types.iter().map(|ty| ty.name()).collect::<Vec<_>>().join(", "),
    };
    let row = |system: System| {
        let ids = system.ids();
        let uuid = ids.floor(UnixMicros(1_800_000_000_000_000)).and_then(Id::convert_to_uuid).unwrap();
        let [epoch, _] = ids.range().map(|time| time.to_string().replace('Z', ""));
        let epoch = match epoch.split_once('.') {
            Some((seconds, fraction)) if fraction.trim_matches('0').is_empty() => seconds,
            _ => &epoch,
        };
        let unit = format!("{:?}", system.unit());
        let (count, unit) = unit.split_at(unit.find(char::is_alphabetic).unwrap());
        format!(
            "| `{}` | {} | {} | {} | {} | {} | {}{} | {count} {unit} |\n",
            system.name(),
            system.rule(),
            names(system.types().collect()),
            names(system.types().filter(|ty| system.sorts_as(*ty)).collect()),
            uuid.version().unwrap(),
            if system.is_lossless() { "yes" } else { "no" },
            epoch.trim_end_matches("T00:00:00"),
            if system.takes_epoch() { ", or yours" } else { "" },
        )
    };
    let page = fs::read_to_string(PAGE).unwrap();
    let (before, below) = page.split_once(BELOW_HEADINGS).unwrap();
    let after: String = below.split_inclusive('\n').skip_while(|line| line.starts_with('|')).collect();
    let rows: String = System::ALL.iter().copied().map(row).collect();
    let new = [before, BELOW_HEADINGS, &rows, &after].concat();
    if new != page {
        fs::write(PAGE, new).unwrap();
        panic!("the table in docs/other-ids.md was out of date; the test has written it again");
    }
}

#[test]
fn every_vector_is_read_right() {
    let mut seen = Vec::new();
    for vector in vectors() {
        let id = vector.id();
        if let Some(sqlstate) = &vector.sqlstate {
            let expected = if sqlstate == "22003" { IdError::Range } else { IdError::Syntax };
            assert_eq!(id, Err(expected), "{vector:?}");
            continue;
        }
        let id = id.unwrap_or_else(|error| panic!("{error:?} {vector:?}"));
        assert_eq!(id.time().map(|time| time.0), Ok(vector.unix_us.unwrap()), "{vector:?}");
        let fields: serde_json::Value = serde_json::from_str(&vector.fields).unwrap();
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&id.fields().unwrap().to_string()).unwrap(),
            fields,
            "{vector:?}"
        );
        let converted = id.convert_to_uuid();
        assert_eq!(converted.ok().map(|uuid| uuid.to_string()), vector.uuid, "{vector:?}");
        if let (true, Ok(converted)) = (id_system(&vector).is_lossless(), converted) {
            assert_eq!(vector.ids().convert_from_uuid(converted), Ok(id), "{vector:?}");
        }
        assert!(!vector.source.is_empty());
        seen.push((id_system(&vector), vector.r#type));
    }
    for &system in System::ALL {
        for ty in system.types() {
            let count = seen.iter().filter(|(of, name)| *of == system && name == ty.name()).count();
            assert!(count > 0, "no vector of {} as {}", system.name(), ty.name());
        }
    }
}

fn id_system(vector: &Vector) -> System {
    vector.ids().system()
}

#[test]
fn ranges() {
    for (system, first, last) in [
        (System::Ulid, "1970-01-01T00:00:00.000Z", "10889-08-02T05:31:50.655Z"),
        (System::Snowflake, "2010-11-04T01:42:54.657Z", "2080-07-10T17:30:30.208Z"),
        (System::Discord, "2015-01-01T00:00:00.000Z", "2154-05-15T07:35:11.103Z"),
        (System::ShardingId, "2011-08-24T21:07:01.721Z", "2081-04-30T12:54:37.272Z"),
        (System::FlakeId, "1970-01-01T00:00:00.000Z", "2109-05-15T07:35:11.103Z"),
        (System::Ksuid, "2014-05-13T16:53:20Z", "2150-06-19T23:21:35Z"),
        (System::Sonyflake, "2014-09-01T00:00:00.000Z", "2188-11-16T03:28:58.870Z"),
        (System::SonyflakeV2, "2025-01-01T00:00:00.000Z", "2199-03-19T03:28:58.870Z"),
        (System::OrderedUuid, "1970-01-01T00:00:00.000000Z", "2059-03-13T02:56:07.106550Z"),
        (System::CombSqlDatetime, "1900-01-01T00:00:00.000000Z", "2079-06-06T23:59:59.996666Z"),
        (System::CombNhibernate, "1900-01-01T00:00:00.000000Z", "2079-06-06T23:59:59.998026Z"),
        (System::Sid, "1970-01-01T00:00:00.000000000Z", "2262-04-11T23:47:16.854775807Z"),
        (System::Xid, "1970-01-01T00:00:00Z", "2106-02-07T06:28:15Z"),
        (System::ObjectId, "1970-01-01T00:00:00Z", "2106-02-07T06:28:15Z"),
        (System::LinkedIn, "1970-01-01T00:00:00.000Z", "2109-05-15T07:35:11.103Z"),
        (System::Cuid, "1970-01-01T00:00:00.000Z", "5188-04-22T11:04:28.415Z"),
    ] {
        assert_eq!(system.ids().range().map(|end| end.to_string()), [first, last], "{system:?}");
    }
    // The last microsecond that 64 bits can represent.
    assert_eq!(System::Flake.ids().range()[1].to_string(), "294247-01-10T04:00:54.775Z");
    assert_eq!(System::LexicalUuid.ids().range()[1].to_string(), "294247-01-10T04:00:54.775807Z");
}

/// Values of a type, length or version that the system does not have are rejected, as are times past the end of the day or out of
/// range.
#[test]
fn what_is_no_id() {
    for &system in System::ALL {
        let has = |ty| system.types().any(|of| of == ty);
        if !has(Type::Bigint) {
            assert_eq!(system.ids().from_bigint(1), Err(IdError::NoType(Type::Bigint)), "{system:?}");
        }
        if !has(Type::Uuid) {
            assert_eq!(system.ids().from_uuid(Uuid::NIL), Err(IdError::NoType(Type::Uuid)), "{system:?}");
        }
        let lengths: Vec<_> = (0..30).filter(|length| system.ids().from_bytes(&vec![0; *length]).is_ok()).collect();
        assert_eq!(lengths.len(), usize::from(has(Type::Bytea)), "{system:?}");
        if has(Type::Uuid) && ![System::Ulid, System::LexicalUuid, System::Flake].contains(&system) {
            for uuid in [
                Uuid::NIL,
                Uuid::MAX,
                uuid("017f22e2-79b0-7cc3-98c4-dc0c0c07398f"),
                uuid("d01c25cc-63a7-47cc-75ba-018e5f3bff48"),
            ] {
                assert_eq!(system.ids().from_uuid(uuid), Err(IdError::NotVersion4(uuid)), "{system:?}");
                assert_eq!(system.ids().from_text(uuid.to_string().as_bytes()), Err(IdError::NotVersion4(uuid)));
            }
        }
    }
    // The last tick of a day, and the tick after it.
    for (system, last, next) in [
        (System::CombSqlDatetime, "00112233-4455-4abc-8def-ae44018b81ff", "00112233-4455-4abc-8def-ae44018b8200"),
        (
            System::CombPostgresqlDatetime,
            "ae44018b-81ff-4abc-8def-001122334455",
            "ae44018b-8200-4abc-8def-001122334455",
        ),
        (System::CombNhibernate, "00112233-4455-4abc-8def-ae44018b8202", "00112233-4455-4abc-8def-ae44018b8203"),
        (System::CombRtcomb1, "b81844ae-ff41-4abc-8def-0123456789ab", "b81844ae-0042-4abc-8def-0123456789ab"),
    ] {
        let last = system.ids().from_uuid(uuid(last)).unwrap();
        assert!(last.time().unwrap().0 / 1_000 % 86_400_000 >= 86_399_996, "{system:?}");
        assert_eq!(last.fields().map(|_| ()), Ok(()));
        let next = system.ids().from_uuid(uuid(next)).unwrap();
        assert_eq!((next.time(), next.convert_to_uuid()), (Err(IdError::Time), Err(IdError::Time)), "{system:?}");
        assert_eq!(next.fields().map(|_| ()), Err(IdError::Time));
    }
    // An ID without the misplaced `4`.
    assert_eq!(System::CombRtcomb1.ids().from_uuid(uuid("b81844ae-ff51-4abc-8def-0123456789ab")), Err(IdError::Range));
    // A negative time, and one outside the range of timestamps.
    let id = System::LexicalUuid.ids().from_bytes(&[0xff; 16]).unwrap();
    assert_eq!((id.time(), id.convert_to_uuid()), (Err(IdError::Time), Err(IdError::Time)));
    let id = System::Flake.ids().from_bytes(&[0xff; 16]).unwrap();
    assert_eq!((id.time(), id.convert_to_uuid()), (Err(IdError::Time), Err(IdError::Time)));
    // A time within the range of timestamps, but outside that of version 7.
    let id = System::Flake.ids().from_bytes(&[0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]).unwrap();
    assert_eq!((id.time(), id.convert_to_uuid()), (Ok(UnixMicros(1_000 << 48)), Err(IdError::Time)));
    let id = System::CombSqlDatetime.ids().floor(UnixMicros(-1)).unwrap();
    assert_eq!((id.time(), id.convert_to_uuid()), (Ok(UnixMicros(-3_334)), Err(IdError::Time)));
}

#[test]
fn ids_of_four_systems_are_converted_one_way() {
    let one_way: Vec<_> = System::ALL.iter().filter(|system| !system.is_lossless()).copied().collect();
    assert_eq!(one_way, [System::Ulid, System::Ksuid, System::Sid, System::Cuid]);
}

/// Today's IDs sort wherever their system's IDs can sort, and systems with the same rule accept the syntax of each other's texts.
#[test]
fn rules_and_orders_of_texts() {
    let ids: Vec<_> =
        System::ALL.iter().map(|system| system.ids().floor(UnixMicros(1_790_000_000_000_000)).unwrap()).collect();
    for (system, id) in System::ALL.iter().zip(&ids) {
        for ty in system.types().filter(|ty| system.sorts_as(*ty)) {
            assert_eq!(id.sorted_as(ty), Ok(*id), "{system:?} {ty:?}");
        }
        for other in System::ALL.iter().filter(|other| other.rule() == system.rule()) {
            assert_ne!(other.ids().from_text(&id.to_text()), Err(IdError::Syntax), "{system:?} {other:?}");
        }
    }
    // The second form of this system's IDs.
    assert!(System::FlakeId.rule().contains("0x"));
}

#[test]
fn epochs() {
    assert_eq!(System::Discord.ids_since(UnixMicros(0)), Err(IdError::FixedEpoch));
    for wrong in [-1_000, 1, 999, i64::MAX, i64::MIN, 1_000 << 48] {
        assert_eq!(System::Snowflake.ids_since(UnixMicros(wrong)), Err(IdError::Epoch), "{wrong}");
    }
    let last = System::Snowflake.ids_since(UnixMicros(1_000 * ((1 << 48) - 1))).unwrap();
    let id = last.from_bigint(i64::MAX).unwrap();
    assert_eq!(
        (id.time().unwrap().0, id.convert_to_uuid()),
        (1_000 * ((1 << 48) - 1 + (1 << 41) - 1), Err(IdError::Time))
    );
    assert!(last.from_bigint(0).unwrap().convert_to_uuid().is_ok());
    // Sonyflake epochs are rounded down to 10 ms.
    let sonyflake = System::Sonyflake.ids_since(UnixMicros(1_409_529_600_009_000)).unwrap();
    assert_eq!(sonyflake, System::Sonyflake.ids());
}

#[test]
fn bounds_at_the_ends() {
    let snowflake = System::Snowflake.ids();
    let first = 1_288_834_974_657_000;
    let smallest = snowflake.floor(UnixMicros(first)).and_then(|id| id.sorted_as(Type::Bigint));
    assert_eq!(smallest.and_then(Id::to_bigint), Ok(0));
    assert_eq!(snowflake.ceil(UnixMicros(first + 999)).unwrap().to_bigint(), Ok((1 << 22) - 1));
    assert_eq!(snowflake.floor(UnixMicros(first - 1)), Err(IdError::Time));
    let last = first + ((1 << 41) - 1) * 1_000;
    assert_eq!(snowflake.ceil(UnixMicros(last + 999)).unwrap().to_bigint(), Ok(i64::MAX));
    assert_eq!(snowflake.ceil(UnixMicros(last + 1_000)), Err(IdError::Time));
    // 2^150
    assert_eq!(snowflake.from_text(b"1427247692705959881058285969449495136382746624"), Err(IdError::Range));
    for system in System::ALL {
        for time in [i64::MIN, i64::MAX] {
            let expected = if *system == System::Flake && time > 0 { None } else { Some(IdError::Time) };
            let expected = if *system == System::LexicalUuid && time > 0 { None } else { expected };
            assert_eq!(system.ids().floor(UnixMicros(time)).err(), expected, "{system:?}");
        }
    }
    // IDs of these systems sort as text only if their texts have the same length.
    let cuid = |ms: i64| System::Cuid.ids().floor(UnixMicros(ms * 1_000)).and_then(|id| id.sorted_as(Type::Text));
    assert_eq!(cuid(36_i64.pow(7)).map(Id::to_text).as_deref(), Ok(&b"c100000000000000000000000"[..]));
    assert_eq!(cuid(36_i64.pow(7) - 1), Err(IdError::UnsortedThen(Type::Text)));
    assert_eq!(cuid(36_i64.pow(8)), Err(IdError::UnsortedThen(Type::Text)));
    let sid = |us| System::Sid.ids().floor(UnixMicros(us)).and_then(|id| id.sorted_as(Type::Text));
    assert_eq!(sid(10_i64.pow(15)).map(Id::to_text).as_deref(), Ok(&b"1000000000000000000-0000000000000000000"[..]));
    assert_eq!(sid(10_i64.pow(15) - 1), Err(IdError::UnsortedThen(Type::Text)));
    for system in [System::CombSql, System::CombBinary, System::CombNhibernate] {
        let id = system.ids().floor(UnixMicros(1_645_557_742_000_000)).unwrap();
        assert_eq!(id.sorted_as(Type::Uuid), Err(IdError::Unsorted(Type::Uuid)));
        assert_eq!(id.sorted_as(Type::Text), Err(IdError::Unsorted(Type::Text)));
        assert_eq!(id.sorted_as(Type::Bigint), Err(IdError::NoType(Type::Bigint)));
    }
}

#[test]
fn uuids_of_no_id() {
    let id = System::Snowflake.ids().from_bigint(1_050_118_621_198_921_728).unwrap();
    let uuid = id.convert_to_uuid().unwrap();
    let refused = |system: System, bits: u128| {
        let uuid = Uuid::from_u128(bits);
        assert_eq!(system.ids().convert_from_uuid(uuid), Err(IdError::NotConverted), "{system:?} {uuid}");
    };
    // The wrong version, bits above the rest, and times before the epoch and after the last ID.
    refused(System::Snowflake, uuid.to_u128() ^ 3 << 76);
    refused(System::Snowflake, uuid.to_u128() | 1 << 22);
    refused(System::Snowflake, uuid.to_u128() | 1 << 64);
    refused(System::Snowflake, v7::floor(UnixMicros(1_288_834_974_656_000)).unwrap().to_u128());
    refused(System::Snowflake, v7::floor(UnixMicros(3_487_858_230_209_000)).unwrap().to_u128());
    // Times that are not whole units (a second, ten milliseconds, 1/300 s), and a time out of range.
    refused(System::Xid, v7::floor(UnixMicros(1_645_557_742_001_000)).unwrap().to_u128());
    refused(System::Sonyflake, v7::floor(UnixMicros(1_645_557_742_001_000)).unwrap().to_u128());
    refused(System::CombSqlDatetime, v7::floor(UnixMicros(1_645_557_742_001_000)).unwrap().to_u128());
    refused(System::CombSqlDatetime, v7::floor(UnixMicros(3_500_000_000_000_000)).unwrap().to_u128());
    // The finer time may be at most 999 microseconds.
    let lexical = v7::floor(UnixMicros(1_645_557_742_001_000)).unwrap().to_u128();
    refused(System::LexicalUuid, lexical | 1_000 << 66);
    assert!(System::LexicalUuid.ids().convert_from_uuid(Uuid::from_u128(lexical | 999 << 66)).is_ok());
    for system in System::ALL.iter().filter(|system| !system.is_lossless()) {
        assert_eq!(system.ids().convert_from_uuid(uuid), Err(IdError::OneWay));
    }
}

/// Derives an ID of a system from two numbers. If they cannot serve as its bits, the result is the first or the last ID of a time
/// that depends on them.
fn id(system: System, time: u64, rest: u128) -> Id {
    let ids = system.ids();
    let number = u128::from(time) << 64 | rest & u128::from(u64::MAX);
    let of_any_bits = match system.types().last().unwrap() {
        Type::Bigint => (0..64).find_map(|zeros| ids.from_bigint((time >> zeros).cast_signed()).ok()),
        Type::Bytea => {
            let all = [&time.to_be_bytes()[..], &rest.to_be_bytes()].concat();
            (0..=all.len()).find_map(|end| ids.from_bytes(&all[..end]).ok())
        }
        Type::Uuid if system.name().contains("datetime") => None,
        Type::Uuid if matches!(system, System::CombNhibernate | System::CombRtcomb1) => None,
        Type::Uuid => {
            let of_version_4 = v4::from_random(time, u64::try_from(rest >> 64).unwrap());
            ids.from_uuid(Uuid::from_u128(number)).or_else(|_| ids.from_uuid(of_version_4)).ok()
        }
        Type::Text if system == System::Sid => {
            ids.from_text(format!("{:016x}-{:016x}", time >> 2 | 1 << 60, rest >> 65).as_bytes()).ok()
        }
        Type::Text => None,
    };
    of_any_bits.unwrap_or_else(|| {
        // A time within the ranges of all systems that get here.
        let at = UnixMicros(i64::try_from(100_000_000_000_000 + time % 2_900_000_000_000_000).unwrap());
        if rest.is_multiple_of(2) { ids.floor(at) } else { ids.ceil(at) }.unwrap()
    })
}

fn systems_and_parts() -> impl Strategy<Value = (System, (u64, u128), (u64, u128))> {
    let part = || {
        (any::<u64>(), any::<u128>(), 0..64_u32, 0..128_u32, any::<bool>()).prop_map(|(time, rest, t, r, end)| {
            let (time, rest) = (time >> t, rest >> r);
            if end { (!time, !rest) } else { (time, rest) }
        })
    };
    (prop::sample::select(System::ALL), part(), part(), 0..4_u8).prop_map(|(system, one, other, same)| match same {
        0 => (system, one, (one.0, other.1)),
        1 => (system, one, (one.0.wrapping_add(other.0 % 2000), other.1)),
        _ => (system, one, other),
    })
}

/// Returns bytes that sort like the ID in a column of the type. (A bigint that sorts is not negative.)
fn key(id: Id, ty: Type) -> Vec<u8> {
    match ty {
        Type::Text => id.to_text().to_vec(),
        Type::Bigint => id.to_bigint().unwrap().to_be_bytes().to_vec(),
        Type::Bytea => id.to_bytes().unwrap().to_vec(),
        Type::Uuid => id.to_uuid().unwrap().as_bytes().to_vec(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn every_type_reads_what_it_writes((system, (time, rest), _) in systems_and_parts()) {
        let id = id(system, time, rest);
        let ids = system.ids();
        prop_assert_eq!(ids.from_text(&id.to_text()), Ok(id));
        for ty in system.types() {
            match ty {
                Type::Text => prop_assert!(id.to_text().is_ascii()),
                Type::Bigint => prop_assert_eq!(ids.from_bigint(id.to_bigint().unwrap()), Ok(id)),
                Type::Bytea => prop_assert_eq!(ids.from_bytes(&id.to_bytes().unwrap()), Ok(id)),
                Type::Uuid => prop_assert_eq!(ids.from_uuid(id.to_uuid().unwrap()), Ok(id)),
            }
        }
        if let Ok(uuid) = id.convert_to_uuid() {
            if system.is_lossless() {
                prop_assert_eq!(ids.convert_from_uuid(uuid), Ok(id));
            }
            if system != System::OrderedUuid {
                let millis = uuid.to_u128() >> 80;
                prop_assert_eq!(i128::try_from(millis).unwrap(), i128::from(id.time().unwrap().0.div_euclid(1_000)));
            }
        }
    }

    /// UUIDs are in the order of their IDs' times, by milliseconds if the conversion is not lossless.
    #[test]
    fn order_is_kept((system, one, other) in systems_and_parts()) {
        let (one, other) = (id(system, one.0, one.1), id(system, other.0, other.1));
        let (Ok(one_time), Ok(other_time)) = (one.time(), other.time()) else { return Ok(()) };
        if let (Ok(one_uuid), Ok(other_uuid)) = (one.convert_to_uuid(), other.convert_to_uuid()) {
            if one_time != other_time && (system.is_lossless() || one_time.0 / 1000 != other_time.0 / 1000) {
                prop_assert_eq!(one_uuid.cmp(&other_uuid), one_time.cmp(&other_time));
            }
            // IDs that sort by time are in the order of their UUIDs, even if their times are equal.
            for ty in system.types().filter(|ty| system.is_lossless() && system.sorts_as(*ty)) {
                let (Ok(one), Ok(other)) = (one.sorted_as(ty), other.sorted_as(ty)) else { continue };
                prop_assert_eq!(key(one, ty).cmp(&key(other, ty)), one_uuid.cmp(&other_uuid), "{:?}", ty);
            }
        }
    }

    /// An ID lies between the bounds of its time, and IDs of other times lie outside.
    #[test]
    fn bounds((system, one, other) in systems_and_parts()) {
        let (one, other) = (id(system, one.0, one.1), id(system, other.0, other.1));
        let (Ok(time), Ok(other_time)) = (one.time(), other.time()) else { return Ok(()) };
        let (floor, ceil) = (system.ids().floor(time).unwrap(), system.ids().ceil(time).unwrap());
        prop_assert_eq!(floor.time(), Ok(time));
        prop_assert_eq!(ceil.time(), Ok(time));
        for ty in system.types().filter(|ty| system.sorts_as(*ty)) {
            let all = [floor, one, ceil, other].map(|id| id.sorted_as(ty));
            let [Ok(floor), Ok(one), Ok(ceil), Ok(other)] = all else { continue };
            let key = |id| key(id, ty);
            prop_assert!(key(floor) <= key(one) && key(one) <= key(ceil));
            let within = key(floor) <= key(other) && key(other) <= key(ceil);
            prop_assert_eq!(within, time == other_time, "{:?}", ty);
        }
    }
}

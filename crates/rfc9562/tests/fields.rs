//! Fields, conversion between versions 1 and 6, and draft-02's version 7.

use proptest::prelude::*;
use rfc9562::inspect::Fields;
use rfc9562::sequence::Position;
use rfc9562::time::{UnixMicros, V7Layout, extract, extract_as};
use rfc9562::{Error, Uuid, gregorian, v1, v6, v7, v7_draft_02};
use serde_json::Value;

fn uuid(text: &str) -> Uuid {
    text.parse().unwrap()
}

fn fields(uuid: Uuid) -> Value {
    serde_json::from_str(&Fields(uuid).to_string()).unwrap()
}

/// Version 1 and 6 UUIDs with the same fields, in pairs. The drafts have the first node in the text form and the second in their
/// tables; RFC 9562 has the second throughout.
const PAIRS: [(&str, &str); 2] = [
    ("c232ab00-9414-11ec-b3c8-9e6bdeced846", "1ec9414c-232a-6b00-b3c8-9e6bdeced846"),
    ("c232ab00-9414-11ec-b3c8-9f6bdeced846", "1ec9414c-232a-6b00-b3c8-9f6bdeced846"),
];

#[test]
fn v1_and_v6_vectors() {
    for (first, sixth) in PAIRS {
        assert_eq!(v6::from_v1(uuid(first)), Ok(uuid(sixth)));
        assert_eq!(v6::to_v1(uuid(sixth)), Ok(uuid(first)));
    }
}

fn versioned(version: u128, bits: u128) -> Uuid {
    Uuid::from_u128(bits & !(0xf << 76) & !(0b11 << 62) | version << 76 | 0b10 << 62)
}

proptest! {
    #[test]
    fn v1_and_v6_are_bijective(bits: u128) {
        let (first, sixth) = (versioned(1, bits), versioned(6, bits));
        prop_assert_eq!(v6::from_v1(first).and_then(v6::to_v1), Ok(first));
        prop_assert_eq!(v6::to_v1(sixth).and_then(v6::from_v1), Ok(sixth));
        prop_assert_eq!(extract(first), extract(v6::from_v1(first).unwrap()));
        prop_assert_eq!(v6::clock_seq(first), v6::clock_seq(v6::from_v1(first).unwrap()));
        prop_assert_eq!(v6::node(first), v6::node(v6::from_v1(first).unwrap()));
    }

    /// For every tail, the node's multicast bit is set, and the other bits are those of the tail without its last bit.
    #[test]
    fn a_random_node_keeps_the_tail(tick in 0..=v6::MAX_TICK, tail in 0..1_u64 << 62) {
        let position = Position { tick, tail };
        for uuid in [v1::at(position), v6::at(position)] {
            prop_assert!(gregorian::is_multicast(gregorian::node(uuid)));
            let low = uuid.to_u128() & ((1 << 62) - 1);
            prop_assert_eq!(low >> 41 << 40 | low & ((1 << 40) - 1), u128::from(tail >> 1));
        }
    }

    #[test]
    fn v6_is_in_the_order_of_time(one: u128, other: u128) {
        let (one, other) = (versioned(1, one), versioned(1, other));
        let by_time = v1::tick(one).cmp(&v1::tick(other));
        let by_bytes = v6::from_v1(one).unwrap().cmp(&v6::from_v1(other).unwrap());
        prop_assert!(by_time.is_eq() || by_time == by_bytes);
    }

    #[test]
    fn only_v1_and_v6_are_converted(bits: u128) {
        let any = Uuid::from_u128(bits);
        prop_assert_eq!(v6::from_v1(any).is_ok(), any.version() == Some(1));
        prop_assert_eq!(v6::to_v1(any).is_ok(), any.version() == Some(6));
    }

    /// Times within a day; [`every_day_of_the_calendar`] covers the days.
    #[test]
    fn iso_8601_time_of_day(day in 0..20_000_u64, millis in 0..86_400_000_u64) {
        let time = iso_8601_of_v7(day * 86_400_000 + millis);
        let (s, ms) = (millis / 1_000, millis % 1_000);
        prop_assert_eq!(&time[10..], format!("T{:02}:{:02}:{:02}.{ms:03}Z", s / 3600, s / 60 % 60, s % 60));
    }

    /// A microsecond is read back whichever way it was rounded to 24 bits, and whatever bits follow.
    #[test]
    fn draft_02_of_other_makers(second in 0..1_u64 << 36, micro in 0..1_000_000_u64, tail: u64) {
        let scaled = micro << 24;
        for fraction in [scaled / 1_000_000, (scaled + 500_000) / 1_000_000, scaled.div_ceil(1_000_000)] {
            let made = v7_draft_02::from_parts(second << 24 | fraction, tail);
            let time = UnixMicros(i64::try_from(second * 1_000_000 + micro).unwrap());
            prop_assert_eq!(extract_as(made, V7Layout::Draft02), Some(time));
        }
    }

    /// A finer time is truncated to the microsecond, except that the last 60 ns of a microsecond may be read as the next one.
    #[test]
    fn draft_02_of_nanosecond_makers(nanos in 0..1_000_000_000_u64) {
        let made = v7_draft_02::from_parts((nanos << 24) / 1_000_000_000, 0);
        let UnixMicros(micros) = v7_draft_02::time(made);
        let micros = u64::try_from(micros).unwrap();
        prop_assert!(micros == nanos / 1_000 || (micros == nanos / 1_000 + 1 && nanos % 1_000 > 940));
    }
}

#[test]
fn draft_02_edges() {
    let last = UnixMicros((1 << 36) * 1_000_000 - 1);
    assert_eq!(v7_draft_02::time(v7_draft_02::from_parts((1 << 60) - 1, u64::MAX)), last);
    // The last tick of a second ends with the second.
    assert_eq!(v7_draft_02::time(v7_draft_02::from_parts((1 << 24) - 1, 0)), UnixMicros(999_999));
    // The example of section 4.4.4.2: the 16 bits 0x5555 are 0.33333 s.
    let example = v7_draft_02::from_parts(0x555500, 0);
    assert_eq!(extract_as(example, V7Layout::Draft02), Some(UnixMicros(333_328)));
    // The layout does not affect version 1's time, and version 4 has no time.
    assert_eq!(extract_as(uuid(PAIRS[0].0), V7Layout::Draft02), extract(uuid(PAIRS[0].0)));
    assert_eq!(extract_as(uuid("919108f7-52d1-4320-9bac-f847db4148a8"), V7Layout::Draft02), None);
}

#[test]
fn layouts_by_name() {
    let example = v7_draft_02::from_parts(1 << 24, 0);
    for (name, time) in [("rfc9562", UnixMicros((1 << 24 >> 12) * 1_000)), ("draft-02", UnixMicros(1_000_000))] {
        let layout: V7Layout = name.parse().unwrap();
        assert_eq!((layout.name(), extract_as(example, layout)), (name, Some(time)));
    }
    assert_eq!(V7Layout::ALL.len(), 2);
}

#[test]
fn errors() {
    assert_eq!(v7::tick_from_time(UnixMicros(-1)), Err(Error::TimestampOutOfRange { version: 7 }));
    let (first, sixth) = PAIRS[0];
    let error = Error::NotOfVersion { uuid: uuid(sixth), version: 1 };
    assert!(error.to_string().contains(sixth));
    assert_eq!(v6::from_v1(uuid(sixth)), Err(error));
    assert_eq!(v6::to_v1(uuid(first)), Err(Error::NotOfVersion { uuid: uuid(first), version: 6 }));
}

/// The vectors cover the ends of the time ranges and all versions, namespaces and hashspaces, with the fields that
/// tests/crosscheck/crosscheck.py expects.
#[test]
fn vectors() {
    let mut rows = 0;
    for row in csv::Reader::from_reader(&include_bytes!("vectors/fields.csv")[..]).into_deserialize() {
        let (text, expected): (String, String) = row.unwrap();
        assert_eq!(fields(uuid(&text)), serde_json::from_str::<Value>(&expected).unwrap(), "{text}");
        rows += 1;
    }
    assert_eq!(rows, 41);
}

#[test]
fn inspect_gives_no_number_that_floating_point_cannot_hold() {
    for version in 0..16 {
        let fields = fields(versioned(version, u128::MAX));
        let numbers: Vec<u64> = fields.as_object().unwrap().values().filter_map(Value::as_u64).collect();
        assert!(numbers.contains(&u64::try_from(version).unwrap()), "{fields}");
        assert!(numbers.iter().all(|number| *number <= 1 << 53), "{fields}");
    }
}

/// Returns the last field. Parsing the JSON would take most of the time of [`every_day_of_the_calendar`].
fn time_of(uuid: Uuid) -> String {
    Fields(uuid).to_string().rsplit('"').nth(1).unwrap().to_owned()
}

fn iso_8601_of_v7(millis: u64) -> String {
    time_of(v7::from_parts(millis << 12, 0))
}

/// Counts the days by a calendar, from the first to the last that a UUID can represent: in version 6 until 1970, then in version 7.
#[test]
fn every_day_of_the_calendar() {
    const MILLIS_PER_DAY: u64 = 86_400_000;
    // From 1582-10-15 to 1970-01-01.
    const GREGORIAN_TO_UNIX_DAYS: u64 = 141_427;
    let mut days = 0;
    for year in 1582..=10889 {
        let leap_year = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        let lengths = [31, 28 + i32::from(leap_year), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        for (month, length) in (1..).zip(lengths) {
            for day in 1..=length {
                if (year, month, day) < (1582, 10, 15) || (year, month, day) > (10889, 8, 2) {
                    continue;
                }
                let date = format!("{year:04}-{month:02}-{day:02}");
                if let Some(unix_days) = u64::checked_sub(days, GREGORIAN_TO_UNIX_DAYS) {
                    assert_eq!(iso_8601_of_v7(unix_days * MILLIS_PER_DAY), format!("{date}T00:00:00.000Z"));
                } else {
                    let time = time_of(v6::from_parts(days * MILLIS_PER_DAY * 10_000, 0));
                    assert_eq!(time, format!("{date}T00:00:00.0000000Z"));
                }
                days += 1;
            }
        }
    }
    assert_eq!(days - 1 - GREGORIAN_TO_UNIX_DAYS, (v7::MAX_TICK >> 12) / MILLIS_PER_DAY, "the last day");
}

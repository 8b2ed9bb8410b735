//! Fields, conversion between versions 1 and 6, and the version 7 of draft-02.

#![allow(clippy::unwrap_used, reason = "a test fails by it")]

use proptest::prelude::*;
use rfc9562::inspect::Fields;
use rfc9562::name::{Hash, Namespace};
use rfc9562::sequence::Position;
use rfc9562::time::{Layout, UnixMicros, extract, extract_as};
use rfc9562::{DecodeError, Error, Uuid, gregorian, v1, v6, v7, v7_draft_02};
use serde_json::{Value, json};

fn uuid(text: &str) -> Uuid {
    text.parse().unwrap()
}

fn fields(uuid: Uuid) -> Value {
    serde_json::from_str(&Fields(uuid).to_string()).unwrap()
}

fn inspected(text: &str) -> Value {
    fields(uuid(text))
}

/// Versions 1 and 6 of the same moment. The drafts print the first node in the text form and the second in their tables;
/// RFC 9562 has the second throughout.
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
    /// A round trip returns the value, so no value is lost and no two values are mapped to the same one.
    #[test]
    fn v1_and_v6_are_bijective(bits: u128) {
        let (first, sixth) = (versioned(1, bits), versioned(6, bits));
        prop_assert_eq!(v6::from_v1(first).and_then(v6::to_v1), Ok(first));
        prop_assert_eq!(v6::to_v1(sixth).and_then(v6::from_v1), Ok(sixth));
        prop_assert_eq!(extract(first), extract(v6::from_v1(first).unwrap()));
        prop_assert_eq!(v6::clock_seq(first), v6::clock_seq(v6::from_v1(first).unwrap()));
        prop_assert_eq!(v6::node(first), v6::node(v6::from_v1(first).unwrap()));
    }

    /// For every tail of a sequence, the node's multicast bit is set, and the other bits are those of the tail without the last.
    #[test]
    fn a_random_node_keeps_the_tail(tick in 0..=v6::MAX_TICK, tail in 0..1_u64 << 62) {
        let position = Position { tick, tail };
        for uuid in [v1::at(position), v6::at(position)] {
            prop_assert!(gregorian::is_multicast(gregorian::node(uuid)));
            let low = uuid.to_u128() & ((1 << 62) - 1);
            prop_assert_eq!(low >> 41 << 40 | low & ((1 << 40) - 1), u128::from(tail >> 1));
        }
    }

    /// Version 6 UUIDs sort in the order of the timestamps of version 1.
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

    #[test]
    fn draft_02_time_comes_back(second in 0..1_i64 << 36, micro in 0..1_000_000_i64, tail: u64) {
        let time = UnixMicros(second * 1_000_000 + micro);
        let made = v7_draft_02::from_parts(v7_draft_02::tick_from_time(time).unwrap(), tail);
        prop_assert_eq!(made.version(), Some(7));
        prop_assert_eq!(extract_as(made, Layout::Draft02), Some(time));
    }

    /// A microsecond is read back regardless of the direction in which it was rounded to 24 bits, and of the bits that follow.
    #[test]
    fn draft_02_of_other_makers(second in 0..1_u64 << 36, micro in 0..1_000_000_u64, tail: u64) {
        let scaled = micro << 24;
        for fraction in [scaled / 1_000_000, (scaled + 500_000) / 1_000_000, scaled.div_ceil(1_000_000)] {
            let made = v7_draft_02::from_parts(second << 24 | fraction, tail);
            let time = UnixMicros(i64::try_from(second * 1_000_000 + micro).unwrap());
            prop_assert_eq!(extract_as(made, Layout::Draft02), Some(time));
        }
    }

    /// A finer clock is truncated to the microsecond, except for its last 60 ns, which are nearer to the next one.
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
    let made = v7_draft_02::from_parts(v7_draft_02::tick_from_time(last).unwrap(), u64::MAX);
    assert_eq!(extract_as(made, Layout::Draft02), Some(last));
    let refused = Err(Error::LayoutTimestampOutOfRange { layout: Layout::Draft02.name() });
    assert_eq!(v7_draft_02::tick_from_time(UnixMicros(last.0 + 1)), refused);
    assert_eq!(v7_draft_02::tick_from_time(UnixMicros(-1)), refused);
    assert_eq!(v7_draft_02::tick_from_time(UnixMicros(i64::MIN)), refused);
    assert_eq!(v7_draft_02::tick_from_time(UnixMicros(i64::MAX)), refused);
    // The last tick of a second ends where the next second begins.
    assert_eq!(v7_draft_02::time(v7_draft_02::from_parts((1 << 24) - 1, 0)), UnixMicros(999_999));
    // The example of section 4.4.4.2: 16 bits 0x5555 are 0.33333 s.
    let example = v7_draft_02::from_parts(0x555500, 0);
    assert_eq!(extract_as(example, Layout::Draft02), Some(UnixMicros(333_328)));
    // Versions 1 and 6 are the same in every layout; others contain no time.
    assert_eq!(extract_as(uuid(PAIRS[0].0), Layout::Draft02), extract(uuid(PAIRS[0].0)));
    assert_eq!(extract_as(uuid("919108f7-52d1-4320-9bac-f847db4148a8"), Layout::Draft02), None);
}

/// The names are repeated here, each with the result of its layout.
#[test]
fn layouts_by_name() {
    let example = v7_draft_02::from_parts(1 << 24, 0);
    for (name, time) in [("rfc9562", UnixMicros((1 << 24 >> 12) * 1_000)), ("draft-02", UnixMicros(1_000_000))] {
        let layout: Layout = name.parse().unwrap();
        assert_eq!((layout.name(), extract_as(example, layout)), (name, Some(time)));
        assert_eq!(name.to_uppercase().parse(), Ok(layout));
    }
    assert_eq!(Layout::ALL.len(), 2);
    assert_eq!("draft-03".parse::<Layout>().unwrap_err().to_string(), "unrecognized layout");
}

#[test]
fn errors_say_what_was_wrong() {
    let text = |error: Error| error.to_string();
    assert_eq!(
        text(v7_draft_02::tick_from_time(UnixMicros(-1)).unwrap_err()),
        "timestamp out of range for UUID version 7 of layout \"draft-02\""
    );
    assert_eq!(text(Error::SequenceExhausted { version: 7 }), "too many UUIDs of version 7 for one timestamp");
    let (first, sixth) = PAIRS[0];
    assert_eq!(text(v6::from_v1(uuid(sixth)).unwrap_err()), format!("UUID \"{sixth}\" is not version 1"));
    assert_eq!(text(v6::to_v1(uuid(first)).unwrap_err()), format!("UUID \"{first}\" is not version 6"));
    assert_eq!(DecodeError::Syntax.to_string(), "invalid input syntax for UUID");
    assert_eq!(DecodeError::Overflow.to_string(), "the number does not fit into 128 bits");
}

#[test]
fn inspect_every_version() {
    let gregorian = json!({
        "variant": "rfc9562", "clock_seq": 0x33c8, "node": "9f6bdeced846", "node_multicast": true,
        "time": "2022-02-22T19:22:22.0000000Z",
    });
    let with = |more: Value| {
        let mut all = gregorian.clone();
        all.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        all
    };
    assert_eq!(
        inspected("C232AB00-9414-11EC-B3C8-9F6BDECED846"),
        with(json!({"version": 1, "time_low": "c232ab00", "time_mid": "9414", "time_high": "1ec"}))
    );
    assert_eq!(
        inspected("1EC9414C-232A-6B00-B3C8-9F6BDECED846"),
        with(json!({"version": 6, "time_high": "1ec9414c", "time_mid": "232a", "time_low": "b00"}))
    );
    assert_eq!(inspected("00000000-0000-2000-8000-000000000000"), json!({"variant": "rfc9562", "version": 2}));
    assert_eq!(
        inspected("5df41881-3aed-3515-88a7-2f4a814cf09e"),
        json!({
            "variant": "rfc9562", "version": 3,
            "md5_high": "5df418813aed", "md5_mid": "515", "md5_low": "08a72f4a814cf09e",
        })
    );
    assert_eq!(
        inspected("919108f7-52d1-4320-9bac-f847db4148a8"),
        json!({
            "variant": "rfc9562", "version": 4,
            "random_a": "919108f752d1", "random_b": "320", "random_c": "1bacf847db4148a8",
        })
    );
    assert_eq!(
        inspected("2ed6657d-e927-568b-95e1-2665a8aea6a2"),
        json!({
            "variant": "rfc9562", "version": 5,
            "sha1_high": "2ed6657de927", "sha1_mid": "68b", "sha1_low": "15e12665a8aea6a2",
        })
    );
    assert_eq!(
        inspected("017F22E2-79B0-7CC3-98C4-DC0C0C07398F"),
        json!({
            "variant": "rfc9562", "version": 7, "time": "2022-02-22T19:22:22.000Z",
            "unix_ts_ms": 1_645_557_742_000_u64, "rand_a": "cc3", "rand_b": "18c4dc0c0c07398f",
        })
    );
    assert_eq!(
        inspected("320C3D4D-CC00-875B-8EC9-32D5F69181C0"),
        json!({
            "variant": "rfc9562", "version": 8,
            "custom_a": 0x320c_3d4d_cc00_u64, "custom_b": 0x75b, "custom_c": "0ec932d5f69181c0",
        })
    );
    for version in [0, 2, 9, 10, 11, 12, 13, 14, 15] {
        let fields = fields(versioned(version, u128::MAX));
        assert_eq!(fields, json!({"variant": "rfc9562", "version": version}));
    }
}

/// A reader that reads JSON's numbers as 64-bit floating point numbers loses no digits.
#[test]
fn inspect_gives_no_number_that_floating_point_cannot_hold() {
    for version in 0..16 {
        let fields = fields(versioned(version, u128::MAX));
        let numbers: Vec<u64> = fields.as_object().unwrap().values().filter_map(Value::as_u64).collect();
        assert!(numbers.contains(&u64::try_from(version).unwrap()), "{fields}");
        assert!(numbers.iter().all(|number| *number <= 1 << 53), "{fields}");
    }
}

#[test]
fn inspect_the_ends_of_time() {
    let time = |text| time_of(uuid(text));
    assert_eq!(time("00000000-0000-1000-8000-000000000000"), "1582-10-15T00:00:00.0000000Z");
    assert_eq!(time("ffffffff-ffff-1fff-8000-000000000000"), "5236-03-31T21:21:00.6846975Z");
    assert_eq!(time("ffffffff-ffff-6fff-8000-000000000000"), "5236-03-31T21:21:00.6846975Z");
    assert_eq!(time("00000000-0000-7000-8000-000000000000"), "1970-01-01T00:00:00.000Z");
    assert_eq!(time("ffffffff-ffff-7fff-8000-000000000000"), "10889-08-02T05:31:50.655Z");
}

fn time_of(uuid: Uuid) -> String {
    fields(uuid)["time"].as_str().unwrap().to_owned()
}

fn iso_8601_of_v7(millis: u64) -> String {
    time_of(v7::from_parts(millis << 12, 0))
}

fn iso_8601_of_v6(tick: u64) -> String {
    time_of(v6::from_parts(tick, 0))
}

/// From the first to the last day that a UUID can represent, counted as on a calendar: in version 6 until 1970, then in version
/// 7.
#[test]
fn every_day_of_the_calendar() {
    const MILLIS_PER_DAY: u64 = 86_400_000;
    let (mut year, mut month, mut day) = (1582, 10, 15);
    let mut unix_day = None;
    for gregorian_day in 0_u64.. {
        let date = format!("{year:04}-{month:02}-{day:02}");
        if (year, month, day) == (1970, 1, 1) {
            unix_day = Some(0);
        }
        match &mut unix_day {
            None => {
                let tick = gregorian_day * MILLIS_PER_DAY * 10_000;
                assert_eq!(iso_8601_of_v6(tick), format!("{date}T00:00:00.0000000Z"));
            }
            Some(day) if *day <= (v7::MAX_TICK >> 12) / MILLIS_PER_DAY => {
                assert_eq!(iso_8601_of_v7(*day * MILLIS_PER_DAY), format!("{date}T00:00:00.000Z"));
                *day += 1;
            }
            Some(_) => break,
        }
        let leap_year = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
        let length = match month {
            2 => 28 + i32::from(leap_year),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        day += 1;
        if day > length {
            (month, day) = (month + 1, 1);
        }
        if month > 12 {
            (year, month) = (year + 1, 1);
        }
    }
    assert_eq!((year, month, day), (10889, 8, 3), "the day after the last");
}

#[test]
fn inspect_known_ids() {
    assert_eq!(inspected("00000000-0000-0000-0000-000000000000"), json!({"variant": "ncs", "name": "nil"}));
    assert_eq!(inspected("ffffffff-ffff-ffff-ffff-ffffffffffff"), json!({"variant": "future", "name": "max"}));
    assert_eq!(inspected("00000000-0000-0000-c000-000000000046"), json!({"variant": "microsoft"}));
    for namespace in Namespace::ALL {
        let fields = fields(namespace.id());
        assert_eq!(fields["namespace"], namespace.name());
        assert_eq!((&fields["node"], &fields["node_multicast"]), (&json!("00c04fd430c8"), &json!(false)));
    }
    for hash in Hash::ALL {
        assert_eq!(fields(hash.hashspace())["hashspace"], hash.name());
    }
}

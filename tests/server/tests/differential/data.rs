//! The rows of a case: UUIDs of several versions around a few times.

use server_tests::oracle::{self, MAX, NIL, Time};
use server_tests::random::Random;

use super::schema::Schema;

/// A row of a case. `k` numbers the rows.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    pub k: i32,
    pub dev: i32,
    pub id: Option<u128>,
}

/// The times of a case. The values in rows, partition bounds, indexes and queries are generated around these, and often coincide.
#[derive(Clone, Debug)]
pub struct Times {
    times: Vec<Time>,
    /// The time zone whose change of offset the times surround, if any.
    zone: Option<&'static str>,
}

/// 2026-01-01 00:00:00 UTC in milliseconds since 1970.
const BASE: i64 = 1_767_225_600_000;
const DAY_MILLIS: i64 = 86_400_000;
/// The last millisecond that version 7 can represent.
const LAST_MILLI: i64 = (1 << 48) - 1;
/// Time zones, each with the Unix time in milliseconds at which its offset changes (except UTC). Some offsets change by half an
/// hour or a day, at midnight, or at times that are on another day in UTC.
const CHANGES: [(&str, i64); 14] = [
    ("UTC", BASE),
    ("Europe/Berlin", 1_774_746_000_000),
    ("Europe/Berlin", 1_792_890_000_000),
    ("America/Havana", 1_772_946_000_000),
    ("America/Havana", 1_793_509_200_000),
    ("Asia/Beirut", 1_774_735_200_000),
    ("Australia/Lord_Howe", 1_775_314_800_000),
    ("Africa/Casablanca", 1_771_120_800_000),
    ("America/Sao_Paulo", 1_541_300_400_000),
    ("Pacific/Apia", 1_325_239_200_000),
    ("Pacific/Auckland", 1_775_311_200_000),
    ("Pacific/Auckland", 1_790_431_200_000),
    ("America/Anchorage", 1_772_967_600_000),
    ("America/Anchorage", 1_793_527_200_000),
];

impl Times {
    pub fn new(random: &mut Random) -> Times {
        let step = *random.pick(&[1, 2, 1000, 3_600_000, 86_400_000, 2_678_400_000]);
        let even = (0..9).map(|n| Time::unix_millis(BASE + n * step));
        let mut times: Vec<Time> = even.collect();
        if random.percent(30) {
            let edges = [0, 1, LAST_MILLI, LAST_MILLI - 1, 32_503_680_000_000];
            times.extend(edges.map(Time::unix_millis));
        }
        let mut zone = None;
        if random.percent(40) {
            let (name, change) = *random.pick(&CHANGES);
            // Each change is within four hours of midnight, and a local time taken for UTC is off by at most fourteen hours.
            let around = |_| {
                let (days, hours) = (*random.pick(&[0, 0, 0, -1, 1]), *random.pick(&[1, 4, 14]));
                Time::unix_millis(change + days * DAY_MILLIS + 900_000 * random.between(-4 * hours, 4 * hours))
            };
            times = (0..12).map(around).collect();
            zone = Some(name);
        }
        Times { times, zone }
    }

    /// Whether the times surround the change of a zone's offset.
    pub fn are_of_zone(&self) -> bool {
        self.zone.is_some()
    }

    /// Returns the zone whose change the times surround, or sometimes another one.
    pub fn zone(&self, random: &mut Random) -> &'static str {
        self.zone.filter(|_| random.percent(80)).unwrap_or_else(|| random.pick(&CHANGES).0)
    }

    pub fn anchor(&self, random: &mut Random) -> Time {
        *random.pick(&self.times)
    }

    /// Returns a time at, before or after one of the times, or far away.
    pub fn near(&self, random: &mut Random) -> Time {
        if random.percent(6) {
            return *random.pick(&[
                Time::BEFORE_ALL,
                Time::AFTER_ALL,
                Time::FIRST,
                Time::LAST,
                Time::unix_millis(0).plus(-1),
                Time::unix_millis(-1),
                Time::unix_millis(-315_619_200_000),
                Time::unix_millis(LAST_MILLI).plus(1),
                Time::unix_millis(LAST_MILLI + 1),
                Time::unix_millis(LAST_MILLI + 1).plus(1),
            ]);
        }
        let offset = *random.pick(&[0, 0, 0, 1, -1, 1000, -1000, 500, 999, -999, 1001, 1_800_000_000]);
        self.anchor(random).plus(offset)
    }

    /// Returns a UUID of a kind, at, before or after one of the times, or elsewhere.
    pub fn uuid(&self, random: &mut Random, kind: Kind) -> u128 {
        let kind = match kind {
            Kind::Any => *random.pick(&[Kind::Ordered, Kind::Edge, Kind::Random, Kind::OtherVersion, Kind::Special]),
            kind => kind,
        };
        let at = self.near(random);
        let any = random.bytes();
        let within = |time: Time| oracle::floor(time) >> 80 << 80 | any >> 48;
        let ticks = u128::try_from(i128::from(at.0) * 10 + 131_000_000_000_000_000).unwrap_or(0) & ((1 << 60) - 1);
        match kind {
            Kind::Ordered => stamp(within(at), 7),
            Kind::Burst => stamp(within(self.anchor(random)), 7),
            Kind::Edge => {
                let floor = oracle::floor(at);
                let last = floor | !(15 << 76 | 3 << 62) & ((1 << 80) - 1);
                *random.pick(&[floor, last, floor.saturating_sub(1), floor.saturating_add(1), last.saturating_add(1)])
            }
            Kind::OtherVersion => {
                let version = *random.pick(&[0, 1, 4, 6, 8, 15]);
                *random.pick(&[stamp(within(at), version), within(at)])
            }
            Kind::Random => stamp(any, 4),
            Kind::Version6 => stamp(ticks >> 12 << 80 | (ticks & 0xFFF) << 64 | any >> 64, 6),
            Kind::Version1 => {
                let low = ticks & 0xFFFF_FFFF;
                stamp(low << 96 | (ticks >> 32 & 0xFFFF) << 80 | ticks >> 48 << 64 | any >> 64, 1)
            }
            Kind::Special => *random.pick(&[NIL, MAX, NIL + 1, MAX - 1, oracle::floor(at)]),
            Kind::Any => unreachable!("replaced above"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Ordered,
    Burst,
    Edge,
    Random,
    Version6,
    Version1,
    /// UUIDs that sort among the version 7 UUIDs of a millisecond, but have another version or variant.
    OtherVersion,
    Special,
    Any,
}

fn stamp(uuid: u128, version: u128) -> u128 {
    uuid & !(15 << 76 | 3 << 62) | version << 76 | 2 << 62
}

/// Generates rows. Some have the UUID of another row, unless UUIDs must be distinct, and some have no UUID, if that is allowed.
pub fn rows(random: &mut Random, times: &Times, schema: &Schema) -> Vec<Row> {
    let Schema { distinct, nullable, only_version_7, .. } = *schema;
    let count = *random.pick(&[0, 1, 20, 100, 250]);
    let mix: Vec<Kind> = match random.below(6) {
        // Many rows have the same time.
        _ if only_version_7 => vec![Kind::Ordered, Kind::Burst, Kind::Burst, Kind::Edge],
        0 => vec![Kind::Ordered],
        1 => vec![Kind::Ordered, Kind::Random],
        2 => vec![Kind::Burst, Kind::Edge],
        3 => vec![Kind::Version6, Kind::Version1, Kind::Ordered],
        4 => vec![Kind::Edge, Kind::OtherVersion, Kind::Special],
        _ => vec![Kind::Any, Kind::Ordered, Kind::Edge, Kind::OtherVersion],
    };
    let mut rows: Vec<Row> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for k in 0..count {
        let kind = *random.pick(&mix);
        let mut id = times.uuid(random, kind);
        while distinct && !seen.insert(id) {
            id = times.uuid(random, Kind::Ordered);
        }
        let id = if nullable && random.percent(10) { None } else { Some(id) };
        rows.push(Row { k, dev: i32::try_from(random.below(8)).expect("below 8"), id });
    }
    rows
}

/// A row of the table of times and ranges that queries join. `n` numbers the rows.
#[derive(Clone, Debug)]
pub struct Asked {
    pub n: i32,
    pub a: Option<Time>,
    pub b: Option<Time>,
    pub r: Option<oracle::Range>,
}

pub fn asked(random: &mut Random, times: &Times) -> Vec<Asked> {
    let mut asked = Vec::new();
    for n in 0..6 {
        let [a, b] = [(); 2].map(|()| random.null_or(8, |random| times.near(random)));
        asked.push(Asked { n, a, b, r: random.null_or(8, |random| range(random, times)) });
    }
    asked
}

pub fn range(random: &mut Random, times: &Times) -> oracle::Range {
    if random.percent(5) {
        return oracle::Range::Empty;
    }
    let (lower, upper) = ends(random, times);
    oracle::Range::new(lower, upper)
}

/// Returns the ends of a random range, the lower one first.
fn ends(random: &mut Random, times: &Times) -> (oracle::End, oracle::End) {
    let (a, b) = (times.near(random), times.near(random));
    let (a, b) = if random.percent(5) { (a, a) } else { (a.min(b), a.max(b)) };
    let mut end = |time: Time, usual: bool| match random.below(10) {
        0 => None,
        1..=3 => Some((time, !usual)),
        _ => Some((time, usual)),
    };
    (end(a, true), end(b, false))
}

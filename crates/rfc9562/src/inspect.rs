//! What is inside a UUID, field by field, under the names that RFC 9562 gives the fields (sections 5.1 to 5.10).
//!
//! Fields that hold numbers (versions, times, clock sequences, custom fields) are numbers here, if all their values are
//! below 2^53: JavaScript and other readers of JSON keep numbers in 64 bits of floating point. Longer fields, and bits
//! that mean nothing by themselves, are text: hexadecimal digits in lower case with leading zeros, as many as the field
//! can hold.

use core::fmt;

use serde::{Serialize, Serializer};

use crate::gregorian::{TICKS_PER_SECOND, clock_seq, is_multicast, node};
use crate::name::{Hashspace, Namespace};
use crate::{Uuid, v1, v6};

/// A UUID's fields, to be serialized as a map.
///
/// ```
/// use rfc9562::Uuid;
/// use rfc9562::inspect::inspect;
///
/// let fields = serde_json::to_value(inspect(Uuid::NIL))?;
/// assert_eq!(fields, serde_json::json!({"variant": "ncs", "name": "nil"}));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Serialize)]
pub struct Fields {
    /// The name of the variant: `ncs`, `rfc9562`, `microsoft` or `future`.
    pub variant: &'static str,
    /// The version field, which only the variant of RFC 9562 has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u8>,
    /// `nil` or `max`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<&'static str>,
    /// The well-known namespace that this UUID is the ID of: `dns`, `url`, `oid` or `x500`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub namespace: Option<&'static str>,
    /// The hash algorithm that has this UUID as its hashspace ID.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hashspace: Option<&'static str>,
    /// The fields of the version.
    #[serde(flatten)]
    pub content: Content,
}

/// What follows from the version. The fields are in the order of the layout, with what is derived from them at the end.
///
/// ```
/// use rfc9562::inspect::{Content, inspect};
/// use rfc9562::v4;
///
/// assert!(matches!(inspect(v4::from_random(1, 2)).content, Content::V4 { .. }));
/// ```
#[derive(Debug, Serialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "the variants are the versions, the fields are the RFC's")]
pub enum Content {
    /// Versions that RFC 9562 leaves to others (2) or does not define, and other variants.
    Undefined {},
    V1 {
        time_low: Hex<8>,
        time_mid: Hex<4>,
        time_high: Hex<3>,
        #[serde(flatten)]
        gregorian: Gregorian,
    },
    V3 {
        md5_high: Hex<12>,
        md5_mid: Hex<3>,
        md5_low: Hex<16>,
    },
    V4 {
        random_a: Hex<12>,
        random_b: Hex<3>,
        random_c: Hex<16>,
    },
    V5 {
        sha1_high: Hex<12>,
        sha1_mid: Hex<3>,
        sha1_low: Hex<16>,
    },
    V6 {
        time_high: Hex<8>,
        time_mid: Hex<4>,
        time_low: Hex<3>,
        #[serde(flatten)]
        gregorian: Gregorian,
    },
    V7 {
        unix_ts_ms: u64,
        rand_a: Hex<3>,
        rand_b: Hex<16>,
        /// ISO 8601, UTC, to the millisecond.
        time: String,
    },
    V8 {
        custom_a: u64,
        custom_b: u64,
        /// 62 bits: a number of JSON would lose some of them.
        custom_c: Hex<16>,
    },
}

/// What versions 1 and 6 share.
///
/// ```
/// use rfc9562::inspect::{Content, inspect};
///
/// let Content::V1 { gregorian, .. } = inspect("c232ab00-9414-11ec-b3c8-9f6bdeced846".parse()?).content else {
///     panic!("a version 1");
/// };
/// assert_eq!((gregorian.clock_seq, gregorian.node_multicast), (0x33c8, true));
/// assert_eq!(gregorian.time, "2022-02-22T19:22:22.0000000Z");
/// # Ok::<(), rfc9562::DecodeError>(())
/// ```
#[derive(Debug, Serialize)]
pub struct Gregorian {
    /// The clock sequence.
    pub clock_seq: u16,
    /// The node's 6 octets.
    pub node: Hex<12>,
    /// Whether the node has the multicast bit set, which no network card's address has (RFC 9562, section 6.10).
    pub node_multicast: bool,
    /// ISO 8601, UTC, to 100 ns.
    pub time: String,
}

/// The bits of a field, written as this many hexadecimal digits.
///
/// ```
/// use rfc9562::inspect::Hex;
///
/// assert_eq!(Hex::<4>(0xa5).to_string(), "00a5");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hex<const DIGITS: usize>(pub u64);

impl<const DIGITS: usize> fmt::Display for Hex<DIGITS> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:0DIGITS$x}", self.0)
    }
}

impl<const DIGITS: usize> Serialize for Hex<DIGITS> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Everything RFC 9562 says about this UUID.
///
/// ```
/// use rfc9562::inspect::inspect;
///
/// let fields = serde_json::to_value(inspect("017f22e2-79b0-7cc3-98c4-dc0c0c07398f".parse()?))?;
/// assert_eq!(fields["version"], 7);
/// assert_eq!(fields["time"], "2022-02-22T19:22:22.000Z");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub fn inspect(uuid: Uuid) -> Fields {
    Fields {
        variant: uuid.variant().name(),
        version: uuid.version(),
        name: match uuid {
            Uuid::NIL => Some("nil"),
            Uuid::MAX => Some("max"),
            _ => None,
        },
        namespace: Namespace::of_id(uuid).map(Namespace::name),
        hashspace: Hashspace::of_id(uuid).ok().map(|hashspace| hashspace.hash().name()),
        content: content(uuid),
    }
}

fn content(uuid: Uuid) -> Content {
    let (high, mid, low) = (uuid.high_and_mid() >> 12, uuid.high_and_mid() & 0xfff, uuid.low());
    match uuid.version() {
        Some(1) => Content::V1 {
            time_low: Hex(high >> 16),
            time_mid: Hex(high & 0xffff),
            time_high: Hex(mid),
            gregorian: gregorian(uuid, v1::tick(uuid)),
        },
        Some(3) => Content::V3 { md5_high: Hex(high), md5_mid: Hex(mid), md5_low: Hex(low) },
        Some(4) => Content::V4 { random_a: Hex(high), random_b: Hex(mid), random_c: Hex(low) },
        Some(5) => Content::V5 { sha1_high: Hex(high), sha1_mid: Hex(mid), sha1_low: Hex(low) },
        Some(6) => Content::V6 {
            time_high: Hex(high >> 16),
            time_mid: Hex(high & 0xffff),
            time_low: Hex(mid),
            gregorian: gregorian(uuid, v6::tick(uuid)),
        },
        Some(7) => {
            let time = iso8601(UNIX_DAY, high / 1_000, format_args!(".{:03}", high % 1_000));
            Content::V7 { unix_ts_ms: high, rand_a: Hex(mid), rand_b: Hex(low), time }
        }
        Some(8) => Content::V8 { custom_a: high, custom_b: mid, custom_c: Hex(low) },
        _ => Content::Undefined {},
    }
}

fn gregorian(uuid: Uuid, tick: u64) -> Gregorian {
    let node @ [a, b, c, d, e, f] = node(uuid);
    Gregorian {
        clock_seq: clock_seq(uuid),
        node: Hex(u64::from_be_bytes([0, 0, a, b, c, d, e, f])),
        node_multicast: is_multicast(node),
        time: iso8601(GREGORIAN_DAY, tick / TICKS_PER_SECOND, format_args!(".{:07}", tick % TICKS_PER_SECOND)),
    }
}

/// Days from 0000-03-01 to 1970-01-01, and to 1582-10-15, in the calendar of today.
const UNIX_DAY: u64 = 719_468;
const GREGORIAN_DAY: u64 = UNIX_DAY - 141_427;

/// ISO 8601 of the instant that is this many nanoseconds after 1970-01-01, with this many digits after the decimal point
/// of the second. It must not be before the year 1.
pub(crate) fn iso8601_of_nanos(nanos: i128, digits: usize) -> String {
    const NANOS_PER_SECOND: i128 = 1_000_000_000;

    // Days from 0000-03-01 on are not negative.
    let seconds = nanos.div_euclid(NANOS_PER_SECOND) + i128::from(UNIX_DAY * 86_400);
    let nanos = format!(".{:09}", nanos.rem_euclid(NANOS_PER_SECOND));
    let fraction = if digits == 0 { "" } else { &nanos[..=digits] };
    iso8601(0, u64::try_from(seconds).unwrap_or(0), format_args!("{fraction}"))
}

/// ISO 8601 of the instant that is this many seconds after a day, with what follows the second. Years after 9999 have
/// more digits and no sign, as PostgreSQL writes and reads them.
fn iso8601(epoch_day: u64, seconds: u64, fraction: fmt::Arguments<'_>) -> String {
    const SECONDS_PER_DAY: u64 = 86_400;
    const DAYS_PER_400_YEARS: u64 = 146_097;
    const DAYS_PER_100_YEARS: u64 = 36_524;
    const DAYS_PER_4_YEARS: u64 = 1_461;

    // Years that begin in March end with the leap day, so the months before it have the same lengths each year.
    let day = epoch_day + seconds / SECONDS_PER_DAY;
    let (era, day_of_era) = (day / DAYS_PER_400_YEARS, day % DAYS_PER_400_YEARS);
    // The last day of a 4-year or 400-year cycle is the 366th of its last year: subtract the leap days passed.
    let year_of_era = (day_of_era - day_of_era / (DAYS_PER_4_YEARS - 1) + day_of_era / DAYS_PER_100_YEARS
        - day_of_era / (DAYS_PER_400_YEARS - 1))
        / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // March to July and August to December have 153 days each.
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day_of_month = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = era * 400 + year_of_era + u64::from(month <= 2);

    let time = seconds % SECONDS_PER_DAY;
    let (hour, minute, second) = (time / 3_600, time / 60 % 60, time % 60);
    format!("{year:04}-{month:02}-{day_of_month:02}T{hour:02}:{minute:02}:{second:02}{fraction}Z")
}

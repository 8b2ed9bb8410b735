//! UUID version 6: Gregorian time, most significant bits first (RFC 9562, section 5.6), and the conversions from
//! version 1 and back. What it shares with version 1 is in [`gregorian`] and re-exported here.
//!
//! ```text
//!  0                   1                   2                   3
//!  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! |                           time_high                           |
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! |           time_mid            |  ver  |       time_low        |
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! |var|         clock_seq         |             node              |
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! |                              node                             |
//! +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//! ```

use crate::gregorian::TICKS_PER_MICRO;
pub use crate::gregorian::{MAX_TICK, clock_seq, node, tick_of_clock, tick_of_time};
use crate::instant::UnixMicros;
use crate::sequence::Position;
use crate::{Error, Uuid, gregorian, v1};

/// The version 6 UUID of a tick of 100 ns since 1582-10-15 (60 bits), a clock sequence (14 bits) and a node (48 bits),
/// the last two as `clock_seq << 48 | node`. Higher bits are ignored.
///
/// ```
/// use rfc9562::v6;
///
/// let uuid = v6::from_parts(0x1ec9414_c232_ab00, 0x33c8 << 48 | 0x9f6bdeced846);
/// assert_eq!(uuid.to_string(), "1ec9414c-232a-6b00-b3c8-9f6bdeced846");
/// ```
pub const fn from_parts(tick: u64, clock_seq_and_node: u64) -> Uuid {
    Uuid::stamped(6, tick, clock_seq_and_node)
}

/// The version 6 UUID at this position of a sequence, with a random node (RFC 9562, section 6.10). Positions and their
/// UUIDs are in the same order, if tails differ in more than the last bit.
///
/// ```
/// use core::time::Duration;
/// use rfc9562::sequence::Sequence;
/// use rfc9562::{gregorian, v6};
///
/// let mut sequence = Sequence::new(6);
/// let tick = gregorian::tick_of_clock(Duration::from_secs(1_645_557_742))?;
/// let first = v6::at(sequence.next(tick, 0x1234)?);
/// let second = v6::at(sequence.next(tick, 0x4321)?);
/// assert!(first < second);
/// assert!(gregorian::is_multicast(v6::node(first)));
/// # Ok::<(), rfc9562::Error>(())
/// ```
pub const fn at(position: Position) -> Uuid {
    from_parts(position.tick, gregorian::random_node(position.tail))
}

/// The timestamp field of a version 6 UUID: intervals of 100 ns since 1582-10-15 00:00:00 UTC.
///
/// ```
/// use rfc9562::{Uuid, v6};
///
/// let uuid: Uuid = "1ec9414c-232a-6b00-b3c8-9f6bdeced846".parse()?;
/// assert_eq!(v6::tick(uuid), 0x1ec9414_c232_ab00);
/// # Ok::<(), rfc9562::DecodeError>(())
/// ```
pub const fn tick(uuid: Uuid) -> u64 {
    uuid.high_and_mid()
}

/// The version 6 UUID of the same time, clock sequence and node as a version 1 UUID. Nothing is lost: [`to_v1`] gives
/// the argument back.
///
/// ```
/// use rfc9562::{Uuid, v6};
///
/// let first: Uuid = "c232ab00-9414-11ec-b3c8-9f6bdeced846".parse()?;
/// assert_eq!(v6::from_v1(first)?.to_string(), "1ec9414c-232a-6b00-b3c8-9f6bdeced846");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub const fn from_v1(uuid: Uuid) -> Result<Uuid, Error> {
    match uuid.version() {
        Some(1) => Ok(from_parts(v1::tick(uuid), uuid.low())),
        _ => Err(Error::NotOfVersion { uuid, version: 1 }),
    }
}

/// The version 1 UUID of the same time, clock sequence and node as a version 6 UUID. Nothing is lost: [`from_v1`] gives
/// the argument back.
///
/// ```
/// use rfc9562::{Uuid, v6};
///
/// let sixth: Uuid = "1ec9414c-232a-6b00-b3c8-9f6bdeced846".parse()?;
/// assert_eq!(v6::to_v1(sixth)?.to_string(), "c232ab00-9414-11ec-b3c8-9f6bdeced846");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub const fn to_v1(uuid: Uuid) -> Result<Uuid, Error> {
    match uuid.version() {
        Some(6) => Ok(v1::from_parts(tick(uuid), uuid.low())),
        _ => Err(Error::NotOfVersion { uuid, version: 6 }),
    }
}

/// The smallest version 6 UUID of this microsecond, in the first of its ten ticks.
///
/// ```
/// use rfc9562::time::{self, UnixMicros};
/// use rfc9562::v6;
///
/// let noon = UnixMicros(1_645_531_200_000_000);
/// assert_eq!(time::extract(v6::floor(noon)?), Some(noon));
/// assert!(v6::floor(noon)? < v6::ceil(noon)?);
/// # Ok::<(), rfc9562::Error>(())
/// ```
pub fn floor(time: UnixMicros) -> Result<Uuid, Error> {
    tick_of_time(time).map(|tick| from_parts(tick, 0))
}

/// The largest version 6 UUID of this microsecond, in the last of its ten ticks. (The last microsecond of all has six.)
///
/// ```
/// use rfc9562::time::UnixMicros;
/// use rfc9562::v6;
///
/// let noon = UnixMicros(1_645_531_200_000_000);
/// assert!(v6::ceil(noon)? < v6::floor(UnixMicros(noon.0 + 1))?);
/// # Ok::<(), rfc9562::Error>(())
/// ```
pub fn ceil(time: UnixMicros) -> Result<Uuid, Error> {
    // Cannot overflow: the tick has 60 bits.
    tick_of_time(time).map(|tick| from_parts((tick + TICKS_PER_MICRO - 1).min(MAX_TICK), u64::MAX))
}

//! UUID version 7 as draft-peabody-dispatch-new-uuid-format-02 (October 2021, section 4.4) defined it and libraries generated it in
//! 2021 and 2022: Unix time in seconds, then a binary fraction of the second.
//!
//! ```text
//! unixts (36) | subsec_a (12) | ver (4) | subsec_b (12) | var (2) | subsec_seq_node (62)
//! ```
//!
//! Such a UUID cannot be distinguished from one of RFC 9562, so a reader has to know the layout. The generator chooses how many
//! bits after `unixts` are time, and how many are sequence or random. The draft allows a reader to interpret any number of bits
//! as time; this module interprets the 24 bits of `subsec_a` and `subsec_b`, to the microsecond. If a generator stored only
//! milliseconds, in 12 bits, the first bits of its sequence are read as up to 244 microseconds.
//!
//! A tick is the second with its 24-bit fraction: a 60-bit number in units of 1/16777216 s. The functions re-exported from
//! [`v7`](crate::v7) set and read the tick, which has the same bits there.

use crate::Uuid;
use crate::instant::UnixMicros;
pub use crate::v7::{from_parts, tick};

const FRACTION_BITS: u32 = 24;
const FRACTIONS_PER_SECOND: u64 = 1 << FRACTION_BITS;
const MICROS_PER_SECOND: u64 = 1_000_000;

/// Returns the last microsecond that overlaps with a UUID's tick.
///
/// Because a tick is about 1/17 of a microsecond, this is the microsecond that the generator encoded, whether it rounded the
/// fraction down, up or to the nearest. (If it rounded down, the tick may begin in the previous microsecond.)
pub const fn time(uuid: Uuid) -> UnixMicros {
    let tick = tick(uuid);
    let fraction = tick % FRACTIONS_PER_SECOND;
    // Cannot overflow: 2^24 * 10^6 has 44 bits, and a 36-bit number times 10^6 has 56.
    let micros = ((fraction + 1) * MICROS_PER_SECOND - 1) >> FRACTION_BITS;
    UnixMicros(((tick >> FRACTION_BITS) * MICROS_PER_SECOND + micros).cast_signed())
}

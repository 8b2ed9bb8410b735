//! Sonyflake (sony/sonyflake): a number of 64 bits that counts tens of milliseconds, and has the sequence before the machine.
//!
//! ```text
//! | 0 |-------- 39: 10 ms since 2014-09-01 (version 1) or 2025-01-01 (version 2) --------| 8: sequence | 16: machine |
//! ```
//!
//! Text: the number without zeros in front, which sorts among those of the same length only.
//!
//! Nothing in the number tells version 1 from 2, nor from a start of one's own. A start is floored to 10 ms since 1970, as both
//! versions do. Widths and units other than these, which version 2 can be told to use, and what goes by the same name
//! elsewhere with the machine before the sequence (python-sonyflake-turbo) or in units of 1 ms (thedv91/sonyflake), are not read.

use super::Layout;
use super::clock::Clock;
use super::field::Field;
use super::snowflake::TWITTER;

pub(super) static V1: Layout = Layout {
    clock: Clock::milliseconds(10, 1_409_529_600_000).taking_epoch(),
    time: &[Field::number("timestamp", 39)],
    rest: &[Field::number("sequence", 8), Field::number("machine", 16)],
    ..TWITTER
};

pub(super) static V2: Layout = Layout { clock: Clock::milliseconds(10, 1_735_689_600_000).taking_epoch(), ..V1 };

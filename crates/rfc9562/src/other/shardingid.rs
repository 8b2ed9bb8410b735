//! ShardingID (Instagram Engineering, "Sharding & IDs at Instagram"): a number of 64 bits, made in PL/pgSQL.
//!
//! ```text
//! |------------- 41: ms since 2011-08-24 --------------| 13: shard | 10: sequence mod 1024 |
//! ```
//!
//! Text: the number without zeros in front, which sorts among those of the same length only.
//!
//! Everyone who copied it has an epoch of his own. Slip: the article's prose says that the epoch is 2011-01-01. Its SQL has
//! 1314220021721, and only that fits the time of its example. As a bigint the number is negative from 2046-06-27 on.

use super::Layout;
use super::clock::Clock;
use super::field::Field;
use super::snowflake::TWITTER;

pub(super) static LAYOUT: Layout = Layout {
    clock: Clock::milliseconds(1, 1_314_220_021_721).taking_epoch(),
    time: &[Field::number("timestamp", 41)],
    rest: &[Field::number("shard", 13), Field::number("sequence", 10)],
    ..TWITTER
};

//! Snowflake (twitter-archive/snowflake, tag `snowflake-2010`), and what others made of it: a number of 64 bits.
//!
//! ```text
//! Twitter    | 0 |------ 41: ms since 2010-11-04 ------| 5: datacenter | 5: worker  | 12: sequence  |
//! Discord    |---------- 42: ms since 2015-01-01 ------| 5: worker     | 5: process | 12: increment |
//! LinkedIn   |---------- 42: ms since 1970 ------------| 22, not documented                         |
//! pgEdge     | 0 |------ 41: ms since 2023-01-01 ------| 10: node                   | 12: counter   |
//! Mastodon   |-------------- 48: ms since 1970 --------------------| 16: sequence                   |
//! ```
//!
//! Text: the number without zeros in front. It sorts among numbers of the same length only: Twitter's have 19 digits since
//! 2018-05-25, Discord's since 2022-07-22.
//!
//! Nothing in the number tells whose it is, nor from when on it counts. Slips: X prints `10765432100123456789`, which is above
//! 2^63 and no id. Twitter's ids below some 3 * 10^10 are older than Snowflake, have no time, and show the first seconds of the epoch
//! here. Mastodon's have the time of the transaction, rounded, and for posts from elsewhere the second when those
//! were made with a random millisecond. pgEdge had the counter before the node until 2024-03-30; ids of both have the same time and order. The
//! numbers of Discord and LinkedIn have no sign: as a bigint they will be negative from 2084 and 2039 on.

use super::carried::Carried;
use super::clock::Clock;
use super::field::Field;
use super::{Form, Layout, Type};

pub(super) static TWITTER: Layout = Layout {
    clock: Clock::milliseconds(1, 1_288_834_974_657).taking_epoch(),
    time: &[Field::number("timestamp", 41)],
    rest: &[Field::number("datacenter", 5), Field::number("worker", 5), Field::number("sequence", 12)],
    types: &[Type::Bigint],
    octets: 8,
    sorts: true,
    sorted_text: 0,
    form: Form::Number,
    carried: Carried::Version7,
};

pub(super) static DISCORD: Layout = Layout {
    clock: Clock::milliseconds(1, 1_420_070_400_000),
    time: &[Field::number("timestamp", 42)],
    rest: &[Field::number("worker", 5), Field::number("process", 5), Field::number("increment", 12)],
    ..TWITTER
};

pub(super) static LINKEDIN: Layout = Layout {
    clock: Clock::milliseconds(1, 0),
    time: &[Field::number("timestamp", 42)],
    rest: &[Field::hex("rest", 22)],
    ..TWITTER
};

pub(super) static PGEDGE: Layout = Layout {
    clock: Clock::milliseconds(1, 1_672_531_200_000),
    rest: &[Field::number("node", 10), Field::number("counter", 12)],
    ..TWITTER
};

pub(super) static MASTODON: Layout = Layout {
    clock: Clock::milliseconds(1, 0),
    time: &[Field::number("timestamp", 48)],
    rest: &[Field::number("sequence", 16)],
    ..TWITTER
};

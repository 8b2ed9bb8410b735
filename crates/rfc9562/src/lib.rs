//! UUIDs as RFC 9562 and its drafts define them.
//!
//! The crate generates, orders, encodes, inspects and seals UUIDs, and reads and converts similar IDs. Callers pass time and
//! randomness as arguments, so every rule can be tested with a simulated clock.
//!
//! ```
//! use core::time::Duration;
//! use rfc9562::sequence::Sequence;
//! use rfc9562::{time, v7};
//!
//! // The caller provides a clock and randomness.
//! let (clock, random) = (Duration::from_millis(1_645_557_742_000), 0x123456789abcdef);
//! let mut sequence = Sequence::new(7);
//! let uuid = v7::at(sequence.next(v7::tick_from_clock(clock)?, random)?);
//! assert_eq!(time::extract(uuid), Some(time::UnixMicros(1_645_557_742_000_000)));
//! # Ok::<(), rfc9562::Error>(())
//! ```

#![no_std]
#![forbid(unsafe_code)]
#![deny(missing_docs)]

extern crate alloc;

mod error;
mod field;
pub mod gregorian;
pub mod inspect;
mod instant;
mod layout;
pub mod name;
mod named;
pub mod nanosecond;
pub mod node;
pub mod other;
pub mod seal;
pub mod sequence;
pub mod text;
pub mod time;
pub mod time_order;
pub mod v1;
pub mod v3;
pub mod v4;
pub mod v5;
pub mod v6;
pub mod v7;
pub mod v7_draft_02;
pub mod v8;
pub mod window;

pub use error::{DecodeError, Error};
pub use layout::{Uuid, Variant};

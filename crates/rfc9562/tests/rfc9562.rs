//! All tests of the crate but the fuzzing test, in one program, because linking several would take longer.

#![allow(clippy::unwrap_used, reason = "a panic fails the test")]

mod canonical_text;
mod fields;
mod names;
mod nanosecond;
mod node;
mod other;
mod seal;
mod sequence;
mod text;
mod time;
mod time_order;
mod typeid;
mod window;

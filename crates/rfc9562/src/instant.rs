//! An instant, as timestamps of UUIDs are computed from it.

/// An instant in microseconds since 1970-01-01 00:00:00 UTC; before it, negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixMicros(pub i64);

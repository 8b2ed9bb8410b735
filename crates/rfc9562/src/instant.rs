//! An instant, from which timestamps of UUIDs are computed.

/// An instant in microseconds since 1970-01-01 00:00:00 UTC; negative before that.
///
/// ```
/// use rfc9562::time::UnixMicros;
///
/// // 2022-02-22 19:22:22 UTC
/// let time = UnixMicros(1_645_557_742_000_000);
/// assert!(time > UnixMicros(0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnixMicros(pub i64);

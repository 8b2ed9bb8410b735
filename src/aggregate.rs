//! The aggregates `min(uuid)` and `max(uuid)`, in the order of the type's own operators.

use pgrx::pg_sys::Datum;

use crate::bare_function::bare_function;

/// The octets of a `uuid` in place. A function of two that returns one of them returns the datum itself and no copy: it
/// is called for every row, and an aggregate that gets its own state back has nothing to copy either.
type Octets = [u8; 16];

bare_function!(uuid_least, |first: &Octets, second: &Octets| {
    Datum::from(std::ptr::from_ref(if first <= second { first } else { second }))
});
bare_function!(uuid_greatest, |first: &Octets, second: &Octets| {
    Datum::from(std::ptr::from_ref(if first >= second { first } else { second }))
});

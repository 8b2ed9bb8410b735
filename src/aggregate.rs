//! The aggregates `min(uuid)` and `max(uuid)`, in the order of the type's own operators.

use pgrx::pg_sys::Datum;

use crate::bare_function::bare_function;

/// Borrows the bytes of a `uuid`. The result is the datum of an argument, not a copy: it is computed for every row, and an
/// aggregate whose transition function returns the current state need not copy that state either.
type Bytes = [u8; 16];

bare_function!(uuid_least, |first: &Bytes, second: &Bytes| {
    Datum::from(std::ptr::from_ref(if first <= second { first } else { second }))
});
bare_function!(uuid_greatest, |first: &Bytes, second: &Bytes| {
    Datum::from(std::ptr::from_ref(if first >= second { first } else { second }))
});

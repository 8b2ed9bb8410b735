//! The operator class `uuid_time_ops`: UUIDs in the order of the time inside them. This file also contains the functions of
//! `min(uuid)` and `max(uuid)`, which use the order of the type's own operators.
//!
//! The order is that of the pair (time, bytes); a UUID without a time has the time `-infinity`. Two UUIDs are equal if their bytes
//! are, as with PostgreSQL's own `=`. `sql/uuidrfc.sql` uses the functions below to define the operators and the class, and
//! explains the position of a timestamptz in the order.
//!
//! PostgreSQL calls these functions for every comparison or row, so they have no guard. None of them panics. Only the PostgreSQL
//! functions that `uuid_time_in_range` calls raise errors, and its frames own nothing.

use std::cmp::Ordering;
use std::ffi::c_int;
use std::ptr;

use pgrx::pg_sys::{self, Datum, Interval, SortSupport, SortSupportData};
use rfc9562::{Uuid, time, time_order};

use crate::datum::{Timestamptz, uuid_value};
use crate::raw;
#[cfg(unsigned_comparator)]
use crate::raw::ssup_datum_unsigned_cmp as compare_abbreviations;
use crate::unguarded_function::unguarded_function;

/// Returns the time inside a UUID as a timestamptz, or `-infinity` if there is none.
#[inline]
pub fn time_of(uuid: Uuid) -> i64 {
    time::extract(uuid).map_or(i64::MIN, |instant| Timestamptz::from(instant).0)
}

/// Compares a UUID with a timestamptz, which it never equals; see `sql/uuidrfc.sql`.
#[inline]
fn side(uuid: Uuid, time: Timestamptz) -> Ordering {
    if time_of(uuid) < time.0 { Ordering::Less } else { Ordering::Greater }
}

unguarded_function!(uuid_time_lt, |one: Uuid, other: Uuid| time_order::compare(one, other).is_lt());
unguarded_function!(uuid_time_le, |one: Uuid, other: Uuid| time_order::compare(one, other).is_le());
unguarded_function!(uuid_time_ge, |one: Uuid, other: Uuid| time_order::compare(one, other).is_ge());
unguarded_function!(uuid_time_gt, |one: Uuid, other: Uuid| time_order::compare(one, other).is_gt());
unguarded_function!(uuid_time_cmp, |one: Uuid, other: Uuid| time_order::compare(one, other) as i32);

unguarded_function!(uuid_time_lt_timestamptz, |uuid: Uuid, time: Timestamptz| side(uuid, time).is_lt());
unguarded_function!(uuid_time_ge_timestamptz, |uuid: Uuid, time: Timestamptz| side(uuid, time).is_gt());
unguarded_function!(uuid_time_cmp_timestamptz, |uuid: Uuid, time: Timestamptz| side(uuid, time) as i32);
unguarded_function!(timestamptz_gt_uuid_time, |time: Timestamptz, uuid: Uuid| side(uuid, time).is_lt());
unguarded_function!(timestamptz_le_uuid_time, |time: Timestamptz, uuid: Uuid| side(uuid, time).is_gt());
unguarded_function!(timestamptz_cmp_uuid_time, |time: Timestamptz, uuid: Uuid| side(uuid, time).reverse() as i32);
unguarded_function!(uuid_time_never_equal, || false);

unguarded_function!(uuid_time_next, |time: Timestamptz| time.next());

// For window frames with RANGE and an interval, which is added to or subtracted from the time inside the current row's UUID.
unguarded_function!(uuid_time_in_range, |value: Uuid, base: Uuid, offset: &Interval, subtracted: bool, less: bool| {
    is_in_range(value, base, offset, subtracted, less)
});

#[allow(unsafe_code)]
#[inline]
fn is_in_range(value: Uuid, base: Uuid, offset: &Interval, subtracted: bool, less: bool) -> bool {
    let [value, base] = [value, base].map(|uuid| Datum::from(time_of(uuid)));
    let in_range: pg_sys::PGFunction = Some(raw::in_range_timestamptz_interval);
    let (offset, subtracted, less) = (Datum::from(ptr::from_ref(offset)), subtracted.into(), less.into());
    // SAFETY: the function takes these types, and returns a boolean. No frame from here to PostgreSQL owns anything.
    let found =
        unsafe { raw::DirectFunctionCall5Coll(in_range, pg_sys::InvalidOid, value, base, offset, subtracted, less) };
    found.value() != 0
}

unguarded_function!(uuid_time_sortsupport, |sort: &mut SortSupportData| {
    sort.comparator = Some(compare_datums);
    if sort.abbreviate {
        sort.comparator = Some(compare_abbreviations);
        sort.abbrev_converter = Some(abbreviate_datum);
        sort.abbrev_abort = Some(never_abort);
        sort.abbrev_full_comparator = Some(compare_datums);
    }
});

#[allow(unsafe_code)]
unsafe extern "C-unwind" fn compare_datums(a: Datum, b: Datum, _: SortSupport) -> c_int {
    // SAFETY: tuplesort passes the datums that it sorts, which are of type `uuid` and not null.
    let order = unsafe { time_order::compare(uuid_value(a), uuid_value(b)) };
    order as i32
}

#[allow(unsafe_code)]
unsafe extern "C-unwind" fn abbreviate_datum(original: Datum, _: SortSupport) -> Datum {
    // SAFETY: tuplesort passes the datums that it sorts, which are of type `uuid` and not null.
    Datum::from(time_order::abbreviate(unsafe { uuid_value(original) }))
}

/// Never stops abbreviation. Abbreviated keys pay off even if many are equal, because each is computed once, in a few
/// nanoseconds, and comparing them is cheap.
extern "C-unwind" fn never_abort(_: c_int, _: SortSupport) -> bool {
    false
}

#[cfg(not(unsigned_comparator))]
extern "C-unwind" fn compare_abbreviations(a: Datum, b: Datum, _: SortSupport) -> c_int {
    a.value().cmp(&b.value()) as i32
}

/// The bytes of a `uuid`. The functions below run for every row, so they return the datum of an argument instead of a copy.
/// PostgreSQL does not copy an aggregate's state either if the transition function returns it.
type UuidBytes = [u8; 16];

unguarded_function!(uuid_least, |one: &UuidBytes, other: &UuidBytes| Datum::from(ptr::from_ref(one.min(other))));
unguarded_function!(uuid_greatest, |one: &UuidBytes, other: &UuidBytes| Datum::from(ptr::from_ref(one.max(other))));

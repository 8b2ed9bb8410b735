//! The operator class `uuid_time_ops`: UUIDs in the order of the time inside them.
//!
//! The order is that of the pair (time, octets), where a UUID that carries no time has the time `-infinity`; equal is
//! what core's `=` says, the same octets. `sql/time_ops.sql` makes operators and the class of the functions below, and
//! says how a timestamptz fits into the order.
//!
//! An index calls these functions for every comparison, so they are bare: nothing in them raises or panics, but what
//! PostgreSQL's own functions raise in `in_range`, past a frame that owns nothing to drop.
#![allow(unsafe_code)]

use std::cmp::Ordering;
use std::ffi::c_int;

use pgrx::pg_sys::{self, Datum, FunctionCallInfo, SortSupport};
use rfc9562::{Uuid, time, time_order};

use crate::bare_function::{Call, bare_function};
use crate::datum::{Timestamptz, uuid_value};

/// The time inside a UUID as a timestamptz, `-infinity` if it carries none.
#[inline]
pub fn time_of(uuid: Uuid) -> i64 {
    time::extract(uuid).map_or(i64::MIN, |instant| Timestamptz::from(instant).0)
}

/// Where a UUID stands to a timestamptz: never equal, see `sql/time_ops.sql`.
#[inline]
fn side(uuid: Uuid, time: i64) -> Ordering {
    if time_of(uuid) < time { Ordering::Less } else { Ordering::Greater }
}

/// What comparison functions return: negative, zero or positive.
#[inline]
fn sign(ordering: Ordering) -> i32 {
    ordering as i32
}

#[inline]
unsafe fn compared(call: &Call) -> Ordering {
    // SAFETY: the caller declares both arguments `uuid`.
    unsafe { time_order::compare(call.uuid(0), call.uuid(1)) }
}

bare_function!(uuid_time_lt_wrapper, pg_finfo_uuid_time_lt_wrapper, |call| compared(&call).is_lt());
bare_function!(uuid_time_le_wrapper, pg_finfo_uuid_time_le_wrapper, |call| compared(&call).is_le());
bare_function!(uuid_time_ge_wrapper, pg_finfo_uuid_time_ge_wrapper, |call| compared(&call).is_ge());
bare_function!(uuid_time_gt_wrapper, pg_finfo_uuid_time_gt_wrapper, |call| compared(&call).is_gt());
bare_function!(uuid_time_cmp_wrapper, pg_finfo_uuid_time_cmp_wrapper, |call| sign(compared(&call)));

bare_function!(uuid_time_lt_timestamptz_wrapper, pg_finfo_uuid_time_lt_timestamptz_wrapper, |call| {
    side(call.uuid(0), call.time(1).0).is_lt()
});
bare_function!(uuid_time_ge_timestamptz_wrapper, pg_finfo_uuid_time_ge_timestamptz_wrapper, |call| {
    side(call.uuid(0), call.time(1).0).is_gt()
});
bare_function!(uuid_time_cmp_timestamptz_wrapper, pg_finfo_uuid_time_cmp_timestamptz_wrapper, |call| {
    sign(side(call.uuid(0), call.time(1).0))
});
bare_function!(timestamptz_gt_uuid_time_wrapper, pg_finfo_timestamptz_gt_uuid_time_wrapper, |call| {
    side(call.uuid(1), call.time(0).0).is_lt()
});
bare_function!(timestamptz_le_uuid_time_wrapper, pg_finfo_timestamptz_le_uuid_time_wrapper, |call| {
    side(call.uuid(1), call.time(0).0).is_gt()
});
bare_function!(timestamptz_cmp_uuid_time_wrapper, pg_finfo_timestamptz_cmp_uuid_time_wrapper, |call| {
    sign(side(call.uuid(1), call.time(0).0).reverse())
});
bare_function!(uuid_time_never_equal_wrapper, pg_finfo_uuid_time_never_equal_wrapper, |_call| false);

bare_function!(uuid_time_next_wrapper, pg_finfo_uuid_time_next_wrapper, |call| call.time(0).next().0);

unsafe extern "C-unwind" {
    // PostgreSQL's own, without the guard of pgrx's bindings: they may raise, and frames between own nothing.
    fn DirectFunctionCall5Coll(
        function: pg_sys::PGFunction,
        collation: pg_sys::Oid,
        argument_1: Datum,
        argument_2: Datum,
        argument_3: Datum,
        argument_4: Datum,
        argument_5: Datum,
    ) -> Datum;
    fn in_range_timestamptz_interval(call: FunctionCallInfo) -> Datum;
    /// As a pointer: tuplesort knows this comparator and has a sort of its own for it.
    #[cfg(not(feature = "pg14"))]
    fn ssup_datum_unsigned_cmp(a: Datum, b: Datum, sort: SortSupport) -> c_int;
}

// Window frames by RANGE with an interval: those of the times, as core's for timestamptz.
bare_function!(uuid_time_in_range_wrapper, pg_finfo_uuid_time_in_range_wrapper, |call| {
    DirectFunctionCall5Coll(
        Some(in_range_timestamptz_interval),
        pg_sys::InvalidOid,
        Datum::from(time_of(call.uuid(0))),
        Datum::from(time_of(call.uuid(1))),
        call.datum(2),
        call.datum(3),
        call.datum(4),
    )
});

bare_function!(uuid_time_sortsupport_wrapper, pg_finfo_uuid_time_sortsupport_wrapper, |call| {
    // SAFETY: the argument is a SortSupport; no other way leads to a function that takes `internal`.
    let sort = &mut *call.datum(0).cast_mut_ptr::<pg_sys::SortSupportData>();
    sort.comparator = Some(compare_datums);
    if sort.abbreviate {
        sort.comparator = Some(ABBREVIATIONS_COMPARATOR);
        sort.abbrev_converter = Some(abbreviate_datum);
        sort.abbrev_abort = Some(never_abort);
        sort.abbrev_full_comparator = Some(compare_datums);
    }
    0_usize
});

unsafe extern "C-unwind" fn compare_datums(a: Datum, b: Datum, _: SortSupport) -> c_int {
    // SAFETY: tuplesort passes what it sorts, `uuid` datums that are not null.
    sign(unsafe { time_order::compare(uuid_value(a), uuid_value(b)) })
}

unsafe extern "C-unwind" fn abbreviate_datum(original: Datum, _: SortSupport) -> Datum {
    // SAFETY: as above.
    Datum::from(time_order::abbreviate(unsafe { uuid_value(original) }))
}

/// Abbreviations pay even when many are equal: one costs a few nanoseconds to make, once, and comparing two costs
/// nothing beside the comparison of UUIDs that follows.
unsafe extern "C-unwind" fn never_abort(_: c_int, _: SortSupport) -> bool {
    false
}

#[cfg(not(feature = "pg14"))]
const ABBREVIATIONS_COMPARATOR: unsafe extern "C-unwind" fn(Datum, Datum, SortSupport) -> c_int =
    ssup_datum_unsigned_cmp;
#[cfg(feature = "pg14")]
const ABBREVIATIONS_COMPARATOR: unsafe extern "C-unwind" fn(Datum, Datum, SortSupport) -> c_int = {
    unsafe extern "C-unwind" fn compare(a: Datum, b: Datum, _: SortSupport) -> c_int {
        sign(a.value().cmp(&b.value()))
    }
    compare
};

mod skip {
    //! Skip support: the ends of the order and the steps between neighbours, for the skip scans of PostgreSQL 18 and
    //! later. The function is there before, and no index calls it.

    use super::{Datum, Uuid, bare_function, pg_sys, time_order, uuid_value};
    use crate::datum::uuid_datum;

    type Step = unsafe extern "C-unwind" fn(pg_sys::Relation, Datum, *mut bool) -> Datum;

    /// `SkipSupportData` of PostgreSQL's `utils/skipsupport.h`.
    #[repr(C)]
    struct SkipSupport {
        low_elem: Datum,
        high_elem: Datum,
        decrement: Step,
        increment: Step,
    }

    bare_function!(uuid_time_skipsupport_wrapper, pg_finfo_uuid_time_skipsupport_wrapper, |call| {
        // SAFETY: the argument is a SkipSupport; no other way leads to a function that takes `internal`.
        let skip = &mut *call.datum(0).cast_mut_ptr::<SkipSupport>();
        skip.low_elem = uuid_datum(time_order::FIRST);
        skip.high_elem = uuid_datum(time_order::LAST);
        skip.decrement = decrement;
        skip.increment = increment;
        0_usize
    });

    unsafe extern "C-unwind" fn decrement(_: pg_sys::Relation, from: Datum, overflow: *mut bool) -> Datum {
        // SAFETY: the index passes a `uuid` that is not null and a bool to write to.
        unsafe { stepped(time_order::previous(uuid_value(from)), overflow) }
    }

    unsafe extern "C-unwind" fn increment(_: pg_sys::Relation, from: Datum, overflow: *mut bool) -> Datum {
        // SAFETY: as above.
        unsafe { stepped(time_order::next(uuid_value(from)), overflow) }
    }

    unsafe fn stepped(neighbour: Option<Uuid>, overflow: *mut bool) -> Datum {
        // SAFETY: the caller's pointer to a bool.
        unsafe { overflow.write(neighbour.is_none()) };
        neighbour.map_or(Datum::null(), uuid_datum)
    }
}

pgrx::extension_sql_file!("../sql/time_ops.sql", name = "time_ops");

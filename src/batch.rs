//! Many new UUIDs at a time: as rows, or as one array.

use pgrx::pg_sys::{self, Datum, FunctionCallInfo};
use rfc9562::{Uuid, v7};

use crate::backend::with_generator;
use crate::bare_function::{Argument, bare_function};
use crate::datum::SqlUuid;
use crate::error::{Failure, OrRaise};
use crate::raw;

/// How many values of an array share one reading of the clock: they are made within a microsecond.
const PER_READING: usize = 64;

/// The most rows of a call.
const MAX_ROWS: u32 = i32::MAX.unsigned_abs();

bare_function!(uuidv7_batch, |count: CountOfRows<'_>| count.next_row().map(SqlUuid));
bare_function!(uuidv7_array, |count: Count<'_>| array(count.at_most(MAX_ARRAY, "array size").or_raise_unguarded()));

/// How many UUIDs are asked for.
struct Count<'call> {
    datum: Datum,
    call: &'call FunctionCallInfo,
}

#[allow(unsafe_code)]
impl<'call> Argument<'call> for Count<'call> {
    #[inline]
    unsafe fn of_datum(datum: Datum, call: &'call FunctionCallInfo) -> Count<'call> {
        Count { datum, call }
    }
}

impl Count<'_> {
    fn at_most(&self, maximum: u32, counted: &'static str) -> Result<u32, Failure> {
        let count = self.datum.value().cast_signed() as i64;
        match u64::try_from(count).map(u32::try_from) {
            Err(_) => Err(Failure::NegativeCount),
            Ok(Ok(count)) if count <= maximum => Ok(count),
            Ok(_) => Err(Failure::TooMany { counted, maximum }),
        }
    }
}

/// The same, for a function that is declared as returning a set of `uuid`.
struct CountOfRows<'call>(Count<'call>);

#[allow(unsafe_code)]
impl<'call> Argument<'call> for CountOfRows<'call> {
    #[inline]
    unsafe fn of_datum(datum: Datum, call: &'call FunctionCallInfo) -> CountOfRows<'call> {
        CountOfRows(Count { datum, call })
    }
}

impl CountOfRows<'_> {
    /// In FROM, PostgreSQL collects all rows before it reads the first one, so they go directly into its store (on
    /// disk, from `work_mem` on). In a select list it asks for one row at a time, and gets one, or `None` after the
    /// last.
    #[allow(unsafe_code)]
    fn next_row(&self) -> Option<Uuid> {
        let call = *self.0.call;
        // SAFETY: the function is declared as returning a set, so `flinfo` and `resultinfo` are set as PostgreSQL's documentation of
        // set-returning functions says; the calls are those of its macros SRF_FIRSTCALL_INIT, SRF_PERCALL_SETUP and
        // SRF_RETURN_NEXT/DONE. No frame from here to PostgreSQL owns anything.
        unsafe {
            let result = &mut *(*call).resultinfo.cast::<pg_sys::ReturnSetInfo>();
            if (*(*call).flinfo).fn_extra.is_null() {
                let rows = self.0.at_most(MAX_ROWS, "number of UUIDs").or_raise_unguarded();
                if allows(result, pg_sys::SetFunctionReturnMode::SFRM_Materialize_Preferred) {
                    collect_rows(result, rows);
                    return None;
                }
                (*raw::init_MultiFuncCall(call)).max_calls = rows.into();
            }
            let context = raw::per_MultiFuncCall(call);
            if (*context).call_cntr >= (*context).max_calls {
                raw::end_MultiFuncCall(call, context);
                result.isDone = pg_sys::ExprDoneCond::ExprEndResult;
                return None;
            }
            // The clock is read for each row: nobody knows how long a cursor rests between two of them.
            let uuid = with_generator(|generator| Ok(v7::at(generator.next_v7()?))).or_raise_unguarded();
            (*context).call_cntr += 1;
            result.isDone = pg_sys::ExprDoneCond::ExprMultipleResult;
            Some(uuid)
        }
    }
}

fn allows(result: &pg_sys::ReturnSetInfo, mode: pg_sys::SetFunctionReturnMode::Type) -> bool {
    u32::try_from(result.allowedModes).is_ok_and(|allowed| allowed & mode != 0)
}

/// Makes all rows, in a store that PostgreSQL then reads.
///
/// # Safety
/// `result` belongs to a call that allows the mode "materialize". An error leaves by longjmp, over the caller's frame as well.
#[allow(unsafe_code)]
unsafe fn collect_rows(result: &mut pg_sys::ReturnSetInfo, rows: u32) {
    // SAFETY: the calls are those of PostgreSQL's InitMaterializedSRF: store and description are made in the context of
    // the query. Errors leave by longjmp, and no frame here owns anything. A row has one column, the `uuid` whose
    // octets the datum points to; they are copied.
    unsafe {
        let context = pg_sys::CurrentMemoryContext;
        pg_sys::CurrentMemoryContext = (*result.econtext).ecxt_per_query_memory;
        let random_access = allows(result, pg_sys::SetFunctionReturnMode::SFRM_Materialize_Random);
        let description = raw::CreateTupleDescCopy(result.expectedDesc);
        let store = raw::tuplestore_begin_heap(random_access, false, pg_sys::work_mem);
        pg_sys::CurrentMemoryContext = context;
        result.returnMode = pg_sys::SetFunctionReturnMode::SFRM_Materialize;
        result.setResult = store;
        result.setDesc = description;
        let mut left = rows as usize;
        while left > 0 {
            let mut values = [[0; 16]; PER_READING];
            let values = &mut values[..left.min(PER_READING)];
            fill(values);
            for value in &*values {
                raw::tuplestore_putvalues(store, description, &Datum::from(value.as_ptr()), &false);
            }
            left -= values.len();
        }
    }
}

/// Fills a slice by one reading of the clock, after which the statement can be cancelled.
///
/// # Safety
/// Being cancelled, or an error, leaves by longjmp, over the caller's frame as well.
#[allow(unsafe_code)]
unsafe fn fill(values: &mut [[u8; 16]]) {
    with_generator(|generator| generator.fill_v7(values)).or_raise_unguarded();
    // SAFETY: this frame owns nothing, and the caller answers for its own.
    unsafe { raw::check_for_interrupts() }
}

/// An array header of PostgreSQL with one dimension and no nulls: 24 bytes, a multiple of the greatest alignment.
#[repr(C)]
struct ArrayHeader {
    array: pg_sys::ArrayType,
    length: i32,
    lower_bound: i32,
}

/// The largest array that fits into PostgreSQL's largest allocation, 1 GiB less one byte.
const MAX_ARRAY: u32 = ((1 << 30) - 1 - HEADER) / 16;

const HEADER: u32 = 24;
const _: () = assert!(size_of::<ArrayHeader>() == HEADER as usize);

/// An array of this many, at most [`MAX_ARRAY`].
#[allow(unsafe_code)]
fn array(length: u32) -> Datum {
    // An empty array has no dimension.
    let header = if length > 0 { size_of::<ArrayHeader>() } else { size_of::<pg_sys::ArrayType>() };
    let size = header + length as usize * 16;
    // SAFETY: palloc returns `size` writable bytes, aligned for any type, or does not return; the writes stay within
    // them. `uuid` has byte alignment, so its octets follow the header and one another without a gap. No frame from here to
    // PostgreSQL owns anything.
    unsafe {
        let start = raw::palloc(size);
        let array = start.cast::<ArrayHeader>();
        pgrx::set_varsize_4b(start.cast(), i32::try_from(size).unwrap_or(i32::MAX));
        (*array).array.ndim = i32::from(length > 0);
        (*array).array.dataoffset = 0;
        (*array).array.elemtype = pg_sys::UUIDOID;
        if length > 0 {
            (*array).length = length.cast_signed();
            (*array).lower_bound = 1;
        }
        let values = std::slice::from_raw_parts_mut(start.byte_add(header).cast::<[u8; 16]>(), length as usize);
        for values in values.chunks_mut(PER_READING) {
            fill(values);
        }
        Datum::from(start)
    }
}

//! Many new UUIDs at a time: as rows, or as one array.

use pgrx::pg_sys;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::*;
use rfc9562::v7;

use crate::backend::with_generator;
use crate::datum::{palloc, raise, uuid_datum};
use crate::generate::{guarded, report_to_postgres};

/// How many values of an array share one reading of the clock: they are made within a microsecond of it.
const PER_READING: usize = 64;

/// C symbol of the SQL function `uuidv7_batch(int)`: one UUID per call, as PostgreSQL asks for rows. So a statement can
/// be cancelled between any two of them, and a select list holds one at a time.
///
/// # Safety
/// Called by PostgreSQL's function manager only, as a function that returns a set, with one `int` that is not null.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn uuidv7_batch_wrapper(fcinfo: pg_sys::FunctionCallInfo) -> pg_sys::Datum {
    // SAFETY: the function is declared as returning a set, so `flinfo` and `resultinfo` are set as PostgreSQL's
    // documentation of set-returning functions says; the calls below are those of its macros SRF_FIRSTCALL_INIT,
    // SRF_PERCALL_SETUP and SRF_RETURN_NEXT/DONE. Their errors leave by longjmp, and no frame here owns anything.
    unsafe {
        if (*(*fcinfo).flinfo).fn_extra.is_null() {
            let rows = count_argument(fcinfo);
            let context = init_MultiFuncCall(fcinfo);
            (*context).max_calls = rows;
        }
        let context = per_MultiFuncCall(fcinfo);
        let result = (*fcinfo).resultinfo.cast::<pg_sys::ReturnSetInfo>();
        if (*context).call_cntr >= (*context).max_calls {
            end_MultiFuncCall(fcinfo, context);
            (*result).isDone = pg_sys::ExprDoneCond::ExprEndResult;
            (*fcinfo).isnull = true;
            return pg_sys::Datum::null();
        }
        // The clock is read for each row: nobody knows how long a cursor rests between two of them.
        let made = with_generator(|generator| {
            let position = generator.next_v7()?;
            Ok(v7::from_parts(position.tick, position.tail))
        });
        match made {
            Ok(uuid) => {
                (*context).call_cntr += 1;
                (*result).isDone = pg_sys::ExprDoneCond::ExprMultipleResult;
                uuid_datum(uuid)
            }
            Err(failure) => report_to_postgres(failure),
        }
    }
}

#[doc(hidden)]
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn pg_finfo_uuidv7_batch_wrapper() -> &'static pg_sys::Pg_finfo_record {
    &pg_sys::Pg_finfo_record { api_version: 1 }
}

/// An array header of PostgreSQL with one dimension and no nulls: 24 bytes, a multiple of the greatest alignment.
#[repr(C)]
struct ArrayHeader {
    array: pg_sys::ArrayType,
    length: i32,
    lower_bound: i32,
}

/// The largest array that fits into PostgreSQL's largest allocation, 1 GiB less one byte.
const MAX_ARRAY: u64 = ((1 << 30) - 1 - size_of::<ArrayHeader>() as u64) / 16;

/// C symbol of the SQL function `uuidv7_array(int)`.
///
/// # Safety
/// Called by PostgreSQL's function manager only, with one `int` that is not null.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn uuidv7_array_wrapper(fcinfo: pg_sys::FunctionCallInfo) -> pg_sys::Datum {
    // SAFETY: the function is strict and declared with one argument, of type int.
    let length = unsafe { count_argument(fcinfo) };
    if length > MAX_ARRAY {
        guarded(|| {
            raise(ErrorReport::new(
                PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED,
                format!("array size exceeds the maximum allowed ({MAX_ARRAY})"),
                "uuidv7_array",
            ))
        });
    }
    let (Ok(length), Ok(sql_length)) = (usize::try_from(length), i32::try_from(length)) else {
        unreachable!("MAX_ARRAY fits both")
    };
    // An empty array has no dimension.
    let dimensions = i32::from(length > 0);
    let header = if length > 0 { size_of::<ArrayHeader>() } else { size_of::<pg_sys::ArrayType>() };
    let size = header + length * 16;
    // SAFETY: palloc returns `size` writable bytes, aligned for any type, or does not return; the writes stay within
    // them. `uuid` has byte alignment, so its octets follow the header and one another without a gap.
    unsafe {
        let start = palloc(size);
        let array = start.cast::<ArrayHeader>();
        pgrx::set_varsize_4b(start.cast(), i32::try_from(size).unwrap_or(i32::MAX));
        (*array).array.ndim = dimensions;
        (*array).array.dataoffset = 0;
        (*array).array.elemtype = pg_sys::UUIDOID;
        if length > 0 {
            (*array).length = sql_length;
            (*array).lower_bound = 1;
        }
        let values = std::slice::from_raw_parts_mut(start.cast::<u8>().add(header).cast::<[u8; 16]>(), length);
        match with_generator(|generator| values.chunks_mut(PER_READING).try_for_each(|chunk| generator.fill_v7(chunk)))
        {
            Ok(()) => pg_sys::Datum::from(start),
            Err(failure) => report_to_postgres(failure),
        }
    }
}

#[doc(hidden)]
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn pg_finfo_uuidv7_array_wrapper() -> &'static pg_sys::Pg_finfo_record {
    &pg_sys::Pg_finfo_record { api_version: 1 }
}

/// How many UUIDs are asked for.
///
/// # Safety
/// The first argument must be an `int` that is not null.
#[allow(unsafe_code)]
unsafe fn count_argument(fcinfo: pg_sys::FunctionCallInfo) -> u64 {
    // SAFETY: the caller's contract.
    let count = unsafe { i32::from_datum((*(*fcinfo).args.as_ptr()).value, false) };
    count.and_then(|count| u64::try_from(count).ok()).unwrap_or_else(|| {
        guarded(|| {
            raise(ErrorReport::new(
                PgSqlErrorCode::ERRCODE_INVALID_PARAMETER_VALUE,
                "number of UUIDs must not be negative",
                "uuidv7_batch",
            ))
        })
    })
}

#[allow(unsafe_code)]
unsafe extern "C-unwind" {
    fn init_MultiFuncCall(fcinfo: pg_sys::FunctionCallInfo) -> *mut pg_sys::FuncCallContext;
    fn per_MultiFuncCall(fcinfo: pg_sys::FunctionCallInfo) -> *mut pg_sys::FuncCallContext;
    fn end_MultiFuncCall(fcinfo: pg_sys::FunctionCallInfo, context: *mut pg_sys::FuncCallContext);
}

extension_sql!(
    r#"
CREATE FUNCTION uuidv7_batch(n int) RETURNS SETOF uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_batch_wrapper';
CREATE FUNCTION uuidv7_array(n int) RETURNS uuid[]
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_array_wrapper';
"#,
    name = "batch"
);

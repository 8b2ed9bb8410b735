//! Many new UUIDs at a time: as rows, or as one array.

use pgrx::pg_sys;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::prelude::*;
use rfc9562::v7;

use crate::backend::with_generator;
use crate::bare_function::{bare_function, guarded};
use crate::datum::{palloc, raise, uuid_datum};
use crate::generate::report_to_postgres;

/// How many values of an array share one reading of the clock: they are made within a microsecond of it.
const PER_READING: usize = 64;

/// The most rows of a call.
const MAX_ROWS: u64 = i32::MAX.unsigned_abs() as u64;

// In FROM, PostgreSQL collects all rows before it reads the first, so they are put where it collects them (on disk, from
// `work_mem` on). In a select list it asks for one row at a time, and gets one.
//
// SAFETY: the function is declared as returning a set, so `flinfo` and `resultinfo` are set as PostgreSQL's documentation
// of set-returning functions says; the calls are those of its macros SRF_FIRSTCALL_INIT, SRF_PERCALL_SETUP and
// SRF_RETURN_NEXT/DONE.
bare_function!(uuidv7_batch_wrapper, pg_finfo_uuidv7_batch_wrapper, |call| {
    let fcinfo = call.0;
    let result = (*fcinfo).resultinfo.cast::<pg_sys::ReturnSetInfo>();
    if (*(*fcinfo).flinfo).fn_extra.is_null() {
        let rows = count_argument(fcinfo);
        if rows > MAX_ROWS {
            too_many(format!("number of UUIDs exceeds the maximum allowed ({MAX_ROWS})"));
        }
        if allows(&*result, pg_sys::SetFunctionReturnMode::SFRM_Materialize_Preferred) {
            collect_rows(&mut *result, rows);
            return pg_sys::Datum::null();
        }
        let context = init_MultiFuncCall(fcinfo);
        (*context).max_calls = rows;
    }
    let context = per_MultiFuncCall(fcinfo);
    if (*context).call_cntr >= (*context).max_calls {
        end_MultiFuncCall(fcinfo, context);
        (*result).isDone = pg_sys::ExprDoneCond::ExprEndResult;
        return call.null();
    }
    // The clock is read for each row: nobody knows how long a cursor rests between two of them.
    let made = with_generator(|generator| Ok(v7::at(generator.next_v7()?)));
    match made {
        Ok(uuid) => {
            (*context).call_cntr += 1;
            (*result).isDone = pg_sys::ExprDoneCond::ExprMultipleResult;
            uuid_datum(uuid)
        }
        Err(failure) => report_to_postgres(failure),
    }
});

fn allows(result: &pg_sys::ReturnSetInfo, mode: pg_sys::SetFunctionReturnMode::Type) -> bool {
    u32::try_from(result.allowedModes).is_ok_and(|allowed| allowed & mode != 0)
}

/// Makes all rows, into a store that PostgreSQL then reads.
///
/// # Safety
/// `result` is the one of a call that allows the mode "materialize".
#[allow(unsafe_code)]
unsafe fn collect_rows(result: &mut pg_sys::ReturnSetInfo, rows: u64) {
    // SAFETY: the calls are those of PostgreSQL's InitMaterializedSRF: store and description are made in the context of the
    // query. What raises an error leaves by longjmp, and no frame here owns anything. A row has one column, the `uuid` whose
    // octets the datum points to; they are copied.
    unsafe {
        let context = pg_sys::CurrentMemoryContext;
        pg_sys::CurrentMemoryContext = (*result.econtext).ecxt_per_query_memory;
        let random_access = allows(result, pg_sys::SetFunctionReturnMode::SFRM_Materialize_Random);
        let description = CreateTupleDescCopy(result.expectedDesc);
        let store = tuplestore_begin_heap(random_access, false, pg_sys::work_mem);
        pg_sys::CurrentMemoryContext = context;
        result.returnMode = pg_sys::SetFunctionReturnMode::SFRM_Materialize;
        result.setResult = store;
        result.setDesc = description;
        let mut left = rows;
        while left > 0 {
            let mut values = [[0; 16]; PER_READING];
            let count = usize::try_from(left).map_or(PER_READING, |left| left.min(PER_READING));
            let values = &mut values[..count];
            fill(values);
            for value in values {
                tuplestore_putvalues(store, description, &pg_sys::Datum::from(value.as_mut_ptr()), &false);
            }
            left -= count as u64;
        }
    }
}

/// Fills a slice by one reading of the clock, after which the statement can be cancelled.
///
/// # Safety
/// Being cancelled, or an error, leaves by longjmp, over the caller's frame as well.
#[allow(unsafe_code)]
unsafe fn fill(values: &mut [[u8; 16]]) {
    if let Err(failure) = with_generator(|generator| generator.fill_v7(values)) {
        report_to_postgres(failure);
    }
    // SAFETY: as PostgreSQL's CHECK_FOR_INTERRUPTS; the caller's contract.
    unsafe {
        if pg_sys::InterruptPending != 0 {
            ProcessInterrupts();
        }
    }
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

bare_function!(uuidv7_array_wrapper, pg_finfo_uuidv7_array_wrapper, |call| {
    let length = count_argument(call.0);
    if length > MAX_ARRAY {
        too_many(format!("array size exceeds the maximum allowed ({MAX_ARRAY})"));
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
    for values in values.chunks_mut(PER_READING) {
        fill(values);
    }
    pg_sys::Datum::from(start)
});

/// How many UUIDs are asked for.
///
/// The functions are declared with a `bigint`. Up to 0.2.0 it was an `int`, and an update declares them anew in place: views
/// and defaults that were made before go on passing an `int`, whose datum has no more than 32 bits that mean something.
///
/// # Safety
/// The first argument must be a `bigint` or an `int` that is not null.
#[allow(unsafe_code)]
unsafe fn count_argument(fcinfo: pg_sys::FunctionCallInfo) -> u64 {
    // SAFETY: the caller's contract. PostgreSQL finds the type in the expression of the call; of a call without one (as by the
    // protocol's function call) it knows none, and the datum is one that was made of a whole number of the declared type,
    // with its sign.
    let count = unsafe {
        let datum = (*(*fcinfo).args.as_ptr()).value;
        match get_fn_expr_argtype((*fcinfo).flinfo, 0) {
            pg_sys::INT4OID => i32::from_datum(datum, false).map(i64::from),
            _ => i64::from_datum(datum, false),
        }
    };
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

#[cold]
fn too_many(message: String) -> ! {
    guarded(|| raise(ErrorReport::new(PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED, message, "uuidv7_batch")))
}

#[allow(unsafe_code)]
unsafe extern "C-unwind" {
    fn get_fn_expr_argtype(function: *mut pg_sys::FmgrInfo, argument: i32) -> pg_sys::Oid;
    fn init_MultiFuncCall(fcinfo: pg_sys::FunctionCallInfo) -> *mut pg_sys::FuncCallContext;
    fn per_MultiFuncCall(fcinfo: pg_sys::FunctionCallInfo) -> *mut pg_sys::FuncCallContext;
    fn CreateTupleDescCopy(description: pg_sys::TupleDesc) -> pg_sys::TupleDesc;
    fn tuplestore_begin_heap(
        random_access: bool,
        inter_transaction: bool,
        max_kbytes: i32,
    ) -> *mut pg_sys::Tuplestorestate;
    fn tuplestore_putvalues(
        store: *mut pg_sys::Tuplestorestate,
        description: pg_sys::TupleDesc,
        values: *const pg_sys::Datum,
        nulls: *const bool,
    );
    fn ProcessInterrupts();
    fn end_MultiFuncCall(fcinfo: pg_sys::FunctionCallInfo, context: *mut pg_sys::FuncCallContext);
}

extension_sql!(
    r#"
CREATE FUNCTION uuidv7_batch(n bigint) RETURNS SETOF uuid
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_batch_wrapper';
CREATE FUNCTION uuidv7_array(n bigint) RETURNS uuid[]
    LANGUAGE c VOLATILE STRICT PARALLEL SAFE AS 'MODULE_PATHNAME', 'uuidv7_array_wrapper';
"#,
    name = "batch"
);

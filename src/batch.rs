//! `uuidv7_array(n)`: generates many UUIDs in one call.

use std::mem::MaybeUninit;

use pgrx::pg_sys::{self, Datum};

use crate::backend::with_generator;
use crate::error::{Failure, OrRaise};
use crate::raw;
use crate::unguarded_function::unguarded_function;

unguarded_function!(uuidv7_array, |count: i64| array(count).or_raise_unguarded());

/// The number of UUIDs for which the clock is read once: so few that they are generated within a microsecond.
const PER_READING: usize = 64;

/// The header of a PostgreSQL array with one dimension and no nulls: 24 bytes, a multiple of the maximum alignment.
#[repr(C)]
struct ArrayHeader {
    array: pg_sys::ArrayType,
    length: i32,
    lower_bound: i32,
}

/// The number of UUIDs in the largest array that fits into PostgreSQL's largest allocation, 1 GiB less one byte.
const MAX_ARRAY: u32 = ((1 << 30) - 1 - HEADER) / 16;

const HEADER: u32 = 24;
const _: () = assert!(size_of::<ArrayHeader>() == HEADER as usize);

#[allow(unsafe_code)]
fn array(count: i64) -> Result<Datum, Failure> {
    let length = match u32::try_from(count) {
        Ok(length @ ..=MAX_ARRAY) => length,
        _ if count < 0 => return Err(Failure::NegativeCount),
        _ => return Err(Failure::ArrayTooLong { maximum: MAX_ARRAY }),
    };
    // An empty array has no dimensions.
    let (ndim, header_size) =
        if length > 0 { (1, size_of::<ArrayHeader>()) } else { (0, size_of::<pg_sys::ArrayType>()) };
    let values_size = length as usize * 16;
    let header = ArrayHeader {
        array: pg_sys::ArrayType { vl_len_: 0, ndim, dataoffset: 0, elemtype: pg_sys::UUIDOID },
        length: length.cast_signed(),
        lower_bound: 1,
    };
    // SAFETY: palloc returns writable bytes for the header and the UUIDs, aligned for any type, or does not return. `uuid` has byte
    // alignment, so the UUIDs follow the header without gaps. No frame from here to PostgreSQL owns anything that a longjmp (after
    // an error or the cancellation of the statement) could leak.
    let (array, values) = unsafe {
        let array = raw::palloc(size_of::<ArrayHeader>() + values_size).cast::<ArrayHeader>();
        array.write(header);
        pgrx::set_varsize_4b(array.cast(), i32::try_from(header_size + values_size).unwrap_or(i32::MAX));
        (array, std::slice::from_raw_parts_mut(array.add(1).cast::<MaybeUninit<[u8; 16]>>(), length as usize))
    };
    for values in values.chunks_mut(PER_READING) {
        with_generator(|generator| generator.fill_v7(values))?;
        // SAFETY: as above, no frame owns anything.
        unsafe { raw::check_for_interrupts() };
    }
    Ok(Datum::from(array))
}

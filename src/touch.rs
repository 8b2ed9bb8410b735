//! `uuidv7_touch('changed')`: a trigger function that sets a column to a new version 7 UUID whenever a row is inserted or updated,
//! so that a feed includes updates.

use std::ffi::CStr;

use pgrx::pg_sys::{self, Datum, FunctionCallInfo};
use rfc9562::v7;

use crate::backend::{Generator, with_generator};
use crate::error::{Failure, OrRaise};
use crate::unguarded_function::unguarded_function;
use crate::{horizon, raw};

unguarded_function!(uuidv7_touch, call, || touched(&call).or_raise_unguarded());

/// Returns the row for which the trigger was fired, with a new UUID in the column named by the trigger's argument.
#[allow(unsafe_code)]
fn touched(call: &FunctionCallInfo) -> Result<Datum, Failure> {
    const WHEN: u32 = pg_sys::TRIGGER_EVENT_OPMASK | pg_sys::TRIGGER_EVENT_ROW | pg_sys::TRIGGER_EVENT_TIMINGMASK;
    const BEFORE: u32 = pg_sys::TRIGGER_EVENT_ROW | pg_sys::TRIGGER_EVENT_BEFORE;
    const INSERT: u32 = BEFORE | pg_sys::TRIGGER_EVENT_INSERT;
    const UPDATE: u32 = BEFORE | pg_sys::TRIGGER_EVENT_UPDATE;
    // SAFETY: PostgreSQL makes the call. Its context is null or a node, and a node with this tag refers to the trigger, the table
    // and the rows, which exist until the call returns.
    let (data, trigger) = unsafe {
        let context = (**call).context;
        if context.is_null() || (*context).type_ != pg_sys::NodeTag::T_TriggerData {
            return Err(Failure::TouchTrigger);
        }
        let data = &*context.cast::<pg_sys::TriggerData>();
        (data, &*data.tg_trigger)
    };
    let row = match data.tg_event & WHEN {
        INSERT => data.tg_trigtuple,
        UPDATE => data.tg_newtuple,
        _ => return Err(Failure::TouchTrigger),
    };
    if trigger.tgnargs != 1 {
        return Err(Failure::TouchTrigger);
    }
    // SAFETY: the trigger has one argument, a C string, and the table has a tuple descriptor.
    let (name, description) = unsafe { (CStr::from_ptr(*trigger.tgargs), (*data.tg_relation).rd_att) };
    let named = || name.to_string_lossy().into_owned();
    // SAFETY: the tuple descriptor and the name exist until the call returns.
    let column = unsafe { raw::SPI_fnumber(description, name.as_ptr()) };
    if column <= 0 {
        return Err(Failure::NoColumn { name: named() });
    }
    // SAFETY: the tuple descriptor has this column.
    if unsafe { raw::SPI_gettypeid(description, column) } != pg_sys::UUIDOID {
        return Err(Failure::NoUuidColumn { name: named() });
    }
    // SAFETY: the table is open. If its descriptor has no constraints, no column is generated, so the catalogs need not be read.
    // Errors are raised by longjmp, but no frame from here to PostgreSQL owns anything.
    let generated = unsafe {
        !(*description).constr.is_null()
            && column.try_into().is_ok_and(|column| raw::get_attgenerated((*data.tg_relation).rd_id, column) != 0)
    };
    if generated {
        return Err(Failure::GeneratedColumn { name: named() });
    }
    horizon::require_covered()?;
    let value = v7::at(with_generator(Generator::next_v7)?);
    let is_null = false;
    // SAFETY: the row has this descriptor. One column is replaced by a `uuid`, which is copied. If memory runs out, the function
    // raises an error by longjmp; no frame from here to PostgreSQL owns anything.
    let touched = unsafe {
        let value = Datum::from(value.as_bytes().as_ptr());
        raw::heap_modify_tuple_by_cols(row, description, 1, &raw const column, &raw const value, &raw const is_null)
    };
    Ok(Datum::from(touched))
}

//! SQL functions that use PostgreSQL's calling convention directly, without a guard.
//!
//! `#[pg_extern]` wraps a function in a guard that turns Rust panics into SQL errors. For small functions, the guard takes as long
//! as the work itself. A function written with [`unguarded_function!`] must not panic, and must own nothing when it calls a
//! function that may raise an error. It raises its own errors with
//! [`OrRaise::or_raise_unguarded`](crate::error::OrRaise::or_raise_unguarded).

use pgrx::pg_sys::{Datum, FunctionCallInfo};
use rfc9562::Uuid;

use crate::datum::{Timestamptz, Tstzmultirange, uuid_value};

/// Defines a function with PostgreSQL's version 1 calling convention. Its C symbol is `$name` followed by `_wrapper`, as with
/// `#[pg_extern]`. The arguments' types must implement [`Argument`], and the result's type [`IntoDatum`](pgrx::IntoDatum). In SQL,
/// the function must be STRICT and have the corresponding types; otherwise, calls are unsound. An optional name before the
/// arguments is bound to the call information, which contains everything else that PostgreSQL passes.
macro_rules! unguarded_function {
    ($name:ident, $($call:ident,)? || $body:expr) => {
        unguarded_function!($name, $($call,)? | | $body);
    };
    ($name:ident, |$($argument:ident: $type:ty),*| $body:expr) => {
        unguarded_function!($name, _call, |$($argument: $type),*| $body);
    };
    ($name:ident, $call:ident, |$($argument:ident: $type:ty),*| $body:expr) => {
        /// The C symbol of the SQL function.
        #[allow(dead_code, non_upper_case_globals)]
        pub(crate) const $name: &str = concat!(stringify!($name), "_wrapper");

        const _: () = {
            /// # Safety
            /// Only PostgreSQL's function manager may call this function, with the declared arguments, none of them null.
            #[allow(unsafe_code)]
            #[unsafe(export_name = concat!(stringify!($name), "_wrapper"))]
            unsafe extern "C-unwind" fn call(info: pgrx::pg_sys::FunctionCallInfo) -> pgrx::pg_sys::Datum {
                // SAFETY: the function manager passes valid call information.
                let mut _arguments = unsafe { (*info).args.as_ptr() };
                $(
                    // SAFETY: the call information has an entry for each declared argument, in this order and of these types.
                    let $argument: $type = unsafe { $crate::unguarded_function::Argument::from_datum((*_arguments).value, &info) };
                    _arguments = _arguments.wrapping_add(1);
                )*
                let $call = info;
                #[deny(unsafe_code)]
                let result = $body;
                pgrx::IntoDatum::into_datum(result).unwrap_or_else(|| {
                    // SAFETY: the function manager passes valid call information, and reads `isnull` after the call.
                    unsafe { (*info).isnull = true };
                    pgrx::pg_sys::Datum::null()
                })
            }

            #[allow(unsafe_code)]
            #[unsafe(export_name = concat!("pg_finfo_", stringify!($name), "_wrapper"))]
            extern "C" fn finfo() -> &'static pgrx::pg_sys::Pg_finfo_record {
                &pgrx::pg_sys::Pg_finfo_record { api_version: 1 }
            }
        };
    };
}
pub(crate) use unguarded_function;

/// A Rust type for arguments of an SQL type.
#[allow(unsafe_code)]
pub trait Argument<'call> {
    /// # Safety
    /// The datum must be an argument of the call, of the SQL type, and must not be null. The caller's frames must own nothing,
    /// because detoasting may raise an error by longjmp.
    unsafe fn from_datum(datum: Datum, info: &'call FunctionCallInfo) -> Self;
}

/// Implements [`Argument`] for a type, with an expression that converts the datum.
macro_rules! argument {
    ($type:ty, |$datum:ident| $value:expr) => {
        #[allow(unsafe_code)]
        impl<'call> Argument<'call> for $type {
            #[inline]
            unsafe fn from_datum($datum: Datum, _: &'call FunctionCallInfo) -> $type {
                $value
            }
        }
    };
}

argument!(Uuid, |datum| {
    // SAFETY: the datum is a `uuid` that is not null.
    unsafe { uuid_value(datum) }
});
argument!(Timestamptz, |datum| Timestamptz::from_datum(datum));
argument!(i64, |datum| datum.value().cast_signed() as i64);
argument!(bool, |datum| datum.value() != 0);
argument!(Tstzmultirange<'call>, |datum| {
    // SAFETY: the caller's contract. The datum is a `tstzmultirange` that is not null, and lives as long as the call.
    unsafe { Tstzmultirange::from_datum(datum) }
});

/// An SQL type that is passed by reference and has the layout of `T`.
#[allow(unsafe_code)]
impl<'call, T> Argument<'call> for &'call T {
    #[inline]
    unsafe fn from_datum(datum: Datum, _: &'call FunctionCallInfo) -> &'call T {
        // SAFETY: the caller passes a pointer to such a value, which lives as long as the call.
        unsafe { &*datum.cast_mut_ptr() }
    }
}

/// The type `internal`: a pointer to a `T` that the function fills in. Only PostgreSQL itself passes such an argument.
#[allow(unsafe_code)]
impl<'call, T> Argument<'call> for &'call mut T {
    #[inline]
    unsafe fn from_datum(datum: Datum, _: &'call FunctionCallInfo) -> &'call mut T {
        // SAFETY: PostgreSQL passes a pointer to such a value, which nothing else accesses during the call.
        unsafe { &mut *datum.cast_mut_ptr() }
    }
}

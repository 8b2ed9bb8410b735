//! SQL functions on the shortest way PostgreSQL allows: its calling convention, and nothing around it.
//!
//! `#[pg_extern]` puts a guard around a function, which turns a Rust panic into an SQL error and costs as much as these
//! functions do. A function written with [`bare_function!`] must not panic, nor own anything when something it calls
//! raises an error. Whoever raises one of its own brings the guard: [`guarded`].

use pgrx::pg_sys::{self, Datum, FunctionCallInfo};

/// A function of PostgreSQL's calling convention, version 1. In the body, `$call` is a [`Call`]; its arguments have the types
/// that the function's declaration in SQL names, and are not null.
macro_rules! bare_function {
    ($symbol:ident, $finfo:ident, |$call:ident| $body:expr) => {
        #[doc = concat!("C symbol `", stringify!($symbol), "`, which SQL declares.")]
        ///
        /// # Safety
        /// Called by PostgreSQL's function manager only, with the arguments of the declaration, none of them null.
        #[allow(unsafe_code)]
        #[allow(unused_unsafe)] // Some bodies read no argument.
        #[unsafe(no_mangle)]
        pub unsafe extern "C-unwind" fn $symbol(call: pgrx::pg_sys::FunctionCallInfo) -> pgrx::pg_sys::Datum {
            let $call = $crate::bare_function::Call(call);
            // SAFETY: the caller's contract; the declaration names the types that the body reads.
            pgrx::pg_sys::Datum::from(unsafe { $body })
        }

        #[doc(hidden)]
        #[allow(unsafe_code)]
        #[unsafe(no_mangle)]
        pub extern "C" fn $finfo() -> &'static pgrx::pg_sys::Pg_finfo_record {
            &pgrx::pg_sys::Pg_finfo_record { api_version: 1 }
        }
    };
}
pub(crate) use bare_function;

/// One call of such a function.
pub struct Call(pub FunctionCallInfo);

#[allow(unsafe_code)]
impl Call {
    /// # Safety
    /// The function is declared with more than `n` arguments, and called by PostgreSQL.
    #[inline]
    pub unsafe fn datum(&self, n: usize) -> Datum {
        // SAFETY: the caller's contract: `args` has that many entries.
        unsafe { (*(*self.0).args.as_ptr().add(n)).value }
    }

    /// # Safety
    /// As [`Call::datum`], and the argument is declared `uuid`.
    #[inline]
    pub unsafe fn uuid(&self, n: usize) -> rfc9562::Uuid {
        // SAFETY: the caller's contract.
        unsafe { crate::datum::uuid_value(self.datum(n)) }
    }

    /// # Safety
    /// As [`Call::datum`], and the argument is declared `timestamptz`.
    #[inline]
    pub unsafe fn time(&self, n: usize) -> crate::datum::Timestamptz {
        // SAFETY: the caller's contract.
        crate::datum::Timestamptz(unsafe { self.datum(n) }.value().cast_signed() as i64)
    }

    /// The result null.
    ///
    /// # Safety
    /// Called by PostgreSQL.
    #[inline]
    pub unsafe fn null(&self) -> Datum {
        // SAFETY: the caller's contract.
        unsafe { (*self.0).isnull = true };
        Datum::null()
    }
}

/// What `#[pg_extern]` puts around a whole function, for the reports of functions that do without.
#[cold]
#[allow(unsafe_code)]
pub fn guarded(report: impl FnOnce() -> std::convert::Infallible) -> ! {
    // SAFETY: called on the backend's only thread, in a C function that PostgreSQL called; the frames that the report
    // leaves own nothing.
    match unsafe { pg_sys::panic::pgrx_extern_c_guard(report) } {}
}

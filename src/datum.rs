//! Where the core's types meet PostgreSQL's, and the core's errors become SQLSTATEs.

use std::ffi::c_void;

use pgrx::callconv::{Arg, ArgAbi, BoxRet, FcInfo};
use pgrx::datum::Datum;
use pgrx::pg_sys;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::pgrx_sql_entity_graph::metadata::{
    ArgumentError, ReturnsError, ReturnsRef, SqlMappingRef, SqlTranslatable, TypeOrigin,
};
use pgrx::prelude::*;
use rfc9562::Error;
use rfc9562::time::UnixMicros;

/// SQL `uuid`.
#[derive(Clone, Copy, Debug)]
pub struct Uuid(pub rfc9562::Uuid);

/// SQL `timestamptz`: microseconds since 2000-01-01 00:00:00 UTC, the two ends of the range being the infinities.
#[derive(Clone, Copy, Debug)]
pub struct Timestamptz(pub i64);

/// Microseconds from 1970-01-01, the epoch of Unix, to 2000-01-01, the epoch of PostgreSQL: 10,957 days.
const UNIX_TO_POSTGRES_MICROS: i64 = 10_957 * 86_400 * 1_000_000;

impl Timestamptz {
    /// The instant, unless it is infinite or lies outside what [`UnixMicros`] can hold (past the year 294247).
    pub fn instant(self) -> Option<UnixMicros> {
        match self.0 {
            i64::MIN | i64::MAX => None,
            micros => micros.checked_add(UNIX_TO_POSTGRES_MICROS).map(UnixMicros),
        }
    }
}

impl From<UnixMicros> for Timestamptz {
    /// Of any instant a UUID can hold. (They end in the year 10889, PostgreSQL's timestamps in 294276.)
    fn from(instant: UnixMicros) -> Timestamptz {
        Timestamptz(instant.0.saturating_sub(UNIX_TO_POSTGRES_MICROS))
    }
}

#[allow(unsafe_code)]
unsafe extern "C-unwind" {
    /// PostgreSQL's own allocator, without the `sigsetjmp` that pgrx puts around it. It raises an error by `longjmp`
    /// when memory is out, so no frame between here and PostgreSQL may have something to drop.
    pub fn palloc(size: usize) -> *mut c_void;
}

/// A `uuid` datum in the current memory context.
#[inline]
#[allow(unsafe_code)]
pub fn uuid_datum(uuid: rfc9562::Uuid) -> pg_sys::Datum {
    // SAFETY: palloc returns at least 16 writable bytes or does not return. Nothing on this frame needs dropping.
    unsafe {
        let octets = palloc(size_of::<rfc9562::Uuid>()).cast::<[u8; 16]>();
        octets.write(*uuid.as_bytes());
        pg_sys::Datum::from(octets)
    }
}

/// The value of a `uuid` datum.
///
/// # Safety
/// The datum must be a `uuid` and not null: a pointer to 16 readable bytes.
#[inline]
#[allow(unsafe_code)]
pub unsafe fn uuid_value(datum: pg_sys::Datum) -> rfc9562::Uuid {
    // SAFETY: the caller's contract. `uuid` has byte alignment, which is that of the array.
    rfc9562::Uuid::from_bytes(unsafe { *datum.cast_mut_ptr::<[u8; 16]>() })
}

/// What pgrx asks of a type that SQL functions take and return: `$value` reads a datum that is not null, `$datum` makes
/// one in the current memory context.
macro_rules! sql_type {
    ($type:ty, $sql:literal, $oid:expr, $value:expr, $datum:expr) => {
        impl FromDatum for $type {
            #[allow(unsafe_code)]
            unsafe fn from_polymorphic_datum(datum: pg_sys::Datum, is_null: bool, _: pg_sys::Oid) -> Option<Self> {
                (!is_null).then(|| $value(datum))
            }
        }

        impl IntoDatum for $type {
            fn into_datum(self) -> Option<pg_sys::Datum> {
                Some($datum(self))
            }

            fn type_oid() -> pg_sys::Oid {
                $oid
            }
        }

        // SAFETY: SQL declares the argument with the type below, of which `$value` reads the datum.
        #[allow(unsafe_code)]
        unsafe impl<'fcx> ArgAbi<'fcx> for $type {
            unsafe fn unbox_arg_unchecked(arg: Arg<'_, 'fcx>) -> Self {
                // SAFETY: the declared type is the one of the datum.
                let value = unsafe { arg.unbox_arg_using_from_datum() };
                value.expect("the argument of a strict function is not null")
            }
        }

        // SAFETY: SQL declares the result with the type below, of which `$datum` makes the datum.
        #[allow(unsafe_code)]
        unsafe impl BoxRet for $type {
            unsafe fn box_into<'fcx>(self, fcinfo: &mut FcInfo<'fcx>) -> Datum<'fcx> {
                // SAFETY: the declared type is the one of the datum.
                unsafe { fcinfo.return_raw_datum($datum(self)) }
            }
        }

        // SAFETY: the SQL type exists in every PostgreSQL.
        #[allow(unsafe_code)]
        unsafe impl SqlTranslatable for $type {
            const TYPE_IDENT: &'static str = pgrx::pgrx_resolved_type!($type);
            const TYPE_ORIGIN: TypeOrigin = TypeOrigin::External;
            const ARGUMENT_SQL: Result<SqlMappingRef, ArgumentError> = Ok(SqlMappingRef::literal($sql));
            const RETURN_SQL: Result<ReturnsRef, ReturnsError> = Ok(ReturnsRef::One(SqlMappingRef::literal($sql)));
        }
    };
}

sql_type!(
    Uuid,
    "uuid",
    pg_sys::UUIDOID, // SAFETY: the macro calls it with the datum of a `uuid` that is not null.
    |datum| Uuid(unsafe { uuid_value(datum) }),
    |uuid: Uuid| uuid_datum(uuid.0)
);
sql_type!(
    Timestamptz,
    "timestamptz",
    pg_sys::TIMESTAMPTZOID,
    |datum: pg_sys::Datum| Timestamptz(datum.value().cast_signed() as i64),
    |time: Timestamptz| pg_sys::Datum::from(time.0)
);

/// Reports an error of the core to PostgreSQL.
pub trait OrReport<T> {
    /// The value, or of an error its report.
    fn or_report(self) -> T;
}

impl<T> OrReport<T> for Result<T, Error> {
    #[inline]
    fn or_report(self) -> T {
        match self {
            Ok(value) => value,
            Err(error) => report(&error),
        }
    }
}

/// Reports an error of the core with its SQLSTATE, message and detail, at the level ERROR.
#[cold]
pub fn report(error: &Error) -> ! {
    let (code, detail) = match error {
        Error::TimestampOutOfRange { version } => {
            (PgSqlErrorCode::ERRCODE_DATETIME_FIELD_OVERFLOW, Some(timestamp_range(*version)))
        }
        Error::SequenceExhausted { .. } => (PgSqlErrorCode::ERRCODE_PROGRAM_LIMIT_EXCEEDED, None),
        _ => (PgSqlErrorCode::ERRCODE_INTERNAL_ERROR, None),
    };
    let mut report = ErrorReport::new(code, error.to_string(), "uuidrfc");
    if let Some(detail) = detail {
        report = report.set_detail(detail);
    }
    raise(report)
}

/// The years a version's timestamp can hold, in the words of PostgreSQL 18 for version 7.
fn timestamp_range(version: u8) -> String {
    match version {
        7 => "UUID version 7 supports timestamps from 1970-01-01 to approximately year 10889.".into(),
        _ => format!("UUID version {version} supports timestamps from 1582-10-15 to approximately year 5236."),
    }
}

/// Raises an error that no core type stands for.
#[cold]
pub fn raise(report: ErrorReport) -> ! {
    report.report(PgLogLevel::ERROR);
    unreachable!("an error was reported and did not end the statement")
}

//! Where the core's types meet PostgreSQL's, and the core's errors become SQLSTATEs.

use std::borrow::Cow;
use std::ffi::c_void;
use std::ops::Bound;

use pgrx::callconv::{Arg, ArgAbi, BoxRet, FcInfo};
use pgrx::datum::Datum;
use pgrx::pg_sys;
use pgrx::pg_sys::panic::ErrorReport;
use pgrx::pgrx_sql_entity_graph::metadata::{
    ArgumentError, ReturnsError, ReturnsRef, SqlMappingRef, SqlTranslatable, TypeOrigin,
};
use pgrx::prelude::*;
use rfc9562::Error;
use rfc9562::name::Hashspace;
use rfc9562::time::UnixMicros;

use crate::encoding;

/// SQL `uuid`.
#[derive(Clone, Copy, Debug)]
pub struct Uuid(pub rfc9562::Uuid);

/// SQL `timestamptz`: microseconds since 2000-01-01 00:00:00 UTC, the two ends of the range being the infinities.
#[derive(Clone, Copy, Debug)]
pub struct Timestamptz(pub i64);

/// SQL `macaddr`.
#[derive(Clone, Copy, Debug)]
pub struct Macaddr(pub [u8; 6]);

/// SQL `bytea`: its octets where PostgreSQL has them, copied only if they were compressed or out of line.
#[derive(Clone, Copy, Debug)]
pub struct Bytea<'call>(pub &'call [u8]);

/// SQL `text` likewise, in the encoding of the database.
#[derive(Clone, Copy, Debug)]
pub struct Text<'call>(pub &'call [u8]);

impl<'call> Text<'call> {
    /// The text in UTF-8, for the core to hash; see [`encoding::utf8_pieces`].
    #[inline]
    pub fn utf8_pieces(self) -> encoding::Pieces<'call> {
        encoding::utf8_pieces(self.0)
    }

    /// The text as one of the short ASCII names that SQL functions know things by. Other text comes out fit to be shown
    /// in an error message, and as none of those names: cut off if it is long, and with what is not ASCII escaped in a
    /// database that is not UTF-8.
    pub fn label(self) -> Cow<'call, str> {
        let start = &self.0[..self.0.len().min(LONGEST_LABEL)];
        if start.is_ascii() || encoding::database_is_utf8() {
            Cow::Borrowed(start.utf8_chunks().next().map_or("", |chunk| chunk.valid()))
        } else {
            Cow::Owned(start.escape_ascii().to_string())
        }
    }

    /// Whether the label is not all of the text.
    pub fn is_cut_in_label(self) -> bool {
        match self.label() {
            Cow::Borrowed(start) => start.len() < self.0.len(),
            Cow::Owned(_) => self.0.len() > LONGEST_LABEL,
        }
    }
}

/// How many octets of a text are shown in an error message.
const LONGEST_LABEL: usize = 64;

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

    /// The instant, with what [`UnixMicros`] cannot hold (past the year 294247) and the infinities at its ends.
    pub fn saturated(self) -> UnixMicros {
        UnixMicros(self.0.saturating_add(UNIX_TO_POSTGRES_MICROS))
    }
}

/// 4714-11-24 00:00:00 BC, the first finite timestamptz.
const FIRST_FINITE: i64 = -211_813_488_000_000_000;
/// 294276-12-31 23:59:59.999999, the last finite timestamptz.
const LAST_FINITE: i64 = 9_223_371_331_199_999_999;

impl Timestamptz {
    /// The next one, a microsecond later; `infinity` is followed by itself.
    #[inline]
    pub fn next(self) -> Timestamptz {
        Timestamptz(match self.0 {
            ..FIRST_FINITE => FIRST_FINITE,
            time @ FIRST_FINITE..LAST_FINITE => time + 1,
            LAST_FINITE.. => i64::MAX,
        })
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

    /// What is compressed or out of line, in memory; likewise.
    fn pg_detoast_datum_packed(datum: *mut pg_sys::varlena) -> *mut pg_sys::varlena;
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

#[allow(unsafe_code)]
fn macaddr_datum(address: Macaddr) -> pg_sys::Datum {
    // SAFETY: as in uuid_datum. PostgreSQL's struct is six bytes with no padding.
    unsafe {
        let octets = palloc(size_of::<Macaddr>()).cast::<[u8; 6]>();
        octets.write(address.0);
        pg_sys::Datum::from(octets)
    }
}

/// The content of a variable-length datum, such as `text` or `bytea`.
///
/// # Safety
/// The datum must be a pointer to a `varlena`, and the content must not be used after the call that the datum is an
/// argument of.
#[inline]
#[allow(unsafe_code)]
unsafe fn varlena_content<'call>(datum: pg_sys::Datum) -> &'call [u8] {
    let mut varlena = datum.cast_mut_ptr::<pg_sys::varlena>();
    // SAFETY: the caller's contract, and that what is neither compressed nor out of line has its content right behind
    // its header. Detoasting copies into the memory context of the call.
    unsafe {
        if pgrx::varlena::varatt_is_4b_c(varlena) || pgrx::varlena::varatt_is_1b_e(varlena) {
            varlena = pg_sys::pg_detoast_datum_packed(varlena);
        }
        pgrx::varlena::varlena_to_byte_slice(varlena)
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
    Macaddr,
    "macaddr",
    pg_sys::MACADDROID, // SAFETY: the datum of a `macaddr` that is not null points to six bytes.
    |datum: pg_sys::Datum| Macaddr(unsafe { *datum.cast_mut_ptr::<[u8; 6]>() }),
    macaddr_datum
);
sql_type!(
    Timestamptz,
    "timestamptz",
    pg_sys::TIMESTAMPTZOID,
    |datum: pg_sys::Datum| Timestamptz(datum.value().cast_signed() as i64),
    |time: Timestamptz| pg_sys::Datum::from(time.0)
);

/// What pgrx asks of a type that SQL functions take and that borrows from the argument.
macro_rules! borrowing_sql_type {
    ($type:ident, $sql:literal) => {
        impl<'call> FromDatum for $type<'call> {
            #[inline]
            #[allow(unsafe_code)]
            unsafe fn from_polymorphic_datum(datum: pg_sys::Datum, is_null: bool, _: pg_sys::Oid) -> Option<Self> {
                // SAFETY: the datum has the SQL type below, which is of variable length.
                (!is_null).then(|| $type(unsafe { varlena_content(datum) }))
            }
        }

        // SAFETY: SQL declares the argument with the type below.
        #[allow(unsafe_code)]
        unsafe impl<'fcx> ArgAbi<'fcx> for $type<'fcx> {
            #[inline]
            unsafe fn unbox_arg_unchecked(arg: Arg<'_, 'fcx>) -> Self {
                // SAFETY: the declared type is the one of the datum, which lives as long as the call.
                let value = unsafe { arg.unbox_arg_using_from_datum() };
                value.expect("the argument of a strict function is not null")
            }
        }

        // SAFETY: the SQL type exists in every PostgreSQL.
        #[allow(unsafe_code)]
        unsafe impl SqlTranslatable for $type<'_> {
            const TYPE_IDENT: &'static str = pgrx::pgrx_resolved_type!($type);
            const TYPE_ORIGIN: TypeOrigin = TypeOrigin::External;
            const ARGUMENT_SQL: Result<SqlMappingRef, ArgumentError> = Ok(SqlMappingRef::literal($sql));
            const RETURN_SQL: Result<ReturnsRef, ReturnsError> = Ok(ReturnsRef::One(SqlMappingRef::literal($sql)));
        }
    };
}

borrowing_sql_type!(Bytea, "bytea");
borrowing_sql_type!(Text, "text");

/// SQL `tstzrange`: its two bounds, of which those that are given may be infinite timestamps; `None` is the empty range.
#[derive(Clone, Copy, Debug)]
pub struct Tstzrange(pub Option<(Bound<Timestamptz>, Bound<Timestamptz>)>);

impl FromDatum for Tstzrange {
    /// Reads the octets here, because PostgreSQL's own way goes through its cache of types.
    ///
    /// ```text
    /// type (4 octets) | lower bound (8), if there is one | upper bound (8), if there is one | flags (1)
    /// ```
    #[allow(unsafe_code)]
    unsafe fn from_polymorphic_datum(datum: pg_sys::Datum, is_null: bool, _: pg_sys::Oid) -> Option<Self> {
        if is_null {
            return None;
        }
        // SAFETY: the caller says that the datum is a `tstzrange`, which is of variable length. The content is copied.
        let octets = unsafe { varlena_content(datum) };
        Some(Tstzrange::from_octets(octets))
    }
}

impl Tstzrange {
    /// The octets after the header.
    fn from_octets(octets: &[u8]) -> Tstzrange {
        let Some((&flags, octets)) = octets.split_last() else { return Tstzrange(None) };
        Tstzrange::from_parts(flags, octets.get(size_of::<pg_sys::Oid>()..).unwrap_or_default()).0
    }

    /// Of flags and the octets that begin with the bounds that there are; and what follows these.
    fn from_parts(flags: u8, mut rest: &[u8]) -> (Tstzrange, &[u8]) {
        const EMPTY: u8 = 0x01;
        const LOWER_INCLUSIVE: u8 = 0x02;
        const UPPER_INCLUSIVE: u8 = 0x04;
        const LOWER_UNBOUNDED: u8 = 0x08;
        const UPPER_UNBOUNDED: u8 = 0x10;

        if flags & EMPTY != 0 {
            return (Tstzrange(None), rest);
        }
        let mut bound = |unbounded: u8, inclusive: u8| {
            if flags & unbounded != 0 {
                return Some(Bound::Unbounded);
            }
            let (octets, after) = rest.split_first_chunk()?;
            rest = after;
            let time = Timestamptz(i64::from_ne_bytes(*octets));
            Some(if flags & inclusive != 0 { Bound::Included(time) } else { Bound::Excluded(time) })
        };
        // A range whose octets end too early does not exist; were there one, it would be empty.
        let lower = bound(LOWER_UNBOUNDED, LOWER_INCLUSIVE);
        let upper = bound(UPPER_UNBOUNDED, UPPER_INCLUSIVE);
        (Tstzrange(lower.zip(upper)), rest)
    }
}

/// The ranges of a `tstzmultirange`, read like a [`Tstzrange`]:
///
/// ```text
/// type (4 octets) | count (4) | where others begin (4 each but the first) | flags (1 each) | bounds (8 each there is), aligned
/// ```
///
/// # Safety
/// The datum must be a `tstzmultirange` and not null, and its ranges must not be used after the call that it is an argument of. What
/// cannot be read of it raises an error by `longjmp`, over the caller's frame as well.
#[allow(unsafe_code)]
pub unsafe fn ranges_of_multirange<'call>(datum: pg_sys::Datum) -> impl Iterator<Item = Tstzrange> + use<'call> {
    const COUNT: usize = 4;
    const LENGTH_WORD: usize = 4;

    // SAFETY: the caller's contract; a multirange is of variable length, and what was brought into memory needs no more of it.
    let octets: &'call [u8] = unsafe { varlena_content(pg_detoast_datum_packed(datum.cast_mut_ptr()).into()) };
    let count = octets.get(COUNT..).and_then(<[u8]>::first_chunk).map_or(0, |count| u32::from_ne_bytes(*count));
    let count = usize::try_from(count).unwrap_or(0);
    let flags = COUNT + 4 + 4 * count.saturating_sub(1);
    // The alignment counts from the word of the length, which the content begins behind.
    let bounds = (LENGTH_WORD + flags + count).next_multiple_of(8) - LENGTH_WORD;
    let (flags, mut bounds) =
        (octets.get(flags..flags + count).unwrap_or_default(), octets.get(bounds..).unwrap_or_default());
    flags.iter().map(move |flags| {
        let (range, rest) = Tstzrange::from_parts(*flags, bounds);
        bounds = rest;
        range
    })
}

// SAFETY: SQL declares the argument with the type below.
#[allow(unsafe_code)]
unsafe impl<'fcx> ArgAbi<'fcx> for Tstzrange {
    unsafe fn unbox_arg_unchecked(arg: Arg<'_, 'fcx>) -> Self {
        // SAFETY: the declared type is the one of the datum.
        let value = unsafe { arg.unbox_arg_using_from_datum() };
        value.expect("the argument of a strict function is not null")
    }
}

// SAFETY: the SQL type exists in every PostgreSQL.
#[allow(unsafe_code)]
unsafe impl SqlTranslatable for Tstzrange {
    const TYPE_IDENT: &'static str = pgrx::pgrx_resolved_type!(Tstzrange);
    const TYPE_ORIGIN: TypeOrigin = TypeOrigin::External;
    const ARGUMENT_SQL: Result<SqlMappingRef, ArgumentError> = Ok(SqlMappingRef::literal("tstzrange"));
    const RETURN_SQL: Result<ReturnsRef, ReturnsError> = Ok(ReturnsRef::One(SqlMappingRef::literal("tstzrange")));
}

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
    use PgSqlErrorCode::*;

    let report = |code| ErrorReport::new(code, error.to_string(), "uuidrfc");
    raise(match error {
        Error::TimestampOutOfRange { version } => {
            report(ERRCODE_DATETIME_FIELD_OVERFLOW).set_detail(timestamp_range(*version))
        }
        Error::LayoutTimestampOutOfRange { layout } => report(ERRCODE_DATETIME_FIELD_OVERFLOW)
            .set_detail(format!("Layout \"{layout}\" supports timestamps from 1970-01-01 to approximately year 4147.")),
        Error::SequenceExhausted { .. } => report(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
        Error::FieldOutOfRange { field, bits, .. } => report(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE)
            .set_detail(format!("{field} has {bits} bits: from 0 to {}.", (1_u64 << bits) - 1)),
        Error::UnknownName { kind, known, .. } => {
            report(ERRCODE_INVALID_PARAMETER_VALUE).set_hint(format!("Valid {kind}s are {}.", listed(known)))
        }
        Error::UnknownHashspace { .. } => report(ERRCODE_INVALID_PARAMETER_VALUE)
            .set_hint(format!("Valid hashspaces are what uuid_hashspace returns for {}.", listed(Hashspace::NAMES))),
        Error::NotOfVersion { uuid, .. } => report(ERRCODE_INVALID_PARAMETER_VALUE).set_detail(match uuid.version() {
            Some(version) => format!("This UUID is version {version}."),
            None => format!("This UUID has variant \"{}\".", uuid.variant().name()),
        }),
    })
}

/// `"one", "two", and "three"`, as PostgreSQL lists what it accepts.
fn listed(names: &[&str]) -> String {
    let quoted = |name: &&str| format!("\"{name}\"");
    match names {
        [one, other] => format!("{} and {}", quoted(one), quoted(other)),
        [first @ .., last] => {
            let first: Vec<_> = first.iter().map(quoted).collect();
            format!("{}, and {}", first.join(", "), quoted(last))
        }
        [] => String::new(),
    }
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

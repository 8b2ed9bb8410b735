//! Conversions between PostgreSQL's types and those of the crate `rfc9562`.

use std::borrow::Cow;
use std::ffi::CStr;
use std::fmt::{Display, Write};
use std::ops::Bound;

use arrayvec::ArrayString;
use pgrx::callconv::{Arg, ArgAbi, BoxRet, FcInfo};
use pgrx::datum::{Datum, Range, RangeBound, RangeSubType, UnboxDatum};
use pgrx::pg_sys;
use pgrx::pgrx_sql_entity_graph::impl_sql_translatable;
use pgrx::prelude::*;
use pgrx::varlena::{varatt_is_1b_e, varatt_is_4b_c, varlena_to_byte_slice};
use pgrx::{direct_function_call, direct_function_call_as_datum};
use rfc9562::Uuid;
use rfc9562::time::UnixMicros;

use crate::{encoding, raw};

#[derive(Clone, Copy, Debug)]
pub struct SqlUuid(pub Uuid);

/// SQL `timestamptz`: microseconds since 2000-01-01 00:00:00 UTC. The least and the greatest `i64` are the infinities.
#[derive(Clone, Copy, Debug)]
pub struct Timestamptz(pub i64);

/// A borrowed SQL `bytea`. Its bytes have been copied only if they were compressed or stored out of line.
#[derive(Clone, Copy, Debug)]
pub struct Bytea<'call>(pub &'call [u8]);

/// A borrowed SQL `text` in the database's encoding, copied under the same conditions as a [`Bytea`].
#[derive(Clone, Copy, Debug)]
pub struct Text<'call>(pub &'call [u8]);

impl<'call> Text<'call> {
    /// Returns the text unchanged if it can be the name of a format, a hash algorithm or the like: short and ASCII. Any other text
    /// is made safe for an error message: cut off if it is long, and escaped if it is not ASCII and the database's encoding is not
    /// UTF-8.
    pub fn label(self) -> Cow<'call, str> {
        encoding::displayed(&self.0[..self.0.len().min(LONGEST_LABEL)])
    }

    /// Returns the text for an error message: the label, followed by dots if it was cut off.
    pub fn shown(self) -> String {
        let label = self.label();
        let is_cut = match &label {
            Cow::Borrowed(start) => start.len() < self.0.len(),
            Cow::Owned(_) => self.0.len() > LONGEST_LABEL,
        };
        if is_cut { format!("{label}...") } else { label.into_owned() }
    }
}

/// The maximum number of bytes of a text in an error message.
const LONGEST_LABEL: usize = 64;

/// Microseconds from 1970-01-01, the epoch of Unix, to 2000-01-01, the epoch of PostgreSQL: 10,957 days.
pub const UNIX_TO_POSTGRES_MICROS: i64 = 10_957 * 86_400 * 1_000_000;

/// 4714-11-24 00:00:00 BC, the first finite timestamptz.
const FIRST_FINITE: i64 = -211_813_488_000_000_000;
/// 294276-12-31 23:59:59.999999, the last finite timestamptz.
const LAST_FINITE: i64 = 9_223_371_331_199_999_999;

impl Timestamptz {
    /// Returns the time in PostgreSQL's text form, for an error message.
    #[allow(unsafe_code)]
    pub fn shown(self) -> String {
        // SAFETY: the function takes a timestamptz and returns a C string.
        let text: Option<&CStr> = unsafe { direct_function_call(pg_sys::timestamptz_out, &[self.into_datum()]) };
        text.map(|text| text.to_string_lossy().into_owned()).unwrap_or_default()
    }

    #[inline]
    pub fn from_datum(datum: pg_sys::Datum) -> Timestamptz {
        Timestamptz(datum.value().cast_signed() as i64)
    }

    /// Returns the instant, or `None` if the time is infinite or after the range of [`UnixMicros`] (past 294247-01-10).
    pub fn instant(self) -> Option<UnixMicros> {
        match self.0 {
            i64::MIN | i64::MAX => None,
            micros => micros.checked_add(UNIX_TO_POSTGRES_MICROS).map(UnixMicros),
        }
    }

    /// Returns the instant. `infinity` and times after the range of [`UnixMicros`] (past 294247-01-10) become the last instant of
    /// that range; `-infinity` becomes an instant before all finite times.
    pub fn saturated(self) -> UnixMicros {
        UnixMicros(self.0.saturating_add(UNIX_TO_POSTGRES_MICROS))
    }

    /// Returns the next timestamptz, a microsecond later if both are finite; `infinity` is followed by itself.
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
    /// Never saturates for a UUID's time: the latest is in the year 10889, whereas timestamps extend to 294276.
    fn from(instant: UnixMicros) -> Timestamptz {
        Timestamptz(instant.0.saturating_sub(UNIX_TO_POSTGRES_MICROS))
    }
}

/// Returns a datum that points to a copy of a value in the current memory context. The caller's frames must own nothing, because an
/// error is raised by longjmp if memory runs out.
#[inline]
#[allow(unsafe_code)]
fn copied_datum<T: Copy>(value: T) -> pg_sys::Datum {
    // SAFETY: palloc returns at least that many writable bytes or does not return. No frame from here to PostgreSQL owns anything.
    unsafe {
        let datum = raw::palloc(size_of::<T>()).cast::<T>();
        datum.write_unaligned(value);
        pg_sys::Datum::from(datum)
    }
}

/// Returns a `uuid` datum; see [`copied_datum`].
#[inline]
fn uuid_datum(uuid: Uuid) -> pg_sys::Datum {
    // A number stays in registers during the allocation; an array would be copied in memory.
    copied_datum(u128::from_ne_bytes(*uuid.as_bytes()))
}

/// Returns the content of a variable-length datum, such as `text` or `bytea`.
///
/// # Safety
/// The datum must be a pointer to a `varlena`, and the content must not be used after the call to which the datum was passed.
#[inline]
#[allow(unsafe_code)]
unsafe fn varlena_content<'call>(datum: pg_sys::Datum) -> &'call [u8] {
    let mut varlena = datum.cast_mut_ptr::<pg_sys::varlena>();
    // SAFETY: the caller's contract. A value that is neither compressed nor out of line has its content right after its
    // header. Detoasting copies into the memory context of the call.
    unsafe {
        if varatt_is_4b_c(varlena) || varatt_is_1b_e(varlena) {
            varlena = pg_sys::pg_detoast_datum_packed(varlena);
        }
        varlena_to_byte_slice(varlena)
    }
}

/// Returns the value of a `uuid` datum.
///
/// # Safety
/// The datum must be a `uuid` and not null: a pointer to 16 readable bytes.
#[inline]
#[allow(unsafe_code)]
pub unsafe fn uuid_value(datum: pg_sys::Datum) -> Uuid {
    // SAFETY: the caller's contract. `uuid` and the array both have byte alignment.
    Uuid::from_bytes(unsafe { *datum.cast_mut_ptr::<[u8; 16]>() })
}

/// Implements pgrx's traits for an argument type, whose values may borrow from the call (`'fcx`). `$value` converts a datum that is
/// not null.
macro_rules! sql_argument {
    ($type:ty, $value:expr) => {
        impl<'fcx> FromDatum for $type {
            #[inline]
            #[allow(unsafe_code)]
            unsafe fn from_polymorphic_datum(datum: pg_sys::Datum, is_null: bool, _: pg_sys::Oid) -> Option<Self> {
                (!is_null).then(|| $value(datum))
            }
        }

        // SAFETY: SQL declares the argument with the type whose datums `$value` converts.
        #[allow(unsafe_code)]
        unsafe impl<'fcx> ArgAbi<'fcx> for $type {
            #[inline]
            unsafe fn unbox_arg_unchecked(arg: Arg<'_, 'fcx>) -> Self {
                // SAFETY: the datum is of the declared type, and lives as long as the call.
                let value = unsafe { arg.unbox_arg_using_from_datum() };
                value.expect("the argument of a strict function is not null")
            }
        }
    };
}

/// Implements pgrx's traits for a type of arguments and results. `$datum` returns a datum in the current memory context.
macro_rules! sql_type {
    ($type:ty, $sql:literal, $oid:expr, $value:expr, $datum:expr) => {
        sql_argument!($type, $value);
        impl_sql_translatable!($type, $sql);

        impl IntoDatum for $type {
            #[inline]
            fn into_datum(self) -> Option<pg_sys::Datum> {
                Some($datum(self))
            }

            fn type_oid() -> pg_sys::Oid {
                $oid
            }
        }

        // SAFETY: SQL declares the result with the type whose datums `$datum` returns.
        #[allow(unsafe_code)]
        unsafe impl BoxRet for $type {
            unsafe fn box_into<'fcx>(self, fcinfo: &mut FcInfo<'fcx>) -> Datum<'fcx> {
                // SAFETY: as above, the datum is of the declared type.
                unsafe { fcinfo.return_raw_datum($datum(self)) }
            }
        }
    };
}

sql_type!(
    SqlUuid,
    "uuid",
    pg_sys::UUIDOID, // SAFETY: the macro calls the closure with the datum of a `uuid` that is not null.
    |datum| SqlUuid(unsafe { uuid_value(datum) }),
    |uuid: SqlUuid| uuid_datum(uuid.0)
);
sql_type!(Timestamptz, "timestamptz", pg_sys::TIMESTAMPTZOID, Timestamptz::from_datum, |time: Timestamptz| {
    pg_sys::Datum::from(time.0)
});

sql_argument!(Bytea<'fcx>, |datum| {
    // SAFETY: the datum of a `bytea` that is not null is a `varlena`, which lives as long as the call.
    Bytea(unsafe { varlena_content(datum) })
});
impl_sql_translatable!(Bytea<'_>, "bytea");
sql_argument!(Text<'fcx>, |datum| {
    // SAFETY: likewise for a `text`.
    Text(unsafe { varlena_content(datum) })
});
impl_sql_translatable!(Text<'_>, "text");

/// A result in the current memory context, of an SQL type that its Rust type does not show.
#[derive(Debug)]
pub struct ResultDatum(pg_sys::Datum);

/// The maximum length of the JSON for a UUID or another system's ID, with the final zero byte.
const LONGEST_JSON: usize = 512;

impl ResultDatum {
    /// Returns SQL `bytea` or, if the bytes are ASCII, `text`.
    pub fn bytes(bytes: &[u8]) -> ResultDatum {
        ResultDatum(pg_sys::Datum::from(pgrx::varlena::rust_byte_slice_to_bytea(bytes).into_pg()))
    }

    pub fn bigint(number: i64) -> ResultDatum {
        ResultDatum(pg_sys::Datum::from(number))
    }

    pub fn uuid(uuid: Uuid) -> ResultDatum {
        ResultDatum(uuid_datum(uuid))
    }

    pub fn macaddr(address: [u8; 6]) -> ResultDatum {
        ResultDatum(copied_datum(address))
    }

    /// Raises an error if the result's type is a domain whose constraints the value does not meet.
    #[allow(unsafe_code)]
    pub fn check_domain(self, ty: pg_sys::Oid) -> ResultDatum {
        if base_type(ty) != ty {
            // SAFETY: the value is of the domain's base type. Nothing is kept for another call.
            unsafe { pg_sys::domain_check(self.0, false, ty, std::ptr::null_mut(), std::ptr::null_mut()) };
        }
        self
    }

    /// Returns SQL `jsonb` from a value whose [`Display`] writes a JSON object in ASCII.
    #[allow(unsafe_code)]
    pub fn jsonb(shown: impl Display) -> ResultDatum {
        let mut json = ArrayString::<LONGEST_JSON>::new();
        write!(json, "{shown}\0").expect("the fields have room");
        // SAFETY: the function takes a C string and returns a jsonb.
        let jsonb = unsafe { direct_function_call_as_datum(pg_sys::jsonb_in, &[Some(json.as_ptr().into())]) };
        ResultDatum(jsonb.expect("a JSON object is not null"))
    }
}

// SAFETY: SQL declares the result with the type of the datum, or as polymorphic, in which case the datum has the type that the
// caller requested.
#[allow(unsafe_code)]
unsafe impl BoxRet for ResultDatum {
    unsafe fn box_into<'fcx>(self, fcinfo: &mut FcInfo<'fcx>) -> Datum<'fcx> {
        // SAFETY: as above, the datum is of the result's type.
        unsafe { fcinfo.return_raw_datum(self.0) }
    }
}

impl_sql_translatable!(ResultDatum, "anyelement");

/// Returns the base type of a domain, or the type itself if it is not a domain.
#[allow(unsafe_code)]
pub fn base_type(ty: pg_sys::Oid) -> pg_sys::Oid {
    // No type with a fixed OID is a domain: PostgreSQL's own domains are created by SQL scripts, and have greater OIDs.
    // SAFETY: the function accepts any OID.
    if ty.to_u32() < pg_sys::FirstGenbkiObjectId { ty } else { unsafe { pg_sys::getBaseType(ty) } }
}

/// SQL `tstzrange`: its two bounds, which may be infinite timestamps or absent; `None` if the range is empty.
#[derive(Clone, Copy, Debug)]
pub struct Tstzrange(pub Option<(Bound<Timestamptz>, Bound<Timestamptz>)>);

sql_type!(
    Tstzrange,
    "tstzrange",
    pg_sys::TSTZRANGEOID, // SAFETY: the datum of a `tstzrange` that is not null is a `varlena`. The content is copied.
    |datum| Tstzrange::from_bytes(unsafe { varlena_content(datum) }),
    tstzrange_datum
);

// SAFETY: in SQL, arrays of this type are `tstzrange[]`.
#[allow(unsafe_code)]
unsafe impl UnboxDatum for Tstzrange {
    type As<'src> = Tstzrange;

    #[inline]
    unsafe fn unbox<'src>(datum: Datum<'src>) -> Tstzrange
    where
        Self: 'src,
    {
        // SAFETY: an element that is not null is a `varlena`. Its content is copied.
        Tstzrange::from_bytes(unsafe { varlena_content(datum.sans_lifetime()) })
    }
}

// SAFETY: this is the type of the ranges of `timestamptz`.
#[allow(unsafe_code)]
unsafe impl RangeSubType for Timestamptz {
    fn range_type_oid() -> pg_sys::Oid {
        pg_sys::TSTZRANGEOID
    }
}

fn tstzrange_datum(range: Tstzrange) -> pg_sys::Datum {
    let bound = |bound| match bound {
        Bound::Unbounded => RangeBound::Infinite,
        Bound::Included(time) => RangeBound::Inclusive(time),
        Bound::Excluded(time) => RangeBound::Exclusive(time),
    };
    let range = range.0.map_or_else(Range::empty, |(lower, upper)| Range::new(bound(lower), bound(upper)));
    range.into_datum().expect("a range is not null")
}

impl Tstzrange {
    /// Reads a range from the bytes after its header. (PostgreSQL's own function would look up the type in a cache.)
    ///
    /// ```text
    /// type (4 bytes) | lower bound (8), if there is one | upper bound (8), if there is one | flags (1)
    /// ```
    fn from_bytes(bytes: &[u8]) -> Tstzrange {
        let Some((&flags, bytes)) = bytes.split_last() else { return Tstzrange(None) };
        Tstzrange::from_parts(flags, bytes.get(size_of::<pg_sys::Oid>()..).unwrap_or_default()).0
    }

    const EMPTY: u8 = 0x01;
    const LOWER_INCLUSIVE: u8 = 0x02;
    const UPPER_INCLUSIVE: u8 = 0x04;
    const LOWER_UNBOUNDED: u8 = 0x08;
    const UPPER_UNBOUNDED: u8 = 0x10;

    /// Reads a range from its flags and from bytes that begin with its bounds, if any. Also returns the bytes after the bounds.
    fn from_parts(flags: u8, mut rest: &[u8]) -> (Tstzrange, &[u8]) {
        if flags & Self::EMPTY != 0 {
            return (Tstzrange(None), rest);
        }
        let mut bound = |unbounded: u8, inclusive: u8| {
            if flags & unbounded != 0 {
                return Some(Bound::Unbounded);
            }
            let (bytes, after) = rest.split_first_chunk()?;
            rest = after;
            let time = Timestamptz(i64::from_ne_bytes(*bytes));
            Some(if flags & inclusive != 0 { Bound::Included(time) } else { Bound::Excluded(time) })
        };
        // Every range has enough bytes for its bounds; one with too few would be read as empty.
        let lower = bound(Self::LOWER_UNBOUNDED, Self::LOWER_INCLUSIVE);
        let upper = bound(Self::UPPER_UNBOUNDED, Self::UPPER_INCLUSIVE);
        (Tstzrange(lower.zip(upper)), rest)
    }
}

/// SQL `tstzmultirange`: the bytes after its header.
#[derive(Clone, Copy, Debug)]
pub struct Tstzmultirange<'call>(&'call [u8]);

impl<'call> Tstzmultirange<'call> {
    /// # Safety
    /// The datum must be a `tstzmultirange`, must not be null, and must live as long as the result. The caller's frames must own
    /// nothing, because detoasting may raise an error by longjmp.
    #[allow(unsafe_code)]
    pub unsafe fn from_datum(datum: pg_sys::Datum) -> Tstzmultirange<'call> {
        // SAFETY: the caller's contract. A multirange is a `varlena`, and a detoasted copy lives in the memory of the call.
        Tstzmultirange(unsafe { varlena_to_byte_slice(raw::pg_detoast_datum_packed(datum.cast_mut_ptr())) })
    }

    /// Returns the ranges, which are read from these bytes:
    ///
    /// ```text
    /// type (4 bytes) | count (4) | offsets (4 for each range but the first) | flags (1 for each) | bounds (8 each), aligned
    /// ```
    pub fn ranges(self) -> impl Iterator<Item = Tstzrange> {
        const COUNT: usize = 4;
        const LENGTH_WORD: usize = 4;

        let bytes = self.0;
        let count = bytes.get(COUNT..).and_then(<[u8]>::first_chunk).map_or(0, |count| u32::from_ne_bytes(*count));
        let count = usize::try_from(count).unwrap_or(0);
        let flags = COUNT + 4 + 4 * count.saturating_sub(1);
        // The alignment is relative to the length word, which precedes the content.
        let bounds = (LENGTH_WORD + flags + count).next_multiple_of(8) - LENGTH_WORD;
        let (flags, mut bounds) =
            (bytes.get(flags..flags + count).unwrap_or_default(), bytes.get(bounds..).unwrap_or_default());
        flags.iter().map(move |flags| {
            let (range, rest) = Tstzrange::from_parts(*flags, bounds);
            bounds = rest;
            range
        })
    }
}

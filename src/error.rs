//! Turns every failure into the SQLSTATE, message, detail and hint that PostgreSQL reports.
//!
//! In this file, no match on a [`Failure`] or on an error of the crate `rfc9562` has a wildcard arm. So a new variant does not
//! compile until it has an SQLSTATE.

use std::borrow::Cow;
use std::collections::TryReserveError;
use std::convert::Infallible;
use std::ffi::CStr;
use std::{fmt, io};

use pgrx::pg_sys::panic::pgrx_extern_c_guard;
use pgrx::prelude::*;
use rfc9562::other::{IdError, Ids, System, Type};
use rfc9562::seal::KEY_LENGTH;
use rfc9562::text::Format;
use rfc9562::text::typeid::Rule;
use rfc9562::{DecodeError, Error};

use crate::raw;

/// Defines [`Failure`], and the report of each variant.
macro_rules! failures {
    ($($(#[$meta:meta])* $Variant:ident $(($inner:ident: $Inner:ty))? $({ $($field:ident: $Type:ty),+ })? => $report:expr,)+) => {
        /// The reason for an error that the extension raises.
        #[derive(Debug)]
        pub enum Failure {
            $($(#[$meta])* $Variant $(($Inner))? $({ $($field: $Type),+ })?,)+
        }

        impl Failure {
            fn report(self) -> Report {
                match self {
                    $(Failure::$Variant $(($inner))? $({ $($field),+ })? => $report,)+
                }
            }
        }
    };
}

/// Returns a [`Report`] with an SQLSTATE, a message and, optionally, a detail and a hint, all formatted as by `format!`.
macro_rules! report {
    ($code:ident, $message:literal $(, detail: $detail:literal)? $(, hint: $hint:literal)?) => {
        Report { code: PgSqlErrorCode::$code, message: text(format_args!($message)), detail: None, hint: None }
            $(.set_detail(text(format_args!($detail))))?
            $(.set_hint(text(format_args!($hint))))?
    };
}

failures! {
    Rfc9562(error: Error) => error_report(&error, ""),
    /// A name is not in the list of known names. Only the beginning of a long name is kept.
    UnknownName { cause: Error, name: String } => error_report(&cause, &format!(": \"{name}\"")),
    Decode { cause: DecodeError, format: Format, text: String } => decode_report(cause, format, &text),
    TypeId { detail: String, text: String } =>
        report!(ERRCODE_INVALID_TEXT_REPRESENTATION, "invalid input syntax for TypeID: \"{text}\"", detail: "{detail}"),
    TypeIdPrefix { rule: Rule, prefix: String } =>
        report!(ERRCODE_INVALID_TEXT_REPRESENTATION, "invalid TypeID prefix: \"{prefix}\"", detail: "{rule}"),
    /// A value, time, epoch or type is not valid for IDs of the given system.
    Id { cause: IdError, ids: Ids, given: String } => id_report(cause, ids, &given),
    IdType { ids: Ids, ty: pg_sys::Oid } => id_type_report(ids, &type_name(ty)),
    Entropy(cause: getrandom::Error) => report!(ERRCODE_SYSTEM_ERROR, "could not generate random values: {cause}"),
    Clock => report!(ERRCODE_SYSTEM_ERROR, "system clock is set to a time before 1970-01-01"),
    /// The horizon needs preloading and, before PostgreSQL 17, so does scope `server`, because of its shared memory.
    HorizonNotPreloaded => report!(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
        "uuidrfc must be loaded via \"shared_preload_libraries\" to use the horizon",
        hint: "Add uuidrfc to shared_preload_libraries and restart the server."),
    ScopeNotPreloaded => report!(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
        "uuidrfc must be loaded via \"shared_preload_libraries\" for uuidrfc.monotonic_scope = 'server'",
        hint: "Add uuidrfc to shared_preload_libraries and restart the server, or use PostgreSQL 17 or later."),
    HorizonOnStandby => report!(ERRCODE_FEATURE_NOT_SUPPORTED, "cannot compute the horizon during recovery",
        detail: "A standby does not know which transactions are open on the primary.",
        hint: "Run the query on the primary."),
    HorizonOutOfScope => report!(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
        "the horizon requires uuidrfc.monotonic_scope = 'server'",
        detail: "The horizon covers only UUIDs that were generated in that scope.",
        hint: "Have a superuser run ALTER DATABASE ... SET uuidrfc.monotonic_scope = 'server', and reconnect."),
    HorizonOfSnapshot => report!(ERRCODE_FEATURE_NOT_SUPPORTED, "cannot compute the horizon of this snapshot",
        detail: "The snapshot was not taken by a statement on a primary."),
    HorizonOnShard => report!(ERRCODE_FEATURE_NOT_SUPPORTED, "cannot compute the horizon on the server of a shard",
        detail: "Citus has sent uuidv7_horizon() to the servers of the shards.",
        hint: "Write (SELECT uuidv7_horizon()), which is evaluated on the server that receives the query."),
    /// The horizon cannot be derived from stored marks or, in `uuidv7_mark_by_activity`, from the sessions' activity.
    UnknownHorizon { detail: String } =>
        report!(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, "cannot compute the horizon", detail: "{detail}"),
    TouchTrigger => report!(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED,
        "uuidv7_touch must be fired BEFORE INSERT OR UPDATE, FOR EACH ROW, with the name of a column"),
    NoColumn { name: String } => report!(ERRCODE_UNDEFINED_COLUMN, "column \"{name}\" does not exist"),
    NoUuidColumn { name: String } => report!(ERRCODE_DATATYPE_MISMATCH, "column \"{name}\" is not of type uuid"),
    /// The column that `uuidv7_touch` is to set is generated, so PostgreSQL would replace the value.
    GeneratedColumn { name: String } => report!(ERRCODE_GENERATED_ALWAYS, "column \"{name}\" is a generated column"),
    TooManyPrepared => report!(ERRCODE_PROGRAM_LIMIT_EXCEEDED, "too many prepared transactions that generated UUIDs"),
    /// A file of scope `server` could not be read or written.
    File { name: &'static str, cause: io::Error } => file_report(name, &cause),
    InfiniteInterval => report!(ERRCODE_DATETIME_FIELD_OVERFLOW, "interval out of range for UUID version 7",
        detail: "UUID version 7 does not support infinite intervals."),
    NegativeCount => report!(ERRCODE_INVALID_PARAMETER_VALUE, "number of UUIDs must not be negative"),
    ArrayTooLong { maximum: u32 } =>
        report!(ERRCODE_PROGRAM_LIMIT_EXCEEDED, "array size exceeds the maximum allowed ({maximum})"),
    NoSealKey => report!(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, "no seal key is configured",
        hint: "Pass a key as the second argument, or have a superuser set \"uuidrfc.seal_key_file\"."),
    /// The report contains neither the file's path, which ordinary roles may not see, nor any of its contents.
    SealKeyFile { detail: String, hint: Option<&'static str> } => Report {
        hint: hint.map(Cow::Borrowed),
        ..report!(ERRCODE_CONFIG_FILE_ERROR, "could not load the file named by \"uuidrfc.seal_key_file\"", detail: "{detail}")
    },
    UnknownSealKey { id: i32 } => report!(ERRCODE_INVALID_PARAMETER_VALUE, "seal key {id} does not exist"),
    NoConversion { encoding: String } => report!(ERRCODE_UNDEFINED_FUNCTION,
        "default conversion function for encoding \"{encoding}\" to \"UTF8\" does not exist"),
    Ambiguous { theirs: String, ours: String } => report!(ERRCODE_AMBIGUOUS_FUNCTION,
        "function {theirs} would make calls of {ours} ambiguous",
        hint: "Rename the existing function, or create the extension in another schema."),
    /// Memory ran out for a list whose length depends on a query, on statistics or on the key file.
    Memory => report!(ERRCODE_OUT_OF_MEMORY, "out of memory"),
    Families(cause: spi::Error) => report!(ERRCODE_INTERNAL_ERROR, "could not change operator families of uuid: {cause}"),
    Catalogs(cause: spi::Error) => report!(ERRCODE_INTERNAL_ERROR, "could not read the system catalogs: {cause}"),
}

impl From<TryReserveError> for Failure {
    fn from(_: TryReserveError) -> Failure {
        Failure::Memory
    }
}

impl From<Error> for Failure {
    #[inline]
    fn from(error: Error) -> Failure {
        Failure::Rfc9562(error)
    }
}

impl Failure {
    /// Raises the error. Must be called within the guard of `#[pg_extern]` or `#[pg_guard]`.
    #[cold]
    pub fn raise(self) -> ! {
        self.report().send(PgLogLevel::ERROR);
        unreachable!("an error was reported and did not end the statement")
    }

    /// Raises the error by longjmp, for a function without a guard. No frame up to PostgreSQL's handler may own anything.
    #[cold]
    #[allow(unsafe_code)]
    fn raise_unguarded(self) -> ! {
        // SAFETY: called on PostgreSQL's only thread, in a C function that PostgreSQL called. The guard drops the failure, and the
        // callers' frames own nothing.
        match unsafe { pgrx_extern_c_guard::<_, Infallible>(|| self.raise()) } {}
    }
}

pub fn warn_of_missing_members() {
    report!(ERRCODE_WARNING, "operator families of uuid lack the comparisons with timestamptz",
        detail: "pg_upgrade does not preserve these comparisons. Without them, conditions on time are estimated less \
                 accurately.",
        hint: "Run \"SELECT uuid_ops_add_timestamptz()\" as a superuser in each database that has the extension.")
    .send(PgLogLevel::WARNING);
}

struct Report {
    code: PgSqlErrorCode,
    message: Cow<'static, str>,
    detail: Option<Cow<'static, str>>,
    hint: Option<Cow<'static, str>>,
}

#[allow(unsafe_code)]
fn type_name(ty: pg_sys::Oid) -> String {
    // SAFETY: PostgreSQL returns a C string for any OID.
    let name = unsafe { CStr::from_ptr(pg_sys::format_type_be(ty)) };
    name.to_string_lossy().into_owned()
}

/// Formats a text. Allocates nothing for a constant text, such as the message that memory has run out.
fn text(arguments: fmt::Arguments<'_>) -> Cow<'static, str> {
    arguments.as_str().map_or_else(|| Cow::Owned(arguments.to_string()), Cow::Borrowed)
}

impl Report {
    fn set_detail(self, detail: impl Into<Cow<'static, str>>) -> Report {
        Report { detail: Some(detail.into()), ..self }
    }

    fn set_hint(self, hint: impl Into<Cow<'static, str>>) -> Report {
        Report { hint: Some(hint.into()), ..self }
    }

    /// Sends the report through PostgreSQL itself, which has memory in reserve for the texts. pgrx would first copy them into
    /// the statement's memory context, and end the process if memory ran out.
    #[allow(unsafe_code)]
    fn send(self, level: PgLogLevel) {
        let (detail, hint) = (self.detail.as_deref(), self.hint.as_deref());
        // SAFETY: called on PostgreSQL's only thread. The boundary turns the longjmp into a panic, and the closure, which the
        // longjmp skips, owns nothing.
        unsafe { pg_sys::ffi::pg_guard_ffi_boundary(|| raw::report(level, self.code, &self.message, detail, hint)) }
    }
}

/// Returns the report for an error of the crate `rfc9562`, with `given` appended to the message.
fn error_report(error: &Error, given: &str) -> Report {
    match error {
        // As PostgreSQL 18 says it.
        Error::TimestampOutOfRange { version: 7 } => report!(ERRCODE_DATETIME_FIELD_OVERFLOW, "{error}{given}",
            detail: "UUID version 7 supports timestamps from 1970-01-01 to approximately year 10889."),
        Error::TimestampOutOfRange { version } => report!(ERRCODE_DATETIME_FIELD_OVERFLOW, "{error}{given}",
            detail: "UUID version {version} supports timestamps from 1582-10-15 to approximately year 5236."),
        Error::SequenceExhausted { .. } => report!(ERRCODE_PROGRAM_LIMIT_EXCEEDED, "{error}{given}"),
        Error::UnknownName { kind, known } => report!(ERRCODE_INVALID_PARAMETER_VALUE, "{error}{given}")
            .set_hint(format!("Valid {kind}s are {}.", listed(known))),
        Error::NodeBits | Error::NodeId { .. } => report!(ERRCODE_INVALID_PARAMETER_VALUE, "{error}{given}"),
        Error::KeyLength { length } => {
            let of_digits =
                (*length == 2 * KEY_LENGTH).then_some("Use decode(key, 'hex') to convert hexadecimal digits.");
            let report = report!(ERRCODE_INVALID_PARAMETER_VALUE, "{error}{given}", detail: "The given key has length {length}.");
            Report { hint: of_digits.map(Cow::Borrowed), ..report }
        }
        Error::NotOfVersion { uuid, .. } => {
            report!(ERRCODE_INVALID_PARAMETER_VALUE, "{error}{given}").set_detail(match uuid.version() {
                Some(version) => format!("This UUID is version {version}."),
                None => format!("This UUID has variant \"{}\".", uuid.variant().name()),
            })
        }
    }
}

fn decode_report(cause: DecodeError, format: Format, text: &str) -> Report {
    let name = format.name();
    let report =
        report!(ERRCODE_INVALID_TEXT_REPRESENTATION, "invalid input syntax for UUID in format \"{name}\": \"{text}\"");
    match cause {
        DecodeError::Syntax => report.set_detail(format!("A text in this format is {}.", format.rule())),
        DecodeError::Overflow => report.set_detail("The number does not fit into 128 bits."),
    }
}

fn id_report(cause: IdError, ids: Ids, given: &str) -> Report {
    let (name, rule) = (ids.system().name(), ids.system().rule());
    match cause {
        IdError::Syntax => report!(ERRCODE_INVALID_TEXT_REPRESENTATION,
            "invalid input syntax for ID of system \"{name}\": \"{given}\"",
            detail: "Such an ID is written as {rule}."),
        IdError::Length(expected) => report!(ERRCODE_INVALID_BINARY_REPRESENTATION,
            "invalid input length for ID of system \"{name}\": \"{given}\"",
            detail: "Such an ID is {expected} bytes long."),
        IdError::Range => {
            report!(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE, "value \"{given}\" is out of range for ID of system \"{name}\"")
        }
        IdError::Time => {
            let [first, last] = ids.range();
            report!(ERRCODE_DATETIME_FIELD_OVERFLOW, "timestamp out of range for ID of system \"{name}\"",
                detail: "IDs of this system hold timestamps from {first} to {last}, and UUIDs of version 7 hold timestamps from \
                         1970-01-01 to approximately year 10889.")
        }
        IdError::NotVersion4(uuid) => error_report(&Error::NotOfVersion { uuid, version: 4 }, ""),
        IdError::NoType(ty) => id_type_report(ids, ty.name()),
        IdError::Unsorted(ty) => {
            let sorting: Vec<_> = ids.system().types().filter(|ty| ids.system().sorts_as(*ty)).collect();
            let ty = ty.name();
            report!(ERRCODE_INVALID_PARAMETER_VALUE, "IDs of system \"{name}\" do not sort by time as type {ty}")
                .set_hint(match sorting.first() {
                    None => format!("Create an index on other_id_time(id, '{name}')."),
                    Some(one) => {
                        format!(
                            "Use type {}, as in other_id_floor(time, '{name}', NULL::{}).",
                            types(&sorting),
                            one.name()
                        )
                    }
                })
        }
        IdError::UnsortedThen(Type::Bigint) => report!(ERRCODE_DATETIME_FIELD_OVERFLOW,
            "IDs of system \"{name}\" of this time do not sort by time as type bigint",
            detail: "As bigint, these IDs are negative."),
        IdError::UnsortedThen(_) => report!(ERRCODE_DATETIME_FIELD_OVERFLOW,
            "IDs of system \"{name}\" of this time do not sort by time as type text",
            detail: "As text, these IDs are longer or shorter than those of today."),
        IdError::FixedEpoch => {
            let taking = System::ALL.iter().filter(|system| system.takes_epoch());
            let taking = listed(&taking.map(|one| one.name()).collect::<Vec<_>>());
            report!(ERRCODE_INVALID_PARAMETER_VALUE, "IDs of system \"{name}\" have a fixed epoch",
                hint: "Systems that accept an epoch are {taking}.")
        }
        IdError::Epoch => report!(ERRCODE_INVALID_PARAMETER_VALUE,
            "epoch must be a whole millisecond from 1970-01-01 to approximately year 10889",
            detail: "The given epoch is {given}."),
        IdError::OneWay if ids.system() == System::Ulid => report!(ERRCODE_INVALID_PARAMETER_VALUE,
            "cannot convert a UUID back to an ID of system \"{name}\"",
            detail: "Six of the ULID's random bits are not in the UUID.",
            hint: "Use uuid_decode(id, 'base32') and uuid_encode(uuid, 'base32'), which keep all bits of a ULID."),
        IdError::OneWay => report!(ERRCODE_INVALID_PARAMETER_VALUE,
            "cannot convert a UUID back to an ID of system \"{name}\"",
            detail: "Such an ID does not fit into a UUID, which holds a hash of it instead.",
            hint: "Keep the ID in a column of its own."),
        IdError::NotConverted => report!(ERRCODE_INVALID_PARAMETER_VALUE,
            "UUID \"{given}\" was not converted from an ID of system \"{name}\"",
            detail: "No ID of this system and epoch converts to this UUID."),
    }
}

fn id_type_report(ids: Ids, ty: &str) -> Report {
    let (name, types) = (ids.system().name(), types(&ids.system().types().collect::<Vec<_>>()));
    report!(ERRCODE_INVALID_PARAMETER_VALUE, "IDs of system \"{name}\" cannot be of type {ty}", hint: "Use type {types}.")
}

/// Returns a list such as `text, bytea or uuid`.
fn types(types: &[Type]) -> String {
    let names: Vec<_> = types.iter().map(|ty| ty.name()).collect();
    match &names[..] {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        all => all.concat(),
    }
}

fn file_report(name: &str, cause: &io::Error) -> Report {
    let reason = reason(cause);
    let report = match cause.kind() {
        io::ErrorKind::InvalidData => report!(ERRCODE_DATA_CORRUPTED, "invalid data in file \"{name}\"",
            hint: "Restore the file. If the clock is ahead of all UUIDs that were generated, you can remove the file instead."),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
            report!(ERRCODE_DISK_FULL, "could not update file \"{name}\": {reason}")
        }
        io::ErrorKind::OutOfMemory => report!(ERRCODE_OUT_OF_MEMORY, "could not update file \"{name}\": {reason}"),
        _ => report!(ERRCODE_IO_ERROR, "could not update file \"{name}\": {reason}"),
    };
    report.set_detail("The file keeps UUIDs in order across the server after a crash or a promotion.")
}

/// Returns the reason as PostgreSQL writes it for `%m`, without the number that the standard library appends.
pub fn reason(cause: &io::Error) -> String {
    let text = cause.to_string();
    text.split_once(" (os error ").map_or(text.clone(), |(reason, _)| reason.to_owned())
}

/// Returns the names as PostgreSQL lists valid values: `"one", "two", and "three"`.
fn listed(names: &[&str]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("\"{name}\"")).collect();
    match &quoted[..] {
        [one, other] => format!("{one} and {other}"),
        [first @ .., last] if !first.is_empty() => format!("{}, and {last}", first.join(", ")),
        all => all.concat(),
    }
}

pub trait OrRaise<T> {
    /// Returns the value, or raises the error with [`Failure::raise`].
    fn or_raise(self) -> T;

    /// Returns the value, or raises the error with [`Failure::raise_unguarded`].
    fn or_raise_unguarded(self) -> T;
}

impl<T, E: Into<Failure>> OrRaise<T> for Result<T, E> {
    #[inline]
    fn or_raise(self) -> T {
        self.unwrap_or_else(|error| error.into().raise())
    }

    #[inline]
    fn or_raise_unguarded(self) -> T {
        self.unwrap_or_else(|error| error.into().raise_unguarded())
    }
}

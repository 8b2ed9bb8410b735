//! All errors leave through this file: what failed, and the SQLSTATE, message, detail and hint that PostgreSQL reports.
//!
//! No match of a variant has a wildcard arm. So a new error, also one of the core's enums, does not compile until it has a
//! SQLSTATE.

use std::borrow::Cow;
use std::collections::TryReserveError;
use std::convert::Infallible;
use std::io;

use pgrx::pg_sys::panic::pgrx_extern_c_guard;
use pgrx::prelude::*;
use rfc9562::name::Hashspace;
use rfc9562::other::{IdError, Ids, System, Type};
use rfc9562::seal::{KEY_LENGTH, KeyFileError};
use rfc9562::text::Format;
use rfc9562::text::typeid::Rule;
use rfc9562::{DecodeError, Error};

use crate::datum::type_name;
use crate::raw;

/// Why a function has no result.
#[derive(Debug)]
pub enum Failure {
    /// The core refuses.
    Core(Error),
    /// A name that is not in a list of known ones. Only the beginning of a long one is kept.
    Named { cause: Error, name: String },
    /// A text is not a UUID in this format. Only the beginning of a long text is kept.
    Decode { cause: DecodeError, format: Format, text: String },
    /// A text is no TypeID. Of a long one, only the beginning is kept, here and below.
    TypeId { rule: Rule, text: String },
    /// A text is no prefix of a TypeID.
    TypeIdPrefix { rule: Rule, prefix: String },
    /// A TypeID has another prefix than was asked for.
    OtherTypeIdPrefix { text: String, prefix: String },
    /// A value is no id of its system, or what is asked of it cannot be. Of a long value, only the beginning is kept.
    Id { cause: IdError, ids: Ids, given: String },
    /// A type that no id of these has.
    IdType { ids: Ids, ty: pg_sys::Oid },
    /// The operating system gives no randomness.
    Entropy(getrandom::Error),
    /// The clock shows a time before 1970.
    Clock,
    /// Order across the server needs memory that PostgreSQL allocates only while it starts.
    #[cfg(not(named_dsm))]
    NotPreloaded,
    /// There is no horizon here.
    NoHorizon(NoHorizon),
    /// What other servers, or the sessions of this one, show does not tell a horizon.
    UnknownHorizon { detail: String },
    /// `uuidv7_touch` is not the trigger that it can be.
    Touch(Touch),
    /// A transaction cannot be prepared, since no place is left for what it holds.
    NoPlaceForPrepared,
    /// A file of server scope could not be read or written.
    Mark { name: &'static str, cause: io::Error },
    /// The interval that shifts the clock's time is infinite.
    InfiniteInterval,
    /// A negative number of UUIDs is asked for.
    NegativeCount,
    /// More UUIDs are asked for than one call makes.
    TooMany { counted: &'static str, maximum: u32 },
    /// No file of keys to seal with is named.
    NoSealKey,
    /// It cannot be used.
    SealKeyFile(SealKeyFile),
    /// It has no key of this ID.
    UnknownSealKey { id: i32 },
    /// PostgreSQL has no conversion of this encoding to UTF-8.
    NoConversion { encoding: String },
    /// A function of the schema would make calls of one of the extension's ambiguous.
    Ambiguous { theirs: String, ours: String },
    /// There is no memory for a list as long as a query or its statistics.
    Memory,
    /// Members could not be added to PostgreSQL's operator families.
    Families(spi::Error),
    /// The system catalogs, or what PostgreSQL shows like them, could not be read.
    Catalogs(spi::Error),
}

/// Why there is no horizon.
#[derive(Clone, Copy, Debug)]
pub enum NoHorizon {
    /// This server is a standby, or recovers.
    Standby,
    /// The session is not in scope `server`.
    Scope,
    /// The library was not preloaded.
    NotPreloaded,
    /// What is active is no snapshot of a primary's statement.
    Snapshot,
    /// The statement is a part of one that another server of Citus was given.
    Shard,
}

/// Why a trigger cannot stamp a row.
#[derive(Debug)]
pub enum Touch {
    /// It is fired at another time or event, or does not name a column.
    Trigger,
    /// Its table has no such column.
    NoColumn(String),
    /// The column is not of type `uuid`.
    Type(String),
}

impl From<NoHorizon> for Failure {
    fn from(cause: NoHorizon) -> Failure {
        Failure::NoHorizon(cause)
    }
}

/// Why the file of keys to seal with cannot be used.
#[derive(Debug)]
pub enum SealKeyFile {
    Unreadable(io::Error),
    NoRegularFile,
    /// Others than the server could read it.
    Exposed,
    TooLong,
    Malformed(KeyFileError),
}

impl From<SealKeyFile> for Failure {
    fn from(cause: SealKeyFile) -> Failure {
        Failure::SealKeyFile(cause)
    }
}

impl From<TryReserveError> for Failure {
    fn from(_: TryReserveError) -> Failure {
        Failure::Memory
    }
}

impl From<Error> for Failure {
    #[inline]
    fn from(error: Error) -> Failure {
        Failure::Core(error)
    }
}

impl Failure {
    /// Ends the statement, from a function that has the guard of `#[pg_extern]` or `#[pg_guard]` around it.
    #[cold]
    pub fn raise(self) -> ! {
        self.report().send(PgLogLevel::ERROR);
        unreachable!("an error was reported and did not end the statement")
    }

    /// Ends the statement, from a function without a guard: this leaves by longjmp, over frames that own nothing.
    #[cold]
    #[allow(unsafe_code)]
    fn raise_unguarded(self) -> ! {
        // SAFETY: called on the backend's only thread, in a C function that PostgreSQL called. The guard drops the failure,
        // and the frames between this one and PostgreSQL own nothing.
        match unsafe { pgrx_extern_c_guard::<_, Infallible>(|| self.raise()) } {}
    }

    fn report(self) -> Report {
        use PgSqlErrorCode::*;

        match self {
            Failure::Core(error) => report_of_core(&error, ""),
            Failure::Named { cause, name } => report_of_core(&cause, &format!(": \"{name}\"")),
            Failure::Decode { cause, format, text } => {
                let message = format!("invalid input syntax for UUID in format \"{}\": \"{text}\"", format.name());
                let report = report(ERRCODE_INVALID_TEXT_REPRESENTATION, message);
                match cause {
                    DecodeError::Syntax => report.set_detail(format!("A text in this format is {}.", format.rule())),
                    DecodeError::Overflow => report.set_detail("The number does not fit into 128 bits."),
                }
            }
            Failure::TypeId { rule, text } => {
                report(ERRCODE_INVALID_TEXT_REPRESENTATION, format!("invalid input syntax for TypeID: \"{text}\""))
                    .set_detail(rule.to_string())
            }
            Failure::TypeIdPrefix { rule, prefix } => {
                report(ERRCODE_INVALID_TEXT_REPRESENTATION, format!("invalid prefix of a TypeID: \"{prefix}\""))
                    .set_detail(rule.to_string())
            }
            Failure::OtherTypeIdPrefix { text, prefix } => {
                report(ERRCODE_INVALID_TEXT_REPRESENTATION, format!("invalid input syntax for TypeID: \"{text}\""))
                    .set_detail(format!("Its prefix must be \"{prefix}\"."))
            }
            Failure::Id { cause, ids, given } => report_of_id(cause, ids, &given),
            Failure::IdType { ids, ty } => {
                let system = format!("system \"{}\"", ids.system().name());
                report(ERRCODE_INVALID_PARAMETER_VALUE, format!("ids of {system} are not of type {}", type_name(ty)))
                    .set_hint(format!("They are of type {}.", types(&ids.system().types().collect::<Vec<_>>())))
            }
            Failure::Entropy(cause) => {
                report(ERRCODE_SYSTEM_ERROR, format!("could not obtain randomness from the operating system: {cause}"))
            }
            Failure::Clock => report(ERRCODE_SYSTEM_ERROR, "the system clock shows a time before 1970-01-01"),
            #[cfg(not(named_dsm))]
            Failure::NotPreloaded => report(
                ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
                "uuidrfc must be loaded via \"shared_preload_libraries\" for uuidrfc.monotonic_scope = 'server'",
            )
            .set_hint("Add uuidrfc to shared_preload_libraries and restart the server, or use PostgreSQL 17 or later."),
            Failure::NoHorizon(cause) => report_of_no_horizon(cause),
            Failure::UnknownHorizon { detail } => {
                report(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, "the horizon is not known").set_detail(detail)
            }
            Failure::Touch(Touch::Trigger) => report(
                ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED,
                "uuidv7_touch must be fired BEFORE INSERT OR UPDATE, FOR EACH ROW, with the name of a column",
            ),
            Failure::Touch(Touch::NoColumn(name)) => {
                report(ERRCODE_UNDEFINED_COLUMN, format!("column \"{name}\" does not exist"))
            }
            Failure::Touch(Touch::Type(name)) => {
                report(ERRCODE_DATATYPE_MISMATCH, format!("column \"{name}\" is not of type uuid"))
            }
            Failure::NoPlaceForPrepared => {
                report(ERRCODE_PROGRAM_LIMIT_EXCEEDED, "no place is left for a prepared transaction that made UUIDs")
            }
            Failure::Mark { name, cause } => report_of_mark(name, &cause),
            Failure::InfiniteInterval => {
                report(ERRCODE_DATETIME_FIELD_OVERFLOW, "interval out of range for UUID version 7")
                    .set_detail("UUID version 7 does not support infinite intervals.")
            }
            Failure::NegativeCount => report(ERRCODE_INVALID_PARAMETER_VALUE, "number of UUIDs must not be negative"),
            Failure::TooMany { counted, maximum } => {
                report(ERRCODE_PROGRAM_LIMIT_EXCEEDED, format!("{counted} exceeds the maximum allowed ({maximum})"))
            }
            Failure::NoSealKey => report(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE, "there is no key to seal with").set_hint(
                "A superuser names a file of keys in \"uuidrfc.seal_key_file\"; or pass a key: uuid_seal(id, key), uuid_unseal(id, key).",
            ),
            Failure::SealKeyFile(cause) => report_of_seal_key_file(cause),
            Failure::UnknownSealKey { id } => {
                report(ERRCODE_INVALID_PARAMETER_VALUE, format!("unrecognized ID of key to seal with: {id}"))
            }
            Failure::NoConversion { encoding } => report(
                ERRCODE_UNDEFINED_FUNCTION,
                format!("default conversion function for encoding \"{encoding}\" to \"UTF8\" does not exist"),
            ),
            Failure::Ambiguous { theirs, ours } => report(
                ERRCODE_AMBIGUOUS_FUNCTION,
                format!("function {theirs} would make calls of {ours} ambiguous"),
            )
            .set_hint("Rename it, or create the extension in another schema."),
            Failure::Memory => report(ERRCODE_OUT_OF_MEMORY, "out of memory"),
            Failure::Families(cause) => {
                report(ERRCODE_INTERNAL_ERROR, format!("could not change operator families of uuid: {cause}"))
            }
            Failure::Catalogs(cause) => {
                report(ERRCODE_INTERNAL_ERROR, format!("could not read the system catalogs: {cause}"))
            }
        }
    }
}

/// Warns that PostgreSQL's operator families lack the comparisons of `uuid` with `timestamptz`.
pub fn warn_of_missing_members() {
    let message = "operator families of uuid lack the comparisons with timestamptz";
    report(PgSqlErrorCode::ERRCODE_WARNING, message)
        .set_detail(
            "pg_upgrade does not carry them over. Until they are added, conditions on time are estimated less well.",
        )
        .set_hint("As a superuser, run SELECT uuid_ops_add_timestamptz(), in each database that has the extension.")
        .send(PgLogLevel::WARNING);
}

/// What PostgreSQL is told.
struct Report {
    code: PgSqlErrorCode,
    message: Cow<'static, str>,
    detail: Option<Cow<'static, str>>,
    hint: Option<Cow<'static, str>>,
}

fn report(code: PgSqlErrorCode, message: impl Into<Cow<'static, str>>) -> Report {
    Report { code, message: message.into(), detail: None, hint: None }
}

impl Report {
    fn set_detail(self, detail: impl Into<Cow<'static, str>>) -> Report {
        Report { detail: Some(detail.into()), ..self }
    }

    fn set_hint(self, hint: impl Into<Cow<'static, str>>) -> Report {
        Report { hint: Some(hint.into()), ..self }
    }

    /// Not by pgrx, which would copy the texts into the context of the statement first, and end the process if that has no memory.
    /// PostgreSQL keeps some kilobytes for them in a context of its own.
    #[allow(unsafe_code)]
    fn send(self, level: PgLogLevel) {
        let (detail, hint) = (self.detail.as_deref(), self.hint.as_deref());
        // SAFETY: called on the backend's only thread. The closure owns nothing that an error, which the boundary turns into a panic,
        // could leave behind.
        unsafe { pg_sys::ffi::pg_guard_ffi_boundary(|| raw::report(level, self.code, &self.message, detail, hint)) }
    }
}

/// With what was given behind the message.
fn report_of_core(error: &Error, given: &str) -> Report {
    use PgSqlErrorCode::*;

    let report = |code| report(code, format!("{error}{given}"));
    match error {
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
        Error::NodeBits { .. } | Error::NodeId { .. } => report(ERRCODE_INVALID_PARAMETER_VALUE),
        Error::KeyLength { length } => {
            let report = report(ERRCODE_INVALID_PARAMETER_VALUE)
                .set_detail(format!("A key has {KEY_LENGTH} bytes, and this one has {length}."));
            if *length == 2 * KEY_LENGTH {
                report.set_hint("Write a key of hexadecimal digits as decode('...', 'hex').")
            } else {
                report
            }
        }
        Error::NotOfVersion { uuid, .. } => report(ERRCODE_INVALID_PARAMETER_VALUE).set_detail(match uuid.version() {
            Some(version) => format!("This UUID is version {version}."),
            None => format!("This UUID has variant \"{}\".", uuid.variant().name()),
        }),
    }
}

fn report_of_id(cause: IdError, ids: Ids, given: &str) -> Report {
    use PgSqlErrorCode::*;

    let system = format!("system \"{}\"", ids.system().name());
    match cause {
        IdError::Syntax => {
            report(ERRCODE_INVALID_TEXT_REPRESENTATION, format!("invalid input syntax for id of {system}: \"{given}\""))
                .set_detail(format!("As text, such an id is {}.", ids.system().rule()))
        }
        IdError::Length { expected } => report(
            ERRCODE_INVALID_BINARY_REPRESENTATION,
            format!("invalid input length for id of {system}: \"{given}\""),
        )
        .set_detail(format!("Such an id has {expected} bytes.")),
        IdError::Range => {
            report(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE, format!("value \"{given}\" is out of range for id of {system}"))
        }
        IdError::Time => {
            let [first, last] = ids.range();
            report(ERRCODE_DATETIME_FIELD_OVERFLOW, format!("timestamp out of range for id of {system}")).set_detail(format!(
                "Ids of this system hold timestamps from {first} to {last}, UUIDs of version 7 from 1970-01-01 to approximately year 10889."
            ))
        }
        IdError::NotVersion4 { uuid } => report_of_core(&Error::NotOfVersion { uuid, version: 4 }, ""),
        IdError::NoType { ty } => {
            report(ERRCODE_INVALID_PARAMETER_VALUE, format!("ids of {system} are not of type {}", ty.name()))
                .set_hint(format!("They are of type {}.", types(&ids.system().types().collect::<Vec<_>>())))
        }
        IdError::Unsorted { ty } => {
            let name = ids.system().name();
            let sorting: Vec<_> = ids.system().types().filter(|ty| ids.system().sorts_as(*ty)).collect();
            report(
                ERRCODE_INVALID_PARAMETER_VALUE,
                format!("ids of {system} do not sort by time as type {}", ty.name()),
            )
            .set_hint(match sorting.first() {
                None => format!("Make an index on other_id_time(id, '{name}')."),
                Some(one) => format!(
                    "They do as type {}: other_id_floor(time, '{name}', NULL::{}).",
                    types(&sorting),
                    one.name()
                ),
            })
        }
        IdError::UnsortedThen { ty } => report(
            ERRCODE_DATETIME_FIELD_OVERFLOW,
            format!("ids of {system} of this time do not sort as type {}", ty.name()),
        )
        .set_detail(if ty == Type::Bigint {
            "They are negative numbers."
        } else {
            "Their texts have another length than those of today."
        }),
        IdError::FixedEpoch => {
            let taking: Vec<_> =
                System::ALL.iter().filter(|system| system.takes_epoch()).map(|one| one.name()).collect();
            report(ERRCODE_INVALID_PARAMETER_VALUE, format!("ids of {system} have a fixed epoch"))
                .set_hint(format!("Systems that take an epoch are {}.", listed(&taking)))
        }
        IdError::Epoch => report(
            ERRCODE_INVALID_PARAMETER_VALUE,
            "epoch must be a whole millisecond from 1970-01-01 to approximately year 10889",
        )
        .set_detail(format!("It is {given}.")),
        IdError::OneWay => {
            let report =
                report(ERRCODE_INVALID_PARAMETER_VALUE, format!("cannot convert a UUID back to an id of {system}"));
            match ids.system() {
                System::Ulid => report.set_detail("Six random bits were lost when it was carried over.").set_hint(
                    "To keep all of a ULID in a UUID, use uuid_decode(id, 'base32') and uuid_encode(uuid, 'base32').",
                ),
                _ => report
                    .set_detail("Such an id does not fit into a UUID, which has a hash of it.")
                    .set_hint("Keep the id beside the UUID."),
            }
        }
        IdError::NotCarried { .. } => {
            report(ERRCODE_INVALID_PARAMETER_VALUE, format!("UUID \"{given}\" is not of an id of {system}"))
                .set_detail("No id of this system and this epoch gives this UUID.")
        }
    }
}

/// `text, bytea or uuid`
fn types(types: &[Type]) -> String {
    let names: Vec<_> = types.iter().map(|ty| ty.name()).collect();
    match &names[..] {
        [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        all => all.concat(),
    }
}

/// What the caller can do about it.
fn report_of_no_horizon(cause: NoHorizon) -> Report {
    use PgSqlErrorCode::*;

    match cause {
        NoHorizon::Standby => report(ERRCODE_FEATURE_NOT_SUPPORTED, "a standby does not know the horizon")
            .set_detail("It does not know which transactions are open on the primary.")
            .set_hint("Ask the primary."),
        NoHorizon::Scope => report(
            ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
            "the horizon needs uuidrfc.monotonic_scope = 'server'",
        )
        .set_detail("It stands for the values of all sessions of that scope, and of no others.")
        .set_hint(
            "Set it for the database, ALTER DATABASE ... SET uuidrfc.monotonic_scope = 'server', and connect again.",
        ),
        NoHorizon::NotPreloaded => report(
            ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE,
            "uuidrfc must be loaded via \"shared_preload_libraries\" for the horizon",
        )
        .set_hint("Add uuidrfc to shared_preload_libraries and restart the server."),
        NoHorizon::Shard => {
            report(ERRCODE_FEATURE_NOT_SUPPORTED, "the horizon of a shard's server is not that of the table")
                .set_detail("Citus has sent uuidv7_horizon() to the servers of the shards.")
                .set_hint("Write (SELECT uuidv7_horizon()), which is evaluated where the query was given.")
        }
        NoHorizon::Snapshot => report(ERRCODE_FEATURE_NOT_SUPPORTED, "there is no horizon for this snapshot")
            .set_detail("The horizon is that of a statement whose snapshot was taken on a primary."),
    }
}

/// The list of the standard library's kinds of errors may grow. A kind that is not here is a fault of the disk.
fn report_of_mark(name: &str, cause: &io::Error) -> Report {
    let report = |code| {
        report(code, format!("could not keep a mark in file \"{name}\": {cause}"))
            .set_detail("The file keeps the order of UUIDs across the server after a crash or a promotion.")
    };
    match cause.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => report(PgSqlErrorCode::ERRCODE_DISK_FULL),
        io::ErrorKind::OutOfMemory => report(PgSqlErrorCode::ERRCODE_OUT_OF_MEMORY),
        io::ErrorKind::InvalidData => report(PgSqlErrorCode::ERRCODE_DATA_CORRUPTED).set_hint(
            "Restore the file. If the clock is ahead of all UUIDs that were made, you can remove it instead: the order then \
             begins anew.",
        ),
        _ => report(PgSqlErrorCode::ERRCODE_IO_ERROR),
    }
}

/// Without the path, which only superusers may see, and without anything that the file has.
fn report_of_seal_key_file(cause: SealKeyFile) -> Report {
    const OWNER: &str =
        "It must belong to the server's user with mode 0600 or less, or to root with mode 0640 or less.";
    let report = |detail: String| {
        let message = "could not use the file that \"uuidrfc.seal_key_file\" names";
        report(PgSqlErrorCode::ERRCODE_CONFIG_FILE_ERROR, message).set_detail(detail)
    };
    match cause {
        SealKeyFile::Unreadable(cause) => {
            let report = report(format!("Reading it failed: {cause}."));
            match cause.kind() {
                io::ErrorKind::PermissionDenied => report.set_hint(OWNER),
                io::ErrorKind::NotFound => report.set_hint("A path that is not absolute begins in the data directory."),
                _ => report,
            }
        }
        SealKeyFile::NoRegularFile => report("It is not a regular file.".to_owned()),
        SealKeyFile::Exposed => {
            report("It has group or world access, or belongs to another user.".to_owned()).set_hint(OWNER)
        }
        SealKeyFile::TooLong => report("It is too long.".to_owned()),
        SealKeyFile::Malformed(cause) => report(cause.to_string()),
    }
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

/// The value of a result.
pub trait OrRaise<T> {
    /// The value, or else ends the statement like [`Failure::raise`].
    fn or_raise(self) -> T;

    /// The value, or else ends the statement like [`Failure::raise_unguarded`].
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

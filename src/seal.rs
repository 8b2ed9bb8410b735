//! Seals version 7 UUIDs as version 4, and unseals them. The key is passed as an argument or read from the file that
//! `uuidrfc.seal_key_file` names.
//!
//! No setting contains a key, because the server logs changed settings, and every role may read those of databases and roles in
//! `pg_db_role_setting`. A file, in contrast, is protected by its owner and permissions.

use std::ffi::{CStr, CString, OsStr};
use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::sync::{Mutex, PoisonError};

use pgrx::prelude::*;
use pgrx::{GucContext, GucFlags, GucRegistry, GucSetting, pg_func_extra};
use rfc9562::seal::{KEY_LENGTH, KeyFileError, Keys, Sealer};
use rfc9562::{Error, Uuid};
use zeroize::Zeroizing;

use crate::SETTING_FLAGS;
use crate::backend::wipe_traces;
use crate::datum::{Bytea, SqlUuid};
use crate::error::{Failure, OrRaise, reason};
use crate::planner::catalog::PlannerFunction;

/// The path of the key file; null or empty if there is none.
static KEY_FILE: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c""));

pub fn initialize() {
    GucRegistry::define_string_guc(
        c"uuidrfc.seal_key_file",
        c"Sets the file of the keys that uuid_seal and uuid_unseal use when they are called without a key.",
        c"A session reads the file when it first needs a key, and again after the server's configuration is reloaded.",
        &KEY_FILE,
        GucContext::Suset,
        SETTING_FLAGS | GucFlags::SUPERUSER_ONLY,
    );
}

#[pg_extern(name = "uuid_seal", sql = false)]
pub fn uuid_seal_by_key(id: SqlUuid, key: Bytea<'_>, fcinfo: pg_sys::FunctionCallInfo) -> SqlUuid {
    SqlUuid(with_key(fcinfo, key, |sealer| sealer.seal(id.0)).or_raise())
}

#[pg_extern(name = "uuid_unseal", sql = false)]
pub fn uuid_unseal_by_key(id: SqlUuid, key: Bytea<'_>, fcinfo: pg_sys::FunctionCallInfo) -> SqlUuid {
    // Called for each element of an array (src/time_predicate/inverse.rs), with no check for interrupts in between.
    check_for_interrupts!();
    SqlUuid(with_key(fcinfo, key, |sealer| sealer.unseal(id.0)).or_raise())
}

#[pg_extern(sql = false)]
pub fn uuid_seal(id: SqlUuid) -> SqlUuid {
    SqlUuid(with_keys(|keys| Ok(keys.current().seal(id.0)?)).or_raise())
}

#[pg_extern(sql = false)]
pub fn uuid_unseal(id: SqlUuid) -> SqlUuid {
    check_for_interrupts!();
    SqlUuid(with_keys(|keys| Ok(keys.current().unseal(id.0)?)).or_raise())
}

/// Unseals with the key that has the given ID in the key file.
#[pg_extern(sql = false)]
fn uuid_unseal_with(id: SqlUuid, key_id: i32, fcinfo: pg_sys::FunctionCallInfo) -> SqlUuid {
    demand_right_to_unseal(fcinfo);
    let unsealed = with_keys(|keys| {
        let sealer = keys.by_id(key_id).ok_or(Failure::UnknownSealKey { id: key_id })?;
        Ok(sealer.unseal(id.0)?)
    });
    SqlUuid(unsealed.or_raise())
}

/// Raises an error if the role may not execute `uuid_unseal`. The privilege is checked once for each call site, not for each row.
#[allow(unsafe_code)]
fn demand_right_to_unseal(fcinfo: pg_sys::FunctionCallInfo) {
    let check = || {
        if PlannerFunction::UNSEAL.find().is_none() {
            let (denied, function) = (pg_sys::AclResult::ACLCHECK_NO_PRIV, pg_sys::ObjectType::OBJECT_FUNCTION);
            // SAFETY: the name is a C string.
            unsafe { pg_sys::aclcheck_error(denied, function, c"uuid_unseal".as_ptr()) };
        }
    };
    // SAFETY: PostgreSQL passes a valid fcinfo, with the flinfo of this function, because the call comes from SQL. Nothing else
    // uses fn_extra.
    unsafe { pg_func_extra(fcinfo, check) };
}

/// The last key that was passed to a call in a statement's text, with its key schedule. It is wiped when the statement ends or, for
/// a call in an expression of PL/pgSQL, when the transaction ends.
struct LastKey(Option<(Zeroizing<[u8; KEY_LENGTH]>, Sealer)>);

impl LastKey {
    #[inline(never)]
    fn set(&mut self, key: &[u8]) -> Result<(), Error> {
        let sealer = Sealer::new(key)?;
        let mut copy = Zeroizing::new([0; KEY_LENGTH]);
        copy.copy_from_slice(key);
        self.0 = Some((copy, sealer));
        Ok(())
    }
}

impl Drop for LastKey {
    fn drop(&mut self) {
        self.0 = None;
        wipe_traces::<DEEP>();
    }
}

/// Calls `run` with a sealer for the key. The key schedule is computed unless the same call in the statement last had this key,
/// too. Copies of the key remain only in [`LastKey`].
#[allow(unsafe_code)]
fn with_key(
    fcinfo: pg_sys::FunctionCallInfo,
    key: Bytea<'_>,
    run: impl FnOnce(&Sealer) -> Result<Uuid, Error>,
) -> Result<Uuid, Error> {
    // SAFETY: as above. The function does not call itself, so the reference is unique.
    let mut last = unsafe { pg_func_extra(fcinfo, || LastKey(None)) };
    if last.0.as_ref().is_none_or(|(last_key, _)| last_key[..] != *key.0) {
        let set = last.set(key.0);
        // The AES code uses less than 16 KiB of stack.
        wipe_traces::<2048>();
        set?;
    }
    last.0.as_ref().map_or(Err(Error::KeyLength { length: key.0.len() }), |(_, sealer)| run(sealer))
}

/// The number of stack words to wipe after code that uses more stack than AES alone and may leave round keys on it.
const DEEP: usize = 8192;

/// The keys of the key file, as this session read them.
struct FileKeys {
    path: CString,
    /// When the configuration was last reloaded before the keys were read.
    configured: pg_sys::TimestampTz,
    keys: Keys,
}

// Each process has its own copy of the keys. The functions that use the copy are PARALLEL RESTRICTED, because a worker would read
// the file again, and the file may have changed by then.
static FILE_KEYS: Mutex<Option<FileKeys>> = Mutex::new(None);

/// Calls `run` with the keys of the key file, which is read again after its path has changed or the configuration has been
/// reloaded. No copies of replaced keys remain.
#[allow(unsafe_code)]
fn with_keys(run: impl FnOnce(&Keys) -> Result<Uuid, Failure>) -> Result<Uuid, Failure> {
    // SAFETY: the setting's value is null or a C string that is valid until the setting changes, and nothing below changes the
    // setting. The time is a number that PostgreSQL sets when it reads its configuration. Both are read on PostgreSQL's only
    // thread.
    let (path, configured) = unsafe {
        let path = *KEY_FILE.as_ptr();
        (if path.is_null() { c"" } else { CStr::from_ptr(path) }, pg_sys::PgReloadTime)
    };
    let mut cached = FILE_KEYS.lock().unwrap_or_else(PoisonError::into_inner);
    if !cached.as_ref().is_some_and(|cached| cached.configured == configured && cached.path.as_c_str() == path) {
        // The old keys are discarded even if new ones cannot be read.
        *cached = None;
        let read = if path.is_empty() { Err(Failure::NoSealKey) } else { cache_keys(&mut cached, path, configured) };
        wipe_traces::<DEEP>();
        read?;
    }
    cached.as_ref().map_or(Err(Failure::NoSealKey), |cached| run(&cached.keys))
}

#[inline(never)]
fn cache_keys(cached: &mut Option<FileKeys>, path: &CStr, configured: pg_sys::TimestampTz) -> Result<(), Failure> {
    let keys = read_keys(path)?;
    *cached = Some(FileKeys { path: path.to_owned(), configured, keys });
    Ok(())
}

/// The maximum length of a key file in bytes. A longer file would contain hundreds of keys, so it is assumed not to be a key file.
const LONGEST_FILE: u64 = 60 * 1024;

/// The wording of PostgreSQL's message about private key files.
const PERMISSIONS: &str = "The file must have permissions u=rw (0600) or less if owned by the database user, or \
                           permissions u=rw,g=r (0640) or less if owned by root.";

fn unusable(detail: impl Into<String>, hint: Option<&'static str>) -> Failure {
    Failure::SealKeyFile { detail: detail.into(), hint }
}

fn unreadable(cause: io::Error) -> Failure {
    let hint = match cause.kind() {
        ErrorKind::NotFound => Some("A relative path is interpreted relative to the data directory."),
        ErrorKind::PermissionDenied => Some(PERMISSIONS),
        _ => None,
    };
    unusable(format!("The file could not be read: {}.", reason(&cause)), hint)
}

#[allow(unsafe_code)]
fn read_keys(path: &CStr) -> Result<Keys, Failure> {
    // Nonblocking, so that a pipe does not make the session wait.
    let mut file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK)
        .open(OsStr::from_bytes(path.to_bytes()))
        .map_err(unreadable)?;
    let about = file.metadata().map_err(unreadable)?;
    if !about.is_file() {
        return Err(unusable("The file is not a regular file.", None));
    }
    // SAFETY: the function has no precondition.
    let server = unsafe { libc::geteuid() };
    // PostgreSQL's rule for private key files.
    let unexposed = match about.uid() {
        owner if owner == server => about.mode() & 0o077 == 0,
        0 => about.mode() & 0o037 == 0,
        _ => false,
    };
    if !unexposed {
        return Err(unusable("The file has group or world access, or belongs to another user.", Some(PERMISSIONS)));
    }
    if about.len() > LONGEST_FILE {
        return Err(unusable("The file is too long.", None));
    }
    // The buffer has room for the whole file, because growing it would leave a copy behind.
    let mut text = Zeroizing::new(vec![0; usize::try_from(about.len()).unwrap_or(0)]);
    file.read_exact(&mut text).map_err(unreadable)?;
    Keys::parse(&text).map_err(|cause| match cause {
        KeyFileError::OutOfMemory => Failure::Memory,
        cause => unusable(cause.to_string(), None),
    })
}

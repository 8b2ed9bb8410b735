//! Version 7 UUIDs for the outside: sealed as version 4, and back. The key is an argument, or one of a file that a setting names.
//!
//! A setting with the key itself would show it: the server writes changed settings into its log, and `pg_db_role_setting`,
//! which everybody may read, has those of databases and roles. A file has an owner and a mode.

use std::cell::RefCell;
use std::ffi::{CStr, CString, OsStr};
use std::fs::OpenOptions;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};

use pgrx::prelude::*;
use pgrx::{GucContext, GucFlags, GucRegistry, GucSetting, PgMemoryContexts};
use rfc9562::seal::{KEY_LENGTH, Keys, Sealer};
use zeroize::Zeroizing;

use crate::backend::wipe_stack;
use crate::datum::{Bytea, SqlUuid};
use crate::error::{Failure, OrRaise, SealKeyFile};

/// The path of the file; null is none, and so is the empty one.
static KEY_FILE: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c""));

pub fn initialize() {
    GucRegistry::define_string_guc(
        c"uuidrfc.seal_key_file",
        c"Names the file of the keys that uuid_seal and uuid_unseal take if they are given none.",
        c"A session reads it when it first needs a key, and again after the server's configuration was reloaded.",
        &KEY_FILE,
        GucContext::Suset,
        GucFlags::from_bits_retain((pg_sys::GUC_SUPERUSER_ONLY | pg_sys::GUC_ALLOW_IN_PARALLEL).cast_signed()),
    );
}

/// The version 4 UUID that stands for a version 7 UUID under a key.
#[pg_extern(name = "uuid_seal", sql = false)]
fn uuid_seal_by_key(id: SqlUuid, key: Bytea<'_>, fcinfo: pg_sys::FunctionCallInfo) -> SqlUuid {
    with_key(fcinfo, key, |sealer| SqlUuid(sealer.seal(id.0).or_raise()))
}

/// The version 7 UUID that a version 4 UUID stands for under a key.
#[pg_extern(name = "uuid_unseal", sql = false)]
fn uuid_unseal_by_key(id: SqlUuid, key: Bytea<'_>, fcinfo: pg_sys::FunctionCallInfo) -> SqlUuid {
    with_key(fcinfo, key, |sealer| SqlUuid(sealer.unseal(id.0).or_raise()))
}

/// Under the current key of the file.
#[pg_extern(sql = false)]
fn uuid_seal(id: SqlUuid) -> SqlUuid {
    with_keys(|keys| SqlUuid(keys.current().seal(id.0).or_raise()))
}

/// Under the current key of the file.
#[pg_extern(sql = false)]
fn uuid_unseal(id: SqlUuid) -> SqlUuid {
    with_keys(|keys| SqlUuid(keys.current().unseal(id.0).or_raise()))
}

/// Under the key of the file that has this ID.
#[pg_extern(sql = false)]
fn uuid_unseal_with(id: SqlUuid, key_id: i32) -> SqlUuid {
    with_keys(|keys| {
        let sealer = keys.of_id(key_id).ok_or(Failure::UnknownSealKey { id: key_id }).or_raise();
        SqlUuid(sealer.unseal(id.0).or_raise())
    })
}

// What stands in plans in the place of conditions on sealed UUIDs (src/time_predicate/inverse.rs). A UUID that nothing was sealed as is
// null, and left out of an array.

/// Under the current key of the file.
#[pg_extern(sql = false)]
fn uuid_unseal_or_null(id: SqlUuid) -> Option<SqlUuid> {
    with_keys(|keys| keys.current().unseal(id.0).ok().map(SqlUuid))
}

#[pg_extern(sql = false)]
fn uuid_unseal_or_null_by_key(id: SqlUuid, key: Bytea<'_>, fcinfo: pg_sys::FunctionCallInfo) -> Option<SqlUuid> {
    with_key(fcinfo, key, |sealer| sealer.unseal(id.0).ok().map(SqlUuid))
}

/// Under the current key of the file.
#[pg_extern(sql = false)]
fn uuid_unseal_many(ids: Array<'_, pgrx::Uuid>) -> Vec<pgrx::Uuid> {
    with_keys(|keys| unsealed(&ids, keys.current()))
}

#[pg_extern(sql = false)]
fn uuid_unseal_many_by_key(
    ids: Array<'_, pgrx::Uuid>,
    key: Bytea<'_>,
    fcinfo: pg_sys::FunctionCallInfo,
) -> Vec<pgrx::Uuid> {
    with_key(fcinfo, key, |sealer| unsealed(&ids, sealer))
}

fn unsealed(ids: &Array<'_, pgrx::Uuid>, sealer: &Sealer) -> Vec<pgrx::Uuid> {
    let unseal = |id: pgrx::Uuid| sealer.unseal(rfc9562::Uuid::from_bytes(*id.as_bytes())).ok();
    ids.iter().flatten().filter_map(unseal).map(|id| pgrx::Uuid::from_bytes(*id.as_bytes())).collect()
}

/// A key given by a statement, made ready.
struct Given {
    key: Zeroizing<[u8; KEY_LENGTH]>,
    sealer: Sealer,
}

impl Given {
    fn new(key: &[u8]) -> Given {
        let sealer = Sealer::new(key).or_raise();
        let mut copy = Zeroizing::new([0; KEY_LENGTH]);
        copy.copy_from_slice(key);
        Given { key: copy, sealer }
    }
}

/// Runs with a key, which is made ready once for a place in a statement as long as it stays the same, and wiped when the statement ends.
#[allow(unsafe_code)]
fn with_key<T>(fcinfo: pg_sys::FunctionCallInfo, key: Bytea<'_>, run: impl FnOnce(&Sealer) -> T) -> T {
    // SAFETY: PostgreSQL calls with a valid fcinfo; flinfo, if there is one, is of this function, and what fn_extra points to
    // was put there here.
    let given = unsafe {
        let flinfo = (*fcinfo).flinfo;
        if flinfo.is_null() {
            return run(&Given::new(key.0).sealer);
        }
        let extra = (*flinfo).fn_extra.cast::<Given>();
        if extra.is_null() {
            let given = PgMemoryContexts::For((*flinfo).fn_mcxt).leak_and_drop_on_delete(Given::new(key.0));
            (*flinfo).fn_extra = given.cast();
            &mut *given
        } else {
            &mut *extra
        }
    };
    if given.key[..] != *key.0 {
        *given = Given::new(key.0);
    }
    run(&given.sealer)
}

/// The keys of the file, as this session read them.
struct Held {
    path: CString,
    /// When the configuration had been read before that.
    configured: pg_sys::TimestampTz,
    keys: Keys,
}

thread_local! {
    // A backend has one thread. Parallel workers do not call these functions: they would read the file anew, and it may have other keys
    // by then.
    static HELD: RefCell<Option<Held>> = const { RefCell::new(None) };
}

#[allow(unsafe_code)]
fn with_keys<T>(run: impl FnOnce(&Keys) -> T) -> T {
    // SAFETY: the setting's value is a C string that stays until the setting changes, which no code below does; the time is a
    // number of PostgreSQL's, set when it reads its configuration. Both on the backend's only thread.
    let (path, configured) = unsafe {
        let path = *KEY_FILE.as_ptr();
        (if path.is_null() { c"" } else { CStr::from_ptr(path) }, pg_sys::PgReloadTime)
    };
    HELD.with_borrow_mut(|held| {
        if !held.as_ref().is_some_and(|held| held.configured == configured && held.path.as_c_str() == path) {
            // The old ones are not kept if there are no new ones.
            *held = None;
            let read = if path.is_empty() { Err(Failure::NoSealKey) } else { read_keys(path).map_err(Failure::from) };
            wipe_stack();
            *held = Some(Held { path: path.to_owned(), configured, keys: read.or_raise() });
        }
        // It was there or has just been put there.
        run(&held.as_ref().expect("keys are held").keys)
    })
}

/// A file longer than this has something else in it.
const LONGEST_FILE: u64 = 1024 * 1024;

#[inline(never)]
#[allow(unsafe_code)]
fn read_keys(path: &CStr) -> Result<Keys, SealKeyFile> {
    // If it is a pipe, this does not wait.
    let mut file = OpenOptions::new()
        .read(true)
        .custom_flags(libc::O_NONBLOCK)
        .open(OsStr::from_bytes(path.to_bytes()))
        .map_err(SealKeyFile::Unreadable)?;
    let about = file.metadata().map_err(SealKeyFile::Unreadable)?;
    if !about.is_file() {
        return Err(SealKeyFile::NoRegularFile);
    }
    // SAFETY: it has no precondition.
    let server = unsafe { libc::geteuid() };
    // As PostgreSQL demands of the key of its TLS certificate.
    let unexposed = match about.uid() {
        owner if owner == server => about.mode() & 0o077 == 0,
        0 => about.mode() & 0o037 == 0,
        _ => false,
    };
    if !unexposed {
        return Err(SealKeyFile::Exposed);
    }
    if about.len() > LONGEST_FILE {
        return Err(SealKeyFile::TooLong);
    }
    // With room for all of it, so that none is left behind in memory that it has outgrown.
    let mut text = Zeroizing::new(vec![0; usize::try_from(about.len()).unwrap_or(0)]);
    file.read_exact(&mut text).map_err(SealKeyFile::Unreadable)?;
    Keys::parse(&text).map_err(SealKeyFile::Malformed)
}

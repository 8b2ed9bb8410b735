//! This server's node, which distinguishes the server from others that generate UUIDs for the same tables: `uuidrfc.node_id`, such
//! as `7`, or `300/12` for a 12-bit node.

use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::atomic::{AtomicU32, Ordering};

use pgrx::prelude::*;
use pgrx::{GucCheckError, GucContext, GucRegistry, GucSetting};
use rfc9562::Error;
use rfc9562::node::{self, MAX_BITS, Node};

use crate::SETTING_FLAGS;
use crate::datum::SqlUuid;
use crate::error::OrRaise;

/// The text of the setting; empty if there is no node.
static TEXT: GucSetting<Option<CString>> = GucSetting::<Option<CString>>::new(Some(c""));
/// The upper half is the node's length in bits, and the lower half is its number; 0 if there is no node.
static NODE: AtomicU32 = AtomicU32::new(0);

/// The default length of a node in bits. It is small, because each bit of a node replaces a random bit.
const DEFAULT_BITS: u32 = 8;

#[allow(unsafe_code)]
pub fn initialize() {
    // SAFETY: both hooks have a guard.
    unsafe {
        GucRegistry::define_string_guc_with_hooks(
            c"uuidrfc.node_id",
            c"Sets the node that UUIDs of versions 1, 6 and 7 contain, so that servers with different nodes never generate the same UUID.",
            c"The value is a number, followed by a slash and its number of bits if that is not 8. All servers must use the same number of bits. An empty value means no node.",
            &TEXT,
            GucContext::Suset,
            SETTING_FLAGS,
            Some(check),
            Some(assign),
            None,
        );
    }
}

/// Parses the setting into the value of [`NODE`].
///
/// # Safety
/// The argument must be null or point to a C string.
#[allow(unsafe_code)]
unsafe fn parsed(text: *const c_char) -> Result<u32, GucCheckError> {
    let refused = |detail: String| GucCheckError::default().with_detail(detail);
    let syntax = || {
        refused(format!(
            "A node is a number from 0 to {}, followed by its number of bits if that is not {DEFAULT_BITS}: \"300/12\".",
            u16::MAX
        ))
    };
    let number = |digits: &str| {
        let digits = Some(digits).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_digit()));
        digits.and_then(|digits| digits.parse::<u32>().ok()).ok_or_else(syntax)
    };
    // SAFETY: the caller's contract.
    let text = if text.is_null() { c"" } else { unsafe { CStr::from_ptr(text) } };
    let text = text.to_str().map_err(|_| syntax())?.trim_ascii();
    if text.is_empty() {
        return Ok(0);
    }
    let (id, bits) = match text.split_once('/') {
        Some((id, bits)) => (number(id)?, number(bits)?),
        None => (number(text)?, DEFAULT_BITS),
    };
    let id = u16::try_from(id).map_err(|_| syntax())?;
    match Node::new(id, bits) {
        Ok(_) => Ok(bits << 16 | u32::from(id)),
        Err(Error::NodeId { .. }) => {
            let needed = u16::BITS - id.leading_zeros();
            let hint = format!("Use \"{id}/{needed}\", or more bits, and the same number of bits on all servers.");
            Err(refused(format!("Node {id} needs more bits than {bits}.")).with_hint(hint))
        }
        Err(_) => Err(refused(format!("A node has 1 to {MAX_BITS} bits."))),
    }
}

#[allow(unsafe_code)]
#[pg_guard]
unsafe extern "C-unwind" fn check(
    text: *mut *mut c_char,
    _extra: *mut *mut c_void,
    _source: pg_sys::GucSource::Type,
) -> bool {
    // SAFETY: PostgreSQL passes the address of a pointer, which is null or points to a C string, and this is a check hook.
    unsafe { parsed(*text).map_err(|refusal| refusal.apply()).is_ok() }
}

#[allow(unsafe_code)]
#[pg_guard]
unsafe extern "C-unwind" fn assign(text: *const c_char, _extra: *mut c_void) {
    // SAFETY: PostgreSQL passes null or a C string, which the check hook has accepted.
    NODE.store(unsafe { parsed(text) }.unwrap_or(0), Ordering::Relaxed);
}

#[inline]
#[allow(clippy::cast_possible_truncation)]
pub fn configured() -> Option<Node> {
    match NODE.load(Ordering::Relaxed) {
        0 => None,
        node => Node::new(node as u16, node >> 16).ok(),
    }
}

#[pg_extern(sql = false)]
fn uuid_extract_node_id_of_bits(uuid: SqlUuid, bits: i32) -> Option<i32> {
    // Cast to unsigned, a negative number is too large.
    node::extract(uuid.0, bits.cast_unsigned()).or_raise().map(i32::from)
}

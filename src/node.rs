//! The node that this server is among servers that make UUIDs for one place: `uuidrfc.node_id` and `uuidrfc.node_bits`.
//!
//! Whether the two fit each other is asked when a UUID is made, not when one of them is set. A check hook sees one setting
//! at a time, in whatever order a file, a role, a database or the leader of a parallel worker gives them. So it would refuse
//! what is right in the end. A UUID with a wrong node is never made.

use pgrx::prelude::*;
use pgrx::{GucContext, GucFlags, GucRegistry, GucSetting};
use rfc9562::node::{self, Node};
use rfc9562::{Error, Uuid};

use crate::datum::SqlUuid;
use crate::error::OrRaise;

/// Negative is none.
static ID: GucSetting<i32> = GucSetting::<i32>::new(-1);
/// Each bit is one that is not random, so the default is no larger than most need.
static BITS: GucSetting<i32> = GucSetting::<i32>::new(8);

pub fn initialize() {
    // As for the scope: a session may first load the library in a parallel operation.
    let flags = GucFlags::from_bits_retain(pg_sys::GUC_ALLOW_IN_PARALLEL.cast_signed());
    GucRegistry::define_int_guc(
        c"uuidrfc.node_id",
        c"Sets the node that UUIDs of versions 1, 6 and 7 carry, so that no other node makes the same.",
        c"-1 is no node.",
        &ID,
        -1,
        i32::from(u16::MAX),
        GucContext::Suset,
        flags,
    );
    GucRegistry::define_int_guc(
        c"uuidrfc.node_bits",
        c"Sets in how many bits a UUID carries the node.",
        c"All servers of nodes that must differ have the same number.",
        &BITS,
        1,
        node::MAX_BITS.cast_signed(),
        GucContext::Suset,
        flags,
    );
}

/// This server's node, if it has one.
#[inline]
pub fn of_server() -> Result<Option<Node>, Error> {
    match u16::try_from(ID.get()) {
        Err(_) => Ok(None),
        Ok(id) => Node::new(id, BITS.get().cast_unsigned()).map(Some),
    }
}

/// The node in a UUID, of the bits that this server's node has.
#[pg_extern(sql = false)]
fn uuid_extract_node_id(uuid: SqlUuid) -> Option<i32> {
    extract(uuid.0, BITS.get())
}

/// Of so many bits.
#[pg_extern(sql = false)]
fn uuid_extract_node_id_of(uuid: SqlUuid, bits: i32) -> Option<i32> {
    extract(uuid.0, bits)
}

fn extract(uuid: Uuid, bits: i32) -> Option<i32> {
    // A negative number becomes one that is too large.
    node::extract(uuid, bits.cast_unsigned()).or_raise().map(i32::from)
}

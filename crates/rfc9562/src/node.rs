//! Nodes: servers that generate UUIDs for the same tables, each with its own number in its UUIDs (RFC 9562, section 6.4).
//!
//! UUIDs of different nodes differ, whatever the nodes' clocks and randomness. Whichever way UUIDs are generated (by a sequence, a
//! nanosecond or a count of calls), the node replaces random bits and so does not affect their order.
//!
//! ```text
//! v7, rand_b:       order, then random (30)                     | node ID (1 to 16) | random
//! v6 and v1, node:  order, then random (32, with multicast bit) | node ID (1 to 16) | random
//! ```
//!
//! UUIDs of nodes of different lengths also differ, unless one node is a prefix of the other.
//!
//! The RFC leaves position and length to implementations, and recommends version 8 for UUIDs with a node, so that no reader
//! mistakes one implementation's layout for another's. This crate keeps the version: other readers take the node for random bits.

use crate::{Error, Uuid, gregorian};

/// The maximum length of a node in bits, which leaves 16 random bits in a version 7 UUID of a given instant.
pub const MAX_BITS: u32 = 16;

/// The number of bits from the beginning of the node to the end of a version 7 UUID.
const TOP_V7: u32 = 32;
/// The number of bits from the beginning of the node to the end of a version 6 or 1 UUID.
const TOP_GREGORIAN: u32 = 16;

/// A node: its number and its length in bits.
///
/// ```
/// use rfc9562::node::{self, Node};
/// use rfc9562::sequence::Sequence;
/// use rfc9562::v7;
///
/// // The same clock and the same randomness.
/// let of_node = |id| -> Result<_, rfc9562::Error> {
///     Ok(v7::at(Sequence::new(7).next(1_000, Node::new(id, 8)?.in_v7(0x0123_4567_89ab_cdef))?))
/// };
/// assert!(of_node(1)? != of_node(2)?);
/// assert_eq!(node::extract(of_node(2)?, 8)?, Some(2));
/// # Ok::<(), rfc9562::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    id: u16,
    bits: u32,
}

impl Node {
    /// Returns the node with the given number and a length of `bits` bits (1 to [`MAX_BITS`]).
    #[inline]
    pub const fn new(id: u16, bits: u32) -> Result<Node, Error> {
        if !matches!(bits, 1..=MAX_BITS) {
            return Err(Error::NodeBits);
        }
        if id as u32 >> bits != 0 {
            return Err(Error::NodeId { id, bits });
        }
        Ok(Node { id, bits })
    }

    /// Returns the given random bits for a version 7 position, some of them replaced by the node.
    #[inline]
    pub const fn in_v7(self, random: u64) -> u64 {
        self.below(TOP_V7, random)
    }

    /// Returns the given random bits for a version 6 or 1 position, some of them replaced by the node.
    #[inline]
    pub const fn in_gregorian(self, random: u64) -> u64 {
        // `random_node` will move these bits down by one.
        self.below(TOP_GREGORIAN + 1, random)
    }

    #[inline]
    const fn below(self, top: u32, random: u64) -> u64 {
        let shift = top - self.bits;
        random & !(((1 << self.bits) - 1) << shift) | (self.id as u64) << shift
    }
}

/// Returns the number of the `bits`-bit node in a UUID of version 7, 6 or 1, or `None` for other versions and for a network card's
/// address. If the UUID was generated without a node, the number is arbitrary.
pub fn extract(uuid: Uuid, bits: u32) -> Result<Option<u16>, Error> {
    Node::new(0, bits)?;
    let top = match uuid.version() {
        Some(7) => TOP_V7,
        Some(1 | 6) if gregorian::is_multicast(gregorian::node(uuid)) => TOP_GREGORIAN,
        _ => return Ok(None),
    };
    // At most 16 bits are left.
    #[allow(clippy::cast_possible_truncation)]
    Ok(Some((uuid.low() >> (top - bits) & ((1 << bits) - 1)) as u16))
}

//! Whichever way UUIDs are generated, different nodes generate different ones, even with the same clock and random bits.

use std::collections::BTreeSet;

use fastrand::Rng;
use proptest::prelude::*;
use rfc9562::node::{self, MAX_BITS, Node};
use rfc9562::sequence::{CallCounter, Sequence};
use rfc9562::{Error, Uuid, gregorian, nanosecond, v1, v6, v7};

const NANOS: u64 = 1_645_557_742_000_000_000;

/// Returns some UUIDs for each way of generating them, in the order of generation, with the node if one is given.
fn made(node: Option<Node>, seed: u64) -> Vec<Vec<Uuid>> {
    let mut rng = Rng::with_seed(seed);
    let mut in_v7 = || {
        let random = rng.u64(..);
        node.map_or(random, |node| node.in_v7(random))
    };
    let (mut sequence, mut counter) = (Sequence::new(7), CallCounter::new(7));
    let mut ways = vec![
        (0..40).map(|n| v7::at(sequence.next(5_000 + n / 10, in_v7()).unwrap())).collect::<Vec<_>>(),
        (0..40).map(|_| v7::at(counter.next(6_000, in_v7()).unwrap())).collect(),
        (0..400).map(|n| v7::at(nanosecond::position_v7(NANOS + n, in_v7()).unwrap())).collect(),
    ];
    let mut in_gregorian = || {
        let random = rng.u64(..);
        node.map_or(random, |node| node.in_gregorian(random))
    };
    let (mut sequence, mut counter) = (Sequence::new(6), CallCounter::new(6));
    ways.extend([
        (0..40).map(|n| v6::at(sequence.next(5_000 + n / 10, in_gregorian()).unwrap())).collect::<Vec<_>>(),
        (0..40).map(|_| v6::at(counter.next(6_000, in_gregorian()).unwrap())).collect(),
        (0..400).map(|n| v6::at(nanosecond::position_v6(NANOS + n, in_gregorian()).unwrap())).collect(),
    ]);
    ways
}

fn width_and_two_nodes() -> impl Strategy<Value = (u32, u16, u16)> {
    (1..=MAX_BITS).prop_flat_map(|bits| {
        let id = || 0..=u16::try_from((1_u32 << bits) - 1).unwrap();
        (Just(bits), id(), id())
    })
}

proptest! {
    #[test]
    fn nodes_keep_apart_what_is_else_the_same((bits, one, other) in width_and_two_nodes(), seed: u64) {
        let of = |id| made(Some(Node::new(id, bits).unwrap()), seed);
        let distinct: BTreeSet<Uuid> = of(one).into_iter().chain(of(other)).flatten().collect();
        let of_one = of(one).concat().len();
        prop_assert_eq!(distinct.len(), if one == other { of_one } else { 2 * of_one });
    }

    #[test]
    fn a_node_is_read_and_changes_nothing_else((bits, id, _) in width_and_two_nodes(), seed: u64) {
        let node = Node::new(id, bits).unwrap();
        for (with, without) in made(Some(node), seed).iter().zip(made(None, seed)) {
            prop_assert!(with.is_sorted_by(|a, b| a < b));
            for (with, without) in with.iter().zip(without) {
                prop_assert_eq!(node::extract(*with, bits), Ok(Some(id)));
                prop_assert_eq!(with.version(), without.version());
                let top = if with.version() == Some(7) { 32 } else { 16 };
                let place = ((1_u128 << bits) - 1) << (top - bits);
                prop_assert_eq!(with.to_u128() & !place, without.to_u128() & !place);
                if with.version() == Some(6) {
                    prop_assert!(gregorian::is_multicast(gregorian::node(*with)));
                    let first = v6::to_v1(*with).unwrap();
                    prop_assert_eq!(node::extract(first, bits), Ok(Some(id)));
                }
            }
        }
    }

    #[test]
    fn a_shorter_node_is_a_prefix((bits, id, _) in width_and_two_nodes(), seed: u64, shorter in 1..=MAX_BITS) {
        let shorter = shorter.min(bits);
        for uuid in made(Some(Node::new(id, bits).unwrap()), seed).concat() {
            prop_assert_eq!(node::extract(uuid, shorter), Ok(Some(id >> (bits - shorter))));
        }
    }

    #[test]
    fn only_versions_with_a_node_have_one(number: u128, bits in 1..=MAX_BITS) {
        let uuid = Uuid::from_u128(number);
        let has = match uuid.version() {
            Some(7) => true,
            Some(1 | 6) => v6::node(uuid)[0] & 1 == 1,
            _ => false,
        };
        prop_assert_eq!(node::extract(uuid, bits).unwrap().is_some(), has);
    }
}

#[test]
fn a_node_that_does_not_fit_is_an_error() {
    for bits in 1..MAX_BITS {
        let first_too_large = 1 << bits;
        assert!(Node::new(first_too_large - 1, bits).is_ok());
        assert_eq!(Node::new(first_too_large, bits), Err(Error::NodeId { id: first_too_large, bits }));
    }
    for bits in [0, MAX_BITS + 1, 32, 33, 64, u32::MAX] {
        assert_eq!(Node::new(0, bits), Err(Error::NodeBits));
        assert_eq!(node::extract(Uuid::MAX, bits), Err(Error::NodeBits));
    }
}

#[test]
fn a_network_card_is_no_node() {
    let card = v1::from_parts(5_000, 0x33c8 << 48 | 0x00c0_4fd4_30c8);
    assert_eq!(node::extract(card, 8), Ok(None));
    let multicast = v1::from_parts(5_000, 0x33c8 << 48 | 0x01c0_4fd4_30c8);
    assert_eq!(node::extract(multicast, 8), Ok(Some(0x30)));
}

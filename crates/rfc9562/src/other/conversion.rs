//! Converts IDs to UUIDs that sort by time and, if the conversion is lossless, back.
//!
//! ```text
//!                              48 bits  version  74 bits: 12 before the variant, 62 after it
//! Conversion::Version7         Unix ms  7        zeros | finer time | rest
//! Conversion::Version7InPlace  Unix ms  7        the rest's 80 bits, except the 6 replaced by version and variant
//! Conversion::Version8         time     8        rest
//! Conversion::Version8Hashed   Unix ms  8        the first 24 bits of finer time | rest, then 50 bits of a hash
//! ```
//!
//! The finer time counts the system's units within the millisecond. It has no bits if the unit is a millisecond or longer.
//!
//! The hash of the whole ID distinguishes IDs whose first bits are equal, such as KSUIDs of one sequence, which differ only in
//! their last 16 bits.

use super::IdError;
use super::layout::{Conversion, Layout, Parts};
use crate::name::Hash;
use crate::text::number::{Number, low_half};
use crate::{Uuid, v7, v8};

const LOW_BITS: u32 = 62;
const LOW: u128 = (1 << LOW_BITS) - 1;
const MID: u64 = (1 << 12) - 1;
const FREE_BITS: u32 = 74;
const HASH_BITS: u32 = 50;

impl Layout {
    pub(super) fn convert(&self, epoch: i64, parts: Parts) -> Result<Uuid, IdError> {
        if self.conversion == Conversion::Version8 {
            self.clock.micros(epoch, parts.time).ok_or(IdError::Time)?;
            return Ok(stamped(8, parts.time, parts.rest));
        }
        let (millis, finer) = self.clock.milli(epoch, parts.time).ok_or(IdError::Time)?;
        let millis = u64::try_from(millis).ok().filter(|millis| *millis <= v7::MAX_MILLIS).ok_or(IdError::Time)?;
        // An ID with a rest of 128 bits has no finer time.
        let all = u128::from(finer).checked_shl(self.rest_bits()).unwrap_or(0) | parts.rest;
        Ok(match self.conversion {
            Conversion::Version7 => stamped(7, millis, all),
            Conversion::Version7InPlace => stamped(7, millis, parts.rest >> 64 << LOW_BITS | parts.rest & LOW),
            Conversion::Version8 | Conversion::Version8Hashed => {
                let all_bits = self.rest_bits() + self.clock.finer_bits();
                let begin = all >> (all_bits - (FREE_BITS - HASH_BITS));
                stamped(8, millis, begin << HASH_BITS | hash(parts))
            }
        })
    }

    pub(super) fn convert_back(&self, epoch: i64, uuid: Uuid) -> Result<Parts, IdError> {
        let version = match self.conversion {
            Conversion::Version7 => 7,
            Conversion::Version8 => 8,
            Conversion::Version7InPlace | Conversion::Version8Hashed => return Err(IdError::OneWay),
        };
        if uuid.version() != Some(version) {
            return Err(IdError::NotConverted);
        }
        let (high, free) =
            (uuid.high_and_mid(), u128::from(uuid.high_and_mid() & MID) << LOW_BITS | u128::from(uuid.low()));
        if self.conversion == Conversion::Version8 {
            return Ok(Parts { time: high >> 12, rest: free });
        }
        let rest_bits = self.rest_bits();
        let finer = u64::try_from(free >> rest_bits).map_err(|_| IdError::NotConverted)?;
        let time = self.clock.at_milli(epoch, (high >> 12).cast_signed(), finer);
        time.map(|time| Parts { time, rest: free & ((1 << rest_bits) - 1) }).ok_or(IdError::NotConverted)
    }
}

/// Returns a UUID of the given version with 48 bits of `high` and 74 of `free`. Higher bits are ignored.
const fn stamped(version: u8, high: u64, free: u128) -> Uuid {
    Uuid::stamped(version, high << 12 | low_half(free >> LOW_BITS) & MID, low_half(free & LOW))
}

/// Returns the last 50 bits of a name-based version 8 UUID (SHA-256, with the Nil UUID as the namespace). The name is the ID's time
/// in 8 bytes and its rest in 16.
fn hash(parts: Parts) -> u128 {
    let name = Number { high: parts.time, low: parts.rest }.to_be_bytes();
    let uuid = v8::from_name(Uuid::NIL, &name, Hash::Sha256);
    u128::from(uuid.low()) & ((1 << HASH_BITS) - 1)
}

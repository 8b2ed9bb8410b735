//! Reads UUIDs in bulk, and checks them.

use postgres::Client;
use postgres::binary_copy::BinaryCopyOutIter;
use postgres::fallible_iterator::FallibleIterator;
use postgres::types::{FromSql, Type};
use rfc9562::{Uuid, v1, v6, v7};

/// A value of type `uuid` in a result row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id(pub Uuid);

impl<'a> FromSql<'a> for Id {
    fn from_sql(_: &Type, raw: &'a [u8]) -> Result<Id, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Id(Uuid::from_bytes(raw.try_into()?)))
    }

    fn accepts(ty: &Type) -> bool {
        *ty == Type::UUID
    }
}

/// Calls `each` with each UUID in the single column of a query's result as it arrives, so that an error loses no earlier UUID.
pub fn stream(client: &mut Client, query: &str, mut each: impl FnMut(Uuid)) -> Result<(), postgres::Error> {
    let reader = client.copy_out(&format!("COPY ({query}) TO STDOUT (FORMAT binary)"))?;
    BinaryCopyOutIter::new(reader, &[Type::UUID]).for_each(|row| {
        each(row.get::<Id>(0).0);
        Ok(())
    })
}

/// Returns the UUIDs in the single column of a query's result.
#[track_caller]
pub fn collect(client: &mut Client, query: &str) -> Vec<Uuid> {
    let mut uuids = Vec::new();
    if let Err(error) = stream(client, query, |uuid| uuids.push(uuid)) {
        panic!("{query}\n{error:?}");
    }
    uuids
}

/// Returns a number that orders time-ordered UUIDs as one backend generated them, versions 1 and 6 together and version 7
/// separately: the timestamp, followed by the last 64 bits.
pub fn rank(uuid: Uuid) -> u128 {
    const LOW_64: u128 = u64::MAX as u128;
    let tick = match uuid.version() {
        Some(1) => v1::tick(uuid),
        Some(6) => v6::tick(uuid),
        Some(7) => v7::tick(uuid),
        _ => panic!("{uuid} carries no time"),
    };
    u128::from(tick) << 64 | uuid.to_u128() & LOW_64
}

/// Panics unless the [`rank`] of each UUID is greater than that of the one before it.
#[track_caller]
pub fn assert_ascending<'a>(whose: &str, uuids: impl IntoIterator<Item = &'a Uuid>) {
    let mut last: Option<Uuid> = None;
    for (place, uuid) in uuids.into_iter().enumerate() {
        if let Some(last) = last {
            assert!(rank(last) < rank(*uuid), "{whose}: {uuid} at place {place} is not after {last}");
        }
        last = Some(*uuid);
    }
}

#[track_caller]
pub fn assert_distinct(whose: &str, mut uuids: Vec<Uuid>) {
    uuids.sort();
    if let Some(pair) = uuids.windows(2).find(|pair| pair[0] == pair[1]) {
        panic!("{whose}: {} occurs twice", pair[0]);
    }
}

//! Generated UUIDs, in bulk.

use std::io::{self, Read};

use postgres::Client;
use postgres::types::{FromSql, Type};
use rfc9562::{Uuid, v1, v6, v7};

/// A `uuid` of a result row.
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

/// Calls `each` with every value of a query with one column of type `uuid`, as soon as the value arrives from the server, so
/// that the values before an error are delivered.
pub fn stream(client: &mut Client, query: &str, mut each: impl FnMut(Uuid)) -> io::Result<()> {
    let copy = format!("COPY ({query}) TO STDOUT (FORMAT binary)");
    let mut reader = client.copy_out(&copy).map_err(io::Error::other)?;
    // The header consists of the signature, the flags, and the length of the header extension.
    let mut header = [0; 19];
    reader.read_exact(&mut header)?;
    assert_eq!(&header[..11], b"PGCOPY\n\xff\r\n\0", "{copy}");
    assert_eq!(header[11..], [0; 8], "{copy}");
    loop {
        let mut columns = [0; 2];
        reader.read_exact(&mut columns)?;
        match i16::from_be_bytes(columns) {
            -1 => return reader.read(&mut [0]).map(|after_end| assert_eq!(after_end, 0, "{copy}")),
            columns => assert_eq!(columns, 1, "{copy}"),
        }
        let mut field = [0; 4 + 16];
        reader.read_exact(&mut field)?;
        assert_eq!(field[..4], 16_u32.to_be_bytes(), "{copy}");
        each(Uuid::from_bytes(field[4..].try_into().expect("16 bytes are left")));
    }
}

/// Returns the values of a query with one column of type `uuid`.
#[track_caller]
pub fn collect(client: &mut Client, query: &str) -> Vec<Uuid> {
    let mut uuids = Vec::new();
    if let Err(error) = stream(client, query, |uuid| uuids.push(uuid)) {
        panic!("{query}\n{error:?}");
    }
    uuids
}

/// Returns a number that orders time-ordered UUIDs as one backend generated them, versions 1 and 6 together and version 7
/// separately: the timestamp, followed by the bytes from the variant on.
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

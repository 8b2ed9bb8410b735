//! Version, variant and time of UUIDs from other sources: `tests/vectors.csv`, which the SQL tests also read.

#![allow(clippy::unwrap_used)]

use rfc9562::Uuid;
use rfc9562::time::{UnixMicros, extract};

#[test]
fn every_vector_is_read_right() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors.csv");
    let mut seen = 0;
    for record in csv::Reader::from_path(path).unwrap().deserialize() {
        let (text, version, variant, unix_us, _, source): (String, Option<u8>, String, Option<i64>, String, String) =
            record.unwrap();
        let uuid: Uuid = text.parse().unwrap();
        assert_eq!(uuid.to_string(), text, "{source}");
        assert_eq!(uuid.version(), version, "{source}");
        assert_eq!(uuid.variant().name(), variant, "{source}");
        assert_eq!(extract(uuid), unix_us.map(UnixMicros), "{source}");
        seen += 1;
    }
    assert!(seen > 50, "only {seen} vectors");
}

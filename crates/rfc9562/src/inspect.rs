//! The fields of a UUID, named as in RFC 9562 (sections 5.1 to 5.10).

use core::fmt;

use crate::field::{Field, Object};
use crate::gregorian::{TO_UNIX_MICROS, is_multicast, node};
use crate::instant::Iso8601;
use crate::name::{Hash, Namespace};
use crate::{Uuid, v1, v6};

/// The fields of a UUID, displayed as a JSON object.
///
/// ```
/// use rfc9562::inspect::Fields;
///
/// let fields = Fields("017f22e2-79b0-7cc3-98c4-dc0c0c07398f".parse()?).to_string();
/// assert!(fields.contains(r#""version":7"#) && fields.contains(r#""time":"2022-02-22T19:22:22.000Z""#));
/// # Ok::<(), rfc9562::DecodeError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Fields(pub Uuid);

/// The fields of each version, without `ver` and `var`, most significant first. RFC 9562 leaves version 2 to another specification.
static LAYOUTS: [(u8, &[Field]); 7] = [
    (1, &gregorian_fields(["time_low", "time_mid", "time_high"])),
    (3, &[Field::hex("md5_high", 48), Field::hex("md5_mid", 12), Field::hex("md5_low", 62)]),
    (4, &[Field::hex("random_a", 48), Field::hex("random_b", 12), Field::hex("random_c", 62)]),
    (5, &[Field::hex("sha1_high", 48), Field::hex("sha1_mid", 12), Field::hex("sha1_low", 62)]),
    (6, &gregorian_fields(["time_high", "time_mid", "time_low"])),
    (7, &[Field::number("unix_ts_ms", 48), Field::hex("rand_a", 12), Field::hex("rand_b", 62)]),
    (8, &[Field::number("custom_a", 48), Field::number("custom_b", 12), Field::hex("custom_c", 62)]),
];

const fn gregorian_fields([a, b, c]: [&'static str; 3]) -> [Field; 5] {
    [Field::hex(a, 32), Field::hex(b, 16), Field::hex(c, 12), Field::number("clock_seq", 14), Field::hex("node", 48)]
}

/// Returns the time with the precision of the version's timestamp.
fn time(uuid: Uuid) -> Option<Iso8601> {
    let from_tick =
        |tick: u64| Iso8601 { nanos: i128::from(tick) * 100 - i128::from(TO_UNIX_MICROS) * 1_000, digits: 7 };
    match uuid.version() {
        Some(1) => Some(from_tick(v1::tick(uuid))),
        Some(6) => Some(from_tick(v6::tick(uuid))),
        Some(7) => Some(Iso8601 { nanos: i128::from(uuid.high_and_mid() >> 12) * 1_000_000, digits: 3 }),
        _ => None,
    }
}

impl fmt::Display for Fields {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let uuid = self.0;
        let mut object = Object::new(f);
        object.text("variant", uuid.variant().name())?;
        if let Some(version) = uuid.version() {
            object.plain("version", version)?;
        }
        match uuid {
            Uuid::NIL => object.text("name", "nil")?,
            Uuid::MAX => object.text("name", "max")?,
            _ => (),
        }
        if let Some(namespace) = Namespace::ALL.iter().find(|namespace| namespace.id() == uuid) {
            object.text("namespace", namespace.name())?;
        }
        if let Some(hash) = Hash::ALL.iter().find(|hash| hash.hashspace() == uuid) {
            object.text("hashspace", hash.name())?;
        }
        if let Some((_, fields)) = LAYOUTS.iter().find(|(version, _)| uuid.version() == Some(*version)) {
            object.fields(fields, u128::from(uuid.high_and_mid()) << 62 | u128::from(uuid.low()))?;
        }
        if let Some(1 | 6) = uuid.version() {
            object.plain("node_multicast", is_multicast(node(uuid)))?;
        }
        if let Some(time) = time(uuid) {
            object.text("time", time)?;
        }
        object.end()
    }
}

//! What an id consists of beside its time.

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::digits::{BASE36, DECIMAL, HEX};

/// A field: a digit of a mixed radix.
#[derive(Debug)]
pub(super) struct Field {
    name: &'static str,
    last: u128,
    shown: Shown,
}

/// How a field is shown.
#[derive(Clone, Copy, Debug)]
enum Shown {
    /// As a number, which a reader of JSON keeps exactly: it is less than 2^53.
    Number,
    /// As a number in text.
    Decimal,
    /// As digits, zeros in front.
    Hex,
    /// As base 36, zeros in front.
    Base36,
}

impl Field {
    /// A number of so many bits. Those that all are below 2^53 are numbers in JSON too, as [`crate::inspect`] has it.
    pub(super) const fn number(name: &'static str, bits: u32) -> Field {
        Field { name, last: last_of(bits), shown: if bits < 54 { Shown::Number } else { Shown::Decimal } }
    }

    /// Bits that mean nothing by themselves.
    pub(super) const fn hex(name: &'static str, bits: u32) -> Field {
        Field { name, last: last_of(bits), shown: Shown::Hex }
    }

    /// So many digits of base 36, which mean nothing by themselves.
    pub(super) const fn base36(name: &'static str, digits: u32) -> Field {
        Field { name, last: 36_u128.pow(digits) - 1, shown: Shown::Base36 }
    }

    /// So many digits of base 36 that are a number.
    pub(super) const fn base36_number(name: &'static str, digits: u32) -> Field {
        Field { shown: Shown::Number, ..Field::base36(name, digits) }
    }
}

const fn last_of(bits: u32) -> u128 {
    u128::MAX >> (u128::BITS - bits)
}

/// The largest number of these fields.
pub(super) const fn last(fields: &[Field]) -> u128 {
    let (mut last, mut place) = (0, 0);
    while place < fields.len() {
        let field = fields[place].last;
        // A field of all 128 bits is alone.
        last = if field == u128::MAX { field } else { last * (field + 1) + field };
        place += 1;
    }
    last
}

/// Everything in an id, to be serialized as a map: its time as ISO 8601 writes it, then field by field. Numbers below 2^53 are
/// numbers there, larger ones and bits that mean nothing by themselves are text.
///
/// ```
/// use rfc9562::other::System;
///
/// let fields = System::Xid.ids().of_text(b"9m4e2mr0ui3e8a215n4g")?.fields()?;
/// let json = r#"{"time":"2011-03-22T17:50:19Z","timestamp":1300816219,"machine":"60f486","pid":58408,"counter":4271561}"#;
/// assert_eq!(serde_json::to_string(&fields)?, json);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Fields {
    time: String,
    /// Of the time and of the rest.
    parts: [(&'static [Field], u128); 2],
}

impl Fields {
    pub(super) fn new(time: String, count: (&'static [Field], u128), rest: (&'static [Field], u128)) -> Fields {
        Fields { time, parts: [count, rest] }
    }
}

impl Serialize for Fields {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("time", &self.time)?;
        for &(fields, number) in &self.parts {
            for (place, field) in fields.iter().enumerate() {
                let after = last(&fields[place + 1..]);
                // All bits of a lone field of 128.
                let above = after.checked_add(1).map_or(number, |radix| number / radix);
                let value = field.last.checked_add(1).map_or(above, |radix| above % radix);
                match field.shown {
                    Shown::Number => map.serialize_entry(field.name, &u64::try_from(value).unwrap_or(u64::MAX))?,
                    Shown::Decimal => map.serialize_entry(field.name, &DECIMAL.text(value, 1))?,
                    Shown::Hex => {
                        let width = HEX.text(field.last, 1).len();
                        map.serialize_entry(field.name, &HEX.text(value, width))?;
                    }
                    Shown::Base36 => {
                        let width = BASE36.text(field.last, 1).len();
                        map.serialize_entry(field.name, &BASE36.text(value, width))?;
                    }
                }
            }
        }
        map.end()
    }
}

//! Fields of UUIDs and IDs, and their form as members of a JSON object.
//!
//! A numeric field is a JSON number if all its values are below 2^53, because JavaScript and other JSON readers store numbers in
//! 64-bit floating point. Other numbers are written as text, as are opaque bits, which keep their leading zeros.

use core::fmt::{self, Display};
use core::mem;

use arrayvec::ArrayVec;

use crate::text::encoding::{BASE36, Encoding, HEX, Width};
use crate::text::number::Number;

/// A field: a digit of a mixed-radix number.
pub(crate) struct Field {
    name: &'static str,
    last: u128,
    /// The form of opaque bits, or `None` for a number.
    opaque: Option<Encoding>,
}

impl Field {
    /// Returns a field for a number of `bits` bits.
    pub(crate) const fn number(name: &'static str, bits: u32) -> Field {
        Field { name, last: u128::MAX >> (u128::BITS - bits), opaque: None }
    }

    /// Returns a field of `bits` opaque bits, shown in hexadecimal.
    pub(crate) const fn hex(name: &'static str, bits: u32) -> Field {
        let width = Width::Fixed(bits.div_ceil(4) as usize);
        Field { opaque: Some(Encoding::new(&HEX, width)), ..Field::number(name, bits) }
    }

    /// Returns a field for a number of `digits` base-36 digits.
    pub(crate) const fn base36_number(name: &'static str, digits: u32) -> Field {
        Field { name, last: 36_u128.pow(digits) - 1, opaque: None }
    }

    /// Returns a field of `digits` opaque base-36 digits, shown as such.
    pub(crate) const fn base36(name: &'static str, digits: u32) -> Field {
        let width = Width::Fixed(digits as usize);
        Field { opaque: Some(Encoding::new(&BASE36, width)), ..Field::base36_number(name, digits) }
    }
}

/// Returns the largest number that the fields can hold.
pub(crate) const fn last(fields: &[Field]) -> u128 {
    let (mut last, mut index) = (0, 0);
    while index < fields.len() {
        let field = fields[index].last;
        // A field of all 128 bits is the only one.
        last = if field == u128::MAX { field } else { last * (field + 1) + field };
        index += 1;
    }
    last
}

/// A JSON object, written member by member. Names and values come from this crate and need no escaping.
pub(crate) struct Object<'a, 'f> {
    f: &'a mut fmt::Formatter<'f>,
    /// What precedes the next member.
    separator: &'static str,
}

impl<'a, 'f> Object<'a, 'f> {
    pub(crate) fn new(f: &'a mut fmt::Formatter<'f>) -> Object<'a, 'f> {
        Object { f, separator: "{" }
    }

    /// Ends the object, which must have a member.
    pub(crate) fn end(self) -> fmt::Result {
        self.f.write_str("}")
    }

    /// Writes a number, `true` or `false`.
    pub(crate) fn plain(&mut self, name: &str, value: impl Display) -> fmt::Result {
        self.f.write_str(mem::replace(&mut self.separator, ","))?;
        write!(self.f, "\"{name}\":{value}")
    }

    pub(crate) fn text(&mut self, name: &str, value: impl Display) -> fmt::Result {
        self.plain(name, format_args!("\"{value}\""))
    }

    /// Writes the fields of a number, most significant first.
    pub(crate) fn fields(&mut self, fields: &[Field], number: u128) -> fmt::Result {
        for (index, field) in fields.iter().enumerate() {
            // 2^128, the radix of a field of all 128 bits, would overflow.
            let after = last(&fields[index + 1..]);
            let above = after.checked_add(1).map_or(number, |radix| number / radix);
            let value = field.last.checked_add(1).map_or(above, |radix| above % radix);
            match &field.opaque {
                Some(encoding) => {
                    // A field of all 128 bits has 32 digits.
                    let mut text = ArrayVec::<u8, 32>::new();
                    encoding.encode(Number::from(value), &mut text);
                    self.text(field.name, str::from_utf8(&text).unwrap_or_default())?;
                }
                None if field.last < 1 << 53 => self.plain(field.name, value)?,
                None => self.text(field.name, value)?,
            }
        }
        Ok(())
    }
}

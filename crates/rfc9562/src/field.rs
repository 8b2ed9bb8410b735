//! Fields of UUIDs and IDs, and their form as members of a JSON object.
//!
//! A numeric field is a JSON number if all its values are below 2^53, because JavaScript and other JSON readers store numbers in
//! 64-bit floating point. Other numbers are written as text, as are opaque bits, which keep their leading zeros.

use core::fmt::{self, Display};

use arrayvec::ArrayVec;

use crate::text::encoding::{BASE36, Encoding, Width};
use crate::text::number::Number;

/// A field: a digit of a mixed-radix number.
#[derive(Debug)]
pub(crate) struct Field {
    name: &'static str,
    last: u128,
    shown: Shown,
}

#[derive(Clone, Copy, Debug)]
enum Shown {
    Number,
    /// A number as text.
    Decimal,
    /// Hexadecimal digits, of which there are this many.
    Hex(usize),
    /// Base-36 digits, of which there are this many.
    Base36(usize),
}

impl Field {
    /// Returns a field for a number of `bits` bits.
    pub(crate) const fn number(name: &'static str, bits: u32) -> Field {
        Field { name, last: last_of(bits), shown: if bits < 54 { Shown::Number } else { Shown::Decimal } }
    }

    /// Returns a field of `bits` opaque bits, shown in hexadecimal.
    pub(crate) const fn hex(name: &'static str, bits: u32) -> Field {
        Field { name, last: last_of(bits), shown: Shown::Hex(bits.div_ceil(4) as usize) }
    }

    /// Returns a field of `digits` opaque base-36 digits, shown as such.
    pub(crate) const fn base36(name: &'static str, digits: u32) -> Field {
        Field { name, last: 36_u128.pow(digits) - 1, shown: Shown::Base36(digits as usize) }
    }

    /// Returns a field for a number of `digits` base-36 digits.
    pub(crate) const fn base36_number(name: &'static str, digits: u32) -> Field {
        Field { shown: Shown::Number, ..Field::base36(name, digits) }
    }
}

const fn last_of(bits: u32) -> u128 {
    u128::MAX >> (u128::BITS - bits)
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
    is_empty: bool,
}

impl<'a, 'f> Object<'a, 'f> {
    pub(crate) fn write(
        f: &'a mut fmt::Formatter<'f>,
        members: impl FnOnce(&mut Object<'a, 'f>) -> fmt::Result,
    ) -> fmt::Result {
        let mut object = Object { f, is_empty: true };
        object.f.write_str("{")?;
        members(&mut object)?;
        object.f.write_str("}")
    }

    /// Writes a number, `true` or `false`.
    pub(crate) fn plain(&mut self, name: &str, value: impl Display) -> fmt::Result {
        let comma = if self.is_empty { "" } else { "," };
        self.is_empty = false;
        write!(self.f, "{comma}\"{name}\":{value}")
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
            match field.shown {
                Shown::Number => self.plain(field.name, value)?,
                Shown::Decimal => self.text(field.name, value)?,
                Shown::Hex(digits) => self.text(field.name, format_args!("{value:0digits$x}"))?,
                Shown::Base36(digits) => {
                    // 36^24 is the greatest power of 36 below 2^128.
                    let mut text = ArrayVec::<u8, 24>::new();
                    Encoding::new(&BASE36, Width::Fixed(digits)).encode(Number::from(value), &mut text);
                    self.text(field.name, str::from_utf8(&text).unwrap_or_default())?;
                }
            }
        }
        Ok(())
    }
}

//! CUID, the first version (paralleldrive/cuid, `index.js`): text.
//!
//! ```text
//! c | 8 or 9 digits: Unix ms | 4: counter | 4: fingerprint | 8: random      digits of base 36, in lower case
//! ```
//!
//! The time has 8 digits from 1972 to 2059-05-25, then 9, so the fields are counted from the end. Shorter ids, as those of before 2013 are, are
//! refused: they cannot be told from those of cuid2, which hold no time and of which some begin with `c`, too. (One of cuid2 that was
//! asked to have 25 or 26 characters can be told by nothing.) Version 2.1.5 wrote some with a hyphen, which are refused.

use super::carried::Carried;
use super::clock::Clock;
use super::digits::BASE36;
use super::field::Field;
use super::{Form, IdError, Layout, Parts};

pub(super) static LAYOUT: Layout = Layout {
    clock: Clock::milliseconds(1, 0),
    time: &[Field::base36_number("timestamp", 9)],
    rest: &[Field::base36_number("counter", 4), Field::base36("fingerprint", 4), Field::base36("random", 8)],
    types: &[],
    octets: 0,
    sorts: false,
    sorted_text: 25,
    form: Form::Text {
        decode,
        encode: |parts| format!("c{}{}", BASE36.text(u128::from(parts.time), 1), BASE36.text(parts.rest, REST)),
    },
    carried: Carried::Version8Hashed,
};

const REST: usize = 16;

fn decode(text: &[u8]) -> Result<Parts, IdError> {
    let [b'c', digits @ ..] = text else { return Err(IdError::Syntax) };
    if !matches!(digits.len(), 24 | 25) || digits[0] == b'0' {
        return Err(IdError::Syntax);
    }
    let (time, rest) = digits.split_at(digits.len() - REST);
    let time = u64::try_from(BASE36.number(time)?).map_err(|_| IdError::Range)?;
    Ok(Parts { time, rest: BASE36.number(rest)? })
}

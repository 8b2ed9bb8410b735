//! What must be said to a text that may be an id, whatever it is: written anew from the layouts, without the crate's readers
//! and writers, in long division.

use rfc9562::other::{Id, IdError, System};

const DECIMAL: &[u8] = b"0123456789";
const HEX: &[u8] = b"0123456789abcdef";
const CROCKFORD: &[u8] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE32HEX: &[u8] = b"0123456789abcdefghijklmnopqrstuv";
const BASE36: &[u8] = b"0123456789abcdefghijklmnopqrstuvwxyz";
const BASE62: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE64URL: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const PUSHID: &[u8] = b"-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
const SID: &[u8] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz~";

/// The digits of the systems.
#[allow(dead_code, reason = "each test uses a part")]
pub const ALPHABETS: [&[u8]; 9] = [DECIMAL, HEX, CROCKFORD, BASE32HEX, BASE36, BASE62, BASE64URL, PUSHID, SID];

/// A number of 192 bits.
#[derive(Clone, Copy)]
struct Long([u8; 24]);

impl Long {
    fn of_digits(digits: impl Iterator<Item = usize>, radix: usize) -> Long {
        let mut number = Long([0; 24]);
        for digit in digits {
            let mut carry = digit;
            for octet in number.0.iter_mut().rev() {
                carry += usize::from(*octet) * radix;
                *octet = carry.to_le_bytes()[0];
                carry >>= 8;
            }
        }
        number
    }

    fn digits(mut self, radix: usize, width: usize) -> Vec<usize> {
        let mut digits = Vec::new();
        while self.0 != [0; 24] || digits.len() < width {
            let mut rest = 0;
            for octet in &mut self.0 {
                rest = rest << 8 | usize::from(*octet);
                *octet = (rest / radix).to_le_bytes()[0];
                rest %= radix;
            }
            digits.insert(0, rest);
        }
        digits
    }

    /// Time and rest, of which the time has the bits above so many.
    fn split(self, rest_bits: u32) -> (u64, u128) {
        let high =
            u128::from_be_bytes([[0; 8], self.0[..8].try_into().expect("8 octets")].concat().try_into().expect("16"));
        let low = u128::from_be_bytes(self.0[8..].try_into().expect("16 octets"));
        let (time, rest) = match rest_bits {
            128 => (high, low),
            bits => (high.wrapping_shl(128 - bits) | low >> bits, low & ((1 << bits) - 1)),
        };
        (u64::try_from(time).unwrap_or(u64::MAX), rest)
    }

    fn joined(time: u64, rest: u128, rest_bits: u32) -> Long {
        let (high, low) = match rest_bits {
            128 => (time, rest),
            bits => (0, u128::from(time) << bits | rest),
        };
        Long([&high.to_be_bytes()[..], &low.to_be_bytes()].concat().try_into().expect("24 octets"))
    }
}

/// How a text is put together.
enum Form {
    /// Digits: the alphabet, how many at least, how many bits the rest has, and how many that mean nothing follow.
    Digits(&'static [u8], usize, u32, u32),
    /// `0x` and 16 digits.
    Prefixed,
    /// 8-4-4-16.
    Lexical,
    /// Two numbers with a hyphen in between.
    Pair(&'static [u8], usize),
    Cuid,
    /// A UUID of version 4: where the digits of the time stand in its text without hyphens.
    Uuid([usize; 12]),
}

const FIRST: [usize; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];
const LAST: [usize; 12] = [20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31];
const BINARY: [usize; 12] = [6, 7, 4, 5, 2, 3, 0, 1, 10, 11, 8, 9];

fn form(system: System, text: &[u8]) -> Form {
    match system {
        System::Ulid => Form::Digits(CROCKFORD, 26, 80, 0),
        System::LexicalUuid => Form::Lexical,
        System::FlakeId if text.starts_with(b"0x") => Form::Prefixed,
        System::Snowflake | System::Discord | System::LinkedIn | System::PgEdge | System::FlakeId => {
            Form::Digits(DECIMAL, 1, 22, 0)
        }
        System::Mastodon => Form::Digits(DECIMAL, 1, 16, 0),
        System::Flake => Form::Digits(BASE62, 1, 64, 0),
        System::ShardingId => Form::Digits(DECIMAL, 1, 23, 0),
        System::Ksuid => Form::Digits(BASE62, 27, 128, 0),
        System::Elasticflake => Form::Digits(BASE64URL, 20, 72, 0),
        System::Sonyflake | System::SonyflakeV2 => Form::Digits(DECIMAL, 1, 24, 0),
        System::OrderedUuid | System::CombPostgresql | System::CombPostgresqlDatetime => Form::Uuid(FIRST),
        System::CombSql | System::CombSqlDatetime | System::CombNhibernate => Form::Uuid(LAST),
        System::CombBinary | System::CombRtcomb1 => Form::Uuid(BINARY),
        System::Sid => match text.len() {
            39 => Form::Pair(DECIMAL, 19),
            33 => Form::Pair(HEX, 16),
            27 => Form::Pair(BASE32HEX, 13),
            _ => Form::Pair(SID, 11),
        },
        System::PushId => Form::Digits(PUSHID, 20, 72, 0),
        System::Xid => Form::Digits(BASE32HEX, 20, 64, 4),
        System::ObjectId => Form::Digits(HEX, 24, 64, 0),
        System::Cuid => Form::Cuid,
    }
}

/// The last time, and the first that is written in this form.
fn times(system: System) -> (u64, u64) {
    let bits = |bits: u32| (0, u64::MAX >> (64 - bits));
    match system {
        System::LexicalUuid | System::Flake => bits(64),
        System::Snowflake | System::PgEdge | System::ShardingId => bits(41),
        System::Discord | System::LinkedIn | System::FlakeId => bits(42),
        System::Ksuid | System::Xid | System::ObjectId => bits(32),
        System::Sonyflake | System::SonyflakeV2 => bits(39),
        System::Sid => bits(63),
        System::Cuid => (36_u64.pow(7), 36_u64.pow(9) - 1),
        _ => bits(48),
    }
}

fn rest_last(system: System) -> u128 {
    let bits = match form(system, b"") {
        Form::Digits(_, _, bits, _) => bits,
        Form::Prefixed => 22,
        Form::Lexical => 64,
        Form::Pair(..) => 63,
        Form::Cuid => return 36_u128.pow(16) - 1,
        Form::Uuid(_) => 74,
    };
    u128::MAX >> (128 - bits)
}

/// Some text of the system for any two numbers, of which higher bits are cut off.
#[allow(dead_code, reason = "each test uses a part")]
pub fn shape(system: System, time: u64, rest: u128) -> String {
    let (first, last) = times(system);
    let time = match (last - first).checked_add(1) {
        Some(count) => first + time % count,
        None => time,
    };
    // Days and what has passed of one.
    let time = match system {
        System::CombSqlDatetime | System::CombPostgresqlDatetime | System::CombRtcomb1 => {
            (time >> 32 << 32) | ((time & 0xffff_ffff) % 25_920_000)
        }
        System::CombNhibernate => (time >> 32 << 32) | ((time & 0xffff_ffff) % 25_920_003),
        // As long as the text that is written.
        System::Sid => 10_u64.pow(18) + time % (last - 10_u64.pow(18)),
        _ => time,
    };
    let rest = rest_last(system).checked_add(1).map_or(rest, |count| rest % count);
    String::from_utf8(write(system, &form(system, &[b' '; 33]), time, rest)).expect("ASCII")
}

fn write(system: System, form: &Form, time: u64, rest: u128) -> Vec<u8> {
    let spelt = |number: Long, alphabet: &[u8], width: usize| -> Vec<u8> {
        number.digits(alphabet.len(), width).into_iter().map(|digit| alphabet[digit]).collect()
    };
    match *form {
        Form::Digits(alphabet, width, rest_bits, unused) => {
            let mut number = Long::joined(time, rest, rest_bits);
            if unused > 0 {
                let (_, low) = number.split(128);
                number = Long::joined(0, low << unused, 128);
            }
            spelt(number, alphabet, width)
        }
        Form::Prefixed => [b"0x".to_vec(), spelt(Long::joined(time, rest, 22), HEX, 16)].concat(),
        Form::Lexical => {
            let digits = spelt(Long::joined(time, rest, 64), HEX, 32);
            [&digits[..8], b"-", &digits[8..12], b"-", &digits[12..16], b"-", &digits[16..]].concat()
        }
        Form::Pair(alphabet, width) => {
            let [time, rest] = [u128::from(time), rest].map(|part| spelt(Long::joined(0, part, 128), alphabet, width));
            [&time[..], b"-", &rest].concat()
        }
        Form::Cuid => {
            let [time, rest] = [(u128::from(time), 1), (rest, 16)]
                .map(|(part, width)| spelt(Long::joined(0, part, 128), BASE36, width));
            [&b"c"[..], &time, &rest].concat()
        }
        Form::Uuid(places) => {
            let mut digits = [b' '; 32];
            let time = format!("{time:012x}").into_bytes();
            let time = match system {
                System::CombRtcomb1 => [&time[..4], &time[5..9], b"4", &time[9..]].concat(),
                _ => time,
            };
            for (place, digit) in places.into_iter().zip(time) {
                digits[place] = digit;
            }
            digits[12] = b'4';
            // Two bits of variant, so 74 bits are written as 18 whole digits around one of two bits.
            let free: Vec<usize> = (0..32).filter(|place| digits[*place] == b' ').collect();
            let at = free.iter().position(|place| *place == 16).expect("the variant is no time");
            let mut left = rest;
            for (index, place) in free.into_iter().enumerate().rev() {
                let (radix, base) = if index == at { (4, 8) } else { (16, 0) };
                digits[place] = HEX[base + usize::try_from(left % radix).expect("a digit")];
                left /= radix;
            }
            [&digits[..8], b"-", &digits[8..12], b"-", &digits[12..16], b"-", &digits[16..20], b"-", &digits[20..]]
                .concat()
        }
    }
}

/// Time and rest if all is as it should be; anything else otherwise.
fn guess(system: System, form: &Form, text: &[u8]) -> Option<(u64, u128)> {
    let number = |text: &[u8], alphabet: &[u8]| {
        let values = text.iter().filter_map(|digit| alphabet.iter().position(|known| known == digit));
        Long::of_digits(values, alphabet.len())
    };
    let part = |text: &[u8], alphabet: &[u8]| number(text, alphabet).split(128).1;
    Some(match *form {
        Form::Digits(alphabet, _, rest_bits, unused) => {
            let spelt = number(text, alphabet);
            if unused == 0 {
                spelt.split(rest_bits)
            } else {
                Long::joined(0, spelt.split(128).1 >> unused, 128).split(rest_bits)
            }
        }
        Form::Prefixed => number(text.get(2..)?, HEX).split(22),
        Form::Lexical => number(text, HEX).split(64),
        Form::Pair(alphabet, width) => {
            let (time, rest) = (part(text.get(..width)?, alphabet), part(text.get(width + 1..)?, alphabet));
            (u64::try_from(time).ok()?, rest)
        }
        Form::Cuid => {
            let digits = text.get(1..)?;
            let (time, rest) = digits.split_at_checked(digits.len().checked_sub(16)?)?;
            (u64::try_from(part(time, BASE36)).ok()?, part(rest, BASE36))
        }
        Form::Uuid(places) => {
            let digits: Vec<u8> = text.iter().copied().filter(|byte| *byte != b'-').collect();
            if digits.len() != 32 {
                return None;
            }
            let mut time: Vec<u8> = places.iter().map(|place| digits[*place]).collect();
            if system == System::CombRtcomb1 {
                time = [&time[..4], b"0", &time[4..8], &time[9..]].concat();
            }
            let mut rest = 0;
            for (place, digit) in digits.iter().enumerate().filter(|(place, _)| !places.contains(place) && *place != 12)
            {
                let digit = HEX.iter().position(|known| known == digit)? as u128;
                rest = if place == 16 { rest << 2 | digit & 3 } else { rest << 4 | digit };
            }
            (u64::try_from(part(&time, HEX)).ok()?, rest)
        }
    })
}

fn without_aliases(system: System, text: &[u8]) -> Vec<u8> {
    match (system, form(system, text)) {
        (System::Ulid, _) => text.to_ascii_uppercase(),
        (System::ObjectId, _) | (_, Form::Lexical | Form::Uuid(_) | Form::Prefixed) => text.to_ascii_lowercase(),
        _ => text.to_vec(),
    }
}

/// Gives the text to the reader of the system. It must accept it exactly if it is, up to the documented aliases, what the
/// system writes for some id, and then be that id.
pub fn check(system: System, text: &[u8]) -> Option<IdError> {
    let read = system.ids().of_text(text);
    let canonical = without_aliases(system, text);
    // No text is longer.
    let short = text.len() <= 44;
    let form = form(system, &canonical);
    let (first, last) = times(system);
    let expected = short.then(|| guess(system, &form, &canonical)).flatten();
    let expected = expected.filter(|(time, rest)| (first..=last).contains(time) && *rest <= rest_last(system));
    let expected = expected.filter(|(time, rest)| write(system, &form, *time, *rest) == canonical);
    // Of the form that is written; a decimal SID has 19 digits of time.
    let expected = expected.filter(|_| system != System::Sid || text.len() != 39 || text[0] != b'0');
    let written = expected.map(|(time, rest)| match (system, &form) {
        (System::Sid, _) => format!("{time}-{rest:019}"),
        (System::FlakeId, Form::Prefixed) => (u128::from(time) << 22 | rest).to_string(),
        _ => String::from_utf8(canonical.clone()).expect("ASCII"),
    });
    assert_eq!(read.map(Id::text).ok(), written, "{system:?} {:?}", String::from_utf8_lossy(text));
    read.err()
}

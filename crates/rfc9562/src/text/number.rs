//! 192-bit numbers, for converting the longest IDs to and from digits.

/// `high` * 2^128 + `low`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Number {
    pub(crate) high: u64,
    pub(crate) low: u128,
}

impl From<u128> for Number {
    fn from(low: u128) -> Number {
        Number { high: 0, low }
    }
}

impl Number {
    pub(crate) fn from_be_bytes(bytes: [u8; 24]) -> Number {
        let (mut high, mut low) = ([0; 8], [0; 16]);
        high.copy_from_slice(&bytes[..8]);
        low.copy_from_slice(&bytes[8..]);
        Number { high: u64::from_be_bytes(high), low: u128::from_be_bytes(low) }
    }

    pub(crate) fn to_be_bytes(self) -> [u8; 24] {
        let mut bytes = [0; 24];
        bytes[..8].copy_from_slice(&self.high.to_be_bytes());
        bytes[8..].copy_from_slice(&self.low.to_be_bytes());
        bytes
    }

    /// Appends `DIGITS` digits in base `RADIX` to the number. Returns `None` if the result exceeds 192 bits.
    #[inline]
    pub(crate) fn append<const RADIX: u64, const DIGITS: usize>(self, digits: u64) -> Option<Number> {
        if RADIX.is_power_of_two() {
            let bits = const { bits(RADIX, DIGITS) };
            let high = u128::from(self.high) << bits | self.low >> (u128::BITS - bits);
            let low = self.low << bits | u128::from(digits);
            return u64::try_from(high).ok().map(|high| Number { high, low });
        }
        // No sum overflows, because the product of two 64-bit numbers leaves room for adding two more.
        let factor = const { power(RADIX, DIGITS) };
        let step = |part: u64, carry: u128| u128::from(part) * u128::from(factor) + (carry >> 64);
        let low = u128::from(low_half(self.low)) * u128::from(factor) + u128::from(digits);
        let middle = step(low_half(self.low >> 64), low);
        let high = step(self.high, middle);
        (high >> 64 == 0).then_some(Number {
            high: low_half(high),
            low: u128::from(low_half(middle)) << 64 | u128::from(low_half(low)),
        })
    }

    /// Removes the last `DIGITS` digits in base `RADIX` from the number and returns them.
    #[inline]
    pub(crate) fn take<const RADIX: u64, const DIGITS: usize>(&mut self) -> u64 {
        if RADIX.is_power_of_two() {
            let bits = const { bits(RADIX, DIGITS) };
            let taken = low_half(self.low & ((1 << bits) - 1));
            *self = Number {
                high: low_half(u128::from(self.high) >> bits),
                low: self.low >> bits | u128::from(self.high) << (u128::BITS - bits),
            };
            return taken;
        }
        let divisor = const { Divisor::new(power(RADIX, DIGITS)) };
        let (middle, low) = (low_half(self.low >> 64), low_half(self.low));
        if self.high == 0 && middle == 0 {
            let power = const { power(RADIX, DIGITS) };
            *self = Number::from(u128::from(low / power));
            return low % power;
        }
        let (high, rest) = if self.high == 0 { (0, 0) } else { divisor.divide(0, self.high) };
        let (middle, rest) = divisor.divide(rest, middle);
        let (low, rest) = divisor.divide(rest, low);
        *self = Number { high, low: u128::from(middle) << 64 | u128::from(low) };
        rest
    }

    /// Returns the number without its last `bits` bits (fewer than 64).
    pub(crate) fn shifted_right(self, bits: u32) -> Number {
        match bits {
            0 => self,
            _ => Number { high: self.high >> bits, low: self.low >> bits | u128::from(self.high) << (128 - bits) },
        }
    }

    /// Returns the number with `bits` zero bits (fewer than 64) appended. Bits above the lowest 192 are lost.
    pub(crate) fn shifted_left(self, bits: u32) -> Number {
        match bits {
            0 => self,
            _ => Number { high: self.high << bits | low_half(self.low >> (128 - bits)), low: self.low << bits },
        }
    }
}

#[allow(clippy::cast_possible_truncation, reason = "64 bits have so few digits")]
const fn bits(radix: u64, digits: usize) -> u32 {
    radix.trailing_zeros() * digits as u32
}

/// Returns a power of a radix. It may saturate if the radix is a power of two, but then it is not used.
#[allow(clippy::cast_possible_truncation, reason = "64 bits have so few digits")]
const fn power(radix: u64, digits: usize) -> u64 {
    radix.saturating_pow(digits as u32)
}

/// A divisor of 128-bit numbers with its reciprocal, because processors are slow at 128-bit division (Möller and Granlund,
/// "Improved Division by Invariant Integers", 2011, algorithm 4).
struct Divisor {
    /// The divisor, shifted left until its highest bit is set.
    normalized: u64,
    shift: u32,
    /// (2^128 - 1) / normalized - 2^64.
    reciprocal: u64,
}

impl Divisor {
    const fn new(divisor: u64) -> Divisor {
        let shift = divisor.leading_zeros();
        let normalized = divisor << shift;
        Divisor { normalized, shift, reciprocal: low_half(u128::MAX / normalized as u128) }
    }

    /// Returns the quotient and the remainder of `high` * 2^64 + `low`. `high` must be less than the divisor.
    #[inline(always)]
    fn divide(&self, high: u64, low: u64) -> (u64, u64) {
        let dividend = (u128::from(high) << 64 | u128::from(low)) << self.shift;
        let (high, low) = (dividend >> 64, low_half(dividend));
        let estimate = (u128::from(self.reciprocal) * high).wrapping_add(dividend);
        let mut quotient = low_half(estimate >> 64).wrapping_add(1);
        let mut remainder = low.wrapping_sub(quotient.wrapping_mul(self.normalized));
        if remainder > low_half(estimate) {
            quotient = quotient.wrapping_sub(1);
            remainder = remainder.wrapping_add(self.normalized);
        }
        if remainder >= self.normalized {
            quotient = quotient.wrapping_add(1);
            remainder -= self.normalized;
        }
        (quotient, remainder >> self.shift)
    }
}

#[allow(clippy::cast_possible_truncation)]
pub(crate) const fn low_half(number: u128) -> u64 {
    number as u64
}

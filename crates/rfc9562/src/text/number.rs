//! Numbers of 192 bits: those of the longest ids, in the digits of any alphabet.

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
    /// The number times a factor, and an addend; `None` if that has more than 192 bits.
    pub(crate) fn times_plus(self, factor: u64, addend: u64) -> Option<Number> {
        // No sum overflows: a product of two numbers of 64 bits leaves room for two more such numbers.
        let step = |part: u64, carry: u128| u128::from(part) * u128::from(factor) + (carry >> 64);
        let low = u128::from(low_half(self.low)) * u128::from(factor) + u128::from(addend);
        let middle = step(low_half(self.low >> 64), low);
        let high = step(self.high, middle);
        (high >> 64 == 0).then_some(Number {
            high: low_half(high),
            low: u128::from(low_half(middle)) << 64 | u128::from(low_half(low)),
        })
    }

    /// Takes the last digits of this radix, as many as this, off the number. There must be less than 64 bits of them.
    pub(crate) fn take<const RADIX: u64>(&mut self, digits: u32) -> u64 {
        if RADIX.is_power_of_two() {
            let bits = digits * RADIX.trailing_zeros();
            let taken = low_half(self.low) & ((1 << bits) - 1);
            *self = self.shifted_right(bits);
            return taken;
        }
        let divisor = u128::from(RADIX.pow(digits));
        let divided = |part: u64, above: u128| {
            let dividend = (above % divisor) << 64 | u128::from(part);
            (low_half(dividend / divisor), dividend)
        };
        if self.high == 0 {
            let taken = low_half(self.low % divisor);
            self.low /= divisor;
            return taken;
        }
        let (high, dividend) = divided(self.high, 0);
        let (middle, dividend) = divided(low_half(self.low >> 64), dividend);
        let (low, dividend) = divided(low_half(self.low), dividend);
        *self = Number { high, low: u128::from(middle) << 64 | u128::from(low) };
        low_half(dividend % divisor)
    }

    /// Without the last bits, of which there are less than 64.
    pub(crate) fn shifted_right(self, bits: u32) -> Number {
        match bits {
            0 => self,
            _ => Number { high: self.high >> bits, low: self.low >> bits | u128::from(self.high) << (128 - bits) },
        }
    }

    /// With zeros behind it, less than 64. What is above 192 bits is lost.
    pub(crate) fn shifted_left(self, bits: u32) -> Number {
        match bits {
            0 => self,
            _ => Number { high: self.high << bits | low_half(self.low >> (128 - bits)), low: self.low << bits },
        }
    }
}

/// The low 64 bits.
#[allow(clippy::cast_possible_truncation)]
pub(crate) const fn low_half(number: u128) -> u64 {
    number as u64
}

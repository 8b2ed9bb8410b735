//! The digits of a form, by the bytes that stand for them.

/// What [`digit_values`] holds for a byte that is no digit.
pub(super) const NO_DIGIT: u8 = u8::MAX;

/// The digit that each byte stands for in an alphabet.
pub(super) const fn digit_values(alphabet: &[u8]) -> [u8; 256] {
    let mut values = [NO_DIGIT; 256];
    let mut digit = 0;
    while digit < alphabet.len() {
        // No alphabet here has more than 58 digits.
        #[allow(clippy::cast_possible_truncation)]
        {
            values[alphabet[digit] as usize] = digit as u8;
        }
        digit += 1;
    }
    values
}

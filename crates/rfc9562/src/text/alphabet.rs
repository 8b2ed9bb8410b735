//! The digits of a form, by their bytes.

/// The value in [`digit_values`] of a byte that is not a digit.
pub(crate) const NO_DIGIT: u8 = u8::MAX;

/// The digit that each byte stands for in an alphabet.
pub(crate) const fn digit_values(alphabet: &[u8]) -> [u8; 256] {
    let mut values = [NO_DIGIT; 256];
    let mut digit = 0;
    while digit < alphabet.len() {
        // No alphabet has more than 64 digits.
        #[allow(clippy::cast_possible_truncation)]
        {
            values[alphabet[digit] as usize] = digit as u8;
        }
        digit += 1;
    }
    values
}

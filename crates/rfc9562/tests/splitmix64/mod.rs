//! SplitMix64 (Steele, Lea, Flood 2014), whose output is random enough for choices and the same in every run.

/// The generator, created from a seed.
#[derive(Clone, Copy, Debug)]
pub struct Lots(pub u64);

impl Lots {
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }
}

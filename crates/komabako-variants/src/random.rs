//! Random setups, all [`T`](crate::r238::T) equally likely.

use komabako_board::Setup;
use komabako_codec::{PositionCodec, Word};

use crate::r238::R238;

/// An endless iterator of random setups, uniform over all setups: it draws a uniform number below 2^238 and unranks it,
/// drawing again if it is not below [`T`](crate::r238::T), which happens once in 37 draws.
///
/// The same seed gives the same setups in every release. Not cryptographically secure. Uniform setups do not resemble
/// positions of games: most have all pieces on the board, half of them promoted.
///
/// ```
/// use komabako_variants::random::Uniform;
/// let setups: Vec<_> = Uniform::new(1).take(3).collect();
/// assert!(setups.iter().copied().eq(Uniform::new(1).take(3)));
/// assert_ne!(setups[0], setups[1]);
/// ```
#[derive(Clone, Debug)]
pub struct Uniform {
    state: u64,
    r238: R238,
}

impl Uniform {
    /// The setups of a seed.
    pub fn new(seed: u64) -> Self {
        Self { state: seed, r238: R238::new() }
    }

    /// The next 64 random bits: `SplitMix64` (Steele, Lea, Flood, *Fast splittable pseudorandom number generators*,
    /// OOPSLA 2014).
    fn next_u64(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = self.state;
        let z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// 238 random bits, and zeros after them.
    fn draw(&mut self) -> Word {
        let words: [u64; 4] = core::array::from_fn(|_| self.next_u64());
        let mut rank = [0; 32];
        rank[..30].copy_from_slice(&words.map(u64::to_le_bytes).as_flattened()[..30]);
        rank[29] &= 0x3f;
        rank
    }
}

impl Iterator for Uniform {
    type Item = Setup;

    fn next(&mut self) -> Option<Setup> {
        loop {
            let rank = self.draw();
            if let Ok(setup) = self.r238.unpack(&rank) {
                return Some(setup);
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (usize::MAX, None)
    }
}

#[cfg(test)]
mod tests {
    use komabako_board::BaseKind;

    use super::*;

    /// 95.48 % of all setups have both kings (`spec/r238.md`, §4.1); the standard deviation here is 0.15 %.
    #[test]
    fn kings_have_the_counted_frequencies() {
        let both = Uniform::new(1).take(20_000).filter(|setup| setup.kind(BaseKind::King).len() == 2).count();
        assert!((18_960..=19_230).contains(&both), "{both} of 20000");
    }
}

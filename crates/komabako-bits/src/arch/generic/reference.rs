//! [`Reference`]: the definitions, bit by bit.

use crate::BitOps;

/// The oracle: every primitive as its definition reads, one bit at a time.
///
/// Every [`Backend`](crate::Backend) must agree with it. It is not one of them, since nothing should run on it but
/// tests: `kernel.run(Reference)`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Reference;

impl crate::ops::sealed::Sealed for Reference {}

impl BitOps for Reference {
    type Mask = u64;

    fn mask(self, mask: u64) -> u64 {
        mask
    }

    fn compress(self, word: u64, mask: &u64) -> u64 {
        let mut packed = 0;
        for (place, bit) in selected(*mask).enumerate() {
            packed |= (word >> bit & 1) << place;
        }
        packed
    }

    fn expand(self, word: u64, mask: &u64) -> u64 {
        let mut scattered = 0;
        for (place, bit) in selected(*mask).enumerate() {
            scattered |= (word >> place & 1) << bit;
        }
        scattered
    }

    fn popcount(self, word: u64) -> u32 {
        selected(word).map(|_| 1).sum()
    }
}

/// The places of the ones, ascending.
fn selected(mask: u64) -> impl Iterator<Item = u32> {
    (0..64).filter(move |bit| mask >> bit & 1 == 1)
}

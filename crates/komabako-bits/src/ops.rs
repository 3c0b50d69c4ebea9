//! [`BitOps`]: the primitives every backend offers.

use core::fmt::Debug;

use crate::BoardMask;

/// The primitives, on one backend. Implemented by zero-sized witnesses whose existence proves that the CPU can.
///
/// Every method agrees with [`Reference`](crate::Reference), bit for bit, for every argument.
pub trait BitOps: Copy + Debug + sealed::Sealed {
    /// A mask prepared once to compress or expand many words.
    type Mask: Copy + Debug;

    /// Prepares a mask.
    fn mask(self, mask: u64) -> Self::Mask;

    /// Gathers the bits of `word` that `mask` selects at the low end, in order; the other bits are zero.
    fn compress(self, word: u64, mask: &Self::Mask) -> u64;

    /// Scatters the low bits of `word` to the places that `mask` selects, in order; the other bits are zero.
    fn expand(self, word: u64, mask: &Self::Mask) -> u64;

    /// [`compress`](BitOps::compress) by a mask that is used only once: x86's `PEXT`.
    #[inline(always)]
    fn pext(self, word: u64, mask: u64) -> u64 {
        self.compress(word, &self.mask(mask))
    }

    /// [`expand`](BitOps::expand) by a mask that is used only once: x86's `PDEP`.
    #[inline(always)]
    fn pdep(self, word: u64, mask: u64) -> u64 {
        self.expand(word, &self.mask(mask))
    }

    /// `pext` of four words by four masks.
    #[inline(always)]
    fn pext_x4(self, words: [u64; 4], masks: [u64; 4]) -> [u64; 4] {
        core::array::from_fn(|i| self.pext(words[i], masks[i]))
    }

    /// `pdep` of four words by four masks.
    #[inline(always)]
    fn pdep_x4(self, words: [u64; 4], masks: [u64; 4]) -> [u64; 4] {
        core::array::from_fn(|i| self.pdep(words[i], masks[i]))
    }

    /// The number of ones.
    #[inline(always)]
    fn popcount(self, word: u64) -> u32 {
        word.count_ones()
    }

    /// Prepares the mask of a two-lane board (63 + 18 bits).
    #[inline(always)]
    fn board_mask(self, lanes: [u64; 2]) -> BoardMask<Self> {
        BoardMask::new(self, lanes)
    }
}

/// Keeps [`BitOps`] to this crate: its implementors are proofs.
pub(crate) mod sealed {
    /// See [`super::sealed`].
    pub trait Sealed {}
}

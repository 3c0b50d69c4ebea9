//! [`Soft`]: parallel-suffix compress and expand.

use crate::BitOps;

/// The portable backend: compress and expand in six steps by the parallel-suffix method (Warren, *Hacker's
/// Delight*, §7-4 and §7-5), prepared once per mask.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Soft;

/// The bits that move right by 1, 2, 4, 8, 16 and 32 in a compression.
#[derive(Clone, Copy, Debug)]
pub struct SoftMask {
    mask: u64,
    moves: [u64; 6],
}

impl crate::ops::sealed::Sealed for Soft {}

impl BitOps for Soft {
    type Mask = SoftMask;

    #[inline(always)]
    fn mask(self, mask: u64) -> SoftMask {
        SoftMask::new::<6>(mask)
    }

    #[inline(always)]
    fn mask_u32(self, mask: u32) -> SoftMask {
        // No bit moves by 32: the last step is known to be empty, and nothing is left of it.
        SoftMask::new::<5>(u64::from(mask))
    }

    #[inline(always)]
    fn compress(self, word: u64, mask: &SoftMask) -> u64 {
        let mut word = word & mask.mask;
        for (step, moved) in mask.moves.iter().enumerate() {
            let moving = word & moved;
            word = word ^ moving | moving >> (1 << step);
        }
        word
    }

    #[inline(always)]
    fn expand(self, word: u64, mask: &SoftMask) -> u64 {
        let mut word = word;
        for (step, moved) in mask.moves.iter().enumerate().rev() {
            let moving = word << (1 << step);
            word = word & !moved | moving & moved;
        }
        word & mask.mask
    }
}

impl SoftMask {
    /// The moves of the first `STEPS` steps. The others are empty.
    #[inline(always)]
    fn new<const STEPS: usize>(mask: u64) -> Self {
        let mut moves = [0; 6];
        let mut remaining = mask;
        let mut zeros_to_the_right = !mask << 1;
        for (step, moved) in moves.iter_mut().enumerate().take(STEPS) {
            let parity = prefix_parity::<STEPS>(zeros_to_the_right);
            *moved = parity & remaining;
            remaining = remaining ^ *moved | *moved >> (1 << step);
            zeros_to_the_right &= !parity;
        }
        Self { mask, moves }
    }
}

/// Bit i of the result is the parity of bits 0..=i, for i < 2^`STEPS`.
#[inline(always)]
fn prefix_parity<const STEPS: usize>(word: u64) -> u64 {
    let mut parity = word;
    for step in 0..STEPS {
        parity ^= parity << (1 << step);
    }
    parity
}

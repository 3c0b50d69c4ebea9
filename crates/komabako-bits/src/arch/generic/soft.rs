//! [`Soft`]: parallel-suffix compress and expand.

use crate::{BitOps, Kernel, Witness};

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

impl Witness for Soft {
    // Inlined: it needs no instructions that the caller lacks. As a separate function, packing took a quarter more instructions.
    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}

impl BitOps for Soft {
    type Mask = SoftMask;

    #[inline(always)]
    fn mask(self, mask: u64) -> SoftMask {
        SoftMask::new::<6>(mask)
    }

    #[inline(always)]
    fn mask_u32(self, mask: u32) -> SoftMask {
        // No bit moves by 32: the last step is empty at compile time and is optimised away.
        SoftMask::new::<5>(u64::from(mask))
    }

    #[inline(always)]
    fn mask_near(self, mask: u64) -> SoftMask {
        // No bit moves by 32 here either, but the bits may be anywhere in the word.
        SoftMask::of_steps::<5, 6>(mask)
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

    #[inline(always)]
    fn boards_to_dense<const N: usize>(self, boards: &[[u64; 2]; N], mask: [u64; 2]) -> [u64; N] {
        let mut dense = [0; N];
        if PAIRS {
            let low = self.popcount(mask[0]);
            let mask = LanesMask::new(mask);
            for (plane, &board) in boards.iter().enumerate() {
                let [a, b] = mask.compress(board);
                dense[plane] = a | b << (low & 63);
            }
        } else {
            let mask = self.board_mask(mask);
            for (plane, &board) in boards.iter().enumerate() {
                dense[plane] = mask.compress_u64(board);
            }
        }
        dense
    }

    #[inline(always)]
    fn dense_to_boards<const N: usize>(self, dense: &[u64; N], mask: [u64; 2]) -> [[u64; 2]; N] {
        let mut boards = [[0; 2]; N];
        if PAIRS {
            let low = self.popcount(mask[0]);
            let mask = LanesMask::new(mask);
            for (board, &plane) in dense.iter().enumerate() {
                boards[board] = mask.expand([plane, plane >> (low & 63)]);
            }
        } else {
            let mask = self.board_mask(mask);
            for (board, &plane) in dense.iter().enumerate() {
                boards[board] = mask.expand_u64(plane);
            }
        }
        boards
    }
}

/// Whether the compiler vectorises [`LanesMask`] to vectors of two words by default. Elsewhere it is cheaper to process the
/// second lane, which has 18 squares, separately.
const PAIRS: bool = cfg!(any(target_feature = "sse2", target_feature = "neon", target_feature = "simd128"));

/// [`SoftMask`] for both lanes of a board, step by step for both.
struct LanesMask {
    mask: [u64; 2],
    moves: [[u64; 2]; 6],
}

impl LanesMask {
    #[inline(always)]
    fn new(mask: [u64; 2]) -> Self {
        let mut moves = [[0; 2]; 6];
        let mut remaining = mask;
        let mut zeros_to_the_right = [!mask[0] << 1, !mask[1] << 1];
        for (step, moved) in moves.iter_mut().enumerate() {
            let mut parity = zeros_to_the_right;
            for by in 0..6 {
                for lane in &mut parity {
                    *lane ^= *lane << (1 << by);
                }
            }
            for lane in 0..2 {
                moved[lane] = parity[lane] & remaining[lane];
                remaining[lane] = remaining[lane] ^ moved[lane] | moved[lane] >> (1 << step);
                zeros_to_the_right[lane] &= !parity[lane];
            }
        }
        Self { mask, moves }
    }

    /// Each lane compressed.
    #[inline(always)]
    fn compress(&self, board: [u64; 2]) -> [u64; 2] {
        let mut lanes = [board[0] & self.mask[0], board[1] & self.mask[1]];
        for (step, moved) in self.moves.iter().enumerate() {
            for lane in 0..2 {
                let moving = lanes[lane] & moved[lane];
                lanes[lane] = lanes[lane] ^ moving | moving >> (1 << step);
            }
        }
        lanes
    }

    /// Each lane expanded.
    #[inline(always)]
    fn expand(&self, words: [u64; 2]) -> [u64; 2] {
        let mut lanes = words;
        for (step, moved) in self.moves.iter().enumerate().rev() {
            for lane in 0..2 {
                let moving = lanes[lane] << (1 << step);
                lanes[lane] = lanes[lane] & !moved[lane] | moving & moved[lane];
            }
        }
        [lanes[0] & self.mask[0], lanes[1] & self.mask[1]]
    }
}

impl SoftMask {
    /// The moves of a mask within its lowest `2^STEPS` bits.
    #[inline(always)]
    fn new<const STEPS: usize>(mask: u64) -> Self {
        Self::of_steps::<STEPS, STEPS>(mask)
    }

    /// The moves of the first `STEPS` steps of a mask within its lowest `2^WIDTH` bits. The others are empty.
    #[inline(always)]
    fn of_steps<const STEPS: usize, const WIDTH: usize>(mask: u64) -> Self {
        let mut moves = [0; 6];
        let mut remaining = mask;
        let mut zeros_to_the_right = !mask << 1;
        for (step, moved) in moves.iter_mut().enumerate().take(STEPS) {
            let parity = prefix_parity::<WIDTH>(zeros_to_the_right);
            *moved = parity & remaining;
            remaining = remaining ^ *moved | *moved >> (1 << step);
            zeros_to_the_right &= !parity;
        }
        Self { mask, moves }
    }
}

/// Bit i of the result is the parity of bits 0..=i, for i < 2^`WIDTH`.
#[inline(always)]
fn prefix_parity<const WIDTH: usize>(word: u64) -> u64 {
    let mut parity = word;
    for step in 0..WIDTH {
        parity ^= parity << (1 << step);
    }
    parity
}

//! [`BoardMask`]: compress and expand on boards of two lanes.

use crate::BitOps;

/// One byte per square, and 15 unused bytes: three vectors of 32.
pub type Bytes = [u8; 96];

/// The valid bits of a lane: a board has 63 + 18 squares.
const LANES: [u64; 2] = [(1 << 63) - 1, (1 << 18) - 1];

/// Checks, in debug builds, that a board has no bits beyond its lanes.
#[inline(always)]
const fn assert_lanes(board: [u64; 2]) {
    debug_assert!(board[0] & !LANES[0] == 0 && board[1] & !LANES[1] == 0, "bits beyond the 63 + 18 squares");
}

/// The squares of a board in one row.
#[inline(always)]
pub(crate) const fn row(board: [u64; 2]) -> u128 {
    assert_lanes(board);
    board[0] as u128 | (board[1] as u128) << 63
}

/// The inverse of [`row`]. Bits beyond the 81st are dropped.
#[inline(always)]
pub(crate) const fn lanes(row: u128) -> [u64; 2] {
    [row as u64 & LANES[0], (row >> 63) as u64 & LANES[1]]
}

/// The inverse of [`row`] for a row of 64 bits and 32 more. Without a shift of 128 bits, which would be a slow instruction.
#[inline(always)]
pub(crate) const fn lanes_of(low: u64, high: u32) -> [u64; 2] {
    [low & LANES[0], (high << 1 | (low >> 63) as u32) as u64 & LANES[1]]
}

/// A set of squares of a two-lane board, prepared to compress or expand many boards.
///
/// Lane 0 holds squares 0..63, lane 1 squares 63..81. All other bits of a mask are zero.
///
/// ```
/// use komabako_bits::{Backend, BitOps, Kernel, dispatch};
/// struct Squares;
/// impl Kernel for Squares {
///     type Output = (u128, [u64; 2]);
///     #[inline(always)]
///     fn run<B: BitOps>(self, ops: B) -> Self::Output {
///         let mask = ops.board_mask([1 << 62 | 1, 0b11]); // squares 0, 62, 63, 64
///         (mask.compress([1 << 62, 0b10]), mask.expand(0b1010))
///     }
/// }
/// assert_eq!(dispatch(Backend::detect(), Squares), (0b1010, [1 << 62, 0b10]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct BoardMask<B: BitOps> {
    ops: B,
    lanes: [B::Mask; 2],
    /// The number of squares selected in lane 0: at most 63, so shifts by it are in range.
    low: u32,
    len: u32,
}

impl<B: BitOps> BoardMask<B> {
    #[inline(always)]
    pub(crate) fn new(ops: B, lanes: [u64; 2]) -> Self {
        assert_lanes(lanes);
        let low = ops.popcount(lanes[0]);
        let len = low + ops.popcount(lanes[1]);
        // If masks need no preparation, shortening one would only cost an instruction.
        let high = if B::GATHERS { ops.mask(lanes[1]) } else { ops.mask_u32(lanes[1] as u32) };
        Self { ops, lanes: [ops.mask(lanes[0]), high], low, len }
    }

    /// The number of squares that the mask selects, 0..=81.
    #[inline(always)]
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether the mask selects no square.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The selected squares of a board, one bit each, ascending from bit 0.
    #[inline(always)]
    pub fn compress(&self, board: [u64; 2]) -> u128 {
        let [low, high] = self.compress_lanes(board);
        u128::from(low) | u128::from(high) << self.low
    }

    /// [`compress`](Self::compress) for a mask of at most 64 squares; bits beyond the 64th are lost.
    #[inline(always)]
    pub fn compress_u64(&self, board: [u64; 2]) -> u64 {
        let [low, high] = self.compress_lanes(board);
        low | high << (self.low & 63)
    }

    /// The board whose selected squares are the low bits of `bits`, ascending; the other squares are zero.
    #[inline(always)]
    pub fn expand(&self, bits: u128) -> [u64; 2] {
        [
            self.ops.expand(bits as u64, &self.lanes[0]),
            self.ops.expand((bits >> self.low) as u64, &self.lanes[1]),
        ]
    }

    /// [`expand`](Self::expand) for a mask of at most 64 squares; squares beyond the 64th are zero.
    #[inline(always)]
    pub fn expand_u64(&self, bits: u64) -> [u64; 2] {
        [self.ops.expand(bits, &self.lanes[0]), self.ops.expand(bits >> (self.low & 63), &self.lanes[1])]
    }

    #[inline(always)]
    fn compress_lanes(&self, board: [u64; 2]) -> [u64; 2] {
        [self.ops.compress(board[0], &self.lanes[0]), self.ops.compress(board[1], &self.lanes[1])]
    }
}

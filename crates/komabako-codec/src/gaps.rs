//! Boards without the squares of some pieces, as in packed formats.

use komabako_bits::BitOps;
use komabako_board::Bitboard;

/// The board without at most `GAPS` squares, of which `gaps` is the set; later squares move down. In lanes of 63 squares and the rest;
/// bit 63 of the first lane has no meaning.
#[inline(always)]
pub fn close<const GAPS: u32, B: BitOps>(ops: B, board: Bitboard, gaps: Bitboard) -> [u64; 2] {
    let [low, high] = board.lanes();
    let [low_gaps, high_gaps] = gaps.lanes();
    let low = ops.pext_most::<GAPS>(low, low_gaps);
    let high = ops.pext_most::<GAPS>(high, high_gaps);
    // As a shift count, `!count` is 63 - count.
    let count = ops.popcount(low_gaps);
    [low | high.wrapping_shl(!count), high.wrapping_shr(count)]
}

/// The inverse of [`close`]: the gaps are empty.
#[inline(always)]
pub fn open<const GAPS: u32, B: BitOps>(ops: B, [low, high]: [u64; 2], gaps: Bitboard) -> Bitboard {
    let [low_gaps, high_gaps] = gaps.lanes();
    let count = ops.popcount(low_gaps);
    let after = low.wrapping_shr(!count) | high.wrapping_shl(count);
    Bitboard::from_lanes([ops.pdep_most::<GAPS>(low, low_gaps), ops.pdep_most::<GAPS>(after, high_gaps)])
}

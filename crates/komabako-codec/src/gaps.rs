//! Boards without the kings' squares, as in packed formats.

use komabako_bits::BitOps;
use komabako_board::Bitboard;

/// The board without the squares of at most two kings; later squares move down.
#[inline(always)]
pub fn close<B: BitOps>(ops: B, board: Bitboard, kings: Bitboard) -> [u64; 2] {
    let [low, high] = board.lanes();
    let [low_kings, high_kings] = kings.lanes();
    let low = ops.pext_most::<2>(low, low_kings);
    let high = ops.pext_most::<2>(high, high_kings);
    // As a shift count, `!gaps` is 63 - gaps.
    let gaps = ops.popcount(low_kings);
    [low | high.wrapping_shl(!gaps), high.wrapping_shr(gaps)]
}

/// The inverse of [`close`]: the kings' squares are empty.
#[inline(always)]
pub fn open<B: BitOps>(ops: B, [low, high]: [u64; 2], kings: Bitboard) -> Bitboard {
    let [low_kings, high_kings] = kings.lanes();
    let gaps = ops.popcount(low_kings);
    let after = low.wrapping_shr(!gaps) | high.wrapping_shl(gaps);
    Bitboard::from_lanes([ops.pdep_most::<2>(low, low_kings), ops.pdep_most::<2>(after, high_kings)])
}

//! The two tails of pieces off the board, to and from hands. In games nothing is removed and `tail0` is empty: then
//! `tailc` is the base form's field of hands.

use komabako_bits::BitOps;
use komabako_board::Hand;
use komabako_codec::contract::{hands, lanes};

/// One in each byte lane: multiplying by it turns the lengths of a tail's kinds into their ends.
const ONES: u64 = 0x0101_0101_0101_0101;

/// `tail0` and `tailc` for the pieces off the board (in [lanes]), given Black's and White's hand.
#[inline(always)]
pub fn pack<B: BitOps>(ops: B, off_board: u64, hands: [Hand; 2]) -> [u64; 2] {
    tails(ops, off_board, [lanes::of_hand(hands[0]), lanes::of_hand(hands[1])])
}

/// The [bits](Hand::bits) of Black's and White's hand if these are the tails, in canonical order, of `off_board` pieces
/// off the board (in [lanes]). If `off_board` exceeds the inventory, the bits are unspecified.
#[inline(always)]
pub fn unpack<B: BitOps>(ops: B, off_board: u64, [tail0, tailc]: [u64; 2]) -> Option<[u32; 2]> {
    if tail0 == 0 {
        let hands = hands::unpack(ops, off_board, tailc);
        return if hands.are_ordered { Some(hands.bits) } else { None };
    }
    // Without this, Black's share could be negative.
    if tail0 & tailc != 0 {
        return None;
    }
    let removed = ones(ops, off_board, tail0);
    let white = ones(ops, off_board, tailc);
    let black = off_board.wrapping_sub(removed).wrapping_sub(white);
    if tails(ops, off_board, [black, white]) == [tail0, tailc] {
        Some([lanes::to_bits(black), lanes::to_bits(white)])
    } else {
        None
    }
}

/// The number of ones per kind in a tail of these pieces.
#[inline(always)]
fn ones<B: BitOps>(ops: B, off_board: u64, tail: u64) -> u64 {
    let up_to_end = ops.ranks(tail, off_board.wrapping_mul(ONES));
    up_to_end.wrapping_sub(up_to_end << 8) & (u64::MAX >> 8)
}

#[inline(always)]
fn tails<B: BitOps>(ops: B, off_board: u64, [black, white]: [u64; 2]) -> [u64; 2] {
    let ends = off_board.wrapping_mul(ONES);
    let removed_starts = ends.wrapping_sub(off_board.wrapping_sub(black).wrapping_sub(white));
    [ops.runs(removed_starts, ends), ops.runs(removed_starts.wrapping_sub(white), removed_starts)]
}

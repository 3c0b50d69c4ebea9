//! The fast implementation, with compress and expand, on the planes of the base form.

use komabako_bits::BitOps;
use komabako_board::{Hand, Setup};
use komabako_codec::Word;
use komabako_codec::contract::planes::{Counts, Planes};
use komabako_codec::contract::{hands, squares};

use crate::tails;

/// The number of bits of `occupied`'s second lane for which the field has room; the bits above are topped-up bits.
const HIGH: u32 = 16;

/// The code of a missing king whose topped-up bit is 0.
const MISSING: u64 = 126;

#[inline(always)]
pub fn pack<B: BitOps>(ops: B, setup: &Setup) -> Word {
    let board = Planes::of_board(ops, setup);
    let in_hands = hands::pack(ops, setup.parts().hands);
    let [tail0, tailc] = if board.pieces + in_hands.len == 38 {
        [0, in_hands.colors]
    } else {
        tails::pack(ops, Counts::new(ops, &board).off_board, setup.parts().hands)
    };
    let [low, high] = board.occupied;
    let mut topped_up = high >> HIGH;
    let mut kings = board.kings;
    for king in &mut kings {
        if *king > 80 {
            *king = MISSING | topped_up & 1;
            topped_up >>= 1;
        }
    }
    let [kind0, kind1, kind2, kind3, kind4] = board.kind;
    let planes = Planes {
        occupied: [low, high & ((1 << HIGH) - 1)],
        kings,
        kind: [kind0 | tail0.wrapping_shl(board.pieces), kind1, kind2, kind3, kind4],
        color: board.color | tailc.wrapping_shl(board.pieces),
        ..board
    };
    planes.join()
}

/// The setup of a valid word, `None` for any other.
#[inline(always)]
pub fn unpack<B: BitOps>(ops: B, word: &Word) -> Option<Setup> {
    let mut planes = Planes::split(ops, word);
    let [black_king, white_king] = planes.kings;
    let mut place = HIGH;
    for color in 0..2 {
        let code = planes.kings[color];
        if code >= MISSING {
            planes.occupied[1] |= (code & 1) << place;
            planes.pieces += code as u32 & 1;
            place += 1;
        }
    }
    let tails = [planes.kind[0].wrapping_shr(planes.pieces), planes.color.wrapping_shr(planes.pieces)];
    planes.kind[0] &= 1_u64.wrapping_shl(planes.pieces).wrapping_sub(1);

    let counts = Counts::new(ops, &planes);
    let hands = tails::unpack(ops, counts.off_board, tails);
    let is_king = |code: u64| code <= 80 || code >= MISSING;
    let is_valid = counts.are_valid
        && is_king(black_king)
        && is_king(white_king)
        && (black_king != white_king || black_king > 80);
    if !is_valid {
        return None;
    }
    let [black_hand, white_hand] = hands?;
    Some(planes.to_setup(
        ops,
        [squares::set(black_king), squares::set(white_king)],
        [Hand::from_bits_trusted(black_hand), Hand::from_bits_trusted(white_hand)],
    ))
}

//! Unpacking: an automaton finds where codes begin; then come the board, and the pieces off it.

use komabako_bits::BitOps;
use komabako_board::{Color, Hand, Setup, color};

use super::{Scheme, board, stream, tail};
use crate::byte_board::{self, ByteBoard, KING, WHITE};
use crate::word::BITS;
use crate::{Word, lanes};

/// The setup of a good word, `None` for any other.
#[inline(always)]
pub fn unpack<B: BitOps, S: Scheme>(ops: B, word: &Word) -> Option<Setup> {
    let board = board::planes::<B, S>(ops, word, kings::<S>(word)?)?;
    let (hands, side) = hands_and_side::<S>(word, board.pieces, board.end)?;
    let [a, b, c, d, white] = board.cells;
    let from = S::by_square;
    let boards = [from(a), from(b), from(c), from(d), from(white)];
    Some(Setup::from_parts_trusted(byte_board::parts_of(boards, hands, side)))
}

/// Unpacks a good word of a format that numbers the squares as we do; for any other, says `false` and leaves the board
/// alone.
#[inline(always)]
pub fn unpack_bytes<B: BitOps, S: Scheme>(ops: B, word: &Word, to: &mut ByteBoard) -> bool {
    let Some([black, white]) = kings::<S>(word) else { return false };
    let Some(board) = board::cells::<B, S>(ops, word, [black, white]) else { return false };
    let Some((hands, side)) = hands_and_side::<S>(word, board.pieces, board.end) else { return false };
    *to = ByteBoard { cells: board.cells, kings: [black as u8, white as u8], hands, side };
    to.cells[black as usize] = KING;
    to.cells[white as usize] = KING | WHITE;
    true
}

/// The numbers of the kings' squares, if they are two squares.
#[inline(always)]
fn kings<S: Scheme>(word: &Word) -> Option<[u64; 2]> {
    let [black, white] = S::SPEC.kings();
    let [black, white] = [stream::seven_bits(word, black), stream::seven_bits(word, white)];
    if black > 80 || white > 80 || black == white { None } else { Some([black, white]) }
}

/// What follows a board with these pieces, in [lanes], that ends before bit `at`; and the side to move.
#[inline(always)]
fn hands_and_side<S: Scheme>(word: &Word, pieces: u64, mut at: usize) -> Option<([Hand; 2], Color)> {
    let side = if S::SPEC.side_after_board { at } else { 0 };
    if side >= BITS {
        return None;
    }
    at += usize::from(S::SPEC.side_after_board);
    let hands = tail::hands::<S>(word, at, lanes::INVENTORY.wrapping_sub(pieces))?;
    Some((hands, color::from_bit(word[side / 8] >> (side % 8) & 1 != 0)))
}

#[cfg(test)]
mod tests {
    use komabako_bits::{Reference, Soft};
    use komabako_testkit::setups;

    use super::*;
    use crate::hcp::HuffmanCodedPos;
    use crate::huffman::reference;
    use crate::nshogi::HuffmanCode;
    use crate::packed_sfen::Psv;

    fn good_words_need_no_reference<S: Scheme>() {
        for setup in setups::random(1).take(2_000) {
            if let Ok(word) = reference::pack(&S::SPEC, &setup) {
                assert_eq!(unpack::<_, S>(Soft, &word), Some(setup));
                assert_eq!(unpack::<_, S>(Reference, &word), Some(setup));
            }
        }
    }

    #[test]
    fn good_words_of_every_format_need_no_reference() {
        good_words_need_no_reference::<Psv>();
        good_words_need_no_reference::<HuffmanCodedPos>();
        good_words_need_no_reference::<HuffmanCode>();
    }
}

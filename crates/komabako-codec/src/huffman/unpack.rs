//! Unpacking: an automaton finds where codes begin; then come the board, and the pieces off it.

use komabako_bits::BitOps;
use komabako_board::Setup;

use super::board::{self, Board};
use super::{Scheme, stream};
use crate::Word;
use crate::byte_board::{self, ByteBoard, KING, WHITE};

/// The setup of a good word, `None` for any other.
#[inline(always)]
pub fn unpack<B: BitOps, S: Scheme>(ops: B, word: &Word) -> Option<Setup> {
    let Board { cells: [a, b, c, d, white], pieces, tail } =
        board::planes::<B, S>(ops, word, kings::<S>(word)?)?;
    let hands = tail.hands(pieces)?;
    let from = S::by_square;
    let boards = [from(a), from(b), from(c), from(d), from(white)];
    Some(Setup::from_parts_trusted(byte_board::parts_of(boards, hands, tail.side)))
}

/// Unpacks a good word of a format that numbers the squares as we do; for any other, says `false` and leaves the board
/// alone.
#[inline(always)]
pub fn unpack_bytes<B: BitOps, S: Scheme>(ops: B, word: &Word, to: &mut ByteBoard) -> bool {
    let Some([black, white]) = kings::<S>(word) else { return false };
    let Some(Board { cells, pieces, tail }) = board::cells::<B, S>(ops, word, [black, white]) else {
        return false;
    };
    let Some(hands) = tail.hands(pieces) else { return false };
    *to = ByteBoard { cells, kings: [black as u8, white as u8], hands, side: tail.side };
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

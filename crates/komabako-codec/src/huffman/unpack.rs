//! Unpacking: the codes of the board, then the pieces off the board.

use komabako_bits::BitOps;
use komabako_board::{BaseKind, Bitboard, Setup};

use super::board::{self, Board};
use super::codes::{self, CodedBoard, SIDE_BY_SIDE};
use super::{Scheme, stream};
use crate::Word;
use crate::byte_board::{self, ByteBoard, KING, WHITE};
use crate::squares;

/// A type to which a word can be unpacked.
pub trait Unpacked {
    /// Unpacks a good word, from the codes of its board if they have been read; for any other, returns `false` and leaves
    /// `self` unchanged.
    fn unpack<B: BitOps, S: Scheme>(&mut self, ops: B, word: &Word, codes: Option<&CodedBoard>) -> bool;
}

impl Unpacked for Setup {
    #[inline(always)]
    fn unpack<B: BitOps, S: Scheme>(&mut self, ops: B, word: &Word, codes: Option<&CodedBoard>) -> bool {
        // Nine boards of kinds, promoted and White's pieces take 27 instructions to expand. Five boards of the cells' bits take
        // 15, and 40 more to separate the kinds.
        if codes.is_none() && B::GATHERS && !B::EXPANDS_BYTES {
            return by_kinds::<B, S>(ops, word, self);
        }
        let Some(setup) = setup::<B, S>(ops, word, codes) else { return false };
        *self = setup;
        true
    }
}

impl Unpacked for ByteBoard {
    #[inline(always)]
    fn unpack<B: BitOps, S: Scheme>(&mut self, ops: B, word: &Word, codes: Option<&CodedBoard>) -> bool {
        let Some(kings) = kings::<S>(word) else { return false };
        let Some(Board { cells, pieces, tail }) = board::cells::<B, S>(ops, word, codes, kings) else {
            return false;
        };
        let Some(hands) = tail.hands(pieces) else { return false };
        let black = S::SPEC.renumber(kings[0] as usize);
        let white = S::SPEC.renumber(kings[1] as usize);
        *self = ByteBoard {
            cells: S::cells_by_number(&cells),
            kings: [black as u8, white as u8],
            hands,
            side: tail.side,
        };
        self.cells[black] = KING;
        self.cells[white] = KING | WHITE;
        true
    }
}

/// The setup of a good word, `None` for any other; from the codes of its board if they have been read.
#[inline(always)]
pub fn setup<B: BitOps, S: Scheme>(ops: B, word: &Word, codes: Option<&CodedBoard>) -> Option<Setup> {
    let Board { cells: [a, b, c, d, white], pieces, tail } =
        board::planes::<B, S>(ops, word, codes, kings::<S>(word)?)?;
    let hands = tail.hands(pieces)?;
    let from = S::by_square;
    // The masks change no bit. They make LLVM keep both lanes of a board in one vector on `sse41`, which takes 10 % more
    // instructions without them; `soft`, which has scalars, takes 8 % more if all five boards are masked.
    let masked = |lanes| from(Bitboard::from_lanes(lanes).lanes());
    let boards = [masked(a), masked(b), from(c), from(d), from(white)];
    Some(Setup::from_parts_trusted(byte_board::parts_of(boards, hands, tail.side)))
}

/// Unpacks a good word kind by kind. For any other, returns `false` and leaves the setup unchanged.
#[inline(always)]
fn by_kinds<B: BitOps, S: Scheme>(ops: B, word: &Word, setup: &mut Setup) -> bool {
    let Some(kings) = kings::<S>(word) else { return false };
    let Some(dense) = board::dense::<B, S>(ops, word, kings) else { return false };
    let Some(hands) = dense.tail.hands(dense.pieces) else { return false };
    let black = S::by_square(squares::set(kings[0]).lanes());
    let white = S::by_square(squares::set(kings[1]).lanes());
    let mask = ops.board_mask(dense.squares.lanes());
    let among = |dense| S::by_square(mask.expand_u64(dense));
    let parts = setup.parts_mut_trusted();
    let whites = among(dense.whites) | white;
    parts.colors = [(S::by_square(dense.squares.lanes()) | black | white) ^ whites, whites];
    for (kind, &dense) in dense.kinds.iter().enumerate() {
        parts.kinds[kind] = among(dense);
    }
    parts.kinds[BaseKind::King as usize] = black | white;
    parts.promoted = among(dense.promoted);
    parts.hands = hands;
    parts.side = dense.tail.side;
    true
}

/// Unpacks words side by side, up to the first that is not good. Returns its index.
#[inline(always)]
pub fn slice<B: BitOps, S: Scheme, T: Unpacked>(ops: B, words: &[Word], to: &mut [T]) -> Option<usize> {
    let (groups, rest) = words.as_chunks::<SIDE_BY_SIDE>();
    let mut boards = [CodedBoard::EMPTY; SIDE_BY_SIDE];
    for (group, words) in groups.iter().enumerate() {
        codes::read::<S, SIDE_BY_SIDE>(words, &mut boards);
        for (place, word) in words.iter().enumerate() {
            let index = SIDE_BY_SIDE * group + place;
            if !to[index].unpack::<B, S>(ops, word, Some(&boards[place])) {
                return Some(index);
            }
        }
    }
    // Too few to be read side by side.
    for (place, word) in rest.iter().enumerate() {
        let index = SIDE_BY_SIDE * groups.len() + place;
        if !to[index].unpack::<B, S>(ops, word, None) {
            return Some(index);
        }
    }
    None
}

/// The numbers of the kings' squares, if they are two squares.
#[inline(always)]
pub fn kings<S: Scheme>(word: &Word) -> Option<[u64; 2]> {
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

    fn fast_form_accepts_good_words<S: Scheme>() {
        for setup in setups::random(1).take(2_000) {
            if let Ok(word) = reference::pack(&S::SPEC, &setup) {
                assert_eq!(super::setup::<_, S>(Soft, &word, None), Some(setup));
                assert_eq!(super::setup::<_, S>(Reference, &word, None), Some(setup));
                let mut by_kinds = Setup::EMPTY;
                assert!(super::by_kinds::<_, S>(Soft, &word, &mut by_kinds) && by_kinds == setup);
            }
        }
    }

    #[test]
    fn fast_form_accepts_good_words_of_every_format() {
        fast_form_accepts_good_words::<Psv>();
        fast_form_accepts_good_words::<HuffmanCodedPos>();
        fast_form_accepts_good_words::<HuffmanCode>();
    }
}

//! The form with compress and expand (`spec/sspf-family.md` §2.5).

use komabako_bits::BitOps;
use komabako_board::{BaseKind, Bitboard, Hand, Setup};

use super::hands::Packed;
use super::planes::{self, Counts, Planes};
use super::{gather, hands};
use crate::own_board::Codes;
use crate::{ByteBoard, Word, squares};

/// Packs a setup of forty pieces; for any other, returns `false` and writes an arbitrary word.
#[inline(always)]
pub fn pack<B: BitOps>(ops: B, setup: &Setup, word: &mut Word) -> bool {
    if B::GATHERS {
        return gather::pack(ops, setup, word);
    }
    // The dependency chain of the hands starts first; otherwise the word would wait for it.
    let hands = hands::pack(ops, setup.parts().hands);
    join(ops, Planes::of_board(ops, setup), setup.kind(BaseKind::King), &hands, word)
}

/// [`pack`] from a byte board.
#[inline(always)]
pub fn pack_bytes<B: BitOps>(ops: B, board: &ByteBoard, word: &mut Word) -> bool {
    let [black, white] = board.kings;
    let kings = squares::set(u64::from(black)) | squares::set(u64::from(white));
    let planes = Planes::of_bytes(ops, board, kings);
    join(ops, planes, kings, &hands::pack(ops, board.hands), word)
}

/// Packs the codes of a board with a whole set; for any other, returns `false` and writes an arbitrary word.
#[inline(always)]
pub fn pack_codes<B: BitOps>(ops: B, codes: &Codes, word: &mut Word) -> bool {
    let (cells, are_cells) = codes.read(ops);
    let [a, b, c, d, white] = ops.bytes_to_boards(&cells);
    let set = Bitboard::from_lanes;
    let [a, b, c, d, white] = [set(a), set(b), set(c), set(d), set(white)];
    let pieces = a | b | c;
    let king = d.without(pieces);
    // A colour without a piece, or a promoted gold.
    let no_piece = white.without(pieces | d) | (a & c & d).without(b);
    let [black_king, white_king] = [king.without(white), king & white];
    let kings = [black_king.first_index() as u64, white_king.first_index() as u64];
    let are_kings = (black_king.len() == 1) & (white_king.len() == 1);

    let dense = ops.bytes_to_dense(&cells, pieces.lanes());
    let planes = Planes::of_cells(ops, dense, pieces, king, kings, codes.side);
    let hands = hands::pack(ops, codes.hands);
    let is_whole = planes::is_whole(ops, planes.pieces, planes.kind, codes.hands);
    *word = Planes { color: planes.color | hands.colors.wrapping_shl(planes.pieces), ..planes }.join();
    // More than 38 pieces might not fit in a dense number.
    are_cells & no_piece.is_empty() & are_kings & (planes.pieces + hands.len == 38) & is_whole
}

/// Writes the word of a board with hands. Returns whether these are forty pieces: both kings exist, and no piece is removed.
#[inline(always)]
fn join<B: BitOps>(ops: B, board: Planes, kings: Bitboard, hands: &Packed, word: &mut Word) -> bool {
    *word = Planes { color: board.color | hands.colors.wrapping_shl(board.pieces), ..board }.join();
    let [low, high] = kings.lanes();
    board.pieces + hands.len + ops.popcount(low) + ops.popcount(high) == 40
}

/// Unpacks a good word; for any other, returns `false` and leaves the setup unchanged.
#[inline(always)]
pub fn unpack<B: BitOps>(ops: B, word: &Word, setup: &mut Setup) -> bool {
    if B::GATHERS {
        return gather::unpack(ops, word, setup);
    }
    let planes = Planes::split(ops, word);
    let Some(hands) = checked(ops, &planes) else { return false };
    let [black, white] = planes.kings;
    *setup = planes.to_setup(ops, [squares::set(black), squares::set(white)], hands);
    true
}

/// [`unpack`] to a byte board.
#[inline(always)]
pub fn unpack_bytes<B: BitOps>(ops: B, word: &Word, board: &mut ByteBoard) -> bool {
    let planes = Planes::split(ops, word);
    let Some(hands) = checked(ops, &planes) else { return false };
    planes.write_bytes(ops, hands, board);
    true
}

/// The hands of a good word, `None` for any other.
#[inline(always)]
fn checked<B: BitOps>(ops: B, planes: &Planes) -> Option<[Hand; 2]> {
    let counts = Counts::new(ops, planes);
    let hands = hands::unpack(ops, counts.off_board, planes.color.wrapping_shr(planes.pieces));
    let [black, white] = hands.bits;
    // All three are always computed, so that only one branch is needed, which is predicted.
    let is_valid = counts.are_valid & hands.are_ordered & planes.have_kings();
    if is_valid { Some([Hand::from_bits_trusted(black), Hand::from_bits_trusted(white)]) } else { None }
}

#[cfg(test)]
mod tests {
    use komabako_bits::Reference;
    use komabako_testkit::setups;

    use super::*;
    use crate::sspf::reference;

    #[test]
    fn fast_form_accepts_good_words() {
        for setup in setups::random(1).take(2_000) {
            if let Ok(word) = reference::pack(&setup) {
                let mut unpacked = Setup::EMPTY;
                assert!(unpack(Reference, &word, &mut unpacked));
                assert_eq!(unpacked, setup);
            }
        }
    }
}

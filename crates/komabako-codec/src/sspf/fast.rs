//! The form by compress and expand (`spec/sspf-family.md` §2.5).

use komabako_bits::BitOps;
use komabako_board::{BaseKind, Bitboard, Color, Hand, Setup};

use super::hands;
use super::planes::{Counts, Planes};
use crate::word::from_lanes;
use crate::{ByteBoard, Word, gaps, squares};

#[inline(always)]
pub fn pack<B: BitOps>(ops: B, setup: &Setup) -> Option<Word> {
    if B::GATHERS {
        return gather(ops, setup);
    }
    let kings = setup.kind(BaseKind::King);
    with_hands(ops, Planes::of_board(ops, setup), kings, setup.parts().hands)
}

/// What [`with_hands`] makes of [`Planes::of_board`], where bits are gathered by single instructions: each field goes into
/// its lane of the word as soon as it is there, or there would be more numbers than registers.
#[inline(always)]
fn gather<B: BitOps>(ops: B, setup: &Setup) -> Option<Word> {
    let parts = setup.parts();
    let [pawn, _, knight, silver, gold, bishop, rook, king] = parts.kinds;
    let [black, white] = parts.colors;
    let hands = hands::pack(ops, parts.hands);
    let [low, high] = (black | white).lanes();
    if ops.popcount(low) + ops.popcount(high) + hands.len != 40 {
        return None;
    }
    let among = |squares: Bitboard| ops.board_mask(squares.lanes());
    let pieces = (black | white) ^ king;
    let piece = among(pieces);
    // With two kings among the forty there are 38 colour bits.
    let color = piece.compress_u64(white.lanes()) | hands.colors.wrapping_shl(38 - hands.len);
    let nonpawns = pieces ^ pawn;
    let mut third = piece.compress_u64(nonpawns.lanes());
    let bishops_rooks = bishop | rook;
    let mut fourth = color << 26 | among(bishops_rooks).compress_u64(rook.lanes()) << 22;
    let gbr = gold | bishops_rooks;
    fourth |= among(gbr).compress_u64(bishops_rooks.lanes()) << 14;
    let nonpawn = among(nonpawns);
    third |= nonpawn.compress_u64((silver | gbr).lanes()) << 38;
    let bit2 = nonpawn.compress_u64((knight | gbr).lanes());
    third |= bit2 << 58;
    fourth |= bit2 >> 6;
    let mut second = among(pieces ^ gold).compress_u64(parts.promoted.lanes()) << 30;
    let index = |color: Bitboard| (king & color).first_index() as u64;
    second |= index(white) << 23 | index(black) << 16;
    let [low, high] = gaps::close(ops, pieces, king);
    let first = low << 1 | u64::from(matches!(parts.side, Color::White));
    Some(from_lanes([first, second | high, third, fourth]))
}

#[inline(always)]
pub fn pack_bytes<B: BitOps>(ops: B, board: &ByteBoard) -> Option<Word> {
    let [black, white] = board.kings;
    let kings = squares::set(u64::from(black)) | squares::set(u64::from(white));
    with_hands(ops, Planes::of_bytes(ops, board, kings), kings, board.hands)
}

/// The word of a board with hands. `None` unless these are forty pieces: both kings are there, and nothing is removed.
#[inline(always)]
fn with_hands<B: BitOps>(ops: B, board: Planes, kings: Bitboard, hands: [Hand; 2]) -> Option<Word> {
    let hands = hands::pack(ops, hands);
    let word = Planes { color: board.color | hands.colors.wrapping_shl(board.pieces), ..board }.join();
    let [low, high] = kings.lanes();
    let pieces = board.pieces + hands.len + ops.popcount(low) + ops.popcount(high);
    if pieces == 40 { Some(word) } else { None }
}

/// The setup of a good word, `None` for any other.
#[inline(always)]
pub fn unpack<B: BitOps>(ops: B, word: &Word) -> Option<Setup> {
    let planes = Planes::split(ops, word);
    let hands = checked(ops, &planes)?;
    let [black, white] = planes.kings;
    Some(planes.to_setup(ops, [squares::set(black), squares::set(white)], hands))
}

/// Unpacks a good word; for any other, says `false` and leaves the board alone.
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
    let [black_king, white_king] = planes.kings;
    let good = counts.are_good
        & hands.are_ordered
        & (black_king <= 80)
        & (white_king <= 80)
        & (black_king != white_king);
    let [black, white] = hands.bits;
    if good { Some([Hand::from_bits_trusted(black), Hand::from_bits_trusted(white)]) } else { None }
}

#[cfg(test)]
mod tests {
    use komabako_bits::Reference;
    use komabako_testkit::setups;

    use super::*;
    use crate::sspf::reference;

    #[test]
    fn good_words_need_no_reference() {
        for setup in setups::random(1).take(2_000) {
            if let Ok(word) = reference::pack(&setup) {
                assert_eq!(unpack(Reference, &word), Some(setup));
            }
        }
    }
}

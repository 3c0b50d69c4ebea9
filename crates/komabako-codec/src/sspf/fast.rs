//! The form by compress and expand (`spec/sspf-family.md` §2.5): fields are bit planes, compressed by one another.

use komabako_bits::BitOps;
use komabako_board::{Bitboard, Color, Setup, SetupParts, color};

use super::{hands, refusal};
use crate::word::{from_lanes, to_lanes};
use crate::{PackError, Word, lanes};

/// The high bit of each byte lane: it stays set as long as a subtraction from the lane has not gone below zero.
const GUARD: u64 = 0x0080_8080_8080_8080;

/// The fields of a word, each in the low bits of its number.
struct Fields {
    white_to_move: bool,
    occupied: u128,
    kings: [u64; 2],
    promoted: u64,
    /// `pt_bit0` to `pt_bit4`.
    kind: [u64; 5],
    color: u64,
}

impl Fields {
    #[inline(always)]
    fn join(&self) -> Word {
        let occupied = self.occupied << 1;
        let [kind0, kind1, kind2, kind3, kind4] = self.kind;
        from_lanes([
            occupied as u64 | u64::from(self.white_to_move),
            (occupied >> 64) as u64 | self.kings[0] << 16 | self.kings[1] << 23 | self.promoted << 30,
            kind0 | kind1 << 38 | kind2 << 58,
            kind2 >> 6 | kind3 << 14 | kind4 << 22 | self.color << 26,
        ])
    }

    #[inline(always)]
    fn split(word: &Word) -> Self {
        let [a, b, c, d] = to_lanes(word);
        Self {
            white_to_move: a & 1 != 0,
            occupied: (u128::from(a) | u128::from(b & 0xffff) << 64) >> 1,
            kings: [b >> 16 & 0x7f, b >> 23 & 0x7f],
            promoted: b >> 30,
            kind: [
                c & 0x3f_ffff_ffff,
                c >> 38 & 0xf_ffff,
                c >> 58 | (d & 0x3fff) << 6,
                d >> 14 & 0xff,
                d >> 22 & 0xf,
            ],
            color: d >> 26,
        }
    }
}

#[inline(always)]
pub fn pack<B: BitOps>(ops: B, setup: &Setup) -> Result<Word, PackError> {
    let parts = setup.parts();
    let [pawn, _, knight, silver, gold, bishop, rook, king] = parts.kinds;
    let [black, white] = parts.colors;
    let pieces = (black | white).without(king);
    let kings = [(king & black).first_index(), (king & white).first_index()];

    let not_king = ops.board_mask((!king).lanes());
    let piece = ops.board_mask(pieces.lanes());
    let in_hands = parts.hands[0].len() + parts.hands[1].len();
    // 79 squares without a king: both are there.
    if (not_king.len() != 79 || piece.len() + in_hands != 38)
        && let Some(error) = refusal(setup)
    {
        return Err(error);
    }

    let nonpawns = pieces ^ pawn;
    let bishops_rooks = bishop | rook;
    let gbr = gold | bishops_rooks;
    let nonpawn = ops.board_mask(nonpawns.lanes());
    let hand_colors = hands::colors(lanes::of_hand(parts.hands[0]), lanes::of_hand(parts.hands[1]));
    let fields = Fields {
        white_to_move: matches!(parts.side, Color::White),
        occupied: not_king.compress(pieces.lanes()),
        kings: kings.map(|king| king as u64),
        promoted: ops.board_mask((pieces ^ gold).lanes()).compress_u64(parts.promoted.lanes()),
        kind: [
            piece.compress_u64(nonpawns.lanes()),
            nonpawn.compress_u64((silver | gbr).lanes()),
            nonpawn.compress_u64((knight | gbr).lanes()),
            ops.board_mask(gbr.lanes()).compress_u64(bishops_rooks.lanes()),
            ops.board_mask(bishops_rooks.lanes()).compress_u64(rook.lanes()),
        ],
        color: piece.compress_u64(white.lanes()) | hand_colors.wrapping_shl(piece.len()),
    };
    Ok(fields.join())
}

/// The setup of a good word, `None` for any other.
#[inline(always)]
pub fn unpack<B: BitOps>(ops: B, word: &Word) -> Option<Setup> {
    let fields = Fields::split(word);
    let [kind0, kind1, kind2, kind3, kind4] = fields.kind;
    let [black_king, white_king] = fields.kings;
    let count = |bits: u64| u64::from(ops.popcount(bits));

    // Pieces, then those whose code goes on past pt_bit0, pt_bit2 and pt_bit3; rooks.
    let n = count(fields.occupied as u64) + count((fields.occupied >> 64) as u64);
    let (q, x, y, r) = (count(kind0), count(kind1 & kind2), count(kind3), count(kind4));
    let (silvers, knights) = (count(kind1) - x, count(kind2) - x);
    let (golds, bishops) = (x.wrapping_sub(y), y.wrapping_sub(r));
    let lances = q.wrapping_sub(x + silvers + knights);
    let pawns = n.wrapping_sub(q);
    let on_board =
        [pawns, lances, knights, silvers, golds, bishops, r].iter().rev().fold(0, |lanes, n| lanes << 8 | n);
    // No lane borrows from the next: unless a tail below is dirty, a count is less than 128.
    let in_hands = (lanes::INVENTORY | GUARD).wrapping_sub(on_board);
    let both = in_hands & !GUARD;
    let hand_colors = fields.color.wrapping_shr(n as u32);
    let white_hand = hands::white(ops, both, hand_colors);
    let black_hand = both.wrapping_sub(white_hand);

    let dirty_tails = kind0.wrapping_shr(n as u32)
        | (kind1 | kind2).wrapping_shr(q as u32)
        | kind3.wrapping_shr(x as u32)
        | kind4.wrapping_shr(y as u32)
        | fields.promoted.wrapping_shr(n.wrapping_sub(golds) as u32)
        | hands::colors(black_hand, white_hand) ^ hand_colors;
    let bad = black_king > 80
        || white_king > 80
        || black_king == white_king
        || n > 38
        || dirty_tails != 0
        || in_hands & GUARD != GUARD;
    if bad {
        return None;
    }

    let black_king = Bitboard::of_index(black_king as usize);
    let white_king = Bitboard::of_index(white_king as usize);
    let king = black_king | white_king;
    let pieces = Bitboard::from_lanes(ops.board_mask((!king).lanes()).expand(fields.occupied));
    let expand = |squares: Bitboard, plane: u64| {
        Bitboard::from_lanes(ops.board_mask(squares.lanes()).expand_u64(plane))
    };
    let piece = ops.board_mask(pieces.lanes());
    let nonpawns = Bitboard::from_lanes(piece.expand_u64(kind0));
    let white = Bitboard::from_lanes(piece.expand_u64(fields.color)) | white_king;
    let nonpawn = ops.board_mask(nonpawns.lanes());
    let bit1 = Bitboard::from_lanes(nonpawn.expand_u64(kind1));
    let bit2 = Bitboard::from_lanes(nonpawn.expand_u64(kind2));
    let gbr = bit1 & bit2;
    let bishops_rooks = expand(gbr, kind3);
    let rook = expand(bishops_rooks, kind4);
    let gold = gbr ^ bishops_rooks;
    Some(Setup::from_parts_trusted(SetupParts {
        colors: [(pieces | king).without(white), white],
        kinds: [
            pieces ^ nonpawns,
            nonpawns.without(bit1 | bit2),
            bit2 ^ gbr,
            bit1 ^ gbr,
            gold,
            bishops_rooks ^ rook,
            rook,
            king,
        ],
        promoted: expand(pieces ^ gold, fields.promoted),
        hands: [lanes::to_hand(black_hand), lanes::to_hand(white_hand)],
        side: color::from_bit(fields.white_to_move),
    }))
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

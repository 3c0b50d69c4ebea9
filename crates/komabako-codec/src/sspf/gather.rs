//! The form for backends that gather and scatter bits with single instructions (`PEXT`, `PDEP`), in place.
//!
//! The order of the lines is the order of the instructions. Fields are stored in the word, and boards in the setup, as soon as
//! they are computed, since they would not all fit in registers; long computations start before work that does not need them.

use komabako_bits::BitOps;
use komabako_board::{BaseKind, Bitboard, Hand, Setup, SetupParts, color};

use super::hands::{self, Spread};
use super::planes::{Counts, Planes};
use crate::word::to_lanes;
use crate::{Word, gaps, squares};

/// Packs a setup of forty pieces; for any other, returns `false` and writes an arbitrary word.
#[inline(always)]
pub fn pack<B: BitOps>(ops: B, setup: &Setup, word: &mut Word) -> bool {
    let parts = setup.parts();
    let kind = |kind| setup.kind(kind);
    let among = |squares: Bitboard| ops.board_mask(squares.lanes());
    let lanes = word.as_chunks_mut().0;
    let hands = hands::pack(ops, parts.hands);
    let [black, white] = parts.colors;
    let king = kind(BaseKind::King);
    let pieces = (black | white) ^ king;

    let index = |color: Bitboard| (king & color).first_index() as u64;
    let kings = index(white) << 23 | index(black) << 16;
    let [low, high] = gaps::close(ops, pieces, king);
    lanes[0] = (low << 1 | parts.side.array_index() as u64).to_le_bytes();
    let promoted = among(pieces ^ kind(BaseKind::Gold)).compress_u64(parts.promoted.lanes());
    lanes[1] = (high | kings | promoted << 30).to_le_bytes();

    let piece = among(pieces);
    let nonpawns = pieces ^ kind(BaseKind::Pawn);
    let bit0 = piece.compress_u64(nonpawns.lanes());
    let bishops_rooks = kind(BaseKind::Bishop) | kind(BaseKind::Rook);
    let gbr = kind(BaseKind::Gold) | bishops_rooks;
    let nonpawn = among(nonpawns);
    let bit1 = nonpawn.compress_u64((kind(BaseKind::Silver) | gbr).lanes());
    let bit2 = nonpawn.compress_u64((kind(BaseKind::Knight) | gbr).lanes());
    // The third bit plane crosses two lanes: six bits here, fourteen in the next.
    lanes[2] = (bit0 | bit1 << 38 | bit2 << 58).to_le_bytes();

    let bit3 = among(gbr).compress_u64(bishops_rooks.lanes());
    let bit4 = among(bishops_rooks).compress_u64(kind(BaseKind::Rook).lanes());
    let color = piece.compress_u64(white.lanes()) | hands.colors.wrapping_shl(piece.len());
    lanes[3] = (bit2 >> 6 | bit3 << 14 | bit4 << 22 | color << 26).to_le_bytes();
    piece.len() + hands.len + king.len() == 40
}

/// Unpacks a good word; for any other, returns `false` and leaves the setup unchanged.
#[inline(always)]
pub fn unpack<B: BitOps>(ops: B, word: &Word, setup: &mut Setup) -> bool {
    let planes = Planes::split(ops, word);
    let counts = Counts::new(ops, &planes);
    let hands = Spread::new(ops, counts.off_board, planes.color.wrapping_shr(planes.pieces));
    let is_valid = counts.are_valid && hands.are_ordered && planes.have_kings();
    if is_valid {
        scatter(ops, word, &planes, &hands, setup.parts_mut_trusted());
        debug_assert_eq!(Setup::from_parts(*setup.parts()), Ok(*setup));
    }
    is_valid
}

/// Writes the parts of a good word.
#[inline(always)]
fn scatter<B: BitOps>(ops: B, word: &Word, planes: &Planes, hands: &Spread, parts: &mut SetupParts) {
    let [black_king, white_king] = planes.kings;
    let king = squares::set(black_king) | squares::set(white_king);
    let free = squares::others(black_king) & squares::others(white_king);
    // Of the 79 squares, which start at bit 1 of the word, lane 0 has its number of free squares, 61 to 63; the others end in
    // byte 9.
    let [low, high] = free.lanes();
    let rest = u64::from_le_bytes(*word[7..].first_chunk().expect("25 bytes are more than eight"));
    let rest = rest.wrapping_shr(ops.popcount(low) + 9);
    let pieces = Bitboard::from_lanes_trusted([ops.pdep(planes.occupied[0], low), ops.pdep(rest, high)]);

    // Numbers with a bit per piece, possibly with bits past the last piece, are expanded to the board directly.
    let board = ops.board_mask(pieces.lanes());
    let among = |pieces: u64| Bitboard::from_lanes_trusted(board.expand_u64(pieces));
    parts.side = color::from_bit(planes.white_to_move);
    parts.kinds[BaseKind::King as usize] = king;
    let white = among(planes.color) | squares::set(white_king);
    parts.colors = [(pieces | king) ^ white, white];

    // The lane from pt_bit0 on. Cutting it off after 38 bits would cost more than two instructions: `BZHI` has its count in a
    // byte of a register, and depends on the register's old value.
    let nonpawns = to_lanes(word)[2];
    let [_, kind1, kind2, kind3, kind4] = planes.kind;
    parts.kinds[BaseKind::Pawn as usize] = among(!nonpawns);
    let bit1 = ops.pdep(kind1, nonpawns);
    let bit2 = ops.pdep(kind2, nonpawns);
    parts.kinds[BaseKind::Lance as usize] = among(nonpawns & !(bit1 | bit2));
    parts.kinds[BaseKind::Knight as usize] = among(bit2 & !bit1);
    parts.kinds[BaseKind::Silver as usize] = among(bit1 & !bit2);
    let gbr = bit1 & bit2;
    let bishops_rooks = ops.pdep(kind3, gbr);
    let golds = gbr & !bishops_rooks;
    parts.kinds[BaseKind::Gold as usize] = among(golds);
    parts.promoted = among(ops.pdep(planes.promoted, !golds));
    let rooks = ops.pdep(kind4, bishops_rooks);
    parts.kinds[BaseKind::Bishop as usize] = among(bishops_rooks & !rooks);
    parts.kinds[BaseKind::Rook as usize] = among(rooks);
    parts.hands = hands.bits(ops).map(Hand::from_bits_trusted);
}

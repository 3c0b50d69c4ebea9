//! Words to setups.

use komabako_bits::{BitOps, prefetch_ahead_for_write};
use komabako_board::{BaseKind, Bitboard, Hand, Setup, color};

use super::{BLOCK, Column, ZEROS, hands};
use crate::Word;
use crate::sspf::planes::{Counts, Planes};
use crate::word::to_lanes;

/// Unpacks words up to the first block with a word that is not good, whose setups it leaves unchanged, or up to the last
/// whole block. Returns the number of unpacked words.
#[inline(always)]
pub fn unpack<B: BitOps>(ops: B, words: &[Word], setups: &mut [Setup]) -> usize {
    let mut blocks = setups.as_chunks_mut::<BLOCK>().0;
    let mut pieces = Pieces::ZEROS;
    let mut unpacked = 0;
    for words in words.as_chunks::<BLOCK>().0 {
        let are_valid = pieces.split(ops, words);
        // Words that are not good are expanded too, as numbers without a meaning: they are rare, and the caller finds
        // the fault by unpacking the block word by word.
        for at in 0..BLOCK {
            pieces.expand(ops, at);
        }
        if !(pieces.finish() && are_valid) {
            break;
        }
        let [setups, next @ ..] = blocks else { break };
        for (at, setup) in setups.iter_mut().enumerate() {
            pieces.scatter(ops, at, setup);
            prefetch_ahead_for_write(setup, BLOCK);
        }
        blocks = next;
        unpacked += BLOCK;
    }
    unpacked
}

/// The intermediate state of positions between words and setups. Aligned, so that no vector crosses a cache line.
#[repr(align(64))]
struct Pieces {
    side: Column,
    /// Both kings.
    king: [Column; 2],
    white_king: [Column; 2],
    /// The squares without a king.
    free: [Column; 2],
    /// The other pieces: a bit for each free square, then boards.
    occupied: [Column; 2],
    /// Fields, then dense numbers.
    promoted: Column,
    kind: [Column; 5],
    color: Column,
    /// Dense numbers of the kinds P L N S G B.
    dense: [Column; 6],
    /// The pieces off the board, in [lanes](crate::lanes).
    off_board: Column,
    /// Their colour bits.
    tail: Column,
    /// [`hands::places`].
    places: Column,
    /// The colour bits, without the pawns', in these places.
    whites: Column,
    /// Black's hand in the low half, White's in the high one.
    hands: Column,
}

impl Pieces {
    const ZEROS: Self = Self {
        side: ZEROS,
        king: [ZEROS; 2],
        white_king: [ZEROS; 2],
        free: [ZEROS; 2],
        occupied: [ZEROS; 2],
        promoted: ZEROS,
        kind: [ZEROS; 5],
        color: ZEROS,
        dense: [ZEROS; 6],
        off_board: ZEROS,
        tail: ZEROS,
        places: ZEROS,
        whites: ZEROS,
        hands: ZEROS,
    };

    /// Splits words into fields and counts them. Returns whether all are good, apart from the order of the hands' colours.
    #[inline(always)]
    fn split<B: BitOps>(&mut self, ops: B, words: &[Word; BLOCK]) -> bool {
        let mut are_valid = true;
        for (at, word) in words.iter().enumerate() {
            let planes = Planes::of_lanes(ops, to_lanes(word));
            let counts = Counts::new(ops, &planes);
            are_valid &= counts.are_valid & planes.have_kings();

            let [black, white] = planes.kings;
            let white_king = [bit(white) & LOW, bit(white.wrapping_sub(63))];
            let king = [bit(black) & LOW | white_king[0], bit(black.wrapping_sub(63)) | white_king[1]];
            let gaps = u64::from(black < 63) + u64::from(white < 63);
            let [low, high] = planes.occupied;
            // Bits that find no free square in lane 0 come first in lane 1.
            let high = low >> (63 - gaps) | high << gaps;
            (self.king[0][at], self.king[1][at]) = (king[0], king[1]);
            (self.white_king[0][at], self.white_king[1][at]) = (white_king[0], white_king[1]);
            (self.free[0][at], self.free[1][at]) = (!king[0] & LOW, !king[1] & HIGH);
            (self.occupied[0][at], self.occupied[1][at]) = (low, high);

            self.side[at] = u64::from(planes.white_to_move);
            self.promoted[at] = planes.promoted;
            for (index, column) in self.kind.iter_mut().enumerate() {
                column[at] = planes.kind[index];
            }
            self.color[at] = planes.color;
            self.off_board[at] = counts.off_board;
            self.tail[at] = planes.color.wrapping_shr(planes.pieces);
            self.places[at] = hands::places(counts.off_board);
        }
        are_valid
    }

    /// Expands the fields of a word.
    #[inline(always)]
    fn expand<B: BitOps>(&mut self, ops: B, at: usize) {
        for (lane, occupied) in self.occupied.iter_mut().enumerate() {
            occupied[at] = ops.pdep(occupied[at], self.free[lane][at]);
        }
        // A field has bits only for the pieces selected by an earlier field, so that each of these depends on the one before.
        let [nonpawns, bit1, bit2, bishops_rooks, rooks] = &mut self.kind;
        bit1[at] = ops.pdep(bit1[at], nonpawns[at]);
        bit2[at] = ops.pdep(bit2[at], nonpawns[at]);
        let gbr = bit1[at] & bit2[at];
        bishops_rooks[at] = ops.pdep(bishops_rooks[at], gbr);
        rooks[at] = ops.pdep(rooks[at], bishops_rooks[at]);
        self.promoted[at] = ops.pdep(self.promoted[at], !(gbr ^ bishops_rooks[at]));
        // The pawns of the hands need no places: they are together.
        let others = self.tail[at].wrapping_shr(self.off_board[at] as u32 & 31);
        self.whites[at] = ops.pdep(others, self.places[at]);
    }

    /// Separates the kinds and the hands. Returns whether the hands' colours are in order.
    #[inline(always)]
    fn finish(&mut self) -> bool {
        let mut faults = 0;
        for at in 0..BLOCK {
            let (hands, out_of_order) =
                hands::unpack(self.off_board[at], self.places[at], self.whites[at], self.tail[at]);
            self.hands[at] = hands;
            faults |= out_of_order;

            let nonpawns = self.kind[0][at];
            let bit1 = self.kind[1][at];
            let bit2 = self.kind[2][at];
            let bishops_rooks = self.kind[3][at];
            let rooks = self.kind[4][at];
            let [pawns, lances, knights, silvers, golds, bishops] = &mut self.dense;
            pawns[at] = !nonpawns;
            lances[at] = nonpawns & !(bit1 | bit2);
            knights[at] = bit2 & !bit1;
            silvers[at] = bit1 & !bit2;
            golds[at] = bit1 & bit2 & !bishops_rooks;
            bishops[at] = bishops_rooks & !rooks;
        }
        faults == 0
    }

    /// Writes a setup.
    #[inline(always)]
    fn scatter<B: BitOps>(&self, ops: B, at: usize, setup: &mut Setup) {
        let parts = setup.parts_mut_trusted();
        let board = |lanes: &[Column; 2]| Bitboard::from_lanes_trusted([lanes[0][at], lanes[1][at]]);
        let pieces = board(&self.occupied);
        let mask = ops.board_mask(pieces.lanes());
        // Ones past the last piece are not put on the board.
        let among = |column: &Column| Bitboard::from_lanes_trusted(mask.expand_u64(column[at]));
        let king = board(&self.king);
        let white = among(&self.color) | board(&self.white_king);
        parts.colors = [(pieces | king) ^ white, white];
        for (kind, dense) in self.dense.iter().enumerate() {
            parts.kinds[kind] = among(dense);
        }
        parts.kinds[BaseKind::Rook as usize] = among(&self.kind[4]);
        parts.kinds[BaseKind::King as usize] = king;
        parts.promoted = among(&self.promoted);
        let hands = self.hands[at];
        parts.hands = [Hand::from_bits_trusted(hands as u32), Hand::from_bits_trusted((hands >> 32) as u32)];
        parts.side = color::from_bit(self.side[at] != 0);
        debug_assert_eq!(Setup::from_parts(*setup.parts()), Ok(*setup));
    }
}

/// The squares of the lanes.
const LOW: u64 = (1 << 63) - 1;
const HIGH: u64 = (1 << 18) - 1;

/// The bit in this place, none from 64 up.
#[inline(always)]
const fn bit(place: u64) -> u64 {
    if place < 64 { 1 << place } else { 0 }
}

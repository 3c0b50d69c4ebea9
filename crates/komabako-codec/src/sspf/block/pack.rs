//! Setups to words.

use komabako_bits::BitOps;
use komabako_board::{BaseKind, Bitboard, Setup};

use super::{BLOCK, Column, ZEROS, hands};
use crate::Word;
use crate::word::from_lanes;

/// Packs setups up to the first block with an incomplete setup, for which it writes arbitrary words, or up to the last whole
/// block. Returns the number of packed setups.
#[inline(always)]
pub fn pack<B: BitOps>(ops: B, setups: &[Setup], words: &mut [Word]) -> usize {
    let setups = setups.as_chunks::<BLOCK>().0;
    let words = words.as_chunks_mut::<BLOCK>().0;
    let mut fields = Fields::ZEROS;
    let mut packed = 0;
    for (block, words) in words.iter_mut().enumerate() {
        let setups = &setups[block];
        for (at, setup) in setups.iter().enumerate() {
            fields.gather(ops, at, setup);
        }
        if !fields.join(words) {
            break;
        }
        packed += BLOCK;
    }
    packed
}

/// The fields gathered from setups. Aligned, so that no vector crosses a cache line.
#[repr(align(64))]
struct Fields {
    side: Column,
    /// The occupied squares, without the kings', of each lane.
    occupied: [Column; 2],
    /// For Black's and for White's king, the place of the lowest bit of each lane; 64 if the lane is empty.
    kings: [[Column; 2]; 2],
    promoted: Column,
    kind: [Column; 5],
    color: Column,
    /// The number of pieces on the board, kings aside.
    pieces: Column,
    /// Black's hand in the low half, White's in the high one.
    hands: Column,
}

impl Fields {
    const ZEROS: Self = Self {
        side: ZEROS,
        occupied: [ZEROS; 2],
        kings: [[ZEROS; 2]; 2],
        promoted: ZEROS,
        kind: [ZEROS; 5],
        color: ZEROS,
        pieces: ZEROS,
        hands: ZEROS,
    };

    /// Gathers the fields of a setup.
    #[inline(always)]
    fn gather<B: BitOps>(&mut self, ops: B, at: usize, setup: &Setup) {
        let parts = setup.parts();
        let kind = |kind| setup.kind(kind);
        let among = |squares: Bitboard| ops.board_mask(squares.lanes());
        let [black, white] = parts.colors;
        let king = kind(BaseKind::King);
        let pieces = (black | white) ^ king;

        let [low, high] = king.lanes();
        // Each lane loses its kings' squares here; the gap between the lanes is closed by `join`.
        self.occupied[0][at] = ops.pext(pieces.lanes()[0], !low);
        self.occupied[1][at] = ops.pext(pieces.lanes()[1], !high);
        for (index, places) in self.kings.iter_mut().enumerate() {
            // Places in lanes instead of indices: a loop over columns can choose the lane without a branch.
            let [low, high] = (king & parts.colors[index]).lanes();
            places[0][at] = u64::from(low.trailing_zeros());
            places[1][at] = u64::from(high.trailing_zeros());
        }
        // A gold has no bit in this field.
        let promoted = among(pieces ^ kind(BaseKind::Gold)).compress_u64(parts.promoted.lanes());
        self.promoted[at] = promoted;

        let piece = among(pieces);
        self.pieces[at] = u64::from(piece.len());
        self.color[at] = piece.compress_u64(white.lanes());
        let nonpawns = pieces ^ kind(BaseKind::Pawn);
        self.kind[0][at] = piece.compress_u64(nonpawns.lanes());
        let bishops_rooks = kind(BaseKind::Bishop) | kind(BaseKind::Rook);
        let gbr = kind(BaseKind::Gold) | bishops_rooks;
        let nonpawn = among(nonpawns);
        self.kind[1][at] = nonpawn.compress_u64((kind(BaseKind::Silver) | gbr).lanes());
        self.kind[2][at] = nonpawn.compress_u64((kind(BaseKind::Knight) | gbr).lanes());
        self.kind[3][at] = among(gbr).compress_u64(bishops_rooks.lanes());
        self.kind[4][at] = among(bishops_rooks).compress_u64(kind(BaseKind::Rook).lanes());

        let [black, white] = parts.hands;
        self.hands[at] = u64::from(black.bits()) | u64::from(white.bits()) << 32;
        self.side[at] = parts.side.array_index() as u64;
    }

    /// Joins the fields to words. Returns whether all setups have forty pieces.
    #[inline(always)]
    fn join(&self, words: &mut [Word; BLOCK]) -> bool {
        // Faults are collected up to the end: a loop that may stop early is not vectorised.
        let mut faults = 0;
        for (at, word) in words.iter_mut().enumerate() {
            // A king that is missing has the index 127.
            let [black, white] = [
                index(self.kings[0][0][at], self.kings[0][1][at]),
                index(self.kings[1][0][at], self.kings[1][1][at]),
            ];
            faults |= (black + 1) >> 7 | (white + 1) >> 7;
            // Lane 0 has one square less for each king in it; squares of lane 1 fill these gaps.
            let gaps = u64::from(black < 63) + u64::from(white < 63);
            let low = self.occupied[0][at];
            let high = self.occupied[1][at];
            let low = low | high << (63 - gaps);
            let high = high >> gaps;

            let kind =
                [self.kind[0][at], self.kind[1][at], self.kind[2][at], self.kind[3][at], self.kind[4][at]];
            // The hands' bits end with a one, which is beyond the field if nothing is missing.
            let color = self.color[at] | hands::pack(self.hands[at]) << (self.pieces[at] & 63);
            faults |= color >> 38 ^ 1;
            *word = from_lanes([
                low << 1 | self.side[at],
                high | black << 16 | white << 23 | self.promoted[at] << 30,
                kind[0] | kind[1] << 38 | kind[2] << 58,
                kind[2] >> 6 | kind[3] << 14 | kind[4] << 22 | color << 26,
            ]);
        }
        faults == 0
    }
}

/// The index of the square whose bit is in this place of a lane; place 64 means none.
#[inline(always)]
const fn index(low: u64, high: u64) -> u64 {
    if low < 64 { low } else { high + 63 }
}

//! The destinations of generated moves: a list, or only a count.

use komabako_board::{BaseKind, Bitboard};

use crate::army::indices;
use crate::attacks::SquareIndex;
use crate::list::Writer;
use crate::move16::{DROP, PROMOTE};

/// Takes the moves that the generator finds, in sets.
pub(crate) trait Sink {
    /// A pawn moves to each of these squares from the one behind it.
    fn pawns<const WHITE: bool>(&mut self, to: Bitboard, promotes: bool);
    /// A piece moves from a square to each of these neighbouring squares.
    fn steps(&mut self, from: SquareIndex, to: Bitboard, promotes: bool);
    /// A piece moves from a square to each of these squares.
    fn slides(&mut self, from: SquareIndex, to: Bitboard, promotes: bool);
    /// A pawn is dropped on each of these squares.
    fn pawn_drops(&mut self, to: Bitboard);
    /// Each of these kinds (one bit each in the order P L N S G B R, pawns excluded) is dropped on each of these squares.
    fn drops(&mut self, kinds: usize, to: Bitboard);

    /// Whether no more moves are wanted.
    #[inline(always)]
    fn is_full(&self) -> bool {
        false
    }
}

/// Counts moves.
pub(crate) struct Count {
    moves: u32,
    /// The number of moves wanted.
    most: u32,
}

impl Count {
    #[inline(always)]
    pub const fn all() -> Self {
        Self::up_to(u32::MAX)
    }

    #[inline(always)]
    pub const fn up_to(most: u32) -> Self {
        Self { moves: 0, most }
    }

    /// The number of moves counted, at most the number wanted.
    #[inline(always)]
    pub fn moves(&self) -> u32 {
        self.moves.min(self.most)
    }
}

impl Sink for Count {
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.moves >= self.most
    }
    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, to: Bitboard, _: bool) {
        self.moves += to.len();
    }
    #[inline(always)]
    fn steps(&mut self, _: SquareIndex, to: Bitboard, _: bool) {
        self.moves += to.len();
    }
    #[inline(always)]
    fn slides(&mut self, _: SquareIndex, to: Bitboard, _: bool) {
        self.moves += to.len();
    }
    #[inline(always)]
    fn pawn_drops(&mut self, to: Bitboard) {
        self.moves += to.len();
    }
    #[inline(always)]
    fn drops(&mut self, kinds: usize, to: Bitboard) {
        self.moves += kinds.count_ones() * to.len();
    }
}

/// The eight steps from a square as differences of indices; each row starts with the steps of its subset.
///
/// A row's index has a bit for each square of the 3 × 3 block around the square, in the order of their indices.
static STEPS: [[u16; 8]; 512] = {
    let mut table = [[0; 8]; 512];
    let mut subset = 0;
    while subset < 512 {
        let mut count = 0;
        let mut cell = 0;
        while cell < 9 {
            if cell != 4 && subset >> cell & 1 == 1 {
                table[subset][count] = ((cell as i16 / 3 - 1) * 9 + cell as i16 % 3 - 1) as u16;
                count += 1;
            }
            cell += 1;
        }
        subset += 1;
    }
    table
};

/// The drops on square 0 for each set of kinds (bits in the order P L N S G B R, pawns ignored); knight last and lance before
/// it, so that the drops allowed on the last ranks come first.
static DROPS: [[u16; 8]; 128] = {
    use BaseKind::{Bishop, Gold, Knight, Lance, Rook, Silver};
    const ORDER: [BaseKind; 6] = [Silver, Gold, Bishop, Rook, Lance, Knight];
    let mut table = [[0; 8]; 128];
    let mut kinds = 0;
    while kinds < 128 {
        let mut count = 0;
        let mut index = 0;
        while index < 6 {
            if kinds >> ORDER[index] as usize & 1 == 1 {
                table[kinds][count] = DROP | (ORDER[index].yaneuraou_number() as u16) << 7;
                count += 1;
            }
            index += 1;
        }
        kinds += 1;
    }
    table
};

#[inline(always)]
const fn flag(promotes: bool) -> u16 {
    if promotes { PROMOTE } else { 0 }
}

impl Sink for Writer<'_> {
    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, to: Bitboard, promotes: bool) {
        // The square behind is one index up (Black) or down.
        let base = flag(promotes).wrapping_add(if WHITE { 1u16.wrapping_neg() << 7 } else { 1 << 7 });
        for to in indices(to) {
            // The factor 129 puts the square into both fields of the move, and the base shifts the origin.
            self.push((to as u16 * 129).wrapping_add(base));
        }
    }

    #[inline(always)]
    fn steps(&mut self, from: SquareIndex, to: Bitboard, promotes: bool) {
        // The 3 × 3 block starts ten squares before its centre. Shifted so that this is bit 0, its files are nine bits
        // apart and are compressed into nine bits. Squares that wrapped around an edge are never in `to`.
        let window = (to.to_u128() << 10 >> (from & 127)) as usize;
        let subset = window & 7 | window >> 6 & 0o70 | window >> 12 & 0o700;
        let base = (from as u16 * 129) | flag(promotes);
        self.push_chunk(STEPS[subset].map(|step| base.wrapping_add(step)), subset.count_ones());
    }

    #[inline(always)]
    fn slides(&mut self, from: SquareIndex, to: Bitboard, promotes: bool) {
        let base = (from as u16) << 7 | flag(promotes);
        for to in indices(to) {
            self.push(base | to as u16);
        }
    }

    #[inline(always)]
    fn pawn_drops(&mut self, to: Bitboard) {
        for to in indices(to) {
            self.push(DROP | 1 << 7 | to as u16);
        }
    }

    #[inline(always)]
    fn drops(&mut self, kinds: usize, to: Bitboard) {
        let drops = DROPS[kinds % 128];
        let count = kinds.count_ones();
        for to in indices(to) {
            self.push_chunk(drops.map(|drop| drop | to as u16), count);
        }
    }
}

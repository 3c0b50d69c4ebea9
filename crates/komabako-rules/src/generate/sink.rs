//! The destinations of generated moves: a list, or only a count.

use komabako_bits::BitOps;
use komabako_board::{BaseKind, Bitboard};

use crate::army::indices;
use crate::attacks::{self, Places, SquareIndex};
use crate::list::Writer;
use crate::move16::{DROP, PROMOTE};
use crate::ranks::{last, last_two};

/// Bits of a set of kinds in hand.
pub(crate) const PAWN: usize = 1 << BaseKind::Pawn as usize;
pub(crate) const LANCE: usize = 1 << BaseKind::Lance as usize;
pub(crate) const KNIGHT: usize = 1 << BaseKind::Knight as usize;

/// Takes the moves that the generator finds, in sets.
pub(crate) trait Sink {
    /// A pawn moves to each of these squares from the one behind it.
    fn pawns<const WHITE: bool>(&mut self, to: Bitboard, promotes: bool);
    /// A piece moves from a square to each of these neighbouring squares.
    fn steps(&mut self, from: SquareIndex, to: Bitboard, promotes: bool);
    /// A piece moves from a square to each of these squares.
    fn slides(&mut self, from: SquareIndex, to: Bitboard, promotes: bool);
    /// A lance moves from a square to each of these squares of its file.
    #[inline(always)]
    fn lance(&mut self, from: SquareIndex, to: Bitboard, promotes: bool) {
        self.slides(from, to, promotes);
    }
    /// A bishop moves from a square to each of these squares.
    #[inline(always)]
    fn bishop(&mut self, from: SquareIndex, to: Bitboard, promotes: bool) {
        self.slides(from, to, promotes);
    }
    /// A rook moves from a square to each of these squares.
    #[inline(always)]
    fn rook(&mut self, from: SquareIndex, to: Bitboard, promotes: bool) {
        self.slides(from, to, promotes);
    }
    /// A promoted bishop moves from a square to each of these squares.
    #[inline(always)]
    fn horse(&mut self, from: SquareIndex, to: Bitboard) {
        self.slides(from, to, false);
    }
    /// A promoted rook moves from a square to each of these squares.
    #[inline(always)]
    fn dragon(&mut self, from: SquareIndex, to: Bitboard) {
        self.slides(from, to, false);
    }
    /// A pawn is dropped on each of these squares.
    fn pawn_drops(&mut self, to: Bitboard);
    /// Each of these kinds (one bit each in the order P L N S G B R, pawns excluded) is dropped on each of these squares, on which it
    /// has a move.
    fn drops(&mut self, kinds: usize, to: Bitboard);
    /// Each of these kinds is dropped on each of these squares on which it has a move.
    #[inline(always)]
    fn drops_with_moves<const US: bool>(&mut self, kinds: usize, to: Bitboard) {
        // Three bands of ranks.
        let last = last::<US>();
        let last_two = last_two::<US>();
        self.drops(kinds, to.without(last_two));
        self.drops(kinds & !KNIGHT, to & last_two.without(last));
        self.drops(kinds & !KNIGHT & !LANCE, to & last);
    }

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

/// The places of the first eight ones of nine bits.
static PLACES: [[u16; 8]; 512] = {
    let mut table = [[0; 8]; 512];
    let mut bits = 0;
    while bits < 512 {
        let mut count = 0;
        let mut place = 0;
        while place < 9 && count < 8 {
            if bits >> place & 1 == 1 {
                table[bits][count] = place;
                count += 1;
            }
            place += 1;
        }
        bits += 1;
    }
    table
};

/// `factor * number + base` for each number.
#[inline(always)]
fn scaled(mut numbers: [u16; 8], factor: u16, base: u16) -> [u16; 8] {
    let mut index = 0;
    while index < 8 {
        numbers[index] = numbers[index].wrapping_mul(factor).wrapping_add(base);
        index += 1;
    }
    numbers
}

impl<B: BitOps> Sink for Writer<'_, B> {
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
        // The 3 × 3 block starts ten squares before its centre. Rotated so that this is bit 0, its files are nine bits apart and are
        // compressed into nine bits. Each lane is rotated by itself: all squares of `to` are neighbours, so that no other bit gets into
        // the block.
        let [low, high] = to.lanes();
        let window = low.rotate_right(from as u32 + 54) | high.rotate_right(from as u32 + 55);
        let subset = window & 7 | window >> 6 & 0o70 | window >> 12 & 0o700;
        let base = (from as u16 * 129) | flag(promotes);
        let count = self.ops.popcount(subset);
        self.push_chunk(scaled(STEPS[subset as usize % 512], 1, base), count);
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
            self.push_chunk(scaled(drops, 1, to as u16), count);
        }
    }
}

/// Writes the moves along a line, and drops on many squares, several at a time and without a loop whose end must be predicted.
///
/// Mate searches use [`Writer`] alone: their order of moves is tuned, and this one's is different.
pub(crate) struct Bulk<'a, B>(pub Writer<'a, B>);

/// The most squares for which loops are faster.
const FEW: u32 = 8;

impl<B: BitOps> Bulk<'_, B> {
    /// A move `base + square` for each of these squares of a line.
    #[inline(always)]
    fn along(&mut self, squares: Places, base: u16) {
        let bits = squares.bits % 512;
        let count = self.0.ops.popcount(bits as u64);
        self.0.push_chunk(scaled(PLACES[bits], squares.step, base.wrapping_add(squares.first)), count);
    }

    /// A move `base + square` for each square of a set, eight squares at a time.
    #[inline(always)]
    fn everywhere(&mut self, to: Bitboard, base: u16) {
        let mut first = 0;
        for lane in to.lanes() {
            // Lanes have 63 and 18 squares.
            let end = if first == 0 { 63 } else { 81 };
            let mut lane = lane;
            while first < end {
                let bits = lane as usize & 0xff;
                self.0.push_chunk(scaled(PLACES[bits], 1, base + first), self.0.ops.popcount(bits as u64));
                lane >>= 8;
                first += 8;
            }
            first = 63;
        }
    }
}

impl<B: BitOps> Sink for Bulk<'_, B> {
    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, to: Bitboard, promotes: bool) {
        self.0.pawns::<WHITE>(to, promotes);
    }

    #[inline(always)]
    fn steps(&mut self, from: SquareIndex, to: Bitboard, promotes: bool) {
        self.0.steps(from, to, promotes);
    }

    #[inline(always)]
    fn slides(&mut self, from: SquareIndex, to: Bitboard, promotes: bool) {
        self.0.slides(from, to, promotes);
    }

    #[inline(always)]
    fn lance(&mut self, from: SquareIndex, to: Bitboard, promotes: bool) {
        let base = (from as u16) << 7 | flag(promotes);
        self.along(attacks::file_places(from, to), base);
    }

    #[inline(always)]
    fn bishop(&mut self, from: SquareIndex, to: Bitboard, promotes: bool) {
        let base = (from as u16) << 7 | flag(promotes);
        let [rising, falling] = attacks::diagonal_places(from, to);
        self.along(rising, base);
        self.along(falling, base);
    }

    #[inline(always)]
    fn rook(&mut self, from: SquareIndex, to: Bitboard, promotes: bool) {
        let base = (from as u16) << 7 | flag(promotes);
        self.along(attacks::file_places(from, to), base);
        self.along(attacks::rank_places(from, to), base);
    }

    #[inline(always)]
    fn horse(&mut self, from: SquareIndex, to: Bitboard) {
        let reach = attacks::reach(false, from);
        self.bishop(from, to & reach.bishop, false);
        self.steps(from, to & reach.king.without(reach.bishop), false);
    }

    #[inline(always)]
    fn dragon(&mut self, from: SquareIndex, to: Bitboard) {
        let reach = attacks::reach(false, from);
        self.rook(from, to & reach.rook, false);
        self.steps(from, to & reach.king.without(reach.rook), false);
    }

    #[inline(always)]
    fn pawn_drops(&mut self, to: Bitboard) {
        if to.len() > FEW {
            self.everywhere(to, DROP | 1 << 7);
        } else {
            self.0.pawn_drops(to);
        }
    }

    #[inline(always)]
    fn drops(&mut self, kinds: usize, to: Bitboard) {
        self.0.drops(kinds, to);
    }

    #[inline(always)]
    fn drops_with_moves<const US: bool>(&mut self, kinds: usize, to: Bitboard) {
        let count = to.len();
        if count <= FEW {
            return self.0.drops_with_moves::<US>(kinds, to);
        }
        if kinds & LANCE != 0 {
            self.everywhere(to.without(last::<US>()), DROPS[LANCE][0]);
        }
        if kinds & KNIGHT != 0 {
            self.everywhere(to.without(last_two::<US>()), DROPS[KNIGHT][0]);
        }
        // The others have a move on every square: those of the first kind are written, and copied for each other kind.
        let others = kinds & !LANCE & !KNIGHT;
        if others == 0 {
            return;
        }
        let drops = DROPS[others % 128];
        self.everywhere(to, drops[0]);
        let mut index = 1;
        while index < others.count_ones() as usize {
            self.0.repeat(count as usize, drops[index % 8] ^ drops[index - 1]);
            index += 1;
        }
    }
}

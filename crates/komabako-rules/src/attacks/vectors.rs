//! Sliders by carries on vectors: the four rays of a bishop at once.

use komabako_bits::{BitOps, Lanes};
use komabako_board::{Bitboard, Color, Square};

use super::line::RAYS;
use super::rays::{DIAGONAL, STRAIGHT};
use super::{Carry, SQUARES, Sliders};

/// Rays by lane of the board: two ascending ones unchanged, two descending ones on the reversed board, so that all of them
/// ascend.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Rays {
    /// The lanes that come first on the rays.
    first: [u64; 4],
    /// The other lanes.
    second: [u64; 4],
}

static DIAGONALS: [Rays; SQUARES] = rays([DIAGONAL[0], DIAGONAL[2], DIAGONAL[1], DIAGONAL[3]]);
/// The rays along ranks, in places 0 and 2; the others are empty.
static RANKS: [Rays; SQUARES] = rays([STRAIGHT[2], NONE, STRAIGHT[3], NONE]);
/// The number of a direction whose rays are empty.
const NONE: usize = 8;

/// The rays in four directions, the first two of which ascend.
const fn rays(directions: [usize; 4]) -> [Rays; SQUARES] {
    let mut table = [Rays { first: [0; 4], second: [0; 4] }; SQUARES];
    let mut square = 0;
    while square < 81 {
        let mut place = 0;
        while place < 4 {
            let [low, high] = RAYS[directions[place]][square].lanes();
            let (first, second) = if place < 2 { (low, high) } else { (high.swap_bytes(), low.swap_bytes()) };
            table[square].first[place] = first;
            table[square].second[place] = second;
            place += 1;
        }
        square += 1;
    }
    table
}

/// [`Carry`] on vectors: the rays are side by side, the descending ones reversed by swapping bytes (the Qugiy method as
/// implemented by engines with AVX2). Subtracting one from the pieces of a ray flips all bits up to the first of them; the
/// first lane borrows from the second exactly if it is zero. Lances and files as in [`Carry`]. Tables: 32 KiB.
#[derive(Clone, Copy, Debug)]
pub struct VectorCarry<B: BitOps>(B);

impl<B: BitOps> VectorCarry<B> {
    /// The method on a backend's vectors.
    pub const fn new(ops: B) -> Self {
        Self(ops)
    }

    #[inline(always)]
    fn along(self, rays: &Rays, occupied: Bitboard) -> Bitboard {
        let ops = self.0;
        let [low, high] = occupied.lanes();
        // The lanes swap places when the board is reversed, so that descending rays start in `first` too. Bits keep their
        // order within a byte; no ray has two squares in one byte.
        let turned_low = high.swap_bytes();
        let turned_high = low.swap_bytes();
        let first_rays = ops.v256(rays.first);
        let second_rays = ops.v256(rays.second);
        let first = ops.v256([low, low, turned_low, turned_low]) & first_rays;
        let second = ops.v256([high, high, turned_high, turned_high]) & second_rays;
        let ones = ops.v256([u64::MAX; 4]);
        // All ones (that is, minus one) where the first lane is zero and must borrow.
        let borrow = first.equals(ops.v256([0; 4]));
        let first = ((first.plus(ones) ^ first) & first_rays).to_words();
        let second = ((second.plus(borrow) ^ second) & second_rays).to_words();
        Bitboard::from_lanes([
            first[0] | first[1] | (second[2] | second[3]).swap_bytes(),
            second[0] | second[1] | (first[2] | first[3]).swap_bytes(),
        ])
    }
}

impl<B: BitOps> Sliders for VectorCarry<B> {
    #[inline(always)]
    fn lance(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        // A single ray would leave three of the four lanes idle.
        Carry.lance(color, square, occupied)
    }

    #[inline(always)]
    fn bishop(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.along(&DIAGONALS[square.array_index()], occupied)
    }

    #[inline(always)]
    fn rook(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.along(&RANKS[square.array_index()], occupied)
            | Carry.lance(Color::Black, square, occupied)
            | Carry.lance(Color::White, square, occupied)
    }
}

//! Which squares pieces attack.

mod kindergarten;
mod line;
mod step;

use komabako_board::Bitboard;

pub(crate) use kindergarten::{bishop, lance, rook};
pub(crate) use line::{between, ray_through};
pub(crate) use step::{Reach, reach, zone};

/// A square by its index, 0..81; 81 stands for a king that is missing.
pub(crate) type SquareIndex = usize;

/// The length of tables by square: a power of two, so that a masked index needs no bounds check.
pub(crate) const SQUARES: usize = 128;

/// The sets of one square; empty from 81 up.
static BITS: [Bitboard; SQUARES] = {
    let mut bits = [Bitboard::EMPTY; SQUARES];
    let mut square = 0;
    while square < 81 {
        bits[square] = Bitboard::of_index(square);
        square += 1;
    }
    bits
};

/// The set of one square; empty for 81 and up.
#[inline(always)]
pub(crate) fn bit(square: SquareIndex) -> Bitboard {
    BITS[square & 127]
}

//! The squares that pieces attack, with every known method for sliders: the one that the rules use and, with the feature
//! `alternatives`, the others.
//!
//! | method | tables | |
//! |---|---|---|
//! | [`Kindergarten`] | 10 KiB | multiplication into one small table; the rules' own |
//! | `PextTables` | 7.9 MiB | `PEXT` of the merged lanes |
//! | `MagicTables` | 7.9 MiB | multiplication of the merged lanes |
//! | `Carry` | 16 KiB | subtraction and byte swaps (Qugiy) |
//! | `VectorCarry` | 32 KiB | the same on vectors, all rays at once |
//! | `Zeros` | 16 KiB | leading and trailing zeros |
//! | `Fill` | 16 KiB | three shift-ors per direction |
//!
//! All agree on every square and occupancy. The large tables are built on request; the others at compile time. The
//! generator's method was chosen by measurement: the crate's PERFORMANCE.md has the times on every backend.

mod kindergarten;
mod line;
#[cfg(any(feature = "alternatives", test))]
mod magics;
#[cfg(any(feature = "alternatives", test))]
mod rays;
mod step;
#[cfg(any(feature = "alternatives", test))]
mod tables;
#[cfg(test)]
mod tests;
#[cfg(any(feature = "alternatives", test))]
mod vectors;

use komabako_board::{Bitboard, Color, Square};

pub use kindergarten::Kindergarten;
#[cfg(any(feature = "alternatives", test))]
pub use rays::{Carry, Fill, Zeros};
#[cfg(any(feature = "alternatives", test))]
pub use tables::{MagicTables, PextTables};
#[cfg(any(feature = "alternatives", test))]
pub use vectors::VectorCarry;

#[cfg(any(feature = "alternatives", test))]
pub(crate) use kindergarten::gather_nines;
pub(crate) use kindergarten::{Places, bishop, diagonal_places, file_places, lance, rank_places, rook};
pub(crate) use line::{between, ray_through};
pub(crate) use step::{Reach, contact, reach, zone};

/// A way to find the squares that sliders attack: all up to and including the first piece in each direction.
///
/// ```
/// use komabako_board::{Bitboard, Color, Square};
/// use komabako_rules::attacks::{Kindergarten, Sliders};
/// let occupied = Bitboard::of(Square::SQ_5C) | Bitboard::of(Square::SQ_5E);
/// let lance = Kindergarten.lance(Color::Black, Square::SQ_5I, occupied);
/// assert!(lance.into_iter().eq([Square::SQ_5E, Square::SQ_5F, Square::SQ_5G, Square::SQ_5H]));
/// ```
pub trait Sliders {
    /// The squares that a lance attacks.
    fn lance(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares that an unpromoted bishop attacks.
    fn bishop(&self, square: Square, occupied: Bitboard) -> Bitboard;

    /// The squares that an unpromoted rook attacks.
    fn rook(&self, square: Square, occupied: Bitboard) -> Bitboard;
}

/// A square by its index, 0..81; 81 means a king that is missing.
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

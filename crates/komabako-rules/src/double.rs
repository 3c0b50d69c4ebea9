//! [`DoubleBitboard`]: a set of squares in two overlapping words.

use core::ops::{BitAnd, BitOr, BitXor};

use komabako_board::{Bitboard, Square};

/// The first square of the high word.
const HIGH: u32 = 81 - 64;
/// The middle square, and the first one whose surroundings are looked up in the high word.
const MIDDLE: usize = 40;

/// A set of squares in two words that overlap: squares 0..64, and squares 17..81.
///
/// The words share 47 squares. So squares whose indices are less than 48 apart are together in one word, and a query
/// about the surroundings of a square (steps, knight's jumps, the 5 × 5 block around it) is one 64-bit operation; a comparison
/// with the middle square chooses the word. A [`Bitboard`] needs both of its lanes for that.
///
/// Advantages: such queries take two thirds of the time on CPUs without a population count. On CPUs with one, whole
/// sets are counted up to twice as fast, and faster still on AVX-512. Disadvantages: with a population count, choosing
/// the word costs as much as the second lane would; and making a set of squares takes two more shifts. Figures are in the
/// crate's PERFORMANCE.md.
///
/// ```
/// use komabako_board::{Bitboard, Square};
/// use komabako_rules::double::DoubleBitboard;
/// let pieces = Bitboard::of(Square::SQ_7G) | Bitboard::of(Square::SQ_9I);
/// let double = DoubleBitboard::from(pieces);
/// let steps = Bitboard::of(Square::SQ_7G) | Bitboard::of(Square::SQ_8G);
/// assert_eq!((double & steps.into()).len_near(Square::SQ_8H), 1);
/// assert_eq!(Bitboard::from(double), pieces);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct DoubleBitboard {
    low: u64,
    high: u64,
}

impl DoubleBitboard {
    /// The word that holds the surroundings of a square: every square whose index differs by at most 23.
    #[inline(always)]
    pub const fn near(self, square: Square) -> u64 {
        // 39 + 23 is below 64, and 40 - 23 is 17, the start of the high word.
        if square.array_index() < MIDDLE { self.low } else { self.high }
    }

    /// The number of squares in the set, provided that all of them are in the surroundings of this one.
    #[inline(always)]
    pub const fn len_near(self, square: Square) -> u32 {
        self.near(square).count_ones()
    }

    /// The number of squares in the set.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        // The low word contains all shared squares, so that they count once.
        self.low.count_ones() + (self.high >> (64 - HIGH)).count_ones()
    }

    /// Whether no square is in the set.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.low | self.high == 0
    }
}

impl From<Bitboard> for DoubleBitboard {
    #[inline(always)]
    fn from(set: Bitboard) -> Self {
        let bits = set.to_u128();
        Self { low: bits as u64, high: (bits >> HIGH) as u64 }
    }
}

impl From<DoubleBitboard> for Bitboard {
    #[inline(always)]
    fn from(set: DoubleBitboard) -> Self {
        Bitboard::from_u128(u128::from(set.low) | u128::from(set.high) << HIGH)
    }
}

macro_rules! wordwise {
    ($trait:ident $method:ident $op:tt) => {
        impl $trait for DoubleBitboard {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self { low: self.low $op other.low, high: self.high $op other.high }
            }
        }
    };
}

wordwise!(BitAnd bitand &);
wordwise!(BitOr bitor |);
wordwise!(BitXor bitxor ^);

#[cfg(test)]
mod tests {
    use komabako_board::square;

    use super::*;

    #[test]
    fn double_bitboard_equals_the_set_and_holds_surroundings_in_one_word() {
        for center in square::all() {
            let near: Bitboard =
                square::all().filter(|at| at.array_index().abs_diff(center.array_index()) <= 23).collect();
            let double = DoubleBitboard::from(near);
            assert_eq!(Bitboard::from(double), near);
            assert_eq!(double.len_near(center), near.len());
            assert_eq!(double.len(), near.len());
            let rest = DoubleBitboard::from(!near);
            let all = DoubleBitboard::from(Bitboard::ALL);
            assert!((rest & double).is_empty());
            assert_eq!((rest | double, all ^ rest), (all, double));
        }
    }
}

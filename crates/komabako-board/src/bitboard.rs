//! [`Bitboard`]: a set of squares in two 64-bit lanes.

use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::{File, Rank, Square, square};

/// The number of squares in the first lane: files 1 to 7.
const FIRST: usize = 63;
const MASKS: [u64; 2] = [(1 << FIRST) - 1, (1 << (square::COUNT - FIRST)) - 1];

const FILES: [Bitboard; 9] = shifted(0x1ff, 9);
const RANKS: [Bitboard; 9] = shifted(0x0100_8040_2010_0804_0201, 1);

/// A set, and the eight sets made by shifting it by 1 to 8 times `distance`.
const fn shifted(first: u128, distance: u32) -> [Bitboard; 9] {
    let mut sets = [Bitboard::EMPTY; 9];
    let mut index = 0;
    while index < sets.len() {
        sets[index] = Bitboard::from_u128(first << (distance * index as u32));
        index += 1;
    }
    sets
}

/// A set of squares: 16 bytes, aligned to 16.
///
/// Lane 0 holds files 1 to 7 (squares 0..63 in bits 0..63), lane 1 files 8 and 9 (squares 63..81 in bits 0..18);
/// all other bits are zero. No file straddles the lanes, so that shifts along a file need no carry.
///
/// ```
/// use komabako_board::{Bitboard, Square};
/// let board = Bitboard::of(Square::SQ_7G) | Bitboard::of(Square::SQ_8H);
/// assert_eq!(board.len(), 2);
/// assert!(board.contains(Square::SQ_8H));
/// assert!(board.into_iter().eq([Square::SQ_7G, Square::SQ_8H]));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
#[repr(C, align(16))]
pub struct Bitboard([u64; 2]);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard([0, 0]);
    /// All 81 squares.
    pub const ALL: Bitboard = Bitboard(MASKS);

    /// The set of one square.
    #[inline(always)]
    pub const fn of(square: Square) -> Self {
        Self::of_index(square.array_index())
    }

    /// The set of the square with this index; empty from 81 up. Branch-free.
    #[inline(always)]
    pub const fn of_index(index: usize) -> Self {
        let bit = if index < 128 { 1u128 << index } else { 0 };
        Self::from_lanes([bit as u64, (bit >> FIRST) as u64])
    }

    /// The set with these lanes; bits that represent no square are dropped.
    #[inline(always)]
    pub const fn from_lanes(lanes: [u64; 2]) -> Self {
        Self([lanes[0] & MASKS[0], lanes[1] & MASKS[1]])
    }

    /// The set with these lanes, checked only in debug builds: for decoders, whose lanes are sets by construction.
    ///
    /// # Panics
    /// In debug builds, if a bit is set that represents no square.
    #[inline(always)]
    pub const fn from_lanes_trusted(lanes: [u64; 2]) -> Self {
        debug_assert!(lanes[0] & !MASKS[0] == 0 && lanes[1] & !MASKS[1] == 0);
        Self(lanes)
    }

    /// The two lanes: squares 0..63 in the low 63 bits, squares 63..81 in the low 18 bits.
    #[inline(always)]
    pub const fn lanes(self) -> [u64; 2] {
        self.0
    }

    /// The set whose bit `i` is square `i`; bits from 81 up are dropped.
    ///
    /// ```
    /// use komabako_board::{Bitboard, Square};
    /// assert_eq!(Bitboard::from_u128(1 << 80), Bitboard::of(Square::SQ_9I));
    /// ```
    #[inline(always)]
    pub const fn from_u128(bits: u128) -> Self {
        Self::from_lanes([bits as u64, (bits >> FIRST) as u64])
    }

    /// The set as a number whose bit `i` is square `i`.
    #[inline(always)]
    pub const fn to_u128(self) -> u128 {
        self.0[0] as u128 | (self.0[1] as u128) << FIRST
    }

    /// The nine squares of a file.
    #[inline(always)]
    pub const fn file(file: File) -> Self {
        FILES[file.number() as usize - 1]
    }

    /// The nine squares of a rank.
    #[inline(always)]
    pub const fn rank(rank: Rank) -> Self {
        RANKS[rank.number() as usize - 1]
    }

    /// The number of squares in the set.
    #[inline(always)]
    pub const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones()
    }

    /// Whether no square is in the set.
    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] == 0
    }

    /// Whether the square is in the set.
    #[inline(always)]
    pub const fn contains(self, square: Square) -> bool {
        !self.and(Self::of(square)).is_empty()
    }

    /// Whether the two sets share a square.
    #[inline(always)]
    pub const fn intersects(self, other: Bitboard) -> bool {
        !self.and(other).is_empty()
    }

    /// The squares of `self` that are not in `other`.
    #[inline(always)]
    pub const fn without(self, other: Bitboard) -> Self {
        Self([self.0[0] & !other.0[0], self.0[1] & !other.0[1]])
    }

    /// The lowest square, or `None` if the set is empty.
    #[inline(always)]
    pub const fn first(self) -> Option<Square> {
        square::from_index(self.first_index())
    }

    /// The index of the lowest square; some number from 81 up if the set is empty.
    #[inline(always)]
    pub const fn first_index(self) -> usize {
        if self.0[0] != 0 {
            self.0[0].trailing_zeros() as usize
        } else {
            FIRST + self.0[1].trailing_zeros() as usize
        }
    }

    const fn and(self, other: Bitboard) -> Self {
        Self([self.0[0] & other.0[0], self.0[1] & other.0[1]])
    }
}

macro_rules! lanewise {
    ($trait:ident $method:ident $assign_trait:ident $assign:ident $op:tt) => {
        impl $trait for Bitboard {
            type Output = Bitboard;
            #[inline(always)]
            fn $method(self, other: Bitboard) -> Bitboard {
                Bitboard([self.0[0] $op other.0[0], self.0[1] $op other.0[1]])
            }
        }
        impl $assign_trait for Bitboard {
            #[inline(always)]
            fn $assign(&mut self, other: Bitboard) {
                *self = *self $op other;
            }
        }
    };
}

lanewise!(BitAnd bitand BitAndAssign bitand_assign &);
lanewise!(BitOr bitor BitOrAssign bitor_assign |);
lanewise!(BitXor bitxor BitXorAssign bitxor_assign ^);

impl Not for Bitboard {
    type Output = Bitboard;
    /// The squares that are not in the set.
    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard::ALL.without(self)
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }
}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;
    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

/// The squares of a [`Bitboard`], ascending. It walks the two lanes one after the other.
#[derive(Clone, Debug)]
pub struct Squares([u64; 2]);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        // Lane by lane and not by a computed index, with which they stay in memory: builds for a CPU with AVX then read both as one
        // vector, which waited at each square for the lane just stored.
        let [low, high] = self.0;
        let index = if low != 0 {
            self.0 = [low & (low - 1), high];
            low.trailing_zeros()
        } else {
            self.0 = [0, high & high.wrapping_sub(1)];
            63 + high.trailing_zeros()
        };
        square::from_index(index as usize)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = Bitboard(self.0).len() as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl fmt::Debug for Bitboard {
    /// Nine rows as on a diagram (file 9 leftmost, rank a on top): `*` for a member, `.` for the rest.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::all() {
            f.write_str("\n")?;
            for file in File::all().rev() {
                f.write_str(if self.contains(square::at(file, rank)) { "*" } else { "." })?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_square_is_one_bit_at_its_index() {
        for (index, square) in square::all().enumerate() {
            let board = Bitboard::of(square);
            assert_eq!(board.to_u128(), 1 << index);
            assert_eq!(board.len(), 1);
            assert_eq!(board.first(), Some(square));
            assert_eq!(Bitboard::from_u128(1 << index), board);
        }
        assert!((81..300).all(|index| Bitboard::of_index(index).is_empty()));
        assert_eq!(Bitboard::EMPTY.first(), None);
    }

    #[test]
    fn files_and_ranks_partition_the_board() {
        for square in square::all() {
            let file = File::of(square);
            let rank = Rank::of(square);
            assert_eq!(Bitboard::file(file) & Bitboard::rank(rank), Bitboard::of(square));
        }
        assert!(File::all().all(|file| Bitboard::file(file).len() == 9));
        assert!(Rank::all().all(|rank| Bitboard::rank(rank).len() == 9));
    }

    #[test]
    fn complement_stays_on_the_board() {
        assert_eq!(!Bitboard::EMPTY, Bitboard::ALL);
        assert_eq!(Bitboard::ALL.len(), 81);
        assert_eq!(Bitboard::from_lanes([u64::MAX; 2]), Bitboard::ALL);
        assert!(Bitboard::ALL.into_iter().eq(square::all()));
    }
}

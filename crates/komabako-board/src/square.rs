//! [`File`], [`Rank`] and the square functions that `shogi_core` does not inline.
//!
//! A square's index is `9 * (file - 1) + (rank - 1)`: 1a = 0, 1i = 8, 9i = 80 (`Square::array_index`).

use crate::Square;

/// The number of squares of the board.
pub const COUNT: usize = 81;

/// Every square in index order; a table because `Square`'s checked constructors are not inlined.
const ALL: [Square; COUNT] = {
    let mut all = [Square::SQ_1A; COUNT];
    let mut index = 0;
    while index < COUNT {
        match Square::new(index as u8 / 9 + 1, index as u8 % 9 + 1) {
            Some(square) => all[index] = square,
            None => unreachable!(),
        }
        index += 1;
    }
    all
};

/// Every square, ascending by index.
///
/// ```
/// use komabako_board::{Square, square};
/// assert!(square::all().eq(Square::all()));
/// ```
#[inline(always)]
pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator + Clone {
    ALL.iter().copied()
}

/// The square with the given index, or `None` from 81 up.
///
/// ```
/// use komabako_board::{Square, square};
/// assert_eq!(square::from_index(60), Some(Square::SQ_7G));
/// assert_eq!(square::from_index(81), None);
/// ```
#[inline(always)]
pub const fn from_index(index: usize) -> Option<Square> {
    if index < COUNT { Some(ALL[index]) } else { None }
}

/// The square after the board is turned by 180°.
///
/// ```
/// use komabako_board::{Square, square};
/// assert_eq!(square::rotate(Square::SQ_3D), Square::SQ_7F);
/// ```
#[inline(always)]
pub const fn rotate(square: Square) -> Square {
    ALL[COUNT - 1 - square.array_index()]
}

/// The square after the board is mirrored left to right: files 1 and 9 swap, 2 and 8, and so on; ranks stay.
///
/// ```
/// use komabako_board::{Square, square};
/// assert_eq!(square::mirror(Square::SQ_3D), Square::SQ_7D);
/// ```
#[inline(always)]
pub const fn mirror(square: Square) -> Square {
    let index = square.array_index();
    ALL[(8 - index / 9) * 9 + index % 9]
}

macro_rules! nine {
    ($(#[$doc:meta])* $name:ident, $op:tt, $what:literal, $chars:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(u8);

        impl $name {
            #[doc = concat!("The ", $what, " with the given number, or `None` outside 1..=9.")]
            #[inline(always)]
            pub const fn new(number: u8) -> Option<Self> {
                if number >= 1 && number <= 9 { Some(Self(number)) } else { None }
            }

            #[doc = concat!("The ", $what, " of a square.")]
            #[inline(always)]
            pub const fn of(square: Square) -> Self {
                Self((square.array_index() $op 9) as u8 + 1)
            }

            #[doc = concat!("The number of the ", $what, ", 1..=9.")]
            #[inline(always)]
            pub const fn number(self) -> u8 {
                self.0
            }

            #[doc = concat!("The ", $what, " that USI text writes as `letter`.")]
            pub const fn from_usi(letter: u8) -> Option<Self> {
                Self::new(letter.wrapping_sub($chars[0]).wrapping_add(1))
            }

            #[doc = concat!("The character of the ", $what, " in USI text.")]
            pub const fn to_usi(self) -> char {
                $chars[self.0 as usize - 1] as char
            }

            #[doc = concat!("Every ", $what, ", ascending.")]
            pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
                (0..9).map(|index: u8| Self(index + 1))
            }
        }
    };
}

nine!(
    /// A file (筋), a column of the board, numbered 1 to 9 from Black's right.
    ///
    /// ```
    /// use komabako_board::{File, Square};
    /// assert_eq!(File::of(Square::SQ_7G).number(), 7);
    /// assert_eq!(File::of(Square::SQ_7G).to_usi(), '7');
    /// ```
    File, /, "file", b"123456789"
);

nine!(
    /// A rank (段), a row of the board, numbered 1 (`a`) to 9 (`i`) from White's side.
    ///
    /// ```
    /// use komabako_board::{Rank, Square};
    /// assert_eq!(Rank::of(Square::SQ_7G).number(), 7);
    /// assert_eq!(Rank::of(Square::SQ_7G).to_usi(), 'g');
    /// ```
    Rank, %, "rank", b"abcdefghi"
);

/// The square where a file and a rank cross.
///
/// ```
/// use komabako_board::{File, Rank, Square, square};
/// assert_eq!(square::at(File::of(Square::SQ_7A), Rank::of(Square::SQ_1G)), Square::SQ_7G);
/// ```
#[inline(always)]
pub const fn at(file: File, rank: Rank) -> Square {
    ALL[(file.0 as usize - 1) * 9 + rank.0 as usize - 1]
}

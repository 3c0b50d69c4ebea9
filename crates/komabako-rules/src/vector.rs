//! [`VectorBitboard`]: a set of squares in one vector register.

use core::ops::{BitAnd, BitOr, BitXor};

use komabako_bits::{BitOps, Lanes};
use komabako_board::{Bitboard, Square};

/// A [`Bitboard`] on the backend's lanes of 128 bits: sets are combined with one instruction instead of two.
///
/// Operations that do not look at single squares stay in the vector registers; [`squares`](Self::squares) leaves them once. The
/// generator works on `Bitboard`s, where compilers find these instructions by themselves, so it would gain nothing from this
/// type; only AVX-512 combines faster (PERFORMANCE.md has the figures). Use it where vector instructions must be guaranteed.
///
/// ```
/// use komabako_bits::{Backend, BitOps, Kernel, dispatch};
/// use komabako_board::{Bitboard, Square};
/// use komabako_rules::vector::VectorBitboard;
///
/// struct Common(Bitboard, Bitboard);
/// impl Kernel for Common {
///     type Output = Option<Square>;
///     #[inline(always)]
///     fn run<B: BitOps>(self, ops: B) -> Option<Square> {
///         (VectorBitboard::new(ops, self.0) & VectorBitboard::new(ops, self.1)).squares().next()
///     }
/// }
///
/// let file = Bitboard::of(Square::SQ_7G) | Bitboard::of(Square::SQ_7F);
/// assert_eq!(dispatch(Backend::detect(), Common(file, Bitboard::of(Square::SQ_7G))), Some(Square::SQ_7G));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct VectorBitboard<B: BitOps>(B::V128);

impl<B: BitOps> VectorBitboard<B> {
    /// The set in a vector register.
    #[inline(always)]
    pub fn new(ops: B, set: Bitboard) -> Self {
        Self(ops.v128(set.lanes()))
    }

    /// The set in two words.
    #[inline(always)]
    pub fn to_bitboard(self) -> Bitboard {
        Bitboard::from_lanes(self.0.to_words())
    }

    /// The squares, ascending. The set leaves the vector register once; then the iterator walks two words.
    #[inline(always)]
    pub fn squares(self) -> impl Iterator<Item = Square> {
        self.to_bitboard().into_iter()
    }

    /// The squares of `self` that are not in `other`.
    #[inline(always)]
    pub fn without(self, other: Self) -> Self {
        Self(self.0.without(other.0))
    }

    /// Whether no square is in the set.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0.is_zero()
    }
}

macro_rules! lanewise {
    ($trait:ident $method:ident) => {
        impl<B: BitOps> $trait for VectorBitboard<B> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                Self(self.0.$method(other.0))
            }
        }
    };
}

lanewise!(BitAnd bitand);
lanewise!(BitOr bitor);
lanewise!(BitXor bitxor);

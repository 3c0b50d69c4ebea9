//! [`Lanes`]: two or four 64-bit words side by side, in vector registers if the backend has them.

use core::fmt::Debug;
use core::ops::{BitAnd, BitOr, BitXor};

/// `N` words of 64 bits on which each operation acts at once, word by word: 128 bits for two, 256 for four.
///
/// A value comes from a backend ([`Vectors`]) and so proves that the CPU has the instructions for its operations. The words are
/// in SSE, AVX2, NEON or `simd128` registers, in two registers if one has only 128 bits, and plain words on the portable backend.
pub trait Lanes<const N: usize>:
    Copy + Debug + BitAnd<Output = Self> + BitOr<Output = Self> + BitXor<Output = Self>
{
    /// The words. Moves them all out of the vector registers: call it once, not once per word.
    fn to_words(self) -> [u64; N];

    /// The bits of `self` that are not in `other`.
    fn without(self, other: Self) -> Self;

    /// The sums; carries out of a word are lost.
    fn plus(self, other: Self) -> Self;

    /// The differences; borrows out of a word are lost.
    fn minus(self, other: Self) -> Self;

    /// All ones where both have the same word, zero elsewhere.
    fn equals(self, other: Self) -> Self;

    /// Each word shifted towards its high end by up to 63 places.
    fn shift_left(self, places: u32) -> Self;

    /// Each word shifted towards its low end by up to 63 places.
    fn shift_right(self, places: u32) -> Self;

    /// Each word with its eight bytes in reverse order.
    fn swap_bytes(self) -> Self;

    /// The words of each pair exchanged: the second, the first, the fourth, the third.
    fn swap_pairs(self) -> Self;

    /// Whether every word is zero.
    fn is_zero(self) -> bool;
}

/// The widest [`Lanes`] of a backend.
///
/// ```
/// use komabako_bits::{Backend, BitOps, Kernel, Lanes, dispatch};
///
/// /// The lowest bit of each word.
/// struct Lowest([u64; 4]);
///
/// impl Kernel for Lowest {
///     type Output = [u64; 4];
///     #[inline(always)]
///     fn run<B: BitOps>(self, ops: B) -> [u64; 4] {
///         let words = ops.v256(self.0);
///         words.without(words.minus(ops.v256([1; 4]))).to_words()
///     }
/// }
///
/// assert_eq!(dispatch(Backend::detect(), Lowest([6, 8, 0, 5])), [2, 8, 0, 1]);
/// ```
pub trait Vectors: Copy {
    /// Two words.
    type V128: Lanes<2>;
    /// Four words.
    type V256: Lanes<4>;

    /// Two words in a vector.
    fn v128(self, words: [u64; 2]) -> Self::V128;

    /// Four words in a vector.
    fn v256(self, words: [u64; 4]) -> Self::V256;
}

/// The operators of a type of lanes, each an expression of two values. (No closures: they would be compiled without the
/// backend's instructions.)
// Only for kinds of CPU that have vector registers.
#[cfg(any(
    target_arch = "x86_64",
    target_arch = "aarch64",
    all(target_arch = "wasm32", target_feature = "simd128")
))]
macro_rules! lane_operators {
    (impl [$($generics:tt)*] $name:ty, |$a:ident, $b:ident| $and:expr, $or:expr, $xor:expr) => {
        lane_operators!(@ [$($generics)*] $name, BitAnd bitand $a $b $and);
        lane_operators!(@ [$($generics)*] $name, BitOr bitor $a $b $or);
        lane_operators!(@ [$($generics)*] $name, BitXor bitxor $a $b $xor);
    };
    (@ [$($generics:tt)*] $name:ty, $trait:ident $method:ident $a:ident $b:ident $result:expr) => {
        impl $($generics)* core::ops::$trait for $name {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let $a = self;
                let $b = other;
                $result
            }
        }
    };
}

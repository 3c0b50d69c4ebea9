//! [`Words`] and [`Pair`]: lanes without vectors, and four lanes on vectors of two.

use core::ops::{BitAnd, BitOr, BitXor};

use crate::{Lanes, Reference, Soft, Vectors};

/// Lanes in general registers, on any CPU.
#[derive(Clone, Copy, Debug)]
pub struct Words<const N: usize>([u64; N]);

/// The lanes with a function of the words at each place.
macro_rules! each {
    ($a:expr, $b:expr, |$word:ident, $other:ident| $result:expr) => {{
        let mut words = $a.0;
        let others = $b.0;
        for (index, $word) in words.iter_mut().enumerate() {
            let $other = others[index];
            *$word = $result;
        }
        Self(words)
    }};
}

macro_rules! operator {
    ($trait:ident $method:ident) => {
        impl<const N: usize> $trait for Words<N> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                each!(self, other, |a, b| a.$method(b))
            }
        }
    };
}

operator!(BitAnd bitand);
operator!(BitOr bitor);
operator!(BitXor bitxor);

impl<const N: usize> Lanes<N> for Words<N> {
    #[inline(always)]
    fn to_words(self) -> [u64; N] {
        self.0
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        each!(self, other, |a, b| *a & !b)
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        each!(self, other, |a, b| a.wrapping_add(b))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        each!(self, other, |a, b| a.wrapping_sub(b))
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Self {
        each!(self, other, |a, b| if *a == b { u64::MAX } else { 0 })
    }

    #[inline(always)]
    fn shift_left(self, places: u32) -> Self {
        each!(self, self, |a, _b| *a << (places & 63))
    }

    #[inline(always)]
    fn shift_right(self, places: u32) -> Self {
        each!(self, self, |a, _b| *a >> (places & 63))
    }

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        each!(self, self, |a, _b| a.swap_bytes())
    }

    #[inline(always)]
    fn swap_pairs(mut self) -> Self {
        self.0.as_chunks_mut::<2>().0.iter_mut().for_each(|pair| pair.reverse());
        self
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }
}

macro_rules! word_vectors {
    ($($backend:ty),*) => {$(
        impl Vectors for $backend {
            type V128 = Words<2>;
            type V256 = Words<4>;

            #[inline(always)]
            fn v128(self, words: [u64; 2]) -> Words<2> {
                Words(words)
            }

            #[inline(always)]
            fn v256(self, words: [u64; 4]) -> Words<4> {
                Words(words)
            }
        }
    )*};
}

word_vectors!(Soft, Reference);

cfg_if::cfg_if! {
    if #[cfg(any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    ))] {
        /// Four lanes in two vectors of two.
        #[derive(Clone, Copy, Debug)]
        pub struct Pair<V>(pub V, pub V);

        lane_operators!(
            impl [<V: Lanes<2>>] Pair<V>,
            |a, b| Pair(a.0 & b.0, a.1 & b.1),
            Pair(a.0 | b.0, a.1 | b.1),
            Pair(a.0 ^ b.0, a.1 ^ b.1)
        );

        impl<V: Lanes<2>> Lanes<4> for Pair<V> {
            #[inline(always)]
            fn to_words(self) -> [u64; 4] {
                let [a, b] = self.0.to_words();
                let [c, d] = self.1.to_words();
                [a, b, c, d]
            }

            #[inline(always)]
            fn without(self, other: Self) -> Self {
                Pair(self.0.without(other.0), self.1.without(other.1))
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                Pair(self.0.plus(other.0), self.1.plus(other.1))
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                Pair(self.0.minus(other.0), self.1.minus(other.1))
            }

            #[inline(always)]
            fn equals(self, other: Self) -> Self {
                Pair(self.0.equals(other.0), self.1.equals(other.1))
            }

            #[inline(always)]
            fn shift_left(self, places: u32) -> Self {
                Pair(self.0.shift_left(places), self.1.shift_left(places))
            }

            #[inline(always)]
            fn shift_right(self, places: u32) -> Self {
                Pair(self.0.shift_right(places), self.1.shift_right(places))
            }

            #[inline(always)]
            fn swap_bytes(self) -> Self {
                Pair(self.0.swap_bytes(), self.1.swap_bytes())
            }

            #[inline(always)]
            fn swap_pairs(self) -> Self {
                Pair(self.0.swap_pairs(), self.1.swap_pairs())
            }

            #[inline(always)]
            fn is_zero(self) -> bool {
                (self.0 | self.1).is_zero()
            }
        }
    }
}

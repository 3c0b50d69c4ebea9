//! [`Sse`] and [`Avx`]: two lanes in an SSE register, four in an AVX one.

use core::arch::x86_64::*;
use core::mem::transmute;

use super::avx2::HasAvx2;
use super::sse41::Sse41;
use crate::arch::generic::Pair;
use crate::{Lanes, Vectors};

/// Two lanes. Only the witnesses of this kind of CPU make a value, which therefore proves SSSE3 and SSE4.1.
#[derive(Clone, Copy, Debug)]
pub struct Sse(__m128i);

/// Four lanes. Only witnesses of AVX2 make a value, which therefore proves it.
#[derive(Clone, Copy, Debug)]
pub struct Avx(__m256i);

impl Vectors for Sse41 {
    type V128 = Sse;
    type V256 = Pair<Sse>;

    #[inline(always)]
    fn v128(self, words: [u64; 2]) -> Sse {
        // SAFETY: both are 16 bytes without padding, and any bytes are a vector. `self` proves SSSE3 and SSE4.1.
        Sse(unsafe { transmute::<[u64; 2], __m128i>(words) })
    }

    #[inline(always)]
    fn v256(self, [a, b, c, d]: [u64; 4]) -> Pair<Sse> {
        Pair(self.v128([a, b]), self.v128([c, d]))
    }
}

impl<W: HasAvx2> Vectors for W {
    type V128 = Sse;
    type V256 = Avx;

    #[inline(always)]
    fn v128(self, words: [u64; 2]) -> Sse {
        // SAFETY: both are 16 bytes without padding, and any bytes are a vector. `self` proves AVX2, and every CPU with
        // AVX2 has SSSE3 and SSE4.1.
        Sse(unsafe { transmute::<[u64; 2], __m128i>(words) })
    }

    #[inline(always)]
    fn v256(self, words: [u64; 4]) -> Avx {
        // SAFETY: both are 32 bytes without padding, and any bytes are a vector. `self` proves AVX2.
        Avx(unsafe { transmute::<[u64; 4], __m256i>(words) })
    }
}

/// The operations of a register with its intrinsics.
macro_rules! register {
    (
        $name:ident($register:ty), $words:literal, $reversed:expr,
        $and:ident $or:ident $xor:ident $without:ident $plus:ident $minus:ident $equals:ident $left:ident $right:ident
        $shuffle:ident $swap:ident $test:ident
    ) => {
        lane_operators!(
            impl [] $name,
            // SAFETY: the values prove their features.
            |a, b| Self(unsafe { $and(a.0, b.0) }),
            // SAFETY: as above.
            Self(unsafe { $or(a.0, b.0) }),
            // SAFETY: as above.
            Self(unsafe { $xor(a.0, b.0) })
        );

        impl Lanes<$words> for $name {
            #[inline(always)]
            fn to_words(self) -> [u64; $words] {
                // SAFETY: both have the same size and no padding.
                unsafe { transmute::<$register, [u64; $words]>(self.0) }
            }

            #[inline(always)]
            fn without(self, other: Self) -> Self {
                // SAFETY: the values prove their features.
                Self(unsafe { $without(other.0, self.0) })
            }

            #[inline(always)]
            fn plus(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $plus(self.0, other.0) })
            }

            #[inline(always)]
            fn minus(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $minus(self.0, other.0) })
            }

            #[inline(always)]
            fn equals(self, other: Self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $equals(self.0, other.0) })
            }

            #[inline(always)]
            fn shift_left(self, places: u32) -> Self {
                // SAFETY: as above.
                Self(unsafe { $left(self.0, _mm_cvtsi32_si128((places & 63) as i32)) })
            }

            #[inline(always)]
            fn shift_right(self, places: u32) -> Self {
                // SAFETY: as above.
                Self(unsafe { $right(self.0, _mm_cvtsi32_si128((places & 63) as i32)) })
            }

            #[inline(always)]
            fn swap_bytes(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $shuffle(self.0, $reversed) })
            }

            #[inline(always)]
            fn swap_pairs(self) -> Self {
                // SAFETY: as above.
                Self(unsafe { $swap::<0b01_00_11_10>(self.0) })
            }

            #[inline(always)]
            fn is_zero(self) -> bool {
                // SAFETY: as above.
                unsafe { $test(self.0, self.0) == 1 }
            }
        }
    };
}

/// The indices of the bytes of two words, each word's reversed.
const REVERSED: [i64; 2] = [0x0001_0203_0405_0607, 0x0809_0a0b_0c0d_0e0f];

register! {
    Sse(__m128i), 2, _mm_set_epi64x(REVERSED[1], REVERSED[0]),
    _mm_and_si128 _mm_or_si128 _mm_xor_si128 _mm_andnot_si128 _mm_add_epi64 _mm_sub_epi64 _mm_cmpeq_epi64
    _mm_sll_epi64 _mm_srl_epi64 _mm_shuffle_epi8 _mm_shuffle_epi32 _mm_testz_si128
}

register! {
    Avx(__m256i), 4, _mm256_set_epi64x(REVERSED[1], REVERSED[0], REVERSED[1], REVERSED[0]),
    _mm256_and_si256 _mm256_or_si256 _mm256_xor_si256 _mm256_andnot_si256 _mm256_add_epi64 _mm256_sub_epi64 _mm256_cmpeq_epi64
    _mm256_sll_epi64 _mm256_srl_epi64 _mm256_shuffle_epi8 _mm256_shuffle_epi32 _mm256_testz_si256
}

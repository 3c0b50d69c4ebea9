//! [`SimdLanes`]: two lanes in a WebAssembly vector.

use core::arch::wasm32::*;
use core::mem::transmute;

use super::simd128::Simd128;
use crate::arch::generic::Pair;
use crate::{Lanes, Vectors};

/// Two lanes.
#[derive(Clone, Copy, Debug)]
pub struct SimdLanes(v128);

impl Vectors for Simd128 {
    type V128 = SimdLanes;
    type V256 = Pair<SimdLanes>;

    #[inline(always)]
    fn v128(self, [a, b]: [u64; 2]) -> SimdLanes {
        SimdLanes(u64x2(a, b))
    }

    #[inline(always)]
    fn v256(self, [a, b, c, d]: [u64; 4]) -> Pair<SimdLanes> {
        Pair(self.v128([a, b]), self.v128([c, d]))
    }
}

lane_operators!(
    impl [] SimdLanes,
    |a, b| Self(v128_and(a.0, b.0)),
    Self(v128_or(a.0, b.0)),
    Self(v128_xor(a.0, b.0))
);

impl Lanes<2> for SimdLanes {
    #[inline(always)]
    fn to_words(self) -> [u64; 2] {
        // SAFETY: both are 16 bytes without padding.
        unsafe { transmute::<v128, [u64; 2]>(self.0) }
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        Self(v128_andnot(self.0, other.0))
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(u64x2_add(self.0, other.0))
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        Self(u64x2_sub(self.0, other.0))
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Self {
        Self(u64x2_eq(self.0, other.0))
    }

    #[inline(always)]
    fn shift_left(self, places: u32) -> Self {
        Self(u64x2_shl(self.0, places & 63))
    }

    #[inline(always)]
    fn shift_right(self, places: u32) -> Self {
        Self(u64x2_shr(self.0, places & 63))
    }

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        Self(u8x16_shuffle::<7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8>(self.0, self.0))
    }

    #[inline(always)]
    fn swap_pairs(self) -> Self {
        Self(u64x2_shuffle::<1, 0>(self.0, self.0))
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        !v128_any_true(self.0)
    }
}

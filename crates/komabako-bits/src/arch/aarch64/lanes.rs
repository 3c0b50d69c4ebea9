//! [`NeonLanes`]: two lanes in a NEON register.

use core::arch::aarch64::*;
use core::mem::transmute;

use super::neon::Neon;
use crate::arch::generic::Pair;
use crate::{Lanes, Vectors};

/// Two lanes. Only [`Neon`] makes a value, which therefore proves NEON.
#[derive(Clone, Copy, Debug)]
pub struct NeonLanes(uint64x2_t);

impl Vectors for Neon {
    type V128 = NeonLanes;
    type V256 = Pair<NeonLanes>;

    #[inline(always)]
    fn v128(self, words: [u64; 2]) -> NeonLanes {
        // SAFETY: both are 16 bytes without padding, and any bytes are a vector. `self` proves NEON.
        NeonLanes(unsafe { transmute::<[u64; 2], uint64x2_t>(words) })
    }

    #[inline(always)]
    fn v256(self, [a, b, c, d]: [u64; 4]) -> Pair<NeonLanes> {
        Pair(self.v128([a, b]), self.v128([c, d]))
    }
}

lane_operators!(
    impl [] NeonLanes,
    // SAFETY: the values prove NEON.
    |a, b| Self(unsafe { vandq_u64(a.0, b.0) }),
    // SAFETY: as above.
    Self(unsafe { vorrq_u64(a.0, b.0) }),
    // SAFETY: as above.
    Self(unsafe { veorq_u64(a.0, b.0) })
);

impl Lanes<2> for NeonLanes {
    #[inline(always)]
    fn to_words(self) -> [u64; 2] {
        // SAFETY: both are 16 bytes without padding.
        unsafe { transmute::<uint64x2_t, [u64; 2]>(self.0) }
    }

    #[inline(always)]
    fn without(self, other: Self) -> Self {
        // SAFETY: the values prove NEON.
        Self(unsafe { vbicq_u64(self.0, other.0) })
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vaddq_u64(self.0, other.0) })
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vsubq_u64(self.0, other.0) })
    }

    #[inline(always)]
    fn equals(self, other: Self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vceqq_u64(self.0, other.0) })
    }

    #[inline(always)]
    fn shift_left(self, places: u32) -> Self {
        // SAFETY: as above.
        Self(unsafe { vshlq_u64(self.0, vdupq_n_s64(i64::from(places & 63))) })
    }

    #[inline(always)]
    fn shift_right(self, places: u32) -> Self {
        // SAFETY: as above.
        Self(unsafe { vshlq_u64(self.0, vdupq_n_s64(-i64::from(places & 63))) })
    }

    #[inline(always)]
    fn swap_bytes(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vreinterpretq_u64_u8(vrev64q_u8(vreinterpretq_u8_u64(self.0))) })
    }

    #[inline(always)]
    fn swap_pairs(self) -> Self {
        // SAFETY: as above.
        Self(unsafe { vextq_u64::<1>(self.0, self.0) })
    }

    #[inline(always)]
    fn is_zero(self) -> bool {
        // SAFETY: as above.
        unsafe { vmaxvq_u32(vreinterpretq_u32_u64(self.0)) == 0 }
    }
}

//! [`Sse41`]: byte shuffles, in vectors of 16 bytes.

use core::arch::x86_64::*;
use core::mem::transmute;

use crate::BitOps;
use crate::arch::vector::{self, Blocks};

witness! {
    /// Proof that the CPU has SSSE3, SSE4.1 and POPCNT.
    Sse41: "ssse3", "sse4.1", "popcnt"
}

impl crate::ops::sealed::Sealed for Sse41 {}

impl BitOps for Sse41 {
    const SHUFFLES: bool = true;

    soft_mask_methods!();
    block_methods!();
    shuffle_methods!();
    shuffle_boards_to_dense!();
}

impl Blocks for Sse41 {
    type Block = [__m128i; 2];

    #[inline(always)]
    fn load(self, bytes: &[u8; 32]) -> Self::Block {
        // SAFETY: both are 32 bytes without padding, and any bytes are a vector.
        unsafe { transmute(*bytes) }
    }

    #[inline(always)]
    fn store(self, block: Self::Block) -> [u8; 32] {
        // SAFETY: both are 32 bytes without padding.
        unsafe { transmute(block) }
    }

    #[inline(always)]
    fn test(self, block: Self::Block, bit: u32) -> u32 {
        // SAFETY: every x86-64 CPU has SSE2.
        unsafe {
            let places = _mm_cvtsi32_si128(7 - bit as i32);
            mask([_mm_sll_epi16(block[0], places), _mm_sll_epi16(block[1], places)])
        }
    }

    #[inline(always)]
    fn nonzero(self, block: Self::Block) -> u32 {
        // SAFETY: every x86-64 CPU has SSE2.
        unsafe {
            let zero = _mm_setzero_si128();
            !mask([_mm_cmpeq_epi8(block[0], zero), _mm_cmpeq_epi8(block[1], zero)])
        }
    }

    #[inline(always)]
    fn and(self, a: Self::Block, b: Self::Block) -> Self::Block {
        // SAFETY: every x86-64 CPU has SSE2.
        unsafe { [_mm_and_si128(a[0], b[0]), _mm_and_si128(a[1], b[1])] }
    }

    #[inline(always)]
    fn select(self, mask: Self::Block, ones: Self::Block, zeros: Self::Block) -> Self::Block {
        // SAFETY: `self` proves SSE4.1.
        unsafe { [_mm_blendv_epi8(zeros[0], ones[0], mask[0]), _mm_blendv_epi8(zeros[1], ones[1], mask[1])] }
    }

    #[inline(always)]
    fn set(self, block: Self::Block, bytes: u32, value: u8) -> Self::Block {
        // SAFETY: `self` proves SSSE3.
        unsafe {
            let places = _mm_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
            let bytes = _mm_cvtsi32_si128(bytes as i32);
            let of_eight = |index: i64| 0x0101_0101_0101_0101 * index;
            let set = |half, low, high| {
                let own = _mm_shuffle_epi8(bytes, _mm_set_epi64x(of_eight(high), of_eight(low)));
                let selected = _mm_cmpeq_epi8(_mm_and_si128(own, places), places);
                _mm_or_si128(half, _mm_and_si128(selected, _mm_set1_epi8(value as i8)))
            };
            [set(block[0], 0, 1), set(block[1], 2, 3)]
        }
    }

    #[inline(always)]
    fn lookup(self, block: Self::Block, table: &[u8; 32]) -> Self::Block {
        let [low, high] = self.load(table);
        let mut entries = block;
        for half in &mut entries {
            // SAFETY: `self` proves SSSE3 and SSE4.1.
            *half = unsafe {
                let index = _mm_and_si128(*half, _mm_set1_epi8(0xf));
                let sixteen = _mm_slli_epi16(*half, 3);
                _mm_blendv_epi8(_mm_shuffle_epi8(low, index), _mm_shuffle_epi8(high, index), sixteen)
            };
        }
        entries
    }

    #[inline(always)]
    fn shuffle(self, bytes: &[u8; 8], indices: &[u8; 8]) -> [u8; 8] {
        // SAFETY: `self` proves SSSE3.
        let shuffled = unsafe {
            _mm_cvtsi128_si64(_mm_shuffle_epi8(
                _mm_cvtsi64_si128(i64::from_le_bytes(*bytes)),
                _mm_cvtsi64_si128(i64::from_le_bytes(*indices)),
            ))
        };
        shuffled.to_le_bytes()
    }
}

/// The high bits of the bytes.
#[inline(always)]
fn mask(block: [__m128i; 2]) -> u32 {
    // SAFETY: every x86-64 CPU has SSE2.
    unsafe { _mm_movemask_epi8(block[0]) as u32 | (_mm_movemask_epi8(block[1]) as u32) << 16 }
}

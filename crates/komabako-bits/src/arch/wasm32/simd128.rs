//! [`Simd128`]: byte shuffles, in vectors of 16 bytes.

use core::arch::wasm32::*;
use core::mem::transmute;

use crate::BitOps;
use crate::arch::vector::{self, Blocks};

witness! {
    /// Proof that the module is built for engines with 128-bit vectors.
    Simd128: "simd128"
}

impl crate::ops::sealed::Sealed for Simd128 {}

impl BitOps for Simd128 {
    soft_mask_methods!();
    block_methods!();
    shuffle_methods!();

    // Not with shuffles: a swizzle takes two instructions on x86, and each group depends on the end of the one before.
    #[inline(always)]
    fn boards_to_dense<const N: usize>(self, boards: &[[u64; 2]; N], mask: [u64; 2]) -> [u64; N] {
        crate::Soft.boards_to_dense(boards, mask)
    }
}

impl Blocks for Simd128 {
    type Block = [v128; 2];

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
    fn test(self, [low, high]: Self::Block, bit: u32) -> u32 {
        // In pairs of bytes, since x86 cannot shift single bytes; the high bit of each byte still comes from that byte.
        let mask = |half| u32::from(i8x16_bitmask(u16x8_shl(half, 7 - bit)));
        mask(low) | mask(high) << 16
    }

    #[inline(always)]
    fn nonzero(self, [low, high]: Self::Block) -> u32 {
        let mask = |half| u32::from(i8x16_bitmask(i8x16_ne(half, i8x16_splat(0))));
        mask(low) | mask(high) << 16
    }

    #[inline(always)]
    fn and(self, a: Self::Block, b: Self::Block) -> Self::Block {
        [v128_and(a[0], b[0]), v128_and(a[1], b[1])]
    }

    #[inline(always)]
    fn select(self, mask: Self::Block, ones: Self::Block, zeros: Self::Block) -> Self::Block {
        [v128_bitselect(ones[0], zeros[0], mask[0]), v128_bitselect(ones[1], zeros[1], mask[1])]
    }

    #[inline(always)]
    fn set(self, [low, high]: Self::Block, bytes: u32, value: u8) -> Self::Block {
        let bytes = u32x4_splat(bytes);
        let places = u64x2_splat(0x8040_2010_0804_0201);
        let of_eight = |index: u64| 0x0101_0101_0101_0101 * index;
        let set = |half, first| {
            let own = u8x16_swizzle(bytes, u64x2(of_eight(first), of_eight(first + 1)));
            let selected = i8x16_eq(v128_and(own, places), places);
            v128_or(half, v128_and(selected, u8x16_splat(value)))
        };
        [set(low, 0), set(high, 2)]
    }

    #[inline(always)]
    fn lookup(self, [low, high]: Self::Block, table: &[u8; 32]) -> Self::Block {
        let [first, second] = self.load(table);
        let look_up = |half| {
            let index = v128_and(half, u8x16_splat(0xf));
            let sixteen = i8x16_ne(v128_and(half, u8x16_splat(0x10)), u8x16_splat(0));
            v128_bitselect(u8x16_swizzle(second, index), u8x16_swizzle(first, index), sixteen)
        };
        [look_up(low), look_up(high)]
    }

    #[inline(always)]
    fn shuffle(self, bytes: &[u8; 8], indices: &[u8; 8]) -> [u8; 8] {
        let bytes = u64x2(u64::from_le_bytes(*bytes), 0);
        let indices = u64x2(u64::from_le_bytes(*indices), 0);
        u64x2_extract_lane::<0>(u8x16_swizzle(bytes, indices)).to_le_bytes()
    }
}

//! [`Neon`]: table lookups and shifts, in vectors of 16 bytes.

use core::arch::aarch64::*;
use core::mem::transmute;

use crate::arch::vector::{self, Blocks};
use crate::{BitOps, Bytes};

witness! {
    /// Proof that the CPU has NEON, as nearly every AArch64 CPU does.
    Neon: "neon"
}

/// Bit `i % 8` in byte `i`.
const PLACES: u64 = 0x8040_2010_0804_0201;

impl crate::ops::sealed::Sealed for Neon {}

impl BitOps for Neon {
    soft_mask_methods!();
    block_methods!();
    shuffle_methods!();
    shuffle_boards_to_dense!();

    #[inline(always)]
    fn join(self, codes: &Bytes, lengths: &Bytes) -> ([u64; 12], [u8; 12]) {
        let mut words = [0; 12];
        let mut totals = [0; 12];
        for index in 0..6 {
            let (pair, length) =
                join_eights(self, &codes.as_chunks().0[index], &lengths.as_chunks().0[index]);
            for half in 0..2 {
                words[2 * index + half] = pair[half];
                totals[2 * index + half] = length[half] as u8;
            }
        }
        (words, totals)
    }
}

impl Blocks for Neon {
    type Block = [uint8x16_t; 2];

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
        // SAFETY: `self` proves NEON.
        unsafe {
            let bit = vdupq_n_u8(1 << bit);
            mask(self, [vtstq_u8(low, bit), vtstq_u8(high, bit)])
        }
    }

    #[inline(always)]
    fn nonzero(self, [low, high]: Self::Block) -> u32 {
        // SAFETY: `self` proves NEON.
        unsafe { mask(self, [vtstq_u8(low, low), vtstq_u8(high, high)]) }
    }

    #[inline(always)]
    fn and(self, a: Self::Block, b: Self::Block) -> Self::Block {
        // SAFETY: `self` proves NEON.
        unsafe { [vandq_u8(a[0], b[0]), vandq_u8(a[1], b[1])] }
    }

    #[inline(always)]
    fn select(self, mask: Self::Block, ones: Self::Block, zeros: Self::Block) -> Self::Block {
        // SAFETY: `self` proves NEON.
        unsafe { [vbslq_u8(mask[0], ones[0], zeros[0]), vbslq_u8(mask[1], ones[1], zeros[1])] }
    }

    #[inline(always)]
    fn set(self, [low, high]: Self::Block, bytes: u32, value: u8) -> Self::Block {
        // SAFETY: `self` proves NEON.
        unsafe {
            let bytes = vreinterpretq_u8_u32(vdupq_n_u32(bytes));
            let places = vreinterpretq_u8_u64(vdupq_n_u64(PLACES));
            let set = |half, first| {
                let own = vqtbl1q_u8(bytes, vcombine_u8(vdup_n_u8(first), vdup_n_u8(first + 1)));
                vorrq_u8(half, vandq_u8(vtstq_u8(own, places), vdupq_n_u8(value)))
            };
            [set(low, 0), set(high, 2)]
        }
    }

    #[inline(always)]
    fn lookup(self, [low, high]: Self::Block, table: &[u8; 32]) -> Self::Block {
        let [first, second] = self.load(table);
        // SAFETY: `self` proves NEON.
        unsafe {
            let look_up = |half| vqtbl2q_u8(uint8x16x2_t(first, second), vandq_u8(half, vdupq_n_u8(31)));
            [look_up(low), look_up(high)]
        }
    }

    #[inline(always)]
    fn shuffle(self, bytes: &[u8; 8], indices: &[u8; 8]) -> [u8; 8] {
        // SAFETY: `self` proves NEON; the types are 8 bytes without padding.
        unsafe {
            transmute(vtbl1_u8(
                transmute::<[u8; 8], uint8x8_t>(*bytes),
                transmute::<[u8; 8], uint8x8_t>(*indices),
            ))
        }
    }
}

/// One bit for each byte, which must be all ones or zero.
#[inline(always)]
fn mask(_: Neon, [low, high]: [uint8x16_t; 2]) -> u32 {
    // SAFETY: the witness proves NEON.
    unsafe {
        let places = vreinterpretq_u8_u64(vdupq_n_u64(PLACES));
        let pairs = vpaddq_u8(vandq_u8(low, places), vandq_u8(high, places));
        let fours = vpaddq_u8(pairs, pairs);
        vgetq_lane_u32::<0>(vreinterpretq_u32_u8(vpaddq_u8(fours, fours)))
    }
}

/// [`BitOps::join`] for two words: neighbours are joined three times, by shifts that differ from lane to lane.
#[inline(always)]
fn join_eights(_: Neon, codes: &[u8; 16], lengths: &[u8; 16]) -> ([u64; 2], [u64; 2]) {
    // SAFETY: the witness proves NEON; the arrays are 16 bytes without padding.
    unsafe {
        let code: uint16x8_t = transmute(*codes);
        let length: uint16x8_t = transmute(*lengths);
        let first = vandq_u16(length, vdupq_n_u16(0xff));
        let second = vshlq_u16(vshrq_n_u16::<8>(code), vreinterpretq_s16_u16(first));
        let code = vreinterpretq_u32_u16(vorrq_u16(vandq_u16(code, vdupq_n_u16(0xff)), second));
        let length = vreinterpretq_u32_u16(vaddq_u16(first, vshrq_n_u16::<8>(length)));

        let first = vandq_u32(length, vdupq_n_u32(0xffff));
        let second = vshlq_u32(vshrq_n_u32::<16>(code), vreinterpretq_s32_u32(first));
        let code = vreinterpretq_u64_u32(vorrq_u32(vandq_u32(code, vdupq_n_u32(0xffff)), second));
        let length = vreinterpretq_u64_u32(vaddq_u32(first, vshrq_n_u32::<16>(length)));

        let first = vandq_u64(length, vdupq_n_u64(0xffff_ffff));
        let second = vshlq_u64(vshrq_n_u64::<32>(code), vreinterpretq_s64_u64(first));
        let code = vorrq_u64(vandq_u64(code, vdupq_n_u64(0xffff_ffff)), second);
        let length = vaddq_u64(first, vshrq_n_u64::<32>(length));
        (transmute::<uint64x2_t, [u64; 2]>(code), transmute::<uint64x2_t, [u64; 2]>(length))
    }
}

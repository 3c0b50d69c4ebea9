//! [`Avx2`]: byte shuffles, in vectors of 32 bytes.

use core::arch::x86_64::*;
use core::mem::transmute;

use crate::arch::vector::{self, Blocks};
use crate::{BitOps, Bytes};

witness! {
    /// Proof that the CPU has AVX2, BMI1, BMI2, LZCNT and POPCNT, as [`Bmi2`](super::Bmi2); `PEXT` and `PDEP` are not used.
    Avx2: "avx2", "bmi1", "bmi2", "lzcnt", "popcnt"
}

/// Witnesses that prove AVX2 and with it SSSE3.
pub trait HasAvx2: Copy {}

impl HasAvx2 for Avx2 {}

impl crate::ops::sealed::Sealed for Avx2 {}

impl BitOps for Avx2 {
    const SHUFFLES: bool = true;

    soft_mask_methods!();
    block_methods!();
    shuffle_methods!();
    shuffle_boards_to_dense!();

    #[inline(always)]
    fn join(self, codes: &Bytes, lengths: &Bytes) -> ([u64; 12], [u8; 12]) {
        join(self, codes, lengths)
    }

    #[inline(always)]
    fn runs(self, starts: u64, ends: u64) -> u64 {
        runs(self, starts, ends)
    }
}

impl<W: HasAvx2> Blocks for W {
    type Block = __m256i;

    #[inline(always)]
    fn load(self, bytes: &[u8; 32]) -> __m256i {
        // SAFETY: both are 32 bytes without padding, and any bytes are a vector.
        unsafe { transmute(*bytes) }
    }

    #[inline(always)]
    fn store(self, block: __m256i) -> [u8; 32] {
        // SAFETY: both are 32 bytes without padding.
        unsafe { transmute(block) }
    }

    #[inline(always)]
    fn test(self, block: __m256i, bit: u32) -> u32 {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_movemask_epi8(_mm256_sll_epi16(block, _mm_cvtsi32_si128(7 - bit as i32))) as u32 }
    }

    #[inline(always)]
    fn nonzero(self, block: __m256i) -> u32 {
        // SAFETY: `self` proves AVX2.
        unsafe { !_mm256_movemask_epi8(_mm256_cmpeq_epi8(block, _mm256_setzero_si256())) as u32 }
    }

    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_and_si256(a, b) }
    }

    #[inline(always)]
    fn select(self, mask: __m256i, ones: __m256i, zeros: __m256i) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe { _mm256_blendv_epi8(zeros, ones, mask) }
    }

    #[inline(always)]
    fn set(self, block: __m256i, bytes: u32, value: u8) -> __m256i {
        // SAFETY: `self` proves AVX2.
        unsafe {
            let places = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
            let of_eight = |index: i64| 0x0101_0101_0101_0101 * index;
            let own = _mm256_shuffle_epi8(
                _mm256_set1_epi32(bytes as i32),
                _mm256_setr_epi64x(of_eight(0), of_eight(1), of_eight(2), of_eight(3)),
            );
            let selected = _mm256_cmpeq_epi8(_mm256_and_si256(own, places), places);
            _mm256_or_si256(block, _mm256_and_si256(selected, _mm256_set1_epi8(value as i8)))
        }
    }

    #[inline(always)]
    fn lookup(self, block: __m256i, table: &[u8; 32]) -> __m256i {
        let halves = table.as_chunks::<16>().0;
        // SAFETY: `self` proves AVX2; a table half is 16 bytes without padding.
        unsafe {
            let half =
                |index: usize| _mm256_broadcastsi128_si256(transmute::<[u8; 16], __m128i>(halves[index]));
            let index = _mm256_and_si256(block, _mm256_set1_epi8(0xf));
            let sixteen = _mm256_slli_epi16(block, 3);
            _mm256_blendv_epi8(
                _mm256_shuffle_epi8(half(0), index),
                _mm256_shuffle_epi8(half(1), index),
                sixteen,
            )
        }
    }

    #[inline(always)]
    fn shuffle(self, bytes: &[u8; 8], indices: &[u8; 8]) -> [u8; 8] {
        // SAFETY: `self` proves AVX2 and so SSSE3.
        let shuffled = unsafe {
            _mm_cvtsi128_si64(_mm_shuffle_epi8(
                _mm_cvtsi64_si128(i64::from_le_bytes(*bytes)),
                _mm_cvtsi64_si128(i64::from_le_bytes(*indices)),
            ))
        };
        shuffled.to_le_bytes()
    }
}

/// [`BitOps::join`]: neighbours are joined three times, by shifts that differ from lane to lane.
#[inline(always)]
pub fn join<W: HasAvx2>(ops: W, codes: &Bytes, lengths: &Bytes) -> ([u64; 12], [u8; 12]) {
    let mut words = [0; 12];
    let mut totals = [0; 12];
    for index in 0..3 {
        let code = ops.load(&codes.as_chunks().0[index]);
        let length = ops.load(&lengths.as_chunks().0[index]);
        // SAFETY: `ops` proves AVX2.
        let (word, total) = unsafe {
            let low = _mm256_set1_epi16(0xff);
            // 2^length in 16 bits, for lengths up to 8, instead of a shift of 16-bit lanes.
            let first = _mm256_and_si256(length, low);
            let power_low = _mm256_shuffle_epi8(_mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64), first);
            let power_high = _mm256_cmpeq_epi16(first, _mm256_set1_epi16(8));
            let power =
                _mm256_blendv_epi8(_mm256_and_si256(power_low, low), _mm256_set1_epi16(0x100), power_high);
            let code = _mm256_or_si256(
                _mm256_and_si256(code, low),
                _mm256_mullo_epi16(_mm256_srli_epi16(code, 8), power),
            );
            let length = _mm256_add_epi16(first, _mm256_srli_epi16(length, 8));

            let low = _mm256_set1_epi32(0xffff);
            let first = _mm256_and_si256(length, low);
            let code = _mm256_or_si256(
                _mm256_and_si256(code, low),
                _mm256_sllv_epi32(_mm256_srli_epi32(code, 16), first),
            );
            let length = _mm256_add_epi32(first, _mm256_srli_epi32(length, 16));

            let low = _mm256_set1_epi64x(0xffff_ffff);
            let first = _mm256_and_si256(length, low);
            let code = _mm256_or_si256(
                _mm256_and_si256(code, low),
                _mm256_sllv_epi64(_mm256_srli_epi64(code, 32), first),
            );
            let length = _mm256_add_epi64(first, _mm256_srli_epi64(length, 32));
            (transmute::<__m256i, [u64; 4]>(code), transmute::<__m256i, [u64; 4]>(length))
        };
        words[4 * index..4 * index + 4].copy_from_slice(&word);
        totals[4 * index..4 * index + 4].copy_from_slice(&total.map(|total| total as u8));
    }
    (words, totals)
}

/// [`BitOps::runs`](crate::BitOps::runs): the powers of two of all ends, minus the powers of all starts.
#[inline(always)]
pub fn runs<W: HasAvx2>(_: W, starts: u64, ends: u64) -> u64 {
    // SAFETY: the witness proves AVX2.
    unsafe {
        let one = _mm256_set1_epi64x(1);
        let powers = |lanes: u64| {
            let low = _mm256_cvtepu8_epi64(_mm_cvtsi64_si128(lanes as i64));
            let high = _mm256_cvtepu8_epi64(_mm_cvtsi64_si128((lanes >> 32) as i64));
            _mm256_add_epi64(_mm256_sllv_epi64(one, low), _mm256_sllv_epi64(one, high))
        };
        let ones = _mm256_sub_epi64(powers(ends), powers(starts));
        let ones = _mm_add_epi64(_mm256_castsi256_si128(ones), _mm256_extracti128_si256(ones, 1));
        _mm_cvtsi128_si64(_mm_add_epi64(ones, _mm_srli_si128(ones, 8))) as u64
    }
}

//! [`Bmi2`]: the `PEXT` and `PDEP` instructions, besides vectors of 32 bytes.

use core::arch::x86_64::{_pdep_u64, _pext_u64};

use super::avx2::{Avx2, HasAvx2, runs};
use super::avx512::Avx512;
use crate::arch::vector;
use crate::{BitOps, Bytes};

witness! {
    /// Proof that the CPU has BMI1, BMI2, LZCNT, POPCNT and AVX2.
    Bmi2: "bmi1", "bmi2", "lzcnt", "popcnt", "avx2"
}

/// A byte of `i` low ones, for `i` up to 8.
pub const LOW_ONES: [u8; 32] = {
    let mut table = [0xff; 32];
    let mut length = 0;
    while length < 8 {
        table[length] = (1 << length) - 1;
        length += 1;
    }
    table
};

/// `Avx512` proves BMI1, BMI2, LZCNT and POPCNT by name, and AVX2 by AVX-512 F, which includes it.
impl From<Avx512> for Bmi2 {
    #[inline(always)]
    fn from(_: Avx512) -> Self {
        Self(())
    }
}

/// `Avx2` proves the same features.
impl From<Avx2> for Bmi2 {
    #[inline(always)]
    fn from(_: Avx2) -> Self {
        Self(())
    }
}

impl HasAvx2 for Bmi2 {}

impl crate::ops::sealed::Sealed for Bmi2 {}

impl BitOps for Bmi2 {
    const GATHERS: bool = true;
    const SHUFFLES: bool = true;

    type Mask = u64;

    #[inline(always)]
    fn mask(self, mask: u64) -> u64 {
        mask
    }

    #[inline(always)]
    fn compress(self, word: u64, mask: &u64) -> u64 {
        // SAFETY: `self` was created by `Bmi2::new`, which succeeds only if the CPU has BMI2.
        unsafe { _pext_u64(word, *mask) }
    }

    #[inline(always)]
    fn expand(self, word: u64, mask: &u64) -> u64 {
        // SAFETY: as in `compress`.
        unsafe { _pdep_u64(word, *mask) }
    }

    few_by_pext!();
    lookup_by_shuffle!();
    block_methods!();

    #[inline(always)]
    fn join(self, codes: &Bytes, lengths: &Bytes) -> ([u64; 12], [u8; 12]) {
        let masks = self.lookup(lengths, &LOW_ONES);
        let mut words = [0; 12];
        let mut totals = [0; 12];
        for (group, (code, mask)) in codes.as_chunks().0.iter().zip(masks.as_chunks().0).enumerate() {
            let mask = u64::from_le_bytes(*mask);
            words[group] = self.pext(u64::from_le_bytes(*code), mask);
            totals[group] = mask.count_ones() as u8;
        }
        (words, totals)
    }

    #[inline(always)]
    fn runs(self, starts: u64, ends: u64) -> u64 {
        runs(self, starts, ends)
    }

    #[inline(always)]
    fn windows(self, stream: [u64; 4], marks: [u64; 4]) -> [u64; 8] {
        let ones = marks.map(u64::count_ones);
        let places = [0, ones[0], ones[0] + ones[1], ones[0] + ones[1] + ones[2]];
        let mut planes = [0; 8];
        for (k, plane) in (0..).zip(&mut planes) {
            for index in 0..4 {
                let next = if index < 3 { stream[index + 1] } else { 0 };
                // The stream from bit k on; no bits of `next` if k is 0.
                let shifted = stream[index] >> k | next << 1 << (63 - k);
                // With at most 64 marks, a shift of 64 or more moves only zeros.
                *plane |= self.pext(shifted, marks[index]).wrapping_shl(places[index]);
            }
        }
        planes
    }
}

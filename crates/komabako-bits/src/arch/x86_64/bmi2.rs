//! [`Bmi2`]: the `PEXT` and `PDEP` instructions.

use core::arch::x86_64::{_pdep_u64, _pext_u64};

use crate::BitOps;

witness! {
    /// Proof that the CPU has BMI1, BMI2, LZCNT and POPCNT.
    Bmi2: "bmi1", "bmi2", "lzcnt", "popcnt"
}

impl crate::ops::sealed::Sealed for Bmi2 {}

impl BitOps for Bmi2 {
    type Mask = u64;

    #[inline(always)]
    fn mask(self, mask: u64) -> u64 {
        mask
    }

    #[inline(always)]
    fn compress(self, word: u64, mask: &u64) -> u64 {
        // SAFETY: `self` was made by `Bmi2::new`, which makes it only if the CPU has BMI2.
        unsafe { _pext_u64(word, *mask) }
    }

    #[inline(always)]
    fn expand(self, word: u64, mask: &u64) -> u64 {
        // SAFETY: as in `compress`.
        unsafe { _pdep_u64(word, *mask) }
    }
}

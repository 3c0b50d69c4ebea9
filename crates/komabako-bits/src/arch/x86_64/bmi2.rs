//! [`Bmi2`]: the `PEXT` and `PDEP` instructions.

use core::arch::x86_64::{_pdep_u64, _pext_u64};

use crate::{Backend, BitOps, Kernel};

/// Proof that the CPU has BMI1, BMI2, LZCNT and POPCNT.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bmi2(());

impl Bmi2 {
    /// The witness, or `None` if the CPU lacks one of the features.
    #[inline(always)]
    pub fn new() -> Option<Self> {
        cfg_if::cfg_if! {
            if #[cfg(all(target_feature = "bmi1", target_feature = "bmi2", target_feature = "lzcnt", target_feature = "popcnt"))] {
                Some(Self(()))
            } else if #[cfg(feature = "std")] {
                use std::arch::is_x86_feature_detected as has;
                (has!("bmi1") && has!("bmi2") && has!("lzcnt") && has!("popcnt")).then_some(Self(()))
            } else {
                None
            }
        }
    }
}

/// Runs a kernel compiled with the features that the witness proves.
#[inline(always)]
pub fn run_bmi2<K: Kernel>(ops: Bmi2, kernel: K) -> K::Output {
    #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
    fn with_features<K: Kernel>(ops: Bmi2, kernel: K) -> K::Output {
        kernel.run(ops)
    }
    // SAFETY: `ops` was made by `Bmi2::new`, which returns a witness only if the CPU has all four features.
    unsafe { with_features(ops, kernel) }
}

impl crate::ops::sealed::Sealed for Bmi2 {}

impl BitOps for Bmi2 {
    type Mask = u64;

    #[inline(always)]
    fn backend(self) -> Backend {
        Backend::Bmi2(self)
    }

    #[inline(always)]
    fn mask(self, mask: u64) -> u64 {
        mask
    }

    #[inline(always)]
    fn compress(self, word: u64, mask: &u64) -> u64 {
        // SAFETY: `self` was made by `Bmi2::new`, which returns a witness only if the CPU has BMI2.
        unsafe { _pext_u64(word, *mask) }
    }

    #[inline(always)]
    fn expand(self, word: u64, mask: &u64) -> u64 {
        // SAFETY: as in `compress`.
        unsafe { _pdep_u64(word, *mask) }
    }
}

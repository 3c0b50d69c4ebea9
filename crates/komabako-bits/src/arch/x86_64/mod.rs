//! Backends in x86-64 instructions.

/// Whether the CPU has a feature; without `std`, whether every CPU that the build targets has it.
macro_rules! has {
    ($feature:tt) => {{
        cfg_if::cfg_if! {
            if #[cfg(feature = "std")] {
                let has = std::arch::is_x86_feature_detected!($feature);
            } else {
                let has = cfg!(target_feature = $feature);
            }
        }
        has
    }};
}

/// The methods of `BitOps` for masks of few ones or zeros, with `PEXT` and `PDEP`.
macro_rules! few_by_pext {
    () => {
        #[inline(always)]
        fn pext_few<const ONES: u32>(self, word: u64, mask: u64) -> u64 {
            self.pext(word, mask)
        }

        #[inline(always)]
        fn pdep_few<const ONES: u32>(self, word: u64, mask: u64) -> u64 {
            self.pdep(word, mask)
        }

        #[inline(always)]
        fn pext_most<const GAPS: u32>(self, word: u64, gaps: u64) -> u64 {
            self.pext(word, !gaps)
        }

        #[inline(always)]
        fn pdep_most<const GAPS: u32>(self, word: u64, gaps: u64) -> u64 {
            self.pdep(word, !gaps)
        }
    };
}

/// `BitOps::lookup_word` with a byte shuffle.
macro_rules! lookup_by_shuffle {
    () => {
        #[inline(always)]
        fn lookup_word(self, bytes: u64, table: &[u8; 16]) -> u64 {
            use core::arch::x86_64::{__m128i, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_shuffle_epi8};
            // SAFETY: `self` proves SSSE3, or AVX2, which includes it; both sides are 16 bytes without padding, and any bytes are
            // a vector.
            unsafe {
                let table = core::mem::transmute::<[u8; 16], __m128i>(*table);
                _mm_cvtsi128_si64(_mm_shuffle_epi8(table, _mm_cvtsi64_si128(bytes as i64))) as u64
            }
        }
    };
}

mod avx2;
mod avx512;
mod bmi2;
mod cpu;
mod lanes;
mod sse41;

pub use avx2::Avx2;
pub use avx512::Avx512;
pub use bmi2::Bmi2;
pub use cpu::slow_pext;
pub use sse41::Sse41;

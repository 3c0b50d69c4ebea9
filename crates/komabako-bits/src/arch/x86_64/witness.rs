//! `witness!`: the proof that the CPU has certain features.

/// Declares a backend's witness: a type of size zero that is made only where the CPU has all the features, so that
/// whoever holds a value may use their instructions.
macro_rules! witness {
    ($(#[$docs:meta])* $name:ident: $first:tt $(, $feature:tt)*) => {
        $(#[$docs])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub struct $name(());

        impl $name {
            /// The witness.
            ///
            /// # Errors
            /// The first feature that the CPU lacks or, without `std`, that the build's flags do not guarantee.
            #[inline(always)]
            pub fn new() -> Result<Self, &'static str> {
                has!($first);
                $(has!($feature);)*
                Ok(Self(()))
            }

            /// Runs a kernel compiled with the features that the witness proves.
            #[inline(always)]
            pub fn run<K: $crate::Kernel>(self, kernel: K) -> K::Output {
                #[target_feature(enable = $first $(, enable = $feature)*)]
                fn with_features<K: $crate::Kernel>(ops: $name, kernel: K) -> K::Output {
                    kernel.run(ops)
                }
                // SAFETY: `self` was made by `new`, which makes it only if the CPU has all these features.
                unsafe { with_features(self, kernel) }
            }
        }
    };
}

/// Returns the feature as an error where the CPU, or without `std` the build, lacks it.
macro_rules! has {
    ($feature:tt) => {
        cfg_if::cfg_if! {
            if #[cfg(feature = "std")] {
                let has = std::arch::is_x86_feature_detected!($feature);
            } else {
                let has = cfg!(target_feature = $feature);
            }
        }
        if !has {
            return Err($feature);
        }
    };
}

/// The methods of `BitOps` for masks of few ones or zeros, by `PEXT` and `PDEP`.
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

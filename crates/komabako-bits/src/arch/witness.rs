//! `witness!`: the proof that the CPU has certain features.

/// Declares a backend's witness: a zero-sized type that can be created only if the CPU has all the features, so that code
/// with a value of it may use their instructions. Each kind of CPU defines `has!`, which detects one feature.
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
                for (feature, has) in [($first, has!($first)), $(($feature, has!($feature))),*] {
                    if !has {
                        return Err(feature);
                    }
                }
                Ok(Self(()))
            }

            /// Runs a kernel compiled with the features that the witness proves.
            #[inline(always)]
            pub fn run<K: $crate::Kernel>(self, kernel: K) -> K::Output {
                #[target_feature(enable = $first $(, enable = $feature)*)]
                fn with_features<K: $crate::Kernel>(ops: $name, kernel: K) -> K::Output {
                    kernel.run(ops)
                }
                // In WebAssembly the call is safe: an engine checks the features when it loads the module.
                #[cfg_attr(target_arch = "wasm32", allow(unused_unsafe))]
                // SAFETY: `self` was created by `new`, which succeeds only if the CPU has all these features.
                unsafe { with_features(self, kernel) }
            }
        }

        impl $crate::Witness for $name {
            #[inline(always)]
            fn run<K: $crate::Kernel>(self, kernel: K) -> K::Output {
                $name::run(self, kernel)
            }
        }
    };
}

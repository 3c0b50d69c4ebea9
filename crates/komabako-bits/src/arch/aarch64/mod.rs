//! Backends in AArch64 instructions.

/// Whether the CPU has a feature; without `std`, whether every CPU that the build targets has it.
macro_rules! has {
    ($feature:tt) => {{
        cfg_if::cfg_if! {
            if #[cfg(feature = "std")] {
                let has = std::arch::is_aarch64_feature_detected!($feature);
            } else {
                let has = cfg!(target_feature = $feature);
            }
        }
        has
    }};
}

mod lanes;
mod neon;

pub use neon::Neon;

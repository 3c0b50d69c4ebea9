//! Backends in WebAssembly instructions.

/// Whether the module is built for engines that have a feature; WebAssembly has no detection at run time.
macro_rules! has {
    ($feature:tt) => {
        cfg!(target_feature = $feature)
    };
}

mod lanes;
mod simd128;

pub use simd128::Simd128;

//! Backends in code for any CPU.

mod lanes;
mod reference;
mod soft;
pub mod swar;

cfg_if::cfg_if! {
    if #[cfg(any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_arch = "wasm32", target_feature = "simd128")
    ))] {
        pub use lanes::Pair;
    }
}
pub use reference::Reference;
pub use soft::Soft;

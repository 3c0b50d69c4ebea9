//! Backends and methods in code for any CPU.

#[macro_use]
pub mod vector;

mod reference;
mod soft;
pub mod swar;

pub use reference::Reference;
pub use soft::Soft;

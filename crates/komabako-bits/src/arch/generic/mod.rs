//! Backends in code for any CPU.

mod reference;
mod soft;
pub mod swar;

pub use reference::Reference;
pub use soft::Soft;

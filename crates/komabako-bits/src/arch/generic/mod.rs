//! Backends in portable code.

mod reference;
mod soft;

pub use reference::Reference;
pub use soft::Soft;

//! Backends in portable code.

mod soft;

pub use soft::Soft;

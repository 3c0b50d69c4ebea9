//! The interface that `komabako-variants` shares with the codecs here.
//!
//! Private to this project and outside of semantic versioning: its crates depend on each other with exact versions
//! (`=`), so that a crate is never built against a different version of this module.

pub use crate::algorithm::{Algorithm, ByteAlgorithm};
pub use crate::kernels::{Format, Kernels};
pub use crate::layout::{side, square_name};
pub use crate::owner::PieceBits;
pub use crate::sspf::{hands, planes};
pub use crate::word::{bit, from_lanes, number, set_bit, set_number, to_lanes};

/// Counts of pieces in byte lanes.
pub mod lanes {
    pub use crate::lanes::*;
}

/// Sets of one square.
pub mod squares {
    pub use crate::squares::*;
}

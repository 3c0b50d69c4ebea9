//! What a format is made of: the interface that `komabako-variants` shares with the codecs here.
//!
//! A format is an [`Algorithm`], which packs and unpacks with the operations of a backend, and a static [`Kernels`], which makes it a
//! [`Format`]; [`Codec`](crate::Codec) then has all the traits, and a choice at run time all the functions. The rest are the parts that formats of fixed bit planes have
//! in common, and access to the bits of a word.
//!
//! For this project's crates only, and outside of semantic versioning: they depend on each other with exact versions (`=`), so
//! that none is built against a different version of this module.

pub use crate::algorithm::{Algorithm, ByteAlgorithm, WithPayload};
pub use crate::explanation::{side, square_name};
pub use crate::kernels::{Format, Kernels};
pub use crate::owner::PieceBits;
pub use crate::sspf::{hands, planes};
pub use crate::word::{bit, from_lanes, number, set_bit, set_number, to_lanes};

/// Counts of pieces in byte lanes.
pub mod lanes {
    pub use crate::lanes::*;
}

/// Boards without the squares of some pieces.
pub mod gaps {
    pub use crate::gaps::*;
}

/// Sets of one square.
pub mod squares {
    pub use crate::squares::*;
}

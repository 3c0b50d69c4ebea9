//! What `komabako-variants` shares with the codecs here.
//!
//! Not for others, and outside of semantic versioning: the crates of this project ask for each other by exact version
//! (`=`), so that a change here is never met by a crate that was built for another.

/// The functions of which [`EntryPoints`] consist.
pub use crate::entry::functions as entry;

pub use komabako_board::Setup;

pub use crate::algorithm::{Algorithm, ByteAlgorithm};
pub use crate::entry::EntryPoints;
pub use crate::entry_points;
pub use crate::layout::{side, square_name};
pub use crate::owner::PieceBits;
pub use crate::sspf::{hands, planes};
pub use crate::word::{bit, from_lanes, number, put_number, set_bit, to_lanes};

/// Counts of pieces in byte lanes.
pub mod lanes {
    pub use crate::lanes::*;
}

/// Sets of one square.
pub mod squares {
    pub use crate::squares::*;
}

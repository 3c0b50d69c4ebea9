//! Pack shogi positions and work on files of them.
//!
//! This crate re-exports the crates of the workspace; depend on one of them directly to take only that.

#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

pub use komabako_board as board;
pub use komabako_codec as codec;
#[cfg(feature = "dataset")]
pub use komabako_dataset as dataset;

/// The examples of the READMEs, run as tests.
#[cfg(doctest)]
mod readme {
    #[doc = include_str!("../../../README.md")]
    struct English;
    #[doc = include_str!("../../../README.ja.md")]
    struct Japanese;
}

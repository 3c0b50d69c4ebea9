//! Pack shogi positions and work on files of them.
//!
//! This crate re-exports the crates of the workspace under short names. To use only one of them, depend on it directly. The
//! package `komabako` is the program.
//!
//! | module | crate | contents |
//! |---|---|---|
//! | `archive` | `komabako-archive` | with the feature `archive`: training records in two bytes each, without files |
//! | [`bits`] | `komabako-bits` | bit compress and expand, and the choice of CPU instructions for them |
//! | [`board`] | `komabako-board` | setups, positions, SFEN and USI |
//! | [`codec`] | `komabako-codec` | positions in 256 bits: SSPFv1, PackedSfen, HCP, nshogi |
//! | `dataset` | `komabako-dataset` | with the feature `dataset`: files of records, and jobs on them |
//! | `features` | `komabako-features` | with the feature `features`: inputs and labels for neural networks |
//! | `kifu` | `komabako-kifu` | with the feature `kifu`: game records as text, KIF, KI2, CSA, JKF, USI |
//! | `loader` | `komabako-loader` | with the feature `loader`: batches for training, shuffled on the fly |
//! | [`messages`] | `komabako-messages` | the sentences of all errors, in English and Japanese |
//! | `picture` | `komabako-picture` | with the feature `picture`: positions as pictures in SVG |
//! | `record` | `komabako-record` | with the feature `record`: records of training data and their formats, without files |
//! | `rules` | `komabako-rules` | with the feature `rules`: legal moves, games, perft |
//! | `tsume` | `komabako-tsume` | with the feature `tsume`: mates, their exact lengths, and a checker of problems |
//! | `variants` | `komabako-variants` | with the feature `variants`: every possible position, in 256, 250 or 238 bits |
//!
//! ```
//! use komabako_core::board::sfen;
//! use komabako_core::codec::{Hcp, PackedSfen, PositionCodec};
//!
//! let setup = sfen::parse("startpos")?.setup;
//! let word = PackedSfen::new().pack(&setup)?;
//! let same = Hcp::new().unpack(&Hcp::new().pack(&setup)?)?;
//! assert_eq!(PackedSfen::new().unpack(&word)?, same);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

#[cfg(feature = "archive")]
pub use komabako_archive as archive;
pub use komabako_bits as bits;
pub use komabako_board as board;
pub use komabako_codec as codec;
#[cfg(feature = "dataset")]
pub use komabako_dataset as dataset;
#[cfg(feature = "features")]
pub use komabako_features as features;
#[cfg(feature = "kifu")]
pub use komabako_kifu as kifu;
#[cfg(feature = "loader")]
pub use komabako_loader as loader;
pub use komabako_messages as messages;
#[cfg(feature = "picture")]
pub use komabako_picture as picture;
#[cfg(feature = "record")]
pub use komabako_record as record;
#[cfg(feature = "rules")]
pub use komabako_rules as rules;
#[cfg(feature = "tsume")]
pub use komabako_tsume as tsume;
#[cfg(feature = "variants")]
pub use komabako_variants as variants;

/// The README's code, which runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The code of the guide to the loader, which runs as a test.
#[cfg(all(doctest, feature = "loader"))]
#[doc = include_str!("../../../docs/loader.md")]
struct LoaderGuide;

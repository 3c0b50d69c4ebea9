//! Codecs for every possible shogi position: missing kings (tsume), removed pieces (handicaps), or an empty board.
//!
//! | codec | name | size | description |
//! |---|---|---|---|
//! | [`SspfExt`] | `sspfv1-ext` | 256 bits | the extension of SSPFv1, a superset of [`Sspf`](komabako_codec::Sspf) |
//! | [`C250`] | `c250` | 250 bits + 6 | fixed fields, and a [`Payload`] for the user |
//! | [`R238`] | `r238` | 238 bits: 30 bytes | the positions numbered from 0 up |
//!
//! Each holds every [`Setup`](komabako_board::Setup), so packing cannot fail. One position has one word, and no other
//! word is accepted, so equal words are equal positions. Decoding is total: any bytes give a setup or a typed error.
//! All are [`PositionCodec`](komabako_codec::PositionCodec)s.
//!
//! [`WordFormat`] is any of these formats and of those of `komabako-codec`, chosen at run time. [`random`] draws positions
//! uniformly from all possible ones. [`spec`] has the specifications, and a [table](spec::limits) that compares every
//! format's size with the limit.
//!
//! ```
//! use komabako_board::Setup;
//! use komabako_codec::PositionCodec;
//! use komabako_variants::{C250, Payload, R238};
//!
//! let tsume: Setup = "8k/9/7S1/9/9/9/9/9/9 b 2G 1".parse()?;
//! let word = R238::new().pack(&tsume)?;
//! let rank = &word[..R238::SIZE]; // 30 bytes
//! assert_eq!(R238::new().unpack(&word)?, tsume);
//!
//! let word = C250::new().encode(&tsume, Payload::new(37).expect("37 is below 64"));
//! assert_eq!(C250::new().decode(&word)?.1.get(), 37);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod builder;
pub mod c250;
mod explain;
pub mod ext;
mod planes;
pub mod r238;
pub mod random;
pub mod spec;
mod tables;
mod tails;
mod word;
mod word_format;

pub use c250::{C250, Payload};
pub use ext::SspfExt;
pub use r238::R238;
pub use word_format::{UnknownFormat, WordFormat};

/// The README's code, which runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

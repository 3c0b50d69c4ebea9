//! The archive format `.kmb`: training records of shogi in two to four bytes each, with random access.
//!
//! An archive holds records of one [`Source`] format, PSV or hcpe, and gives them back byte for byte. Its blocks are independent:
//! they are encoded, decoded and found one by one, with the index at the end or without it. The crate's
//! [specification](https://github.com/komabako/komabako/blob/main/crates/komabako-archive/spec/archive.md) describes every byte.
//!
//! ```
//! use komabako_archive::{Archive, Codec, Encoding, Header, Source, write_archive};
//! let records = [7; 40 * 3];
//! let header = Header::new(Source::Psv);
//! let archive = write_archive(&header, &records, 2, &Encoding::new(Codec::Columns))?;
//! assert_eq!(Archive::new(&archive).records()?, records);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! There are no files and no threads here: `komabako-dataset` has those.

#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

mod block;
mod columns;
mod container;
mod error;
mod memory;
mod model;
mod order;
mod prediction;
mod source;

pub use block::{
    Codec, Encoding, Joints, decode_block, decode_into, decode_payload, decode_range, encode_block,
};
pub use container::{
    BlockHeader, Column, Event, Footer, Header, Index, IndexEntry, MAGIC, MAX_METADATA, MAX_PAYLOAD,
    MAX_RECORDS, Parser, find_block, find_header, find_magic,
};
pub use error::{ArchiveError, Fault, Malformed};
pub use memory::{Archive, write_archive};
pub use order::{Joiner, join_games};
pub use source::Source;

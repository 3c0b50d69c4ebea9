//! Records of shogi training data and their formats: bytes to records and back, without files or threads.
//!
//! * [`record`]: the records themselves, [`Psv`](record::Psv), [`Hcpe`](record::Hcpe) and the compact ones byte for byte,
//!   and the format-neutral [`Record`]. [`move16`], of `komabako-rules`, and [`GameResult`] hold the conventions of their
//!   fields.
//! * [`FileFormat`]: the formats, their fields, and the [losses] of a conversion.
//! * [`FileFormat::decode`] and [`FileFormat::encode`]: one record from its bytes and back.
//! * [`boundaries`]: the ends of records in a stream; [`Block`]: consecutive whole records; [`Batch`]: their columns, to
//!   read and write many.
//! * [`games`]: formats whose records are the positions of games.
//! * [`detect`]: the format of a content, from its first bytes, and the evidence for it.
//! * [`legality`]: whether the recorded moves are legal.
//! * `stats`, `findings`: statistics and faults of records, with the feature `analysis`.
//! * [`order`]: seeded random orders and samples of records.
//! * `hash`: XXH3 of keys and files, with the feature of that name.
//!
//! `no_std` with `alloc`: a page, a Python module and a training loop can use it. Files, compression and multi-threaded
//! jobs are in `komabako-dataset`.
//!
//! ```
//! use komabako_record::{FileFormat, Record};
//! let text = "sfen startpos\nmove 7g7f\nscore 35\nply 1\nresult 1\ne";
//! let record: Record = FileFormat::Plain.decode(text.as_bytes())?;
//! let mut psv = Vec::new();
//! FileFormat::Psv.encode(&record, &mut psv)?;
//! assert_eq!(FileFormat::Psv.decode(&psv)?, record);
//! # Ok::<(), komabako_record::RecordFault>(())
//! ```

#![cfg_attr(not(feature = "std"), no_std)]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod batch;
pub mod block;
pub mod detect;
#[cfg(feature = "analysis")]
pub mod findings;
pub mod format;
pub mod games;
#[cfg(feature = "hash")]
pub mod hash;
pub mod legality;
pub mod order;
pub mod record;
#[cfg(feature = "analysis")]
pub mod stats;
mod text;

pub use batch::Batch;
pub use block::{Block, boundaries};
pub use format::{Field, FileFormat, Loss, LossKind, losses, packed_word, read_packed};
pub use komabako_rules::move16;
pub use record::fault::{self, RecordFault};
pub use record::{GameResult, Record};

/// The README's code, which runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

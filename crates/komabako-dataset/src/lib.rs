//! Files of shogi training positions: recognised, read record by record, and converted from one format to another.
//!
//! * [`record`]: the records themselves: [`Psv`](record::Psv), [`Hcpe`](record::Hcpe) and the compact ones byte for byte,
//!   and the neutral [`Record`]. [`move16`] and [`GameResult`] hold the conventions of their fields.
//! * [`FileFormat`]: the formats, the fields that each holds, and the [losses] of a conversion.
//! * [`detect`]: the format and compression of a file, and the reasons for them.
//! * [`RecordReader`]: reads records from any stream, in blocks.
//! * [`games`]: formats whose records are the positions of games.
//! * [`legality`]: the legality of the recorded moves.
//! * [`convert`]: converts whole files or a [`Selection`] of their records, on all cores, in constant memory.
//! * [`mix`]: interleaves records of several files by weights.
//! * [`kifu`]: converts game records in text, from files and archives, to training records.
//! * [`split`]: splits files by size, count, ratio or game.
//! * [`diff`]: compares two files by position.
//! * [`scores`]: merges columns of scores onto records and extracts them.
//! * [`rescore`]: gives records the scores and moves of an engine that speaks USI.
//! * [`stats`]: counts the contents of files.
//! * [`validate`]: reports the faults of files, level by level; [`repair`]: repairs those that can be repaired.
//! * [`sample_check`]: checks from a sample that a file matches its format, before a job writes anything.
//! * [`large`]: removes duplicates from files larger than memory and shuffles them; [`preflight`]: whether a machine can run that.
//!
//! ```
//! use komabako_dataset::{Block, FileFormat, RecordReader};
//! let text = "startpos\nsfen 4k4/9/9/9/9/9/9/9/4K4 w R2P 12\n";
//! let mut reader = RecordReader::new(text.as_bytes(), FileFormat::Sfen, "example");
//! let mut block = Block::default();
//! while reader.next_block(&mut block)? {
//!     for index in 0..block.len() {
//!         let record = block.decode(FileFormat::Sfen, index).expect("a good record");
//!         println!("{:?} at byte {}: {}", record.labels.ply, block.offset(index), record.setup);
//!     }
//! }
//! # Ok::<(), komabako_dataset::DatasetError>(())
//! ```

#![forbid(unsafe_code)]
// Jobs hold streams and functions of their callers.
#![allow(missing_debug_implementations)]

pub mod convert;
pub mod diff;
mod engine;
pub mod escape;
mod io;
mod job;
pub mod kifu;
pub mod large;
pub mod leftovers;
pub mod mix;
pub mod repair;
pub mod rescore;
pub mod sample_check;
pub mod scores;
pub mod select;
pub mod split;
pub mod stats;
pub mod validate;

pub use engine::in_order::InOrder;
pub use engine::progress::{Phase, Progress, Step};
pub use io::{
    BlockFile, Collection, Compression, DatasetError, Existing, Input, Inputs, Name, NotAPartition, Output,
    OutputWriter, Partition, RecordError, RecordReader, Source, Waiting, format_of, read_whole,
    reserve_output, stop_waiting_when, when_output_completes,
};
pub use io::{archive, compression, detect, error};
pub use job::{
    Counts, JobOptions, Limits, Lost, MoveReading, Note, OnBadRecord, Plan, Preflight, Request, preflight,
};
pub use select::Selection;

pub use komabako_record::{
    Batch, Block, Field, FileFormat, GameResult, Loss, LossKind, Record, RecordFault, format, games,
    legality, losses, move16, record,
};
use komabako_record::{batch, block, boundaries, read_packed};

/// The README's code, which runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

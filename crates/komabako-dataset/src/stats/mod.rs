//! The contents of files of records: counts, histograms, and how well scores predict results.
//!
//! [`Stats`] holds the statistics of the records seen so far; it is in `komabako-record` and needs no files. [`Job`] counts the
//! records of whole files, on all cores.
//!
//! ```no_run
//! use komabako_dataset::Input;
//! use komabako_dataset::stats::Job;
//! let summary = Job::new(vec![Input::path("games.psv.zst")]).plan()?.run(&mut ())?;
//! println!("{} records, mean ply {:?}", summary.stats.records, summary.stats.plies.spread.mean());
//! # Ok::<(), komabako_dataset::DatasetError>(())
//! ```
//!
//! Several machines can count one [`Partition`](crate::Partition) each and [save](Saved) the results. Merged, these equal the
//! count of the whole by one machine.

mod job;
mod saved;

pub use crate::select::games::{
    GameFields, GameFigures, GameStats, NumberBin, NumberFigures, TextCount, TextFigures,
};
pub use job::{Job, Summary};
pub use komabako_record::stats::*;
pub use saved::{MissingParts, Saved, SavedError, SavedFault, SavedInput, SavedPart};

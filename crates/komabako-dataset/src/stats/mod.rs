//! The contents of files of records: counts, histograms, and how well scores foretell results.
//!
//! [`Stats`] is what is known of the records seen so far; it counts without files, in `komabako-record`. [`Job`] counts the
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
//! Several machines count a [`Partition`](crate::Partition) each and [save](Saved) what they counted. Merged, that is what one
//! machine would have counted of the whole.

mod job;
mod saved;

pub use job::{Job, Plan, Summary};
pub use komabako_record::stats::*;
pub use saved::{MissingParts, Saved, SavedError, SavedFault, SavedInput, SavedPart};

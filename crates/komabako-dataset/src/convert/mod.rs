//! Conversion of files from any format that is read to any that is written.
//!
//! A [`Job`] says what to do. [`Job::plan`] looks at the inputs without writing anything: it finds their formats and
//! what the conversion will lose. [`Plan::run`] converts.
//!
//! ```no_run
//! use komabako_dataset::convert::Job;
//! use komabako_dataset::{Input, Output};
//! let job = Job::new(vec![Input::path("games.psv.zst")], Output::path("games.hcpe"));
//! let plan = job.plan()?;
//! for loss in plan.losses() {
//!     eprintln!("{loss}");
//! }
//! let summary = plan.run(&mut ())?;
//! eprintln!("{} records", summary.counts.written);
//! # Ok::<(), komabako_dataset::DatasetError>(())
//! ```
//!
//! # What holds whatever happens
//! Inputs are only read. A regular output is written under a temporary name in its directory and renamed when it is
//! complete, so that its name never stands for part of a conversion; on an error the temporary file is removed.
//! Memory is constant: about 2 MiB a thread and block in flight, whatever the size of the inputs.

mod by_position;
pub(crate) mod conversion;
mod plan;
mod rescale;
mod run;
mod whole_games;

pub use by_position::PositionScores;
pub use plan::Plan;
pub use rescale::{Rescale, Rescaled};

pub use crate::job::OnBadRecord;

use crate::io::score_column::Column;
use crate::{Compression, Counts, FileFormat, Input, JobOptions, Lost, Output, Partition, Selection};

/// A conversion to do.
pub struct Job<'a> {
    /// The inputs, converted one after the other into one output.
    pub inputs: Vec<Input<'a>>,
    /// The output.
    pub output: Output<'a>,
    /// The format to write; `None` to take it from the output's extension or, to a stream, to keep that of the inputs.
    pub to: Option<FileFormat>,
    /// How to compress the output; `None` to take it from the output's extension.
    pub compression: Option<Compression>,
    /// Which records to write.
    pub select: Selection,
    /// Which part of the records to take. Of a part, [`select`](Job::select) can have all records or judge each by itself, and
    /// formats that hold games are written only from the same format.
    pub partition: Partition,
    /// Whether records that stay in their format are copied byte for byte and not looked at, but for what a filter
    /// needs. Otherwise they are decoded and encoded too, which finds the bad ones. Games are always replayed.
    pub copy: bool,
    /// Scores to take the place of the records' own, one for each record of all inputs. Nothing is copied then.
    pub scores: Option<Column<'a>>,
    /// Scores to take the place of those of records with the same positions. Nothing is copied then.
    pub by_position: Option<PositionScores>,
    /// The change of scores. Nothing is copied then.
    pub rescale: Option<Rescale>,
    /// What to do with bad records.
    pub on_bad_record: OnBadRecord,
    /// How inputs are read, what the work runs on, and whether outputs may be replaced.
    pub options: JobOptions,
}

/// The outcome of a conversion.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// The records read, written and left out.
    pub counts: Counts,
    /// Records of a range that the inputs do not have, because they end before.
    pub beyond: u64,
    /// Games written; 0 if the output's format has none.
    pub games: u64,
    /// How many records had a position in [`Job::by_position`].
    pub matched: u64,
    /// How many scores were changed ([`Job::rescale`]).
    pub rescaled: Rescaled,
    /// What was lost of the written records, counted unless the last or a sample of them were written.
    pub losses: Vec<Lost>,
}

impl<'a> Job<'a> {
    /// A job with formats found out, stopping at bad records, on all CPUs, overwriting nothing.
    pub fn new(inputs: Vec<Input<'a>>, output: Output<'a>) -> Job<'a> {
        Job {
            inputs,
            output,
            to: None,
            compression: None,
            select: Selection::All,
            partition: Partition::WHOLE,
            copy: false,
            scores: None,
            by_position: None,
            rescale: None,
            on_bad_record: OnBadRecord::Stop,
            options: JobOptions::default(),
        }
    }
}

//! Conversion of files from any readable format to any writable one.
//!
//! A [`Job`] describes the conversion. [`Job::plan`] examines the inputs without writing anything: it finds their formats and
//! the losses of the conversion. [`Plan::run`](crate::Plan::run) converts.
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
//! # Guarantees
//! Inputs are only read. A regular output is written under a temporary name in its directory and renamed when it is
//! complete, so that a file of that name is never an incomplete conversion; on an error the temporary file is removed.
//! Memory does not depend on the size of the inputs: at most about 4 MiB per block in flight, of which there are two per thread
//! and two more.

mod by_position;
pub(crate) mod conversion;
mod plan;
mod rescale;
mod run;
mod whole_games;

pub use by_position::PositionScores;
pub use rescale::{Rescale, Rescaled};

pub use crate::job::OnBadRecord;

use std::sync::Arc;

use crate::io::score_column::{Column, Scores};
use crate::rescore::Answers;
use crate::select::games::LeftOutCounts;
use crate::{Compression, Counts, FileFormat, Input, JobOptions, Lost, Output, Partition, Selection};

/// A conversion to run.
pub struct Job<'a> {
    /// The inputs, converted one after the other into one output.
    pub inputs: Vec<Input<'a>>,
    /// The output.
    pub output: Output<'a>,
    /// The format to write; `None` to take it from the output's extension or, for a stream, from the inputs.
    pub to: Option<FileFormat>,
    /// The compression of the output; `None` to take it from the output's extension.
    pub compression: Option<Compression>,
    /// The records to write.
    pub select: Selection,
    /// The number of records after which the output ends, and reading too. [`Selection::Last`] and [`Selection::Sample`] have
    /// numbers of their own and no limit.
    pub limit: Option<u64>,
    /// The partition of the records to convert. With a partition, [`select`](Job::select) can only take all records or judge
    /// each separately, without a [`limit`](Job::limit).
    pub partition: Partition,
    /// Whether the output, an archive, is written behind the members of one that exists. That one stays as it is until all is written.
    pub append: bool,
    /// Whether the directory of the output is created if it does not exist.
    pub makes_directory: bool,
    /// Whether records that stay in their format are copied byte for byte, and decoded only if a filter needs it. Otherwise
    /// they are decoded and encoded too, which finds the bad ones. Games are always replayed.
    pub copy: bool,
    /// Whether a record with an ill-formed move is bad even if the move stays in its encoding, and is written as it is.
    pub check_moves: bool,
    /// The change of scores.
    pub scores: ScoreChange<Column<'a>>,
    /// The policy for bad records.
    pub on_bad_record: OnBadRecord,
    /// Options common to all jobs: format, threads, backend, and whether outputs may be replaced.
    pub options: JobOptions,
}

/// What happens to the scores of records. If they change, nothing is copied. `C` is a [`Column`]; the job itself has another
/// type in its place, which several threads read.
#[derive(Default)]
pub enum ScoreChange<C> {
    /// Nothing.
    #[default]
    Keep,
    /// They are replaced by those of a column, which has one for each record of all inputs.
    Column(C),
    /// Those of records with the same positions replace them.
    ByPosition(PositionScores),
    /// They are written in another unit.
    Rescale(Rescale),
    /// An engine's answers replace them, or the moves, or both: [`rescore`](crate::rescore).
    Answers(Arc<Answers>),
}

impl<C> ScoreChange<C> {
    /// Whether scores stay as they are.
    pub(crate) fn keeps(&self) -> bool {
        matches!(self, ScoreChange::Keep)
    }
}

impl<'a> ScoreChange<Column<'a>> {
    /// Starts reading the column, if there is one.
    fn read(self) -> ScoreChange<Scores<'a>> {
        match self {
            ScoreChange::Keep => ScoreChange::Keep,
            ScoreChange::Column(column) => ScoreChange::Column(column.read()),
            ScoreChange::ByPosition(known) => ScoreChange::ByPosition(known),
            ScoreChange::Rescale(rescale) => ScoreChange::Rescale(rescale),
            ScoreChange::Answers(answers) => ScoreChange::Answers(answers),
        }
    }

    /// The file of new scores, which no output may overwrite.
    fn input(&self) -> Option<Input<'static>> {
        match self {
            ScoreChange::Column(column) => column.input(),
            ScoreChange::ByPosition(known) => known.input(),
            ScoreChange::Keep | ScoreChange::Rescale(_) | ScoreChange::Answers(_) => None,
        }
    }
}

/// The outcome of a conversion.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// The records read, written and left out.
    pub counts: Counts,
    /// The number of records of a range that are missing because the inputs end earlier.
    pub beyond: u64,
    /// Games written; 0 if the output's format has none.
    pub games: u64,
    /// The number of records whose position has a score in [`ScoreChange::ByPosition`].
    pub matched: u64,
    /// The number of scores that were changed ([`ScoreChange::Rescale`]); of those of a [`ScoreChange::Column`] only the number
    /// that were clamped.
    pub rescaled: Rescaled,
    /// The games that a [choice](Selection::Games) left out.
    pub left_out: LeftOutCounts,
    /// The losses of the written records, counted unless only the last or a sample of the records were written.
    pub losses: Vec<Lost>,
}

impl<'a> Job<'a> {
    /// A job that detects formats, stops at bad records, uses all CPUs and overwrites nothing.
    pub fn new(inputs: Vec<Input<'a>>, output: Output<'a>) -> Job<'a> {
        Job {
            inputs,
            output,
            to: None,
            compression: None,
            select: Selection::All,
            limit: None,
            partition: Partition::WHOLE,
            append: false,
            makes_directory: false,
            copy: false,
            check_moves: false,
            scores: ScoreChange::Keep,
            on_bad_record: OnBadRecord::Stop,
            options: JobOptions::default(),
        }
    }
}

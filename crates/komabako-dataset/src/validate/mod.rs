//! Validation of files: the faults of their records, level by level.
//!
//! A [`Job`] reads files and checks every record at the requested [levels](Level). Each level is
//! counted separately, with the numbers of the first records that fail and one of them explained. Besides single records it
//! reports findings about the file as a whole ([`Diagnosis`]): another format, positions or moves in the form of
//! other programs, scores and results that contradict each other.
//!
//! ```
//! use komabako_dataset::validate::{Job, Level};
//! use komabako_dataset::{FileFormat, Input};
//! let text = "sfen startpos\nmove 7g7e\nscore 30\nply 1\nresult 1\ne\n";
//! let input = Input::Stream("example".into(), Box::new(text.as_bytes()));
//! let mut job = Job::new(vec![input]);
//! job.options.from = Some(FileFormat::Plain);
//! let report = job.run(&mut ())?;
//! let moves = report.files[0].level(Level::Move).expect("plain text has moves");
//! assert_eq!((moves.bad, moves.faults["MOVE_UNREACHABLE"]), (1, 1));
//! # Ok::<(), komabako_dataset::DatasetError>(())
//! ```
//!
//! # How records are judged
//! PSV that only the lenient reader accepts is judged as PSV: not being canonical is a finding. A position that does
//! not decode is read in other ways, to explain it; if none succeeds, rules and move are not
//! judged. If a move is legal, but the next position does not follow from it and does follow from the same bits read in
//! another encoding, that is a finding too; files in no particular order have none of these. Removed pieces (handicaps, tsume
//! problems) and a single missing king are valid where the format holds them. A ply that is the same in all records of a
//! file counts as unknown.
//!
//! The speed on one core of a common computer is several million records per second; validation takes twice the time of
//! [`MoveChecker`] if no record has a move.
//!
//! [`MoveChecker`]: crate::legality::MoveChecker

mod report;
mod report_builder;

pub use komabako_record::findings::{
    Contradiction, Convention, Finding, Level, Levels, Mirror, Misread, OtherEncoding, UnknownLevel,
    WrongField,
};
pub use report::{Diagnosis, Example, FileReport, LevelReport, Report};

use std::ops::Range;
use std::time::Instant;

use komabako_codec::Backend;
use komabako_record::findings::{BlockFindings, Buffers, Examiner};

use self::report_builder::ReportBuilder;
use crate::block::{Block, Cuts};
use crate::engine::pipeline::{self, Work};
use crate::games::StreamFinding;
use crate::job::{Plan, Request};
use crate::{
    Compression, DatasetError, FileFormat, Input, Inputs, JobOptions, Partition, Preflight, Progress,
};

/// A validation to run.
pub struct Job<'a> {
    /// The inputs.
    pub inputs: Vec<Input<'a>>,
    /// The partition of the records to judge. Findings about many records together are then about those of the partition, and
    /// inputs without records in it are not reported.
    pub partition: Partition,
    /// Options common to all jobs: format, threads and backend.
    pub options: JobOptions,
    /// The levels to judge; no others are reported.
    pub levels: Levels,
    /// Whether to stop at the first finding about a record.
    pub fail_fast: bool,
}

impl<'a> Job<'a> {
    /// A job at the [default levels](Levels::DEFAULT) that detects formats and uses all CPUs.
    pub fn new(inputs: Vec<Input<'a>>) -> Job<'a> {
        let partition = Partition::WHOLE;
        let options = JobOptions::default();
        Job { inputs, partition, options, levels: Levels::DEFAULT, fail_fast: false }
    }

    /// Examines the inputs, up to 256 KiB of each.
    ///
    /// # Errors
    /// An input cannot be opened or recognised, or for a partition its records cannot be counted beforehand
    /// ([`DatasetError::ReadOnce`]).
    pub fn plan(mut self) -> Result<Plan<'a, Job<'a>>, DatasetError> {
        // Always salvages: a truncated input is a finding, not an error.
        let mut inputs = Inputs::examine(std::mem::take(&mut self.inputs), self.options.from, true)?;
        inputs.use_threads(self.options.threads);
        inputs.keep_part(self.partition)?;
        // The record after the last one may resolve its move.
        inputs.look_ahead();
        self.options.threads = pipeline::threads(self.options.threads);
        let preflight = Preflight::of_pass(&inputs, self.options.threads);
        let compression = Compression::None;
        Ok(Plan { request: self, inputs, to: None, compression, preflight, ready: () })
    }

    /// Validates.
    ///
    /// # Errors
    /// The errors of [`Job::plan`] and [`Plan::run`].
    pub fn run(self, progress: &mut dyn Progress) -> Result<Report, DatasetError> {
        self.plan()?.run(progress)
    }
}

/// Judges the records of a range.
struct Examination {
    examiner: Examiner,
    range: Range<u64>,
}

/// The findings in a block.
#[derive(Default)]
struct Examined {
    /// The indices of the records that were judged.
    rows: Range<usize>,
    found: BlockFindings,
}

impl Work for Examination {
    type Scratch = Buffers;
    type Product = Examined;

    fn scratch(&self) -> Buffers {
        self.examiner.buffers()
    }

    fn work(&self, buffers: &mut Buffers, from: FileFormat, block: &Block, examined: &mut Examined) {
        let Examined { rows, found } = examined;
        *rows = block.indices(&self.range);
        self.examiner.examine_rows(buffers, from, block, rows.clone(), found);
        // A game is either wholly inside the range or outside.
        let ordinal = |game: &StreamFinding| block.ordinal() + (game.record - block.first_record());
        found.games.retain(|game| self.range.contains(&ordinal(game)));
    }
}

/// Reports the findings in stretches of an input, each a whole number of records.
pub(crate) fn examine_stretches(
    format: FileFormat,
    stretches: &[Vec<u8>],
    levels: Levels,
    each: &mut dyn FnMut(&Finding),
) {
    let Some(size) = format.record_size() else { return };
    let examiner = Examiner { levels, backend: Backend::detect() };
    let mut buffers = examiner.buffers();
    let mut found = BlockFindings::default();
    for bytes in stretches {
        // One block per stretch: the first record of the next one does not follow the last of this one.
        let cuts = Cuts::Every { size, count: bytes.len() / size };
        examiner.examine(&mut buffers, format, &Block::new(bytes.clone(), cuts), &mut found);
        found.findings.iter().for_each(|(_, finding)| each(finding));
    }
}

/// Faults of records are not errors; they are in the report, and so is an input that ends inside a record.
impl<'a> Request<'a> for Job<'a> {
    type To = Option<FileFormat>;
    type Ready = ();
    type Summary = Report;

    fn perform(plan: Plan<'a, Self>, progress: &mut dyn Progress) -> Result<Report, DatasetError> {
        let start = Instant::now();
        let Plan { request: Job { levels, fail_fast, options, .. }, inputs, .. } = plan;
        let JobOptions { threads, backend, .. } = options;
        let mut builder = ReportBuilder::new(inputs.sources(), levels, fail_fast);
        let window = inputs.window().clone();
        let work = Examination { examiner: Examiner { levels, backend }, range: window.range().clone() };
        let bytes_read = pipeline::run(inputs, threads, &work, progress, &mut builder)?;
        let stopped = builder.stopped;
        let files = builder.finish(|source| window.touches(source));
        Ok(Report { files, stopped, bytes_read, seconds: start.elapsed().as_secs_f64() })
    }
}

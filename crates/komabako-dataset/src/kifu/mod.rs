//! Game records as text (KIF, KI2, CSA, JKF, USI): found in files, folders and archives, and made into training records.
//!
//! A thread reads files one after the other, workers make records of them, one file at a time, and the results are written in
//! the order of the inputs, whatever the number of threads. A game that cannot be read is named with its line and column
//! and, unless the job is to stop there, left out; the others come out.
//!
//! Which score a record has, which result, and which moves make records is `komabako-kifu`'s specification, §8.

mod positions;
mod run;
mod source;

use std::collections::BTreeMap;
use std::path::PathBuf;

pub use komabako_kifu::{Format, KifuError, ScoreView};

pub use self::source::{Loaded, Sources, is_game_file};
use crate::io::error::JobError;
use crate::{Compression, FileFormat, Output};

/// Which scores records get.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ScoreSource {
    /// What the mover thought before the move, else an analysis of the position.
    #[default]
    Mover,
    /// An analysis of the position, else what the mover thought.
    After,
    /// None.
    None,
}

/// What becomes of positions without a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum MissingScore {
    /// They make no record. In formats of games, which keep whole games, their score is 0.
    #[default]
    Skip,
    /// This score, from the view of the side to move.
    Value(i16),
}

/// What becomes of games without a winner that are no draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Unfinished {
    /// They make no records.
    #[default]
    Skip,
    /// They are draws.
    Draw,
}

/// How games become records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PositionOptions {
    /// Which scores.
    pub score: ScoreSource,
    /// Whose view they are in.
    pub view: ScoreView,
    /// What without one.
    pub missing: MissingScore,
    /// What without a result.
    pub unfinished: Unfinished,
    /// Whether the moves of variations make records too, each once.
    pub variations: bool,
}

/// What to do with games that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum OnBadGame {
    /// Leave them out and count them.
    #[default]
    Skip,
    /// Stop at the first, and leave no output.
    Stop,
    /// Leave them out, and write this file of tab-separated values: the input, line, column, fault and message of each. The
    /// games themselves stay where they are, in the inputs. The file is not made if no game is bad.
    List(PathBuf),
}

/// Game records to training records.
///
/// ```no_run
/// use komabako_dataset::Output;
/// use komabako_dataset::kifu::Job;
/// let job = Job { recursive: true, ..Job::new(vec!["games".into()], Output::path("out.psv")) };
/// let summary = job.run(&mut ())?;
/// println!("{} records of {} games", summary.records, summary.games);
/// # Ok::<(), komabako_dataset::DatasetError>(())
/// ```
pub struct Job<'a> {
    /// Files, archives (`.zip`) and, with `recursive`, folders.
    pub inputs: Vec<PathBuf>,
    /// Whether to look into folders, in the order of names.
    pub recursive: bool,
    /// Where the records go.
    pub output: Output<'a>,
    /// Their format; `None` for that of the output's extension.
    pub to: Option<FileFormat>,
    /// How to compress; `None` as the output's extension says.
    pub compression: Option<Compression>,
    /// How games become records.
    pub positions: PositionOptions,
    /// What to do with games that cannot be read.
    pub on_bad_game: OnBadGame,
    /// How many threads make records; 0 for as many as the machine has cores.
    pub threads: usize,
    /// Whether the output may be overwritten.
    pub force: bool,
}

impl<'a> Job<'a> {
    /// The job with all options at their defaults.
    pub fn new(inputs: Vec<PathBuf>, output: Output<'a>) -> Self {
        Job {
            inputs,
            recursive: false,
            output,
            to: None,
            compression: None,
            positions: PositionOptions::default(),
            on_bad_game: OnBadGame::default(),
            threads: 0,
            force: false,
        }
    }
}

/// A game that could not be read, or made no records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadGame {
    /// The file, or `ARCHIVE!MEMBER`.
    pub input: String,
    /// What is wrong.
    pub fault: BadGameFault,
}

/// Why a game is left out.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum BadGameFault {
    /// It cannot be read.
    Kifu(KifuError),
    /// The file cannot be read or decompressed, or is too large.
    File(String),
    /// The output's format cannot hold a position of it; the number of the move.
    Record(u32, crate::RecordFault),
}

impl BadGameFault {
    /// The name of the fault that does not change between releases: `ILLEGAL_MOVE`.
    pub const fn name(&self) -> &'static str {
        match self {
            BadGameFault::Kifu(error) => error.fault.name(),
            BadGameFault::File(_) => "FILE",
            BadGameFault::Record(_, fault) => fault.name(),
        }
    }
}

impl core::fmt::Display for BadGame {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let input = &self.input;
        match &self.fault {
            BadGameFault::Kifu(error) => write!(f, "{input}: {error}"),
            BadGameFault::File(error) => write!(f, "{input}: {error}"),
            BadGameFault::Record(number, fault) => write!(f, "{input}: move {number}: {fault}"),
        }
    }
}

impl core::error::Error for BadGame {}

impl JobError for BadGame {
    fn kind(&self) -> &'static str {
        "bad_game"
    }
}

/// What a job did.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// Files and members of archives that were read.
    pub files: u64,
    /// Their bytes, decompressed.
    pub bytes_read: u64,
    /// Games that were read.
    pub games: u64,
    /// Lines beside the main lines.
    pub variations: u64,
    /// Games without a result that were left out.
    pub unfinished: u64,
    /// Records that were written.
    pub records: u64,
    /// Bytes that were written, before compression.
    pub bytes_written: u64,
    /// Games that were written, in formats of games.
    pub games_written: u64,
    /// Records with a score of the game's.
    pub scores: u64,
    /// Positions that were left out for want of a score.
    pub without_score: u64,
    /// Scores beyond ±32000, which were clamped.
    pub clamped: u64,
    /// Things that were read, but not as they stand.
    pub notices: u64,
    /// How games ended, by CSA's names; `-` without an ending.
    pub endings: BTreeMap<String, u64>,
    /// Games that were left out because they are bad.
    pub bad: u64,
    /// How many of them by [fault](BadGameFault::name).
    pub faults: BTreeMap<&'static str, u64>,
    /// The first of them.
    pub samples: Vec<BadGame>,
    /// Time taken.
    pub seconds: f64,
}

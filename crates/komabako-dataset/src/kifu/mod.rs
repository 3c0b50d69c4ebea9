//! Converts game records in text (KIF, KI2, CSA, JKF, USI), from files, folders and archives, to training records.
//!
//! A thread lists the files and the members of archives, workers read and convert them, and the results are written in
//! the order of the inputs, for any number of threads. A file larger than memory is read, converted and written in parts. A game that cannot be read is reported with its line and column
//! and, unless the job is to stop there, left out; the others are converted.
//!
//! The score and result of a record, and the moves that yield records, are specified by `komabako-kifu`, §8.

mod archive;
mod bad_games;
mod positions;
mod reading;
mod run;
mod source;

use std::collections::BTreeMap;
use std::path::PathBuf;

pub use komabako_kifu::{Format, KifuError, ReadOptions, ScoreView};

pub use self::archive::ArchiveFault;
pub use self::bad_games::{BadGame, BadGameFault, BadGameList};
pub use self::positions::{records_of_game, scores_of_game};
pub use self::reading::{Found, GameFile};
pub use self::source::{InputFiles, PassedBy, Sources, holds_games, is_game_file};
use crate::select::games::{GameChoice, LeftOutCounts};
use crate::{Compression, FileFormat, Name, Output};

/// The choice of scores for records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum ScoreSource {
    /// The mover's evaluation before the move, or else an analysis of the position.
    #[default]
    Mover,
    /// An analysis of the position, or else the mover's evaluation.
    After,
    /// None.
    None,
}

/// The treatment of positions without a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum MissingScore {
    /// They yield no record. In formats of games, which keep whole games, their score is 0.
    #[default]
    Skip,
    /// They get this score, from the view of the side to move.
    Value(i16),
}

/// The treatment of games, and of variations, without a winner that are not draws.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum Unfinished {
    /// They yield no records.
    #[default]
    Skip,
    /// They count as draws.
    Draw,
}

/// Options for converting games to records.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PositionOptions {
    /// The choice of scores.
    pub score: ScoreSource,
    /// The view of the scores.
    pub view: ScoreView,
    /// The treatment of positions without a score.
    pub missing: MissingScore,
    /// The treatment of games without a result.
    pub unfinished: Unfinished,
    /// Whether the moves of variations yield records too, each once, with the result of their own line; never in formats of games,
    /// which hold one line of moves.
    pub variations: bool,
}

/// The policy for games that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub enum OnBadGame {
    /// Leave them out and count them.
    #[default]
    Skip,
    /// Stop at the first one, and leave no output.
    Stop,
    /// Leave them out, and write this [list](BadGameList).
    List(PathBuf),
}

/// Converts game records to training records.
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
    /// Files, archives (`.zip`, `.7z`, `.lzh`) and, with `recursive`, folders.
    pub inputs: Vec<PathBuf>,
    /// Whether to search folders, in the order of names.
    pub recursive: bool,
    /// The output for the records.
    pub output: Output<'a>,
    /// Their format; `None` to take it from the output's extension.
    pub to: Option<FileFormat>,
    /// The compression; `None` to take it from the output's extension.
    pub compression: Option<Compression>,
    /// The games that are taken.
    pub choice: GameChoice,
    /// Options for converting games to records.
    pub positions: PositionOptions,
    /// The policy for games that cannot be read.
    pub on_bad_game: OnBadGame,
    /// The number of threads that convert; 0 for one per core.
    pub threads: usize,
    /// Whether the output may be overwritten.
    pub force: bool,
}

impl<'a> Job<'a> {
    /// A job with all options at their defaults.
    pub fn new(inputs: Vec<PathBuf>, output: Output<'a>) -> Self {
        Job {
            inputs,
            recursive: false,
            output,
            to: None,
            compression: None,
            choice: GameChoice::default(),
            positions: PositionOptions::default(),
            on_bad_game: OnBadGame::default(),
            threads: 0,
            force: false,
        }
    }
}

/// The outcome of a job.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// Files and members of archives read.
    pub files: u64,
    /// Their size in bytes, decompressed.
    pub bytes_read: u64,
    /// Games read.
    pub games: u64,
    /// Those of them that the choice left out. What follows counts the others.
    pub left_out: LeftOutCounts,
    /// Lines other than main lines.
    pub variations: u64,
    /// Games left out because they have no result.
    pub unfinished: u64,
    /// Variations left out because they have no result, if variations were to yield records.
    pub unfinished_variations: u64,
    /// Games without a move, which yield no records.
    pub without_moves: u64,
    /// Records written.
    pub records: u64,
    /// Bytes written, before compression.
    pub bytes_written: u64,
    /// Whether the output was written. A file is not if no game could be read: an existing one stays as it was.
    pub has_output: bool,
    /// Games written, in formats of games.
    pub games_written: u64,
    /// Records with a score from the game record.
    pub scores: u64,
    /// Positions left out because they have no score; formats of whole games keep them, with score 0, and hcpe3 as ones that are not
    /// for training.
    pub without_score: u64,
    /// Scores beyond ±32000, which were clamped.
    pub clamped: u64,
    /// Irregularities that were tolerated in reading.
    pub notices: u64,
    /// The endings of games, by CSA's names; `-` without an ending.
    pub endings: BTreeMap<String, u64>,
    /// Games left out because they are bad.
    pub bad: u64,
    /// The number of bad games by [fault](BadGameFault::name).
    pub faults: BTreeMap<&'static str, u64>,
    /// The first bad games.
    pub samples: Vec<BadGame>,
    /// The first links, archives with something that was not read, and other files.
    pub passed_by: Vec<(Name, PassedBy)>,
    /// Time taken.
    pub seconds: f64,
}

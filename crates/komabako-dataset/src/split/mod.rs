//! Files of records split into several.
//!
//! A [`Job`] describes the split: into consecutive parts, by records, by bytes or by the number of parts, or at
//! random by a ratio. If it is by game, no game straddles two parts; [`Job::by_game`] defines where a game ends.
//!
//! ```no_run
//! use komabako_dataset::Input;
//! use komabako_dataset::split::{Job, Names, Rule};
//! let rule = Rule::Ratio { weights: vec![98, 2], seed: 7 };
//! let names = Names::Each(vec!["train.psv".into(), "valid.psv".into()]);
//! let job = Job { by_game: true, ..Job::new(vec![Input::path("games.psv")], rule, names) };
//! for part in job.run(&mut ())?.parts {
//!     println!("{}: {} records", part.name, part.records);
//! }
//! # Ok::<(), komabako_dataset::DatasetError>(())
//! ```
//!
//! Parts appear under their names only when all are complete.

mod game;
mod names;
mod part;
mod part_chooser;
mod run;

pub use self::names::Names;

use std::num::NonZeroU64;

use crate::job::{Counts, JobOptions, OnBadRecord};
use crate::{DatasetError, FileFormat, Input, Lost};

/// The rule by which records are distributed. Consecutive parts are the inputs in their order, divided.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Rule {
    /// Parts of this many records each; the last one has the remainder.
    Records(NonZeroU64),
    /// Parts of at most this many bytes each before compression, with the header if the format has one; a longer record gets a
    /// part of its own.
    Bytes(NonZeroU64),
    /// This many parts, at most [`Rule::MAX_PARTS`], as equal as possible. The records are counted first, which means reading
    /// compressed files and text.
    Parts(NonZeroU64),
    /// One part per weight. Each record, or each game if it is by game, goes to a random part, with a probability in
    /// proportion to the part's weight, independently of the others; so the sizes are only approximate.
    Ratio {
        /// The weights; at least one of them is more than 0.
        weights: Vec<u64>,
        /// The seed. The same seed distributes the same records in the same way.
        seed: u64,
    },
}

impl Rule {
    /// The maximum number of parts of a ratio: all are open at once.
    pub const RATIO_PARTS: usize = 256;

    /// The maximum number of parts for [`Rule::Parts`]: each has a file, empty or not.
    pub const MAX_PARTS: u64 = 1 << 16;

    /// The number of parts, if it is known beforehand.
    ///
    /// # Errors
    /// [`DatasetError::TooManyParts`], or [`DatasetError::Ratio`] if the weights are invalid.
    fn parts(&self) -> Result<Option<u64>, DatasetError> {
        match self {
            Rule::Records(_) | Rule::Bytes(_) => Ok(None),
            Rule::Parts(parts) if parts.get() > Rule::MAX_PARTS => {
                Err(DatasetError::TooManyParts { parts: parts.get(), most: Rule::MAX_PARTS })
            }
            Rule::Parts(parts) => Ok(Some(parts.get())),
            Rule::Ratio { weights, .. } => {
                let total = weights.iter().try_fold(0_u64, |sum, &weight| sum.checked_add(weight));
                match total {
                    Some(1..) if weights.len() <= Rule::RATIO_PARTS => Ok(Some(weights.len() as u64)),
                    _ => Err(DatasetError::Ratio),
                }
            }
        }
    }
}

/// A split to run.
pub struct Job<'a> {
    /// The inputs, treated as one.
    pub inputs: Vec<Input<'a>>,
    /// The format to write; `None` to take it from the parts' extension. The extension also determines the compression.
    pub to: Option<FileFormat>,
    /// The rule by which records are distributed.
    pub rule: Rule,
    /// The names of the parts.
    pub names: Names,
    /// Whether games are kept whole: a part ends at the first end of a game after it has reached its size, and a
    /// ratio applies to games. Parts of a format that [holds games](FileFormat::holds_games) never divide one.
    ///
    /// An input that holds games defines them. In other formats, a record continues the game of the record
    /// before it in the same input if
    ///
    /// * the recorded move of the earlier record leads to its position, or
    /// * its ply is higher by a number *n* of moves, which is odd or even in agreement with the sides to move, and at most 2 *n*
    ///   squares of the board differ, since a move changes two, or
    /// * one of the two has no ply, or both have the same, as in files that never counted it, and at most 8 squares differ.
    ///
    /// A move that leads elsewhere proves nothing: it may be the best move although another was played, positions of the game
    /// may be left out, and the move may be in an encoding other than the format's. So a game with correct plies is
    /// never divided; and if two games are occasionally taken for one, they go to the same part.
    pub by_game: bool,
    /// The policy for bad records. Records that stay in their format are copied without being decoded, unless the split is by
    /// game.
    pub on_bad_record: OnBadRecord,
    /// Options common to all jobs: format, threads, backend, and whether outputs may be replaced.
    pub options: JobOptions,
}

impl<'a> Job<'a> {
    /// A split that detects formats, is not by game, stops at bad records, uses all CPUs and overwrites nothing.
    pub fn new(inputs: Vec<Input<'a>>, rule: Rule, names: Names) -> Job<'a> {
        Job {
            inputs,
            to: None,
            rule,
            names,
            by_game: false,
            on_bad_record: OnBadRecord::Stop,
            options: JobOptions::default(),
        }
    }
}

/// The outcome of a split.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// The records read, written and left out.
    pub counts: Counts,
    /// The parts, in their order.
    pub parts: Vec<Part>,
    /// The number of games, if the split was by game; for parts that hold games, the number written.
    pub games: Option<u64>,
    /// The losses of the records in all parts together.
    pub losses: Vec<Lost>,
}

/// A part that was written.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its records.
    pub records: u64,
    /// Its bytes, before compression.
    pub bytes: u64,
}

//! Files of records split into several.
//!
//! A [`Job`] says how: into parts that follow each other, by records, by bytes or by the number of parts, or at
//! random by a ratio. By game, no game straddles two parts; [`Job::by_game`] defines where a game ends.
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
pub use self::run::Plan;

use std::num::NonZeroU64;

use crate::job::{Counts, JobOptions, OnBadRecord};
use crate::{DatasetError, FileFormat, Input, Lost};

/// How records are shared out. Parts that follow each other are the inputs in their order, cut.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rule {
    /// Parts of this many records each; the last one has what remains.
    Records(NonZeroU64),
    /// Parts of at most this many bytes each before compression; a longer record is a part of its own.
    Bytes(NonZeroU64),
    /// So many parts, at most [`Rule::MOST_PARTS`], as equal as can be. The records are counted first; those of compressed
    /// files and text are read for that.
    Parts(NonZeroU64),
    /// One part a weight. Each record, or by game each game, goes to one of them at random, with a probability in
    /// proportion to its weight, whatever becomes of the others; so the sizes are about as asked for.
    Ratio {
        /// The weights; one of them is more than 0.
        weights: Vec<u64>,
        /// The same seed shares out the same records the same way.
        seed: u64,
    },
}

impl Rule {
    /// The most parts that a ratio has: all are open at once.
    pub const RATIO_PARTS: usize = 256;

    /// The most parts that may be asked for by their number: each has a file, empty or not.
    pub const MOST_PARTS: u64 = 1 << 16;

    /// The number of parts, if it is known beforehand.
    ///
    /// # Errors
    /// [`DatasetError::TooManyParts`], or [`DatasetError::Ratio`] if the weights are no ratio.
    fn parts(&self) -> Result<Option<u64>, DatasetError> {
        match self {
            Rule::Records(_) | Rule::Bytes(_) => Ok(None),
            Rule::Parts(parts) if parts.get() > Rule::MOST_PARTS => {
                Err(DatasetError::TooManyParts { parts: parts.get(), most: Rule::MOST_PARTS })
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

/// A split to do.
pub struct Job<'a> {
    /// The inputs, as if they were one.
    pub inputs: Vec<Input<'a>>,
    /// The format to write; `None` to take it from the extension of the parts. Compression is as their extension says.
    pub to: Option<FileFormat>,
    /// How the records are shared out.
    pub rule: Rule,
    /// The names of the parts.
    pub names: Names,
    /// Whether a game is never cut: a part that follows another begins with a game, once the other has its size, and a
    /// ratio is one of games. Parts of a format that [holds games](FileFormat::holds_games) never cut one.
    ///
    /// The games of an input that holds games are its own. In other formats, a record continues the game of the one
    /// before it in the same input if
    ///
    /// * the recorded move of the one before leads to its position, or
    /// * its ply is higher by some number *n* of moves, odd or even as the sides to move say, and at most 2 *n* squares
    ///   of the board differ, since a move changes two, or
    /// * one of the two has no ply, or both have the same, as where it was never counted, and at most 8 squares differ.
    ///
    /// A move that leads elsewhere says nothing: it may be the best one where another was played, positions of the game
    /// may be left out, and the move may be in another encoding than the format's. So a game whose plies are right is
    /// never cut; and if now and then two games are taken for one, they go to one part.
    pub by_game: bool,
    /// What to do with bad records. Records that stay in their format are copied and not looked at, but by game.
    pub on_bad_record: OnBadRecord,
    /// How inputs are read, what the work runs on, and whether outputs may be replaced.
    pub options: JobOptions,
}

impl<'a> Job<'a> {
    /// A split with formats found out, not by game, stopping at bad records, on all CPUs, overwriting nothing.
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

/// What a split did.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// The records read, written and left out.
    pub counts: Counts,
    /// The parts, in their order.
    pub parts: Vec<Part>,
    /// Games, if it was by game; of parts that hold games, those written.
    pub games: Option<u64>,
    /// What was lost of the records in all parts together.
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

//! Scores and moves of records, given anew by an engine that speaks USI.
//!
//! A [`Job`] asks several processes of an engine about each position, and then writes the records with the answers:
//!
//! ```text
//! read     every record once; its position goes to the next free engine
//! answers  in the order of the records, to OUTPUT.answers (8 bytes a record)
//! write    the records once more, with the answers: a conversion
//! remove   OUTPUT.answers
//! ```
//!
//! A killed run leaves its answers, and a [resumed](Job::resume) one asks only for the rest. If the engine's answer depends on its
//! position alone ([`EngineCommand::new_game_each`], one thread, a limit by nodes or depth), the output has the same bytes for any
//! number of engines, interrupted or not.
//!
//! ```no_run
//! use std::time::Duration;
//! use komabako_dataset::rescore::{EngineCommand, Job};
//! use komabako_dataset::{Input, Output, convert};
//! let engine = EngineCommand {
//!     program: "YaneuraOu".into(),
//!     arguments: Vec::new(),
//!     options: vec![("Threads".into(), "1".into())],
//!     go: "nodes 20000".into(),
//!     timeout: Duration::from_secs(60),
//!     new_game_each: true,
//! };
//! let conversion = convert::Job::new(vec![Input::path("games.psv")], Output::path("rescored.psv"));
//! let summary = Job { engines: 4, ..Job::new(conversion, engine) }.plan()?.run(&mut ())?;
//! eprintln!("{} mates", summary.scored.mates);
//! # Ok::<(), komabako_dataset::DatasetError>(())
//! ```

mod answers;
mod asking;
mod column;
mod engine;
mod error;
mod pool;
mod reply;
mod run;

pub(crate) use self::answers::Answer;
pub use self::answers::Answers;
pub use self::engine::EngineCommand;
pub use self::error::{EngineFault, RescoreError};
use self::reply::ScoreKind;
use crate::convert;

/// New labels for records.
pub struct Job<'a> {
    /// The conversion that writes the records, which finds the policy for bad ones: a position at which the engine failed twice is one.
    /// Its inputs are files, since they are read twice; its scores stay.
    pub conversion: convert::Job<'a>,
    /// The engine.
    pub engine: EngineCommand,
    /// The number of processes of the engine.
    pub engines: usize,
    /// The labels to replace.
    pub replace: Replace,
    /// Whether the output is a [column](crate::scores) of the scores instead of the records. Bad records have rows there, without a
    /// score.
    pub as_column: bool,
    /// Whether to go on with the answers of an earlier run.
    pub resume: bool,
}

/// The labels that an engine's answers replace.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Replace {
    /// The score.
    #[default]
    Score,
    /// The move.
    Move,
    /// Both.
    Both,
}

impl Replace {
    pub(crate) fn replaces_score(self) -> bool {
        self != Replace::Move
    }

    pub(crate) fn replaces_move(self) -> bool {
        self != Replace::Score
    }
}

/// The outcome of a job.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// The records that were written.
    pub conversion: convert::Summary,
    /// The answers, those of earlier runs included.
    pub scored: Scored,
    /// The answers that an earlier run had left.
    pub earlier: u64,
    /// The engines that were started anew.
    pub restarts: u32,
}

/// The numbers of answers, by kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Scored {
    /// Exact evaluations.
    pub exact: u64,
    /// Those of them that were beyond ±29999 and clamped.
    pub clamped: u64,
    /// Mates.
    pub mates: u64,
    /// Bounds, where the engine gave nothing exact.
    pub bounds: u64,
    /// Positions from which no game can be played: not asked, their labels stay.
    pub not_asked: u64,
    /// Answers without a move, of an engine that resigns or declares a win: the moves of their records stay.
    pub without_move: u64,
    /// Positions at which the engine failed twice.
    pub failed: u64,
}

impl Scored {
    fn add(&mut self, answer: Answer) {
        match answer {
            Answer::Reply(reply) => {
                self.without_move += u64::from(reply.mv.is_none());
                match reply.kind {
                    ScoreKind::Exact => self.exact += 1,
                    ScoreKind::Clamped => {
                        self.exact += 1;
                        self.clamped += 1;
                    }
                    ScoreKind::Mate => self.mates += 1,
                    ScoreKind::Bound => self.bounds += 1,
                }
            }
            Answer::NotAsked => self.not_asked += 1,
            Answer::Failed => self.failed += 1,
            Answer::Bad => {}
        }
    }
}

impl<'a> Job<'a> {
    /// A job with one engine that replaces scores.
    pub fn new(conversion: convert::Job<'a>, engine: EngineCommand) -> Job<'a> {
        Job { conversion, engine, engines: 1, replace: Replace::Score, as_column: false, resume: false }
    }
}

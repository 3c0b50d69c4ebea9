//! Records of several inputs interleaved by weights.
//!
//! A [`Job`] says what to do; [`Job::plan`] looks at the inputs without writing anything, [`Plan::run`] mixes.
//!
//! ```no_run
//! use core::num::NonZeroU32;
//! use komabako_dataset::mix::Job;
//! use komabako_dataset::{Input, Output};
//! let weight = |weight| NonZeroU32::new(weight).unwrap();
//! let inputs = vec![(Input::path("a.psv"), weight(3)), (Input::path("b.psv"), weight(1))];
//! let summary = Job::new(inputs, Output::path("mixed.psv"), 7).plan()?.run(&mut ())?;
//! eprintln!("{} records", summary.counts.written);
//! # Ok::<(), komabako_dataset::DatasetError>(())
//! ```
//!
//! # The order
//! Each record of the output is drawn from one of the inputs that are not at their end, with a probability in proportion to
//! its weight; the records of an input stay in their order. So of a long run with weights 3 and 1 about three quarters come
//! from the first. The draws are the stream of a seeded generator: the output depends on the inputs, weights and seed alone.
//!
//! # Memory
//! One pass, without temporary files: every input has about 2 MiB in memory, whatever its size.

mod lane;
mod plan;
mod run;

pub use self::plan::Plan;

use core::num::NonZeroU32;

use crate::{Compression, Counts, FileFormat, Input, JobOptions, Lost, OnBadRecord, Output};

/// A mixture to make.
pub struct Job<'a> {
    /// The inputs, each with its weight.
    pub inputs: Vec<(Input<'a>, NonZeroU32)>,
    /// The output.
    pub output: Output<'a>,
    /// The format to write; `None` to take it from the output's extension or, to a stream, to keep that of the inputs. Records
    /// that are in this format already keep all their bytes, unread.
    pub to: Option<FileFormat>,
    /// How to compress the output; `None` to take it from the output's extension.
    pub compression: Option<Compression>,
    /// What happens when an input ends before the others.
    pub first_end: FirstEnd,
    /// The seed of the draws.
    pub seed: u64,
    /// What to do with bad records.
    pub on_bad_record: OnBadRecord,
    /// How inputs are read, what the work runs on, and whether outputs may be replaced.
    pub options: JobOptions,
}

/// What happens when an input ends before the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FirstEnd {
    /// The others are mixed by their weights to their ends, so that no record is left out.
    #[default]
    Continue,
    /// The output ends when a record of it is next, so that the weights hold throughout.
    Stop,
}

/// The outcome of a mixture.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// What each input gave, in the order of the inputs.
    pub shares: Vec<Share>,
    /// The records read, written and left out.
    pub counts: Counts,
    /// What was lost of the written records.
    pub losses: Vec<Lost>,
}

/// What an input gave.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Share {
    /// The name of the input.
    pub input: String,
    /// Its weight.
    pub weight: u32,
    /// How many records of it were written.
    pub written: u64,
    /// How many records the output had when it ended; `None` if the output ended before.
    pub ended_at: Option<u64>,
}

impl<'a> Job<'a> {
    /// A job with formats found out that mixes all records, stopping at bad ones, overwriting nothing.
    pub fn new(inputs: Vec<(Input<'a>, NonZeroU32)>, output: Output<'a>, seed: u64) -> Job<'a> {
        Job {
            inputs,
            output,
            to: None,
            compression: None,
            first_end: FirstEnd::Continue,
            seed,
            on_bad_record: OnBadRecord::Stop,
            options: JobOptions::default(),
        }
    }
}

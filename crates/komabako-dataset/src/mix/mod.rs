//! Interleaves the records of several inputs by weights.
//!
//! A [`Job`] describes the mixture; [`Job::plan`] examines the inputs without writing anything, [`Plan::run`](crate::Plan::run) mixes.
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
//! Each record of the output is drawn from one of the inputs that have records left, with a probability in proportion to the
//! input's weight; the records of an input stay in their order. So with weights 3 and 1 about three quarters of a long output
//! come from the first input. The draws come from a seeded generator: the output depends only on the inputs, weights and
//! seed.
//!
//! # Memory
//! One pass, without temporary files: every input takes about 2 MiB of memory, regardless of its size.

mod lane;
mod plan;
mod run;

use core::num::NonZeroU32;

use crate::Name;
use crate::{Compression, Counts, FileFormat, Input, JobOptions, Lost, OnBadRecord, Output};

/// A mixture to write.
pub struct Job<'a> {
    /// The inputs, each with its weight.
    pub inputs: Vec<(Input<'a>, NonZeroU32)>,
    /// The output.
    pub output: Output<'a>,
    /// The format to write; `None` to take it from the output's extension or, for a stream, from the inputs. Records
    /// already in this format keep all their bytes and are not decoded.
    pub to: Option<FileFormat>,
    /// The compression of the output; `None` to take it from the output's extension.
    pub compression: Option<Compression>,
    /// The action when an input ends before the others.
    pub first_end: FirstEnd,
    /// The seed of the draws.
    pub seed: u64,
    /// The policy for bad records.
    pub on_bad_record: OnBadRecord,
    /// Options common to all jobs: format, threads, backend, and whether outputs may be replaced.
    pub options: JobOptions,
}

/// The action when an input ends before the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FirstEnd {
    /// Mix the others by their weights to their ends, so that no record is left out.
    #[default]
    Continue,
    /// End the output when the next record would be drawn from that input, so that the weights hold throughout.
    Stop,
}

/// The outcome of a mixture.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// The contribution of each input, in the order of the inputs.
    pub shares: Vec<Share>,
    /// The records read, written and left out.
    pub counts: Counts,
    /// The losses of the written records.
    pub losses: Vec<Lost>,
}

/// The contribution of an input.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Share {
    /// The name of the input.
    pub input: Name,
    /// Its weight.
    pub weight: u32,
    /// The number of its records that were written.
    pub written: u64,
    /// The length of the output, in records, when the input ended; `None` if the output ended first.
    pub ended_at: Option<u64>,
}

impl<'a> Job<'a> {
    /// A job that detects formats, mixes all records, stops at bad ones and overwrites nothing.
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

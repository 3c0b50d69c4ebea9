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
//! eprintln!("{} records", summary.written());
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
use std::collections::BTreeMap;

use komabako_codec::Backend;

use crate::io::error::{RecordError, Tail};
use crate::{Compression, FileFormat, Input, Lost, MoveReading, OnBadRecord, Output};

/// A mixture to make.
pub struct Job<'a> {
    /// The inputs, each with its weight.
    pub inputs: Vec<(Input<'a>, NonZeroU32)>,
    /// The output.
    pub output: Output<'a>,
    /// The format of every input; `None` to find out.
    pub from: Option<FileFormat>,
    /// The format to write; `None` to take it from the output's extension or, to a stream, to keep that of the inputs. Records
    /// that are in this format already keep all their bytes, unread.
    pub to: Option<FileFormat>,
    /// How to compress the output; `None` to take it from the output's extension.
    pub compression: Option<Compression>,
    /// How moves are read, and whether a sample of each input is checked first.
    pub moves: MoveReading,
    /// What happens when an input ends before the others.
    pub first_end: FirstEnd,
    /// The seed of the draws.
    pub seed: u64,
    /// What to do with bad records.
    pub on_error: OnBadRecord,
    /// Whether to keep the whole records of a truncated or damaged input; otherwise it is an error.
    pub salvage: bool,
    /// The number of threads that compress the output; 0 for one a CPU.
    pub threads: usize,
    /// What packs and unpacks.
    pub backend: Backend,
    /// Whether to overwrite existing outputs.
    pub force: bool,
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
    /// Bad records left out, by the name of the fault.
    pub bad: BTreeMap<&'static str, u64>,
    /// The first bad records.
    pub samples: Vec<RecordError>,
    /// Ends of inputs that were not read ([`Job::salvage`]).
    pub tails: Vec<Tail>,
    /// What was lost of the written records; uncounted with [`FirstEnd::Stop`].
    pub losses: Vec<Lost>,
    /// Bytes read, as they are in the inputs.
    pub bytes_read: u64,
    /// Bytes written, before compression.
    pub bytes_written: u64,
    /// The time it took.
    pub seconds: f64,
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
            from: None,
            to: None,
            compression: None,
            moves: MoveReading::Checked,
            first_end: FirstEnd::Continue,
            seed,
            on_error: OnBadRecord::Stop,
            salvage: false,
            threads: 0,
            backend: Backend::detect(),
            force: false,
        }
    }
}

impl Summary {
    /// The number of records written.
    pub fn written(&self) -> u64 {
        self.shares.iter().map(|share| share.written).sum()
    }

    /// The number of bad records.
    pub fn bad_total(&self) -> u64 {
        self.bad.values().sum()
    }
}

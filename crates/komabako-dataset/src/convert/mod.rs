//! Conversion of files from any format that is read to any that is written.
//!
//! A [`Job`] says what to do. [`Job::plan`] looks at the inputs without writing anything: it finds their formats and
//! what the conversion will lose. [`Plan::run`] converts.
//!
//! ```no_run
//! use komabako_dataset::convert::{Input, Job, Output};
//! let job = Job::new(vec![Input::path("games.psv.zst")], Output::path("games.hcpe"));
//! let plan = job.plan()?;
//! for loss in plan.losses() {
//!     eprintln!("{loss}");
//! }
//! let summary = plan.run(&mut ())?;
//! eprintln!("{} records", summary.written);
//! # Ok::<(), komabako_dataset::DatasetError>(())
//! ```
//!
//! # What holds whatever happens
//! Inputs are only read. A regular output is written under a temporary name in its directory and renamed when it is
//! complete, so that its name never stands for part of a conversion; on an error the temporary file is removed.
//! Memory is constant: about 2 MiB a thread and block in flight, whatever the size of the inputs.

mod collect;
mod counter;
mod output;
mod pipeline;
mod plan;

pub use plan::{Plan, Source};

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::path::PathBuf;

use komabako_codec::Backend;

use crate::error::{RecordError, Tail};
use crate::{Compression, FileFormat, Loss};

/// Where records come from.
pub enum Input<'a> {
    /// A file.
    Path(PathBuf),
    /// A stream, such as standard input, and its name for messages.
    Stream(String, Box<dyn Read + Send + 'a>),
}

/// Where records go.
pub enum Output<'a> {
    /// A file: written under a temporary name, then renamed. What exists and is no regular file (a device, a pipe) is
    /// written directly.
    Path(PathBuf),
    /// A stream, such as standard output, and its name for messages.
    Stream(String, Box<dyn Write + Send + 'a>),
}

/// What to do with bad records.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum OnError {
    /// Stop at the first with [`DatasetError::Record`](crate::DatasetError::Record).
    #[default]
    Stop,
    /// Leave them out and count them.
    Skip,
    /// Leave them out, and write them to this file as they are in the input. A list beside it, with `.reasons.tsv`
    /// added to the name, says for each where it was and what is wrong. Neither is made if no record is bad.
    Collect(PathBuf),
}

/// A conversion to do.
pub struct Job<'a> {
    /// The inputs, converted one after the other into one output.
    pub inputs: Vec<Input<'a>>,
    /// The output.
    pub output: Output<'a>,
    /// The format of every input; `None` to find out.
    pub from: Option<FileFormat>,
    /// The format to write; `None` to take it from the output's extension.
    pub to: Option<FileFormat>,
    /// How to compress the output; `None` to take it from the output's extension.
    pub compression: Option<Compression>,
    /// What to do with bad records.
    pub on_error: OnError,
    /// Whether to keep the whole records of a truncated or damaged input; otherwise it is an error.
    pub salvage: bool,
    /// The number of converting threads; 0 for one a CPU.
    pub threads: usize,
    /// What packs and unpacks.
    pub backend: Backend,
    /// Whether to overwrite existing outputs.
    pub force: bool,
}

/// What a conversion did.
#[derive(Clone, PartialEq, Debug, Default)]
#[non_exhaustive]
pub struct Summary {
    /// Records read, bad ones included.
    pub read: u64,
    /// Records written.
    pub written: u64,
    /// Bad records left out, by the name of the fault ([`RecordFault::name`](crate::RecordFault::name)).
    pub bad: BTreeMap<&'static str, u64>,
    /// The first bad records, at most [`Summary::SAMPLES`].
    pub samples: Vec<RecordError>,
    /// Ends of inputs that were not read ([`Job::salvage`]).
    pub tails: Vec<Tail>,
    /// What was not carried over.
    pub losses: Vec<Loss>,
    /// Bytes read, as they are in the inputs.
    pub bytes_read: u64,
    /// Bytes written, before compression.
    pub bytes_written: u64,
    /// The time it took.
    pub seconds: f64,
}

/// Told how far a conversion is.
pub trait Progress {
    /// Called on the caller's thread after every block of some thousand records. `Break` cancels the conversion
    /// ([`DatasetError::Cancelled`](crate::DatasetError::Cancelled)) and leaves nothing behind.
    fn update(&mut self, step: &Step) -> ControlFlow<()>;
}

/// How far a conversion is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Step {
    /// Bytes read of all inputs, as they are in the inputs.
    pub bytes: u64,
    /// The size of all inputs, if every one is a regular file.
    pub total: Option<u64>,
    /// Records converted so far, bad ones included.
    pub records: u64,
    /// Bad records so far.
    pub bad: u64,
}

/// No progress wanted.
impl Progress for () {
    fn update(&mut self, _: &Step) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(&Step) -> ControlFlow<()>> Progress for F {
    fn update(&mut self, step: &Step) -> ControlFlow<()> {
        self(step)
    }
}

impl Input<'_> {
    /// A file.
    pub fn path(path: impl Into<PathBuf>) -> Self {
        Input::Path(path.into())
    }

    /// The name for messages.
    pub fn name(&self) -> String {
        match self {
            Input::Path(path) => path.display().to_string(),
            Input::Stream(name, _) => name.clone(),
        }
    }
}

impl Output<'_> {
    /// A file.
    pub fn path(path: impl Into<PathBuf>) -> Self {
        Output::Path(path.into())
    }

    /// The name for messages.
    pub fn name(&self) -> String {
        match self {
            Output::Path(path) => path.display().to_string(),
            Output::Stream(name, _) => name.clone(),
        }
    }
}

impl<'a> Job<'a> {
    /// A job with formats found out, stopping at bad records, on all CPUs, overwriting nothing.
    pub fn new(inputs: Vec<Input<'a>>, output: Output<'a>) -> Job<'a> {
        Job {
            inputs,
            output,
            from: None,
            to: None,
            compression: None,
            on_error: OnError::Stop,
            salvage: false,
            threads: 0,
            backend: Backend::detect(),
            force: false,
        }
    }
}

impl Summary {
    /// How many bad records are kept as samples.
    pub const SAMPLES: usize = 10;

    /// The number of bad records.
    pub fn bad_total(&self) -> u64 {
        self.bad.values().sum()
    }
}

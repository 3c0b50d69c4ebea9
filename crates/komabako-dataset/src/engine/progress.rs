//! [`Progress`]: receives how far a job has come, and can cancel it.

use std::ops::ControlFlow;

/// Receives the progress of a job.
pub trait Progress {
    /// Called on the caller's thread after every block of some thousand records. `Break` cancels the job
    /// ([`DatasetError::Cancelled`](crate::DatasetError::Cancelled)) and leaves nothing behind.
    fn update(&mut self, step: &Step) -> ControlFlow<()>;
}

/// How far a job is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Step {
    /// The current phase.
    pub phase: Phase,
    /// Bytes read in this phase: of all inputs, as they are in the inputs, or of temporary files.
    pub bytes: u64,
    /// How many bytes there are to read in this phase, if that is known.
    pub total: Option<u64>,
    /// Records done in this phase, bad ones included.
    pub records: u64,
    /// Bad records so far.
    pub bad: u64,
}

/// The phase of a job of several passes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[non_exhaustive]
pub enum Phase {
    /// The whole job, of those that pass over the records once.
    #[default]
    Whole,
    /// Copying a stream to a file, to be read as often as it takes.
    Spool,
    /// Counting records.
    Count,
    /// Reading what makes records duplicates of each other.
    Keys,
    /// Finding the duplicates.
    Mark,
    /// Dealing records out to the parts that are shuffled one by one.
    Deal,
    /// Comparing.
    Compare,
    /// Writing the output.
    Write,
    /// Collecting bad records.
    Collect,
}

/// The progress of one phase of a job.
pub(crate) struct InPhase<'a> {
    pub progress: &'a mut dyn Progress,
    pub phase: Phase,
}

impl Progress for InPhase<'_> {
    fn update(&mut self, step: &Step) -> ControlFlow<()> {
        self.progress.update(&Step { phase: self.phase, ..*step })
    }
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

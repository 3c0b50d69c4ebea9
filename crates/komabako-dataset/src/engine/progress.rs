//! [`Progress`]: receives the progress of a job, and can cancel it.

use std::ops::ControlFlow;

/// Receives the progress of a job.
pub trait Progress {
    /// Called on the caller's thread after every block of some thousand records. `Break` cancels the job
    /// ([`DatasetError::Cancelled`](crate::DatasetError::Cancelled)) and leaves nothing behind.
    fn update(&mut self, step: &Step) -> ControlFlow<()>;
}

/// The progress of a job.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Step {
    /// The current phase.
    pub phase: Phase,
    /// Bytes read in this phase: of all inputs, before decompression, or of temporary files.
    pub bytes: u64,
    /// The number of bytes to read in this phase, if known.
    pub total: Option<u64>,
    /// Records processed in this phase, including bad ones.
    pub records: u64,
    /// Bad records so far.
    pub bad: u64,
}

/// The phase of a job of several passes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Phase {
    /// The whole job, if it passes over the records once.
    #[default]
    Whole,
    /// Copying a stream to a file, so that it can be read more than once.
    Spool,
    /// Counting records.
    Count,
    /// Reading the keys that identify duplicates.
    Keys,
    /// Finding the duplicates.
    FindDuplicates,
    /// Distributing records to the partitions that are shuffled one by one.
    Distribute,
    /// Asking engines.
    Ask,
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

/// Ignores all progress.
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

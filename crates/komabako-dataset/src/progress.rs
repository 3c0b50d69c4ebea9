//! [`Progress`]: told how far a job is, and asked whether to go on.

use std::ops::ControlFlow;

/// Told how far a job is.
pub trait Progress {
    /// Called on the caller's thread after every block of some thousand records. `Break` cancels the job
    /// ([`DatasetError::Cancelled`](crate::DatasetError::Cancelled)) and leaves nothing behind.
    fn update(&mut self, step: &Step) -> ControlFlow<()>;
}

/// How far a job is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Step {
    /// Bytes read of all inputs, as they are in the inputs.
    pub bytes: u64,
    /// The size of all inputs, if every one is a regular file.
    pub total: Option<u64>,
    /// Records done so far, bad ones included.
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

//! [`Plan`]: a job that has been examined and can run.

use super::Preflight;
use crate::{Compression, DatasetError, FileFormat, Inputs, Loss, Progress};

/// A job as its caller asks for it. Each job's module has its own, `Job`, with a method `plan`.
pub trait Request<'a>: Sized {
    /// The format that is written; `Option<FileFormat>` if the job writes no one format.
    type To: Copy + Into<Option<FileFormat>>;
    /// What only the plans of this job have.
    type Ready;
    /// The outcome.
    type Summary;

    /// Does the work of a plan for which memory and disk suffice: [`Plan::run`] calls it.
    ///
    /// # Errors
    /// Those of [`Plan::run`].
    fn perform(plan: Plan<'a, Self>, progress: &mut dyn Progress) -> Result<Self::Summary, DatasetError>;
}

/// A job that can run if memory and disk suffice, which [`Plan::preflight`] reports: every input opens, every format is
/// known, and the outputs can be written.
pub struct Plan<'a, J: Request<'a>> {
    /// The request, without its inputs.
    pub(crate) request: J,
    pub(crate) inputs: Inputs<'a>,
    pub(crate) to: J::To,
    pub(crate) compression: Compression,
    pub(crate) preflight: Preflight,
    pub(crate) ready: J::Ready,
}

impl<'a, J: Request<'a>> Plan<'a, J> {
    /// The inputs; for a comparison, the first of them.
    pub fn inputs(&self) -> &Inputs<'a> {
        &self.inputs
    }

    /// The format to write; `None` if the job writes no records, or files of various formats.
    pub fn to(&self) -> Option<FileFormat> {
        self.to.into()
    }

    /// The compression of the output.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// The resources that the job needs, and those available.
    pub fn preflight(&self) -> &Preflight {
        &self.preflight
    }

    /// The losses of writing the inputs in that format, from all inputs; each once.
    pub fn losses(&self) -> Vec<Loss> {
        self.to().map_or_else(Vec::new, |to| self.inputs.losses(to))
    }

    /// Runs the job.
    ///
    /// # Errors
    /// [`DatasetError::Shortage`] before anything is written; then the first error in the order of the records, and of the
    /// job's own errors (`Job::plan` names them). No output is left behind then, and inputs are unchanged; a stream or a device
    /// may already have received earlier records.
    pub fn run(self, progress: &mut dyn Progress) -> Result<J::Summary, DatasetError> {
        self.preflight.check()?;
        J::perform(self, progress)
    }
}

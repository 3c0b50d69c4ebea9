//! [`Plan`]: a job whose inputs have been looked at.

use komabako_codec::Backend;

use super::{Job, OnError};
use crate::output::{self, reasons_path};
use crate::{Compression, DatasetError, FileFormat, Inputs, Loss, Output, pipeline};

/// A job that can be done: every input opens, every format is known, and the output can be written.
pub struct Plan<'a> {
    pub(super) inputs: Inputs<'a>,
    pub(super) output: Output<'a>,
    pub(super) to: FileFormat,
    pub(super) compression: Compression,
    pub(super) on_error: OnError,
    pub(super) threads: usize,
    pub(super) backend: Backend,
    pub(super) force: bool,
}

impl<'a> Plan<'a> {
    /// The inputs.
    pub fn inputs(&self) -> &Inputs<'a> {
        &self.inputs
    }

    /// The format to write.
    pub fn to(&self) -> FileFormat {
        self.to
    }

    /// How the output is compressed.
    pub fn compression(&self) -> Compression {
        self.compression
    }

    /// What the conversion does not carry over, from any of the inputs; each once.
    pub fn losses(&self) -> Vec<Loss> {
        self.inputs.losses(self.to)
    }
}

impl<'a> Job<'a> {
    /// Looks at the inputs and the output without writing anything. Reads up to 256 KiB of each input.
    ///
    /// # Errors
    /// Everything that can be known before the conversion: inputs that cannot be opened or recognised, or, unless the
    /// job salvages, that have a tail; an output that exists, is an input, or whose format is not known or not written.
    pub fn plan(self) -> Result<Plan<'a>, DatasetError> {
        let Job { inputs, output, from, to, compression, on_error, salvage, threads, backend, force } = self;
        let to = match output.format(to) {
            // Records stay in their order here, so that they can be joined to games.
            Err(DatasetError::GamesInOrder(format)) => format,
            format => format?,
        };
        let compression = output.compression(compression);
        let reasons = match &on_error {
            OnError::Collect(path) => Some((path.as_path(), reasons_path(path))),
            _ => None,
        };
        let path = match &output {
            Output::Path(path) => Some(path.as_path()),
            Output::Stream(..) => None,
        };
        let collected = reasons.iter().flat_map(|(records, reasons)| [*records, reasons]);
        output::check_paths(&inputs, path.into_iter().chain(collected), force)?;
        let inputs = Inputs::look_at(inputs, from, salvage)?;
        if let OnError::Collect(_) = on_error {
            inputs.one_format()?;
        }
        let threads = pipeline::threads(threads);
        Ok(Plan { inputs, output, to, compression, on_error, threads, backend, force })
    }
}

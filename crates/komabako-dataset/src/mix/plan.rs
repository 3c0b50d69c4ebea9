//! The plan of a mixture.

use super::{FirstEnd, Job};
use crate::engine::pipeline;
use crate::io::output;
use crate::job::preflight::Amount;
use crate::job::{Plan, Rejects};
use crate::{DatasetError, FileFormat, Output, Preflight, Source, sample_check};

/// The memory of an input in a mixture: its block, and a batch of its records in the output's format.
const LANE_BYTES: u64 = 2 << 20;

impl<'a> Job<'a> {
    /// Examines the inputs and the output without writing anything.
    ///
    /// # Errors
    /// Inputs that cannot be opened or recognised or, unless the job salvages, that have a tail; an output that exists, is an
    /// input, or whose format is unknown, cannot be written or holds games ([`DatasetError::GamesInOrder`]).
    pub fn plan(mut self) -> Result<Plan<'a, Job<'a>>, DatasetError> {
        let (inputs, weights): (Vec<_>, Vec<_>) = std::mem::take(&mut self.inputs).into_iter().unzip();
        let rejects = Rejects::paths(&self.on_bad_record);
        let Job { ref output, to, first_end, ref on_bad_record, ref mut options, .. } = self;
        let written = output.named().into_iter().chain(rejects.iter().map(AsRef::as_ref));
        output::check_paths(&inputs, written, options.force)?;
        let named = match output {
            Output::Stream(..) if to.is_none() => None,
            output => Some(output.record_format(to)?),
        };
        let inputs = sample_check::open_inputs(inputs, options)?;
        let to = match named {
            Some(format) => format,
            None => {
                let kept =
                    inputs.one_format().map_err(|_| DatasetError::OutputFormat(output.name().to_string()))?;
                output.record_format(Some(kept.unwrap_or(FileFormat::Sfen)))?
            }
        };
        Rejects::check(on_bad_record.collected(), &inputs)?;
        let compression = output.compression(self.compression).holding(to)?;
        options.threads = pipeline::threads(options.threads);
        let all = Amount::of_all(&inputs, to, true);
        let content = if first_end == FirstEnd::Stop { all.or_less() } else { all };
        let mut preflight = Preflight::of_copy(&inputs, output, content, compression, options.threads);
        preflight.add_rejects(&inputs, on_bad_record.collected());
        // All inputs are open at once rather than one after the other.
        let decoders: u64 = inputs.sources().iter().map(Source::decoder_memory).sum();
        preflight.memory += LANE_BYTES * weights.len() as u64 + decoders;
        let ready = weights.into_iter().map(u32::from).collect();
        Ok(Plan { request: self, inputs, to, compression, preflight, ready })
    }
}

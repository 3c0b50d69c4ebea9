//! Counts the records of inputs whose size does not determine their number.

use crate::block::Block;
use crate::engine::pipeline::{self, ProcessedBlock, Sink, Work};
use crate::engine::progress::InPhase;
use crate::io::error::Tail;
use crate::{DatasetError, FileFormat, Inputs, Phase, Progress, Source};

/// The number of records, and their total size in bytes.
pub(crate) fn count_records(
    inputs: &Inputs,
    progress: &mut dyn Progress,
) -> Result<(u64, u64), DatasetError> {
    let size = |source: &Source| source.detection().format.and_then(FileFormat::record_size);
    if let Some(records) = inputs.records() {
        // An empty input has no format and no records: the zip leaves it out.
        let sizes = inputs.sources().iter().map(|source| source.records().zip(size(source)));
        let content = sizes.flatten().map(|(records, size)| records * size as u64).sum();
        return Ok((records, content));
    }
    let mut census = Census::default();
    let mut progress = InPhase { progress, phase: Phase::Count };
    let inputs = inputs.reopen().expect("streams have been copied to files");
    // One worker: it does nothing, and more would only take memory for blocks.
    pipeline::run(inputs, 1, &Census::default(), &mut progress, &mut census)?;
    Ok((census.records, census.bytes))
}

/// Counts records and bytes.
#[derive(Default)]
struct Census {
    records: u64,
    bytes: u64,
}

impl Work for Census {
    type Scratch = ();
    type Product = ();

    fn scratch(&self) {}

    fn work(&self, (): &mut (), _: FileFormat, _: &Block, (): &mut ()) {}
}

impl Sink<()> for Census {
    fn receive(&mut self, processed: &ProcessedBlock<()>) -> Result<(), DatasetError> {
        let block = &processed.block;
        self.records += block.len() as u64;
        self.bytes += (0..block.len()).map(|index| block.record(index).len() as u64).sum::<u64>();
        Ok(())
    }

    /// Reported by the passes that read the records.
    fn truncated(&mut self, _: Tail) {}
}

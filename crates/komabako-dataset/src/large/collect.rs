//! Collects the bad records of a job in a separate pass over the inputs.
//!
//! If a job collected bad records while it reads, the collection would have to be resumed too, since a later run does not
//! read again what an earlier one has read. So the job counts its bad records as if it skipped them, and reads the inputs
//! again only if there are any.

use super::Sameness;
use super::excluded::Excluded;
use super::extract::{Extracted, KeyExtractor};
use super::run::{Stages, reopen_from};
use crate::block::Block;
use crate::engine::pipeline::{self, ProcessedBlock, Sink, Work};
use crate::engine::progress::InPhase;
use crate::io::error::{RecordFault, Tail};
use crate::job::Rejects;
use crate::{Batch, Counts, DatasetError, FileFormat, Phase, Progress};

impl Stages {
    /// Adds all bad records of the inputs to the job's rejects, in the order of the inputs.
    pub(super) fn collect(
        &self,
        rejects: &mut Rejects,
        progress: &mut dyn Progress,
    ) -> Result<(), DatasetError> {
        let work = FaultFinder {
            keys: self.unique.map(|by| self.extractor(by)),
            records: self.extractor(Sameness::Record),
        };
        let manifest = &self.journal.manifest;
        let excluded = Excluded::open(self.journal.lists(), manifest.load.records, self.layout.window)?;
        let mut sink = Collector { excluded, rejects, faults: Vec::new(), counts: Counts::default() };
        let mut progress = InPhase { progress, phase: Phase::Collect };
        pipeline::run(reopen_from(&self.inputs, 0), self.threads, &work, &mut progress, &mut sink)?;
        debug_assert_eq!(
            sink.counts.bad_total(),
            self.log.bad.total(),
            "the bad records that the job has counted"
        );
        Ok(())
    }
}

/// Finds the records that have no key, and those that the output's format cannot hold.
struct FaultFinder {
    keys: Option<KeyExtractor>,
    records: KeyExtractor,
}

/// The extraction from a block, of which only the faults are used.
#[derive(Default)]
struct Found {
    keys: Extracted,
    records: Extracted,
}

impl Work for FaultFinder {
    type Scratch = Batch;
    type Product = Found;

    fn scratch(&self) -> Batch {
        self.records.scratch()
    }

    fn work(&self, batch: &mut Batch, from: FileFormat, block: &Block, found: &mut Found) {
        if let Some(keys) = &self.keys {
            keys.work(batch, from, block, &mut found.keys);
        }
        self.records.work(batch, from, block, &mut found.records);
    }
}

/// Collects the bad records of each block.
struct Collector<'r> {
    excluded: Excluded,
    rejects: &'r mut Rejects,
    /// The bad records of the current block.
    faults: Vec<(usize, RecordFault)>,
    counts: Counts,
}

impl Sink<Found> for Collector<'_> {
    fn receive(&mut self, processed: &ProcessedBlock<Found>) -> Result<(), DatasetError> {
        let Found { keys, records } = &processed.product;
        self.faults.clear();
        self.faults.extend_from_slice(keys.faults());
        for &(index, fault) in records.faults() {
            // A record without a key is excluded, and was pushed above. A duplicate is never written, so that it does not matter
            // whether the output's format could hold it.
            if !self.excluded.contains(processed.block.ordinal() + index as u64)? {
                self.faults.push((index, fault));
            }
        }
        self.faults.sort_unstable_by_key(|&(index, _)| index);
        self.rejects.add_faults(processed, &self.faults, &mut self.counts)
    }

    fn truncated(&mut self, _: Tail) {}

    fn bad(&self) -> u64 {
        self.counts.bad_total()
    }
}

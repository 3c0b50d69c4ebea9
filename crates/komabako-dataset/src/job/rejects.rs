//! [`Rejects`]: the bad records of a job, and what becomes of them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::OnBadRecord;
use crate::DatasetError;
use crate::engine::pipeline::ProcessedBlock;
use crate::io::error::{RecordError, RecordFault};
use crate::io::output::{Collection, Target, reasons_path};

/// How many bad records are kept as samples.
pub(crate) const SAMPLES: usize = 10;

/// The bad records so far.
pub(crate) struct Rejects {
    collection: Option<Collection>,
    /// Whether a bad record ends the job.
    stop: bool,
    bad: BTreeMap<&'static str, u64>,
    samples: Vec<RecordError>,
}

/// All bad records of a job.
pub(crate) struct Rejected {
    /// How many there are, by the name of the fault.
    pub bad: BTreeMap<&'static str, u64>,
    /// The first ones.
    pub samples: Vec<RecordError>,
    /// Files of them, to be put in their places.
    pub files: Vec<Target<'static>>,
}

impl Rejects {
    /// The files that will be written if there are bad records.
    pub fn paths(on_error: &OnBadRecord) -> Vec<PathBuf> {
        on_error.collected().map_or_else(Vec::new, |path| vec![path.to_owned(), reasons_path(path)])
    }

    /// None so far. `is_text`: the records are text and want line ends.
    pub fn open(on_error: &OnBadRecord, is_text: bool, force: bool) -> Result<Rejects, DatasetError> {
        let collection = on_error.collected().map(|path| Collection::open(path, is_text, force));
        Ok(Rejects {
            collection: collection.transpose()?,
            stop: *on_error == OnBadRecord::Stop,
            bad: BTreeMap::new(),
            samples: Vec::new(),
        })
    }

    /// Takes the bad records of a processed block: indices in its block and faults.
    pub fn note<P>(
        &mut self,
        processed: &ProcessedBlock<P>,
        faults: &[(usize, RecordFault)],
    ) -> Result<(), DatasetError> {
        for &(index, fault) in faults {
            let error = processed.error(index, fault);
            // Blocks come in order, so that this is the first bad record of all, whatever the threads.
            if self.stop {
                return Err(DatasetError::Record(Box::new(error)));
            }
            *self.bad.entry(fault.name()).or_default() += 1;
            // One illegal move makes the rest of its game bad: all are counted, the first is shown.
            if fault.is_consequence() {
                continue;
            }
            if let Some(collection) = &mut self.collection {
                collection.add(processed.block.record(index), &error, fault.name())?;
            }
            if self.samples.len() < SAMPLES {
                self.samples.push(error);
            }
        }
        Ok(())
    }

    /// How many there are.
    pub fn total(&self) -> u64 {
        self.bad.values().sum()
    }

    /// Writes what is buffered.
    pub fn finish(self) -> Result<Rejected, DatasetError> {
        let files = self.collection.map(Collection::finish).transpose()?.unwrap_or_default();
        Ok(Rejected { bad: self.bad, samples: self.samples, files })
    }
}

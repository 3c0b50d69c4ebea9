//! [`Rejects`]: handles the bad records of a job.

use std::path::{Path, PathBuf};

use super::{Counts, OnBadRecord};
use crate::engine::pipeline::ProcessedBlock;
use crate::io::error::RecordFault;
use crate::io::output::{Collection, Compressed, Target};
use crate::{Compression, DatasetError, Inputs, format_of};

/// The destination of a job's bad records.
pub(crate) struct Rejects {
    collection: Option<Collection>,
    /// Whether a bad record ends the job.
    stop: bool,
}

impl Rejects {
    /// The files that will be written if there are bad records.
    pub fn paths(on_error: &OnBadRecord) -> Vec<PathBuf> {
        on_error.collected().map_or_else(Vec::new, |path| Collection::paths(path).into())
    }

    /// Checks that a file can take the bad records of inputs: they are of one format, and its name promises neither another nor a
    /// compression, since they are written as they are.
    pub fn check(path: Option<&Path>, inputs: &Inputs) -> Result<(), DatasetError> {
        let Some(path) = path else { return Ok(()) };
        let Some(format) = inputs.one_format()? else { return Ok(()) };
        let is_compressed =
            Compression::from_path(path) != Compression::None || Compression::is_unsupported(path);
        let is_other = format_of(path).is_some_and(|named| named.strict() != format.strict());
        if is_compressed || is_other {
            return Err(DatasetError::RejectsName(path.to_owned(), format));
        }
        Ok(())
    }

    /// A new one, without records. `is_text`: the records are text and need line ends.
    pub fn open(on_error: &OnBadRecord, is_text: bool, force: bool) -> Result<Rejects, DatasetError> {
        let collection = on_error.collected().map(|path| Collection::open(path, is_text, force));
        Ok(Rejects { collection: collection.transpose()?, stop: *on_error == OnBadRecord::Stop })
    }

    /// Counts the bad records of a processed block, given by their indices in it, and collects them.
    ///
    /// # Errors
    /// [`DatasetError::Record`] for the first one, if it ends the job.
    pub fn add_faults<P>(
        &mut self,
        processed: &ProcessedBlock<P>,
        faults: &[(usize, RecordFault)],
        counts: &mut Counts,
    ) -> Result<(), DatasetError> {
        for &(index, fault) in faults {
            let error = processed.error(index, fault);
            // Blocks come in order, so that this is the first bad record of all, for any number of threads.
            if self.stop {
                return Err(DatasetError::Record(Box::new(error)));
            }
            counts.count_bad(fault.name());
            // One illegal move makes the rest of its game bad: all records are counted, the first is shown.
            if fault.is_consequence() {
                continue;
            }
            if let Some(collection) = &mut self.collection {
                collection.add(processed.block.record(index), &error, fault.name())?;
            }
            counts.keep_sample(error);
        }
        Ok(())
    }

    /// Flushes the files of bad records and returns them, to be renamed to their names.
    pub fn finish(self) -> Result<Vec<Target<'static>>, DatasetError> {
        Ok(self.collection.map(Collection::finish).transpose()?.unwrap_or_default())
    }

    /// Completes a job's output and then the files of bad records: all are written before one is renamed to its name. Returns the
    /// number of the output's bytes.
    pub fn complete_after(self, out: Compressed) -> Result<u64, DatasetError> {
        let files = self.finish()?;
        let bytes = out.bytes;
        out.complete_with(files)?;
        Ok(bytes)
    }
}

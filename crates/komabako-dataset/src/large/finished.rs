//! [`Finished`]: the record of a complete output, while inputs and temporary files are removed.
//!
//! ```text
//! everything is written, under a temporary name
//! save the record             a killed run leaves the directory, with the record
//! rename the output
//! sync it, delete the inputs
//! remove the directory
//! ```
//!
//! A later run that finds the record, and the output with the size and time in it, must neither start again (inputs may be gone) nor
//! be told to overwrite the output: it only removes the rest.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use crate::DatasetError;

/// A complete output.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Finished {
    stamp: Stamp,
    pub written: u64,
    pub bytes_written: u64,
    /// Whether the inputs have no data that would be lost with them.
    pub may_delete: bool,
}

/// The size and time of an output, which its rename does not change.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Stamp {
    bytes: u64,
    /// Nanoseconds since 1970.
    modified: u64,
}

impl Stamp {
    fn of(metadata: &fs::Metadata) -> io::Result<Stamp> {
        let age = metadata.modified()?.duration_since(UNIX_EPOCH).unwrap_or_default();
        Ok(Stamp { bytes: metadata.len(), modified: u64::try_from(age.as_nanos()).unwrap_or(u64::MAX) })
    }
}

impl Finished {
    /// The record of a file that is written but still has its temporary name.
    pub fn new(
        output: &File,
        (written, bytes_written): (u64, u64),
        may_delete: bool,
    ) -> io::Result<Finished> {
        Ok(Finished { stamp: Stamp::of(&output.metadata()?)?, written, bytes_written, may_delete })
    }

    /// Whether the output has its name.
    pub fn is_at(&self, path: &Path) -> bool {
        fs::metadata(path).and_then(|metadata| Stamp::of(&metadata)).is_ok_and(|stamp| stamp == self.stamp)
    }
}

/// Deletes an input. One that is missing was deleted by an earlier run.
pub(super) fn remove_input(path: PathBuf) -> Result<(), DatasetError> {
    match fs::remove_file(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(DatasetError::Delete(path, error)),
        _ => Ok(()),
    }
}

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

use serde::{Deserialize, Serialize};

use super::manifest::FileIdentity;
use crate::DatasetError;
use crate::io::input::Stamp;
use crate::io::output;

/// A complete output.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Finished {
    stamp: Stamp,
    pub written: u64,
    pub bytes_written: u64,
    /// Whether the inputs have no data that would be lost with them.
    pub may_delete: bool,
}

impl Finished {
    /// The record of a file that is written but still has its temporary name.
    pub fn new(
        output: &File,
        (written, bytes_written): (u64, u64),
        may_delete: bool,
    ) -> io::Result<Finished> {
        Ok(Finished { stamp: Stamp::new(&output.metadata()?), written, bytes_written, may_delete })
    }

    /// Whether the output has its name.
    pub fn is_at(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|metadata| Stamp::new(&metadata) == self.stamp)
    }
}

/// Deletes inputs once what was written is on disk, and not just in the system's cache, and returns those that were kept: they
/// are not the files that were `read` any more. An input that is missing was named twice, or deleted by an earlier run.
pub(super) fn delete_inputs<'p>(
    inputs: Vec<PathBuf>,
    read: &[FileIdentity],
    mut written: impl Iterator<Item = &'p Path>,
) -> Result<Vec<PathBuf>, DatasetError> {
    written.try_for_each(output::sync)?;
    let mut kept = Vec::new();
    for path in inputs {
        // Another program may have written to it since it was read: the sync alone can take minutes.
        let now = FileIdentity::of_file(&path);
        if path.exists() && !read.iter().any(|input| input.is_file(&now)) {
            kept.push(path);
            continue;
        }
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(DatasetError::Delete(path, error));
            }
            _ => {}
        }
    }
    Ok(kept)
}

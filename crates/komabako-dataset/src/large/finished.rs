//! [`Finished`]: the record of complete outputs, while they get their names, and inputs and temporary files are removed.
//!
//! ```text
//! write and sync everything, under temporary names
//! save the record             a killed run leaves the directory, with the record
//! rename the outputs, the main one last
//! sync their names, delete the inputs
//! remove the directory
//! ```
//!
//! A later run that finds the record, and every output under one of its names with the size and time in it, must neither start again
//! (inputs may be gone) nor be told to overwrite an output: it only does the rest.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::manifest::FileIdentity;
use crate::io::input::Stamp;
use crate::io::output::{self, FinishedTarget, Target, destination, temporary_of, unfinished};
use crate::{DatasetError, Output};

/// Complete outputs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Finished {
    /// In the order in which they get their names.
    outputs: Vec<OutputFile>,
    pub written: u64,
    pub bytes_written: u64,
    /// Whether the inputs have no data that would be lost with them.
    pub may_delete: bool,
}

/// A file that is complete.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct OutputFile {
    /// Its absolute path once it has its name.
    path: String,
    /// The token in its temporary name; `None` if that file is in the work directory.
    token: Option<String>,
    stamp: Stamp,
}

impl Finished {
    /// The record of outputs that are written but still have their temporary names. Waits until those that are files are on disk.
    pub fn sync(
        outputs: &[Target],
        (written, bytes_written): (u64, u64),
        may_delete: bool,
    ) -> Result<Finished, DatasetError> {
        let mut files = Vec::new();
        for output in outputs {
            let Some(file) = output.file() else { continue };
            let failed = |error| DatasetError::Write(output.name().clone(), error);
            file.sync_all().map_err(failed)?;
            let stamp = Stamp::new(&file.metadata().map_err(failed)?);
            let token = output.token().map(str::to_owned);
            files.push(OutputFile { path: absolute(Path::new(output.name().plain())), token, stamp });
        }
        Ok(Finished { outputs: files, written, bytes_written, may_delete })
    }

    /// Whether these are the outputs, as far as paths lead to files.
    pub fn are_outputs(&self, paths: &[PathBuf]) -> bool {
        let files = paths.iter().filter(|path| Output::path(*path).file().is_some());
        files.map(|path| absolute(path)).eq(self.outputs.iter().map(|output| output.path.clone()))
    }

    /// The tokens in the temporary names.
    pub fn tokens(self) -> Vec<String> {
        self.outputs.into_iter().filter_map(|output| output.token).collect()
    }

    /// Whether all outputs have their names.
    pub fn are_named(&self) -> bool {
        self.outputs.iter().all(OutputFile::is_named)
    }

    /// Whether each output has its name, or still its temporary one. `home`: the work directory.
    pub fn are_there(&self, home: &Path) -> bool {
        self.outputs.iter().all(|output| output.is_named() || output.temporary(home).is_some())
    }

    /// Gives the outputs their names that lack them.
    ///
    /// # Errors
    /// [`DatasetError::Exists`] if another file has one of the names and is not to be overwritten (`force`): then none is renamed;
    /// [`DatasetError::Unnamed`].
    pub fn name_all(&self, home: &Path, force: bool) -> Result<(), DatasetError> {
        let mut files = Vec::new();
        for output in self.outputs.iter().filter(|output| !output.is_named()) {
            let path = Path::new(&output.path);
            if !force && fs::symlink_metadata(path).is_ok() {
                return Err(DatasetError::Exists(path.to_owned()));
            }
            let temporary = output.temporary(home);
            let file = temporary.map(|file| FinishedTarget::kept(&file, &destination(path), force));
            files.extend(file.transpose()?);
        }
        output::complete_all(files)
    }
}

impl OutputFile {
    fn is_named(&self) -> bool {
        self.is_at(Path::new(&self.path))
    }

    fn is_at(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|metadata| Stamp::new(&metadata) == self.stamp)
    }

    /// The path under its temporary name, if it is there.
    fn temporary(&self, home: &Path) -> Option<PathBuf> {
        let path = Path::new(&self.path);
        let temporary = match &self.token {
            Some(token) => temporary_of(path, token),
            None => unfinished(home, path),
        };
        temporary.filter(|temporary| self.is_at(temporary))
    }
}

/// A path that means the same in every working directory.
pub(super) fn absolute(path: &Path) -> String {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).display().to_string()
}

/// Deletes inputs once the names of what was written, the main output last, are on disk, as its content is, and returns those
/// that were kept: they are not the files that were `read` any more. An input that is missing was named twice, or deleted by an earlier run.
pub(super) fn delete_inputs(
    inputs: Vec<PathBuf>,
    read: &[FileIdentity],
    written: &[PathBuf],
) -> Result<Vec<PathBuf>, DatasetError> {
    for path in written {
        // The main output must be there; no file of bad records is, if there were none.
        if path.is_file() || Some(path) == written.last() {
            output::sync_name(path)?;
        }
    }
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

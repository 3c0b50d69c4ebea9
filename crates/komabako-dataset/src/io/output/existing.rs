//! [`Existing`]: the files that were there when a job with numbered outputs began.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use super::directory_of;
use crate::DatasetError;

/// The files in the folder of outputs whose number is not known beforehand. A file that has the name of such an output and is
/// not among them has [appeared](DatasetError::Appeared) since: overwriting it, as for one that [exists](DatasetError::Exists),
/// would lose what another program has just written.
#[derive(Default)]
pub struct Existing(BTreeSet<PathBuf>);

impl Existing {
    /// Those beside an output that have the name of an output. A folder that cannot be listed is reported when an output is
    /// written there.
    pub fn beside(output: &Path, is_output: impl Fn(&OsStr) -> bool) -> Existing {
        let entries = fs::read_dir(directory_of(output)).into_iter().flatten().flatten();
        let names = entries.map(|entry| entry.file_name()).filter(|name| is_output(name));
        Existing(names.map(|name| output.with_file_name(name)).collect())
    }

    /// The files, in the order of names.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.0.iter().map(PathBuf::as_path)
    }

    /// The error of opening an output.
    pub fn explain(&self, error: DatasetError) -> DatasetError {
        match error {
            DatasetError::Exists(path) if !self.0.contains(&path) => DatasetError::Appeared(path),
            error => error,
        }
    }
}

//! Files and directories that killed runs have left in a folder, to be listed and removed.
//!
//! | name | what it is |
//! |---|---|
//! | `.NAME.XXXXXX.komabako-part` | an output that was not completed |
//! | `.NAME.komabako` | the temporary files of a job with the output `NAME`, which may be [resumed](crate::large::Job::resume) |
//! | `.komabako-` and 16 hexadecimal digits | the temporary files of a job, in another place |
//!
//! A run locks what it uses, and the system releases the locks of a killed run. What was changed in the last minute is left, since
//! a run may be about to lock it.
//!
//! ```no_run
//! use komabako_dataset::leftovers::{self, State};
//! for leftover in leftovers::find("data".as_ref())? {
//!     if leftover.state == State::Dead {
//!         leftover.remove()?;
//!     }
//! }
//! # Ok::<(), std::io::Error>(())
//! ```

use std::collections::HashSet;
use std::fs::{self, File};
use std::io;
use std::path::Path;

pub use crate::engine::temporary::directory::{Leftover, State};
use crate::engine::temporary::directory::{bytes_in, files_to_remove, open_lock, remove, state_of, unlocked};
use crate::io::output::{destination, directory_of, is_temporary_of, token_of};
use crate::large::{directories_elsewhere, unnamed_outputs};

/// Finds what runs have left in a folder, or are using there, in the order of names. Its subfolders are not searched.
///
/// # Errors
/// If the folder cannot be read.
pub fn find(folder: &Path) -> io::Result<Vec<Leftover>> {
    let mut found = Vec::new();
    let mut live_runs = HashSet::new();
    let mut resumable_runs = HashSet::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default();
        if let Some(token) = token_of(name) {
            let Ok(known) = fs::symlink_metadata(&path) else { continue };
            if !known.is_file() {
                continue;
            }
            let is_locked = !File::open(&path).is_ok_and(|file| file.try_lock().is_ok());
            if is_locked {
                live_runs.insert(token.to_owned());
            }
            found.push(Leftover { bytes: known.len(), state: unlocked(&known), path });
        } else if let Some(state) = state_of(&path) {
            if state == State::Resumable {
                resumable_runs.extend(unnamed_outputs(&path));
            }
            found.push(Leftover { bytes: bytes_in(&path), state, path });
        }
    }
    for leftover in &mut found {
        // A run closes some of its files before all are complete, but never all of them.
        let token = leftover.path.file_name().and_then(token_of);
        if token.is_some_and(|token| live_runs.contains(token)) {
            leftover.state = State::Alive;
        } else if token.is_some_and(|token| resumable_runs.contains(token)) {
            leftover.state = State::Resumable;
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// Removes the temporary files that killed runs left for an output. Best effort: a leftover file is harmless.
pub(crate) fn remove_abandoned(output: &Path) {
    let output = destination(output);
    for leftover in find(directory_of(&output)).unwrap_or_default() {
        let is_of_output = leftover.path.file_name().is_some_and(|name| is_temporary_of(&output, name));
        if is_of_output && leftover.state == State::Dead {
            let _ = leftover.remove();
        }
    }
}

impl Leftover {
    /// The directories in other places from which, with this one, a job can be resumed: those that its manifest names.
    pub fn elsewhere(&self) -> Vec<Leftover> {
        let paths = directories_elsewhere(&self.path).into_iter();
        let left = paths.filter(|path| state_of(path) == Some(State::Resumable));
        left.map(|path| Leftover { bytes: bytes_in(&path), state: State::Resumable, path }).collect()
    }

    /// Removes it, unless a run has begun to use it since it was found.
    ///
    /// # Errors
    /// [`ResourceBusy`](io::ErrorKind::ResourceBusy) if it is in use, or may soon be;
    /// [`DirectoryNotEmpty`](io::ErrorKind::DirectoryNotEmpty) if a directory has a file that no run has made, and nothing is
    /// removed; that of removing a file.
    pub fn remove(&self) -> io::Result<()> {
        let Some(lock) = self.lock()? else { return fs::remove_dir(&self.path) };
        if !self.is_directory() {
            return fs::remove_file(&self.path);
        }
        remove(&self.path).or_else(|error| {
            // Some systems do not remove a directory with an open file. One that is not empty stays.
            drop(lock);
            fs::remove_dir(&self.path).map_err(|_| error)
        })
    }

    /// Checks that it can be removed, as far as that is known without removing it.
    ///
    /// # Errors
    /// As of [`Leftover::remove`].
    pub fn check_removal(&self) -> io::Result<()> {
        self.lock()?;
        if self.is_directory() { files_to_remove(&self.path).map(drop) } else { Ok(()) }
    }

    fn is_directory(&self) -> bool {
        fs::symlink_metadata(&self.path).is_ok_and(|known| known.is_dir())
    }

    /// Keeps other runs from it; `None` for an empty directory, which has no lock.
    fn lock(&self) -> io::Result<Option<File>> {
        if matches!(self.state, State::Alive | State::Recent) {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        let is_directory = fs::symlink_metadata(&self.path)?.is_dir();
        if is_directory && fs::read_dir(&self.path)?.next().is_none() {
            return Ok(None);
        }
        let lock = if is_directory { open_lock(&self.path) } else { File::open(&self.path) }?;
        if lock.try_lock().is_err() {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        Ok(Some(lock))
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use super::*;
    use crate::Output;
    use crate::io::output::Target;

    #[test]
    fn only_abandoned_files_of_the_same_output_are_removed() {
        let directory = tempfile::tempdir().unwrap();
        let out = directory.path().join("out.psv");
        let old = |name: &str| {
            let file = File::create(directory.path().join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(100)).unwrap();
        };
        let others = [
            ".out.psv.zst.abc123.komabako-part",
            ".out.psv.abc12.komabako-part",
            ".out.psv.abc-23.komabako-part",
            ".out.psv.abc123.part",
            ".out.psv.abc123",
        ];
        others.iter().for_each(|name| old(name));
        let dead = ".out.psv.abc123.komabako-part";
        let new = ".out.psv.xyz123.komabako-part";
        old(dead);
        fs::write(directory.path().join(new), "").unwrap();
        let live = Target::open(Output::path(&out), false).unwrap();
        live.file().unwrap().set_modified(SystemTime::UNIX_EPOCH).unwrap();
        remove_abandoned(&out);
        let exists = |name: &str| directory.path().join(name).exists();
        assert!(others.into_iter().all(exists) && exists(new) && !exists(dead));
        live.complete().unwrap();
        assert!(out.exists());
    }
}

//! Files and directories that killed runs have left in a folder, to be listed and removed.
//!
//! | name | what it is |
//! |---|---|
//! | `.NAME.XXXXXX.part` | an output that was not completed |
//! | `.NAME.komabako` | the temporary files of a job with the output `NAME`, which may be [resumed](crate::large::Job::resume) |
//! | `.komabako-…` | the temporary files of a job, in another place |
//!
//! A run locks what it uses, and the system releases the locks of a killed run.
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

use crate::engine::temporary::directory::{LOCK, bytes_in, remove, state_of};
pub use crate::engine::temporary::directory::{Leftover, State};
use crate::io::output::token_of;

/// Finds what runs have left in a folder, or are using there, in the order of names. Its subfolders are not searched.
///
/// # Errors
/// If the folder cannot be read.
pub fn find(folder: &Path) -> io::Result<Vec<Leftover>> {
    let mut found = Vec::new();
    let mut live_runs = HashSet::new();
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
            found.push(Leftover { bytes: known.len(), state: State::Dead, path });
        } else if let Some(state) = state_of(&path) {
            found.push(Leftover { bytes: bytes_in(&path), state, path });
        }
    }
    for leftover in &mut found {
        // A run closes some of its files before all are complete, but never all of them.
        let token = leftover.path.file_name().and_then(token_of);
        if token.is_some_and(|token| live_runs.contains(token)) {
            leftover.state = State::Alive;
        }
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

impl Leftover {
    /// Removes it, unless a run has begun to use it since it was found.
    ///
    /// # Errors
    /// [`ResourceBusy`](io::ErrorKind::ResourceBusy) if it is in use; that of removing a file.
    pub fn remove(&self) -> io::Result<()> {
        let is_directory = self.path.is_dir();
        let locked = if is_directory { self.path.join(LOCK) } else { self.path.clone() };
        let lock = File::open(locked)?;
        if self.state == State::Alive || lock.try_lock().is_err() {
            return Err(io::ErrorKind::ResourceBusy.into());
        }
        if !is_directory {
            return fs::remove_file(&self.path);
        }
        remove(&self.path);
        // Some systems do not remove a directory with an open file.
        drop(lock);
        if self.path.exists() { fs::remove_dir_all(&self.path) } else { Ok(()) }
    }
}

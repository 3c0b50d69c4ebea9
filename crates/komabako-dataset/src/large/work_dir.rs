//! [`WorkDir`]: the directories of a job's temporary files.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};

use super::Leftover;
use crate::io::output::directory_of;
use crate::job::Limits;
use crate::{DatasetError, Output};

/// Directories named after the output, `.NAME.komabako`, or at random where it is a stream, `.komabako-RANDOM`. They are made
/// when they are first needed and removed at the end, unless a later run can resume from them. Meanwhile each is locked, so
/// that no other run works in it; the system releases the lock of a run that was killed.
pub(super) struct WorkDir {
    directories: Vec<PathBuf>,
    /// Those of the directories that were made or taken over, with their locks.
    held: Vec<(PathBuf, Option<File>)>,
    keep: bool,
}

impl WorkDir {
    /// The directories of a job, not yet made.
    pub fn locate(limits: &Limits, output: &Output) -> WorkDir {
        let (beside, own) = match output {
            Output::Path(path) => {
                // Named after the output, so that a later run of the same job finds it; hidden, so that nobody takes it
                // for data.
                let mut own = OsString::from(".");
                own.push(path.file_name().unwrap_or_default());
                own.push(".komabako");
                (directory_of(path).to_owned(), own)
            }
            Output::Stream(..) => (std::env::temp_dir(), stream_directory()),
        };
        let places = if limits.directories.is_empty() { vec![beside] } else { limits.directories.clone() };
        let mut directories: Vec<PathBuf> = Vec::new();
        for directory in places.into_iter().map(|place| place.join(&own)) {
            // One that is named twice would find its own lock.
            if !directories.contains(&directory) {
                directories.push(directory);
            }
        }
        WorkDir { directories, held: Vec::new(), keep: false }
    }

    /// The directory with the manifest.
    pub fn first(&self) -> &Path {
        &self.directories[0]
    }

    /// The directories in which those of the job are, in the order in which files go round.
    pub fn places(&self) -> impl Iterator<Item = &Path> {
        self.directories.iter().map(|directory| directory_of(directory))
    }

    /// The directory that is there already, left by an earlier run.
    ///
    /// # Errors
    /// [`DatasetError::InUse`] if that run is still running.
    pub fn left(&self) -> Result<Option<&Path>, DatasetError> {
        let left = self.directories.iter().map(PathBuf::as_path).find(|directory| directory.exists());
        if let Some(directory) = left {
            lock(directory)?;
        }
        Ok(left)
    }

    /// Takes over the directories that are there, and keeps them until [`WorkDir::keep`] says otherwise. Makes none: it
    /// is still to be seen whether they are this job's.
    pub fn take_over(&mut self) -> Result<(), DatasetError> {
        self.keep = true;
        let left = self.directories.iter().filter(|directory| directory.exists());
        let left: Vec<PathBuf> = left.cloned().collect();
        left.into_iter().try_for_each(|directory| self.hold(directory))
    }

    /// The bytes of the files in one of the directories.
    pub fn bytes(&self, number: usize) -> u64 {
        bytes_in(&self.directories[number])
    }

    /// What killed jobs with streams for outputs have left where this one has its directories. They cannot be resumed, and
    /// their names are never used again, so nothing else would ever find them.
    pub fn leftovers(&self) -> Vec<Leftover> {
        let is_abandoned = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            // Without creating the lock: a directory without one is still being made, or is somebody else's.
            name.starts_with(STREAM_PREFIX.as_bytes())
                && !self.directories.contains(path)
                && File::open(path.join(LOCK)).is_ok_and(|file| file.try_lock().is_ok())
        };
        let entries = self.places().filter_map(|place| fs::read_dir(place).ok()).flatten().flatten();
        let paths = entries.map(|entry| entry.path()).filter(is_abandoned);
        paths.map(|path| Leftover { bytes: bytes_in(&path), path }).collect()
    }

    /// Makes the directories that are not there.
    pub fn make(&mut self) -> Result<(), DatasetError> {
        for directory in self.directories.clone() {
            fs::create_dir_all(&directory).map_err(|error| DatasetError::Create(directory.clone(), error))?;
            self.hold(directory)?;
        }
        Ok(())
    }

    /// Locks a directory, unless that is done.
    fn hold(&mut self, directory: PathBuf) -> Result<(), DatasetError> {
        if self.held.iter().all(|(held, _)| *held != directory) {
            let lock = lock(&directory)?;
            self.held.push((directory, lock));
        }
        Ok(())
    }

    /// Whether to leave the directories for a later run.
    pub fn keep(&mut self, keep: bool) {
        self.keep = keep;
    }

    /// The path of a file of a kind, by its number; files go round the directories.
    pub fn file(&self, kind: &str, number: usize) -> PathBuf {
        self.directories[number % self.directories.len()].join(format!("{kind}-{number:05}"))
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        // Some systems do not remove a directory with a file that is open.
        let held: Vec<PathBuf> = self.held.drain(..).map(|(directory, _lock)| directory).collect();
        if !self.keep {
            for directory in held {
                // Best effort: a leftover file is harmless.
                let _ = fs::remove_dir_all(directory);
            }
        }
    }
}

/// How the names of directories start that belong to streams.
const STREAM_PREFIX: &str = ".komabako-";
/// The file in each directory that is locked.
const LOCK: &str = "lock";

/// A name for a directory of a job on streams. Not the number of the process: in a container that is the same at each start,
/// and a directory that a killed job has left would be in the way of the next.
fn stream_directory() -> OsString {
    // Seeded by the system, for every thread anew.
    let random = RandomState::new().build_hasher().finish();
    format!("{STREAM_PREFIX}{random:016x}").into()
}

fn bytes_in(directory: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(directory) else { return 0 };
    entries.flatten().filter_map(|entry| entry.metadata().ok()).map(|file| file.len()).sum()
}

/// Locks a directory; `None` where the file system knows no locks.
fn lock(directory: &Path) -> Result<Option<File>, DatasetError> {
    let path = directory.join(LOCK);
    let file = File::options().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(|error| DatasetError::Create(path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(TryLockError::WouldBlock) => Err(DatasetError::InUse(directory.to_owned())),
        Err(TryLockError::Error(_)) => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_get_random_directories_and_those_of_killed_jobs_are_named() {
        let place = tempfile::tempdir().unwrap();
        let limits = Limits { directories: vec![place.path().to_owned()], ..Limits::default() };
        let open = || {
            let mut work_dir =
                WorkDir::locate(&limits, &Output::Stream("standard output".into(), Box::new(Vec::new())));
            work_dir.make().unwrap();
            work_dir
        };
        let (live, mut killed) = (open(), open());
        assert_ne!(live.first(), killed.first());
        fs::write(killed.file("stream", 0), [0; 100]).unwrap();
        fs::create_dir(place.path().join(".komabako-of-another-program")).unwrap();
        assert!(open().leftovers().is_empty());
        // Only the lock goes.
        killed.keep(true);
        let left = Leftover { path: killed.first().to_owned(), bytes: 100 };
        drop(killed);
        assert_eq!(open().leftovers(), [left]);
    }

    #[test]
    fn a_directory_that_is_named_twice_is_one() {
        let place = tempfile::tempdir().unwrap();
        let (once, reopen_from) = (place.path().to_owned(), place.path().join(""));
        let limits = Limits { directories: vec![once, reopen_from], ..Limits::default() };
        let mut work_dir = WorkDir::locate(&limits, &Output::path("clean.psv"));
        work_dir.make().unwrap();
        assert_eq!(work_dir.places().count(), 1);
        drop(work_dir);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }
}

//! [`WorkDir`]: the directories of a job's temporary files.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};

use super::Leftover;
use super::manifest;
use crate::io::output::directory_of;
use crate::job::Limits;
use crate::{DatasetError, Output};

/// Directories named after the output, `.NAME.komabako`, or, if it is a stream, at random, `.komabako-RANDOM`. They are created
/// when they are first needed and removed at the end, unless a later run can resume from them. Meanwhile each is locked, so
/// that no other run uses it; the system releases the lock of a killed run.
pub(super) struct WorkDir {
    directories: Vec<PathBuf>,
    /// The directories that were created or taken over, with their locks.
    locked: Vec<(PathBuf, Option<File>)>,
    keep: bool,
}

impl WorkDir {
    /// The directories of a job, not yet created.
    pub fn locate(limits: &Limits, output: &Output) -> WorkDir {
        let (beside, own) = match output {
            Output::Path(path) => {
                // Named after the output, so that a later run of the same job finds it; hidden, so that it is not taken
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
            // A directory listed twice would find its own lock.
            if !directories.contains(&directory) {
                directories.push(directory);
            }
        }
        WorkDir { directories, locked: Vec::new(), keep: false }
    }

    /// The directory with the manifest.
    pub fn first(&self) -> &Path {
        &self.directories[0]
    }

    /// The parents of the job's directories, in the order in which files are spread over them.
    pub fn places(&self) -> impl Iterator<Item = &Path> {
        self.directories.iter().map(|directory| directory_of(directory))
    }

    /// A directory that already exists, left by an earlier run.
    ///
    /// # Errors
    /// [`DatasetError::InUse`] if that run is still running.
    pub fn existing(&self) -> Result<Option<&Path>, DatasetError> {
        // A run that is killed while it removes its directory may leave it empty: nothing is in it to resume.
        let is_left = |directory: &&Path| directory.exists() && fs::remove_dir(directory).is_err();
        let left = self.directories.iter().map(PathBuf::as_path).find(is_left);
        if let Some(directory) = left {
            lock(directory)?;
        }
        Ok(left)
    }

    /// Takes over the existing directories, and keeps them until [`WorkDir::keep`] says otherwise. Creates none: it
    /// is not yet known whether they belong to this job.
    pub fn take_over(&mut self) -> Result<(), DatasetError> {
        self.keep = true;
        let left = self.directories.iter().filter(|directory| directory.exists());
        let left: Vec<PathBuf> = left.cloned().collect();
        left.into_iter().try_for_each(|directory| self.lock_directory(directory))
    }

    /// The total size of the files in one of the directories, in bytes.
    pub fn bytes(&self, number: usize) -> u64 {
        bytes_in(&self.directories[number])
    }

    /// Directories that killed jobs with stream outputs left beside this job's. They cannot be resumed, and
    /// their names are never used again, so nothing else would find them.
    pub fn leftovers(&self) -> Vec<Leftover> {
        let is_abandoned = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().as_encoded_bytes();
            // Does not create the lock: a directory without one is still being created, or belongs to another program.
            name.starts_with(STREAM_PREFIX.as_bytes())
                && !self.directories.contains(path)
                && File::open(path.join(LOCK)).is_ok_and(|file| file.try_lock().is_ok())
        };
        let entries = self.places().filter_map(|place| fs::read_dir(place).ok()).flatten().flatten();
        let paths = entries.map(|entry| entry.path()).filter(is_abandoned);
        paths.map(|path| Leftover { bytes: bytes_in(&path), path }).collect()
    }

    /// Creates the missing directories.
    pub fn create(&mut self) -> Result<(), DatasetError> {
        for directory in self.directories.clone() {
            fs::create_dir_all(&directory).map_err(|error| DatasetError::Create(directory.clone(), error))?;
            self.lock_directory(directory)?;
        }
        Ok(())
    }

    /// Locks a directory, unless it is already locked.
    fn lock_directory(&mut self, directory: PathBuf) -> Result<(), DatasetError> {
        if self.locked.iter().all(|(locked, _)| *locked != directory) {
            let lock = lock(&directory)?;
            self.locked.push((directory, lock));
        }
        Ok(())
    }

    /// Whether to leave the directories for a later run.
    pub fn keep(&mut self, keep: bool) {
        self.keep = keep;
    }

    /// The path of a file of a kind, by number; files are spread over the directories in turn.
    pub fn file(&self, kind: &str, number: usize) -> PathBuf {
        self.directories[number % self.directories.len()].join(format!("{kind}-{number:05}"))
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        // Some systems do not remove a directory with an open file.
        let mut locked: Vec<PathBuf> = self.locked.drain(..).map(|(directory, _lock)| directory).collect();
        if !self.keep {
            // The manifest is the last to go: until then, a later run knows what the rest is.
            locked.sort_by_key(|directory| directory == self.first());
            locked.iter().for_each(|directory| remove(directory));
        }
    }
}

/// Removes a directory. Best effort: leftover files are harmless.
fn remove(directory: &Path) {
    for file in files_to_remove(directory) {
        let _ = fs::remove_file(file);
    }
    let _ = fs::remove_dir_all(directory);
}

/// The files of a directory, the manifest last.
fn files_to_remove(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort_by_key(|file| file.ends_with(manifest::NAME));
    files
}

/// The prefix of directories for stream outputs.
const STREAM_PREFIX: &str = ".komabako-";
/// The file in each directory that is locked.
const LOCK: &str = "lock";

/// A name for a directory of a job on streams. It does not use the process id: in a container that is the same at each start,
/// and a directory left by a killed job would block the next job.
fn stream_directory() -> OsString {
    // Seeded by the system, differently for every thread.
    let random = RandomState::new().build_hasher().finish();
    format!("{STREAM_PREFIX}{random:016x}").into()
}

fn bytes_in(directory: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(directory) else { return 0 };
    entries.flatten().filter_map(|entry| entry.metadata().ok()).map(|file| file.len()).sum()
}

/// Locks a directory; `None` if the file system does not support locks.
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
    fn streams_get_random_directories_and_leftovers_are_named() {
        let place = tempfile::tempdir().unwrap();
        let limits = Limits { directories: vec![place.path().to_owned()], ..Limits::default() };
        let open = || {
            let mut work_dir =
                WorkDir::locate(&limits, &Output::Stream("standard output".into(), Box::new(Vec::new())));
            work_dir.create().unwrap();
            work_dir
        };
        let (live, mut killed) = (open(), open());
        assert_ne!(live.first(), killed.first());
        fs::write(killed.file("stream", 0), [0; 100]).unwrap();
        fs::create_dir(place.path().join(".komabako-of-another-program")).unwrap();
        assert!(open().leftovers().is_empty());
        // Only the lock is dropped.
        killed.keep(true);
        let left = Leftover { path: killed.first().to_owned(), bytes: 100 };
        drop(killed);
        assert_eq!(open().leftovers(), [left]);
    }

    #[test]
    fn the_manifest_is_removed_last() {
        let place = tempfile::tempdir().unwrap();
        for name in [LOCK, manifest::NAME, "order-00000", "keys-00000"] {
            fs::write(place.path().join(name), "").unwrap();
        }
        let files = files_to_remove(place.path());
        assert_eq!((files.len(), &files[3]), (4, &place.path().join(manifest::NAME)));
        remove(place.path());
        assert!(!place.path().exists());
    }

    #[test]
    fn an_empty_directory_blocks_no_job() {
        let place = tempfile::tempdir().unwrap();
        let limits = Limits { directories: vec![place.path().to_owned()], ..Limits::default() };
        let work_dir = WorkDir::locate(&limits, &Output::path("clean.psv"));
        fs::create_dir(work_dir.first()).unwrap();
        assert_eq!(work_dir.existing().unwrap(), None);
        fs::create_dir(work_dir.first()).unwrap();
        fs::write(work_dir.file("keys", 0), "").unwrap();
        assert_eq!(work_dir.existing().unwrap(), Some(work_dir.first()));
    }

    #[test]
    fn directory_named_twice_is_used_once() {
        let place = tempfile::tempdir().unwrap();
        let (once, again) = (place.path().to_owned(), place.path().join(""));
        let limits = Limits { directories: vec![once, again], ..Limits::default() };
        let mut work_dir = WorkDir::locate(&limits, &Output::path("clean.psv"));
        work_dir.create().unwrap();
        assert_eq!(work_dir.places().count(), 1);
        drop(work_dir);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }
}

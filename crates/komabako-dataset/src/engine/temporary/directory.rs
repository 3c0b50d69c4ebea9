//! Directories of temporary files: private, locked while a job uses them, and recognised when a killed job has left them.

use std::fs::{self, File, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::DatasetError;

/// The name of the file that records the finished work of a job, from which a later run resumes.
pub(crate) const MANIFEST: &str = "manifest.json";

/// The prefix of directories with random names.
pub(crate) const RANDOM_PREFIX: &str = ".komabako-";
/// The file in each directory that is locked. In a directory of files elsewhere it has the path of the one with the manifest.
pub(crate) const LOCK: &str = "lock";

/// A random name. It does not use the process id: in a container that is the same at each start, and a directory left by a killed
/// job would block the next job.
pub(crate) fn random_name() -> String {
    // Seeded by the system, differently for every thread.
    let random = RandomState::new().build_hasher().finish();
    format!("{RANDOM_PREFIX}{random:016x}")
}

/// Creates a directory that only its owner can open.
///
/// # Errors
/// If it exists, too.
pub(crate) fn create_private(directory: &Path) -> io::Result<()> {
    #[cfg(unix)]
    return std::os::unix::fs::DirBuilderExt::mode(&mut fs::DirBuilder::new(), 0o700).create(directory);
    #[cfg(not(unix))]
    fs::create_dir(directory)
}

/// Locks a directory; `None` if the file system does not support locks. `home`: the directory with the manifest, if it is another.
pub(crate) fn lock(directory: &Path, home: Option<&Path>) -> Result<Option<File>, DatasetError> {
    let path = directory.join(LOCK);
    let failed = |error| DatasetError::Create(path.clone(), error);
    let mut file = File::options().create(true).truncate(false).write(true).open(&path).map_err(failed)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(DatasetError::InUse(directory.to_owned())),
        result => {
            if let Some(home) = home {
                let home = std::path::absolute(home).map_err(failed)?;
                file.write_all(home.as_os_str().as_encoded_bytes()).map_err(failed)?;
            }
            Ok(result.is_ok().then_some(file))
        }
    }
}

/// A file or directory that a run has left, or is using.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leftover {
    /// The path.
    pub path: PathBuf,
    /// The size of the file, or of the files in the directory, in bytes.
    pub bytes: u64,
    /// Whether it is still of use.
    pub state: State,
}

/// The state of temporary files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum State {
    /// A run is using them, or the file system cannot tell.
    Alive,
    /// The job can be resumed from them.
    Resumable,
    /// No run will use them again.
    Dead,
}

/// The state of a directory of temporary files; `None` if a path is none. A directory without a lock is still being created, or
/// belongs to another program.
pub(crate) fn state_of(directory: &Path) -> Option<State> {
    let name = directory.file_name()?.as_encoded_bytes();
    let is_random = name.starts_with(RANDOM_PREFIX.as_bytes());
    let is_home = name.starts_with(b".") && name.ends_with(b".komabako");
    if !is_random && !is_home || !fs::symlink_metadata(directory).ok()?.is_dir() {
        return None;
    }
    let mut file = File::open(directory.join(LOCK)).ok()?;
    if file.try_lock().is_err() {
        return Some(State::Alive);
    }
    let mut home = Vec::new();
    file.read_to_end(&mut home).ok()?;
    let home =
        if home.is_empty() { directory.to_owned() } else { String::from_utf8_lossy(&home).as_ref().into() };
    // If the output's directory is out of reach, in another container or on a disk that is not mounted, nobody can know.
    let can_resume = home.join(MANIFEST).exists() || !home.parent().is_some_and(Path::is_dir);
    Some(if can_resume { State::Resumable } else { State::Dead })
}

/// The size of the files in a directory, in bytes.
pub(crate) fn bytes_in(directory: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(directory) else { return 0 };
    entries.flatten().filter_map(|entry| entry.metadata().ok()).map(|file| file.len()).sum()
}

/// Removes a directory. Best effort: leftover files are harmless.
pub(crate) fn remove(directory: &Path) {
    for file in files_to_remove(directory) {
        let _ = fs::remove_file(file);
    }
    let _ = fs::remove_dir_all(directory);
}

/// The files of a directory, the manifest last.
fn files_to_remove(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.sort_by_key(|file| file.ends_with(MANIFEST));
    files
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_manifest_is_removed_last() {
        let place = tempfile::tempdir().unwrap();
        for name in [LOCK, MANIFEST, "order-00000", "keys-00000"] {
            fs::write(place.path().join(name), "").unwrap();
        }
        let files = files_to_remove(place.path());
        assert_eq!((files.len(), &files[3]), (4, &place.path().join(MANIFEST)));
        remove(place.path());
        assert!(!place.path().exists());
    }
}

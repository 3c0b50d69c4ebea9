//! [`WorkDir`]: the directories of a job's temporary files.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::mem;
use std::path::{Path, PathBuf};

use super::Leftover;
use crate::engine::temporary::directory::{
    LOCK, State, bytes_in, create_private, lock, random_name, remove, state_of,
};
use crate::io::output::directory_of;
use crate::job::Limits;
use crate::{DatasetError, Output};

/// A directory beside the output, `.NAME.komabako`, which a later run finds by its name, has the manifest. It also has the files,
/// unless other places are given for them. Such places are often shared with other users, who could make a directory of a known
/// name; so in each of them the files are in a directory with a random name, `.komabako-RANDOM`, which the manifest records. If
/// the output is a stream or a device, all names are random.
///
/// Only their owner can open the directories. They are created when they are first needed and removed at the end, unless a later
/// run can resume from them. Meanwhile each is locked, so that no other run uses it; the system releases the lock of a killed run.
pub(super) struct WorkDir {
    /// The directory with the manifest.
    home: PathBuf,
    /// The places of the files, or none if they are in `home`.
    places: Vec<PathBuf>,
    /// The directories of files in the first of these places, as far as they exist.
    directories: Vec<PathBuf>,
    /// The directories that were created or taken over, with their locks.
    locked: Vec<(PathBuf, Option<File>)>,
    keep: bool,
}

impl WorkDir {
    /// The directories of a job, not yet created.
    pub fn locate(limits: &Limits, output: &Output) -> WorkDir {
        let mut places: Vec<PathBuf> = Vec::new();
        for place in &limits.directories {
            // A place listed twice counts once.
            if !places.contains(place) {
                places.push(place.clone());
            }
        }
        let (home, directories) = match output.file() {
            Some(path) => {
                // Hidden, so that it is not taken for data.
                let mut name = OsString::from(".");
                name.push(path.file_name().unwrap_or_default());
                name.push(".komabako");
                (directory_of(path).join(name), Vec::new())
            }
            None => {
                let place = places.first().cloned().unwrap_or_else(std::env::temp_dir);
                let home = place.join(random_name());
                (home.clone(), if places.is_empty() { Vec::new() } else { vec![home] })
            }
        };
        WorkDir { home, places, directories, locked: Vec::new(), keep: false }
    }

    /// The directory with the manifest.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The parents of the job's directories of files, in the order in which files are spread over them.
    pub fn places(&self) -> impl Iterator<Item = &Path> {
        let beside = if self.places.is_empty() { Some(directory_of(&self.home)) } else { None };
        beside.into_iter().chain(self.places.iter().map(PathBuf::as_path))
    }

    /// The names of the directories of files in their places.
    pub fn names(&self) -> Vec<String> {
        let name = |directory: &PathBuf| directory.file_name().unwrap_or_default().display().to_string();
        self.directories.iter().map(name).collect()
    }

    /// The directory with the manifest, if an earlier run left it.
    ///
    /// # Errors
    /// [`DatasetError::InUse`] if that run is still running.
    pub fn existing(&self) -> Result<Option<&Path>, DatasetError> {
        // A run that is killed while it removes its directory may leave it empty: nothing is in it to resume.
        if !self.home.exists() || fs::remove_dir(&self.home).is_ok() {
            return Ok(None);
        }
        // Without a lock no run uses it, and another program may have made it.
        if self.home.join(LOCK).exists() {
            lock(&self.home, None)?;
        }
        Ok(self.home.exists().then_some(&*self.home))
    }

    /// Takes over the directory with the manifest, and keeps it until [`WorkDir::keep`] says otherwise. Creates none: it is not
    /// yet known whether it belongs to this job.
    pub fn take_over(&mut self) -> Result<(), DatasetError> {
        self.keep = true;
        if self.home.exists() { self.lock_directory(self.home.clone()) } else { Ok(()) }
    }

    /// Takes over the directories of files, by the names in the manifest.
    pub fn take_over_files(&mut self, names: &[String]) -> Result<(), DatasetError> {
        self.directories = self.places.iter().zip(names).map(|(place, name)| place.join(name)).collect();
        // A file in one that is missing, perhaps with its disk, is reported when it is opened.
        let left = self.directories.iter().filter(|directory| directory.exists());
        let left: Vec<PathBuf> = left.cloned().collect();
        left.into_iter().try_for_each(|directory| self.lock_directory(directory))
    }

    /// The total size of the files in one of the directories, in bytes.
    pub fn bytes(&self, number: usize) -> u64 {
        bytes_in(self.directories.get(number).unwrap_or(&self.home))
    }

    /// Directories that killed jobs with stream outputs left beside this job's. They cannot be resumed, and
    /// their names are never used again, so nothing else would find them.
    pub fn leftovers(&self) -> Vec<Leftover> {
        let entries = self.places().filter_map(|place| fs::read_dir(place).ok()).flatten().flatten();
        let others = entries.map(|entry| entry.path()).filter(|path| *path != self.home);
        let dead = others.filter(|path| state_of(path) == Some(State::Dead));
        dead.map(|path| Leftover { bytes: bytes_in(&path), state: State::Dead, path }).collect()
    }

    /// Creates the missing directories.
    pub fn create(&mut self) -> Result<(), DatasetError> {
        let failed = |path: &Path, error| DatasetError::Create(path.to_owned(), error);
        let parent = directory_of(&self.home);
        // The system's directory of temporary files was not named for this job: it must be there.
        if self.places.iter().any(|place| place == parent) {
            fs::create_dir_all(parent).map_err(|error| failed(parent, error))?;
        }
        match create_private(&self.home) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => {
                return Err(failed(&self.home, error));
            }
            Err(_) => self.lock_directory(self.home.clone())?,
            Ok(()) => self.lock_created(self.home.clone())?,
        }
        for place in self.places.clone().iter().skip(self.directories.len()) {
            fs::create_dir_all(place).map_err(|error| failed(place, error))?;
            let directory = place.join(random_name());
            create_private(&directory).map_err(|error| failed(&directory, error))?;
            self.lock_created(directory.clone())?;
            self.directories.push(directory);
        }
        self.directories.clone().into_iter().try_for_each(|directory| self.lock_directory(directory))
    }

    /// Locks a directory that this run has just created. If that fails, nothing of it is left.
    fn lock_created(&mut self, directory: PathBuf) -> Result<(), DatasetError> {
        self.lock_directory(directory.clone()).inspect_err(|_| {
            // If no more files can be opened, a directory cannot be read, but an empty one can be removed.
            let _ = fs::remove_file(directory.join(LOCK));
            let _ = fs::remove_dir(&directory);
        })
    }

    /// Locks a directory, unless it is already locked.
    fn lock_directory(&mut self, directory: PathBuf) -> Result<(), DatasetError> {
        if self.locked.iter().all(|(locked, _)| *locked != directory) {
            let home = if directory == self.home { None } else { Some(&*self.home) };
            let lock = lock(&directory, home)?;
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
        let directory = match self.directories.len() {
            0 => &self.home,
            count => &self.directories[number % count],
        };
        directory.join(format!("{kind}-{number:05}"))
    }
}

impl Drop for WorkDir {
    fn drop(&mut self) {
        if self.keep {
            return;
        }
        let mut locked = mem::take(&mut self.locked);
        // The manifest is the last to go: until then, a later run knows what the rest is.
        locked.sort_by_key(|(directory, _)| *directory == self.home);
        // Best effort: leftover files are harmless.
        for (directory, lock) in locked {
            // Locked until it is empty: another job would use it, and lose its files.
            if remove(&directory).is_err() {
                // Some systems do not remove a directory with an open file.
                drop(lock);
                let _ = fs::remove_dir(&directory);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::{Duration, SystemTime};

    use komabako_testkit::files::set_modified;

    use super::*;
    use crate::engine::temporary::directory::SIGNATURE;

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
        let live = open();
        let mut killed = open();
        assert_ne!(live.home(), killed.home());
        fs::write(killed.file("stream", 0), [0; 100]).unwrap();
        fs::create_dir(place.path().join(".komabako-of-another-program")).unwrap();
        assert!(open().leftovers().is_empty());
        // Only the lock is dropped.
        killed.keep(true);
        let path = killed.home().to_owned();
        drop(killed);
        assert!(open().leftovers().is_empty());
        let long_ago = SystemTime::now() - Duration::from_secs(100);
        set_modified(&path, long_ago).unwrap();
        let bytes = 100 + SIGNATURE.len() as u64;
        let left = Leftover { path, bytes, state: State::Dead };
        assert_eq!(open().leftovers(), [left]);
    }

    #[test]
    fn an_empty_directory_blocks_no_job() {
        let place = tempfile::tempdir().unwrap();
        let work_dir = WorkDir::locate(&Limits::default(), &Output::path(place.path().join("clean.psv")));
        fs::create_dir(work_dir.home()).unwrap();
        assert_eq!(work_dir.existing().unwrap(), None);
        fs::create_dir(work_dir.home()).unwrap();
        fs::write(work_dir.file("keys", 0), "").unwrap();
        assert_eq!(work_dir.existing().unwrap(), Some(work_dir.home()));
    }

    #[test]
    fn a_directory_that_its_job_removes_is_not_taken_over() {
        let place = tempfile::tempdir().unwrap();
        let mut work_dir = WorkDir::locate(&Limits::default(), &Output::path(place.path().join("clean.psv")));
        work_dir.create().unwrap();
        let home = work_dir.home().to_owned();
        thread::scope(|scope| {
            let waiting = scope.spawn(|| lock(&home, None));
            thread::sleep(Duration::from_millis(50));
            drop(work_dir);
            assert!(matches!(waiting.join().unwrap(), Err(DatasetError::InUse(_))));
        });
        assert!(!home.exists());
    }

    #[test]
    fn a_place_named_twice_is_used_once() {
        let place = tempfile::tempdir().unwrap();
        let [once, again] = ["tmp", "tmp/"].map(|name| place.path().join(name));
        let limits = Limits { directories: vec![once.clone(), again], ..Limits::default() };
        let mut work_dir = WorkDir::locate(&limits, &Output::path(place.path().join("clean.psv")));
        work_dir.create().unwrap();
        assert_eq!((work_dir.places().count(), fs::read_dir(&once).unwrap().count()), (1, 1));
        drop(work_dir);
        assert_eq!(fs::read_dir(once).unwrap().count(), 0);
    }

    /// Another user of a shared place can neither guess the name nor read the files.
    #[cfg(unix)]
    #[test]
    fn directories_have_random_names_and_are_private() {
        use std::os::unix::fs::PermissionsExt;
        let place = tempfile::tempdir().unwrap();
        let tmp = place.path().join("tmp");
        let limits = Limits { directories: vec![tmp.clone()], ..Limits::default() };
        let jobs = ["a.psv", "b.psv"].map(|name| {
            let mut work_dir = WorkDir::locate(&limits, &Output::path(place.path().join(name)));
            work_dir.create().unwrap();
            for directory in work_dir.directories.iter().chain([&work_dir.home]) {
                assert_eq!(fs::metadata(directory).unwrap().permissions().mode() & 0o777, 0o700);
            }
            work_dir
        });
        assert_eq!(fs::read_dir(&tmp).unwrap().count(), 2);
        for work_dir in &jobs {
            let name = &work_dir.names()[0];
            assert!(name.starts_with(".komabako-") && !name.contains("psv"), "{name}");
        }
    }
}

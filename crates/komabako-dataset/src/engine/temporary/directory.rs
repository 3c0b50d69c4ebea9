//! Directories of temporary files: private, locked while a job uses them, and recognised when a killed job has left them.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::DatasetError;
use crate::io::output::is_unfinished;

/// The name of the file that records the finished work of a job, from which a later run resumes.
pub(crate) const MANIFEST: &str = "manifest.json";

/// The prefix of directories with random names.
pub(crate) const RANDOM_PREFIX: &str = ".komabako-";
/// The file in each directory that is locked.
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

/// The start of the content of a lock file, which tells our directories from those of others. After it, in a directory of files
/// elsewhere, is the path of the directory with the manifest.
pub(crate) const SIGNATURE: &[u8] = b"temporary files of komabako\n";

/// More than the length of any path, so that a large file of another program is not read.
const LONGEST_LOCK: u64 = 1 << 14;

/// Locks a directory; `None` if the file system does not support locks. `home`: the directory with the manifest, if it is another.
pub(crate) fn lock(directory: &Path, home: Option<&Path>) -> Result<Option<File>, DatasetError> {
    let path = directory.join(LOCK);
    let failed = |error| DatasetError::Create(path.clone(), error);
    // A pipe would be waited for, and a link leads to a file of another.
    if fs::symlink_metadata(&path).is_ok_and(|known| !known.is_file()) {
        return Err(failed(io::ErrorKind::InvalidInput.into()));
    }
    let mut options = File::options();
    let in_use = || DatasetError::InUse(directory.to_owned());
    let opened = options.create(true).truncate(false).read(true).write(true).open(&path);
    let mut file = opened.map_err(|error| if directory.exists() { failed(error) } else { in_use() })?;
    match try_lock(&file) {
        Err(TryLockError::WouldBlock) => Err(in_use()),
        // A job that ended in the meantime has removed it.
        _ if !has_name(&file, &path) => Err(in_use()),
        result => {
            sign(&mut file, home).map_err(failed)?;
            Ok(result.is_ok().then_some(file))
        }
    }
}

/// Whether a path still leads to an open file. The standard library knows only on Unix which file it is.
pub(crate) fn has_name(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let id = |known: &Metadata| (known.dev(), known.ino());
        matches!((file.metadata(), fs::metadata(path)), (Ok(file), Ok(named)) if id(&file) == id(&named))
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// Writes the content of a lock file, unless it has that of another program.
fn sign(file: &mut File, home: Option<&Path>) -> io::Result<()> {
    let mut known = Vec::new();
    Read::by_ref(file).take(LONGEST_LOCK).read_to_end(&mut known)?;
    if !known.is_empty() && !known.starts_with(SIGNATURE) {
        return Ok(());
    }
    let mut content = SIGNATURE.to_vec();
    if let Some(home) = home {
        content.extend_from_slice(std::path::absolute(home)?.as_os_str().as_encoded_bytes());
    }
    file.rewind()?;
    file.write_all(&content)?;
    file.set_len(content.len() as u64)
}

/// A directory of temporary files with a random name, removed when it is dropped.
pub(crate) struct TemporaryDirectory {
    /// The lock comes before the directory, since some systems do not remove a directory with an open file.
    _lock: Option<File>,
    made: TempDir,
}

impl TemporaryDirectory {
    /// Creates one in `place`, which is created if it is missing.
    pub fn make(place: &Path) -> Result<TemporaryDirectory, DatasetError> {
        let create = |error| DatasetError::Create(place.to_owned(), error);
        fs::create_dir_all(place).map_err(create)?;
        let name = random_name();
        let mut builder = tempfile::Builder::new();
        builder.prefix(&name).rand_bytes(0);
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let made = builder.tempdir_in(place).map_err(create)?;
        Ok(TemporaryDirectory { _lock: lock(made.path(), None)?, made })
    }

    /// The path of a file of a kind, by its number.
    pub fn file(&self, kind: &str, number: usize) -> PathBuf {
        self.made.path().join(format!("{kind}-{number:05}"))
    }
}

/// Locks a file. Tries for a moment, since `komabako clean` locks what it looks at.
pub(crate) fn try_lock(file: &File) -> Result<(), TryLockError> {
    const ATTEMPTS: usize = 20;
    for _ in 1..ATTEMPTS {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(10)),
            result => return result,
        }
    }
    file.try_lock()
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
    /// They are so new that a run may be about to lock them.
    Recent,
    /// No run will use them again.
    Dead,
}

/// The age below which unlocked files may belong to a run that is about to lock them.
const RECENT: Duration = Duration::from_secs(60);

/// The state of files that no run has locked and none can resume from. A time in the future says nothing about the age.
pub(crate) fn unlocked(known: &Metadata) -> State {
    let age = known.modified().ok().and_then(|modified| modified.elapsed().ok());
    if age.is_some_and(|age| age >= RECENT) { State::Dead } else { State::Recent }
}

/// The state of a directory of temporary files; `None` for any other path. A directory whose lock lacks our signature belongs to
/// another program, unless it is empty: a run has just created it, or has removed everything else.
pub(crate) fn state_of(directory: &Path) -> Option<State> {
    if !is_name_of_directory(directory.file_name()?.as_encoded_bytes()) {
        return None;
    }
    let known = fs::symlink_metadata(directory).ok()?;
    if !known.is_dir() {
        return None;
    }
    if fs::read_dir(directory).ok()?.next().is_none() {
        return Some(unlocked(&known));
    }
    let file = open_lock(directory).ok()?;
    if file.try_lock().is_err() {
        return Some(State::Alive);
    }
    let mut content = Vec::new();
    file.take(LONGEST_LOCK).read_to_end(&mut content).ok()?;
    let home = match content.strip_prefix(SIGNATURE)? {
        [] => Some(directory.to_owned()),
        home => path_of(home),
    };
    // If the output's directory is out of reach, in another container or on a disk that is not mounted, nobody can know.
    let can_resume =
        home.is_none_or(|home| home.join(MANIFEST).exists() || !home.parent().is_some_and(Path::is_dir));
    Some(if can_resume { State::Resumable } else { unlocked(&known) })
}

/// Whether a name is `.NAME.komabako` or `.komabako-` with 16 hexadecimal digits.
fn is_name_of_directory(name: &[u8]) -> bool {
    if let Some(digits) = name.strip_prefix(RANDOM_PREFIX.as_bytes()) {
        return digits.len() == 16 && digits.iter().all(u8::is_ascii_hexdigit);
    }
    let output = name.strip_prefix(b".").and_then(|name| name.strip_suffix(b".komabako"));
    output.is_some_and(|output| !output.is_empty())
}

/// Opens the lock file of a directory. Another user of a shared directory could make it a pipe, which would be waited for.
pub(crate) fn open_lock(directory: &Path) -> io::Result<File> {
    let path = directory.join(LOCK);
    if !fs::symlink_metadata(&path)?.is_file() {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    File::open(path)
}

/// The path that a lock file has; `None` if this system cannot have such a path.
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    #[cfg(unix)]
    return Some(PathBuf::from(<OsStr as std::os::unix::ffi::OsStrExt>::from_bytes(bytes)));
    #[cfg(not(unix))]
    str::from_utf8(bytes).ok().map(PathBuf::from)
}

/// The size of the files in a directory, in bytes.
pub(crate) fn bytes_in(directory: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(directory) else { return 0 };
    entries.flatten().filter_map(|entry| entry.metadata().ok()).map(|file| file.len()).sum()
}

/// Removes a directory and the files in it; none of them if one is not ours.
///
/// # Errors
/// [`DirectoryNotEmpty`](io::ErrorKind::DirectoryNotEmpty) if a file is not ours; that of the first file that cannot be removed.
pub(crate) fn remove(directory: &Path) -> io::Result<()> {
    for file in files_to_remove(directory)? {
        fs::remove_file(file)?;
    }
    fs::remove_dir(directory)
}

/// The files of a directory: the manifest after the data, and last the lock, by which the directory is recognised if a run is
/// killed while it removes them.
pub(crate) fn files_to_remove(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if !is_name_of_file(&entry.file_name()) {
            return Err(io::ErrorKind::DirectoryNotEmpty.into());
        }
        files.push(entry.path());
    }
    files.sort_by_key(|file| (file.ends_with(LOCK), file.ends_with(MANIFEST)));
    Ok(files)
}

/// Whether a job gives a file in its directory this name: that of the lock, of the manifest, of a manifest that is being written
/// (`.tmpXXXXXX`), of an output, or `KIND-NNNNN`.
pub(crate) fn is_name_of_file(name: &OsStr) -> bool {
    let Some(name) = name.to_str() else { return is_unfinished(name) };
    let is_new_manifest = name.strip_prefix(".tmp").is_some_and(|random| {
        random.len() == 6 && random.bytes().all(|letter| letter.is_ascii_alphanumeric())
    });
    let is_numbered = name.rsplit_once('-').is_some_and(|(kind, number)| {
        let is_kind = kind.bytes().all(|letter| letter.is_ascii_lowercase() || letter == b'-');
        is_kind && number.len() >= 5 && number.bytes().all(|digit| digit.is_ascii_digit())
    });
    name == LOCK || name == MANIFEST || is_new_manifest || is_numbered || is_unfinished(name.as_ref())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_is_removed_last_and_the_manifest_before_it() {
        let place = tempfile::tempdir().unwrap();
        for name in [LOCK, MANIFEST, "order-00000", "a-part-100000", ".tmpAb3xyz", ".a.psv.komabako-part"] {
            fs::write(place.path().join(name), "").unwrap();
        }
        let files = files_to_remove(place.path()).unwrap();
        assert_eq!(files.len(), 6);
        assert_eq!(files[4..], [MANIFEST, LOCK].map(|name| place.path().join(name)));
        remove(place.path()).unwrap();
        assert!(!place.path().exists());
    }

    #[test]
    fn nothing_is_removed_beside_a_file_of_another() {
        for other in ["notes.txt", "a-1", "KEYS-00000", ".tmp1", "lock2", ".a.psv.part"] {
            let place = tempfile::tempdir().unwrap();
            for name in [LOCK, "keys-00000", other] {
                fs::write(place.path().join(name), "").unwrap();
            }
            let count = || fs::read_dir(place.path()).unwrap().count();
            if other.eq_ignore_ascii_case("keys-00000") && count() == 2 {
                // Windows and macOS take both names for one.
                continue;
            }
            assert_eq!(remove(place.path()).unwrap_err().kind(), io::ErrorKind::DirectoryNotEmpty, "{other}");
            assert_eq!(count(), 3);
        }
        let place = tempfile::tempdir().unwrap();
        let inner = place.path().join("keys-00000");
        fs::create_dir(&inner).unwrap();
        fs::write(inner.join("mine"), "").unwrap();
        remove(place.path()).unwrap_err();
        assert!(inner.join("mine").exists());
    }

    #[test]
    fn a_lock_of_another_program_keeps_its_content() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join(LOCK);
        fs::write(&path, "mine").unwrap();
        drop(lock(place.path(), None).unwrap());
        assert_eq!(fs::read(&path).unwrap(), b"mine");
        fs::write(&path, "").unwrap();
        drop(lock(place.path(), Some("/a/longer/path".as_ref())).unwrap());
        drop(lock(place.path(), Some("/home".as_ref())).unwrap());
        assert!(fs::read(&path).unwrap().starts_with(SIGNATURE));
        #[cfg(unix)]
        assert!(fs::read(&path).unwrap().ends_with(b"\n/home"));
    }

    #[test]
    fn a_probe_does_not_keep_a_run_from_locking() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("file");
        let file = File::create(&path).unwrap();
        let probe = File::open(&path).unwrap();
        probe.lock().unwrap();
        thread::scope(|scope| {
            let locked = scope.spawn(|| try_lock(&file));
            drop(probe);
            locked.join().unwrap().unwrap();
        });
    }
}

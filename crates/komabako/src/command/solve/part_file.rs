//! [`PartFile`]: the file of `--output`, which grows answer by answer as `FILE.part` and gets its name when it is complete.
//!
//! Other jobs write to a hidden temporary file that is removed after a failed run, because they can be run again. Repeating
//! hours of solving is not acceptable, so this file has a visible name and stays, whatever ended the run. It is locked while a
//! run writes to it: two runs that continue the same file would mix their answers.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use komabako::dataset::{DatasetError, Name, Output, Waiting};

/// An unfinished output file.
pub struct PartFile {
    file: File,
    /// Its name while unfinished and its final name; `None` for a device or a pipe, which is written directly.
    places: Option<(PathBuf, PathBuf)>,
    /// Whether it holds an answer.
    has_answers: bool,
}

/// The name of a file before it is complete.
pub fn part_of(path: &Path) -> PathBuf {
    let mut name = OsString::from(Output::destination(path));
    name.push(".part");
    PathBuf::from(name)
}

/// Whether a file is the unfinished one of an output.
pub fn is_part(file: &Path, output: &Path) -> bool {
    Output::destination(file) == Output::destination(&part_of(output))
}

/// Whether a file begins with all whole lines of an earlier one, which it may therefore replace.
pub fn continues(file: &Path, earlier: &Path) -> bool {
    let (Ok(file), Ok(earlier)) = (File::open(file), File::open(earlier)) else { return false };
    let mut file = BufReader::new(file);
    let mut earlier = BufReader::new(earlier);
    let mut line = Vec::new();
    let mut own = Vec::new();
    while earlier.read_until(b'\n', &mut line).is_ok_and(|length| length > 0) {
        if line.ends_with(b"\n") && (file.read_until(b'\n', &mut own).is_err() || own != line) {
            return false;
        }
        line.clear();
        own.clear();
    }
    true
}

/// Opens a file for reading and writing, and keeps other runs from writing to it until it is closed or the program ends.
///
/// # Errors
/// [`ErrorKind::ResourceBusy`] if another run has it.
fn open_alone(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    /// A run that finds the file of another one locks it for a moment, to see whether it is in use.
    const ATTEMPTS: u32 = 5;
    options.read(true).write(true);
    // On Windows, a lock would also keep people from reading the answers so far.
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt;
        const FILE_SHARE_READ: u32 = 1;
        const FILE_SHARE_DELETE: u32 = 4;
        options.share_mode(FILE_SHARE_READ | FILE_SHARE_DELETE);
    }
    let file = options.open(path).map_err(|error| match error.raw_os_error() {
        // ERROR_SHARING_VIOLATION
        Some(32) if cfg!(windows) => ErrorKind::ResourceBusy.into(),
        _ => error,
    })?;
    if cfg!(windows) {
        return Ok(file);
    }
    for attempt in 1.. {
        match file.try_lock() {
            Err(fs::TryLockError::WouldBlock) if attempt == ATTEMPTS => break,
            Err(fs::TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(10)),
            // On a file system without locks, runs are not kept apart.
            Ok(()) | Err(fs::TryLockError::Error(_)) => return Ok(file),
        }
    }
    Err(ErrorKind::ResourceBusy.into())
}

/// The unfinished file of an earlier run, which no other run continues.
pub struct Unfinished(File);

impl Unfinished {
    /// Opens a file.
    ///
    /// # Errors
    /// [`ErrorKind::ResourceBusy`] if another run has it.
    pub fn open(part: &Path) -> io::Result<Self> {
        let file = open_alone(&mut File::options(), part)?;
        // The run that had the lock may have completed the file in the meantime, and given it its final name.
        if part.exists() { Ok(Self(file)) } else { Err(ErrorKind::ResourceBusy.into()) }
    }

    pub fn read(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.0.seek(SeekFrom::Start(0))?;
        self.0.read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl PartFile {
    /// Creates a file.
    ///
    /// # Errors
    /// [`ErrorKind::AlreadyExists`] if an unfinished one exists: it is never overwritten. [`ErrorKind::ResourceBusy`] if another
    /// run is writing it.
    pub fn create(path: &Path) -> io::Result<Self> {
        if Output::path(path).file().is_none() {
            return Ok(Self { file: Waiting::open_to_write(path)?, places: None, has_answers: false });
        }
        let part = part_of(path);
        let path = Output::destination(path);
        let file = Self::create_part(&part, &path)?;
        Ok(Self { file, places: Some((part, path)), has_answers: false })
    }

    /// Creates the unfinished file of an output, with the permissions of the file that it replaces.
    fn create_part(part: &Path, path: &Path) -> io::Result<File> {
        let created = open_alone(File::options().create_new(true), part);
        let file = created.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => match Unfinished::open(part) {
                Err(known) if known.kind() == ErrorKind::ResourceBusy => known,
                _ => error,
            },
            _ => error,
        })?;
        if cfg!(unix)
            && let Ok(replaced) = fs::metadata(path)
        {
            // Some file systems have no permissions.
            let _ = file.set_permissions(replaced.permissions());
        }
        Ok(file)
    }

    /// Continues an unfinished file after its last whole line.
    pub fn resume(path: &Path, mut unfinished: Unfinished) -> io::Result<Self> {
        // The problem of a truncated last line, after a kill, is solved again.
        let whole = unfinished.read()?.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let Unfinished(mut file) = unfinished;
        file.set_len(whole as u64)?;
        file.seek(SeekFrom::End(0))?;
        Ok(Self { file, places: Some((part_of(path), Output::destination(path))), has_answers: whole > 0 })
    }

    /// Continues a complete file, which stays unchanged until this one is complete too.
    ///
    /// # Errors
    /// As of [`PartFile::create`].
    pub fn extend(path: &Path, earlier: &Path) -> io::Result<Self> {
        let mut file = Self::create_part(&part_of(path), path)?;
        io::copy(&mut File::open(earlier)?, &mut file)?;
        Self::resume(path, Unfinished(file))
    }

    /// Writes an answer, which then survives the end of the program.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.has_answers = true;
        self.file.write_all(bytes)
    }

    /// Writes a header, which does not count as an answer.
    pub fn write_header(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)
    }

    /// Whether it holds an answer.
    pub fn has_answers(&self) -> bool {
        self.has_answers
    }

    /// Whether nothing has been written, not even a header.
    pub fn is_empty(&self) -> io::Result<bool> {
        Ok(self.places.is_none() || self.file.metadata()?.len() == 0)
    }

    /// Gives the file its name. A file of that name is replaced only if `force` is set or this one continues it.
    ///
    /// # Errors
    /// [`DatasetError::Unnamed`] or [`DatasetError::Write`], with the name under which the answers stay.
    pub fn complete(self, force: bool) -> Result<(), (DatasetError, PathBuf)> {
        let Some((part, path)) = self.places else { return Ok(()) };
        let named = match self.file.sync_all() {
            // The lock ends after the renaming, or another run could continue the file under its old name.
            Ok(()) => Output::name_file(&part, &path, force || continues(&part, &path)),
            Err(error) => Err(DatasetError::Write(Name::from(&path), error)),
        };
        named.map_err(|error| (error, part))
    }

    /// Keeps the unfinished file and returns its name, or removes it if it holds no answer.
    pub fn keep(self) -> Option<PathBuf> {
        let (part, _) = self.places?;
        if self.has_answers {
            return Some(part);
        }
        // Best effort: a leftover file without answers is harmless. The lock ends afterwards, so that no other run continues a
        // file without a name.
        let _ = fs::remove_file(part);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_that_appears_meanwhile_is_kept() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("out.tsv");
        let part = part_of(&path);
        let mut written = PartFile::create(&path).unwrap();
        written.write(b"answer\n").unwrap();
        fs::write(&path, "precious\n").unwrap();
        let (error, kept) = written.complete(false).unwrap_err();
        assert_eq!(error.kind(), "appeared", "{error}");
        assert_eq!((kept, fs::read(&part).unwrap()), (part.clone(), b"answer\n".to_vec()));
        assert_eq!(fs::read(&path).unwrap(), b"precious\n");

        let again = || PartFile::resume(&path, Unfinished::open(&part).unwrap()).unwrap();
        assert!(again().complete(false).is_err());
        // The file that this one continues may be replaced, with a last line that was cut off.
        fs::write(&path, "answer\nans").unwrap();
        let mut more = again();
        more.write(b"another\n").unwrap();
        more.complete(false).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"answer\nanother\n");
        assert!(!part.exists());

        PartFile::create(&path).unwrap().complete(true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"");
    }
}

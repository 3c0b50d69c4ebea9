//! [`PartFile`]: the file of `--output`, which grows answer by answer as `FILE.part` and gets its name when it is complete.
//!
//! Other jobs write to a hidden temporary file that is removed after a failed run, because they can be run again. Repeating
//! hours of solving is not acceptable, so this file has a visible name and stays, whatever ended the run.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
    let mut name = OsString::from(destination(path));
    name.push(".part");
    PathBuf::from(name)
}

/// The target of a link: renaming a file to the link's name would replace the link.
fn destination(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

impl PartFile {
    /// Creates a file.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if an unfinished one exists: it is never overwritten.
    pub fn create(path: &Path) -> io::Result<Self> {
        if fs::metadata(path).is_ok_and(|known| !known.is_file()) {
            return Ok(Self {
                file: File::options().write(true).open(path)?,
                places: None,
                has_answers: false,
            });
        }
        let part = part_of(path);
        let file = File::create_new(&part)?;
        Ok(Self { file, places: Some((part, destination(path))), has_answers: false })
    }

    /// Continues an unfinished or a complete file after its last whole line.
    pub fn resume(path: &Path, earlier: &Path) -> io::Result<Self> {
        let part = part_of(path);
        if destination(earlier) != destination(&part) {
            // The complete file stays unchanged until this one is complete too.
            io::copy(&mut File::open(earlier)?, &mut File::create_new(&part)?)?;
        }
        let file = File::options().append(true).open(&part)?;
        // The problem of a truncated last line, after a kill, is solved again.
        let whole = fs::read(&part)?.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        file.set_len(whole as u64)?;
        Ok(Self { file, places: Some((part, destination(path))), has_answers: whole > 0 })
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

    /// Whether nothing has been written, not even a header.
    pub fn is_empty(&self) -> io::Result<bool> {
        Ok(self.places.is_none() || self.file.metadata()?.len() == 0)
    }

    /// Gives the file its name.
    pub fn complete(self) -> io::Result<()> {
        let Some((part, path)) = self.places else { return Ok(()) };
        self.file.sync_all()?;
        drop(self.file);
        fs::rename(part, path)
    }

    /// Keeps the unfinished file and returns its name, or removes it if it holds no answer.
    pub fn keep(self) -> Option<PathBuf> {
        let (part, _) = self.places?;
        if self.has_answers {
            return Some(part);
        }
        drop(self.file);
        // Best effort: a leftover file without answers is harmless.
        let _ = fs::remove_file(part);
        None
    }
}

//! [`Target`]: an output that appears whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

use super::{Output, identity};
use crate::DatasetError;

/// An opened output.
pub(crate) struct Target<'a> {
    name: String,
    sink: Sink<'a>,
}

enum Sink<'a> {
    /// Written beside its destination and renamed at the end.
    File {
        temporary: NamedTempFile,
        path: PathBuf,
        force: bool,
    },
    /// A device or a pipe with a path.
    Device(File),
    Stream(Box<dyn Write + Send + 'a>),
}

impl<'a> Target<'a> {
    /// Opens an output. Nothing is seen of it under its name before [`Target::complete`].
    pub fn open(output: Output<'a>, force: bool) -> Result<Target<'a>, DatasetError> {
        let name = output.name();
        let sink = match output {
            Output::Stream(_, sink) => Sink::Stream(sink),
            Output::Path(path) => Sink::open(path, force)?,
        };
        Ok(Target { name, sink })
    }

    /// Opens an output that is a file and whose temporary file, as [`unfinished`] names it, is there already: goes on at its
    /// end. It stays unless the output is completed.
    pub fn reopen(path: &Path, unfinished: &Path, force: bool) -> Result<Target<'a>, DatasetError> {
        let failed = |error| DatasetError::Create(unfinished.to_owned(), error);
        let file = File::options().append(true).open(unfinished).map_err(failed)?;
        let mut place = TempPath::try_from_path(unfinished).map_err(failed)?;
        place.disable_cleanup(true);
        let temporary = NamedTempFile::from_parts(file, place);
        Ok(Target {
            name: path.display().to_string(),
            sink: Sink::File { temporary, path: path.to_owned(), force },
        })
    }

    /// The name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Closes it. A file is still not under its name.
    pub fn finish(self) -> FinishedTarget {
        let file = match self.sink {
            Sink::File { temporary, path, force } => Some((temporary.into_temp_path(), path, force)),
            Sink::Device(_) | Sink::Stream(_) => None,
        };
        FinishedTarget { name: self.name, file }
    }

    /// Closes it and puts a file in its place.
    pub fn complete(self) -> Result<(), DatasetError> {
        self.finish().complete()
    }
}

/// An output that is written and closed.
pub(crate) struct FinishedTarget {
    name: String,
    /// A file, where it goes, and whether over another.
    file: Option<(TempPath, PathBuf, bool)>,
}

impl FinishedTarget {
    /// Puts a file in its place.
    pub fn complete(self) -> Result<(), DatasetError> {
        let Some((temporary, path, force)) = self.file else { return Ok(()) };
        let persisted = if force { temporary.persist(&path) } else { temporary.persist_noclobber(&path) };
        match persisted {
            Ok(()) => Ok(()),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(DatasetError::Exists(path))
            }
            Err(error) => Err(DatasetError::Write(self.name, error.error)),
        }
    }
}

impl Sink<'_> {
    fn open(path: PathBuf, force: bool) -> Result<Self, DatasetError> {
        let create = |error| DatasetError::Create(path.clone(), error);
        // A link is followed, so that it still points to the output afterwards.
        let target = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
        match fs::metadata(&target) {
            Ok(known) if known.is_dir() => return Err(create(io::ErrorKind::IsADirectory.into())),
            Ok(known) if !known.is_file() => {
                return File::options().write(true).open(&target).map(Sink::Device).map_err(create);
            }
            Ok(_) if !force => return Err(DatasetError::Exists(path)),
            // A link to nothing would be found in the way when all is done.
            Err(_) if !force && path.is_symlink() => return Err(DatasetError::Exists(path)),
            _ => {}
        }
        let temporary = temporary_beside(&target).map_err(create)?;
        Ok(Sink::File { temporary, path: target, force })
    }
}

/// How the name of a temporary file ends.
const SUFFIX: &str = ".part";

/// A new file in the same directory, `.NAME.….part`, with the permissions of any new file.
fn temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let prefix = prefix_of(path).ok_or(io::ErrorKind::InvalidFilename)?;
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(SUFFIX);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(directory_of(path))
}

/// How the names of temporary files of an output start.
fn prefix_of(path: &Path) -> Option<OsString> {
    let mut prefix = OsString::from(".");
    prefix.push(path.file_name()?);
    prefix.push(".");
    Some(prefix)
}

/// The temporary file of an output in a directory that is beside it and has no other: `.NAME.part`. `None` if the output is
/// elsewhere, or a link, and so perhaps on another file system.
pub(crate) fn unfinished(directory: &Path, output: &Path) -> Option<PathBuf> {
    let is_beside = directory_of(&identity(output)) == directory_of(&identity(directory));
    let mut name = prefix_of(output)?;
    name.push(&SUFFIX[1..]);
    (is_beside && !output.is_symlink()).then(|| directory.join(name))
}

/// The directory of a path.
pub(crate) fn directory_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Waits until a file is on its disk, and not only on its way there: a failure of power must not take it.
pub(crate) fn sync(path: &Path) -> Result<(), DatasetError> {
    let sync = || File::options().write(true).open(path)?.sync_all();
    sync().map_err(|error| DatasetError::Write(path.display().to_string(), error))
}

/// Removes the temporary files that killed runs have left of an output. Only for a job that no other run does now.
pub(crate) fn remove_abandoned(path: &Path) {
    let path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (Some(prefix), Ok(entries)) = (prefix_of(&path), fs::read_dir(directory_of(&path))) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        if name.starts_with(prefix.as_encoded_bytes()) && name.ends_with(SUFFIX.as_bytes()) {
            // What cannot be removed is in nobody's way.
            let _ = fs::remove_file(entry.path());
        }
    }
}

impl Write for Target<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.sink {
            Sink::File { temporary, .. } => temporary.write(bytes),
            Sink::Device(file) => file.write(bytes),
            Sink::Stream(sink) => sink.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::File { temporary, .. } => temporary.flush(),
            Sink::Device(file) => file.flush(),
            Sink::Stream(sink) => sink.flush(),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_is_followed_and_one_to_nothing_is_told_before_anything_is_written() {
        let directory = tempfile::tempdir().unwrap();
        let [there, link, nothing] = ["there", "link", "nothing"].map(|name| directory.path().join(name));
        fs::write(&there, "old").unwrap();
        symlink(&there, &link).unwrap();
        symlink(directory.path().join("gone"), &nothing).unwrap();
        let open = |path: &Path, force| Target::open(Output::path(path), force);
        for path in [&link, &nothing] {
            assert!(matches!(open(path, false), Err(DatasetError::Exists(known)) if known == *path));
        }
        let mut target = open(&link, true).unwrap();
        target.write_all(b"new").unwrap();
        target.complete().unwrap();
        assert!(link.is_symlink() && fs::read(&there).unwrap() == b"new");
    }
}

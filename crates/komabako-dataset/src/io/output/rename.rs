//! [`rename`]: gives a temporary file its name.

use std::borrow::Cow;
use std::path::Path;
use std::time::Duration;
use std::{fs, io, thread};

use tempfile::{PathPersistError, TempPath};

use super::identity;
use crate::io::error::SystemError;

/// A virus scanner or an indexer of Windows may have a new file open for a moment, which keeps its name from changing.
pub(super) const ATTEMPTS: usize = 20;

/// Renames a temporary file. If another program of Windows has it open, tries again for a second.
pub(crate) fn rename(temporary: TempPath, path: &Path, force: bool) -> Result<(), PathPersistError> {
    rename_in(ATTEMPTS, temporary, path, force)
}

/// The same, with as many attempts.
pub(super) fn rename_in(
    attempts: usize,
    mut temporary: TempPath,
    path: &Path,
    force: bool,
) -> Result<(), PathPersistError> {
    let path = of_any_length(path);
    for _ in 1..attempts {
        match rename_now(temporary, &path, force) {
            Err(failed) if SystemError(&failed.error).is_held() => temporary = failed.path,
            result => return result,
        }
        thread::sleep(Duration::from_millis(50));
    }
    rename_now(temporary, &path, force)
}

fn rename_now(temporary: TempPath, path: &Path, force: bool) -> Result<(), PathPersistError> {
    if force {
        return replace(temporary, path);
    }
    match temporary.persist_noclobber(path) {
        Err(failed) if failed.error.kind() != io::ErrorKind::AlreadyExists && is_free(path) => {
            // A file system that has neither hard links nor a renaming that replaces nothing: FUSE, shared folders. A file that
            // another program creates just now is replaced.
            replace(failed.path, path)
        }
        renamed => renamed,
    }
}

/// Renames a temporary file to a name that may be taken. Unlike `tempfile`'s own way, that of the standard library replaces on Windows
/// 10 also a file that others are reading.
fn replace(mut temporary: TempPath, path: &Path) -> Result<(), PathPersistError> {
    match fs::rename(&temporary, path) {
        Ok(()) => {
            temporary.disable_cleanup(true);
            Ok(())
        }
        Err(error) => Err(PathPersistError { error, path: temporary }),
    }
}

/// A path as `tempfile` takes it at any length. Windows limits others to 260 letters; the standard library works around that.
pub(crate) fn of_any_length(path: &Path) -> Cow<'_, Path> {
    if cfg!(windows) { Cow::Owned(identity(path)) } else { Cow::Borrowed(path) }
}

/// Whether no file has a name.
pub(super) fn is_free(path: &Path) -> bool {
    fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

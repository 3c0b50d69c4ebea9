//! What tests do to files.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::SystemTime;

/// Makes a file or directory look as if it had been changed last at a time.
///
/// # Errors
/// If the system refuses it.
pub fn set_modified(path: &Path, time: SystemTime) -> io::Result<()> {
    open(path)?.set_modified(time)
}

/// Whether a non-empty file whose name starts with `prefix` is in a directory or below it.
pub fn has_grown(directory: &Path, prefix: &str) -> bool {
    // A file or directory that disappears meanwhile counts as not grown.
    let Ok(entries) = fs::read_dir(directory) else { return false };
    entries.flatten().any(|entry| match entry.metadata() {
        Ok(known) if known.is_dir() => has_grown(&entry.path(), prefix),
        Ok(known) => known.len() > 0 && entry.file_name().to_string_lossy().starts_with(prefix),
        Err(_) => false,
    })
}

#[cfg(not(windows))]
fn open(path: &Path) -> io::Result<File> {
    File::open(path)
}

/// Windows asks for the right to change attributes, and for a flag to open a directory.
#[cfg(windows)]
fn open(path: &Path) -> io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;

    const FILE_WRITE_ATTRIBUTES: u32 = 0x100;
    const FILE_FLAG_BACKUP_SEMANTICS: u32 = 0x0200_0000;
    File::options().access_mode(FILE_WRITE_ATTRIBUTES).custom_flags(FILE_FLAG_BACKUP_SEMANTICS).open(path)
}

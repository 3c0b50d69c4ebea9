//! [`Disk`]: a small disk for tests.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

use komabako_testkit::files::has_grown;

use crate::succeed;

/// A tmpfs that only this program and its children see.
pub struct Disk {
    path: PathBuf,
}

/// The name of the file that fills the disk.
const FILLER: &str = "filler";

impl Disk {
    /// Mounts a disk over a directory.
    pub fn mount(path: PathBuf) -> Disk {
        succeed(Command::new("mount").args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"]).arg(&path)).unwrap();
        Disk { path }
    }

    /// The disk's directory.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Empties the disk and sets its size in bytes.
    pub fn resize(&self, bytes: u64) {
        self.clear();
        let size = format!("remount,size={bytes}");
        succeed(Command::new("mount").args(["-o", &size]).arg(&self.path)).unwrap();
    }

    /// Removes everything on the disk.
    pub fn clear(&self) {
        for name in self.names() {
            let path = self.path.join(name);
            let removed = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
            removed.unwrap();
        }
    }

    /// The names of the files and directories on the disk, sorted.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.path).unwrap();
        let mut names: Vec<String> =
            entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    /// Fills all remaining space with one file.
    pub fn fill(&self) -> io::Result<()> {
        let mut file = File::create(self.path.join(FILLER))?;
        // Write in ever smaller chunks, until not even one byte fits.
        let mut chunk = vec![1; 1 << 20];
        while !chunk.is_empty() {
            if file.write_all(&chunk).is_err() {
                chunk.truncate(chunk.len() / 2);
            }
        }
        Ok(())
    }

    /// Frees the space taken by `fill`. Returns whether it was taken.
    pub fn free(&self) -> bool {
        fs::remove_file(self.path.join(FILLER)).is_ok()
    }

    /// Whether a non-empty file whose name starts with `prefix` exists, here or in a subdirectory.
    pub fn has_grown(&self, prefix: &str) -> bool {
        has_grown(&self.path, prefix)
    }
}

#[test]
fn files_that_have_grown_are_found_by_their_names() {
    let directory = tempfile::tempdir().unwrap();
    let disk = Disk { path: directory.path().to_owned() };
    let inner = directory.path().join(".out.psv.komabako");
    fs::create_dir(&inner).unwrap();
    fs::write(inner.join("keys-00001"), []).unwrap();
    assert!(!disk.has_grown("keys-") && !disk.has_grown(".out.psv."));
    fs::write(inner.join("keys-00001"), [1]).unwrap();
    assert!(disk.has_grown("keys-") && !disk.has_grown("list-"));
    assert_eq!(disk.names(), [".out.psv.komabako"]);
    disk.clear();
    assert!(disk.names().is_empty() && !disk.free());
}

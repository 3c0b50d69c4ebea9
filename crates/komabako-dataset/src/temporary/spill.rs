//! [`Spill`]: many temporary files written at once, of which one is open at a time.

use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use twox_hash::xxhash3_128::Hasher;

use super::Part;
use crate::DatasetError;

/// Files that grow in turns.
pub(crate) struct Spill {
    files: Vec<Growing>,
    /// How many bytes are collected before a file is written.
    buffer: usize,
}

struct Growing {
    path: PathBuf,
    waiting: Vec<u8>,
    bytes: u64,
    hasher: Hasher,
}

impl Spill {
    /// Starts empty files at the paths, in place of what is there, with so many bytes of buffer for each.
    pub fn create(paths: impl IntoIterator<Item = PathBuf>, buffer: usize) -> Result<Spill, DatasetError> {
        let mut files = Vec::new();
        for path in paths {
            File::create(&path).map_err(|error| DatasetError::Create(path.clone(), error))?;
            files.push(Growing { path, waiting: Vec::new(), bytes: 0, hasher: Hasher::new() });
        }
        Ok(Spill { files, buffer })
    }

    /// Goes on with files as they were once: what they hold is checked, and what came after is cut off.
    pub fn reopen(
        parts: impl IntoIterator<Item = (PathBuf, Part)>,
        buffer: usize,
    ) -> Result<Spill, DatasetError> {
        let mut files = Vec::new();
        for (path, part) in parts {
            let hasher = part.cut(&path)?;
            files.push(Growing { path, waiting: Vec::new(), bytes: part.bytes, hasher });
        }
        Ok(Spill { files, buffer })
    }

    /// Writes what is collected, and tells what the files are now.
    pub fn rest(&mut self) -> Result<Vec<Part>, DatasetError> {
        self.files.iter_mut().map(Growing::part).collect()
    }

    /// Appends to a file what the function appends to a vector.
    #[inline]
    pub fn put(&mut self, file: usize, entry: impl FnOnce(&mut Vec<u8>)) -> Result<(), DatasetError> {
        let file = &mut self.files[file];
        entry(&mut file.waiting);
        if file.waiting.len() >= self.buffer { file.flush() } else { Ok(()) }
    }

    /// Writes what is left, and tells what the files are.
    pub fn finish(mut self) -> Result<Vec<Part>, DatasetError> {
        self.rest()
    }
}

impl Growing {
    fn part(&mut self) -> Result<Part, DatasetError> {
        if !self.waiting.is_empty() {
            self.flush()?;
        }
        Ok(Part::new(self.bytes, &self.hasher))
    }

    fn flush(&mut self) -> Result<(), DatasetError> {
        let append = || File::options().append(true).open(&self.path)?.write_all(&self.waiting);
        append().map_err(|error| DatasetError::Write(self.path.display().to_string(), error))?;
        self.hasher.write(&self.waiting);
        self.bytes += self.waiting.len() as u64;
        self.waiting.clear();
        Ok(())
    }
}

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
    /// Not grown entry by entry, which would take up to twice its bytes.
    waiting: Vec<u8>,
    bytes: u64,
    hasher: Hasher,
}

/// What a buffer has room for beyond its bytes: the entry that fills it.
const ENTRY_BYTES: usize = 1 << 10;

/// What a file takes in memory beside its buffer at most.
const FILE_BYTES: u64 = 3 << 10;

impl Spill {
    /// The memory that so many files take at most, with so many bytes of buffer for each.
    pub fn memory(files: usize, buffer: usize) -> u64 {
        (files as u64).saturating_mul(buffer as u64 + FILE_BYTES)
    }

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

    /// Appends to a file what the function appends to a vector. An entry of more than 1 KiB may take memory of its own
    /// until it is written.
    #[inline]
    pub fn put(&mut self, file: usize, entry: impl FnOnce(&mut Vec<u8>)) -> Result<(), DatasetError> {
        let room = self.buffer + ENTRY_BYTES;
        let file = &mut self.files[file];
        if file.waiting.capacity() == 0 {
            file.waiting.reserve_exact(room);
        }
        entry(&mut file.waiting);
        if file.waiting.len() < self.buffer {
            return Ok(());
        }
        file.flush()?;
        if file.waiting.capacity() > room {
            file.waiting = Vec::new();
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_take_no_more_than_announced() {
        const BUFFER: usize = 5_000;
        let directory = tempfile::tempdir().unwrap();
        let mut spill =
            Spill::create((0..3).map(|file| directory.path().join(file.to_string())), BUFFER).unwrap();
        for number in 0..1_000 {
            // Now and then an entry that no buffer has room for.
            let length = if number % 97 == 0 { 9_000 } else { number % 400 };
            spill.put(number % 3, |out| out.extend(std::iter::repeat_n(number as u8, length))).unwrap();
            let taken =
                |file: &Growing| file.waiting.capacity() + file.path.capacity() + size_of::<Growing>();
            let taken: usize = spill.files.iter().map(taken).sum();
            assert!(taken as u64 <= Spill::memory(3, BUFFER), "{taken} after {number}");
        }
        let lengths: Vec<u64> = spill.finish().unwrap().iter().map(|part| part.bytes).collect();
        let expected = |file: usize| {
            (file..1_000).step_by(3).map(|number| if number % 97 == 0 { 9_000 } else { number % 400 })
        };
        assert_eq!(lengths, [0, 1, 2].map(|file| expected(file).sum::<usize>() as u64));
    }
}

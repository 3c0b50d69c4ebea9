//! [`Excluded`]: the records that a pass leaves out.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::PathBuf;

use crate::DatasetError;
use crate::Name;
use crate::engine::temporary::{Shape, TempFile};

/// Numbers of records, in files of eight bytes each, ascending in every file. They are queried in ascending order,
/// and a window of them is in memory, one bit each.
#[derive(Default)]
pub(super) struct Excluded {
    lists: Vec<List>,
    window: Vec<u64>,
    /// The range of the window; it starts at a multiple of its length.
    start: u64,
    end: u64,
    /// The number of record numbers in a window.
    length: u64,
}

/// A file of entries, each a record number and bytes of a shape; the numbers ascend.
pub(super) struct List {
    path: PathBuf,
    /// The byte offset of the first entry that was not read.
    next: u64,
}

impl List {
    /// Opens files, each with its path, after verifying them.
    pub fn open_all(files: impl IntoIterator<Item = (PathBuf, TempFile)>) -> Result<Vec<List>, DatasetError> {
        let mut lists = Vec::new();
        for (path, part) in files {
            // The checksum is verified once, here: entries are read from the middle of the file.
            part.scan(&path, |chunk| Ok(chunk.len()))?;
            lists.push(List { path, next: 0 });
        }
        Ok(lists)
    }

    /// Passes the next entries, up to the first whose number is not below `end`.
    pub fn read_until(
        &mut self,
        end: u64,
        shape: Shape,
        mut each: impl FnMut(u64, &[u8]),
    ) -> Result<(), DatasetError> {
        let mut read = || {
            let mut file = File::open(&self.path)?;
            file.seek(SeekFrom::Start(self.next))?;
            let mut file = BufReader::with_capacity(1 << 16, file);
            let mut number = [0; 8];
            let mut entry = Vec::new();
            loop {
                match file.read_exact(&mut number) {
                    Ok(()) => {}
                    Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
                    Err(error) => return Err(error),
                }
                let number = u64::from_le_bytes(number);
                if number >= end {
                    return Ok(());
                }
                self.next += 8 + shape.read(&mut file, &mut entry)?;
                each(number, &entry);
            }
        };
        read().map_err(|error| DatasetError::Read { input: Name::from(&self.path), offset: 0, error })
    }
}

impl Excluded {
    /// Opens lists, each with the path of its file, after verifying them. `memory`: the size of the window, in bytes.
    pub fn open(
        lists: impl IntoIterator<Item = (PathBuf, TempFile)>,
        records: u64,
        memory: u64,
    ) -> Result<Excluded, DatasetError> {
        let mut excluded = Excluded { lists: List::open_all(lists)?, ..Excluded::default() };
        // With enough memory the window covers all records, and the lists are read once.
        let words = (memory / 8).min(records / 64 + 1).max(1);
        excluded.window = vec![0; words as usize];
        excluded.length = words * 64;
        Ok(excluded)
    }

    /// Whether a record is left out. Numbers must ascend from call to call.
    #[inline]
    pub fn contains(&mut self, number: u64) -> Result<bool, DatasetError> {
        if self.lists.is_empty() {
            return Ok(false);
        }
        if number >= self.end {
            self.advance(number)?;
        }
        let bit = number - self.start;
        Ok(self.window[(bit / 64) as usize] >> (bit % 64) & 1 == 1)
    }

    /// Moves the window to a number.
    fn advance(&mut self, number: u64) -> Result<(), DatasetError> {
        // Aligned, so that a resumed pass that starts anywhere gets the same windows.
        self.start = number / self.length * self.length;
        self.end = self.start + self.length;
        // Each list is sorted. Instead of merging hundreds of open files, a bitmap of the next
        // numbers is filled from one list after another: one file is open at a time, and a lookup is one bit.
        self.window.fill(0);
        let start = self.start;
        for list in &mut self.lists {
            let window = &mut self.window;
            list.read_until(self.end, Shape::Fixed(0), |number, _| {
                // A resumed pass starts in the middle: the numbers before it are skipped.
                if let Some(bit) = number.checked_sub(start) {
                    window[(bit / 64) as usize] |= 1 << (bit % 64);
                }
            })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::temporary::PartitionWriter;

    #[test]
    fn lists_are_joined_for_any_window() {
        let directory = tempfile::tempdir().unwrap();
        let paths = [0, 1].map(|list| directory.path().join(list.to_string()));
        let mut writer = PartitionWriter::create(paths.clone(), 16).unwrap();
        let is_dropped = |number: u64| number % 7 == 3 || (300..420).contains(&number);
        for number in (0..1000_u64).filter(|&number| is_dropped(number)) {
            writer
                .push(usize::from(number % 2 == 1), |out| out.extend_from_slice(&number.to_le_bytes()))
                .unwrap();
        }
        let lists: Vec<_> = paths.into_iter().zip(writer.finish().unwrap()).collect();
        for memory in [8, 24, 1 << 20] {
            let mut excluded = Excluded::open(lists.clone(), 1000, memory).unwrap();
            for number in 0..1000 {
                assert_eq!(excluded.contains(number).unwrap(), is_dropped(number), "{number} of {memory}");
            }
        }
        assert!(!Excluded::default().contains(3).unwrap());
    }

    #[test]
    fn unreadable_list_is_an_error() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("list");
        let part = PartitionWriter::create([path.clone()], 16).unwrap().finish().unwrap().remove(0);
        let mut excluded = Excluded::open([(path.clone(), part)], 1000, 8).unwrap();
        std::fs::remove_file(&path).unwrap();
        std::fs::create_dir(&path).unwrap();
        assert!(matches!(excluded.contains(3), Err(DatasetError::Read { .. })));
    }
}

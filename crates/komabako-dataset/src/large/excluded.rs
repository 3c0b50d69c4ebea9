//! [`Excluded`]: the records that a pass leaves out.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::PathBuf;

use crate::DatasetError;
use crate::Name;
use crate::engine::temporary::TempFile;

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

struct List {
    path: PathBuf,
    /// The byte offset of the first number after the window.
    next: u64,
}

impl Excluded {
    /// Opens lists, each with the path of its file, after verifying them. `memory`: the size of the window, in bytes.
    pub fn open(
        lists: impl IntoIterator<Item = (PathBuf, TempFile)>,
        records: u64,
        memory: u64,
    ) -> Result<Excluded, DatasetError> {
        let mut excluded = Excluded::default();
        for (path, part) in lists {
            // The checksum is verified once, here: `advance` reads from the middle of the file.
            part.scan(&path, |chunk| Ok(chunk.len()))?;
            excluded.lists.push(List { path, next: 0 });
        }
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
        for list in &mut self.lists {
            let window = &mut self.window;
            let start = self.start;
            let end = self.end;
            let mut mark = || {
                let mut file = File::open(&list.path)?;
                file.seek(SeekFrom::Start(list.next))?;
                let mut file = BufReader::with_capacity(1 << 16, file);
                let mut bytes = [0; 8];
                loop {
                    match file.read_exact(&mut bytes) {
                        Ok(()) => {}
                        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => break,
                        Err(error) => return Err(error),
                    }
                    let number = u64::from_le_bytes(bytes);
                    if number >= end {
                        break;
                    }
                    list.next += 8;
                    // A resumed pass starts in the middle: the numbers before it are skipped.
                    if let Some(bit) = number.checked_sub(start) {
                        window[(bit / 64) as usize] |= 1 << (bit % 64);
                    }
                }
                Ok(())
            };
            let failed = |error| DatasetError::Read { input: Name::from(&list.path), offset: 0, error };
            mark().map_err(failed)?;
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

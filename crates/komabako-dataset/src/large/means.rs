//! [`Means`]: the means that a pass writes, and [`Columns`], the files of numbers beside its output.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::average::Mean;
use super::excluded::List;
use crate::engine::temporary::{Shape, TempFile};
use crate::io::OutputWriter;
use crate::io::output::Target;
use crate::{DatasetError, Output};

/// The means of keys by the number of their first record. They are queried in ascending order, and a window of them is in memory.
pub(super) struct Means {
    lists: Vec<List>,
    /// Those of the window, by number.
    window: Vec<(u64, Mean)>,
    /// The index in the window of the next one.
    next: usize,
    /// The record number after the window.
    end: u64,
    /// The number of record numbers in a window.
    length: u64,
}

impl Means {
    /// The memory of a mean in the window, in bytes, without candidates.
    pub const BYTES: u64 = size_of::<(u64, Mean)>() as u64;

    /// Opens lists of means, each with the path of its file, for a window of `length` record numbers.
    pub fn open(
        lists: impl IntoIterator<Item = (PathBuf, TempFile)>,
        length: u64,
    ) -> Result<Means, DatasetError> {
        let lists = List::open_all(lists)?;
        Ok(Means { lists, window: Vec::new(), next: 0, end: 0, length: length.max(1) })
    }

    /// The mean whose first record has this number, if any. Numbers must ascend from call to call.
    pub fn find(&mut self, number: u64) -> Result<Option<&Mean>, DatasetError> {
        if number >= self.end {
            self.advance(number)?;
        }
        while self.window.get(self.next).is_some_and(|(first, _)| *first < number) {
            self.next += 1;
        }
        let next = self.window.get(self.next).filter(|(first, _)| *first == number);
        Ok(next.map(|(_, mean)| mean))
    }

    /// Moves the window to a number.
    fn advance(&mut self, number: u64) -> Result<(), DatasetError> {
        self.end = number.saturating_add(self.length);
        self.next = 0;
        let window = &mut self.window;
        window.clear();
        for list in &mut self.lists {
            list.read_until(self.end, Shape::Varying, |first, bytes| {
                window.extend(Mean::read(bytes).map(|mean| (first, mean)));
            })?;
        }
        window.sort_unstable_by_key(|&(first, _)| first);
        Ok(())
    }
}

/// The files of numbers beside an output, one number for each of its records.
pub(super) struct Columns {
    counts: OutputWriter<'static>,
    results: OutputWriter<'static>,
    scores: OutputWriter<'static>,
}

impl Columns {
    /// The bytes for a record.
    pub const BYTES: u64 = 12;

    /// The paths of the files with a prefix: of counts, of results and of scores.
    pub fn paths(prefix: &Path) -> [PathBuf; 3] {
        [".count.u32", ".result.f32", ".score.f32"].map(|end| {
            let mut path = OsString::from(prefix);
            path.push(end);
            PathBuf::from(path)
        })
    }

    /// Opens the files. Nothing is visible under their names before they are completed.
    pub fn open(prefix: &Path, force: bool) -> Result<Columns, DatasetError> {
        let [counts, results, scores] = Columns::paths(prefix);
        Ok(Columns {
            counts: Output::Path(counts).open(force)?,
            results: Output::Path(results).open(force)?,
            scores: Output::Path(scores).open(force)?,
        })
    }

    /// Writes the numbers of a record.
    pub fn write(&mut self, mean: &Mean) -> Result<(), DatasetError> {
        self.counts.write(&mean.records.to_le_bytes())?;
        self.results.write(&mean.mean_result.to_le_bytes())?;
        self.scores.write(&(mean.score as f32).to_le_bytes())
    }

    /// Writes the rest, and returns the files, which do not have their names yet.
    pub fn finish(self) -> Result<Vec<Target<'static>>, DatasetError> {
        let files = [self.counts, self.results, self.scores];
        files.into_iter().map(OutputWriter::finish).collect()
    }
}

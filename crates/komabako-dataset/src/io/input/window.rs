//! [`Window`]: the range of all records that a job reads.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A range of the numbers of the records of all inputs, and the progress of the reader, which is on another thread.
#[derive(Clone)]
pub(crate) struct Window {
    range: Range<u64>,
    passed: Arc<AtomicU64>,
    part: Option<Part>,
}

/// Facts about the inputs where the range is a partition's.
#[derive(Clone)]
struct Part {
    /// The number of records up to the end of each input.
    ends: Arc<[u64]>,
    is_first: bool,
    /// The number of records to read after the range.
    lookahead: u64,
}

impl Window {
    /// The window of a range. Nothing after it is read.
    pub fn of_range(range: Range<u64>) -> Window {
        Window { range, passed: Arc::default(), part: None }
    }

    /// The window of a partition, the first one or not. Anything after the last whole record of an input belongs to that
    /// record's partition.
    pub fn of_part(range: Range<u64>, ends: Vec<u64>, is_first: bool) -> Window {
        let part = Part { ends: ends.into(), is_first, lookahead: 0 };
        Window { range, passed: Arc::default(), part: Some(part) }
    }

    /// The same window; if it is a partition's, the record after it is read too.
    pub fn looking_ahead(mut self) -> Window {
        self.part.iter_mut().for_each(|part| part.lookahead = 1);
        self
    }

    /// The range.
    pub fn range(&self) -> &Range<u64> {
        &self.range
    }

    /// Whether it is the range of a partition.
    pub fn is_part(&self) -> bool {
        self.part.is_some()
    }

    /// Whether it includes all records.
    pub fn is_everything(&self) -> bool {
        self.range == (0..u64::MAX)
    }

    /// The number of records that have been read or skipped, or are lost by damage.
    pub fn passed(&self) -> u64 {
        self.passed.load(Ordering::Relaxed)
    }

    /// Counts all records before one as passed.
    pub fn pass_to(&self, record: u64) {
        // Relaxed: the count is read only after the threads are joined, or where a little less does no harm.
        self.passed.fetch_max(record, Ordering::Relaxed);
    }

    /// Whether damage of an input belongs to the window: by the records that are lost, or where none are (an index is damaged)
    /// by the number of the next one.
    pub fn has_damage(&self, source: usize, lost: &Range<u64>) -> bool {
        let is_before = if lost.is_empty() {
            self.is_part() && lost.start < self.range.start
        } else {
            lost.end <= self.range.start
        };
        !is_before && (lost.start < self.range.end || self.has_end_of(source))
    }

    /// The number of records still to be skipped before the range.
    pub fn ahead(&self) -> u64 {
        self.range.start.saturating_sub(self.passed())
    }

    /// Whether nothing is left to read in this input and those after it.
    pub fn is_over(&self, source: usize) -> bool {
        let lookahead = self.part.as_ref().map_or(0, |part| part.lookahead);
        let has_passed = self.passed() >= self.range.end.saturating_add(lookahead);
        // The bytes after the last record are found only by reading.
        has_passed && !(self.is_part() && self.has_end_of(source))
    }

    /// Whether the bytes after the last record of an input belong to the window.
    pub fn has_end_of(&self, source: usize) -> bool {
        let Some(Part { ends, is_first, .. }) = &self.part else { return true };
        let end = ends[source];
        (self.range.start < end && end <= self.range.end) || (*is_first && end == 0)
    }

    /// The number of records of an input that lies wholly before the window, if known. `holds_games`: it may have games without
    /// records, even after its last record.
    pub fn skipped(&self, source: usize, holds_games: bool) -> Option<u64> {
        let Part { ends, .. } = self.part.as_ref()?;
        let end = ends[source];
        let is_before = end < self.range.start || (end == self.range.start && !holds_games);
        let start = source.checked_sub(1).map_or(0, |before| ends[before]);
        (is_before && !self.has_end_of(source)).then_some(end - start)
    }

    /// Whether the window has a record of an input or the end of it.
    pub fn touches(&self, source: usize) -> bool {
        let Some(Part { ends, .. }) = &self.part else { return true };
        let start = source.checked_sub(1).map_or(0, |before| ends[before]);
        self.has_end_of(source) || start.max(self.range.start) < ends[source].min(self.range.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Partition;

    #[test]
    fn the_end_of_an_input_belongs_to_one_partition() {
        for ends in [vec![0], vec![0, 0, 3, 3, 10], vec![1, 2, 2], vec![1_000, 1_001]] {
            let total = ends[ends.len() - 1];
            for parts in [1, 2, 3, 8] {
                let windows: Vec<Window> = (0..parts)
                    .map(|number| {
                        let partition: Partition = format!("{number}/{parts}").parse().unwrap();
                        let Range { start, end } = partition.range(total);
                        let end = if partition.is_last() { u64::MAX } else { end };
                        Window::of_part(start..end, ends.clone(), partition.is_first())
                    })
                    .collect();
                for source in 0..ends.len() {
                    let owners = windows.iter().filter(|window| window.has_end_of(source)).count();
                    assert_eq!(owners, 1, "{ends:?} {source} {parts}");
                    assert!(windows.iter().all(|window| {
                        window.skipped(source, false).is_none() || !window.touches(source)
                    }));
                }
            }
        }
    }
}

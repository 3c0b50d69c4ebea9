//! [`Window`]: which of all records a job reads.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A range of the numbers of the records of all inputs, and how far the reader, on another thread, has come.
#[derive(Clone)]
pub(crate) struct Window {
    range: Range<u64>,
    passed: Arc<AtomicU64>,
}

impl Window {
    /// The window of a range.
    pub fn of(range: Range<u64>) -> Window {
        Window { range, passed: Arc::default() }
    }

    /// The range.
    pub fn range(&self) -> &Range<u64> {
        &self.range
    }

    /// Whether it leaves nothing out.
    pub fn is_everything(&self) -> bool {
        self.range == (0..u64::MAX)
    }

    /// The number of records that have been read or skipped.
    pub fn passed(&self) -> u64 {
        self.passed.load(Ordering::Relaxed)
    }

    /// Counts records as passed, and returns the number of those before them.
    pub fn pass(&self, records: u64) -> u64 {
        // Relaxed: the count is read only after the threads are joined, or where a little less does no harm.
        self.passed.fetch_add(records, Ordering::Relaxed)
    }

    /// How many of the records to come lie before the range.
    pub fn ahead(&self) -> u64 {
        self.range.start.saturating_sub(self.passed())
    }

    /// Whether the range lies behind.
    pub fn is_over(&self) -> bool {
        self.passed() >= self.range.end
    }
}

//! State shared by the threads that search one problem together: the table, and the positions on each thread's path.

use alloc::vec::Vec;
use core::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

use komabako_board::Hand;

use crate::table::{BoardKey, NewEntry, Query, Table};

/// The table, and the marks by which threads coordinate. A single-threaded search uses the table only.
pub(crate) struct Shared {
    pub table: Table,
    pub marks: Option<PathMarks>,
}

impl Shared {
    /// Stores a result for a position. With several threads, each counts the slots it takes in `uncounted` and adds them to the
    /// table's counter in batches: two threads that change one counter with every slot wait for each other.
    pub fn store(&self, query: &Query, new: NewEntry, uncounted: &mut usize) {
        // The table leaves a sixteenth of its slots free: 512 or more per thread, so 64 uncounted ones cannot fill it.
        const MAX_UNCOUNTED: usize = 64;
        *uncounted += usize::from(self.table.store(query, new));
        if *uncounted > if self.marks.is_some() { MAX_UNCOUNTED } else { 0 } {
            self.table.count(core::mem::take(uncounted));
        }
    }
}

/// The positions that the threads are searching.
///
/// Each thread marks the positions on its path, so that another thread prefers a different move if it is nearly as good
/// (virtual loss: Kaneko 2010). Several positions share a mark; a false mark only diverts a thread and changes no result.
pub(crate) struct PathMarks {
    /// The number of marks of each slot.
    counts: Vec<AtomicU8>,
    /// The marked position that was settled last, with a number that changes each time.
    settled: AtomicU64,
    stop: AtomicBool,
}

const MARKS: usize = 1 << 16;

#[cfg_attr(not(feature = "std"), allow(dead_code, reason = "without threads there are no marks"))]
impl PathMarks {
    pub fn new() -> Self {
        let counts = (0..MARKS).map(|_| AtomicU8::new(0)).collect();
        Self { counts, settled: AtomicU64::new(0), stop: AtomicBool::new(false) }
    }

    /// Removes all marks.
    pub fn clear(&mut self) {
        self.counts.fill_with(|| AtomicU8::new(0));
    }

    /// The index of the count that a position shares with others.
    pub fn slot(key: BoardKey, hand: Hand) -> usize {
        let mixed = key.low ^ u64::from(hand.bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed >> 24) as usize % MARKS
    }

    /// Adds a mark.
    pub fn add(&self, slot: usize) {
        self.counts[slot].fetch_add(1, Relaxed);
    }

    /// Removes a mark.
    pub fn remove(&self, slot: usize) {
        self.counts[slot].fetch_sub(1, Relaxed);
    }

    pub fn is_marked(&self, slot: usize) -> bool {
        self.counts[slot].load(Relaxed) > 0
    }

    /// Publishes that a position is settled, if a thread has it on its path.
    pub fn publish_settled(&self, slot: usize) {
        if self.is_marked(slot) {
            let number = self.settled.load(Relaxed) / MARKS as u64 + 1;
            self.settled.store(number * MARKS as u64 + slot as u64, Relaxed);
        }
    }

    /// The position that was settled last: a number that changes each time, and its slot.
    pub fn last_settled(&self) -> (u64, usize) {
        let last = self.settled.load(Relaxed);
        (last, last as usize % MARKS)
    }

    /// Asks all threads to pause, or allows them to continue.
    pub fn stop(&self, stop: bool) {
        self.stop.store(stop, Relaxed);
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Relaxed)
    }
}

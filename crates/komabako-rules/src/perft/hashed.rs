//! Perft with a table of positions counted before, shared by threads.

use alloc::collections::TryReserveError;
use alloc::vec::Vec;
use core::sync::atomic::{AtomicU64, Ordering};

use komabako_bits::Backend;

use super::split::children;
use super::{Leaves, perft_on};
use crate::state::State;

/// The table of [`perft_hashed`]: the counts of positions, by keys of 128 bits.
///
/// Threads read and write it without locks. An entry torn by two concurrent writes matches no key and is never read as a
/// count.
#[derive(Debug)]
pub struct PerftTable {
    entries: Vec<Entry>,
}

/// A count, and both halves of its key, each XOR the count (Hyatt and Mann's lockless hashing).
#[derive(Default, Debug)]
struct Entry {
    count: AtomicU64,
    low: AtomicU64,
    high: AtomicU64,
}

/// The first bit of the depth in a count: perfts of 2^56 nodes are out of reach.
const DEPTH: u32 = 56;

impl Entry {
    fn nodes(&self, key: u128, depth: u32) -> Option<u64> {
        let count = self.count.load(Ordering::Relaxed);
        let fits = self.low.load(Ordering::Relaxed) ^ count == key as u64
            && self.high.load(Ordering::Relaxed) ^ count == (key >> 64) as u64
            && count >> DEPTH == u64::from(depth);
        fits.then_some(count & ((1 << DEPTH) - 1))
    }

    fn set(&self, key: u128, depth: u32, nodes: u64) {
        // Other threads may see the stores in any order: a partly written entry matches no key.
        let count = nodes | u64::from(depth) << DEPTH;
        self.count.store(count, Ordering::Relaxed);
        self.low.store(key as u64 ^ count, Ordering::Relaxed);
        self.high.store((key >> 64) as u64 ^ count, Ordering::Relaxed);
    }
}

impl PerftTable {
    /// A table of at most `bytes` bytes, at least one entry of 24 bytes.
    ///
    /// # Errors
    ///
    /// The system has not so much memory.
    pub fn new(bytes: usize) -> Result<Self, TryReserveError> {
        let most = (bytes / size_of::<Entry>()).max(1);
        // A power of two, so that a mask computes an index.
        let length = 1 << most.ilog2();
        let mut entries = Vec::new();
        entries.try_reserve_exact(length)?;
        entries.resize_with(length, Entry::default);
        Ok(Self { entries })
    }

    fn entry(&self, key: u128) -> &Entry {
        // The high half: the lowest bit of the low half is only the side to move.
        &self.entries[(key >> 64) as usize & (self.entries.len() - 1)]
    }
}

/// [`perft_on`] that looks positions up in a table. Correct unless two positions share a key of 128 bits.
///
/// ```
/// use komabako_bits::Backend;
/// use komabako_rules::{State, perft};
/// let table = perft::PerftTable::new(1 << 20)?;
/// assert_eq!(perft::perft_hashed(Backend::detect(), &State::start(), 3, &table), 25_470);
/// # Ok::<(), std::collections::TryReserveError>(())
/// ```
pub fn perft_hashed(backend: Backend, state: &State<u128>, depth: u32, table: &PerftTable) -> u64 {
    // Near the leaves counting is faster than looking up.
    if depth < 3 {
        return perft_on(backend, state, depth, Leaves::Count);
    }
    let key = state.key();
    let entry = table.entry(key);
    if let Some(nodes) = entry.nodes(key, depth) {
        return nodes;
    }
    let nodes =
        children(backend, state).map(|(_, child)| perft_hashed(backend, &child, depth - 1, table)).sum();
    entry.set(key, depth, nodes);
    nodes
}

/// [`perft_hashed`] on several threads.
///
/// # Panics
/// If the system cannot start a thread.
#[cfg(feature = "std")]
pub fn perft_hashed_threads(
    backend: Backend,
    state: &State<u128>,
    depth: u32,
    table: &PerftTable,
    threads: usize,
) -> u64 {
    super::split::shared(backend, state, depth, threads, |state, depth| {
        perft_hashed(backend, state, depth, table)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_read_only_under_its_key_and_depth() {
        let entry = Entry::default();
        let key = 0x0123_4567_89ab_cdef_0011_2233_4455_6677;
        entry.set(key, 4, 719_731);
        assert_eq!(entry.nodes(key, 4), Some(719_731));
        assert_eq!(entry.nodes(key, 5), None);
        assert_eq!(entry.nodes(key ^ 1, 4), None);
        assert_eq!(entry.nodes(key ^ 1 << 127, 4), None);
        // Half of an entry written by another thread.
        entry.count.store(719_732 | 4 << DEPTH, Ordering::Relaxed);
        assert_eq!(entry.nodes(key, 4), None);
    }
}

//! [`MemoryBudget`]: divides work that does not fit in memory into parts.

use super::PartitionWriter;

/// The memory that the stages of a job may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MemoryBudget {
    pub bytes: u64,
}

/// The smallest budget worth dividing.
const MIN_BYTES: u64 = 1 << 20;
/// The maximum number of bytes buffered for the file of a part.
const MAX_BUFFER_BYTES: u64 = 1 << 18;
/// The minimum number of bytes buffered for the file of a part.
const MIN_BUFFER_BYTES: u64 = 1 << 14;
/// The fraction of its maximum size that a part is planned with, since parts differ in size.
const FILL: f64 = 0.85;
/// The size of a part that the caches of most CPUs hold: lookups and sorting take half the time in such a part.
const CACHED_BYTES: u64 = 8 << 20;
/// The maximum number of parts in memory: with more, each entry would go to a page that the CPU has to look up.
const MAX_CACHED_PARTS: u64 = 1 << 10;
/// The number of parts is not raised for the caches if less than this were buffered per file.
const CACHED_BUFFER_BYTES: u64 = 1 << 17;

impl MemoryBudget {
    /// The maximum number of parts in memory at once.
    pub const MAX_AT_ONCE: usize = 8;

    /// A limit minus the memory that is used anyway. If that leaves next to nothing, the plan shows that it is too little.
    pub fn new(limit: u64, taken: u64) -> MemoryBudget {
        MemoryBudget { bytes: limit.saturating_sub(taken).max(MIN_BYTES) }
    }

    /// The smallest number of parts of `bytes` such that one fits in memory; 1 if everything fits.
    pub fn fewest_parts(self, bytes: u64) -> usize {
        ((bytes as f64 / (self.bytes as f64 * FILL)).ceil() as usize).max(1)
    }

    /// The number of parts of `bytes` in memory such that one fits in the caches.
    pub fn cached_parts(bytes: u64) -> usize {
        (bytes / CACHED_BYTES).clamp(1, MAX_CACHED_PARTS) as usize
    }

    /// The number of parts for `bytes`: one if everything fits; otherwise enough that a part fits in the caches or, if that
    /// made the buffers too small, that memory holds one part per thread, or at least one.
    pub fn parts(self, bytes: u64, threads: usize) -> usize {
        if self.fewest_parts(bytes) == 1 {
            return 1;
        }
        // Three lower bounds on the number of parts:
        //
        //     cached         a part fits in the caches, unless buffers became smaller than CACHED_BUFFER_BYTES
        //     side_by_side   memory holds one part per thread, unless buffers became smaller than the minimum
        //     fewest_parts   a part fits in memory at all: this one always holds
        //
        // Half of the memory is for buffers while parts are written, hence the halves.
        let cached = (bytes / CACHED_BYTES).min(self.bytes / 2 / CACHED_BUFFER_BYTES) as usize;
        let side_by_side = self.fewest_parts(bytes * threads.min(MemoryBudget::MAX_AT_ONCE) as u64);
        let buffered = (self.bytes / 2 / MIN_BUFFER_BYTES) as usize;
        cached.max(side_by_side.min(buffered)).max(self.fewest_parts(bytes))
    }

    /// The number of parts in memory at once, of `parts` parts with `bytes` in total.
    pub fn at_once(self, bytes: u64, parts: usize, threads: usize) -> usize {
        let fitting = self.bytes / planned(bytes, parts).max(1);
        (fitting as usize).clamp(1, threads.min(MemoryBudget::MAX_AT_ONCE).min(parts))
    }

    /// The buffer size for each of `parts` files.
    pub fn buffer(self, parts: usize) -> usize {
        (self.bytes / 2 / PartitionWriter::buffers(parts)).clamp(MIN_BUFFER_BYTES, MAX_BUFFER_BYTES) as usize
    }

    /// The memory for the buffers of `parts` parts.
    pub fn buffers(self, parts: usize) -> u64 {
        if parts == 1 { 0 } else { PartitionWriter::memory(parts, self.buffer(parts)) }
    }
}

/// The maximum size to plan for one of `parts` parts of `whole` bytes.
pub(crate) fn planned(whole: u64, parts: usize) -> u64 {
    if parts == 1 { whole } else { (whole as f64 / parts as f64 / FILL) as u64 + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_fit_in_the_caches_and_always_in_memory() {
        let budget = MemoryBudget::new(1 << 30, 1 << 26);
        assert_eq!(budget.parts(budget.bytes / 2, 8), 1);
        for shift in 31..46 {
            let bytes = 1 << shift;
            let parts = budget.parts(bytes, 8);
            let part = planned(bytes, parts);
            assert!(
                budget.at_once(bytes, parts, 8) as u64 * part <= budget.bytes,
                "{parts} parts of 2^{shift} bytes"
            );
            assert!(budget.buffers(parts) <= budget.bytes, "{parts} parts of 2^{shift} bytes");
            // Slightly more than planned, since parts differ.
            assert!(shift > 34 || part <= 10 << 20, "{parts} parts of 2^{shift} bytes");
        }
    }

    #[test]
    fn parts_of_an_earlier_run_are_loaded_one_by_one_if_necessary() {
        let budget = MemoryBudget { bytes: 1 << 28 };
        assert_eq!(budget.at_once(1 << 30, 4, 4), 1);
        assert_eq!(budget.at_once(1 << 30, 8, 4), 1);
        assert_eq!(budget.at_once(1 << 30, 16, 4), 3);
        assert_eq!(budget.at_once(1 << 30, 1000, 4), 4);
        assert_eq!(budget.at_once(1 << 10, 1, 4), 1);
    }
}

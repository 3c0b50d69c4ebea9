//! [`MemoryBudget`]: how work that does not fit in memory is cut into parts.

use super::PartitionWriter;

/// The memory that the stages of a job may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MemoryBudget {
    pub bytes: u64,
}

/// The smallest budget that is worth dividing.
const LEAST: u64 = 1 << 20;
/// The most that is collected for the file of a part before it is written, and the least.
const BUFFERS: (u64, u64) = (1 << 18, 1 << 14);
/// How full a part may be planned: parts differ in size.
const FILL: f64 = 0.85;
/// The bytes of a part that the caches of most CPUs hold: to look up or order what is in them takes half the time.
const CACHED: u64 = 8 << 20;
/// More parts than memory demands are not made if less than this were collected for the file of each.
const COLLECTED: u64 = 1 << 17;
/// The most parts that are in memory at once.
const AT_ONCE: usize = 4;

impl MemoryBudget {
    /// A limit minus the memory that is taken anyway. Where that leaves next to nothing, the plan shows that it is too little.
    pub fn new(limit: u64, taken: u64) -> MemoryBudget {
        MemoryBudget { bytes: limit.saturating_sub(taken).max(LEAST) }
    }

    /// The fewest parts into which `bytes` must be cut so that one fits; 1 if the whole does.
    pub fn fewest_parts(self, bytes: u64) -> usize {
        ((bytes as f64 / (self.bytes as f64 * FILL)).ceil() as usize).max(1)
    }

    /// The number of parts into which to cut `bytes`: one if all fits; otherwise parts that fit in the caches, or if their
    /// files were too small, parts of which memory holds one for every thread, or at least one.
    pub fn parts(self, bytes: u64, threads: usize) -> usize {
        if self.fewest_parts(bytes) == 1 {
            return 1;
        }
        // Three lower bounds on the number of parts:
        //
        //     cached         parts that the caches hold, unless the buffers became smaller than COLLECTED
        //     side_by_side   parts of which memory holds one a thread, unless buffers became smaller than the least
        //     fewest_parts   parts that fit in memory at all: this one is not negotiable
        //
        // Half of the memory goes to buffers while parts are written, hence the halves.
        let cached = (bytes / CACHED).min(self.bytes / 2 / COLLECTED) as usize;
        let side_by_side = self.fewest_parts(bytes * threads.min(AT_ONCE) as u64);
        let buffered = (self.bytes / 2 / BUFFERS.1) as usize;
        cached.max(side_by_side.min(buffered)).max(self.fewest_parts(bytes))
    }

    /// How many of `parts` parts of `bytes` in all are in memory at once.
    pub fn at_once(self, bytes: u64, parts: usize, threads: usize) -> usize {
        let fitting = self.bytes / planned(bytes, parts).max(1);
        (fitting as usize).clamp(1, threads.min(AT_ONCE).min(parts))
    }

    /// The size of the buffer of each of `parts` files.
    pub fn buffer(self, parts: usize) -> usize {
        (self.bytes / 2 / PartitionWriter::buffers(parts)).clamp(BUFFERS.1, BUFFERS.0) as usize
    }

    /// The memory for the buffers of `parts` parts.
    pub fn buffers(self, parts: usize) -> u64 {
        if parts == 1 { 0 } else { PartitionWriter::memory(parts, self.buffer(parts)) }
    }
}

/// The most that one of `parts` parts may have of a whole.
pub(crate) fn planned(whole: u64, parts: usize) -> u64 {
    if parts == 1 { whole } else { (whole as f64 / parts as f64 / FILL) as u64 + 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_fit_in_the_caches_and_always_in_memory() {
        let room = MemoryBudget::new(1 << 30, 1 << 26);
        assert_eq!(room.parts(room.bytes / 2, 8), 1);
        for shift in 31..46 {
            let bytes = 1 << shift;
            let parts = room.parts(bytes, 8);
            let part = planned(bytes, parts);
            assert!(
                room.at_once(bytes, parts, 8) as u64 * part <= room.bytes,
                "{parts} parts of 2^{shift} bytes"
            );
            assert!(room.buffers(parts) <= room.bytes, "{parts} parts of 2^{shift} bytes");
            // A little more than planned for, since parts differ.
            assert!(shift > 34 || part <= 10 << 20, "{parts} parts of 2^{shift} bytes");
        }
    }

    #[test]
    fn parts_of_an_earlier_run_are_loaded_one_by_one_if_needed() {
        let room = MemoryBudget { bytes: 1 << 28 };
        assert_eq!(room.at_once(1 << 30, 4, 4), 1);
        assert_eq!(room.at_once(1 << 30, 8, 4), 1);
        assert_eq!(room.at_once(1 << 30, 16, 4), 3);
        assert_eq!(room.at_once(1 << 30, 1000, 4), 4);
        assert_eq!(room.at_once(1 << 10, 1, 4), 1);
    }
}

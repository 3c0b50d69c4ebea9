//! Temporary files, written once and checked against their checksums when read, and the number of parts to divide work into.

pub(crate) mod directory;
mod memory_budget;
mod partition_writer;
mod spool;
mod temp_file;

pub(crate) use self::memory_budget::{MemoryBudget, planned};
pub(crate) use self::partition_writer::PartitionWriter;
pub(crate) use self::spool::spool;
pub(crate) use self::temp_file::{Shape, TempFile};

use komabako_record::hash::hash128;

/// The index, among `parts`, of the part that a key belongs to: from the high half of its hash, so that tables may use the
/// low one.
pub(crate) fn part_of(key: &[u8], parts: usize) -> usize {
    let high = hash128(key) >> 64;
    // Multiplication instead of a remainder: no part gets more than one extra hash, and it saves a division per record.
    ((high * parts as u128) >> 64) as usize
}

/// The hash of a key in a table: the low half of its full hash.
pub(crate) fn slot_hash(key: &[u8]) -> u64 {
    hash128(key) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_distributed_evenly() {
        let mut counts = [0; 7];
        for number in 0..70_000_u32 {
            counts[part_of(&number.to_le_bytes(), 7)] += 1;
        }
        assert!(counts.iter().all(|count| (9_500..10_500).contains(count)), "{counts:?}");
    }
}

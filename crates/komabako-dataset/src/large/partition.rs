//! The buckets and the keys that belong to a [`Partition`].

use std::ops::Range;

use crate::Partition;
use crate::engine::temporary::part_of;

/// The number of buckets of a shuffle, and so the maximum number of parts. A bucket must fit in memory: with 10^11 records of 40
/// bytes, one takes 61 MB.
pub(super) const BUCKETS: usize = Partition::MAX_PARTS;

impl Partition {
    /// The buckets of this partition.
    pub(super) const fn buckets(self) -> Range<usize> {
        let Range { start, end } = self.range(BUCKETS as u64);
        start as usize..end as usize
    }

    /// The segment of a key, among the `segments` of this partition; `None` if the key belongs to another partition.
    #[inline]
    pub(super) fn segment_of_key(self, key: &[u8], segments: usize) -> Option<usize> {
        // A single part with a single segment needs no hash; the set of keys computes its own.
        if self.parts * segments == 1 {
            return Some(0);
        }
        // Finer parts of the same range of hashes: with the full range, all keys of this partition would be in one segment.
        let first = self.number * segments;
        let segment = part_of(key, self.parts * segments).checked_sub(first)?;
        (segment < segments).then_some(segment)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bucket_is_in_one_part_and_in_order() {
        for parts in [1, 2, 3, 8, 1000, BUCKETS] {
            let mut next = 0;
            for number in 0..parts {
                let Range { start, end } = Partition { number, parts }.buckets();
                assert!(start == next && end > start);
                next = end;
            }
            assert_eq!(next, BUCKETS);
        }
    }

    #[test]
    fn every_key_is_in_one_part_and_its_segments_have_equal_shares() {
        let mut counts = [[0; 4]; 3];
        for number in 0..24_000_u32 {
            let key = number.to_le_bytes();
            let in_parts = |segments| {
                let parts = (0..3).map(move |number| Partition { number, parts: 3 });
                parts.map(move |part| part.segment_of_key(&key, segments)).collect::<Vec<_>>()
            };
            let found = in_parts(4);
            assert_eq!(found.iter().flatten().count(), 1);
            // A part has the same keys, however a machine divides it.
            assert!(found.iter().zip(in_parts(1)).all(|(one, other)| one.is_some() == other.is_some()));
            for (counts, segment) in counts.iter_mut().zip(found) {
                if let Some(segment) = segment {
                    counts[segment] += 1;
                }
            }
        }
        assert!(counts.as_flattened().iter().all(|count| (1_800..2_200).contains(count)), "{counts:?}");
    }
}

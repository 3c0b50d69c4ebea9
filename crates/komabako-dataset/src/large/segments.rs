//! [`Segments`]: divides the buckets of a partition into runs of neighbouring ones.

use std::ops::Range;

use super::Partition;
use super::partition::BUCKETS;

/// Runs of neighbouring buckets: written one after the other, they have the order of the buckets. So a part of a shuffle, in a file
/// or in memory, is a segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Segments {
    first: u32,
    buckets: u32,
    count: u32,
}

// The product in `find` fits in 32 bits, whose division is quick.
const _: () = assert!((BUCKETS - 1) as u64 * BUCKETS as u64 <= u32::MAX as u64);

impl Segments {
    /// Divides the buckets of a partition into `count` segments of about the same size; some are empty if `count` exceeds their
    /// number.
    ///
    /// # Panics
    /// If `count` exceeds [`BUCKETS`].
    pub fn new(partition: Partition, count: usize) -> Segments {
        assert!(count <= BUCKETS, "{count} segments of {BUCKETS} buckets");
        let Range { start, end } = partition.buckets();
        Segments { first: start as u32, buckets: (end - start) as u32, count: count as u32 }
    }

    /// The segment of a bucket; `None` if it belongs to another partition.
    #[inline]
    pub fn find(self, bucket: u16) -> Option<usize> {
        let place = u32::from(bucket).checked_sub(self.first)?;
        (place < self.buckets).then(|| (place * self.count / self.buckets) as usize)
    }

    /// The buckets of a segment.
    pub fn buckets(self, segment: usize) -> Range<usize> {
        let start = |segment: usize| {
            self.first as usize + (segment * self.buckets as usize).div_ceil(self.count as usize)
        };
        start(segment)..start(segment + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_of_a_part_ascend_and_others_have_none() {
        for (partition, count) in [("1/3", 5), ("0/1", 1), ("0/1", 1_000), ("2/3", 50_000), ("0/1", BUCKETS)]
        {
            let partition: Partition = partition.parse().unwrap();
            let segments = Segments::new(partition, count);
            let mut buckets = partition.buckets();
            for segment in 0..count {
                for bucket in segments.buckets(segment) {
                    assert_eq!(buckets.next(), Some(bucket));
                    assert_eq!(segments.find(bucket as u16), Some(segment));
                }
            }
            assert_eq!(buckets.next(), None);
            let found = (0..=u16::MAX).filter(|&bucket| segments.find(bucket).is_some()).count();
            assert_eq!(found, partition.buckets().len());
        }
    }
}

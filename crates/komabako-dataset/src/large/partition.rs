//! [`Partition`]: which part of an output a job writes, so that several machines share the work.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::engine::temporary::part_of;

/// How many buckets a shuffle has, and so how many parts there can be. A bucket must fit in memory: of 10^11 records of 40
/// bytes one has 61 MB.
pub(super) const BUCKETS: usize = 1 << 16;

/// Part `number`, from 0, of `parts` parts of an output. Every job reads all inputs.
///
/// Of a shuffled output, the outputs of all parts joined in their order have the bytes of the output of the whole job: a part is a
/// run of the buckets that records draw, and which bucket a record draws depends only on the seed and the record's number.
///
/// Of an output without duplicates that is not shuffled, a part has the records whose keys have hashes in one of equal ranges, in
/// the order of the inputs. Records that are the same are in the same part, so that the outputs of all parts have the records of
/// the output of the whole job, in another order.
///
/// ```
/// use komabako_dataset::large::Partition;
/// let second: Partition = "1/3".parse()?;
/// assert_eq!(second.to_string(), "1/3");
/// assert!("3/3".parse::<Partition>().is_err());
/// # Ok::<(), komabako_dataset::large::NotAPartition>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Partition {
    number: usize,
    parts: usize,
}

impl Partition {
    /// All of it.
    pub const WHOLE: Partition = Partition { number: 0, parts: 1 };

    /// Into how many parts the output is divided.
    pub const fn parts(self) -> usize {
        self.parts
    }

    /// The buckets of this part.
    pub(super) const fn buckets(self) -> Range<usize> {
        BUCKETS * self.number / self.parts..BUCKETS * (self.number + 1) / self.parts
    }

    /// The segment, of some that this part is cut into, to which a bucket belongs; `None` for a bucket of another part.
    #[inline]
    pub(super) fn segment_of(self, bucket: u16, segments: usize) -> Option<usize> {
        let Range { start, end } = self.buckets();
        let bucket = usize::from(bucket);
        // Segments are runs of neighbouring buckets: written one after the other they are the order by buckets.
        (start..end).contains(&bucket).then(|| (bucket - start) * segments / (end - start))
    }

    /// The segment, of some that this part is cut into, to which a key belongs; `None` for a key of another part.
    #[inline]
    pub(super) fn segment_of_key(self, key: &[u8], segments: usize) -> Option<usize> {
        // A single part with a single segment needs no hash; the set of keys computes its own.
        if self.parts * segments == 1 {
            return Some(0);
        }
        // Finer parts of the same range of hashes: by the range itself, all keys of this part would be in one of its segments.
        let first = self.number * segments;
        let segment = part_of(key, self.parts * segments).checked_sub(first)?;
        (segment < segments).then_some(segment)
    }
}

impl Default for Partition {
    fn default() -> Self {
        Partition::WHOLE
    }
}

/// A text that is no [`Partition`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a partition is I/N, such as 0/3, 1/3 and 2/3 for three machines, with N at most 65536")]
pub struct NotAPartition;

impl FromStr for Partition {
    type Err = NotAPartition;

    fn from_str(text: &str) -> Result<Partition, NotAPartition> {
        let (number, parts) = text.split_once('/').ok_or(NotAPartition)?;
        let number = number.parse().map_err(|_| NotAPartition)?;
        let parts = parts.parse().map_err(|_| NotAPartition)?;
        if number < parts && parts <= BUCKETS { Ok(Partition { number, parts }) } else { Err(NotAPartition) }
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.parts)
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
    fn segments_of_a_part_ascend_and_others_have_none() {
        let second: Partition = "1/3".parse().unwrap();
        let segments: Vec<usize> = (0..=u16::MAX).filter_map(|bucket| second.segment_of(bucket, 5)).collect();
        assert!(segments.is_sorted() && segments[0] == 0 && segments.last() == Some(&4));
        assert_eq!(segments.len(), second.buckets().len());
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
            // However a machine cuts its part, the part has the same keys.
            assert!(found.iter().zip(in_parts(1)).all(|(one, other)| one.is_some() == other.is_some()));
            for (counts, segment) in counts.iter_mut().zip(found) {
                if let Some(segment) = segment {
                    counts[segment] += 1;
                }
            }
        }
        assert!(counts.as_flattened().iter().all(|count| (1_800..2_200).contains(count)), "{counts:?}");
    }

    #[test]
    fn what_names_no_part_is_refused() {
        for text in ["", "1", "1/", "/1", "0/0", "3/3", "-1/3", "1/65537", "1/3/5", "a/b"] {
            assert_eq!(text.parse::<Partition>(), Err(NotAPartition), "{text}");
        }
    }
}

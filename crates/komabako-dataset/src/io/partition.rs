//! [`Partition`]: the share of a job that one of several machines does.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use komabako_messages::{Lang, Message, say};

/// Partition `number`, from 0, of `parts` partitions of a job. Machines that are given the same inputs in the same order do one
/// each.
///
/// [`convert`](crate::convert), [`stats`](crate::stats) and [`validate`](crate::validate) take a [range](Partition::range) of
/// the records of all inputs. Where the number of records is not known without reading, they are counted first, so that
/// inputs must be files. Games are not divided: a game belongs to the partition of its first record. Where records are joined
/// to games, each partition begins with the first record of its range that does not continue the previous record's game. The
/// outputs of all partitions of a conversion, concatenated in order, are the output of the whole job; their counts add up to
/// its counts.
///
/// The outputs of all partitions of a [`large`](crate::large) job that shuffles, concatenated in order, have the bytes of the
/// whole job's output: a partition is a range of the buckets that records draw, and a record's bucket depends only on the
/// seed and the record's number. Where duplicates are removed without a shuffle, a partition has the records whose key hashes
/// are in one of equal ranges, in the order of the inputs. Equal records are in the same partition, so that the outputs of
/// all partitions have the records of the whole job's output, in another order.
///
/// A format's header is written in the first partition only. What is damaged in an archive belongs to each partition whose range
/// has records that are lost by it.
///
/// ```
/// use komabako_dataset::Partition;
/// let second: Partition = "1/3".parse()?;
/// assert_eq!(second.to_string(), "1/3");
/// assert_eq!(second.range(10), 3..6);
/// assert!("3/3".parse::<Partition>().is_err());
/// # Ok::<(), komabako_dataset::NotAPartition>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Partition {
    pub(crate) number: usize,
    pub(crate) parts: usize,
}

impl Partition {
    /// The whole job.
    pub const WHOLE: Partition = Partition { number: 0, parts: 1 };

    /// The maximum number of partitions.
    pub const MAX_PARTS: usize = 1 << 16;

    /// The number of partitions that the job is divided into.
    pub const fn parts(self) -> usize {
        self.parts
    }

    /// All partitions of this division, in order.
    pub fn all(self) -> impl Iterator<Item = Partition> {
        (0..self.parts).map(move |number| Partition { number, parts: self.parts })
    }

    /// Whether this is the first partition, which also has everything before the first record.
    pub const fn is_first(self) -> bool {
        self.number == 0
    }

    /// Whether this is the last partition, which also has everything after the last record.
    pub const fn is_last(self) -> bool {
        self.number + 1 == self.parts
    }

    /// This partition's range of `total` items, numbered from 0. The ranges of all partitions join, and their lengths differ
    /// by at most one.
    pub const fn range(self, total: u64) -> Range<u64> {
        self.bound(self.number, total)..self.bound(self.number + 1, total)
    }

    /// The start of a partition.
    const fn bound(self, number: usize, total: u64) -> u64 {
        (total as u128 * number as u128 / self.parts as u128) as u64
    }
}

impl Default for Partition {
    fn default() -> Self {
        Partition::WHOLE
    }
}

/// The error for a text that is not a [`Partition`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAPartition;

impl Message for NotAPartition {
    fn write(&self, lang: Lang, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        say!(
            f,
            lang,
            "a partition I/N, such as 0/3, 1/3 and 2/3 for three machines, with N at most 65536",
            "分担 I/N (3 台なら 0/3、1/3、2/3)。N は 65536 まで"
        )
    }
}

komabako_messages::english!(NotAPartition);

impl core::error::Error for NotAPartition {}

impl FromStr for Partition {
    type Err = NotAPartition;

    fn from_str(text: &str) -> Result<Partition, NotAPartition> {
        let (number, parts) = text.split_once('/').ok_or(NotAPartition)?;
        let number = number.parse().map_err(|_| NotAPartition)?;
        let parts = parts.parse().map_err(|_| NotAPartition)?;
        if number < parts && parts <= Partition::MAX_PARTS {
            Ok(Partition { number, parts })
        } else {
            Err(NotAPartition)
        }
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
    fn ranges_are_adjacent_and_differ_by_at_most_one() {
        for (total, parts) in [(0, 3), (2, 5), (10, 3), (1 << 16, 1 << 16), (u64::MAX, 7)] {
            let mut next = 0;
            for number in 0..parts {
                let Range { start, end } = Partition { number, parts }.range(total);
                assert_eq!(start, next);
                assert!((end - start).abs_diff(total / parts as u64) <= 1);
                next = end;
            }
            assert_eq!(next, total);
        }
    }

    #[test]
    fn invalid_partitions_are_refused() {
        for text in ["", "1", "1/", "/1", "0/0", "3/3", "-1/3", "1/65537", "1/3/5", "a/b"] {
            assert_eq!(text.parse::<Partition>(), Err(NotAPartition), "{text}");
        }
    }
}

//! [`Partition`]: which part of its work a job does, so that several machines share it.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

/// Part `number`, from 0, of `parts` parts of the work of a job. Machines that are given the same inputs in the same order each do
/// one.
///
/// [`convert`](crate::convert), [`stats`](crate::stats) and [`validate`](crate::validate) take a [range](Partition::range) of the
/// records of all inputs. Where the number of records is not known without reading, they are counted first, so that inputs must
/// be files. Of games whole ones are taken: a game belongs to the part of its first record. Where records are joined to games, each
/// part begins with the first record of its range that does not continue the game of the one before it. The outputs of all parts of a
/// conversion, joined in their order, are the output of the whole job; what they counted adds up to what that counts.
///
/// Of a [`large`](crate::large) job's shuffled output, the outputs of all parts joined in their order have the bytes of the output of
/// the whole job: a part is a run of the buckets that records draw, and which bucket a record draws depends only on the seed and the
/// record's number. Of an output without duplicates that is not shuffled, a part has the records whose keys have hashes in one of
/// equal ranges, in the order of the inputs. Records that are the same are in the same part, so that the outputs of all parts have
/// the records of the output of the whole job, in another order.
///
/// A format with a header has it in the first part alone.
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
    /// All of it.
    pub const WHOLE: Partition = Partition { number: 0, parts: 1 };

    /// The most parts that there are.
    pub const MOST_PARTS: usize = 1 << 16;

    /// Into how many parts the work is divided.
    pub const fn parts(self) -> usize {
        self.parts
    }

    /// All parts of this division, in order.
    pub fn all(self) -> impl Iterator<Item = Partition> {
        (0..self.parts).map(move |number| Partition { number, parts: self.parts })
    }

    /// Whether it is the first part, which has what comes before all records.
    pub const fn is_first(self) -> bool {
        self.number == 0
    }

    /// Whether it is the last part, which has what comes after all records.
    pub const fn is_last(self) -> bool {
        self.number + 1 == self.parts
    }

    /// The numbers, from 0, of this part's things among `total`: the ranges of all parts join, and differ by one in length at most.
    pub const fn range(self, total: u64) -> Range<u64> {
        self.bound(self.number, total)..self.bound(self.number + 1, total)
    }

    /// Where a part begins.
    const fn bound(self, number: usize, total: u64) -> u64 {
        (total as u128 * number as u128 / self.parts as u128) as u64
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
        if number < parts && parts <= Partition::MOST_PARTS {
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
    fn ranges_join_and_differ_by_one_at_most() {
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
    fn what_names_no_part_is_refused() {
        for text in ["", "1", "1/", "/1", "0/0", "3/3", "-1/3", "1/65537", "1/3/5", "a/b"] {
            assert_eq!(text.parse::<Partition>(), Err(NotAPartition), "{text}");
        }
    }
}

//! [`Reservoir`]: a random sample of a stream of records.

use alloc::boxed::Box;
use alloc::vec::Vec;

use super::Random;
use crate::{Block, FileFormat};

/// A random sample of a given size of all records so far: every subset of that size is equally likely.
///
/// Uses a reservoir (Vitter, *Random sampling with a reservoir*, 1985, algorithm R): the first records fill it; after
/// that, record number *i* draws a place from *i* + 1 and replaces the record there if the place is in the reservoir. The
/// sample is held in memory: the bytes of each record and about 30 more.
///
/// ```
/// use komabako_record::block::{Block, Cuts};
/// use komabako_record::order::Reservoir;
/// let block = Block::new((0..200).collect(), Cuts::Every { size: 40, count: 5 });
/// let mut reservoir = Reservoir::new(3, 1);
/// reservoir.push(komabako_record::FileFormat::Psv, &block);
/// assert_eq!(reservoir.into_records().len(), 3);
/// ```
#[derive(Debug)]
pub struct Reservoir {
    count: u64,
    random: Random,
    /// The number of records so far.
    seen: u64,
    /// Records, each with its number.
    records: Vec<(u64, Box<[u8]>)>,
}

impl Reservoir {
    /// An empty reservoir with room for `count` records. The same seed gives the same sample of the same records.
    pub fn new(count: u64, seed: u64) -> Reservoir {
        Reservoir { count, random: Random::new(seed), seen: 0, records: Vec::new() }
    }

    /// Adds the records of a block.
    pub fn push(&mut self, format: FileFormat, block: &Block) {
        for index in 0..block.len() {
            let ordinal = self.seen;
            self.seen += 1;
            let record = || (ordinal, written_record(format, block, index));
            if ordinal < self.count {
                self.records.push(record());
            } else if self.count > 0
                && let Some(place) = place(&self.random, ordinal, self.count)
            {
                self.records[place] = record();
            }
        }
    }

    /// The numbers, ascending, of the records that a reservoir has after `total` records: a file whose records can be found by their
    /// numbers need not be read.
    ///
    /// ```
    /// use komabako_record::order::Reservoir;
    /// assert_eq!(Reservoir::numbers(2, 1, 2), [0, 1]);
    /// assert_eq!(Reservoir::numbers(3, 1, 1000).len(), 3);
    /// ```
    pub fn numbers(count: u64, seed: u64, total: u64) -> Vec<u64> {
        let random = Random::new(seed);
        let mut numbers: Vec<u64> = (0..total.min(count)).collect();
        if count > 0 {
            for ordinal in count..total {
                if let Some(place) = place(&random, ordinal, count) {
                    numbers[place] = ordinal;
                }
            }
        }
        numbers.sort_unstable();
        numbers
    }

    /// The number of records so far.
    pub const fn seen(&self) -> u64 {
        self.seen
    }

    /// The records of the sample as stored in a file, in the order of the stream.
    pub fn into_records(mut self) -> Vec<Box<[u8]>> {
        // Replacement at random places has disordered the records.
        self.records.sort_unstable_by_key(|&(ordinal, _)| ordinal);
        self.records.into_iter().map(|(_, record)| record).collect()
    }
}

/// The place that a record takes in a full reservoir, if any.
fn place(random: &Random, ordinal: u64, count: u64) -> Option<usize> {
    // Algorithm R: the n-th record replaces a random one with probability count / n, so that every record so far is in the
    // reservoir with the same probability.
    let place = random.below(ordinal + 1, ordinal);
    (place < count).then_some(place as usize)
}

/// A record of a block as stored in a file: with its line end, if it is text.
pub fn written_record(format: FileFormat, block: &Block, index: usize) -> Box<[u8]> {
    [block.record(index), format.record_end()].concat().into_boxed_slice()
}

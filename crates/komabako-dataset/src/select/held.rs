//! [`Held`]: written records that wait for the end of the inputs.

use std::collections::VecDeque;

use crate::FileFormat;
use crate::block::Block;
use crate::cut;
use crate::random::Random;

/// How many records of a sample are written at a time.
const PIECE: usize = 1 << 12;

/// What is held of the records so far.
pub(crate) enum Held {
    /// The last ones.
    Last {
        count: u64,
        /// The records of each block and their number.
        blocks: VecDeque<(Vec<u8>, u64)>,
        /// The number of records in all of the blocks.
        held: u64,
    },
    /// A reservoir.
    Sample {
        count: u64,
        random: Random,
        /// The number of records so far.
        seen: u64,
        /// Records, each with its number.
        reservoir: Vec<(u64, Box<[u8]>)>,
    },
}

impl Held {
    /// The last records.
    pub fn last(count: u64) -> Held {
        Held::Last { count, blocks: VecDeque::new(), held: 0 }
    }

    /// A sample of the records.
    pub fn sample(count: u64, seed: u64) -> Held {
        Held::Sample { count, random: Random::new(seed), seen: 0, reservoir: Vec::new() }
    }

    /// Takes the records of a block, written in a format.
    pub fn take(&mut self, format: FileFormat, bytes: &[u8], written: u64) {
        match self {
            Held::Last { count, blocks, held } => {
                blocks.push_back((bytes.to_vec(), written));
                *held += written;
                while let Some((_, first)) = blocks.front()
                    && *held - first >= *count
                {
                    *held -= first;
                    blocks.pop_front();
                }
            }
            Held::Sample { count, random, seen, reservoir } => {
                let block = recut(format, bytes.to_vec());
                for index in 0..block.len() {
                    let ordinal = *seen;
                    *seen += 1;
                    let record = || (ordinal, written_record(format, &block, index));
                    if ordinal < *count {
                        reservoir.push(record());
                    } else if *count > 0 {
                        let place = random.below(ordinal + 1, ordinal);
                        if place < *count {
                            reservoir[place as usize] = record();
                        }
                    }
                }
            }
        }
    }

    /// The records that stay, in the order of the inputs, in pieces, each with the number of its records.
    pub fn into_pieces(self, format: FileFormat) -> Vec<(Box<[u8]>, u64)> {
        match self {
            Held::Last { count, blocks, held } => {
                let mut surplus = held.saturating_sub(count);
                let piece = |(bytes, written): (Vec<u8>, u64)| {
                    if surplus == 0 {
                        return (bytes.into_boxed_slice(), written);
                    }
                    let block = recut(format, bytes);
                    let rest = surplus.min(written) as usize..block.len();
                    surplus -= rest.start as u64;
                    let left = rest.len() as u64;
                    let records: Vec<_> = rest.map(|index| written_record(format, &block, index)).collect();
                    (records.concat().into_boxed_slice(), left)
                };
                blocks.into_iter().map(piece).collect()
            }
            Held::Sample { mut reservoir, .. } => {
                reservoir.sort_unstable_by_key(|&(ordinal, _)| ordinal);
                let piece = |records: &[(u64, Box<[u8]>)]| {
                    let bytes: Vec<u8> = records.iter().flat_map(|(_, record)| record).copied().collect();
                    (bytes.into_boxed_slice(), records.len() as u64)
                };
                reservoir.chunks(PIECE).map(piece).collect()
            }
        }
    }
}

/// The records in some bytes that were written in a format.
pub(crate) fn recut(format: FileFormat, bytes: Vec<u8>) -> Block {
    let cuts = cut::cut(format, &bytes, true, false).cuts;
    Block::new(bytes, cuts)
}

/// A record of a block as a file has it.
fn written_record(format: FileFormat, block: &Block, index: usize) -> Box<[u8]> {
    [block.record(index), format.record_end()].concat().into_boxed_slice()
}

//! [`Retained`]: written records that wait for the end of the inputs.

use std::collections::VecDeque;

use crate::FileFormat;
use crate::block::Block;
use crate::boundaries;
use crate::engine::random::Random;
use crate::games::{Kept, excerpt};

/// How many records of a sample are written at a time.
const CHUNK: usize = 1 << 12;

/// The records that are held so far.
pub(crate) enum Retained {
    /// The last ones.
    Last {
        count: u64,
        blocks: VecDeque<Block>,
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

/// Records that stay.
pub(crate) struct RetainedChunk {
    /// As a file has them.
    pub bytes: Vec<u8>,
    /// How many there are.
    pub records: u64,
    /// How many games these are, if the format holds games.
    pub games: u64,
}

impl Retained {
    /// The last records.
    pub fn last(count: u64) -> Retained {
        Retained::Last { count, blocks: VecDeque::new(), held: 0 }
    }

    /// A sample of the records.
    pub fn sample(count: u64, seed: u64) -> Retained {
        Retained::Sample { count, random: Random::new(seed), seen: 0, reservoir: Vec::new() }
    }

    /// Takes records written in a format.
    pub fn push(&mut self, format: FileFormat, bytes: &[u8]) {
        let block = recut(format, bytes.to_vec());
        match self {
            Retained::Last { count, blocks, held } => {
                *held += block.len() as u64;
                blocks.push_back(block);
                // Of games, one without a record stays if the record after it does, so that the last block before
                // those that stay may be needed.
                while let Some(first) = blocks.front()
                    && *held - first.len() as u64 > *count
                {
                    *held -= first.len() as u64;
                    blocks.pop_front();
                }
            }
            Retained::Sample { count, random, seen, reservoir } => {
                for index in 0..block.len() {
                    let ordinal = *seen;
                    *seen += 1;
                    let record = || (ordinal, written_record(format, &block, index));
                    if ordinal < *count {
                        reservoir.push(record());
                    } else if *count > 0 {
                        // Algorithm R: record n replaces a random one with probability count / n, which leaves each
                        // record so far in the reservoir with the same probability.
                        let place = random.below(ordinal + 1, ordinal);
                        if place < *count {
                            reservoir[place as usize] = record();
                        }
                    }
                }
            }
        }
    }

    /// The records that stay, in the order of the inputs, in pieces.
    pub fn into_chunks(self, format: FileFormat) -> Vec<RetainedChunk> {
        match self {
            Retained::Last { count, blocks, held } => {
                let mut surplus = held.saturating_sub(count);
                let chunk = |block: Block| {
                    // Only the first block can have a surplus: earlier ones were dropped whole.
                    let left_out = surplus.min(block.len() as u64);
                    surplus -= left_out;
                    without_first(format, block, left_out as usize)
                };
                blocks.into_iter().map(chunk).collect()
            }
            Retained::Sample { mut reservoir, .. } => {
                // The reservoir replaces in random places; the output is in the order of the inputs.
                reservoir.sort_unstable_by_key(|&(ordinal, _)| ordinal);
                let chunk = |records: &[(u64, Box<[u8]>)]| RetainedChunk {
                    bytes: records.iter().flat_map(|(_, record)| record).copied().collect(),
                    records: records.len() as u64,
                    games: 0,
                };
                reservoir.chunks(CHUNK).map(chunk).collect()
            }
        }
    }
}

/// The records of a block without the first `count`.
fn without_first(format: FileFormat, block: Block, count: usize) -> RetainedChunk {
    let rest = count..block.len();
    let records = rest.len() as u64;
    if count == 0 {
        let games = block.game_count() as u64;
        return RetainedChunk { bytes: block.into_bytes(), records, games };
    }
    let mut bytes = Vec::new();
    if format.holds_games() {
        let kept: Vec<_> = rest.map(|row| Kept { row, score: None }).collect();
        let games = excerpt(format, &block, &kept, |index| index >= count, &mut bytes);
        return RetainedChunk { bytes, records, games };
    }
    for index in rest {
        bytes.extend_from_slice(&written_record(format, &block, index));
    }
    RetainedChunk { bytes, records, games: 0 }
}

/// The records in some bytes that were written in a format.
pub(crate) fn recut(format: FileFormat, bytes: Vec<u8>) -> Block {
    let cuts = boundaries::cut(format, &bytes, true, false).cuts;
    Block::new(bytes, cuts)
}

/// A record of a block as a file has it.
fn written_record(format: FileFormat, block: &Block, index: usize) -> Box<[u8]> {
    [block.record(index), format.record_end()].concat().into_boxed_slice()
}

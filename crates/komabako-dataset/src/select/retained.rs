//! [`Retained`]: encoded records held until the end of the inputs.

use std::collections::VecDeque;

use komabako_record::order::{Reservoir, written_record};

use crate::FileFormat;
use crate::block::Block;
use crate::boundaries;
use crate::games::{Kept, excerpt};

/// The number of records of a sample to write at a time.
const CHUNK: usize = 1 << 12;

/// The records held so far.
pub(crate) enum Retained {
    /// The last ones.
    Last {
        count: u64,
        /// Blocks, each with the number of records after it that are lost by damage: these count as records.
        blocks: VecDeque<(Block, u64)>,
        /// The number of records in and after all of the blocks.
        held: u64,
    },
    /// A sample.
    Sample(Reservoir),
}

/// Records to be written.
pub(crate) struct RetainedChunk {
    /// The records as they are in a file.
    pub bytes: Vec<u8>,
    /// The number of records.
    pub records: u64,
    /// The number of games, if the format holds games.
    pub games: u64,
}

impl Retained {
    /// The last records.
    pub fn last(count: u64) -> Retained {
        Retained::Last { count, blocks: VecDeque::new(), held: 0 }
    }

    /// A sample of the records.
    pub fn sample(count: u64, seed: u64) -> Retained {
        Retained::Sample(Reservoir::new(count, seed))
    }

    /// Adds records encoded in a format.
    pub fn push(&mut self, format: FileFormat, bytes: &[u8]) {
        let block = recut(format, bytes.to_vec());
        match self {
            Retained::Last { count, blocks, held } => {
                *held += block.len() as u64;
                blocks.push_back((block, 0));
                drop_first(blocks, held, *count);
            }
            Retained::Sample(reservoir) => reservoir.push(format, &block),
        }
    }

    /// Counts records that are lost by damage. A sample is one of the others.
    pub fn pass(&mut self, lost: u64) {
        if let Retained::Last { count, blocks, held } = self
            && let Some((_, after)) = blocks.back_mut()
        {
            *after += lost;
            *held += lost;
            drop_first(blocks, held, *count);
        }
    }

    /// The records to keep, in the order of the inputs, in chunks.
    pub fn into_chunks(self, format: FileFormat) -> Vec<RetainedChunk> {
        match self {
            Retained::Last { count, blocks, held } => {
                let mut surplus = held.saturating_sub(count);
                let chunk = |(block, lost): (Block, u64)| {
                    // Only the first block can have a surplus: earlier ones were dropped whole.
                    let left_out = surplus.min(block.len() as u64);
                    surplus = surplus.saturating_sub(left_out + lost);
                    without_first(format, block, left_out as usize)
                };
                blocks.into_iter().map(chunk).collect()
            }
            Retained::Sample(reservoir) => {
                let chunk = |records: &[Box<[u8]>]| RetainedChunk {
                    bytes: records.concat(),
                    records: records.len() as u64,
                    games: 0,
                };
                reservoir.into_records().chunks(CHUNK).map(chunk).collect()
            }
        }
    }
}

/// Drops the blocks before the last `count` records.
fn drop_first(blocks: &mut VecDeque<(Block, u64)>, held: &mut u64, count: u64) {
    // A game without records is kept if the record after it is kept, so the last block before the kept records may be needed.
    while let Some((first, lost)) = blocks.front()
        && *held - first.len() as u64 - lost > count
    {
        *held -= first.len() as u64 + lost;
        blocks.pop_front();
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
        let games = excerpt(format, &block, &kept, |game| game.first >= count, &mut bytes);
        return RetainedChunk { bytes, records, games };
    }
    for index in rest {
        bytes.extend_from_slice(&written_record(format, &block, index));
    }
    RetainedChunk { bytes, records, games: 0 }
}

/// A block of the records in bytes that were encoded in a format.
pub(crate) fn recut(format: FileFormat, bytes: Vec<u8>) -> Block {
    let cuts = boundaries::cut(format, &bytes, true, false).cuts;
    Block::new(bytes, cuts)
}

//! [`LastBlocks`]: the blocks of the last records of inputs whose end is not known beforehand.

use std::collections::VecDeque;
use std::ops::Range;

use crate::engine::pipeline::ProcessedBlock;

/// The blocks that the last records are in, as they were read.
pub(crate) struct LastBlocks {
    count: u64,
    blocks: VecDeque<ProcessedBlock<()>>,
}

impl LastBlocks {
    /// No blocks yet, to keep those of the last `count` records.
    pub fn new(count: u64) -> LastBlocks {
        LastBlocks { count, blocks: VecDeque::new() }
    }

    /// Adds the next block.
    pub fn push<P>(&mut self, processed: &ProcessedBlock<P>) {
        let ProcessedBlock { block, input, format, .. } = processed;
        self.blocks.push_back(ProcessedBlock {
            block: block.clone(),
            input: input.clone(),
            format: *format,
            product: (),
        });
        self.drop_first(block.ordinal() + block.len() as u64);
    }

    /// The blocks and the numbers of the records, of inputs with `total` records. Records that are lost by damage count too.
    pub fn finish(mut self, total: u64) -> (VecDeque<ProcessedBlock<()>>, Range<u64>) {
        self.drop_first(total);
        (self.blocks, total.saturating_sub(self.count)..u64::MAX)
    }

    /// Drops the blocks before the last records of `total`.
    fn drop_first(&mut self, total: u64) {
        let start = total.saturating_sub(self.count);
        // A game without records is kept if the record after it is kept, so the block that ends at the start may be needed.
        while let Some(first) = self.blocks.front()
            && first.block.ordinal() + (first.block.len() as u64) < start
        {
            self.blocks.pop_front();
        }
    }
}

//! [`Lane`]: the records of one input, one at a time, in the output's format.

use std::io::Read;

use komabako_codec::Backend;

use crate::batch::{BATCH, Batch};
use crate::block::{Block, Cuts};
use crate::boundaries;
use crate::engine::pipeline::ProcessedBlock;
use crate::io::input::{Counter, Source};
use crate::job::{Counts, LossCounts, Rejects};
use crate::move16::MoveEncoding;
use crate::{DatasetError, FileFormat, RecordReader};

/// State shared by the records of all inputs.
pub(super) struct Common {
    pub to: FileFormat,
    pub salvage: bool,
    pub rejects: Rejects,
    pub counts: Counts,
    pub lost: LossCounts,
}

/// An input that is read record by record.
pub(super) struct Lane<'a> {
    reader: RecordReader<Box<dyn Read + Send + 'a>>,
    from: FileFormat,
    moves: Option<MoveEncoding>,
    /// The current block, and the name of the input.
    processed: ProcessedBlock<()>,
    /// The next record of the block.
    row: usize,
    batch: Batch,
    /// Records of the block in the output's format, and the index of the next one.
    encoded: Block,
    next: usize,
}

impl<'a> Lane<'a> {
    /// Opens an input; `None` if it is empty and has no format.
    pub fn open(
        source: Source<'a>,
        number: usize,
        counter: &Counter,
        backend: Backend,
    ) -> Result<Option<Lane<'a>>, DatasetError> {
        let Some(from) = source.detection().format else { return Ok(None) };
        let input = source.name().clone();
        let moves = source.moves();
        let reader = source.reader(from, counter, 0)?;
        let mut processed = ProcessedBlock { input, format: Some(from), ..ProcessedBlock::default() };
        processed.block.set_source(number);
        let batch = Batch::new(backend);
        let encoded = Block::default();
        Ok(Some(Lane { reader, from, moves, processed, row: 0, batch, encoded, next: 0 }))
    }

    /// Appends the next good record; `false` at the end of the input.
    pub fn append_next(&mut self, common: &mut Common, out: &mut Vec<u8>) -> Result<bool, DatasetError> {
        // As in a shuffle, records that stay in their format keep all their bytes.
        let is_copied = self.from == common.to && self.moves.is_none();
        loop {
            if self.next < self.encoded.len() {
                append(common.to, &self.encoded, self.next, out);
                self.next += 1;
                return Ok(true);
            }
            if self.row == self.processed.block.len() {
                if !self.read(common)? {
                    return Ok(false);
                }
            } else if is_copied {
                append(common.to, &self.processed.block, self.row, out);
                self.row += 1;
                return Ok(true);
            } else {
                self.encode(common)?;
            }
        }
    }

    /// Subtracts from the counts of losses the records that were read but not written when the output ended.
    pub fn uncount_unwritten(&self, lost: &mut LossCounts, to: FileFormat) {
        let mut row = self.row;
        if self.next < self.encoded.len() {
            row = lost.subtract_unwritten(self.from, to, &self.batch, self.next).unwrap_or(row);
        }
        if row < self.processed.block.len() {
            lost.subtract_games(self.from, to, &self.processed.block, row);
        }
    }

    /// Reads the next block.
    fn read(&mut self, common: &mut Common) -> Result<bool, DatasetError> {
        self.row = 0;
        loop {
            match self.reader.next_block(&mut self.processed.block) {
                Err(DatasetError::Tail(tail)) if common.salvage => common.counts.tails.push(*tail),
                Ok(true) => {
                    self.processed.block.set_moves(self.moves);
                    common.lost.add_games(self.from, common.to, &self.processed.block);
                    return Ok(true);
                }
                read => return read,
            }
        }
    }

    /// Encodes the next batch of the block.
    fn encode(&mut self, common: &mut Common) -> Result<(), DatasetError> {
        let range = self.row..self.processed.block.len().min(self.row + BATCH);
        self.row = range.end;
        self.batch.decode(self.from, &self.processed.block, range);
        // The buffer of the previous batch is reused.
        let mut bytes = std::mem::take(&mut self.encoded).into_bytes();
        bytes.clear();
        let count = self.batch.encode(common.to, &mut bytes);
        common.lost.add_batch(self.from, common.to, &self.batch);
        let mut faults = self.batch.faults().to_vec();
        // Labels are checked before words are unpacked, so that faults come out of order.
        faults.sort_unstable_by_key(|&(index, _)| index);
        common.rejects.add_faults(&self.processed, &faults, &mut common.counts)?;
        let cuts = match common.to.record_size() {
            Some(size) => Cuts::Every { size, count },
            None => boundaries::cut(common.to, &bytes, true, false).cuts,
        };
        self.encoded = Block::new(bytes, cuts);
        self.next = 0;
        Ok(())
    }
}

/// Appends a record unchanged.
fn append(format: FileFormat, block: &Block, index: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(block.record(index));
    out.extend_from_slice(format.record_end());
}

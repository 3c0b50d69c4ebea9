//! [`Maker`]: what a pass makes of every record, its bytes in the output's format or its key.

use komabako_codec::Backend;

use super::journal::Journal;
use super::manifest::{BadCounts, Checkpoint};
use super::{Sameness, Summary};
use crate::batch::{BATCH, Batch};
use crate::block::{Block, Cuts};
use crate::boundaries;
use crate::codec::Codec;
use crate::engine::pipeline::{ProcessedBlock, Sink, Work};
use crate::engine::temporary::{Shape, TempFile};
use crate::io::error::{RecordError, RecordFault, Tail};
use crate::move16::MoveEncoding;
use crate::{DatasetError, FileFormat};

/// The codec that has a word for every position, the same whatever the position was read from.
const CANONICAL: Codec = Codec::SspfExt;
const WORD: usize = 32;
const MOVE: usize = 2;

/// Makes something of every record.
pub(super) struct Maker {
    pub of: Sameness,
    /// The output's format.
    pub to: FileFormat,
    pub backend: Backend,
}

impl Maker {
    /// The shape of what is made.
    pub fn shape(&self) -> Shape {
        match self.of {
            Sameness::Position => Shape::Fixed(WORD),
            Sameness::Move => Shape::Fixed(WORD + MOVE),
            Sameness::Record => Shape::of(self.to),
        }
    }
}

/// The keys or records extracted from a block.
#[derive(Default)]
pub(super) struct Made {
    /// One for each good record; `None` if the records themselves are wanted as they are.
    made: Option<Block>,
    /// The bad records, ascending by index in the block.
    faults: Vec<(usize, RecordFault)>,
}

impl Work for Maker {
    type Scratch = Batch;
    type Product = Made;

    fn scratch(&self) -> Batch {
        Batch::new(self.backend)
    }

    fn work(&self, batch: &mut Batch, from: FileFormat, block: &Block, product: &mut Made) {
        let Made { made, faults } = product;
        faults.clear();
        if self.of == Sameness::Record && from == self.to && block.moves().is_none() {
            *made = None;
            return;
        }
        let mut bytes = made.take().map_or_else(Vec::new, Block::into_bytes);
        bytes.clear();
        let count = block.len();
        for start in (0..count).step_by(BATCH) {
            batch.decode(from, block, start..count.min(start + BATCH));
            match self.of {
                Sameness::Position => {
                    batch.pack(CANONICAL);
                    bytes.extend_from_slice(batch.words().as_flattened());
                }
                Sameness::Move => moves(batch, &mut bytes, faults),
                Sameness::Record => {
                    batch.encode(self.to, &mut bytes);
                }
            }
            faults.extend_from_slice(batch.faults());
        }
        faults.sort_unstable_by_key(|&(index, _)| index);
        let cuts = match self.shape() {
            Shape::Fixed(size) => Cuts::Every { size, count: bytes.len() / size },
            Shape::Varying => boundaries::cut(self.to, &bytes, true, false).cuts,
        };
        *made = Some(Block::new(bytes, cuts));
    }
}

/// Appends the key of every good record: its position and its move.
fn moves(batch: &mut Batch, bytes: &mut Vec<u8>, faults: &mut Vec<(usize, RecordFault)>) {
    batch.pack(CANONICAL);
    let (rows, _, labels) = batch.records();
    for ((&row, word), labels) in rows.iter().zip(batch.words()).zip(labels) {
        match labels.move_bits(MoveEncoding::YaneuraOu) {
            Ok(bits) => {
                bytes.extend_from_slice(word);
                bytes.extend_from_slice(&bits.to_le_bytes());
            }
            Err(fault) => faults.push((row, RecordFault::Move(fault))),
        }
    }
}

/// Gives what is made of the records to a taker, one by one.
pub(super) struct Rows<'r, T> {
    pub taker: &'r mut T,
    /// The number of the first record to be given.
    pub start: u64,
    /// The log of bad records.
    pub log: &'r mut Log,
    /// Where it is written down how far the pass has come, if that is of use.
    pub journal: Option<&'r mut Journal>,
}

/// Takes what is made of records, each with its number, counted over all inputs.
pub(super) trait Taker {
    /// Takes what is made of a record.
    fn take(&mut self, number: u64, made: &[u8]) -> Result<(), DatasetError>;

    /// Hears of a bad record.
    fn refuse(&mut self, number: u64, error: RecordError, log: &mut Log) -> Result<(), DatasetError>;

    /// Writes what it has collected: the files, and how many records were put into them. `None` if it keeps no files that a
    /// later run could resume.
    fn rest(&mut self) -> Result<Option<(Vec<TempFile>, u64)>, DatasetError> {
        Ok(None)
    }
}

/// Bad records and tails.
#[derive(Clone)]
pub(super) struct Log {
    /// Whether the first bad record is an error.
    pub stop: bool,
    pub bad: BadCounts,
    pub samples: Vec<RecordError>,
    pub tails: Vec<Tail>,
}

impl Log {
    /// Takes note of a bad record.
    pub fn note(&mut self, error: RecordError) -> Result<(), DatasetError> {
        if self.stop {
            return Err(DatasetError::Record(Box::new(error)));
        }
        self.bad.count(error.fault.name());
        if self.samples.len() < Summary::SAMPLES {
            self.samples.push(error);
        }
        Ok(())
    }

    /// Takes a bad record of a file that is not to be copied.
    pub fn tolerate(&self, error: RecordError) -> Result<(), DatasetError> {
        if self.stop { Err(DatasetError::Record(Box::new(error))) } else { Ok(()) }
    }
}

impl<T: Taker> Sink<Made> for Rows<'_, T> {
    fn receive(&mut self, processed: &ProcessedBlock<Made>) -> Result<(), DatasetError> {
        let Made { made, faults } = &processed.product;
        let made = made.as_ref().unwrap_or(&processed.block);
        let mut faults = faults.iter().peekable();
        let first = processed.block.ordinal();
        let mut good = 0;
        for index in 0..processed.block.len() {
            let number = first + index as u64;
            let is_wanted = number >= self.start;
            if let Some(&(_, fault)) = faults.next_if(|(bad, _)| *bad == index) {
                if is_wanted {
                    self.taker.refuse(number, processed.error(index, fault), self.log)?;
                }
                continue;
            }
            if is_wanted {
                self.taker.take(number, made.record(good))?;
            }
            good += 1;
        }
        let records = first + processed.block.len() as u64;
        if let Some(journal) = &mut self.journal
            && journal.is_due(records)
            && let Some((files, entries)) = self.taker.rest()?
        {
            journal.note(Checkpoint { records, entries, files }, &self.log.bad)?;
        }
        Ok(())
    }

    fn truncated(&mut self, tail: Tail) {
        if !self.log.tails.contains(&tail) {
            self.log.tails.push(tail);
        }
    }

    fn bad(&self) -> u64 {
        self.log.bad.total()
    }
}

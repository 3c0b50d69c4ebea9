//! [`KeyExtractor`]: extracts a key from every record, or the record in the output's format.

use komabako_codec::Backend;
use komabako_variants::WordFormat;

use super::Sameness;
use super::journal::Journal;
use super::key_set::KeySet;
use super::manifest::{BadCounts, Checkpoint};
use crate::Batch;
use crate::block::{Block, Cuts};
use crate::boundaries;
use crate::engine::pipeline::{ProcessedBlock, Sink, Work};
use crate::engine::temporary::{Shape, TempFile};
use crate::io::error::{RecordError, RecordFault, Tail};
use crate::move16::MoveEncoding;
use crate::{Counts, DatasetError, FileFormat};

/// The codec whose words are the keys of positions, independent of the format that a position was read from.
pub(super) fn key_codec(mut formats: impl Iterator<Item = FileFormat>) -> WordFormat {
    const HCP: WordFormat = WordFormat::Hcp;
    let is_huffman = |format: FileFormat| matches!(format.codec(), Some(HCP | WordFormat::PackedSfen));
    // HCP has a word for every PSV position, which is computed without unpacking the position. Another format may hold positions
    // that only the extension has a word for.
    if formats.all(is_huffman) { HCP } else { WordFormat::SspfExt }
}

const WORD: usize = 32;
const MOVE: usize = 2;

/// Extracts keys, or records in the output's format.
pub(super) struct KeyExtractor {
    pub of: Sameness,
    /// The output's format.
    pub to: FileFormat,
    /// See [`key_codec`].
    pub codec: WordFormat,
    pub backend: Backend,
}

impl KeyExtractor {
    /// The shape of the keys or records.
    pub fn shape(&self) -> Shape {
        KeyExtractor::shape_of(self.of, self.to)
    }

    /// The shape of keys of an output in a format.
    pub fn shape_of(of: Sameness, to: FileFormat) -> Shape {
        match of {
            Sameness::Position => Shape::Fixed(WORD),
            Sameness::Move => Shape::Fixed(WORD + MOVE),
            Sameness::Record => Shape::for_format(to),
        }
    }
}

/// The keys or records extracted from a block.
#[derive(Default)]
pub(super) struct Extracted {
    /// One for each good record; `None` if the records themselves are used unchanged.
    extracted: Option<Block>,
    faults: Vec<(usize, RecordFault)>,
}

impl Extracted {
    /// The bad records, ascending by index in the block.
    pub fn faults(&self) -> &[(usize, RecordFault)] {
        &self.faults
    }
}

impl Work for KeyExtractor {
    type Scratch = Batch;
    type Product = Extracted;

    fn scratch(&self) -> Batch {
        Batch::new(self.backend)
    }

    fn work(&self, batch: &mut Batch, from: FileFormat, block: &Block, product: &mut Extracted) {
        let Extracted { extracted, faults } = product;
        faults.clear();
        // The block's own records are used: nothing is decoded or copied.
        if self.of == Sameness::Record && from == self.to && block.moves().is_none() {
            *extracted = None;
            return;
        }
        let mut bytes = extracted.take().map_or_else(Vec::new, Block::into_bytes);
        bytes.clear();
        for range in Batch::ranges(0..block.len()) {
            match self.of {
                Sameness::Position => {
                    batch.decode_words(self.codec, from, block, range);
                    batch.pack(self.codec);
                    bytes.extend_from_slice(batch.words().as_flattened());
                }
                Sameness::Move => {
                    batch.decode_words(self.codec, from, block, range);
                    batch.pack(self.codec);
                    moves(batch, &mut bytes, faults);
                }
                Sameness::Record => {
                    batch.decode_for(self.to, from, block, range);
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
        *extracted = Some(Block::new(bytes, cuts));
    }
}

/// Appends the key of every good record: its position and its move.
fn moves(batch: &Batch, bytes: &mut Vec<u8>, faults: &mut Vec<(usize, RecordFault)>) {
    let (feed, labels) = batch.labels();
    for ((&row, word), labels) in feed.iter().zip(batch.words()).zip(labels) {
        match labels.move_bits(MoveEncoding::YaneuraOu) {
            Ok(bits) => {
                bytes.extend_from_slice(word);
                bytes.extend_from_slice(&bits.to_le_bytes());
            }
            Err(fault) => faults.push((row, RecordFault::Move(fault))),
        }
    }
}

/// Feeds keys or records to a sink, one by one.
pub(super) struct RecordFeed<'r, T> {
    pub sink: &'r mut T,
    /// The number of the first record to pass.
    pub start: u64,
    /// The log of bad records.
    pub log: &'r mut Log,
    /// The journal for checkpoints, if the pass can be resumed.
    pub journal: Option<&'r mut Journal>,
}

/// Receives keys or records, each with its number, counted over all inputs.
pub(super) trait RecordSink {
    /// Called for each good record, with its key or bytes.
    fn record(&mut self, number: u64, bytes: &[u8]) -> Result<(), DatasetError>;

    /// Called before [`RecordSink::record`] with the key of one of the next records, if [`RecordSink::fetches`].
    fn fetch(&mut self, _key: &[u8]) {}

    /// Whether the sink wants keys in advance.
    fn fetches(&self) -> bool {
        false
    }

    /// Called for each bad record.
    fn bad_record(&mut self, number: u64, error: RecordError, log: &mut Log) -> Result<(), DatasetError>;

    /// Flushes its files, and returns them and the number of records in them. `None` if it has no files that a later run
    /// could resume.
    fn checkpoint(&mut self) -> Result<Option<(Vec<TempFile>, u64)>, DatasetError> {
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
    /// The number of records that the last pass over the inputs has read, if this run has made one.
    pub read: Option<u64>,
    /// The number of bad records of references.
    pub bad_references: u64,
    pub reference_samples: Vec<RecordError>,
}

impl Log {
    /// Records a bad record.
    pub fn add_bad_record(&mut self, error: RecordError) -> Result<(), DatasetError> {
        if self.stop {
            return Err(DatasetError::Record(Box::new(error)));
        }
        self.bad.count(error.fault.name());
        if self.samples.len() < <Counts>::SAMPLES {
            self.samples.push(error);
        }
        Ok(())
    }

    /// Records a bad record of a reference: records that are the same as it was are not left out.
    pub fn add_bad_reference(&mut self, error: RecordError) -> Result<(), DatasetError> {
        if self.stop {
            return Err(DatasetError::Record(Box::new(error)));
        }
        self.bad_references += 1;
        if self.reference_samples.len() < <Counts>::SAMPLES {
            self.reference_samples.push(error);
        }
        Ok(())
    }
}

impl<T: RecordSink> Sink<Extracted> for RecordFeed<'_, T> {
    fn receive(&mut self, processed: &ProcessedBlock<Extracted>) -> Result<(), DatasetError> {
        let Extracted { extracted, faults } = &processed.product;
        let extracted = extracted.as_ref().unwrap_or(&processed.block);
        // Faults and good records have separate lists: the product has only the good ones, and both ascend.
        let mut faults = faults.iter().peekable();
        let first = processed.block.ordinal();
        // Without those that are lost by damage, which have numbers too.
        let end = first + processed.block.len() as u64;
        self.log.read = self.log.read.map(|read| read + end.saturating_sub(first.max(self.start)));
        let mut good = 0;
        let fetches = self.sink.fetches();
        for index in 0..processed.block.len() {
            let number = first + index as u64;
            // A block may begin before the checkpoint from which the pass resumes.
            let is_wanted = number >= self.start;
            if let Some(&(_, fault)) = faults.next_if(|(bad, _)| *bad == index) {
                if is_wanted {
                    self.sink.bad_record(number, processed.error(index, fault), self.log)?;
                }
                continue;
            }
            if fetches && good + KeySet::AHEAD < extracted.len() {
                self.sink.fetch(extracted.record(good + KeySet::AHEAD));
            }
            if is_wanted {
                self.sink.record(number, extracted.record(good))?;
            }
            good += 1;
        }
        let records = first + processed.block.len() as u64;
        if let Some(journal) = &mut self.journal
            && journal.is_due(records)
            // Only after the whole block: a checkpoint within it would count its records twice.
            && let Some((files, entries)) = self.sink.checkpoint()?
        {
            journal.save_checkpoint(Checkpoint { records, entries, files }, &self.log.bad)?;
        }
        Ok(())
    }

    fn truncated(&mut self, tail: Tail) {
        // Several passes meet the same tail.
        if !self.log.tails.contains(&tail) {
            self.log.tails.push(tail);
        }
    }

    fn bad(&self) -> u64 {
        self.log.bad.total()
    }
}

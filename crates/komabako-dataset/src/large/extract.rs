//! [`KeyExtractor`]: extracts a key from every record, or the record in the output's format.

use komabako_codec::Backend;
use komabako_variants::WordFormat;

use super::Sameness;
use super::average::{Candidate, Vote, vote_encoding};
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
use crate::{Counts, DatasetError, FileFormat, games};

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
    /// Whether a [`Vote`] follows each key.
    pub votes: bool,
    pub backend: Backend,
}

impl KeyExtractor {
    /// The shape of the keys, with their votes if they have any, or of the records.
    pub fn shape(&self) -> Shape {
        KeyExtractor::shape_of(self.of, self.to, self.votes)
    }

    /// The same for an output in a format.
    pub fn shape_of(of: Sameness, to: FileFormat, votes: bool) -> Shape {
        match KeyExtractor::key_size(of) {
            // The candidates of a record are a part of its vote.
            Some(_) if votes && to.holds_games() => Shape::Varying,
            Some(size) if votes => Shape::Fixed(size + Vote::BYTES),
            Some(size) => Shape::Fixed(size),
            None => Shape::for_format(to),
        }
    }

    /// The size of a key; `None` if it is a record.
    pub fn key_size(of: Sameness) -> Option<usize> {
        match of {
            Sameness::Position => Some(WORD),
            Sameness::Move => Some(WORD + MOVE),
            Sameness::Record => None,
        }
    }

    /// Splits the bytes of a key into the key and its vote, which may be empty.
    pub fn split(of: Sameness, bytes: &[u8]) -> (&[u8], &[u8]) {
        KeyExtractor::key_size(of).and_then(|size| bytes.split_at_checked(size)).unwrap_or((bytes, &[]))
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
        // The block's own records are used: nothing is decoded or copied. Games are not records.
        if self.of == Sameness::Record && from == self.to && block.moves().is_none() && !self.to.holds_games()
        {
            *extracted = None;
            return;
        }
        let mut bytes = extracted.take().map_or_else(Vec::new, Block::into_bytes);
        bytes.clear();
        let mut ends = Vec::new();
        let candidates = self.candidates(from, block);
        for range in Batch::ranges(0..block.len()) {
            match self.of {
                Sameness::Record if self.to.holds_games() => {
                    batch.decode_words(WordFormat::Hcp, from, block, range);
                    batch.pack(WordFormat::Hcp);
                    positions(batch, &candidates, &mut bytes, faults);
                }
                Sameness::Record => {
                    batch.decode_for(self.to, from, block, range);
                    batch.encode(self.to, &mut bytes);
                }
                Sameness::Position if !self.votes => {
                    batch.decode_words(self.codec, from, block, range);
                    batch.pack(self.codec);
                    bytes.extend_from_slice(batch.words().as_flattened());
                }
                Sameness::Position | Sameness::Move => {
                    batch.decode_words(self.codec, from, block, range);
                    batch.pack(self.codec);
                    self.keys(batch, &candidates, &mut bytes, &mut ends, faults);
                }
            }
            faults.extend_from_slice(batch.faults());
        }
        faults.sort_unstable_by_key(|&(index, _)| index);
        let cuts = match self.shape() {
            Shape::Fixed(size) => Cuts::Every { size, count: bytes.len() / size },
            Shape::Varying if self.votes => Cuts::At(ends),
            Shape::Varying => boundaries::cut(self.to, &bytes, true, false).cuts,
        };
        *extracted = Some(Block::new(bytes, cuts));
    }
}

impl KeyExtractor {
    /// The candidates of each record of a block, for an output of games; otherwise none.
    fn candidates<'b>(&self, from: FileFormat, block: &'b Block) -> Vec<&'b [Candidate]> {
        let mut candidates = Vec::new();
        if self.to == FileFormat::Hcpe3 && from == FileFormat::Hcpe3 {
            for game in block.games() {
                candidates.extend(games::candidates(game.bytes));
            }
        }
        candidates
    }

    /// Appends the key of every good record, with its move and its vote if they are asked for, and the range of each.
    fn keys(
        &self,
        batch: &Batch,
        candidates: &[&[Candidate]],
        bytes: &mut Vec<u8>,
        ranges: &mut Vec<(u32, u32)>,
        faults: &mut Vec<(usize, RecordFault)>,
    ) {
        let encoding = vote_encoding(self.to);
        let (rows, labels) = batch.labels();
        for ((&row, word), labels) in rows.iter().zip(batch.words()).zip(labels) {
            let start = bytes.len();
            bytes.extend_from_slice(word);
            if self.of == Sameness::Move {
                match labels.move_bits(MoveEncoding::YaneuraOu) {
                    Ok(bits) => bytes.extend_from_slice(&bits.to_le_bytes()),
                    Err(fault) => {
                        bytes.truncate(start);
                        faults.push((row, RecordFault::Move(fault)));
                        continue;
                    }
                }
            }
            if self.votes {
                match Vote::new(labels, encoding) {
                    Ok(vote) => vote.append(bytes),
                    Err(fault) => {
                        bytes.truncate(start);
                        faults.push((row, RecordFault::Move(fault)));
                        continue;
                    }
                }
                bytes.extend_from_slice(candidates.get(row).copied().unwrap_or_default().as_flattened());
                ranges.push((start as u32, bytes.len() as u32));
            }
        }
    }
}

/// Appends every good record as a game of one position.
fn positions(
    batch: &Batch,
    candidates: &[&[Candidate]],
    bytes: &mut Vec<u8>,
    faults: &mut Vec<(usize, RecordFault)>,
) {
    let (rows, labels) = batch.labels();
    for ((&row, word), labels) in rows.iter().zip(batch.words()).zip(labels) {
        let candidates = candidates.get(row).copied().unwrap_or_default();
        if let Err(fault) = games::write_position(word, labels, candidates, bytes) {
            faults.push((row, fault));
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

    /// Called before [`RecordSink::record`] with the bytes of one of the next records, if [`RecordSink::fetches`].
    fn fetch(&mut self, _bytes: &[u8]) {}

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

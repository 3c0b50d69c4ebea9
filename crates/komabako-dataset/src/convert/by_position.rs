//! [`PositionScores`]: scores by position, for records in another order or number.

use std::path::{Path, PathBuf};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use komabako_codec::{Backend, Word};

use crate::Batch;
use crate::block::Block;
use crate::engine::pipeline::{self, ProcessedBlock, Sink, Work};
use crate::engine::temporary::slot_hash;
use crate::io::error::{RecordFault, Tail};
use crate::io::score_column::known;
use crate::job::preflight::allowed_memory;
use crate::preflight::Shortage;
use crate::record::Labels;
use crate::{DatasetError, Field, FileFormat, Input, Inputs, Progress};
use komabako_variants::WordFormat;

/// The codec that has a word for every position, independent of the format that the position was read from.
pub(super) const CANONICAL: WordFormat = WordFormat::SspfExt;

/// The maximum bytes of a position: its word, its score, and a slot of 9 bytes in a table that may use only 7 of 16 slots
/// after growing.
const POSITION_BYTES: u64 = 32 + 2 + 21;

/// The scores of a file of records, by position: board, hands and side to move. All of them are kept in memory.
pub struct PositionScores {
    /// The file, which no output may overwrite.
    path: Option<PathBuf>,
    words: Vec<Word>,
    scores: Vec<i16>,
    /// The index of each position in both.
    table: HashTable<u64>,
    conflicts: u64,
}

impl PositionScores {
    /// Reads the scores of a file. If a position occurs more than once, its last score counts. Records without a score,
    /// also those with 32002 or −32768, are skipped.
    ///
    /// # Errors
    /// [`DatasetError::Shortage`] before reading if the records could take more than `memory` (`None` for half of the
    /// machine's), about 55 bytes each; [`DatasetError::ReadOnce`] for a stream, whose records cannot be counted beforehand;
    /// [`DatasetError::Record`] at the first bad record; [`DatasetError::FieldMissing`] if its format has no scores.
    pub fn read(
        input: Input<'_>,
        from: Option<FileFormat>,
        memory: Option<u64>,
        threads: usize,
        backend: Backend,
        progress: &mut dyn Progress,
    ) -> Result<PositionScores, DatasetError> {
        let inputs = Inputs::examine(vec![input], from, false)?;
        inputs.demand(Field::Score)?;
        let path = inputs.sources()[0].path().map(Path::to_owned);
        // Counted first: the table is reserved at once, or refused before hours of reading.
        let records = inputs.count()?;
        let allowed = allowed_memory(memory);
        let needed = records.saturating_mul(POSITION_BYTES);
        if needed > allowed {
            return Err(DatasetError::Shortage(Shortage::Memory { needed, allowed }));
        }
        let mut scores = PositionScores {
            path,
            words: Vec::with_capacity(records as usize),
            scores: Vec::with_capacity(records as usize),
            table: HashTable::with_capacity(records as usize),
            conflicts: 0,
        };
        pipeline::run(inputs, pipeline::threads(threads), &Extraction { backend }, progress, &mut scores)?;
        Ok(scores)
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.words.len() as u64
    }

    /// The number of records whose score differed from an earlier one of the same position.
    pub fn conflicts(&self) -> u64 {
        self.conflicts
    }

    /// The file of the scores, as an input.
    pub(super) fn input(&self) -> Option<Input<'static>> {
        self.path.as_ref().map(Input::path)
    }

    /// The memory that the scores take, in bytes.
    pub(super) fn memory(&self) -> u64 {
        self.positions() * POSITION_BYTES
    }

    /// The score of a position.
    pub(super) fn find(&self, word: &Word) -> Option<i16> {
        let place = self.table.find(slot_hash(word), |&place| self.words[place as usize] == *word)?;
        Some(self.scores[*place as usize])
    }

    fn insert(&mut self, word: &Word, score: i16) {
        let PositionScores { words, scores, table, conflicts, .. } = self;
        let hash = |place: &u64| slot_hash(&words[*place as usize]);
        match table.entry(slot_hash(word), |&place| words[place as usize] == *word, hash) {
            // The last score wins, in the order of the file: blocks come in that order for any number of threads.
            Entry::Occupied(known) => {
                let known = &mut scores[*known.get() as usize];
                *conflicts += u64::from(*known != score);
                *known = score;
            }
            Entry::Vacant(vacant) => {
                vacant.insert(scores.len() as u64);
                words.push(*word);
                scores.push(score);
            }
        }
    }
}

/// Extracts positions and scores from blocks.
struct Extraction {
    backend: Backend,
}

/// The positions and scores of a block, and its first bad record.
#[derive(Default)]
struct Extracted {
    scores: Vec<(Word, i16)>,
    fault: Option<(usize, RecordFault)>,
}

impl Work for Extraction {
    type Scratch = Batch;
    type Product = Extracted;

    fn scratch(&self) -> Batch {
        Batch::new(self.backend)
    }

    fn work(&self, batch: &mut Batch, from: FileFormat, block: &Block, extracted: &mut Extracted) {
        let Extracted { scores, fault } = extracted;
        scores.clear();
        *fault = None;
        for range in Batch::ranges(0..block.len()) {
            batch.decode(from, block, range);
            batch.pack(CANONICAL);
            let (_, labels) = batch.labels();
            let of_record = |(word, labels): (&Word, &Labels)| Some((*word, labels.score.and_then(known)?));
            scores.extend(batch.words().iter().zip(labels).filter_map(of_record));
            // A bad record is an error here: the file is a reference, and its scores would be silently missing.
            let first = batch.faults().iter().min_by_key(|&&(index, _)| index);
            *fault = fault.or(first.copied());
        }
    }
}

impl Sink<Extracted> for PositionScores {
    fn receive(&mut self, processed: &ProcessedBlock<Extracted>) -> Result<(), DatasetError> {
        let Extracted { scores, fault } = &processed.product;
        if let Some((index, fault)) = *fault {
            return Err(DatasetError::Record(Box::new(processed.error(index, fault))));
        }
        for (word, score) in scores {
            self.insert(word, *score);
        }
        Ok(())
    }

    fn truncated(&mut self, _: Tail) {
        unreachable!("a tail is an error, since nothing is salvaged");
    }
}
